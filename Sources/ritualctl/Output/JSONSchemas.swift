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
as issued, or how many entries were dropped.","minimum":0,"type":"integer"},"detail":{"description":"Readable \#
details: how, why or to what extent.","type":"string"},"event":{"$ref":"#/$defs/AuditEvent","description":"The\#
 kind of entry."},"executable":{"description":"The executable of the process, without arguments; absent if it \#
cannot be read.","type":"string"},"first":{"description":"When the token was first issued.","format":"date-tim\#
e","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"descripti\#
on":"Identifies an issued token: a later entry with the same number has the updated count.","minimum":0,"type"\#
:"integer"},"last":{"description":"When the token was last issued.","format":"date-time","pattern":"^[0-9]{4}-\#
[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"pid":{"description":"The process, as identif\#
ied when it connected.","type":"integer"},"previous":{"description":"The MAC that precedes the first entry of \#
a file, in hex.","type":"string"},"project":{"description":"The project that the entry concerns.","type":"stri\#
ng"},"provider":{"description":"`apple`, `google`, `email` …","type":"string"},"sequence":{"description":"Incr\#
eases by one with every entry, starting at 1.","minimum":0,"type":"integer"},"token":{"description":"The first\#
 16 hex digits of the SHA-256 of the access token.","type":"string"},"unit":{"description":"The systemd unit o\#
f the process.","type":"string"},"way":{"description":"How the token was issued or used: `token`, `events` or \#
`api`.","type":"string"}},"required":["at","event","sequence"],"type":"object"},"AuditEvent":{"description":"T\#
he kind of an audit log entry.","examples":["agentStarted","agentStopped","signedIn","signedOut","sessionEnded\#
","linked","unlinked","decided","denied","approvalAsked","approvalAnswered","approvalRevoked","handOut","apiAc\#
cepted","factorEnrolled","factorVerified","factorRemoved","accountRenamed","accountRemoved","vaultLocked","vau\#
ltUnlocked","keyAdded","keyRemoved","rekeyed","vaultAdopted","fileBegun","interrupted","entriesLost"],"type":"\#
string"},"AuditVerify.Finding":{"description":"A mismatch of the log with the chain.","properties":{"file":{"d\#
escription":"The name of the file in the log's directory.","type":"string"},"first":{"description":"The first \#
affected entry; absent if the finding concerns a file.","minimum":0,"type":"integer"},"kind":{"description":"`\#
edited`, `removed`, `cut`, `reordered`, `repeated`, `exchanged`, `missingFile`, `unknownFile` or `noKey`.","ty\#
pe":"string"},"last":{"description":"The last affected entry; absent if the finding concerns a file.","minimum\#
":0,"type":"integer"}},"required":["file","kind"],"type":"object"},"CheckOutcome":{"description":"The outcome \#
of a check of `agent.diagnose` or `ritualctl doctor`.","examples":["ok","warn","fail"],"type":"string"},"Diagn\#
osticCheck":{"description":"The result of one check.","properties":{"name":{"description":"The subject of the \#
check, such as `vault` or `tls`.","type":"string"},"next":{"description":"The remedy, as a command if there is\#
 one; absent if nothing needs to be done.","type":"string"},"outcome":{"$ref":"#/$defs/CheckOutcome","descript\#
ion":"Whether the check passed."},"project":{"description":"The project's name in the configuration; absent if\#
 the check does not concern a project.","type":"string"},"words":{"description":"The finding, in readable form\#
.","type":"string"}},"required":["name","outcome","words"],"type":"object"},"EndedSession":{"description":"The\#
 end of a session without a sign-out on this machine.","properties":{"at":{"description":"When the session end\#
ed.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"\#
},"reason":{"description":"A readable reason, such as \"ended elsewhere\".","type":"string"}},"required":["at"\#
,"reason"],"type":"object"},"ErrorDocument.Details":{"description":"The reason of a failure.","properties":{"a\#
ccount":{"description":"The account that the error concerns.","type":"string"},"detail":{"description":"The ho\#
st and the cause of a failed connection.","type":"string"},"hint":{"description":"The next step, a command if \#
there is one.","type":"string"},"kind":{"description":"The stable name, for programs to branch on: an error ki\#
nd of the agent, or `unreachable`, `foreignServer`, `protocolViolation`, `disconnected`, `usage`, `failed`, `c\#
ancelled` or `unchanged`.","type":"string"},"message":{"description":"The message for the user.","type":"strin\#
g"},"retryAfter":{"description":"Seconds to wait before a retry.","type":"number"},"retryable":{"description":\#
"Whether the same command can succeed later without intervention.","type":"boolean"}},"required":["kind","mess\#
age","retryable"],"type":"object"},"ErrorKind":{"description":"The stable name of an error: `data.kind` on the\#
 wire.","examples":["approvalNeeded","callbackInvalid","cancelled","captchaRequired","codeInvalid","denied","e\#
mailNotConfirmed","flowBusy","flowTimedOut","flowUnknown","formatTooNew","identityTaken","internalError","inva\#
lidCredentials","invalidParams","invalidRequest","lastIdentity","linkingConflict","linkingDisabled","methodDis\#
abled","methodNotFound","mfaNeeded","misconfigured","notReady","offline","parseError","rateLimited","serviceUn\#
available","signInNeeded","storageFull","timedOut","tooLarge","tooMany","unknownAccount","unsupportedVersion",\#
"userExists","vaultCopied","vaultDamaged","vaultLocked","vaultUnavailable","weakPassword","wrongKey","wrongUse\#
r"],"type":"string"},"EventType":{"description":"The name of an event, in the style of Supabase clients.","exa\#
mples":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CH\#
ANGED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDE\#
D","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"MetricFamily":{"description":"A metric family of OpenMetric\#
s 1.0, section \"MetricFamily\".","properties":{"help":{"description":"A readable description of the family.",\#
"type":"string"},"name":{"description":"The name of the family.","type":"string"},"samples":{"description":"Th\#
e samples of the family.","items":{"$ref":"#/$defs/MetricFamily.Sample"},"type":"array"},"type":{"description"\#
:"`counter`, `gauge`, `histogram`, `info` or `stateset`.","type":"string"},"unit":{"description":"The unit, wh\#
ich is the last part of the name; absent if there is none.","type":"string"}},"required":["help","name","sampl\#
es","type"],"type":"object"},"MetricFamily.Sample":{"description":"A sample of a family: one value with its la\#
bels.","properties":{"labels":{"additionalProperties":{"type":"string"},"description":"The labels of the sampl\#
e, by name.","type":"object"},"suffix":{"description":"The suffix of the metric name: `_total`, `_bucket`, `_c\#
ount`, `_sum`, `_info` or empty.","type":"string"},"value":{"description":"The value of the sample.","type":"n\#
umber"}},"required":["labels","suffix","value"],"type":"object"},"NextStep":{"description":"The next sensible \#
step on this machine.","properties":{"reason":{"description":"Why it is the next step.","type":"string"},"step\#
":{"description":"A command, or an instruction if no command helps.","type":"string"}},"required":["reason","s\#
tep"],"type":"object"},"Overview.Group":{"description":"A group of commands.","properties":{"commands":{"descr\#
iption":"The names of its commands.","items":{"type":"string"},"type":"array"},"name":{"description":"The titl\#
e of the group.","type":"string"}},"required":["commands","name"],"type":"object"},"RefreshStatus":{"descripti\#
on":"The refresh schedule of an account and its recent failures.","properties":{"attempts":{"description":"The\#
 number of failed attempts since the last success.","type":"integer"},"clockSkew":{"description":"Seconds by w\#
hich the server's clock is ahead of this machine's, measured at its last answer. A skew of about one second is\#
 normal.","type":"integer"},"lastError":{"$ref":"#/$defs/AgentError","description":"The most recent error sinc\#
e the last success."},"nextAt":{"description":"When the next attempt is due.","format":"date-time","pattern":"\#
^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":"ob\#
ject"},"RefreshTry":{"description":"One refresh attempt.","properties":{"at":{"description":"When the attempt \#
began.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"stri\#
ng"},"error":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error, if the attempt failed."},"laten\#
cy":{"description":"The duration of the attempt in seconds.","type":"number"},"outcome":{"description":"`refre\#
shed`, `ended`, `failed`, `misconfigured`, `superseded`.","type":"string"},"reason":{"description":"The trigge\#
r: `ahead`, `demand`, `rejected`, `forced`, `start`, `retry`, `sleep`.","type":"string"},"status":{"descriptio\#
n":"The HTTP status, if the server answered.","type":"integer"}},"required":["at","latency","outcome","reason"\#
],"type":"object"},"SecondFactorNeed":{"description":"A sign-in's need for a second factor.","properties":{"en\#
dsAccounts":{"description":"The other accounts of this agent whose sessions end with a verification: those of \#
the same user without a second factor.","items":{"type":"string"},"type":"array"},"endsAt":{"description":"Whe\#
n the server ends a session without the second factor; absent if that is not known.","format":"date-time","pat\#
tern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factors":{"description":"Th\#
e user's verified factors.","items":{"$ref":"#/$defs/AccountFactor"},"type":"array"},"flow":{"description":"Th\#
e flow in which the agent's page asks for the code, for `signIn.wait` and `signIn.cancel`; absent if no page a\#
sks.","type":"string"},"needed":{"description":"True if the user has a verified factor and the session does no\#
t have its level yet. The session is stored and works; what requires the second factor does not.","type":"bool\#
ean"},"verifiedElsewhereAt":{"description":"When a second factor was verified elsewhere, which probably ended \#
the account's former session.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[\#
0-9]{2}Z$","type":"string"}},"required":["factors","needed"],"type":"object"},"SessionEndReason":{"description\#
":"The reason why a session ended.","examples":["signedOut","endedElsewhere","timebox","inactivity","lowAssura\#
nce","newerSignIn","userGone","unknown"],"type":"string"},"SessionLife":{"description":"The life of an account\#
's session.","properties":{"endReason":{"$ref":"#/$defs/SessionEndReason","description":"Why the session ended\#
, or why the server currently refuses to continue it."},"endsAt":{"description":"When the session is expected \#
to end; absent if no limit is known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-\#
9]{2}:[0-9]{2}Z$","type":"string"},"isEstimate":{"description":"True if `endsAt` follows from an earlier sessi\#
on of this project, not from `session_limit`.","type":"boolean"},"startedAt":{"description":"When the user sig\#
ned in; absent if that is not known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-\#
9]{2}:[0-9]{2}Z$","type":"string"}},"type":"object"},"SessionSignOut.Failure":{"description":"An account that \#
is still signed in.","properties":{"account":{"description":"The account's name.","type":"string"},"kind":{"$r\#
ef":"#/$defs/ErrorKind","description":"The kind of the error."},"message":{"description":"The message for the \#
user.","type":"string"}},"required":["account","kind","message"],"type":"object"},"SessionToken.Endpoints":{"d\#
escription":"The project's URLs and key, which a tool needs to use the token.","properties":{"anonKey":{"descr\#
iption":"The anon or publishable key, which Supabase expects in the header `apikey`.","type":"string"},"apiURL\#
":{"description":"The configured API URL, or the project URL if there is none. Absent if the API URL changed a\#
fter the sign-in and was not accepted yet (`session.useAPI`).","type":"string"},"projectURL":{"description":"T\#
he project URL, without a trailing slash.","type":"string"}},"required":["anonKey","projectURL"],"type":"objec\#
t"},"SessionToken.Result":{"description":"A valid access token.","properties":{"accessToken":{"description":"T\#
he bearer token. Never log it or pass it as a command-line argument.","type":"string"},"account":{"description\#
":"The account that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoint\#
s","description":"The project that accepts the token, if the caller asked for it."},"expiresAt":{"description"\#
:"The token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0\#
-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds until the token expires.","ty\#
pe":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","type":"string"},"unchanged":{"description":"\#
True if the caller reported this token as rejected and there is no newer one. The caller must not repeat its r\#
equest.","type":"boolean"}},"required":["accessToken","account","expiresAt","expiresIn","tokenType"],"type":"o\#
bject"},"SignInDecision":{"description":"A decision that a person makes before a sign-in takes effect.","prope\#
rties":{"account":{"description":"The name of the account to sign in to.","type":"string"},"flow":{"descriptio\#
n":"The flow that `identity.decide` takes.","type":"string"},"identity":{"$ref":"#/$defs/AccountIdentity","des\#
cription":"For `link`, the linked sign-in method."},"kind":{"description":"`newAccount`: confirm the user of a\#
 first sign-in by a pasted URL. `link`: accept that the server linked the sign-in to an account with other sig\#
n-in methods.","type":"string"},"others":{"description":"For `link`, the sign-in methods that the account had \#
before.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser","desc\#
ription":"The user who signed in."}},"required":["account","flow","kind","user"],"type":"object"},"SignInResul\#
t.Outcome":{"description":"How a sign-in ended.","examples":["signedIn","confirmationSent","decisionNeeded"],"\#
type":"string"},"TelemetryRecord":{"description":"One event, such as `auth_completed` with `duration_ms`.","pr\#
operties":{"at":{"description":"When the event happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[\#
0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"description":"The event's name.","type":"stri\#
ng"},"properties":{"additionalProperties":{"type":"string"},"description":"Values of `method`, `reason`, `erro\#
r_type` or `duration_ms`: numbers or members of a fixed set.","type":"object"}},"required":["at","event","prop\#
erties"],"type":"object"},"UnrevokedSession":{"description":"A session that a reset removes on this machine, b\#
ut that is not revoked on its server.","properties":{"account":{"description":"The account's name.","type":"st\#
ring"},"reason":{"description":"A readable reason.","type":"string"}},"required":["account","reason"],"type":"\#
object"},"VaultFinding":{"description":"The result of checking one file of the vault.","properties":{"detail":\#
{"description":"Readable details.","type":"string"},"file":{"description":"The file's name in the vault's dire\#
ctory, which reveals nothing about its content.","type":"string"},"state":{"description":"`ok`, `damaged`, `ne\#
wer`, `unreadable`, `setAside`, `missing` or `foreign`.","type":"string"}},"required":["file","state"],"type":\#
"object"},"VaultKey":{"description":"A key that opens the vault.","properties":{"id":{"description":"32 hexade\#
cimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/Vaul\#
tKeyKind","description":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id memory\#
 for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number of Argon\#
2id passes for each attempt.","type":"integer"}},"required":["id","kind"],"type":"object"},"VaultKeyKind":{"de\#
scription":"The kind of a vault key.","examples":["keyFile","passphrase","credential"],"type":"string"},"Vault\#
Summary":{"description":"The state of the vault.","properties":{"damaged":{"description":"The file names of re\#
cords that were set aside as damaged.","items":{"type":"string"},"type":"array"},"error":{"$ref":"#/$defs/Erro\#
rKind","description":"Why the vault is `unavailable`, such as `vaultDamaged`; `protection` then holds the reme\#
dy."},"openedBy":{"description":"The key that opened the vault: `key file`, `passphrase` or `systemd credentia\#
l`.","type":"string"},"protection":{"description":"A readable statement of what the key protects and what it d\#
oes not.","type":"string"},"state":{"description":"`open`, `copied` (from another machine: refreshes are suspe\#
nded), `locked` or `unavailable`.","type":"string"}},"required":["damaged","state"],"type":"object"}},"command\#
s":{"accounts list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List accounts.","\#
properties":{"accounts":{"description":"All accounts.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array"\#
},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualctl ac\#
counts list --json","type":"object"},"accounts remove":{"$schema":"https://json-schema.org/draft/2020-12/schem\#
a","description":"Sign an account out and delete everything stored about it.","properties":{"account":{"descri\#
ption":"The name of the removed account.","type":"string"},"formatVersion":{"const":1,"description":"The versi\#
on of the format. It increases when an existing script would misread a document.","type":"integer"},"isPending\#
":{"description":"True if the server has not confirmed the end of the session yet; the agent keeps trying.","t\#
ype":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"stri\#
ng"},"type":"array"}},"required":["account","formatVersion","isPending"],"title":"ritualctl accounts remove --\#
json","type":"object"},"accounts rename":{"$schema":"https://json-schema.org/draft/2020-12/schema","descriptio\#
n":"Rename an account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operatio\#
n that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's lev\#
el of assurance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSess\#
ion","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"descripti\#
on":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[\#
0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version o\#
f the format. It increases when an existing script would misread a document.","type":"integer"},"identities":{\#
"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"t\#
ype":"array"},"isDefault":{"description":"Whether requests without an account name use this account.","type":"\#
boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present i\#
n the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"descr\#
iption":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The ori\#
gin that issued the session, or the configured origin if there is no session.","type":"string"},"project":{"de\#
scription":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatu\#
s","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","d\#
escription":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountSt\#
ate","description":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would re\#
turn a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in\#
 user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"t\#
ype":"array"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","token\#
Usable"],"title":"ritualctl accounts rename --json","type":"object"},"api":{"$schema":"https://json-schema.org\#
/draft/2020-12/schema","description":"Send an authorized API request and print the response body.","properties\#
":{"body":{"description":"The body in base64 (RFC 4648, section 4).","type":"string"},"formatVersion":{"const"\#
:1,"description":"The version of the format. It increases when an existing script would misread a document.","\#
type":"integer"},"headers":{"description":"The response headers, as pairs of name and value.","items":{"items"\#
:{"type":"string"},"type":"array"},"type":"array"},"status":{"description":"The HTTP status.","type":"integer"\#
},"text":{"description":"The body again if it is text: UTF-8 of a content type `text/*` or JSON.","type":"stri\#
ng"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type"\#
:"array"}},"required":["body","formatVersion","headers","status"],"title":"ritualctl api --json","type":"objec\#
t"},"approvals allow":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow a program\#
 to use the account that it requested.","properties":{"account":{"description":"The account that the program w\#
ants to use.","type":"string"},"askedAt":{"description":"When the first request was made.","format":"date-time\#
","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"descrip\#
tion":"The executable of that process, without arguments; absent if it cannot be read.","type":"string"},"form\#
atVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mis\#
read a document.","type":"integer"},"id":{"description":"The id that `approval.answer`, `approval.revoke` and \#
`ritualctl approvals` take.","type":"string"},"method":{"description":"The method of the first request.","type\#
":"string"},"pid":{"description":"The process that made the first request.","type":"integer"},"state":{"$ref":\#
"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd \#
unit of that process; absent if it has none.","type":"string"},"until":{"description":"When the request or the\#
 answer expires. Absent for an approval that is valid until the vault is locked, and for a denial that is vali\#
d until the agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{\#
2}Z$","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type\#
":"string"},"type":"array"}},"required":["account","askedAt","formatVersion","id","method","pid","state"],"tit\#
le":"ritualctl approvals allow --json","type":"object"},"approvals deny":{"$schema":"https://json-schema.org/d\#
raft/2020-12/schema","description":"Deny a program access. Its requests are refused while the answer is valid.\#
","properties":{"account":{"description":"The account that the program wants to use.","type":"string"},"askedA\#
t":{"description":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{\#
2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that process,\#
 without arguments; absent if it cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"T\#
he version of the format. It increases when an existing script would misread a document.","type":"integer"},"i\#
d":{"description":"The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"s\#
tring"},"method":{"description":"The method of the first request.","type":"string"},"pid":{"description":"The \#
process that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":\#
"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that process; absent if it has\#
 none.","type":"string"},"until":{"description":"When the request or the answer expires. Absent for an approva\#
l that is valid until the vault is locked, and for a denial that is valid until the agent stops.","format":"da\#
te-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"de\#
scription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required\#
":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl approvals deny --json",\#
"type":"object"},"approvals list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Lis\#
t pending requests and valid answers.","properties":{"approvals":{"description":"The pending access requests a\#
nd the valid answers, oldest first.","items":{"$ref":"#/$defs/Approval"},"type":"array"},"formatVersion":{"con\#
st":1,"description":"The version of the format. It increases when an existing script would misread a document.\#
","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"\#
string"},"type":"array"}},"required":["approvals","formatVersion"],"title":"ritualctl approvals list --json","\#
type":"object"},"approvals revoke":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"De\#
lete an answer. The next request needs a new one.","properties":{"formatVersion":{"const":1,"description":"The\#
 version of the format. It increases when an existing script would misread a document.","type":"integer"},"id"\#
:{"description":"The id of the approval.","type":"string"},"warnings":{"description":"Readable warnings; absen\#
t if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id"],"title":"ri\#
tualctl approvals revoke --json","type":"object"},"audit":{"$schema":"https://json-schema.org/draft/2020-12/sc\#
hema","anyOf":[{"description":"Without `--verify`.","properties":{"entries":{"description":"The entries, newes\#
t last.","items":{"$ref":"#/$defs/AuditEntry"},"type":"array"},"formatVersion":{"const":1,"description":"The v\#
ersion of the format. It increases when an existing script would misread a document.","type":"integer"},"isChe\#
cked":{"description":"Whether each entry was checked against the chain; false while the vault is locked.","typ\#
e":"boolean"},"leftOut":{"description":"The number of lines in the files read that do not match the chain. The\#
y are not among the entries.","type":"integer"},"more":{"description":"Whether older entries exist.","type":"b\#
oolean"},"unknownCount":{"description":"The total number of unknown files.","type":"integer"},"unknownFiles":{\#
"description":"Files in the log's directory that the agent did not create: their escaped names, at most 20.","\#
items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are non\#
e.","items":{"type":"string"},"type":"array"}},"required":["entries","formatVersion","isChecked","leftOut","mo\#
re","unknownCount","unknownFiles"],"type":"object"},{"description":"With `--verify`.","properties":{"findings"\#
:{"description":"The mismatches with the chain; empty if the log is intact.","items":{"$ref":"#/$defs/AuditVer\#
ify.Finding"},"type":"array"},"first":{"description":"The first entry that is kept.","minimum":0,"type":"integ\#
er"},"fitting":{"description":"The number of entries that match the chain.","type":"integer"},"formatVersion":\#
{"const":1,"description":"The version of the format. It increases when an existing script would misread a docu\#
ment.","type":"integer"},"interruptions":{"description":"The entries after which the agent ended without a cle\#
an stop. Entries of up to one second before may be missing.","items":{"minimum":0,"type":"integer"},"type":"ar\#
ray"},"isWhole":{"description":"True if there are no findings.","type":"boolean"},"limits":{"description":"Rea\#
dable statements of what the verification does not prove.","items":{"type":"string"},"type":"array"},"sealed":\#
{"description":"The last entry that is sealed in the vault.","minimum":0,"type":"integer"},"unsealed":{"descri\#
ption":"The number of entries after the last sealed one. They match the chain, but their removal would go unno\#
ticed.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"t\#
ype":"string"},"type":"array"}},"required":["findings","first","fitting","formatVersion","interruptions","isWh\#
ole","limits","sealed","unsealed"],"type":"object"}],"description":"Show sign-ins, sign-outs, and issued token\#
s, newest last.","title":"ritualctl audit --json"},"complete-sign-in":{"$schema":"https://json-schema.org/draf\#
t/2020-12/schema","description":"Finish a sign-in by pasting the redirect URL.","properties":{"account":{"$ref\#
":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDeci\#
sion","description":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},\#
"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script woul\#
d misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn\#
`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signe\#
dIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there \#
are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"title":"ritualct\#
l complete-sign-in --json","type":"object"},"doctor":{"$schema":"https://json-schema.org/draft/2020-12/schema"\#
,"description":"Check the setup and show how to fix problems.","properties":{"checks":{"description":"The resu\#
lts of the checks.","items":{"$ref":"#/$defs/DiagnosticCheck"},"type":"array"},"formatVersion":{"const":1,"des\#
cription":"The version of the format. It increases when an existing script would misread a document.","type":"\#
integer"},"isHealthy":{"description":"Whether no check failed.","type":"boolean"},"version":{"description":"Th\#
e version of this program.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are\#
 none.","items":{"type":"string"},"type":"array"}},"required":["checks","formatVersion","isHealthy","version"]\#
,"title":"ritualctl doctor --json","type":"object"},"error":{"$schema":"https://json-schema.org/draft/2020-12/\#
schema","description":"The error of any command, on standard error.","properties":{"error":{"$ref":"#/$defs/Er\#
rorDocument.Details","description":"Why the command failed."},"exitStatus":{"description":"The exit status of \#
the command.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable w\#
arnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["error","exitStatus\#
","formatVersion"],"title":"ritualctl: error","type":"object"},"events":{"$schema":"https://json-schema.org/dr\#
aft/2020-12/schema","description":"One line per event: the current state first, then every change.","propertie\#
s":{"account":{"description":"The account that changed; absent if the event does not concern an account.","typ\#
e":"string"},"approval":{"$ref":"#/$defs/Approval","description":"The pending access request (`APPROVAL_NEEDED\#
`), or the answered or expired one (`APPROVAL_ANSWERED`)."},"at":{"description":"When it changed.","format":"d\#
ate-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion\#
":{"const":1,"description":"The version of the format. It increases when an existing script would misread a do\#
cument.","type":"integer"},"program":{"description":"For `MFA_NEEDED`, the program's file and unit, as far as \#
the kernel told.","type":"string"},"reason":{"description":"A readable reason, for `SIGNED_OUT` and `STATE_CHA\#
NGED`; the program's own reason for `MFA_NEEDED`; for `ACCOUNT_LINKED` the provider and how it was linked.","t\#
ype":"string"},"sequence":{"description":"Increases by one with each change. Events that describe the current \#
state to a new subscriber carry the number of the last change in that state.","minimum":0,"type":"integer"},"s\#
tatus":{"$ref":"#/$defs/AccountStatus","description":"The account after the change."},"token":{"$ref":"#/$defs\#
/SessionToken.Result","description":"The new token, for subscribers that requested tokens."},"type":{"$ref":"#\#
/$defs/EventType","description":"The kind of change."}},"required":["at","formatVersion","sequence","type"],"t\#
itle":"ritualctl events --json","type":"object"},"exec":{"$schema":"https://json-schema.org/draft/2020-12/sche\#
ma","description":"Why the command was not run, on standard error. The output of the command itself is unchang\#
ed.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"e\#
xitStatus":{"description":"The exit status of the command.","type":"integer"},"formatVersion":{"const":1,"desc\#
ription":"The version of the format. It increases when an existing script would misread a document.","type":"i\#
nteger"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"t\#
ype":"array"}},"required":["error","exitStatus","formatVersion"],"title":"ritualctl exec --json","type":"objec\#
t"},"help":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"With `--help` or\#
 `--version`.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases\#
 when an existing script would misread a document.","type":"integer"},"groups":{"description":"The groups of c\#
ommands; only with the help of the program itself.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},\#
"text":{"description":"The text.","type":"string"}},"required":["formatVersion","text"],"type":"object"},{"des\#
cription":"Without a command.","properties":{"formatVersion":{"const":1,"description":"The version of the form\#
at. It increases when an existing script would misread a document.","type":"integer"},"groups":{"description":\#
"The commands by group.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"next":{"$ref":"#/$defs/Nex\#
tStep","description":"The next sensible step on this machine."}},"required":["formatVersion","groups","next"],\#
"type":"object"}],"description":"The output of `--help` and `--version`, and of `ritualctl` without a command.\#
","title":"ritualctl: help"},"identities":{"$schema":"https://json-schema.org/draft/2020-12/schema","descripti\#
on":"List linked sign-in methods.","properties":{"account":{"description":"The account whose user has the sign\#
-in methods.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increas\#
es when an existing script would misread a document.","type":"integer"},"identities":{"description":"The linke\#
d sign-in methods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"Fal\#
se if the server could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"des\#
cription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required"\#
:["account","formatVersion","identities","isCurrent"],"title":"ritualctl identities --json","type":"object"},"\#
init":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a Supabase project to the c\#
onfiguration, or change one.","properties":{"apiAccepted":{"description":"The accounts that accepted the API o\#
f `--api-url`; absent without that option.","items":{"type":"string"},"type":"array"},"change":{"description":\#
"`added`, `updated` or `none`.","type":"string"},"configuration":{"description":"The path of the configuration\#
 file.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases whe\#
n an existing script would misread a document.","type":"integer"},"note":{"description":"A note about the part\#
 that was removed from a pasted URL.","type":"string"},"project":{"description":"The project's name.","type":"\#
string"},"warning":{"description":"A problem with the reload of a running agent, or with the project.","type":\#
"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"\#
type":"array"}},"required":["change","configuration","formatVersion","project"],"title":"ritualctl init --json\#
","type":"object"},"link":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"T\#
he outcome.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the accoun\#
t."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the per\#
son; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format\#
. It increases when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/Sec\#
ondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/\#
SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"descri\#
ption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["\#
formatVersion","outcome"],"type":"object"},{"description":"With `--no-browser`.","properties":{"expiresAt":{"d\#
escription":"When the flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}\#
T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":"string"},"\#
formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script would\#
 misread a document.","type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{"descripti\#
on":"The URL to open.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none\#
.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],\#
"type":"object"},{"description":"With `link email`, without `--code-stdin`.","properties":{"address":{"descrip\#
tion":"The email address or phone number to which the code was sent.","type":"string"},"flow":{"description":"\#
The ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"description":"Secon\#
ds until the project sends another code to this address.","type":"number"},"warnings":{"description":"Readable\#
 warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["address","flow",\#
"formatVersion","outcome","resendAfter"],"type":"object"}],"description":"Link a provider or an email address \#
as a sign-in method.","title":"ritualctl link --json"},"lock":{"$schema":"https://json-schema.org/draft/2020-1\#
2/schema","description":"Lock the vault. No tokens are issued or refreshed until it is unlocked.","properties"\#
:{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"opensByFile":{"description":"Whether a key file or credential open\#
s the vault again, so that any program of the user can unlock it.","type":"boolean"},"warning":{"description":\#
"A readable problem that did not prevent the lock.","type":"string"},"warnings":{"description":"Readable warni\#
ngs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","opensB\#
yFile"],"title":"ritualctl lock --json","type":"object"},"metrics":{"$schema":"https://json-schema.org/draft/2\#
020-12/schema","description":"Print the agent's counters in OpenMetrics format.","properties":{"events":{"desc\#
ription":"The last events, oldest first.","items":{"$ref":"#/$defs/TelemetryRecord"},"type":"array"},"families\#
":{"description":"The counters, as metric families of OpenMetrics.","items":{"$ref":"#/$defs/MetricFamily"},"t\#
ype":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existi\#
ng script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if\#
 there are none.","items":{"type":"string"},"type":"array"}},"required":["events","families","formatVersion"],\#
"title":"ritualctl metrics --json","type":"object"},"mfa enroll":{"$schema":"https://json-schema.org/draft/202\#
0-12/schema","description":"Add a second factor: an authenticator app (totp) or a phone.","properties":{"facto\#
r":{"description":"The new factor's ID, for `mfa.verify`. The server forgets an unverified factor after 5 minu\#
tes.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when \#
an existing script would misread a document.","type":"integer"},"secret":{"description":"For `totp`, the secre\#
t in base32. Shown once and stored nowhere; never log it.","type":"string"},"uri":{"description":"For `totp`, \#
the `otpauth:` URI for an authenticator app. Contains the secret.","type":"string"},"warnings":{"description":\#
"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["factor"\#
,"formatVersion"],"title":"ritualctl mfa enroll --json","type":"object"},"mfa list":{"$schema":"https://json-s\#
chema.org/draft/2020-12/schema","description":"List the user's second factors.","properties":{"account":{"desc\#
ription":"The account whose user has the factors.","type":"string"},"assurance":{"$ref":"#/$defs/AccountAssura\#
nce","description":"The session's level."},"endsAccounts":{"description":"The other accounts of this agent who\#
se sessions end with a verification. Every other session of the user without a second factor ends too.","items\#
":{"type":"string"},"type":"array"},"factors":{"description":"The factors.","items":{"$ref":"#/$defs/AccountFa\#
ctor"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when \#
an existing script would misread a document.","type":"integer"},"isCurrent":{"description":"False if the serve\#
r could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Read\#
able warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","as\#
surance","endsAccounts","factors","formatVersion","isCurrent"],"title":"ritualctl mfa list --json","type":"obj\#
ect"},"mfa remove":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Remove a second fa\#
ctor.","properties":{"factor":{"description":"The ID of the removed factor.","type":"string"},"formatVersion":\#
{"const":1,"description":"The version of the format. It increases when an existing script would misread a docu\#
ment.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"ty\#
pe":"string"},"type":"array"}},"required":["factor","formatVersion"],"title":"ritualctl mfa remove --json","ty\#
pe":"object"},"mfa verify":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"\#
After the verification.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operati\#
on that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's le\#
vel of assurance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSes\#
sion","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"descript\#
ion":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-\#
[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version \#
of the format. It increases when an existing script would misread a document.","type":"integer"},"identities":\#
{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"\#
type":"array"},"isDefault":{"description":"Whether requests without an account name use this account.","type":\#
"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present \#
in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"desc\#
ription":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The or\#
igin that issued the session, or the configured origin if there is no session.","type":"string"},"project":{"d\#
escription":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStat\#
us","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","\#
description":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountS\#
tate","description":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would r\#
eturn a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-i\#
n user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"\#
type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","toke\#
nUsable"],"type":"object"},{"description":"With `--browser`.","properties":{"account":{"$ref":"#/$defs/Account\#
Status","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description\#
":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"\#
const":1,"description":"The version of the format. It increases when an existing script would misread a docume\#
nt.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a secon\#
d factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmatio\#
nSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items"\#
:{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"Wi\#
thout `--code-stdin`, for a phone factor.","properties":{"expiresAt":{"description":"When the code expires, by\#
 this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\#
Z$","type":"string"},"factor":{"description":"The factor to which the code belongs.","type":"string"},"formatV\#
ersion":{"const":1,"description":"The version of the format. It increases when an existing script would misrea\#
d a document.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"warnings":{"descript\#
ion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["ex\#
piresAt","factor","formatVersion","outcome"],"type":"object"}],"description":"Verify a second factor with a co\#
de; ends the user's other sessions without one.","title":"ritualctl mfa verify --json"},"profile":{"$schema":"\#
https://json-schema.org/draft/2020-12/schema","description":"Show or change the user's profile.","properties":\#
{"account":{"description":"The account whose user has the profile.","type":"string"},"formatVersion":{"const":\#
1,"description":"The version of the format. It increases when an existing script would misread a document.","t\#
ype":"integer"},"onboarding":{"description":"`needed` or `complete`.","type":"string"},"prefill":{"additionalP\#
roperties":{},"description":"Values that Apple sent at the first sign-in and that the profile lacks. `profile.\#
update` adds them.","type":"object"},"profile":{"additionalProperties":{},"description":"The profile from the \#
API; absent if there is none yet.","type":"object"},"warnings":{"description":"Readable warnings; absent if th\#
ere are none.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","onboarding"],\#
"title":"ritualctl profile --json","type":"object"},"refresh":{"$schema":"https://json-schema.org/draft/2020-1\#
2/schema","description":"Refresh now (at most once every 5 seconds).","properties":{"activity":{"$ref":"#/$def\#
s/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/Acco\#
untAssurance","description":"The session's level of assurance and the level that is possible; absent without a\#
 session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present in s\#
tate `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","forma\#
t":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVe\#
rsion":{"const":1,"description":"The version of the format. It increases when an existing script would misread\#
 a document.","type":"integer"},"identities":{"description":"The sign-in methods that are linked to the user."\#
,"items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests witho\#
ut an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description"\#
:"Whether a second factor is needed; present in the result of a sign-in."},"name":{"description":"The account'\#
s name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","ty\#
pe":"string"},"origin":{"description":"The origin that issued the session, or the configured origin if there i\#
s no session.","type":"string"},"project":{"description":"The project's name in the configuration.","type":"st\#
ring"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session\#
."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it ends \#
or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"\#
description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$\#
defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if\#
 there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identitie\#
s","isDefault","name","project","state","tokenUsable"],"title":"ritualctl refresh --json","type":"object"},"re\#
gister-handler":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without `--\#
print`.","properties":{"file":{"description":"The path of the desktop entry.","type":"string"},"formatVersion"\#
:{"const":1,"description":"The version of the format. It increases when an existing script would misread a doc\#
ument.","type":"integer"},"registered":{"description":"Whether the agent opens URLs of the scheme now.","type"\#
:"boolean"},"scheme":{"description":"The URL scheme.","type":"string"},"warnings":{"description":"Readable war\#
nings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["file","formatVersion\#
","registered","scheme"],"type":"object"},{"description":"With `--print`.","properties":{"entry":{"description\#
":"The text of the desktop entry.","type":"string"},"formatVersion":{"const":1,"description":"The version of t\#
he format. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"desc\#
ription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":\#
["entry","formatVersion"],"type":"object"}],"description":"Open dailyritual:// URLs with the agent.","title":"\#
ritualctl register-handler --json"},"reload":{"$schema":"https://json-schema.org/draft/2020-12/schema","descri\#
ption":"Reload the agent's configuration.","properties":{"formatVersion":{"const":1,"description":"The version\#
 of the format. It increases when an existing script would misread a document.","type":"integer"},"projects":{\#
"description":"The names of the projects in the configuration.","items":{"type":"string"},"type":"array"},"rel\#
oaded":{"description":"Whether the file was read: false if the agent uses a file other than `file`. Absent in \#
older agents.","type":"boolean"},"warning":{"description":"A readable problem, such as a failed check; absent \#
if there is none.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","\#
items":{"type":"string"},"type":"array"}},"required":["formatVersion","projects"],"title":"ritualctl reload --\#
json","type":"object"},"reset":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign o\#
ut of all accounts and remove the agent's data.","properties":{"formatVersion":{"const":1,"description":"The v\#
ersion of the format. It increases when an existing script would misread a document.","type":"integer"},"kept"\#
:{"description":"The paths that were kept: the configuration, without `--config`.","items":{"type":"string"},"\#
type":"array"},"removed":{"description":"The paths that were removed.","items":{"type":"string"},"type":"array\#
"},"signedOut":{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"array"},"\#
unrevoked":{"description":"The sessions that may still be active on their server.","items":{"$ref":"#/$defs/Un\#
revokedSession"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","ite\#
ms":{"type":"string"},"type":"array"}},"required":["formatVersion","kept","removed","signedOut","unrevoked"],"\#
title":"ritualctl reset --json","type":"object"},"schema":{"$schema":"https://json-schema.org/draft/2020-12/sc\#
hema","anyOf":[{"description":"Without a command.","properties":{"commands":{"description":"The commands that \#
`ritualctl schema` takes, and `error` and `help`.","items":{"type":"string"},"type":"array"},"formatVersion":{\#
"const":1,"description":"The version of the format. It increases when an existing script would misread a docum\#
ent.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"typ\#
e":"string"},"type":"array"}},"required":["commands","formatVersion"],"type":"object"},{"description":"With a \#
command.","properties":{"command":{"description":"The command whose document the schema describes.","type":"st\#
ring"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scri\#
pt would misread a document.","type":"integer"},"schema":{"description":"The JSON Schema."},"warnings":{"descr\#
iption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":[\#
"command","formatVersion","schema"],"type":"object"}],"description":"Print the JSON Schema of a command's --js\#
on document.","title":"ritualctl schema --json"},"sign-in":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","anyOf":[{"description":"The outcome.","properties":{"account":{"$ref":"#/$defs/AccountStatus","descrip\#
tion":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decision\#
Needed`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"descri\#
ption":"The version of the format. It increases when an existing script would misread a document.","type":"int\#
eger"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is need\#
ed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decis\#
ionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string\#
"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"With `--no-browser\#
`.","properties":{"expiresAt":{"description":"When the flow expires on the server.","format":"date-time","patt\#
ern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID\#
 of the flow.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"outcome":{"description":"`begun`.","\#
type":"string"},"url":{"description":"The URL to open.","type":"string"},"warnings":{"description":"Readable w\#
arnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","flow",\#
"formatVersion","outcome","url"],"type":"object"},{"description":"With `code` or `phone`, without `--code-stdi\#
n`.","properties":{"address":{"description":"The email address or phone number to which the code was sent.","t\#
ype":"string"},"flow":{"description":"The ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.","\#
type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an exis\#
ting script would misread a document.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string\#
"},"resendAfter":{"description":"Seconds until the project sends another code to this address.","type":"number\#
"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"\#
array"}},"required":["address","flow","formatVersion","outcome","resendAfter"],"type":"object"}],"description"\#
:"Sign in with a provider, a password, a code, single sign-on, or as an anonymous user.","title":"ritualctl si\#
gn-in --json"},"sign-out":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign out on\#
 this machine and on the server.","properties":{"accounts":{"description":"The accounts that were signed out."\#
,"items":{"type":"string"},"type":"array"},"failed":{"description":"With `all`, the accounts whose sign-out fa\#
iled, and why. Absent if there are none.","items":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"array"},"f\#
ormatVersion":{"const":1,"description":"The version of the format. It increases when an existing script would \#
misread a document.","type":"integer"},"pending":{"description":"The accounts whose revocation is pending unti\#
l the server is reachable.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable warn\#
ings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVers\#
ion","pending"],"title":"ritualctl sign-out --json","type":"object"},"status":{"$schema":"https://json-schema.\#
org/draft/2020-12/schema","description":"Show the current state of the agent, the vault, and the accounts.","p\#
roperties":{"accounts":{"description":"The accounts. They may be unknown while the vault is locked.","items":{\#
"$ref":"#/$defs/AccountStatus"},"type":"array"},"autostart":{"description":"Whether the first sign-in enables \#
the agent's service (`[agent] autostart`). Absent in older agents, whose first sign-in does.","type":"boolean"\#
},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"health":{"description":"Readable findings; empty if there is nothi\#
ng to report.","items":{"type":"string"},"type":"array"},"pid":{"description":"The agent's process ID.","type"\#
:"integer"},"stateFolder":{"description":"The state directory of the agent; a `ritualctl` with another environ\#
ment would look elsewhere. Absent in older agents.","type":"string"},"unrevoked":{"description":"The accounts \#
with a pending revocation on the server. Absent while the vault is locked, because the list is then unknown.",\#
"items":{"type":"string"},"type":"array"},"uptime":{"description":"Seconds since the agent became ready.","typ\#
e":"integer"},"vault":{"$ref":"#/$defs/VaultSummary","description":"The state of the vault."},"version":{"desc\#
ription":"The version of the agent.","type":"string"},"warnings":{"description":"Readable warnings; absent if \#
there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","health","p\#
id","uptime","vault","version"],"title":"ritualctl status --json","type":"object"},"token":{"$schema":"https:/\#
/json-schema.org/draft/2020-12/schema","description":"Print a valid access token.","properties":{"accessToken"\#
:{"description":"The bearer token. Never log it or pass it as a command-line argument.","type":"string"},"acco\#
unt":{"description":"The account that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/Ses\#
sionToken.Endpoints","description":"The project that accepts the token, if the caller asked for it."},"expires\#
At":{"description":"The token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0\#
-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds until the t\#
oken expires.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"tokenType":{"description":"`bearer`\#
 (RFC 6750).","type":"string"},"unchanged":{"description":"True if the caller reported this token as rejected \#
and there is no newer one. The caller must not repeat its request.","type":"boolean"},"warnings":{"description\#
":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["acces\#
sToken","account","expiresAt","expiresIn","formatVersion","tokenType"],"title":"ritualctl token --json","type"\#
:"object"},"unlink":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Unlink a sign-in \#
method. The last one cannot be removed.","properties":{"account":{"description":"The account whose user has th\#
e sign-in methods.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"identities":{"description":"The\#
 linked sign-in methods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description\#
":"False if the server could not be asked and the list is its last known answer.","type":"boolean"},"warnings"\#
:{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"req\#
uired":["account","formatVersion","identities","isCurrent"],"title":"ritualctl unlink --json","type":"object"}\#
,"unlock":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Unlock the vault.","propert\#
ies":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The key that op\#
ened the vault."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"st\#
ring"},"type":"array"}},"required":["formatVersion","key"],"title":"ritualctl unlock --json","type":"object"},\#
"use":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Set the default account.","prop\#
erties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."\#
},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level\#
 that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and w\#
hen the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expir\#
y, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-\#
9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases wh\#
en an existing script would misread a document.","type":"integer"},"identities":{"description":"The sign-in me\#
thods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"d\#
escription":"Whether requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$d\#
efs/SecondFactorNeed","description":"Whether a second factor is needed; present in the result of a sign-in."},\#
"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complet\#
e`, once the profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, \#
or the configured origin if there is no session.","type":"string"},"project":{"description":"The project's nam\#
e in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh\#
 schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session\#
 started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state\#
 of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","t\#
ype":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"descrip\#
tion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["a\#
ctivity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl u\#
se --json","type":"object"},"use-api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":\#
"Allow the configured API to receive an account's token.","properties":{"activity":{"$ref":"#/$defs/AccountAct\#
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
t","name","project","state","tokenUsable"],"title":"ritualctl use-api --json","type":"object"},"vault add-key"\#
:{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a key that opens the vault: a pa\#
ssphrase, a key file, or a systemd credential.","properties":{"formatVersion":{"const":1,"description":"The ve\#
rsion of the format. It increases when an existing script would misread a document.","type":"integer"},"key":{\#
"$ref":"#/$defs/VaultKey","description":"The added key."},"removed":{"description":"The removed slots: those o\#
f key files, or the replaced one.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"warnings":{"descriptio\#
n":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["form\#
atVersion","key","removed"],"title":"ritualctl vault add-key --json","type":"object"},"vault adopt":{"$schema"\#
:"https://json-schema.org/draft/2020-12/schema","description":"Use a vault that was copied from another machin\#
e.","properties":{"accounts":{"description":"The accounts whose sessions are now used here.","items":{"type":"\#
string"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases whe\#
n an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings\#
; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"\#
],"title":"ritualctl vault adopt --json","type":"object"},"vault rekey":{"$schema":"https://json-schema.org/dr\#
aft/2020-12/schema","description":"Create a new master key and re-encrypt the vault.","properties":{"formatVer\#
sion":{"const":1,"description":"The version of the format. It increases when an existing script would misread \#
a document.","type":"integer"},"generation":{"description":"The vault's generation after the change.","minimum\#
":0,"type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type"\#
:"string"},"type":"array"}},"required":["formatVersion","generation"],"title":"ritualctl vault rekey --json","\#
type":"object"},"vault remove-key":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Re\#
move a vault key. The last one cannot be removed.","properties":{"formatVersion":{"const":1,"description":"The\#
 version of the format. It increases when an existing script would misread a document.","type":"integer"},"id"\#
:{"description":"32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"k\#
ind":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passp\#
hrase, the Argon2id memory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passp\#
hrase, the number of Argon2id passes for each attempt.","type":"integer"},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","i\#
d","kind"],"title":"ritualctl vault remove-key --json","type":"object"},"vault status":{"$schema":"https://jso\#
n-schema.org/draft/2020-12/schema","description":"Show the state of the vault, its keys, and what they protect\#
.","properties":{"damaged":{"description":"Files that were set aside or ignored, and why.","items":{"$ref":"#/\#
$defs/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"generation":{"description":"Inc\#
reases with every change of keys.","minimum":0,"type":"integer"},"idleLock":{"description":"Idle time before l\#
ocking, in seconds; absent means never.","type":"integer"},"isAuthenticated":{"description":"Whether `keys`, `\#
generation` and `machine` were authenticated with the vault's key. Until the vault is first opened, they are u\#
nverified values from its file.","type":"boolean"},"isMemoryLocked":{"description":"Whether the keys are locke\#
d in memory, so that they cannot be swapped out.","type":"boolean"},"isRekeying":{"description":"Whether a `va\#
ult.rekey` was interrupted. The next `vault.rekey` or unlock continues it.","type":"boolean"},"keys":{"descrip\#
tion":"The keys, in the order in which they were added.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"\#
lockedBy":{"description":"Why the vault is locked: `hand`, `idle`, `session`, or `start` if no key was availab\#
le.","type":"string"},"machine":{"description":"Whether the vault belongs to this machine: `this`, `other` or \#
`unknown`.","type":"string"},"openedBy":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of key that ope\#
ned the vault."},"protection":{"description":"Readable statements of what each kind of key protects and what i\#
t does not.","items":{"type":"string"},"type":"array"},"state":{"description":"`open`, `copied`, `locked` or `\#
unavailable`.","enum":["open","copied","locked","unavailable"],"type":"string"},"warnings":{"description":"Rea\#
dable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["damaged","f\#
ormatVersion","generation","isAuthenticated","isMemoryLocked","isRekeying","keys","machine","protection","stat\#
e"],"title":"ritualctl vault status --json","type":"object"},"vault verify":{"$schema":"https://json-schema.or\#
g/draft/2020-12/schema","description":"Check every file of the open vault, without changing anything.","proper\#
ties":{"files":{"description":"Every file of the vault, with the result of its check.","items":{"$ref":"#/$def\#
s/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"isWhole":{"description":"Whether ev\#
ery file is unchanged since the vault wrote it.","type":"boolean"},"warnings":{"description":"Readable warning\#
s; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["files","formatVersion","\#
isWhole"],"title":"ritualctl vault verify --json","type":"object"},"whoami":{"$schema":"https://json-schema.or\#
g/draft/2020-12/schema","description":"Show the user who is signed in.","properties":{"activity":{"$ref":"#/$d\#
efs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/Ac\#
countAssurance","description":"The session's level of assurance and the level that is possible; absent without\#
 a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present in\#
 state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","for\#
mat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"format\#
Version":{"const":1,"description":"The version of the format. It increases when an existing script would misre\#
ad a document.","type":"integer"},"identities":{"description":"The sign-in methods that are linked to the user\#
.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests wit\#
hout an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","descriptio\#
n":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"description":"The accoun\#
t's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","\#
type":"string"},"origin":{"description":"The origin that issued the session, or the configured origin if there\#
 is no session.","type":"string"},"project":{"description":"The project's name in the configuration.","type":"\#
string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a sessi\#
on."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it end\#
s or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":\#
{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#\#
/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identit\#
ies","isDefault","name","project","state","tokenUsable"],"title":"ritualctl whoami --json","type":"object"},"w\#
hy":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Show the next refresh, the reason\#
, and recent attempts.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"The account."},\#
"explanation":{"description":"Sentences, most important first.","items":{"type":"string"},"type":"array"},"for\#
matVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mi\#
sread a document.","type":"integer"},"tries":{"description":"The recent attempts, newest first.","items":{"$re\#
f":"#/$defs/RefreshTry"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are non\#
e.","items":{"type":"string"},"type":"array"}},"required":["account","explanation","formatVersion","tries"],"t\#
itle":"ritualctl why --json","type":"object"}}}
"""#
}
