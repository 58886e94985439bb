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
ring"}},"required":["name","outcome","words"],"type":"object"},"EgressList.Grant":{"description":"A valid gran\#
t.","properties":{"account":{"description":"The account whose token is added.","type":"string"},"createdAt":{"\#
description":"When the grant was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[\#
0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that process, without argu\#
ments; absent if it cannot be read.","type":"string"},"expiresAt":{"description":"When the grant ends.","forma\#
t":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"id":{"de\#
scription":"The id that `egress.revoke` takes.","type":"string"},"methods":{"description":"HTTP methods that t\#
he grant is limited to; absent for all.","items":{"type":"string"},"type":"array"},"paths":{"description":"Pat\#
hs that the grant is limited to; absent for all.","items":{"type":"string"},"type":"array"},"pid":{"descriptio\#
n":"The process that asked for the grant.","type":"integer"},"process":{"description":"True if the grant ends \#
with that process.","type":"boolean"},"requests":{"description":"The number of requests that were sent with th\#
e grant.","minimum":0,"type":"integer"},"unit":{"description":"The systemd unit of that process; absent if it \#
has none.","type":"string"}},"required":["account","createdAt","expiresAt","id","pid","process","requests"],"t\#
ype":"object"},"EndedSession":{"description":"The end of a session without a sign-out on this machine.","prope\#
rties":{"at":{"description":"When the session ended.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]\#
{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"description":"A readable reason, such as \"ended\#
 elsewhere\".","type":"string"}},"required":["at","reason"],"type":"object"},"ErrorDocument.Details":{"descrip\#
tion":"The reason of a failure.","properties":{"account":{"description":"The account that the error concerns."\#
,"type":"string"},"detail":{"description":"The host and the cause of a failed connection.","type":"string"},"h\#
int":{"description":"The next step, a command if there is one.","type":"string"},"kind":{"description":"The st\#
able name, for programs to branch on: an error kind of the agent, or `unreachable`, `foreignServer`, `protocol\#
Violation`, `disconnected`, `usage`, `failed`, `cancelled` or `unchanged`.","type":"string"},"message":{"descr\#
iption":"The message for the user.","type":"string"},"retryAfter":{"description":"Seconds to wait before a ret\#
ry.","type":"number"},"retryable":{"description":"Whether the same command can succeed later without intervent\#
ion.","type":"boolean"}},"required":["kind","message","retryable"],"type":"object"},"ErrorKind":{"description"\#
:"The stable name of an error: `data.kind` on the wire.","examples":["approvalNeeded","callbackInvalid","cance\#
lled","captchaRequired","codeInvalid","denied","emailNotConfirmed","flowBusy","flowTimedOut","flowUnknown","fo\#
rmatTooNew","identityTaken","internalError","invalidCredentials","invalidParams","invalidRequest","lastIdentit\#
y","linkingConflict","linkingDisabled","methodDisabled","methodNotFound","mfaNeeded","misconfigured","notReady\#
","offline","parseError","rateLimited","serviceUnavailable","signInNeeded","storageFull","timedOut","tooLarge"\#
,"tooMany","unknownAccount","unsupportedVersion","userExists","vaultCopied","vaultDamaged","vaultLocked","vaul\#
tUnavailable","weakPassword","wrongKey","wrongUser"],"type":"string"},"EventType":{"description":"The name of \#
an event, in the style of Supabase clients.","examples":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER\#
_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CHANGED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED\#
","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"MetricFami\#
ly":{"description":"A metric family of OpenMetrics 1.0, section \"MetricFamily\".","properties":{"help":{"desc\#
ription":"A readable description of the family.","type":"string"},"name":{"description":"The name of the famil\#
y.","type":"string"},"samples":{"description":"The samples of the family.","items":{"$ref":"#/$defs/MetricFami\#
ly.Sample"},"type":"array"},"type":{"description":"`counter`, `gauge`, `histogram`, `info` or `stateset`.","ty\#
pe":"string"},"unit":{"description":"The unit, which is the last part of the name; absent if there is none.","\#
type":"string"}},"required":["help","name","samples","type"],"type":"object"},"MetricFamily.Sample":{"descript\#
ion":"A sample of a family: one value with its labels.","properties":{"labels":{"additionalProperties":{"type"\#
:"string"},"description":"The labels of the sample, by name.","type":"object"},"suffix":{"description":"The su\#
ffix of the metric name: `_total`, `_bucket`, `_count`, `_sum`, `_info` or empty.","type":"string"},"value":{"\#
description":"The value of the sample.","type":"number"}},"required":["labels","suffix","value"],"type":"objec\#
t"},"NextStep":{"description":"The next sensible step on this machine.","properties":{"reason":{"description":\#
"Why it is the next step.","type":"string"},"step":{"description":"A command, or an instruction if no command \#
helps.","type":"string"}},"required":["reason","step"],"type":"object"},"Overview.Group":{"description":"A gro\#
up of commands.","properties":{"commands":{"description":"The names of its commands.","items":{"type":"string"\#
},"type":"array"},"name":{"description":"The title of the group.","type":"string"}},"required":["commands","na\#
me"],"type":"object"},"RefreshStatus":{"description":"The refresh schedule of an account and its recent failur\#
es.","properties":{"attempts":{"description":"The number of failed attempts since the last success.","type":"i\#
nteger"},"clockSkew":{"description":"Seconds by which the server's clock is ahead of this machine's, measured \#
at its last answer. A skew of about one second is normal.","type":"integer"},"lastError":{"$ref":"#/$defs/Agen\#
tError","description":"The most recent error since the last success."},"nextAt":{"description":"When the next \#
attempt is due.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","ty\#
pe":"string"}},"required":["attempts"],"type":"object"},"RefreshTry":{"description":"One refresh attempt.","pr\#
operties":{"at":{"description":"When the attempt began.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0\#
-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"error":{"$ref":"#/$defs/ErrorKind","description":"The k\#
ind of the error, if the attempt failed."},"latency":{"description":"The duration of the attempt in seconds.",\#
"type":"number"},"outcome":{"description":"`refreshed`, `ended`, `failed`, `refused`, `banned`, `paused`, `mis\#
configured`.","type":"string"},"reason":{"description":"The trigger: `ahead`, `demand`, `rejected`, `forced`, \#
`start`, `retry`, `sleep`.","type":"string"},"status":{"description":"The HTTP status, if the server answered.\#
","type":"integer"}},"required":["at","latency","outcome","reason"],"type":"object"},"SecondFactorNeed":{"desc\#
ription":"A sign-in's need for a second factor.","properties":{"endsAccounts":{"description":"The other accoun\#
ts of this agent whose sessions end with a verification: those of the same user without a second factor.","ite\#
ms":{"type":"string"},"type":"array"},"endsAt":{"description":"When the server ends a session without the seco\#
nd factor; absent if that is not known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:\#
[0-9]{2}:[0-9]{2}Z$","type":"string"},"factors":{"description":"The user's verified factors.","items":{"$ref":\#
"#/$defs/AccountFactor"},"type":"array"},"flow":{"description":"The flow in which the agent's page asks for th\#
e code, for `signIn.wait` and `signIn.cancel`; absent if no page asks.","type":"string"},"needed":{"descriptio\#
n":"True if the user has a verified factor and the session does not have its level yet. The session is stored \#
and works; what requires the second factor does not.","type":"boolean"},"verifiedElsewhereAt":{"description":"\#
When a second factor was verified elsewhere, which probably ended the account's former session.","format":"dat\#
e-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["fa\#
ctors","needed"],"type":"object"},"SessionEndReason":{"description":"The reason why a session ended.","example\#
s":["signedOut","endedElsewhere","timebox","inactivity","lowAssurance","newerSignIn","userGone","unknown"],"ty\#
pe":"string"},"SessionLife":{"description":"The life of an account's session.","properties":{"endReason":{"$re\#
f":"#/$defs/SessionEndReason","description":"Why the session ended, or why the server currently refuses to con\#
tinue it."},"endsAt":{"description":"When the session is expected to end; absent if no limit is known.","forma\#
t":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"isEstima\#
te":{"description":"True if `endsAt` follows from an earlier session of this project, not from `session_limit`\#
.","type":"boolean"},"startedAt":{"description":"When the user signed in; absent if that is not known.","forma\#
t":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"type":"\#
object"},"SessionSignOut.Failure":{"description":"An account that is still signed in.","properties":{"account"\#
:{"description":"The account's name.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","description":"The k\#
ind of the error."},"message":{"description":"The message for the user.","type":"string"}},"required":["accoun\#
t","kind","message"],"type":"object"},"SessionToken.Endpoints":{"description":"The project's URLs and key, whi\#
ch a tool needs to use the token.","properties":{"anonKey":{"description":"The anon or publishable key, which \#
Supabase expects in the header `apikey`.","type":"string"},"apiURL":{"description":"The configured API URL, or\#
 the project URL if there is none. Absent if the API URL changed after the sign-in and was not accepted yet (`\#
session.useAPI`).","type":"string"},"projectURL":{"description":"The project URL, without a trailing slash.","\#
type":"string"}},"required":["anonKey","projectURL"],"type":"object"},"SessionToken.Result":{"description":"A \#
valid access token.","properties":{"accessToken":{"description":"The bearer token. Never log it or pass it as \#
a command-line argument.","type":"string"},"account":{"description":"The account that the token belongs to.","\#
type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","description":"The project that accepts t\#
he token, if the caller asked for it."},"expiresAt":{"description":"The token's expiry, by this machine's cloc\#
k.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}\#
,"expiresIn":{"description":"Seconds until the token expires.","type":"integer"},"tokenType":{"description":"`\#
bearer` (RFC 6750).","type":"string"},"unchanged":{"description":"True if the caller reported this token as re\#
jected and there is no newer one. The caller must not repeat its request.","type":"boolean"}},"required":["acc\#
essToken","account","expiresAt","expiresIn","tokenType"],"type":"object"},"SetupAnswer.Step":{"description":"A\#
 text, and its place.","properties":{"text":{"description":"The text to add.","type":"string"},"where":{"descr\#
iption":"Where the text belongs.","type":"string"}},"required":["text","where"],"type":"object"},"SetupListAns\#
wer.Entry":{"description":"One setup.","properties":{"name":{"description":"The name for `ritualctl setup`.","\#
type":"string"},"purpose":{"description":"What it sets up.","type":"string"}},"required":["name","purpose"],"t\#
ype":"object"},"SignInDecision":{"description":"A decision that a person makes before a sign-in takes effect."\#
,"properties":{"account":{"description":"The name of the account to sign in to.","type":"string"},"flow":{"des\#
cription":"The flow that `identity.decide` takes.","type":"string"},"identity":{"$ref":"#/$defs/AccountIdentit\#
y","description":"For `link`, the linked sign-in method."},"kind":{"description":"`newAccount`: confirm the us\#
er of a first sign-in by a pasted URL. `link`: accept that the server linked the sign-in to an account with ot\#
her sign-in methods.","type":"string"},"others":{"description":"For `link`, the sign-in methods that the accou\#
nt had before.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser\#
","description":"The user who signed in."}},"required":["account","flow","kind","user"],"type":"object"},"Sign\#
InResult.Outcome":{"description":"How a sign-in ended.","examples":["signedIn","confirmationSent","decisionNee\#
ded"],"type":"string"},"TelemetryRecord":{"description":"One event, such as `auth_completed` with `duration_ms\#
`.","properties":{"at":{"description":"When the event happened.","format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"description":"The event's name.","type\#
":"string"},"properties":{"additionalProperties":{"type":"string"},"description":"Values of `method`, `reason`\#
, `error_type` or `duration_ms`: numbers or members of a fixed set.","type":"object"}},"required":["at","event\#
","properties"],"type":"object"},"UnrevokedSession":{"description":"A session that a reset removes on this mac\#
hine, but that is not revoked on its server.","properties":{"account":{"description":"The account's name.","ty\#
pe":"string"},"reason":{"description":"A readable reason.","type":"string"}},"required":["account","reason"],"\#
type":"object"},"VaultFinding":{"description":"The result of checking one file of the vault.","properties":{"d\#
etail":{"description":"Readable details.","type":"string"},"file":{"description":"The file's name in the vault\#
's directory, which reveals nothing about its content.","type":"string"},"state":{"description":"`ok`, `damage\#
d`, `newer`, `unreadable`, `setAside`, `missing` or `foreign`.","type":"string"}},"required":["file","state"],\#
"type":"object"},"VaultKey":{"description":"A key that opens the vault.","properties":{"id":{"description":"32\#
 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$de\#
fs/VaultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id\#
 memory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number o\#
f Argon2id passes for each attempt.","type":"integer"}},"required":["id","kind"],"type":"object"},"VaultKeyKin\#
d":{"description":"The kind of a vault key.","examples":["keyFile","passphrase","credential"],"type":"string"}\#
,"VaultSummary":{"description":"The state of the vault.","properties":{"damaged":{"description":"The file name\#
s of records that were set aside as damaged.","items":{"type":"string"},"type":"array"},"error":{"$ref":"#/$de\#
fs/ErrorKind","description":"Why the vault is `unavailable`, such as `vaultDamaged`; `protection` then holds t\#
he remedy."},"openedBy":{"description":"The key that opened the vault: `key file`, `passphrase` or `systemd cr\#
edential`.","type":"string"},"protection":{"description":"A readable statement of what the key protects and wh\#
at it does not.","type":"string"},"state":{"description":"`open`, `copied` (from another machine: refreshes ar\#
e suspended), `locked` or `unavailable`.","type":"string"}},"required":["damaged","state"],"type":"object"}},"\#
commands":{"accounts list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List accou\#
nts.","properties":{"accounts":{"description":"All accounts.","items":{"$ref":"#/$defs/AccountStatus"},"type":\#
"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing sc\#
ript would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if ther\#
e are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritua\#
lctl accounts list --json","type":"object"},"accounts remove":{"$schema":"https://json-schema.org/draft/2020-1\#
2/schema","description":"Sign an account out and delete everything stored about it.","properties":{"account":{\#
"description":"The name of the removed account.","type":"string"},"formatVersion":{"const":1,"description":"Th\#
e version of the format. It increases when an existing script would misread a document.","type":"integer"},"is\#
Pending":{"description":"True if the server has not confirmed the end of the session yet; the agent keeps tryi\#
ng.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type\#
":"string"},"type":"array"}},"required":["account","formatVersion","isPending"],"title":"ritualctl accounts re\#
move --json","type":"object"},"accounts rename":{"$schema":"https://json-schema.org/draft/2020-12/schema","des\#
cription":"Rename an account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The o\#
peration that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The sessio\#
n's level of assurance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/En\#
dedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"de\#
scription":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The ve\#
rsion of the format. It increases when an existing script would misread a document.","type":"integer"},"identi\#
ties":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdenti\#
ty"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this account.","\#
type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; pr\#
esent in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":\#
{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"\#
The origin that issued the session, or the configured origin if there is no session.","type":"string"},"projec\#
t":{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/Refre\#
shStatus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionL\#
ife","description":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/Ac\#
countState","description":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` w\#
ould return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The si\#
gned-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"stri\#
ng"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","project","state"\#
,"tokenUsable"],"title":"ritualctl accounts rename --json","type":"object"},"api":{"$schema":"https://json-sch\#
ema.org/draft/2020-12/schema","description":"Send an authorized API request and print the response body.","pro\#
perties":{"body":{"description":"The body in base64 (RFC 4648, section 4).","type":"string"},"formatVersion":{\#
"const":1,"description":"The version of the format. It increases when an existing script would misread a docum\#
ent.","type":"integer"},"headers":{"description":"The response headers, as pairs of name and value.","items":{\#
"items":{"type":"string"},"type":"array"},"type":"array"},"status":{"description":"The HTTP status.","type":"i\#
nteger"},"text":{"description":"The body again if it is text: UTF-8 of a content type `text/*` or JSON.","type\#
":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"}\#
,"type":"array"}},"required":["body","formatVersion","headers","status"],"title":"ritualctl api --json","type"\#
:"object"},"approvals allow":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow a \#
program to use the account that it requested.","properties":{"account":{"description":"The account that the pr\#
ogram wants to use.","type":"string"},"askedAt":{"description":"When the first request was made.","format":"da\#
te-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"\#
description":"The executable of that process, without arguments; absent if it cannot be read.","type":"string"\#
},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"id":{"description":"The id that `approval.answer`, `approval.revok\#
e` and `ritualctl approvals` take.","type":"string"},"method":{"description":"The method of the first request.\#
","type":"string"},"pid":{"description":"The process that made the first request.","type":"integer"},"state":{\#
"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"The s\#
ystemd unit of that process; absent if it has none.","type":"string"},"until":{"description":"When the request\#
 or the answer expires. Absent for an approval that is valid until the vault is locked, and for a denial that \#
is valid until the agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}\#
:[0-9]{2}Z$","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items"\#
:{"type":"string"},"type":"array"}},"required":["account","askedAt","formatVersion","id","method","pid","state\#
"],"title":"ritualctl approvals allow --json","type":"object"},"approvals deny":{"$schema":"https://json-schem\#
a.org/draft/2020-12/schema","description":"Deny a program access. Its requests are refused while the answer is\#
 valid.","properties":{"account":{"description":"The account that the program wants to use.","type":"string"},\#
"askedAt":{"description":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}\#
-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that p\#
rocess, without arguments; absent if it cannot be read.","type":"string"},"formatVersion":{"const":1,"descript\#
ion":"The version of the format. It increases when an existing script would misread a document.","type":"integ\#
er"},"id":{"description":"The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","t\#
ype":"string"},"method":{"description":"The method of the first request.","type":"string"},"pid":{"description\#
":"The process that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","descri\#
ption":"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that process; absent if\#
 it has none.","type":"string"},"until":{"description":"When the request or the answer expires. Absent for an \#
approval that is valid until the vault is locked, and for a denial that is valid until the agent stops.","form\#
at":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warning\#
s":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"r\#
equired":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl approvals deny -\#
-json","type":"object"},"approvals list":{"$schema":"https://json-schema.org/draft/2020-12/schema","descriptio\#
n":"List pending requests and valid answers.","properties":{"approvals":{"description":"The pending access req\#
uests and the valid answers, oldest first.","items":{"$ref":"#/$defs/Approval"},"type":"array"},"formatVersion\#
":{"const":1,"description":"The version of the format. It increases when an existing script would misread a do\#
cument.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"\#
type":"string"},"type":"array"}},"required":["approvals","formatVersion"],"title":"ritualctl approvals list --\#
json","type":"object"},"approvals revoke":{"$schema":"https://json-schema.org/draft/2020-12/schema","descripti\#
on":"Delete an answer. The next request needs a new one.","properties":{"formatVersion":{"const":1,"descriptio\#
n":"The version of the format. It increases when an existing script would misread a document.","type":"integer\#
"},"id":{"description":"The id of the approval.","type":"string"},"warnings":{"description":"Readable warnings\#
; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id"],"tit\#
le":"ritualctl approvals revoke --json","type":"object"},"audit":{"$schema":"https://json-schema.org/draft/202\#
0-12/schema","anyOf":[{"description":"Without `--verify`.","properties":{"entries":{"description":"The entries\#
, newest last.","items":{"$ref":"#/$defs/AuditEntry"},"type":"array"},"formatVersion":{"const":1,"description"\#
:"The version of the format. It increases when an existing script would misread a document.","type":"integer"}\#
,"isChecked":{"description":"Whether each entry was checked against the chain; false while the vault is locked\#
.","type":"boolean"},"leftOut":{"description":"The number of lines in the files read that do not match the cha\#
in. They are not among the entries.","type":"integer"},"more":{"description":"Whether older entries exist.","t\#
ype":"boolean"},"unknownCount":{"description":"The total number of unknown files.","type":"integer"},"unknownF\#
iles":{"description":"Files in the log's directory that the agent did not create: their escaped names, at most\#
 20.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there \#
are none.","items":{"type":"string"},"type":"array"}},"required":["entries","formatVersion","isChecked","leftO\#
ut","more","unknownCount","unknownFiles"],"type":"object"},{"description":"With `--verify`.","properties":{"fi\#
ndings":{"description":"The mismatches with the chain; empty if the log is intact.","items":{"$ref":"#/$defs/A\#
uditVerify.Finding"},"type":"array"},"first":{"description":"The first entry that is kept.","minimum":0,"type"\#
:"integer"},"fitting":{"description":"The number of entries that match the chain.","type":"integer"},"formatVe\#
rsion":{"const":1,"description":"The version of the format. It increases when an existing script would misread\#
 a document.","type":"integer"},"interruptions":{"description":"The entries after which the agent ended withou\#
t a clean stop. Entries of up to one second before may be missing.","items":{"minimum":0,"type":"integer"},"ty\#
pe":"array"},"isWhole":{"description":"True if there are no findings.","type":"boolean"},"limits":{"descriptio\#
n":"Readable statements of what the verification does not prove.","items":{"type":"string"},"type":"array"},"s\#
ealed":{"description":"The last entry that is sealed in the vault.","minimum":0,"type":"integer"},"unsealed":{\#
"description":"The number of entries after the last sealed one. They match the chain, but their removal would \#
go unnoticed.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","ite\#
ms":{"type":"string"},"type":"array"}},"required":["findings","first","fitting","formatVersion","interruptions\#
","isWhole","limits","sealed","unsealed"],"type":"object"}],"description":"Show sign-ins, sign-outs, and issue\#
d tokens, newest last.","title":"ritualctl audit --json"},"complete-sign-in":{"$schema":"https://json-schema.o\#
rg/draft/2020-12/schema","description":"Finish a sign-in by pasting the redirect URL.","properties":{"account"\#
:{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/Sig\#
nInDecision","description":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the ans\#
wer."},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scri\#
pt would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `s\#
ignedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":\#
"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if\#
 there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"title":"r\#
itualctl complete-sign-in --json","type":"object"},"doctor":{"$schema":"https://json-schema.org/draft/2020-12/\#
schema","description":"Check the setup and show how to fix problems.","properties":{"checks":{"description":"T\#
he results of the checks.","items":{"$ref":"#/$defs/DiagnosticCheck"},"type":"array"},"formatVersion":{"const"\#
:1,"description":"The version of the format. It increases when an existing script would misread a document.","\#
type":"integer"},"isHealthy":{"description":"Whether no check failed.","type":"boolean"},"version":{"descripti\#
on":"The version of this program.","type":"string"},"warnings":{"description":"Readable warnings; absent if th\#
ere are none.","items":{"type":"string"},"type":"array"}},"required":["checks","formatVersion","isHealthy","ve\#
rsion"],"title":"ritualctl doctor --json","type":"object"},"error":{"$schema":"https://json-schema.org/draft/2\#
020-12/schema","description":"The error of any command, on standard error.","properties":{"error":{"$ref":"#/$\#
defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":{"description":"The exit sta\#
tus of the command.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It\#
 increases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Rea\#
dable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["error","exi\#
tStatus","formatVersion"],"title":"ritualctl: error","type":"object"},"events":{"$schema":"https://json-schema\#
.org/draft/2020-12/schema","description":"One line per event: the current state first, then every change.","pr\#
operties":{"account":{"description":"The account that changed; absent if the event does not concern an account\#
.","type":"string"},"approval":{"$ref":"#/$defs/Approval","description":"The pending access request (`APPROVAL\#
_NEEDED`), or the answered or expired one (`APPROVAL_ANSWERED`)."},"at":{"description":"When it changed.","for\#
mat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"format\#
Version":{"const":1,"description":"The version of the format. It increases when an existing script would misre\#
ad a document.","type":"integer"},"program":{"description":"For `MFA_NEEDED`, the program's file and unit, as \#
far as the kernel told.","type":"string"},"reason":{"description":"A readable reason, for `SIGNED_OUT` and `ST\#
ATE_CHANGED`; the program's own reason for `MFA_NEEDED`; for `ACCOUNT_LINKED` the provider and how it was link\#
ed.","type":"string"},"sequence":{"description":"Increases by one with each change. Events that describe the c\#
urrent state to a new subscriber carry the number of the last change in that state.","minimum":0,"type":"integ\#
er"},"status":{"$ref":"#/$defs/AccountStatus","description":"The account after the change."},"token":{"$ref":"\#
#/$defs/SessionToken.Result","description":"The new token, for subscribers that requested tokens."},"type":{"$\#
ref":"#/$defs/EventType","description":"The kind of change."}},"required":["at","formatVersion","sequence","ty\#
pe"],"title":"ritualctl events --json","type":"object"},"exec":{"$schema":"https://json-schema.org/draft/2020-\#
12/schema","description":"Why the command was not run, on standard error. The output of the command itself is \#
unchanged.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why the command faile\#
d."},"exitStatus":{"description":"The exit status of the command.","type":"integer"},"formatVersion":{"const":\#
1,"description":"The version of the format. It increases when an existing script would misread a document.","t\#
ype":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"stri\#
ng"},"type":"array"}},"required":["error","exitStatus","formatVersion"],"title":"ritualctl exec --json","type"\#
:"object"},"grant":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Get a loopback URL\#
 and a stand-in token for one tool.","properties":{"expiresAt":{"description":"When the grant ends.","format":\#
"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersi\#
on":{"const":1,"description":"The version of the format. It increases when an existing script would misread a \#
document.","type":"integer"},"id":{"description":"The id that `egress.revoke` takes.","type":"string"},"token"\#
:{"description":"The stand-in: the tool sends it as bearer token or as `apikey`. It is worth nothing anywhere \#
else.","pattern":"^sb_ritual_[A-Za-z0-9_-]{43}$","type":"string"},"url":{"description":"`http://127.0.0.1:PORT\#
/`","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":\#
"string"},"type":"array"}},"required":["expiresAt","formatVersion","id","token","url"],"title":"ritualctl gran\#
t --json","type":"object"},"grants list":{"$schema":"https://json-schema.org/draft/2020-12/schema","descriptio\#
n":"List the valid grants, oldest first.","properties":{"formatVersion":{"const":1,"description":"The version \#
of the format. It increases when an existing script would misread a document.","type":"integer"},"grants":{"de\#
scription":"The valid grants, oldest first.","items":{"$ref":"#/$defs/EgressList.Grant"},"type":"array"},"warn\#
ings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}}\#
,"required":["formatVersion","grants"],"title":"ritualctl grants list --json","type":"object"},"grants revoke"\#
:{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"End a grant and its open streams.","\#
properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existin\#
g script would misread a document.","type":"integer"},"id":{"description":"The id of the grant.","type":"strin\#
g"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":\#
"array"}},"required":["formatVersion","id"],"title":"ritualctl grants revoke --json","type":"object"},"help":{\#
"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"With `--help` or `--version`\#
.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an exi\#
sting script would misread a document.","type":"integer"},"groups":{"description":"The groups of commands; onl\#
y with the help of the program itself.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"text":{"des\#
cription":"The text.","type":"string"}},"required":["formatVersion","text"],"type":"object"},{"description":"W\#
ithout a command.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"groups":{"description":"The command\#
s by group.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"next":{"$ref":"#/$defs/NextStep","desc\#
ription":"The next sensible step on this machine."}},"required":["formatVersion","groups","next"],"type":"obje\#
ct"}],"description":"The output of `--help` and `--version`, and of `ritualctl` without a command.","title":"r\#
itualctl: help"},"identities":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List li\#
nked sign-in methods.","properties":{"account":{"description":"The account whose user has the sign-in methods.\#
","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an e\#
xisting script would misread a document.","type":"integer"},"identities":{"description":"The linked sign-in me\#
thods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the se\#
rver could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"R\#
eadable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account",\#
"formatVersion","identities","isCurrent"],"title":"ritualctl identities --json","type":"object"},"init":{"$sch\#
ema":"https://json-schema.org/draft/2020-12/schema","description":"Add a Supabase project to the configuration\#
, or change one.","properties":{"apiAccepted":{"description":"The accounts that accepted the API of `--api-url\#
`; absent without that option.","items":{"type":"string"},"type":"array"},"change":{"description":"`added`, `u\#
pdated` or `none`.","type":"string"},"configuration":{"description":"The path of the configuration file.","typ\#
e":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existin\#
g script would misread a document.","type":"integer"},"note":{"description":"A note about the part that was re\#
moved from a pasted URL.","type":"string"},"project":{"description":"The project's name.","type":"string"},"wa\#
rning":{"description":"A problem with the reload of a running agent, or with the project.","type":"string"},"w\#
arnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array\#
"}},"required":["change","configuration","formatVersion","project"],"title":"ritualctl init --json","type":"ob\#
ject"},"link":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome."\#
,"properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decisi\#
on":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `identi\#
ty.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It increas\#
es when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNee\#
d","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult\#
.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Read\#
able warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersio\#
n","outcome"],"type":"object"},{"description":"With `--no-browser`.","properties":{"expiresAt":{"description":\#
"When the flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0\#
-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":"string"},"formatVersio\#
n":{"const":1,"description":"The version of the format. It increases when an existing script would misread a d\#
ocument.","type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{"description":"The URL\#
 to open.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{\#
"type":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"obje\#
ct"},{"description":"With `link email`, without `--code-stdin`.","properties":{"address":{"description":"The e\#
mail address or phone number to which the code was sent.","type":"string"},"flow":{"description":"The ID of th\#
e flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"formatVersion":{"const":1,"descri\#
ption":"The version of the format. It increases when an existing script would misread a document.","type":"int\#
eger"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"description":"Seconds until the\#
 project sends another code to this address.","type":"number"},"warnings":{"description":"Readable warnings; a\#
bsent if there are none.","items":{"type":"string"},"type":"array"}},"required":["address","flow","formatVersi\#
on","outcome","resendAfter"],"type":"object"}],"description":"Link a provider or an email address as a sign-in\#
 method.","title":"ritualctl link --json"},"lock":{"$schema":"https://json-schema.org/draft/2020-12/schema","d\#
escription":"Lock the vault. No tokens are issued or refreshed until it is unlocked.","properties":{"formatVer\#
sion":{"const":1,"description":"The version of the format. It increases when an existing script would misread \#
a document.","type":"integer"},"opensByFile":{"description":"Whether a key file or credential opens the vault \#
again, so that any program of the user can unlock it.","type":"boolean"},"warning":{"description":"A readable \#
problem that did not prevent the lock.","type":"string"},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","opensByFile"],"tit\#
le":"ritualctl lock --json","type":"object"},"metrics":{"$schema":"https://json-schema.org/draft/2020-12/schem\#
a","description":"Print the agent's counters in OpenMetrics format.","properties":{"events":{"description":"Th\#
e last events, oldest first.","items":{"$ref":"#/$defs/TelemetryRecord"},"type":"array"},"families":{"descript\#
ion":"The counters, as metric families of OpenMetrics.","items":{"$ref":"#/$defs/MetricFamily"},"type":"array"\#
},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["events","families","formatVersion"],"title":"rit\#
ualctl metrics --json","type":"object"},"mfa enroll":{"$schema":"https://json-schema.org/draft/2020-12/schema"\#
,"description":"Add a second factor: an authenticator app (totp) or a phone.","properties":{"factor":{"descrip\#
tion":"The new factor's ID, for `mfa.verify`. The server forgets an unverified factor after 5 minutes.","type"\#
:"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing \#
script would misread a document.","type":"integer"},"secret":{"description":"For `totp`, the secret in base32.\#
 Shown once and stored nowhere; never log it.","type":"string"},"uri":{"description":"For `totp`, the `otpauth\#
:` URI for an authenticator app. Contains the secret.","type":"string"},"warnings":{"description":"Readable wa\#
rnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["factor","formatVers\#
ion"],"title":"ritualctl mfa enroll --json","type":"object"},"mfa list":{"$schema":"https://json-schema.org/dr\#
aft/2020-12/schema","description":"List the user's second factors.","properties":{"account":{"description":"Th\#
e account whose user has the factors.","type":"string"},"assurance":{"$ref":"#/$defs/AccountAssurance","descri\#
ption":"The session's level."},"endsAccounts":{"description":"The other accounts of this agent whose sessions \#
end with a verification. Every other session of the user without a second factor ends too.","items":{"type":"s\#
tring"},"type":"array"},"factors":{"description":"The factors.","items":{"$ref":"#/$defs/AccountFactor"},"type\#
":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing \#
script would misread a document.","type":"integer"},"isCurrent":{"description":"False if the server could not \#
be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Readable warning\#
s; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","assurance","en\#
dsAccounts","factors","formatVersion","isCurrent"],"title":"ritualctl mfa list --json","type":"object"},"mfa r\#
emove":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Remove a second factor.","prop\#
erties":{"factor":{"description":"The ID of the removed factor.","type":"string"},"formatVersion":{"const":1,"\#
description":"The version of the format. It increases when an existing script would misread a document.","type\#
":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"\#
},"type":"array"}},"required":["factor","formatVersion"],"title":"ritualctl mfa remove --json","type":"object"\#
},"mfa verify":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"After the ve\#
rification.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs\#
 for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assur\#
ance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","descr\#
iption":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The ac\#
cess token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-\#
9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the forma\#
t. It increases when an existing script would misread a document.","type":"integer"},"identities":{"descriptio\#
n":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array\#
"},"isDefault":{"description":"Whether requests without an account name use this account.","type":"boolean"},"\#
mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present in the resul\#
t of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`n\#
eeded` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The origin that is\#
sued the session, or the configured origin if there is no session.","type":"string"},"project":{"description":\#
"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","descrip\#
tion":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description"\#
:"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","descr\#
iption":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a toke\#
n immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"w\#
arnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array\#
"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"t\#
ype":"object"},{"description":"With `--browser`.","properties":{"account":{"$ref":"#/$defs/AccountStatus","des\#
cription":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `deci\#
sionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"de\#
scription":"The version of the format. It increases when an existing script would misread a document.","type":\#
"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is \#
needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `d\#
ecisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"st\#
ring"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"Without `--cod\#
e-stdin`, for a phone factor.","properties":{"expiresAt":{"description":"When the code expires, by this machin\#
e's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"\#
string"},"factor":{"description":"The factor to which the code belongs.","type":"string"},"formatVersion":{"co\#
nst":1,"description":"The version of the format. It increases when an existing script would misread a document\#
.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"warnings":{"description":"Readab\#
le warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","fa\#
ctor","formatVersion","outcome"],"type":"object"}],"description":"Verify a second factor with a code; ends the\#
 user's other sessions without one.","title":"ritualctl mfa verify --json"},"profile":{"$schema":"https://json\#
-schema.org/draft/2020-12/schema","description":"Show or change the user's profile.","properties":{"account":{\#
"description":"The account whose user has the profile.","type":"string"},"formatVersion":{"const":1,"descripti\#
on":"The version of the format. It increases when an existing script would misread a document.","type":"intege\#
r"},"onboarding":{"description":"`needed` or `complete`.","type":"string"},"prefill":{"additionalProperties":{\#
},"description":"Values that Apple sent at the first sign-in and that the profile lacks. `profile.update` adds\#
 them.","type":"object"},"profile":{"additionalProperties":{},"description":"The profile from the API; absent \#
if there is none yet.","type":"object"},"warnings":{"description":"Readable warnings; absent if there are none\#
.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","onboarding"],"title":"rit\#
ualctl profile --json","type":"object"},"refresh":{"$schema":"https://json-schema.org/draft/2020-12/schema","d\#
escription":"Refresh now (at most once every 5 seconds).","properties":{"activity":{"$ref":"#/$defs/AccountAct\#
ivity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance\#
","description":"The session's level of assurance and the level that is possible; absent without a session."},\#
"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signIn\#
Needed`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-tim\#
e","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"con\#
st":1,"description":"The version of the format. It increases when an existing script would misread a document.\#
","type":"integer"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$\#
ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an accoun\#
t name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a \#
second factor is needed; present in the result of a sign-in."},"name":{"description":"The account's name.","ty\#
pe":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"\#
},"origin":{"description":"The origin that issued the session, or the configured origin if there is no session\#
.","type":"string"},"project":{"description":"The project's name in the configuration.","type":"string"},"refr\#
esh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session\#
":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it ends or ended."},\#
"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description"\#
:"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/Account\#
User","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefaul\#
t","name","project","state","tokenUsable"],"title":"ritualctl refresh --json","type":"object"},"register-handl\#
er":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without `--print`.","pr\#
operties":{"file":{"description":"The path of the desktop entry.","type":"string"},"formatVersion":{"const":1,\#
"description":"The version of the format. It increases when an existing script would misread a document.","typ\#
e":"integer"},"registered":{"description":"Whether the agent opens URLs of the scheme now.","type":"boolean"},\#
"scheme":{"description":"The URL scheme.","type":"string"},"warnings":{"description":"Readable warnings; absen\#
t if there are none.","items":{"type":"string"},"type":"array"}},"required":["file","formatVersion","registere\#
d","scheme"],"type":"object"},{"description":"With `--print`.","properties":{"entry":{"description":"The text \#
of the desktop entry.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. I\#
t increases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Re\#
adable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["entry","fo\#
rmatVersion"],"type":"object"}],"description":"Open dailyritual:// URLs with the agent.","title":"ritualctl re\#
gister-handler --json"},"reload":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Relo\#
ad the agent's configuration.","properties":{"formatVersion":{"const":1,"description":"The version of the form\#
at. It increases when an existing script would misread a document.","type":"integer"},"projects":{"description\#
":"The names of the projects in the configuration.","items":{"type":"string"},"type":"array"},"reloaded":{"des\#
cription":"Whether the file was read: false if the agent uses a file other than `file`. Absent in older agents\#
.","type":"boolean"},"warning":{"description":"A readable problem, such as a failed check; absent if there is \#
none.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"typ\#
e":"string"},"type":"array"}},"required":["formatVersion","projects"],"title":"ritualctl reload --json","type"\#
:"object"},"reset":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign out of all ac\#
counts and remove the agent's data.","properties":{"formatVersion":{"const":1,"description":"The version of th\#
e format. It increases when an existing script would misread a document.","type":"integer"},"kept":{"descripti\#
on":"The paths that were kept: the configuration, without `--config`.","items":{"type":"string"},"type":"array\#
"},"removed":{"description":"The paths that were removed.","items":{"type":"string"},"type":"array"},"signedOu\#
t":{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"array"},"unrevoked":{\#
"description":"The sessions that may still be active on their server.","items":{"$ref":"#/$defs/UnrevokedSessi\#
on"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":\#
"string"},"type":"array"}},"required":["formatVersion","kept","removed","signedOut","unrevoked"],"title":"ritu\#
alctl reset --json","type":"object"},"schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf\#
":[{"description":"Without a command.","properties":{"commands":{"description":"The commands that `ritualctl s\#
chema` takes, and `error` and `help`.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"d\#
escription":"The version of the format. It increases when an existing script would misread a document.","type"\#
:"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"}\#
,"type":"array"}},"required":["commands","formatVersion"],"type":"object"},{"description":"With a command.","p\#
roperties":{"command":{"description":"The command whose document the schema describes.","type":"string"},"form\#
atVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mis\#
read a document.","type":"integer"},"schema":{"description":"The JSON Schema."},"warnings":{"description":"Rea\#
dable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["command","f\#
ormatVersion","schema"],"type":"object"}],"description":"Print the JSON Schema of a command's --json document.\#
","title":"ritualctl schema --json"},"setup":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf"\#
:[{"description":"Without a name.","properties":{"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"setups":{"descripti\#
on":"The setups that `ritualctl setup` can print.","items":{"$ref":"#/$defs/SetupListAnswer.Entry"},"type":"ar\#
ray"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type\#
":"array"}},"required":["formatVersion","setups"],"type":"object"},{"description":"With a name.","properties":\#
{"account":{"description":"The account; absent for the default account.","type":"string"},"formatVersion":{"co\#
nst":1,"description":"The version of the format. It increases when an existing script would misread a document\#
.","type":"integer"},"name":{"description":"The name of the setup.","type":"string"},"steps":{"description":"W\#
hat to add.","items":{"$ref":"#/$defs/SetupAnswer.Step"},"type":"array"},"warnings":{"description":"Readable w\#
arnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","na\#
me","steps"],"type":"object"}],"description":"Print what to add where, so that a tool gets its tokens from the\#
 agent.","title":"ritualctl setup --json"},"sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema"\#
,"anyOf":[{"description":"The outcome.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":\#
"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded\#
`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description"\#
:"The version of the format. It increases when an existing script would misread a document.","type":"integer"}\#
,"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},\#
"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNee\#
ded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"ty\#
pe":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"With `--no-browser`.","p\#
roperties":{"expiresAt":{"description":"When the flow expires on the server.","format":"date-time","pattern":"\#
^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of th\#
e flow.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases wh\#
en an existing script would misread a document.","type":"integer"},"outcome":{"description":"`begun`.","type":\#
"string"},"url":{"description":"The URL to open.","type":"string"},"warnings":{"description":"Readable warning\#
s; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","flow","forma\#
tVersion","outcome","url"],"type":"object"},{"description":"With `code` or `phone`, without `--code-stdin`.","\#
properties":{"address":{"description":"The email address or phone number to which the code was sent.","type":"\#
string"},"flow":{"description":"The ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.","type":\#
"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing s\#
cript would misread a document.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"re\#
sendAfter":{"description":"Seconds until the project sends another code to this address.","type":"number"},"wa\#
rnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"\#
}},"required":["address","flow","formatVersion","outcome","resendAfter"],"type":"object"}],"description":"Sign\#
 in with a provider, a password, a code, single sign-on, or as an anonymous user.","title":"ritualctl sign-in \#
--json"},"sign-out":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign out on this \#
machine and on the server.","properties":{"accounts":{"description":"The accounts that were signed out.","item\#
s":{"type":"string"},"type":"array"},"failed":{"description":"With `all`, the accounts whose sign-out failed, \#
and why. Absent if there are none.","items":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"array"},"formatV\#
ersion":{"const":1,"description":"The version of the format. It increases when an existing script would misrea\#
d a document.","type":"integer"},"pending":{"description":"The accounts whose revocation is pending until the \#
server is reachable.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable warnings; \#
absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","\#
pending"],"title":"ritualctl sign-out --json","type":"object"},"sink":{"$schema":"https://json-schema.org/draf\#
t/2020-12/schema","description":"One line per change of the file.","properties":{"account":{"description":"The\#
 account whose token the file contains.","type":"string"},"expiresAt":{"description":"When the written token e\#
xpires.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"str\#
ing"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"isWritten":{"description":"True if a new token was written, fa\#
lse if the file was removed, or is not there yet.","type":"boolean"},"path":{"description":"The path of the fi\#
le.","type":"string"},"reason":{"description":"Why there is no file.","type":"string"}},"required":["account",\#
"formatVersion","isWritten","path"],"title":"ritualctl sink --json","type":"object"},"status":{"$schema":"http\#
s://json-schema.org/draft/2020-12/schema","description":"Show the current state of the agent, the vault, and t\#
he accounts.","properties":{"accounts":{"description":"The accounts. They may be unknown while the vault is lo\#
cked.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array"},"autostart":{"description":"Whether the first \#
sign-in enables the agent's service (`[agent] autostart`). Absent in older agents, whose first sign-in does.",\#
"type":"boolean"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an ex\#
isting script would misread a document.","type":"integer"},"health":{"description":"Readable findings; empty i\#
f there is nothing to report.","items":{"type":"string"},"type":"array"},"pid":{"description":"The agent's pro\#
cess ID.","type":"integer"},"stateFolder":{"description":"The state directory of the agent; a `ritualctl` with\#
 another environment would look elsewhere. Absent in older agents.","type":"string"},"unrevoked":{"description\#
":"The accounts with a pending revocation on the server. Absent while the vault is locked, because the list is\#
 then unknown.","items":{"type":"string"},"type":"array"},"uptime":{"description":"Seconds since the agent bec\#
ame ready.","type":"integer"},"vault":{"$ref":"#/$defs/VaultSummary","description":"The state of the vault."},\#
"version":{"description":"The version of the agent.","type":"string"},"warnings":{"description":"Readable warn\#
ings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVers\#
ion","health","pid","uptime","vault","version"],"title":"ritualctl status --json","type":"object"},"token":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","description":"Print a valid access token.","properties\#
":{"accessToken":{"description":"The bearer token. Never log it or pass it as a command-line argument.","type"\#
:"string"},"account":{"description":"The account that the token belongs to.","type":"string"},"endpoints":{"$r\#
ef":"#/$defs/SessionToken.Endpoints","description":"The project that accepts the token, if the caller asked fo\#
r it."},"expiresAt":{"description":"The token's expiry, by this machine's clock.","format":"date-time","patter\#
n":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Sec\#
onds until the token expires.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"tokenType":{"descri\#
ption":"`bearer` (RFC 6750).","type":"string"},"unchanged":{"description":"True if the caller reported this to\#
ken as rejected and there is no newer one. The caller must not repeat its request.","type":"boolean"},"warning\#
s":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"r\#
equired":["accessToken","account","expiresAt","expiresIn","formatVersion","tokenType"],"title":"ritualctl toke\#
n --json","type":"object"},"unlink":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"U\#
nlink a sign-in method. The last one cannot be removed.","properties":{"account":{"description":"The account w\#
hose user has the sign-in methods.","type":"string"},"formatVersion":{"const":1,"description":"The version of \#
the format. It increases when an existing script would misread a document.","type":"integer"},"identities":{"d\#
escription":"The linked sign-in methods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurren\#
t":{"description":"False if the server could not be asked and the list is its last known answer.","type":"bool\#
ean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type\#
":"array"}},"required":["account","formatVersion","identities","isCurrent"],"title":"ritualctl unlink --json",\#
"type":"object"},"unlock":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Unlock the \#
vault.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when a\#
n existing script would misread a document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":\#
"The key that opened the vault."},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["formatVersion","key"],"title":"ritualctl unlock --json","\#
type":"object"},"use":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Set the default\#
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
le":"ritualctl use --json","type":"object"},"use-api":{"$schema":"https://json-schema.org/draft/2020-12/schema\#
","description":"Allow the configured API to receive an account's token.","properties":{"activity":{"$ref":"#/\#
$defs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/\#
AccountAssurance","description":"The session's level of assurance and the level that is possible; absent witho\#
ut a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present \#
in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","f\#
ormat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"form\#
atVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mis\#
read a document.","type":"integer"},"identities":{"description":"The sign-in methods that are linked to the us\#
er.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests w\#
ithout an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","descript\#
ion":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"description":"The acco\#
unt's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known."\#
,"type":"string"},"origin":{"description":"The origin that issued the session, or the configured origin if the\#
re is no session.","type":"string"},"project":{"description":"The project's name in the configuration.","type"\#
:"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a ses\#
sion."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it e\#
nds or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable\#
":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":\#
"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absen\#
t if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","ident\#
ities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl use-api --json","type":"object"}\#
,"vault add-key":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a key that opens\#
 the vault: a passphrase, a key file, or a systemd credential.","properties":{"formatVersion":{"const":1,"desc\#
ription":"The version of the format. It increases when an existing script would misread a document.","type":"i\#
nteger"},"key":{"$ref":"#/$defs/VaultKey","description":"The added key."},"removed":{"description":"The remove\#
d slots: those of key files, or the replaced one.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"warnin\#
gs":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"\#
required":["formatVersion","key","removed"],"title":"ritualctl vault add-key --json","type":"object"},"vault a\#
dopt":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Use a vault that was copied fro\#
m another machine.","properties":{"accounts":{"description":"The accounts whose sessions are now used here.","\#
items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. \#
It increases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"R\#
eadable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts"\#
,"formatVersion"],"title":"ritualctl vault adopt --json","type":"object"},"vault rekey":{"$schema":"https://js\#
on-schema.org/draft/2020-12/schema","description":"Create a new master key and re-encrypt the vault.","propert\#
ies":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"generation":{"description":"The vault's generation after the c\#
hange.","minimum":0,"type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none."\#
,"items":{"type":"string"},"type":"array"}},"required":["formatVersion","generation"],"title":"ritualctl vault\#
 rekey --json","type":"object"},"vault remove-key":{"$schema":"https://json-schema.org/draft/2020-12/schema","\#
description":"Remove a vault key. The last one cannot be removed.","properties":{"formatVersion":{"const":1,"d\#
escription":"The version of the format. It increases when an existing script would misread a document.","type"\#
:"integer"},"id":{"description":"32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","ty\#
pe":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of the key."},"memory":{"descripti\#
on":"For a passphrase, the Argon2id memory for each attempt, in bytes.","type":"integer"},"passes":{"descripti\#
on":"For a passphrase, the number of Argon2id passes for each attempt.","type":"integer"},"warnings":{"descrip\#
tion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["f\#
ormatVersion","id","kind"],"title":"ritualctl vault remove-key --json","type":"object"},"vault status":{"$sche\#
ma":"https://json-schema.org/draft/2020-12/schema","description":"Show the state of the vault, its keys, and w\#
hat they protect.","properties":{"damaged":{"description":"Files that were set aside or ignored, and why.","it\#
ems":{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"The version of \#
the format. It increases when an existing script would misread a document.","type":"integer"},"generation":{"d\#
escription":"Increases with every change of keys.","minimum":0,"type":"integer"},"idleLock":{"description":"Id\#
le time before locking, in seconds; absent means never.","type":"integer"},"isAuthenticated":{"description":"W\#
hether `keys`, `generation` and `machine` were authenticated with the vault's key. Until the vault is first op\#
ened, they are unverified values from its file.","type":"boolean"},"isMemoryLocked":{"description":"Whether th\#
e keys are locked in memory, so that they cannot be swapped out.","type":"boolean"},"isRekeying":{"description\#
":"Whether a `vault.rekey` was interrupted. The next `vault.rekey` or unlock continues it.","type":"boolean"},\#
"keys":{"description":"The keys, in the order in which they were added.","items":{"$ref":"#/$defs/VaultKey"},"\#
type":"array"},"lockedBy":{"description":"Why the vault is locked: `hand`, `idle`, `session`, or `start` if no\#
 key was available.","type":"string"},"machine":{"description":"Whether the vault belongs to this machine: `th\#
is`, `other` or `unknown`.","type":"string"},"openedBy":{"$ref":"#/$defs/VaultKeyKind","description":"The kind\#
 of key that opened the vault."},"protection":{"description":"Readable statements of what each kind of key pro\#
tects and what it does not.","items":{"type":"string"},"type":"array"},"state":{"description":"`open`, `copied\#
`, `locked` or `unavailable`.","enum":["open","copied","locked","unavailable"],"type":"string"},"warnings":{"d\#
escription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"require\#
d":["damaged","formatVersion","generation","isAuthenticated","isMemoryLocked","isRekeying","keys","machine","p\#
rotection","state"],"title":"ritualctl vault status --json","type":"object"},"vault verify":{"$schema":"https:\#
//json-schema.org/draft/2020-12/schema","description":"Check every file of the open vault, without changing an\#
ything.","properties":{"files":{"description":"Every file of the vault, with the result of its check.","items"\#
:{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"isWhole":{"descript\#
ion":"Whether every file is unchanged since the vault wrote it.","type":"boolean"},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["files","\#
formatVersion","isWhole"],"title":"ritualctl vault verify --json","type":"object"},"whoami":{"$schema":"https:\#
//json-schema.org/draft/2020-12/schema","description":"Show the user who is signed in.","properties":{"activit\#
y":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$\#
ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level that is possible\#
; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session e\#
nded; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machin\#
e's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"\#
string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing sc\#
ript would misread a document.","type":"integer"},"identities":{"description":"The sign-in methods that are li\#
nked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whet\#
her requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorN\#
eed","description":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"descript\#
ion":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the prof\#
ile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the configured\#
 origin if there is no session.","type":"string"},"project":{"description":"The project's name in the configur\#
ation.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent\#
 without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and whe\#
n and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."\#
},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"\#
user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable w\#
arnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatV\#
ersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl whoami --json","ty\#
pe":"object"},"why":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Show the next ref\#
resh, the reason, and recent attempts.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":\#
"The account."},"explanation":{"description":"Sentences, most important first.","items":{"type":"string"},"typ\#
e":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing\#
 script would misread a document.","type":"integer"},"tries":{"description":"The recent attempts, newest first\#
.","items":{"$ref":"#/$defs/RefreshTry"},"type":"array"},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","explanation","formatVers\#
ion","tries"],"title":"ritualctl why --json","type":"object"}}}
"""#
}
