// swift-format-ignore-file
// The JSON Schemas of `ritualctl schema`. Generated from the types of the documents and their comments by the tests:
// run CommandSchemaTests with RITUAL_WRITE_GOLDEN=1 after a change.
extension JSONSchemas {
  static let generated: StaticString = #"""
{"$defs":{"AccountActivity":{"description":"The operation that runs for an account.","examples":["none","authe\#
nticating","refreshing"],"type":"string"},"AccountAssurance":{"description":"The authenticator assurance level\#
s of an account (NIST SP 800-63B), as the claim `aal` of Supabase's tokens.","properties":{"current":{"descrip\#
tion":"The level of the newest access token: `aal1`, or `aal2` after a second factor.","type":"string"},"possi\#
ble":{"description":"The level that the user can reach: `aal2` if and only if a verified factor exists.","type\#
":"string"}},"required":["current","possible"],"type":"object"},"AccountFactor":{"description":"A second facto\#
r of the account's user.","properties":{"id":{"description":"The factor's ID on the server, a UUID.","type":"s\#
tring"},"name":{"description":"The name that the user gave to the factor.","type":"string"},"status":{"descrip\#
tion":"`verified` or `unverified`. Only a verified factor counts.","type":"string"},"type":{"description":"`to\#
tp` (an authenticator app), `phone` (a text message), or another type that the server names.","type":"string"}\#
},"required":["id","status","type"],"type":"object"},"AccountIdentity":{"description":"A linked sign-in method\#
.","properties":{"email":{"description":"The email address at the provider.","type":"string"},"identityID":{"d\#
escription":"The id that `identity.unlink` and `ritualctl unlink` take.","type":"string"},"provider":{"descrip\#
tion":"A provider by Supabase's name, `email` or `phone`.","type":"string"}},"required":["identityID","provide\#
r"],"type":"object"},"AccountState":{"description":"The `state` of an account.","examples":["unauthenticated",\#
"authenticated","degraded","signInNeeded","locked","copied","misconfigured"],"type":"string"},"AccountStatus":\#
{"description":"An account as `session.status` returns it, without any token.","properties":{"activity":{"$ref\#
":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$\#
defs/AccountAssurance","description":"The session's level of assurance and the level that is possible; absent \#
without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; pre\#
sent in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock\#
.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},\#
"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/Accoun\#
tIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this acco\#
unt.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is nee\#
ded; present in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboa\#
rding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"descrip\#
tion":"The origin that issued the session, or the configured origin if there is no session.","type":"string"},\#
"project":{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$def\#
s/RefreshStatus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/S\#
essionLife","description":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$\#
defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whether `session.t\#
oken` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":\#
"The signed-in user."}},"required":["activity","identities","isDefault","name","project","state","tokenUsable"\#
],"type":"object"},"AccountUser":{"description":"The signed-in user.","properties":{"email":{"description":"Th\#
e user's email address.","type":"string"},"id":{"description":"The user's id on the server, a UUID.","type":"s\#
tring"},"isAnonymous":{"description":"True for an anonymous user, who is lost with a sign-out.","type":"boolea\#
n"},"name":{"description":"The user's name.","type":"string"},"phone":{"description":"The user's phone number,\#
 without `+`.","type":"string"},"provider":{"description":"The method of the last sign-in: a provider by Supab\#
ase's name, `email`, `phone`, `sso` or `anonymous`.","type":"string"}},"required":["id"],"type":"object"},"Age\#
ntError":{"description":"The error object of a response (JSON-RPC 2.0, section 5.1), and the error that the ag\#
ent and its clients throw.","properties":{"code":{"description":"The JSON-RPC code of the kind.","type":"integ\#
er"},"data":{"$ref":"#/$defs/AgentError.Details","description":"The details for programs."},"message":{"descri\#
ption":"The message for the user.","type":"string"}},"required":["code","message"],"type":"object"},"AgentErro\#
r.Details":{"description":"The part of an error that programs read.","properties":{"account":{"description":"T\#
he account that the error concerns.","type":"string"},"approval":{"description":"For `approvalNeeded`, the id \#
that `approval.wait` and `ritualctl approvals allow` take.","type":"string"},"detail":{"description":"For `off\#
line`, the host and the cause of the failed connection; never a secret.","type":"string"},"hint":{"description\#
":"The command to run, or another next step.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","description\#
":"The stable name, for programs to branch on."},"retryAfter":{"description":"Seconds to wait before a retry."\#
,"type":"number"},"retryable":{"description":"Whether the same request can succeed later without intervention.\#
","type":"boolean"}},"required":["kind","retryable"],"type":"object"},"Approval":{"description":"An access req\#
uest from a rule with `action = \"ask\"`, or the stored answer to one.","properties":{"account":{"description"\#
:"The account that the program wants to use.","type":"string"},"askedAt":{"description":"When the first reques\#
t was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":\#
"string"},"executable":{"description":"The executable of that process, without arguments; absent if it cannot \#
be read.","type":"string"},"id":{"description":"The id that `approval.answer`, `approval.revoke` and `ritualct\#
l approvals` take.","type":"string"},"method":{"description":"The method of the first request.","type":"string\#
"},"pid":{"description":"The process that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/\#
ApprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of t\#
hat process; absent if it has none.","type":"string"},"until":{"description":"When the request or the answer e\#
xpires. Absent for an approval that is valid until the vault is locked, and for a denial that is valid until t\#
he agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","ty\#
pe":"string"}},"required":["account","askedAt","id","method","pid","state"],"type":"object"},"ApprovalState":{\#
"description":"The state of an approval.","examples":["pending","allowed","denied","expired"],"type":"string"}\#
,"AuditEntry":{"description":"An audit log entry with its sequence number.","properties":{"accepted":{"descrip\#
tion":"The answer to a decision.","type":"boolean"},"account":{"description":"The account that the entry conce\#
rns.","type":"string"},"at":{"description":"When it happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]\#
{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"count":{"description":"How many times the token w\#
as issued, how many requests were sent, or how many entries were dropped.","minimum":0,"type":"integer"},"deta\#
il":{"description":"Readable details: how, why or to what extent.","type":"string"},"event":{"$ref":"#/$defs/A\#
uditEvent","description":"The kind of entry."},"executable":{"description":"The executable of the process, wit\#
hout arguments; absent if it cannot be read.","type":"string"},"first":{"description":"When the token was firs\#
t issued, or the first request was answered.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9\#
]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"description":"Identifies an issued token: a later entry\#
 with the same number has the updated count.","minimum":0,"type":"integer"},"last":{"description":"When the to\#
ken was last issued, or the last request was answered.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-\#
9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"pid":{"description":"The process, as identified when it \#
connected.","type":"integer"},"previous":{"description":"The MAC that precedes the first entry of a file, in h\#
ex.","type":"string"},"project":{"description":"The project that the entry concerns.","type":"string"},"provid\#
er":{"description":"`apple`, `google`, `email` …","type":"string"},"sequence":{"description":"Increases by one\#
 with every entry, starting at 1.","minimum":0,"type":"integer"},"statuses":{"additionalProperties":{"minimum"\#
:0,"type":"integer"},"description":"The number of requests by the status of the response: `1xx` to `5xx`, or `\#
other`.","type":"object"},"token":{"description":"The first 16 hex digits of the SHA-256 of the access token."\#
,"type":"string"},"unit":{"description":"The systemd unit of the process.","type":"string"},"way":{"descriptio\#
n":"How the token was issued or used: `token`, `events` or `api`.","type":"string"}},"required":["at","event",\#
"sequence"],"type":"object"},"AuditEvent":{"description":"The kind of an audit log entry.","examples":["agentS\#
tarted","agentStopped","signedIn","signedOut","sessionEnded","linked","unlinked","decided","denied","approvalA\#
sked","approvalAnswered","approvalRevoked","handOut","egressUsed","grantMade","grantEnded","apiAccepted","fact\#
orEnrolled","factorVerified","factorRemoved","accountRenamed","accountRemoved","vaultLocked","vaultUnlocked","\#
keyAdded","keyRemoved","rekeyed","vaultAdopted","fileBegun","interrupted","entriesLost"],"type":"string"},"Aud\#
itVerify.Finding":{"description":"A mismatch of the log with the chain.","properties":{"file":{"description":"\#
The name of the file in the log's directory.","type":"string"},"first":{"description":"The first affected entr\#
y; absent if the finding concerns a file.","minimum":0,"type":"integer"},"kind":{"description":"`edited`, `rem\#
oved`, `cut`, `reordered`, `repeated`, `exchanged`, `missingFile`, `unknownFile` or `noKey`.","type":"string"}\#
,"last":{"description":"The last affected entry; absent if the finding concerns a file.","minimum":0,"type":"i\#
nteger"}},"required":["file","kind"],"type":"object"},"CheckOutcome":{"description":"The outcome of a check of\#
 `agent.diagnose` or `ritualctl doctor`.","examples":["ok","warn","fail"],"type":"string"},"DiagnosticCheck":{\#
"description":"The result of one check.","properties":{"name":{"description":"The subject of the check, such a\#
s `vault` or `tls`.","type":"string"},"next":{"description":"The remedy, as a command if there is one; absent \#
if nothing needs to be done.","type":"string"},"outcome":{"$ref":"#/$defs/CheckOutcome","description":"Whether\#
 the check passed."},"project":{"description":"The project's name in the configuration; absent if the check do\#
es not concern a project.","type":"string"},"words":{"description":"The finding, in readable form.","type":"st\#
ring"}},"required":["name","outcome","words"],"type":"object"},"EndedSession":{"description":"The end of a ses\#
sion without a sign-out on this machine.","properties":{"at":{"description":"When the session ended.","format"\#
:"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"\#
description":"A readable reason, such as \"ended elsewhere\".","type":"string"}},"required":["at","reason"],"t\#
ype":"object"},"ErrorDocument.Details":{"description":"The reason of a failure.","properties":{"account":{"des\#
cription":"The account that the error concerns.","type":"string"},"detail":{"description":"The host and the ca\#
use of a failed connection.","type":"string"},"hint":{"description":"The next step, a command if there is one.\#
","type":"string"},"kind":{"description":"The stable name, for programs to branch on: an error kind of the age\#
nt, or `unreachable`, `foreignServer`, `protocolViolation`, `disconnected`, `usage`, `failed`, `cancelled` or \#
`unchanged`.","type":"string"},"message":{"description":"The message for the user.","type":"string"},"retryAft\#
er":{"description":"Seconds to wait before a retry.","type":"number"},"retryable":{"description":"Whether the \#
same command can succeed later without intervention.","type":"boolean"}},"required":["kind","message","retryab\#
le"],"type":"object"},"ErrorKind":{"description":"The stable name of an error: `data.kind` on the wire.","exam\#
ples":["approvalNeeded","callbackInvalid","cancelled","captchaRequired","codeInvalid","denied","emailNotConfir\#
med","flowBusy","flowTimedOut","flowUnknown","formatTooNew","identityTaken","internalError","invalidCredential\#
s","invalidParams","invalidRequest","lastIdentity","linkingConflict","linkingDisabled","methodDisabled","metho\#
dNotFound","mfaNeeded","misconfigured","notReady","offline","parseError","rateLimited","serviceUnavailable","s\#
ignInNeeded","storageFull","timedOut","tooLarge","tooMany","unknownAccount","unsupportedVersion","userExists",\#
"vaultCopied","vaultDamaged","vaultLocked","vaultUnavailable","weakPassword","wrongKey","wrongUser"],"type":"s\#
tring"},"EventType":{"description":"The name of an event, in the style of Supabase clients.","examples":["INIT\#
IAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CHANGED","MFA_C\#
HALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED","APPROVAL_\#
ANSWERED","RESYNC"],"type":"string"},"MetricFamily":{"description":"A metric family of OpenMetrics 1.0, sectio\#
n \"MetricFamily\".","properties":{"help":{"description":"A readable description of the family.","type":"strin\#
g"},"name":{"description":"The name of the family.","type":"string"},"samples":{"description":"The samples of \#
the family.","items":{"$ref":"#/$defs/MetricFamily.Sample"},"type":"array"},"type":{"description":"`counter`, \#
`gauge`, `histogram`, `info` or `stateset`.","type":"string"},"unit":{"description":"The unit, which is the la\#
st part of the name; absent if there is none.","type":"string"}},"required":["help","name","samples","type"],"\#
type":"object"},"MetricFamily.Sample":{"description":"A sample of a family: one value with its labels.","prope\#
rties":{"labels":{"additionalProperties":{"type":"string"},"description":"The labels of the sample, by name.",\#
"type":"object"},"suffix":{"description":"The suffix of the metric name: `_total`, `_bucket`, `_count`, `_sum`\#
, `_info` or empty.","type":"string"},"value":{"description":"The value of the sample.","type":"number"}},"req\#
uired":["labels","suffix","value"],"type":"object"},"NextStep":{"description":"The next sensible step on this \#
machine.","properties":{"reason":{"description":"Why it is the next step.","type":"string"},"step":{"descripti\#
on":"A command, or an instruction if no command helps.","type":"string"}},"required":["reason","step"],"type":\#
"object"},"Overview.Group":{"description":"A group of commands.","properties":{"commands":{"description":"The \#
names of its commands.","items":{"type":"string"},"type":"array"},"name":{"description":"The title of the grou\#
p.","type":"string"}},"required":["commands","name"],"type":"object"},"RefreshStatus":{"description":"The refr\#
esh schedule of an account and its recent failures.","properties":{"attempts":{"description":"The number of fa\#
iled attempts since the last success.","type":"integer"},"clockSkew":{"description":"Seconds by which the serv\#
er's clock is ahead of this machine's, measured at its last answer. A skew of about one second is normal.","ty\#
pe":"integer"},"lastError":{"$ref":"#/$defs/AgentError","description":"The most recent error since the last su\#
ccess."},"nextAt":{"description":"When the next attempt is due.","format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":"object"},"Refre\#
shTry":{"description":"One refresh attempt.","properties":{"at":{"description":"When the attempt began.","form\#
at":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"error":\#
{"$ref":"#/$defs/ErrorKind","description":"The kind of the error, if the attempt failed."},"latency":{"descrip\#
tion":"The duration of the attempt in seconds.","type":"number"},"outcome":{"description":"`refreshed`, `ended\#
`, `failed`, `misconfigured`, `superseded`.","type":"string"},"reason":{"description":"The trigger: `ahead`, `\#
demand`, `rejected`, `forced`, `start`, `retry`, `sleep`.","type":"string"},"status":{"description":"The HTTP \#
status, if the server answered.","type":"integer"}},"required":["at","latency","outcome","reason"],"type":"obj\#
ect"},"SecondFactorNeed":{"description":"A sign-in's need for a second factor.","properties":{"endsAccounts":{\#
"description":"The other accounts of this agent whose sessions end with a verification: those of the same user\#
 without a second factor.","items":{"type":"string"},"type":"array"},"endsAt":{"description":"When the server \#
ends a session without the second factor; absent if that is not known.","format":"date-time","pattern":"^[0-9]\#
{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factors":{"description":"The user's veri\#
fied factors.","items":{"$ref":"#/$defs/AccountFactor"},"type":"array"},"flow":{"description":"The flow in whi\#
ch the agent's page asks for the code, for `signIn.wait` and `signIn.cancel`; absent if no page asks.","type":\#
"string"},"needed":{"description":"True if the user has a verified factor and the session does not have its le\#
vel yet. The session is stored and works; what requires the second factor does not.","type":"boolean"},"verifi\#
edElsewhereAt":{"description":"When a second factor was verified elsewhere, which probably ended the account's\#
 former session.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","t\#
ype":"string"}},"required":["factors","needed"],"type":"object"},"SessionEndReason":{"description":"The reason\#
 why a session ended.","examples":["signedOut","endedElsewhere","timebox","inactivity","lowAssurance","newerSi\#
gnIn","userGone","unknown"],"type":"string"},"SessionLife":{"description":"The life of an account's session.",\#
"properties":{"endReason":{"$ref":"#/$defs/SessionEndReason","description":"Why the session ended, or why the \#
server currently refuses to continue it."},"endsAt":{"description":"When the session is expected to end; absen\#
t if no limit is known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2\#
}Z$","type":"string"},"isEstimate":{"description":"True if `endsAt` follows from an earlier session of this pr\#
oject, not from `session_limit`.","type":"boolean"},"startedAt":{"description":"When the user signed in; absen\#
t if that is not known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2\#
}Z$","type":"string"}},"type":"object"},"SessionSignOut.Failure":{"description":"An account that is still sign\#
ed in.","properties":{"account":{"description":"The account's name.","type":"string"},"kind":{"$ref":"#/$defs/\#
ErrorKind","description":"The kind of the error."},"message":{"description":"The message for the user.","type"\#
:"string"}},"required":["account","kind","message"],"type":"object"},"SessionToken.Endpoints":{"description":"\#
The project's URLs and key, which a tool needs to use the token.","properties":{"anonKey":{"description":"The \#
anon or publishable key, which Supabase expects in the header `apikey`.","type":"string"},"apiURL":{"descripti\#
on":"The configured API URL, or the project URL if there is none. Absent if the API URL changed after the sign\#
-in and was not accepted yet (`session.useAPI`).","type":"string"},"projectURL":{"description":"The project UR\#
L, without a trailing slash.","type":"string"}},"required":["anonKey","projectURL"],"type":"object"},"SessionT\#
oken.Result":{"description":"A valid access token.","properties":{"accessToken":{"description":"The bearer tok\#
en. Never log it or pass it as a command-line argument.","type":"string"},"account":{"description":"The accoun\#
t that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","descripti\#
on":"The project that accepts the token, if the caller asked for it."},"expiresAt":{"description":"The token's\#
 expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{\#
2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds until the token expires.","type":"integer"\#
},"tokenType":{"description":"`bearer` (RFC 6750).","type":"string"},"unchanged":{"description":"True if the c\#
aller reported this token as rejected and there is no newer one. The caller must not repeat its request.","typ\#
e":"boolean"}},"required":["accessToken","account","expiresAt","expiresIn","tokenType"],"type":"object"},"Sign\#
InDecision":{"description":"A decision that a person makes before a sign-in takes effect.","properties":{"acco\#
unt":{"description":"The name of the account to sign in to.","type":"string"},"flow":{"description":"The flow \#
that `identity.decide` takes.","type":"string"},"identity":{"$ref":"#/$defs/AccountIdentity","description":"Fo\#
r `link`, the linked sign-in method."},"kind":{"description":"`newAccount`: confirm the user of a first sign-i\#
n by a pasted URL. `link`: accept that the server linked the sign-in to an account with other sign-in methods.\#
","type":"string"},"others":{"description":"For `link`, the sign-in methods that the account had before.","ite\#
ms":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser","description":"The\#
 user who signed in."}},"required":["account","flow","kind","user"],"type":"object"},"SignInResult.Outcome":{"\#
description":"How a sign-in ended.","examples":["signedIn","confirmationSent","decisionNeeded"],"type":"string\#
"},"TelemetryRecord":{"description":"One event, such as `auth_completed` with `duration_ms`.","properties":{"a\#
t":{"description":"When the event happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]\#
{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"description":"The event's name.","type":"string"},"propert\#
ies":{"additionalProperties":{"type":"string"},"description":"Values of `method`, `reason`, `error_type` or `d\#
uration_ms`: numbers or members of a fixed set.","type":"object"}},"required":["at","event","properties"],"typ\#
e":"object"},"UnrevokedSession":{"description":"A session that a reset removes on this machine, but that is no\#
t revoked on its server.","properties":{"account":{"description":"The account's name.","type":"string"},"reaso\#
n":{"description":"A readable reason.","type":"string"}},"required":["account","reason"],"type":"object"},"Vau\#
ltFinding":{"description":"The result of checking one file of the vault.","properties":{"detail":{"description\#
":"Readable details.","type":"string"},"file":{"description":"The file's name in the vault's directory, which \#
reveals nothing about its content.","type":"string"},"state":{"description":"`ok`, `damaged`, `newer`, `unread\#
able`, `setAside`, `missing` or `foreign`.","type":"string"}},"required":["file","state"],"type":"object"},"Va\#
ultKey":{"description":"A key that opens the vault.","properties":{"id":{"description":"32 hexadecimal digits,\#
 for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind","de\#
scription":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id memory for each att\#
empt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number of Argon2id passes fo\#
r each attempt.","type":"integer"}},"required":["id","kind"],"type":"object"},"VaultKeyKind":{"description":"T\#
he kind of a vault key.","examples":["keyFile","passphrase","credential"],"type":"string"},"VaultSummary":{"de\#
scription":"The state of the vault.","properties":{"damaged":{"description":"The file names of records that we\#
re set aside as damaged.","items":{"type":"string"},"type":"array"},"error":{"$ref":"#/$defs/ErrorKind","descr\#
iption":"Why the vault is `unavailable`, such as `vaultDamaged`; `protection` then holds the remedy."},"opened\#
By":{"description":"The key that opened the vault: `key file`, `passphrase` or `systemd credential`.","type":"\#
string"},"protection":{"description":"A readable statement of what the key protects and what it does not.","ty\#
pe":"string"},"state":{"description":"`open`, `copied` (from another machine: refreshes are suspended), `locke\#
d` or `unavailable`.","type":"string"}},"required":["damaged","state"],"type":"object"}},"commands":{"accounts\#
 list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List accounts.","properties":{\#
"accounts":{"description":"All accounts.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array"},"formatVers\#
ion":{"const":1,"description":"The version of the format. It increases when an existing script would misread a\#
 document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items"\#
:{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualctl accounts list -\#
-json","type":"object"},"accounts remove":{"$schema":"https://json-schema.org/draft/2020-12/schema","descripti\#
on":"Sign an account out and delete everything stored about it.","properties":{"account":{"description":"The n\#
ame of the removed account.","type":"string"},"formatVersion":{"const":1,"description":"The version of the for\#
mat. It increases when an existing script would misread a document.","type":"integer"},"isPending":{"descripti\#
on":"True if the server has not confirmed the end of the session yet; the agent keeps trying.","type":"boolean\#
"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"\#
array"}},"required":["account","formatVersion","isPending"],"title":"ritualctl accounts remove --json","type":\#
"object"},"accounts rename":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Rename an\#
 account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs f\#
or the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assuran\#
ce and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","descrip\#
tion":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The acce\#
ss token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]\#
{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format.\#
 It increases when an existing script would misread a document.","type":"integer"},"identities":{"description"\#
:"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"}\#
,"isDefault":{"description":"Whether requests without an account name use this account.","type":"boolean"},"mf\#
a":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present in the result \#
of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`nee\#
ded` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The origin that issu\#
ed the session, or the configured origin if there is no session.","type":"string"},"project":{"description":"T\#
he project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","descripti\#
on":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"\#
When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","descrip\#
tion":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token \#
immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"war\#
nings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}\#
},"required":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"tit\#
le":"ritualctl accounts rename --json","type":"object"},"api":{"$schema":"https://json-schema.org/draft/2020-1\#
2/schema","description":"Send an authorized API request and print the response body.","properties":{"body":{"d\#
escription":"The body in base64 (RFC 4648, section 4).","type":"string"},"formatVersion":{"const":1,"descripti\#
on":"The version of the format. It increases when an existing script would misread a document.","type":"intege\#
r"},"headers":{"description":"The response headers, as pairs of name and value.","items":{"items":{"type":"str\#
ing"},"type":"array"},"type":"array"},"status":{"description":"The HTTP status.","type":"integer"},"text":{"de\#
scription":"The body again if it is text: UTF-8 of a content type `text/*` or JSON.","type":"string"},"warning\#
s":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"r\#
equired":["body","formatVersion","headers","status"],"title":"ritualctl api --json","type":"object"},"approval\#
s allow":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow a program to use the a\#
ccount that it requested.","properties":{"account":{"description":"The account that the program wants to use."\#
,"type":"string"},"askedAt":{"description":"When the first request was made.","format":"date-time","pattern":"\#
^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The ex\#
ecutable of that process, without arguments; absent if it cannot be read.","type":"string"},"formatVersion":{"\#
const":1,"description":"The version of the format. It increases when an existing script would misread a docume\#
nt.","type":"integer"},"id":{"description":"The id that `approval.answer`, `approval.revoke` and `ritualctl ap\#
provals` take.","type":"string"},"method":{"description":"The method of the first request.","type":"string"},"\#
pid":{"description":"The process that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/Appr\#
ovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that \#
process; absent if it has none.","type":"string"},"until":{"description":"When the request or the answer expir\#
es. Absent for an approval that is valid until the vault is locked, and for a denial that is valid until the a\#
gent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":\#
"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"\#
type":"array"}},"required":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ritualct\#
l approvals allow --json","type":"object"},"approvals deny":{"$schema":"https://json-schema.org/draft/2020-12/\#
schema","description":"Deny a program access. Its requests are refused while the answer is valid.","properties\#
":{"account":{"description":"The account that the program wants to use.","type":"string"},"askedAt":{"descript\#
ion":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[\#
0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that process, without argu\#
ments; absent if it cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"The version of\#
 the format. It increases when an existing script would misread a document.","type":"integer"},"id":{"descript\#
ion":"The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"meth\#
od":{"description":"The method of the first request.","type":"string"},"pid":{"description":"The process that \#
made the first request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `\#
allowed` or `denied`."},"unit":{"description":"The systemd unit of that process; absent if it has none.","type\#
":"string"},"until":{"description":"When the request or the answer expires. Absent for an approval that is val\#
id until the vault is locked, and for a denial that is valid until the agent stops.","format":"date-time","pat\#
tern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"description":"R\#
eadable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account",\#
"askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl approvals deny --json","type":"objec\#
t"},"approvals list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List pending req\#
uests and valid answers.","properties":{"approvals":{"description":"The pending access requests and the valid \#
answers, oldest first.","items":{"$ref":"#/$defs/Approval"},"type":"array"},"formatVersion":{"const":1,"descri\#
ption":"The version of the format. It increases when an existing script would misread a document.","type":"int\#
eger"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"typ\#
e":"array"}},"required":["approvals","formatVersion"],"title":"ritualctl approvals list --json","type":"object\#
"},"approvals revoke":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Delete an answe\#
r. The next request needs a new one.","properties":{"formatVersion":{"const":1,"description":"The version of t\#
he format. It increases when an existing script would misread a document.","type":"integer"},"id":{"descriptio\#
n":"The id of the approval.","type":"string"},"warnings":{"description":"Readable warnings; absent if there ar\#
e none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id"],"title":"ritualctl appro\#
vals revoke --json","type":"object"},"audit":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf"\#
:[{"description":"Without `--verify`.","properties":{"entries":{"description":"The entries, newest last.","ite\#
ms":{"$ref":"#/$defs/AuditEntry"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the\#
 format. It increases when an existing script would misread a document.","type":"integer"},"isChecked":{"descr\#
iption":"Whether each entry was checked against the chain; false while the vault is locked.","type":"boolean"}\#
,"leftOut":{"description":"The number of lines in the files read that do not match the chain. They are not amo\#
ng the entries.","type":"integer"},"more":{"description":"Whether older entries exist.","type":"boolean"},"unk\#
nownCount":{"description":"The total number of unknown files.","type":"integer"},"unknownFiles":{"description"\#
:"Files in the log's directory that the agent did not create: their escaped names, at most 20.","items":{"type\#
":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{\#
"type":"string"},"type":"array"}},"required":["entries","formatVersion","isChecked","leftOut","more","unknownC\#
ount","unknownFiles"],"type":"object"},{"description":"With `--verify`.","properties":{"findings":{"descriptio\#
n":"The mismatches with the chain; empty if the log is intact.","items":{"$ref":"#/$defs/AuditVerify.Finding"}\#
,"type":"array"},"first":{"description":"The first entry that is kept.","minimum":0,"type":"integer"},"fitting\#
":{"description":"The number of entries that match the chain.","type":"integer"},"formatVersion":{"const":1,"d\#
escription":"The version of the format. It increases when an existing script would misread a document.","type"\#
:"integer"},"interruptions":{"description":"The entries after which the agent ended without a clean stop. Entr\#
ies of up to one second before may be missing.","items":{"minimum":0,"type":"integer"},"type":"array"},"isWhol\#
e":{"description":"True if there are no findings.","type":"boolean"},"limits":{"description":"Readable stateme\#
nts of what the verification does not prove.","items":{"type":"string"},"type":"array"},"sealed":{"description\#
":"The last entry that is sealed in the vault.","minimum":0,"type":"integer"},"unsealed":{"description":"The n\#
umber of entries after the last sealed one. They match the chain, but their removal would go unnoticed.","type\#
":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"\#
},"type":"array"}},"required":["findings","first","fitting","formatVersion","interruptions","isWhole","limits"\#
,"sealed","unsealed"],"type":"object"}],"description":"Show sign-ins, sign-outs, and issued tokens, newest las\#
t.","title":"ritualctl audit --json"},"complete-sign-in":{"$schema":"https://json-schema.org/draft/2020-12/sch\#
ema","description":"Finish a sign-in by pasting the redirect URL.","properties":{"account":{"$ref":"#/$defs/Ac\#
countStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","descri\#
ption":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersio\#
n":{"const":1,"description":"The version of the format. It increases when an existing script would misread a d\#
ocument.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a \#
second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confir\#
mationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","i\#
tems":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"title":"ritualctl complete-si\#
gn-in --json","type":"object"},"doctor":{"$schema":"https://json-schema.org/draft/2020-12/schema","description\#
":"Check the setup and show how to fix problems.","properties":{"checks":{"description":"The results of the ch\#
ecks.","items":{"$ref":"#/$defs/DiagnosticCheck"},"type":"array"},"formatVersion":{"const":1,"description":"Th\#
e version of the format. It increases when an existing script would misread a document.","type":"integer"},"is\#
Healthy":{"description":"Whether no check failed.","type":"boolean"},"version":{"description":"The version of \#
this program.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","item\#
s":{"type":"string"},"type":"array"}},"required":["checks","formatVersion","isHealthy","version"],"title":"rit\#
ualctl doctor --json","type":"object"},"error":{"$schema":"https://json-schema.org/draft/2020-12/schema","desc\#
ription":"The error of any command, on standard error.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.D\#
etails","description":"Why the command failed."},"exitStatus":{"description":"The exit status of the command."\#
,"type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an e\#
xisting script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; abse\#
nt if there are none.","items":{"type":"string"},"type":"array"}},"required":["error","exitStatus","formatVers\#
ion"],"title":"ritualctl: error","type":"object"},"events":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"One line per event: the current state first, then every change.","properties":{"account"\#
:{"description":"The account that changed; absent if the event does not concern an account.","type":"string"},\#
"approval":{"$ref":"#/$defs/Approval","description":"The pending access request (`APPROVAL_NEEDED`), or the an\#
swered or expired one (`APPROVAL_ANSWERED`)."},"at":{"description":"When it changed.","format":"date-time","pa\#
ttern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,\#
"description":"The version of the format. It increases when an existing script would misread a document.","typ\#
e":"integer"},"program":{"description":"For `MFA_NEEDED`, the program's file and unit, as far as the kernel to\#
ld.","type":"string"},"reason":{"description":"A readable reason, for `SIGNED_OUT` and `STATE_CHANGED`; the pr\#
ogram's own reason for `MFA_NEEDED`; for `ACCOUNT_LINKED` the provider and how it was linked.","type":"string"\#
},"sequence":{"description":"Increases by one with each change. Events that describe the current state to a ne\#
w subscriber carry the number of the last change in that state.","minimum":0,"type":"integer"},"status":{"$ref\#
":"#/$defs/AccountStatus","description":"The account after the change."},"token":{"$ref":"#/$defs/SessionToken\#
.Result","description":"The new token, for subscribers that requested tokens."},"type":{"$ref":"#/$defs/EventT\#
ype","description":"The kind of change."}},"required":["at","formatVersion","sequence","type"],"title":"ritual\#
ctl events --json","type":"object"},"exec":{"$schema":"https://json-schema.org/draft/2020-12/schema","descript\#
ion":"Why the command was not run, on standard error. The output of the command itself is unchanged.","propert\#
ies":{"error":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":{"\#
description":"The exit status of the command.","type":"integer"},"formatVersion":{"const":1,"description":"The\#
 version of the format. It increases when an existing script would misread a document.","type":"integer"},"war\#
nings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}\#
},"required":["error","exitStatus","formatVersion"],"title":"ritualctl exec --json","type":"object"},"help":{"\#
$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"With `--help` or `--version`.\#
","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an exis\#
ting script would misread a document.","type":"integer"},"groups":{"description":"The groups of commands; only\#
 with the help of the program itself.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"text":{"desc\#
ription":"The text.","type":"string"}},"required":["formatVersion","text"],"type":"object"},{"description":"Wi\#
thout a command.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"groups":{"description":"The commands\#
 by group.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"next":{"$ref":"#/$defs/NextStep","descr\#
iption":"The next sensible step on this machine."}},"required":["formatVersion","groups","next"],"type":"objec\#
t"}],"description":"The output of `--help` and `--version`, and of `ritualctl` without a command.","title":"ri\#
tualctl: help"},"identities":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List lin\#
ked sign-in methods.","properties":{"account":{"description":"The account whose user has the sign-in methods."\#
,"type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an ex\#
isting script would misread a document.","type":"integer"},"identities":{"description":"The linked sign-in met\#
hods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the ser\#
ver could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Re\#
adable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","\#
formatVersion","identities","isCurrent"],"title":"ritualctl identities --json","type":"object"},"init":{"$sche\#
ma":"https://json-schema.org/draft/2020-12/schema","description":"Add a Supabase project to the configuration,\#
 or change one.","properties":{"apiAccepted":{"description":"The accounts that accepted the API of `--api-url`\#
; absent without that option.","items":{"type":"string"},"type":"array"},"change":{"description":"`added`, `up\#
dated` or `none`.","type":"string"},"configuration":{"description":"The path of the configuration file.","type\#
":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing\#
 script would misread a document.","type":"integer"},"note":{"description":"A note about the part that was rem\#
oved from a pasted URL.","type":"string"},"project":{"description":"The project's name.","type":"string"},"war\#
ning":{"description":"A problem with the reload of a running agent, or with the project.","type":"string"},"wa\#
rnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"\#
}},"required":["change","configuration","formatVersion","project"],"title":"ritualctl init --json","type":"obj\#
ect"},"link":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.",\#
"properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decisio\#
n":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `identit\#
y.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It increase\#
s when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed\#
","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.\#
Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Reada\#
ble warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion\#
","outcome"],"type":"object"},{"description":"With `--no-browser`.","properties":{"expiresAt":{"description":"\#
When the flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-\#
9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":"string"},"formatVersion\#
":{"const":1,"description":"The version of the format. It increases when an existing script would misread a do\#
cument.","type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{"description":"The URL \#
to open.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"\#
type":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"objec\#
t"},{"description":"With `link email`, without `--code-stdin`.","properties":{"address":{"description":"The em\#
ail address or phone number to which the code was sent.","type":"string"},"flow":{"description":"The ID of the\#
 flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"formatVersion":{"const":1,"descrip\#
tion":"The version of the format. It increases when an existing script would misread a document.","type":"inte\#
ger"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"description":"Seconds until the \#
project sends another code to this address.","type":"number"},"warnings":{"description":"Readable warnings; ab\#
sent if there are none.","items":{"type":"string"},"type":"array"}},"required":["address","flow","formatVersio\#
n","outcome","resendAfter"],"type":"object"}],"description":"Link a provider or an email address as a sign-in \#
method.","title":"ritualctl link --json"},"lock":{"$schema":"https://json-schema.org/draft/2020-12/schema","de\#
scription":"Lock the vault. No tokens are issued or refreshed until it is unlocked.","properties":{"formatVers\#
ion":{"const":1,"description":"The version of the format. It increases when an existing script would misread a\#
 document.","type":"integer"},"opensByFile":{"description":"Whether a key file or credential opens the vault a\#
gain, so that any program of the user can unlock it.","type":"boolean"},"warning":{"description":"A readable p\#
roblem that did not prevent the lock.","type":"string"},"warnings":{"description":"Readable warnings; absent i\#
f there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","opensByFile"],"titl\#
e":"ritualctl lock --json","type":"object"},"metrics":{"$schema":"https://json-schema.org/draft/2020-12/schema\#
","description":"Print the agent's counters in OpenMetrics format.","properties":{"events":{"description":"The\#
 last events, oldest first.","items":{"$ref":"#/$defs/TelemetryRecord"},"type":"array"},"families":{"descripti\#
on":"The counters, as metric families of OpenMetrics.","items":{"$ref":"#/$defs/MetricFamily"},"type":"array"}\#
,"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wou\#
ld misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are no\#
ne.","items":{"type":"string"},"type":"array"}},"required":["events","families","formatVersion"],"title":"ritu\#
alctl metrics --json","type":"object"},"mfa enroll":{"$schema":"https://json-schema.org/draft/2020-12/schema",\#
"description":"Add a second factor: an authenticator app (totp) or a phone.","properties":{"factor":{"descript\#
ion":"The new factor's ID, for `mfa.verify`. The server forgets an unverified factor after 5 minutes.","type":\#
"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing s\#
cript would misread a document.","type":"integer"},"secret":{"description":"For `totp`, the secret in base32. \#
Shown once and stored nowhere; never log it.","type":"string"},"uri":{"description":"For `totp`, the `otpauth:\#
` URI for an authenticator app. Contains the secret.","type":"string"},"warnings":{"description":"Readable war\#
nings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["factor","formatVersi\#
on"],"title":"ritualctl mfa enroll --json","type":"object"},"mfa list":{"$schema":"https://json-schema.org/dra\#
ft/2020-12/schema","description":"List the user's second factors.","properties":{"account":{"description":"The\#
 account whose user has the factors.","type":"string"},"assurance":{"$ref":"#/$defs/AccountAssurance","descrip\#
tion":"The session's level."},"endsAccounts":{"description":"The other accounts of this agent whose sessions e\#
nd with a verification. Every other session of the user without a second factor ends too.","items":{"type":"st\#
ring"},"type":"array"},"factors":{"description":"The factors.","items":{"$ref":"#/$defs/AccountFactor"},"type"\#
:"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing s\#
cript would misread a document.","type":"integer"},"isCurrent":{"description":"False if the server could not b\#
e asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Readable warnings\#
; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","assurance","end\#
sAccounts","factors","formatVersion","isCurrent"],"title":"ritualctl mfa list --json","type":"object"},"mfa re\#
move":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Remove a second factor.","prope\#
rties":{"factor":{"description":"The ID of the removed factor.","type":"string"},"formatVersion":{"const":1,"d\#
escription":"The version of the format. It increases when an existing script would misread a document.","type"\#
:"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"}\#
,"type":"array"}},"required":["factor","formatVersion"],"title":"ritualctl mfa remove --json","type":"object"}\#
,"mfa verify":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"After the ver\#
ification.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs \#
for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assura\#
nce and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","descri\#
ption":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The acc\#
ess token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9\#
]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format\#
. It increases when an existing script would misread a document.","type":"integer"},"identities":{"description\#
":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"\#
},"isDefault":{"description":"Whether requests without an account name use this account.","type":"boolean"},"m\#
fa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present in the result\#
 of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`ne\#
eded` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The origin that iss\#
ued the session, or the configured origin if there is no session.","type":"string"},"project":{"description":"\#
The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","descript\#
ion":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":\#
"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","descri\#
ption":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token\#
 immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"wa\#
rnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"\#
}},"required":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"ty\#
pe":"object"},{"description":"With `--browser`.","properties":{"account":{"$ref":"#/$defs/AccountStatus","desc\#
ription":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decis\#
ionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"des\#
cription":"The version of the format. It increases when an existing script would misread a document.","type":"\#
integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is n\#
eeded."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `de\#
cisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"str\#
ing"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"Without `--code\#
-stdin`, for a phone factor.","properties":{"expiresAt":{"description":"When the code expires, by this machine\#
's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"s\#
tring"},"factor":{"description":"The factor to which the code belongs.","type":"string"},"formatVersion":{"con\#
st":1,"description":"The version of the format. It increases when an existing script would misread a document.\#
","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"warnings":{"description":"Readabl\#
e warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","fac\#
tor","formatVersion","outcome"],"type":"object"}],"description":"Verify a second factor with a code; ends the \#
user's other sessions without one.","title":"ritualctl mfa verify --json"},"profile":{"$schema":"https://json-\#
schema.org/draft/2020-12/schema","description":"Show or change the user's profile.","properties":{"account":{"\#
description":"The account whose user has the profile.","type":"string"},"formatVersion":{"const":1,"descriptio\#
n":"The version of the format. It increases when an existing script would misread a document.","type":"integer\#
"},"onboarding":{"description":"`needed` or `complete`.","type":"string"},"prefill":{"additionalProperties":{}\#
,"description":"Values that Apple sent at the first sign-in and that the profile lacks. `profile.update` adds \#
them.","type":"object"},"profile":{"additionalProperties":{},"description":"The profile from the API; absent i\#
f there is none yet.","type":"object"},"warnings":{"description":"Readable warnings; absent if there are none.\#
","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","onboarding"],"title":"ritu\#
alctl profile --json","type":"object"},"refresh":{"$schema":"https://json-schema.org/draft/2020-12/schema","de\#
scription":"Refresh now (at most once every 5 seconds).","properties":{"activity":{"$ref":"#/$defs/AccountActi\#
vity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance"\#
,"description":"The session's level of assurance and the level that is possible; absent without a session."},"\#
ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signInN\#
eeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time\#
","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$r\#
ef":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account\#
 name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a s\#
econd factor is needed; present in the result of a sign-in."},"name":{"description":"The account's name.","typ\#
e":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"}\#
,"origin":{"description":"The origin that issued the session, or the configured origin if there is no session.\#
","type":"string"},"project":{"description":"The project's name in the configuration.","type":"string"},"refre\#
sh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session"\#
:{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it ends or ended."},"\#
state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":\#
"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountU\#
ser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are no\#
ne.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault\#
","name","project","state","tokenUsable"],"title":"ritualctl refresh --json","type":"object"},"register-handle\#
r":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without `--print`.","pro\#
perties":{"file":{"description":"The path of the desktop entry.","type":"string"},"formatVersion":{"const":1,"\#
description":"The version of the format. It increases when an existing script would misread a document.","type\#
":"integer"},"registered":{"description":"Whether the agent opens URLs of the scheme now.","type":"boolean"},"\#
scheme":{"description":"The URL scheme.","type":"string"},"warnings":{"description":"Readable warnings; absent\#
 if there are none.","items":{"type":"string"},"type":"array"}},"required":["file","formatVersion","registered\#
","scheme"],"type":"object"},{"description":"With `--print`.","properties":{"entry":{"description":"The text o\#
f the desktop entry.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It\#
 increases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Rea\#
dable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["entry","for\#
matVersion"],"type":"object"}],"description":"Open dailyritual:// URLs with the agent.","title":"ritualctl reg\#
ister-handler --json"},"reload":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Reloa\#
d the agent's configuration.","properties":{"formatVersion":{"const":1,"description":"The version of the forma\#
t. It increases when an existing script would misread a document.","type":"integer"},"projects":{"description"\#
:"The names of the projects in the configuration.","items":{"type":"string"},"type":"array"},"reloaded":{"desc\#
ription":"Whether the file was read: false if the agent uses a file other than `file`. Absent in older agents.\#
","type":"boolean"},"warning":{"description":"A readable problem, such as a failed check; absent if there is n\#
one.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type\#
":"string"},"type":"array"}},"required":["formatVersion","projects"],"title":"ritualctl reload --json","type":\#
"object"},"reset":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign out of all acc\#
ounts and remove the agent's data.","properties":{"formatVersion":{"const":1,"description":"The version of the\#
 format. It increases when an existing script would misread a document.","type":"integer"},"kept":{"descriptio\#
n":"The paths that were kept: the configuration, without `--config`.","items":{"type":"string"},"type":"array"\#
},"removed":{"description":"The paths that were removed.","items":{"type":"string"},"type":"array"},"signedOut\#
":{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"array"},"unrevoked":{"\#
description":"The sessions that may still be active on their server.","items":{"$ref":"#/$defs/UnrevokedSessio\#
n"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"\#
string"},"type":"array"}},"required":["formatVersion","kept","removed","signedOut","unrevoked"],"title":"ritua\#
lctl reset --json","type":"object"},"schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf"\#
:[{"description":"Without a command.","properties":{"commands":{"description":"The commands that `ritualctl sc\#
hema` takes, and `error` and `help`.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"de\#
scription":"The version of the format. It increases when an existing script would misread a document.","type":\#
"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},\#
"type":"array"}},"required":["commands","formatVersion"],"type":"object"},{"description":"With a command.","pr\#
operties":{"command":{"description":"The command whose document the schema describes.","type":"string"},"forma\#
tVersion":{"const":1,"description":"The version of the format. It increases when an existing script would misr\#
ead a document.","type":"integer"},"schema":{"description":"The JSON Schema."},"warnings":{"description":"Read\#
able warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["command","fo\#
rmatVersion","schema"],"type":"object"}],"description":"Print the JSON Schema of a command's --json document."\#
,"title":"ritualctl schema --json"},"sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf\#
":[{"description":"The outcome.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `s\#
ignedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the \#
decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The v\#
ersion of the format. It increases when an existing script would misread a document.","type":"integer"},"mfa":\#
{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"outcom\#
e":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."}\#
,"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"ar\#
ray"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"With `--no-browser`.","properti\#
es":{"expiresAt":{"description":"When the flow expires on the server.","format":"date-time","pattern":"^[0-9]{\#
4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.\#
","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an e\#
xisting script would misread a document.","type":"integer"},"outcome":{"description":"`begun`.","type":"string\#
"},"url":{"description":"The URL to open.","type":"string"},"warnings":{"description":"Readable warnings; abse\#
nt if there are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersio\#
n","outcome","url"],"type":"object"},{"description":"With `code` or `phone`, without `--code-stdin`.","propert\#
ies":{"address":{"description":"The email address or phone number to which the code was sent.","type":"string"\#
},"flow":{"description":"The ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string\#
"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script w\#
ould misread a document.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAft\#
er":{"description":"Seconds until the project sends another code to this address.","type":"number"},"warnings"\#
:{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"req\#
uired":["address","flow","formatVersion","outcome","resendAfter"],"type":"object"}],"description":"Sign in wit\#
h a provider, a password, a code, single sign-on, or as an anonymous user.","title":"ritualctl sign-in --json"\#
},"sign-out":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign out on this machine\#
 and on the server.","properties":{"accounts":{"description":"The accounts that were signed out.","items":{"ty\#
pe":"string"},"type":"array"},"failed":{"description":"With `all`, the accounts whose sign-out failed, and why\#
. Absent if there are none.","items":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"array"},"formatVersion"\#
:{"const":1,"description":"The version of the format. It increases when an existing script would misread a doc\#
ument.","type":"integer"},"pending":{"description":"The accounts whose revocation is pending until the server \#
is reachable.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","pending\#
"],"title":"ritualctl sign-out --json","type":"object"},"status":{"$schema":"https://json-schema.org/draft/202\#
0-12/schema","description":"Show the current state of the agent, the vault, and the accounts.","properties":{"\#
accounts":{"description":"The accounts. They may be unknown while the vault is locked.","items":{"$ref":"#/$de\#
fs/AccountStatus"},"type":"array"},"autostart":{"description":"Whether the first sign-in enables the agent's s\#
ervice (`[agent] autostart`). Absent in older agents, whose first sign-in does.","type":"boolean"},"formatVers\#
ion":{"const":1,"description":"The version of the format. It increases when an existing script would misread a\#
 document.","type":"integer"},"health":{"description":"Readable findings; empty if there is nothing to report.\#
","items":{"type":"string"},"type":"array"},"pid":{"description":"The agent's process ID.","type":"integer"},"\#
stateFolder":{"description":"The state directory of the agent; a `ritualctl` with another environment would lo\#
ok elsewhere. Absent in older agents.","type":"string"},"unrevoked":{"description":"The accounts with a pendin\#
g revocation on the server. Absent while the vault is locked, because the list is then unknown.","items":{"typ\#
e":"string"},"type":"array"},"uptime":{"description":"Seconds since the agent became ready.","type":"integer"}\#
,"vault":{"$ref":"#/$defs/VaultSummary","description":"The state of the vault."},"version":{"description":"The\#
 version of the agent.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are non\#
e.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","health","pid","uptime",\#
"vault","version"],"title":"ritualctl status --json","type":"object"},"token":{"$schema":"https://json-schema.\#
org/draft/2020-12/schema","description":"Print a valid access token.","properties":{"accessToken":{"descriptio\#
n":"The bearer token. Never log it or pass it as a command-line argument.","type":"string"},"account":{"descri\#
ption":"The account that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.End\#
points","description":"The project that accepts the token, if the caller asked for it."},"expiresAt":{"descrip\#
tion":"The token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{\#
2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds until the token expires.\#
","type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an \#
existing script would misread a document.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750)."\#
,"type":"string"},"unchanged":{"description":"True if the caller reported this token as rejected and there is \#
no newer one. The caller must not repeat its request.","type":"boolean"},"warnings":{"description":"Readable w\#
arnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accessToken","acco\#
unt","expiresAt","expiresIn","formatVersion","tokenType"],"title":"ritualctl token --json","type":"object"},"u\#
nlink":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Unlink a sign-in method. The l\#
ast one cannot be removed.","properties":{"account":{"description":"The account whose user has the sign-in met\#
hods.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when\#
 an existing script would misread a document.","type":"integer"},"identities":{"description":"The linked sign-\#
in methods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if t\#
he server could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"descriptio\#
n":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["acco\#
unt","formatVersion","identities","isCurrent"],"title":"ritualctl unlink --json","type":"object"},"unlock":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","description":"Unlock the vault.","properties":{"format\#
Version":{"const":1,"description":"The version of the format. It increases when an existing script would misre\#
ad a document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The key that opened the vaul\#
t."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type"\#
:"array"}},"required":["formatVersion","key"],"title":"ritualctl unlock --json","type":"object"},"use":{"$sche\#
ma":"https://json-schema.org/draft/2020-12/schema","description":"Set the default account.","properties":{"act\#
ivity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"assurance"\#
:{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level that is poss\#
ible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the sessi\#
on ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this ma\#
chine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","typ\#
e":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existin\#
g script would misread a document.","type":"integer"},"identities":{"description":"The sign-in methods that ar\#
e linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"\#
Whether requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFac\#
torNeed","description":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"desc\#
ription":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the \#
profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the config\#
ured origin if there is no session.","type":"string"},"project":{"description":"The project's name in the conf\#
iguration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; ab\#
sent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and\#
 when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the sessi\#
on."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean\#
"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readab\#
le warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","for\#
matVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl use --json","t\#
ype":"object"},"use-api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow the co\#
nfigured API to receive an account's token.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","descr\#
iption":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","descriptio\#
n":"The session's level of assurance and the level that is possible; absent without a session."},"ended":{"$re\#
f":"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"e\#
xpiresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":\#
"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"descri\#
ption":"The version of the format. It increases when an existing script would misread a document.","type":"int\#
eger"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs\#
/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use th\#
is account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor\#
 is needed; present in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"}\#
,"onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"\#
description":"The origin that issued the session, or the configured origin if there is no session.","type":"st\#
ring"},"project":{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":\#
"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/\#
$defs/SessionLife","description":"When the session started, and when and why it ends or ended."},"state":{"$re\#
f":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whether `se\#
ssion.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","descri\#
ption":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items"\#
:{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","pr\#
oject","state","tokenUsable"],"title":"ritualctl use-api --json","type":"object"},"vault add-key":{"$schema":"\#
https://json-schema.org/draft/2020-12/schema","description":"Add a key that opens the vault: a passphrase, a k\#
ey file, or a systemd credential.","properties":{"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"key":{"$ref":"#/$de\#
fs/VaultKey","description":"The added key."},"removed":{"description":"The removed slots: those of key files, \#
or the replaced one.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","k\#
ey","removed"],"title":"ritualctl vault add-key --json","type":"object"},"vault adopt":{"$schema":"https://jso\#
n-schema.org/draft/2020-12/schema","description":"Use a vault that was copied from another machine.","properti\#
es":{"accounts":{"description":"The accounts whose sessions are now used here.","items":{"type":"string"},"typ\#
e":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing\#
 script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if t\#
here are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ri\#
tualctl vault adopt --json","type":"object"},"vault rekey":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"Create a new master key and re-encrypt the vault.","properties":{"formatVersion":{"const\#
":1,"description":"The version of the format. It increases when an existing script would misread a document.",\#
"type":"integer"},"generation":{"description":"The vault's generation after the change.","minimum":0,"type":"i\#
nteger"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"t\#
ype":"array"}},"required":["formatVersion","generation"],"title":"ritualctl vault rekey --json","type":"object\#
"},"vault remove-key":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Remove a vault \#
key. The last one cannot be removed.","properties":{"formatVersion":{"const":1,"description":"The version of t\#
he format. It increases when an existing script would misread a document.","type":"integer"},"id":{"descriptio\#
n":"32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":\#
"#/$defs/VaultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passphrase, the Ar\#
gon2id memory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the nu\#
mber of Argon2id passes for each attempt.","type":"integer"},"warnings":{"description":"Readable warnings; abs\#
ent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id","kind"],"t\#
itle":"ritualctl vault remove-key --json","type":"object"},"vault status":{"$schema":"https://json-schema.org/\#
draft/2020-12/schema","description":"Show the state of the vault, its keys, and what they protect.","propertie\#
s":{"damaged":{"description":"Files that were set aside or ignored, and why.","items":{"$ref":"#/$defs/VaultFi\#
nding"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when\#
 an existing script would misread a document.","type":"integer"},"generation":{"description":"Increases with e\#
very change of keys.","minimum":0,"type":"integer"},"idleLock":{"description":"Idle time before locking, in se\#
conds; absent means never.","type":"integer"},"isAuthenticated":{"description":"Whether `keys`, `generation` a\#
nd `machine` were authenticated with the vault's key. Until the vault is first opened, they are unverified val\#
ues from its file.","type":"boolean"},"isMemoryLocked":{"description":"Whether the keys are locked in memory, \#
so that they cannot be swapped out.","type":"boolean"},"isRekeying":{"description":"Whether a `vault.rekey` wa\#
s interrupted. The next `vault.rekey` or unlock continues it.","type":"boolean"},"keys":{"description":"The ke\#
ys, in the order in which they were added.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"lockedBy":{"d\#
escription":"Why the vault is locked: `hand`, `idle`, `session`, or `start` if no key was available.","type":"\#
string"},"machine":{"description":"Whether the vault belongs to this machine: `this`, `other` or `unknown`.","\#
type":"string"},"openedBy":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of key that opened the vault\#
."},"protection":{"description":"Readable statements of what each kind of key protects and what it does not.",\#
"items":{"type":"string"},"type":"array"},"state":{"description":"`open`, `copied`, `locked` or `unavailable`.\#
","enum":["open","copied","locked","unavailable"],"type":"string"},"warnings":{"description":"Readable warning\#
s; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["damaged","formatVersion"\#
,"generation","isAuthenticated","isMemoryLocked","isRekeying","keys","machine","protection","state"],"title":"\#
ritualctl vault status --json","type":"object"},"vault verify":{"$schema":"https://json-schema.org/draft/2020-\#
12/schema","description":"Check every file of the open vault, without changing anything.","properties":{"files\#
":{"description":"Every file of the vault, with the result of its check.","items":{"$ref":"#/$defs/VaultFindin\#
g"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an \#
existing script would misread a document.","type":"integer"},"isWhole":{"description":"Whether every file is u\#
nchanged since the vault wrote it.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if \#
there are none.","items":{"type":"string"},"type":"array"}},"required":["files","formatVersion","isWhole"],"ti\#
tle":"ritualctl vault verify --json","type":"object"},"whoami":{"$schema":"https://json-schema.org/draft/2020-\#
12/schema","description":"Show the user who is signed in.","properties":{"activity":{"$ref":"#/$defs/AccountAc\#
tivity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssuranc\#
e","description":"The session's level of assurance and the level that is possible; absent without a session."}\#
,"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signI\#
nNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-ti\#
me","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"co\#
nst":1,"description":"The version of the format. It increases when an existing script would misread a document\#
.","type":"integer"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"\#
$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an accou\#
nt name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a\#
 second factor is needed; present in the result of a sign-in."},"name":{"description":"The account's name.","t\#
ype":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string\#
"},"origin":{"description":"The origin that issued the session, or the configured origin if there is no sessio\#
n.","type":"string"},"project":{"description":"The project's name in the configuration.","type":"string"},"ref\#
resh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"sessio\#
n":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it ends or ended."}\#
,"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description\#
":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/Accoun\#
tUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are \#
none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefau\#
lt","name","project","state","tokenUsable"],"title":"ritualctl whoami --json","type":"object"},"why":{"$schema\#
":"https://json-schema.org/draft/2020-12/schema","description":"Show the next refresh, the reason, and recent \#
attempts.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"The account."},"explanation"\#
:{"description":"Sentences, most important first.","items":{"type":"string"},"type":"array"},"formatVersion":{\#
"const":1,"description":"The version of the format. It increases when an existing script would misread a docum\#
ent.","type":"integer"},"tries":{"description":"The recent attempts, newest first.","items":{"$ref":"#/$defs/R\#
efreshTry"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{\#
"type":"string"},"type":"array"}},"required":["account","explanation","formatVersion","tries"],"title":"ritual\#
ctl why --json","type":"object"}}}
"""#
}
