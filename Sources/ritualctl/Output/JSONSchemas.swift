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
"authenticated","degraded","signInNeeded","locked","copied","misconfigured","formatTooNew"],"type":"string"},"\#
AccountStatus":{"description":"An account as `session.status` returns it, without any token.","properties":{"a\#
ctivity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"assuranc\#
e":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level that is po\#
ssible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the ses\#
sion ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this \#
machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","t\#
ype":"string"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":\#
"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account nam\#
e use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a secon\#
d factor is needed; present in the result of a sign-in."},"name":{"description":"The account's name.","type":"\#
string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"or\#
igin":{"description":"The origin that issued the session, or the configured origin if there is no session.","t\#
ype":"string"},"project":{"description":"The project's name in the configuration.","type":"string"},"refresh":\#
{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session":{"$\#
ref":"#/$defs/SessionLife","description":"When the session started, and when and why it ends or ended."},"stat\#
e":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whe\#
ther `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser"\#
,"description":"The signed-in user."}},"required":["activity","identities","isDefault","name","project","state\#
","tokenUsable"],"type":"object"},"AccountUser":{"description":"The signed-in user.","properties":{"email":{"d\#
escription":"The user's email address.","type":"string"},"id":{"description":"The user's id on the server, a U\#
UID.","type":"string"},"isAnonymous":{"description":"True for an anonymous user, who is lost with a sign-out."\#
,"type":"boolean"},"name":{"description":"The user's name.","type":"string"},"phone":{"description":"The user'\#
s phone number, without `+`.","type":"string"},"provider":{"description":"The method of the last sign-in: a pr\#
ovider by Supabase's name, `email`, `phone`, `sso` or `anonymous`.","type":"string"}},"required":["id"],"type"\#
:"object"},"AgentError":{"description":"The error object of a response (JSON-RPC 2.0, section 5.1), and the er\#
ror that the agent and its clients throw.","properties":{"code":{"description":"The JSON-RPC code of the kind.\#
","type":"integer"},"data":{"$ref":"#/$defs/AgentError.Details","description":"The details for programs."},"me\#
ssage":{"description":"The message for the user.","type":"string"}},"required":["code","message"],"type":"obje\#
ct"},"AgentError.Details":{"description":"The part of an error that programs read.","properties":{"account":{"\#
description":"The account that the error concerns.","type":"string"},"approval":{"description":"For `approvalN\#
eeded`, the id that `approval.wait` and `ritualctl approvals allow` take.","type":"string"},"detail":{"descrip\#
tion":"For `offline`, the host and the cause of the failed connection; never a secret.","type":"string"},"hint\#
":{"description":"The command to run, or another next step.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKin\#
d","description":"The stable name, for programs to branch on."},"retryAfter":{"description":"Seconds to wait b\#
efore a retry.","type":"number"},"retryable":{"description":"Whether the same request can succeed later withou\#
t intervention.","type":"boolean"}},"required":["kind","retryable"],"type":"object"},"Approval":{"description"\#
:"An access request from a rule with `action = \"ask\"`, or the stored answer to one.","properties":{"account"\#
:{"description":"The account that the program wants to use.","type":"string"},"askedAt":{"description":"When t\#
he first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9\#
]{2}Z$","type":"string"},"executable":{"description":"The executable of that process, without arguments; absen\#
t if it cannot be read.","type":"string"},"id":{"description":"The id that `approval.answer`, `approval.revoke\#
` and `ritualctl approvals` take.","type":"string"},"method":{"description":"The method of the first request."\#
,"type":"string"},"pid":{"description":"The process that made the first request.","type":"integer"},"state":{"\#
$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"The sy\#
stemd unit of that process; absent if it has none.","type":"string"},"until":{"description":"When the request \#
or the answer expires. Absent for an approval that is valid until the vault is locked, and for a denial that i\#
s valid until the agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:\#
[0-9]{2}Z$","type":"string"}},"required":["account","askedAt","id","method","pid","state"],"type":"object"},"A\#
pprovalState":{"description":"The state of an approval.","examples":["pending","allowed","denied","expired"],"\#
type":"string"},"AuditEntry":{"description":"An audit log entry with its sequence number.","properties":{"acce\#
pted":{"description":"The answer to a decision.","type":"boolean"},"account":{"description":"The account that \#
the entry concerns.","type":"string"},"at":{"description":"When it happened.","format":"date-time","pattern":"\#
^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"count":{"description":"How many ti\#
mes the token was issued, how many requests were sent, or how many entries were dropped.","minimum":0,"type":"\#
integer"},"detail":{"description":"Readable details: how, why or to what extent.","type":"string"},"event":{"$\#
ref":"#/$defs/AuditEvent","description":"The kind of entry."},"executable":{"description":"The executable of t\#
he process, without arguments; absent if it cannot be read.","type":"string"},"first":{"description":"When the\#
 token was first issued, or the first request was answered.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2\#
}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"description":"Identifies an issued token\#
: a later entry with the same number has the updated count.","minimum":0,"type":"integer"},"last":{"descriptio\#
n":"When the token was last issued, or the last request was answered.","format":"date-time","pattern":"^[0-9]{\#
4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"pid":{"description":"The process, as iden\#
tified when it connected.","type":"integer"},"previous":{"description":"The MAC that precedes the first entry \#
of a file, in hex.","type":"string"},"project":{"description":"The project that the entry concerns.","type":"s\#
tring"},"provider":{"description":"`apple`, `google`, `email` …","type":"string"},"sequence":{"description":"I\#
ncreases by one with every entry, starting at 1.","minimum":0,"type":"integer"},"statuses":{"additionalPropert\#
ies":{"minimum":0,"type":"integer"},"description":"The number of requests by the status of the response: `1xx`\#
 to `5xx`, or `other`.","type":"object"},"token":{"description":"The first 16 hex digits of the SHA-256 of the\#
 access token.","type":"string"},"unit":{"description":"The systemd unit of the process.","type":"string"},"wa\#
y":{"description":"How the token was issued or used: `token`, `events` or `api`.","type":"string"}},"required"\#
:["at","event","sequence"],"type":"object"},"AuditEvent":{"description":"The kind of an audit log entry.","exa\#
mples":["agentStarted","agentStopped","signedIn","signedOut","sessionEnded","linked","unlinked","decided","den\#
ied","approvalAsked","approvalAnswered","approvalRevoked","handOut","egressUsed","grantMade","grantEnded","api\#
Accepted","factorEnrolled","factorVerified","factorRemoved","accountRenamed","accountRemoved","vaultLocked","v\#
aultUnlocked","keyAdded","keyRemoved","rekeyed","vaultAdopted","fileBegun","interrupted","entriesLost"],"type"\#
:"string"},"AuditVerify.Finding":{"description":"A mismatch of the log with the chain.","properties":{"file":{\#
"description":"The name of the file in the log's directory.","type":"string"},"first":{"description":"The firs\#
t affected entry; absent if the finding concerns a file.","minimum":0,"type":"integer"},"kind":{"description":\#
"`edited`, `removed`, `cut`, `reordered`, `repeated`, `exchanged`, `missingFile`, `unknownFile` or `noKey`.","\#
type":"string"},"last":{"description":"The last affected entry; absent if the finding concerns a file.","minim\#
um":0,"type":"integer"}},"required":["file","kind"],"type":"object"},"CheckOutcome":{"description":"The outcom\#
e of a check of `agent.diagnose` or `ritualctl doctor`.","examples":["ok","warn","fail"],"type":"string"},"Dia\#
gnosticCheck":{"description":"The result of one check.","properties":{"name":{"description":"The subject of th\#
e check, such as `vault` or `tls`.","type":"string"},"next":{"description":"The remedy, as a command if there \#
is one; absent if nothing needs to be done.","type":"string"},"outcome":{"$ref":"#/$defs/CheckOutcome","descri\#
ption":"Whether the check passed."},"project":{"description":"The project's name in the configuration; absent \#
if the check does not concern a project.","type":"string"},"words":{"description":"The finding, in readable fo\#
rm.","type":"string"}},"required":["name","outcome","words"],"type":"object"},"EgressList.Grant":{"description\#
":"A valid grant.","properties":{"account":{"description":"The account whose token is added.","type":"string"}\#
,"createdAt":{"description":"When the grant was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9\#
]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that proces\#
s, without arguments; absent if it cannot be read.","type":"string"},"expiresAt":{"description":"When the gran\#
t ends.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"str\#
ing"},"id":{"description":"The id that `egress.revoke` takes.","type":"string"},"methods":{"description":"HTTP\#
 methods that the grant is limited to; absent for all.","items":{"type":"string"},"type":"array"},"paths":{"de\#
scription":"Paths that the grant is limited to; absent for all.","items":{"type":"string"},"type":"array"},"pi\#
d":{"description":"The process that asked for the grant.","type":"integer"},"process":{"description":"True if \#
the grant ends with that process.","type":"boolean"},"requests":{"description":"The number of requests that we\#
re sent with the grant.","minimum":0,"type":"integer"},"unit":{"description":"The systemd unit of that process\#
; absent if it has none.","type":"string"}},"required":["account","createdAt","expiresAt","id","pid","process"\#
,"requests"],"type":"object"},"EndedSession":{"description":"The end of a session without a sign-out on this m\#
achine.","properties":{"at":{"description":"When the session ended.","format":"date-time","pattern":"^[0-9]{4}\#
-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"description":"A readable reason, \#
such as \"ended elsewhere\".","type":"string"}},"required":["at","reason"],"type":"object"},"ErrorDocument.Det\#
ails":{"description":"The reason of a failure.","properties":{"account":{"description":"The account that the e\#
rror concerns.","type":"string"},"detail":{"description":"The host and the cause of a failed connection.","typ\#
e":"string"},"hint":{"description":"The next step, a command if there is one.","type":"string"},"kind":{"descr\#
iption":"The stable name, for programs to branch on: an error kind of the agent, or `unreachable`, `foreignSer\#
ver`, `protocolViolation`, `disconnected`, `usage`, `failed`, `cancelled` or `unchanged`.","type":"string"},"m\#
essage":{"description":"The message for the user.","type":"string"},"retryAfter":{"description":"Seconds to wa\#
it before a retry.","type":"number"},"retryable":{"description":"Whether the same command can succeed later wi\#
thout intervention.","type":"boolean"}},"required":["kind","message","retryable"],"type":"object"},"ErrorKind"\#
:{"description":"The stable name of an error: `data.kind` on the wire.","examples":["approvalNeeded","callback\#
Invalid","cancelled","captchaRequired","codeInvalid","denied","emailNotConfirmed","flowBusy","flowTimedOut","f\#
lowUnknown","formatTooNew","identityTaken","internalError","invalidCredentials","invalidParams","invalidReques\#
t","lastIdentity","linkingConflict","linkingDisabled","methodDisabled","methodNotFound","mfaNeeded","misconfig\#
ured","notReady","offline","parseError","rateLimited","serviceUnavailable","signInNeeded","storageFull","timed\#
Out","tooLarge","tooMany","unknownAccount","unsupportedVersion","userExists","vaultCopied","vaultDamaged","vau\#
ltLocked","vaultUnavailable","weakPassword","wrongKey","wrongUser"],"type":"string"},"EventType":{"description\#
":"The name of an event, in the style of Supabase clients.","examples":["INITIAL_SESSION","SIGNED_IN","TOKEN_R\#
EFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CHANGED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","\#
DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"strin\#
g"},"MetricFamily":{"description":"A metric family of OpenMetrics 1.0, section \"MetricFamily\".","properties"\#
:{"help":{"description":"A readable description of the family.","type":"string"},"name":{"description":"The na\#
me of the family.","type":"string"},"samples":{"description":"The samples of the family.","items":{"$ref":"#/$\#
defs/MetricFamily.Sample"},"type":"array"},"type":{"description":"`counter`, `gauge`, `histogram`, `info` or `\#
stateset`.","type":"string"},"unit":{"description":"The unit, which is the last part of the name; absent if th\#
ere is none.","type":"string"}},"required":["help","name","samples","type"],"type":"object"},"MetricFamily.Sam\#
ple":{"description":"A sample of a family: one value with its labels.","properties":{"labels":{"additionalProp\#
erties":{"type":"string"},"description":"The labels of the sample, by name.","type":"object"},"suffix":{"descr\#
iption":"The suffix of the metric name: `_total`, `_bucket`, `_count`, `_sum`, `_info` or empty.","type":"stri\#
ng"},"value":{"description":"The value of the sample.","type":"number"}},"required":["labels","suffix","value"\#
],"type":"object"},"NextStep":{"description":"The next sensible step on this machine.","properties":{"reason":\#
{"description":"Why it is the next step.","type":"string"},"step":{"description":"A command, or an instruction\#
 if no command helps.","type":"string"}},"required":["reason","step"],"type":"object"},"Overview.Group":{"desc\#
ription":"A group of commands.","properties":{"commands":{"description":"The names of its commands.","items":{\#
"type":"string"},"type":"array"},"name":{"description":"The title of the group.","type":"string"}},"required":\#
["commands","name"],"type":"object"},"RefreshStatus":{"description":"The refresh schedule of an account and it\#
s recent failures.","properties":{"attempts":{"description":"The number of failed attempts since the last succ\#
ess.","type":"integer"},"clockSkew":{"description":"Seconds by which the server's clock is ahead of this machi\#
ne's, measured at its last answer. A skew of about one second is normal.","type":"integer"},"lastError":{"$ref\#
":"#/$defs/AgentError","description":"The most recent error since the last success."},"nextAt":{"description":\#
"When the next attempt is due.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:\#
[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":"object"},"RefreshTry":{"description":"One refres\#
h attempt.","properties":{"at":{"description":"When the attempt began.","format":"date-time","pattern":"^[0-9]\#
{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"error":{"$ref":"#/$defs/ErrorKind","desc\#
ription":"The kind of the error, if the attempt failed."},"latency":{"description":"The duration of the attemp\#
t in seconds.","type":"number"},"outcome":{"description":"`refreshed`, `ended`, `failed`, `refused`, `banned`,\#
 `paused`, `misconfigured`.","type":"string"},"reason":{"description":"The trigger: `ahead`, `demand`, `reject\#
ed`, `forced`, `start`, `retry`, `sleep`.","type":"string"},"status":{"description":"The HTTP status, if the s\#
erver answered.","type":"integer"}},"required":["at","latency","outcome","reason"],"type":"object"},"SecondFac\#
torNeed":{"description":"A sign-in's need for a second factor.","properties":{"endsAccounts":{"description":"T\#
he other accounts of this agent whose sessions end with a verification: those of the same user without a secon\#
d factor.","items":{"type":"string"},"type":"array"},"endsAt":{"description":"When the server ends a session w\#
ithout the second factor; absent if that is not known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-\#
9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factors":{"description":"The user's verified factors.","\#
items":{"$ref":"#/$defs/AccountFactor"},"type":"array"},"flow":{"description":"The flow in which the agent's p\#
age asks for the code, for `signIn.wait` and `signIn.cancel`; absent if no page asks.","type":"string"},"neede\#
d":{"description":"True if the user has a verified factor and the session does not have its level yet. The ses\#
sion is stored and works; what requires the second factor does not.","type":"boolean"},"verifiedElsewhereAt":{\#
"description":"When a second factor was verified elsewhere, which probably ended the account's former session.\#
","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},\#
"required":["factors","needed"],"type":"object"},"SessionEndReason":{"description":"The reason why a session e\#
nded.","examples":["signedOut","endedElsewhere","timebox","inactivity","lowAssurance","newerSignIn","userGone"\#
,"unknown"],"type":"string"},"SessionLife":{"description":"The life of an account's session.","properties":{"e\#
ndReason":{"$ref":"#/$defs/SessionEndReason","description":"Why the session ended, or why the server currently\#
 refuses to continue it."},"endsAt":{"description":"When the session is expected to end; absent if no limit is\#
 known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"str\#
ing"},"isEstimate":{"description":"True if `endsAt` follows from an earlier session of this project, not from \#
`session_limit`.","type":"boolean"},"startedAt":{"description":"When the user signed in; absent if that is not\#
 known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"str\#
ing"}},"type":"object"},"SessionSignOut.Failure":{"description":"An account that is still signed in.","propert\#
ies":{"account":{"description":"The account's name.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","desc\#
ription":"The kind of the error."},"message":{"description":"The message for the user.","type":"string"}},"req\#
uired":["account","kind","message"],"type":"object"},"SessionToken.Endpoints":{"description":"The project's UR\#
Ls and key, which a tool needs to use the token.","properties":{"anonKey":{"description":"The anon or publisha\#
ble key, which Supabase expects in the header `apikey`.","type":"string"},"apiURL":{"description":"The configu\#
red API URL, or the project URL if there is none. Absent if the API URL changed after the sign-in and was not \#
accepted yet (`session.useAPI`).","type":"string"},"projectURL":{"description":"The project URL, without a tra\#
iling slash.","type":"string"}},"required":["anonKey","projectURL"],"type":"object"},"SessionToken.Result":{"d\#
escription":"A valid access token.","properties":{"accessToken":{"description":"The bearer token. Never log it\#
 or pass it as a command-line argument.","type":"string"},"account":{"description":"The account that the token\#
 belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","description":"The project\#
 that accepts the token, if the caller asked for it."},"expiresAt":{"description":"The token's expiry, by this\#
 machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","\#
type":"string"},"expiresIn":{"description":"Seconds until the token expires.","type":"integer"},"tokenType":{"\#
description":"`bearer` (RFC 6750).","type":"string"},"unchanged":{"description":"True if the caller reported t\#
his token as rejected and there is no newer one. The caller must not repeat its request.","type":"boolean"}},"\#
required":["accessToken","account","expiresAt","expiresIn","tokenType"],"type":"object"},"SetupAnswer.Step":{"\#
description":"A text, and its place.","properties":{"text":{"description":"The text to add.","type":"string"},\#
"where":{"description":"Where the text belongs.","type":"string"}},"required":["text","where"],"type":"object"\#
},"SetupListAnswer.Entry":{"description":"One setup.","properties":{"name":{"description":"The name for `ritua\#
lctl setup`.","type":"string"},"purpose":{"description":"What it sets up.","type":"string"}},"required":["name\#
","purpose"],"type":"object"},"SignInDecision":{"description":"A decision that a person makes before a sign-in\#
 takes effect.","properties":{"account":{"description":"The name of the account to sign in to.","type":"string\#
"},"flow":{"description":"The flow that `identity.decide` takes.","type":"string"},"identity":{"$ref":"#/$defs\#
/AccountIdentity","description":"For `link`, the linked sign-in method."},"kind":{"description":"`newAccount`:\#
 confirm the user of a first sign-in by a pasted URL. `link`: accept that the server linked the sign-in to an \#
account with other sign-in methods.","type":"string"},"others":{"description":"For `link`, the sign-in methods\#
 that the account had before.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"user":{"$ref":"#/$d\#
efs/AccountUser","description":"The user who signed in."}},"required":["account","flow","kind","user"],"type":\#
"object"},"SignInResult.Outcome":{"description":"How a sign-in ended.","examples":["signedIn","confirmationSen\#
t","decisionNeeded"],"type":"string"},"TelemetryRecord":{"description":"One event, such as `auth_completed` wi\#
th `duration_ms`.","properties":{"at":{"description":"When the event happened.","format":"date-time","pattern"\#
:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"description":"The event\#
's name.","type":"string"},"properties":{"additionalProperties":{"type":"string"},"description":"Values of `me\#
thod`, `reason`, `error_type` or `duration_ms`: numbers or members of a fixed set.","type":"object"}},"require\#
d":["at","event","properties"],"type":"object"},"UnrevokedSession":{"description":"A session that a reset remo\#
ves on this machine, but that is not revoked on its server.","properties":{"account":{"description":"The accou\#
nt's name.","type":"string"},"reason":{"description":"A readable reason.","type":"string"}},"required":["accou\#
nt","reason"],"type":"object"},"VaultFinding":{"description":"The result of checking one file of the vault.","\#
properties":{"detail":{"description":"Readable details.","type":"string"},"file":{"description":"The file's na\#
me in the vault's directory, which reveals nothing about its content.","type":"string"},"state":{"description"\#
:"`ok`, `damaged`, `newer`, `unreadable`, `setAside`, `missing` or `foreign`.","type":"string"}},"required":["\#
file","state"],"type":"object"},"VaultKey":{"description":"A key that opens the vault.","properties":{"id":{"d\#
escription":"32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind"\#
:{"$ref":"#/$defs/VaultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passphras\#
e, the Argon2id memory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphras\#
e, the number of Argon2id passes for each attempt.","type":"integer"}},"required":["id","kind"],"type":"object\#
"},"VaultKeyKind":{"description":"The kind of a vault key.","examples":["keyFile","passphrase","credential"],"\#
type":"string"},"VaultSummary":{"description":"The state of the vault.","properties":{"damaged":{"description"\#
:"The file names of records that were set aside as damaged.","items":{"type":"string"},"type":"array"},"error"\#
:{"$ref":"#/$defs/ErrorKind","description":"Why the vault is `unavailable`, such as `vaultDamaged`; `protectio\#
n` then holds the remedy."},"openedBy":{"description":"The key that opened the vault: `key file`, `passphrase`\#
 or `systemd credential`.","type":"string"},"protection":{"description":"A readable statement of what the key \#
protects and what it does not.","type":"string"},"state":{"description":"`open`, `copied` (from another machin\#
e: refreshes are suspended), `locked` or `unavailable`.","type":"string"}},"required":["damaged","state"],"typ\#
e":"object"}},"commands":{"accounts list":{"$schema":"https://json-schema.org/draft/2020-12/schema","descripti\#
on":"List accounts.","properties":{"accounts":{"description":"All accounts.","items":{"$ref":"#/$defs/AccountS\#
tatus"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when\#
 an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings;\#
 absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"]\#
,"title":"ritualctl accounts list --json","type":"object"},"accounts remove":{"$schema":"https://json-schema.o\#
rg/draft/2020-12/schema","description":"Sign an account out and delete everything stored about it.","propertie\#
s":{"account":{"description":"The name of the removed account.","type":"string"},"formatVersion":{"const":1,"d\#
escription":"The version of the format. It increases when an existing script would misread a document.","type"\#
:"integer"},"isPending":{"description":"True if the server has not confirmed the end of the session yet; the a\#
gent keeps trying.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none."\#
,"items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","isPending"],"title":"ritual\#
ctl accounts remove --json","type":"object"},"accounts rename":{"$schema":"https://json-schema.org/draft/2020-\#
12/schema","description":"Rename an account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","desc\#
ription":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","descripti\#
on":"The session's level of assurance and the level that is possible; absent without a session."},"ended":{"$r\#
ef":"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"\#
expiresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time","pattern"\#
:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"descr\#
iption":"The version of the format. It increases when an existing script would misread a document.","type":"in\#
teger"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$def\#
s/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use t\#
his account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second facto\#
r is needed; present in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"\#
},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{\#
"description":"The origin that issued the session, or the configured origin if there is no session.","type":"s\#
tring"},"project":{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref"\#
:"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#\#
/$defs/SessionLife","description":"When the session started, and when and why it ends or ended."},"state":{"$r\#
ef":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whether `s\#
ession.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","descr\#
iption":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items\#
":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","p\#
roject","state","tokenUsable"],"title":"ritualctl accounts rename --json","type":"object"},"api":{"$schema":"h\#
ttps://json-schema.org/draft/2020-12/schema","description":"Send an authorized API request and print the respo\#
nse body.","properties":{"body":{"description":"The body in base64 (RFC 4648, section 4).","type":"string"},"f\#
ormatVersion":{"const":1,"description":"The version of the format. It increases when an existing script would \#
misread a document.","type":"integer"},"headers":{"description":"The response headers, as pairs of name and va\#
lue.","items":{"items":{"type":"string"},"type":"array"},"type":"array"},"status":{"description":"The HTTP sta\#
tus.","type":"integer"},"text":{"description":"The body again if it is text: UTF-8 of a content type `text/*` \#
or JSON.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"\#
type":"string"},"type":"array"}},"required":["body","formatVersion","headers","status"],"title":"ritualctl api\#
 --json","type":"object"},"approvals allow":{"$schema":"https://json-schema.org/draft/2020-12/schema","descrip\#
tion":"Allow a program to use the account that it requested.","properties":{"account":{"description":"The acco\#
unt that the program wants to use.","type":"string"},"askedAt":{"description":"When the first request was made\#
.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},\#
"executable":{"description":"The executable of that process, without arguments; absent if it cannot be read.",\#
"type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an exi\#
sting script would misread a document.","type":"integer"},"id":{"description":"The id that `approval.answer`, \#
`approval.revoke` and `ritualctl approvals` take.","type":"string"},"method":{"description":"The method of the\#
 first request.","type":"string"},"pid":{"description":"The process that made the first request.","type":"inte\#
ger"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"desc\#
ription":"The systemd unit of that process; absent if it has none.","type":"string"},"until":{"description":"W\#
hen the request or the answer expires. Absent for an approval that is valid until the vault is locked, and for\#
 a denial that is valid until the agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0\#
-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"description":"Readable warnings; absent if there are\#
 none.","items":{"type":"string"},"type":"array"}},"required":["account","askedAt","formatVersion","id","metho\#
d","pid","state"],"title":"ritualctl approvals allow --json","type":"object"},"approvals deny":{"$schema":"htt\#
ps://json-schema.org/draft/2020-12/schema","description":"Deny a program access. Its requests are refused whil\#
e the answer is valid.","properties":{"account":{"description":"The account that the program wants to use.","t\#
ype":"string"},"askedAt":{"description":"When the first request was made.","format":"date-time","pattern":"^[0\#
-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The execu\#
table of that process, without arguments; absent if it cannot be read.","type":"string"},"formatVersion":{"con\#
st":1,"description":"The version of the format. It increases when an existing script would misread a document.\#
","type":"integer"},"id":{"description":"The id that `approval.answer`, `approval.revoke` and `ritualctl appro\#
vals` take.","type":"string"},"method":{"description":"The method of the first request.","type":"string"},"pid\#
":{"description":"The process that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/Approva\#
lState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that pro\#
cess; absent if it has none.","type":"string"},"until":{"description":"When the request or the answer expires.\#
 Absent for an approval that is valid until the vault is locked, and for a denial that is valid until the agen\#
t stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"st\#
ring"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"typ\#
e":"array"}},"required":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl a\#
pprovals deny --json","type":"object"},"approvals list":{"$schema":"https://json-schema.org/draft/2020-12/sche\#
ma","description":"List pending requests and valid answers.","properties":{"approvals":{"description":"The pen\#
ding access requests and the valid answers, oldest first.","items":{"$ref":"#/$defs/Approval"},"type":"array"}\#
,"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wou\#
ld misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are no\#
ne.","items":{"type":"string"},"type":"array"}},"required":["approvals","formatVersion"],"title":"ritualctl ap\#
provals list --json","type":"object"},"approvals revoke":{"$schema":"https://json-schema.org/draft/2020-12/sch\#
ema","description":"Delete an answer. The next request needs a new one.","properties":{"formatVersion":{"const\#
":1,"description":"The version of the format. It increases when an existing script would misread a document.",\#
"type":"integer"},"id":{"description":"The id of the approval.","type":"string"},"warnings":{"description":"Re\#
adable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVers\#
ion","id"],"title":"ritualctl approvals revoke --json","type":"object"},"audit":{"$schema":"https://json-schem\#
a.org/draft/2020-12/schema","anyOf":[{"description":"Without `--verify`.","properties":{"entries":{"descriptio\#
n":"The entries, newest last.","items":{"$ref":"#/$defs/AuditEntry"},"type":"array"},"formatVersion":{"const":\#
1,"description":"The version of the format. It increases when an existing script would misread a document.","t\#
ype":"integer"},"isChecked":{"description":"Whether each entry was checked against the chain; false while the \#
vault is locked.","type":"boolean"},"leftOut":{"description":"The number of lines in the files read that do no\#
t match the chain. They are not among the entries.","type":"integer"},"more":{"description":"Whether older ent\#
ries exist.","type":"boolean"},"unknownCount":{"description":"The total number of unknown files.","type":"inte\#
ger"},"unknownFiles":{"description":"Files in the log's directory that the agent did not create: their escaped\#
 names, at most 20.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable warnings; a\#
bsent if there are none.","items":{"type":"string"},"type":"array"}},"required":["entries","formatVersion","is\#
Checked","leftOut","more","unknownCount","unknownFiles"],"type":"object"},{"description":"With `--verify`.","p\#
roperties":{"findings":{"description":"The mismatches with the chain; empty if the log is intact.","items":{"$\#
ref":"#/$defs/AuditVerify.Finding"},"type":"array"},"first":{"description":"The first entry that is kept.","mi\#
nimum":0,"type":"integer"},"fitting":{"description":"The number of entries that match the chain.","type":"inte\#
ger"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"interruptions":{"description":"The entries after which the age\#
nt ended without a clean stop. Entries of up to one second before may be missing.","items":{"minimum":0,"type"\#
:"integer"},"type":"array"},"isWhole":{"description":"True if there are no findings.","type":"boolean"},"limit\#
s":{"description":"Readable statements of what the verification does not prove.","items":{"type":"string"},"ty\#
pe":"array"},"sealed":{"description":"The last entry that is sealed in the vault.","minimum":0,"type":"integer\#
"},"unsealed":{"description":"The number of entries after the last sealed one. They match the chain, but their\#
 removal would go unnoticed.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there \#
are none.","items":{"type":"string"},"type":"array"}},"required":["findings","first","fitting","formatVersion"\#
,"interruptions","isWhole","limits","sealed","unsealed"],"type":"object"}],"description":"Show sign-ins, sign-\#
outs, and issued tokens, newest last.","title":"ritualctl audit --json"},"complete-sign-in":{"$schema":"https:\#
//json-schema.org/draft/2020-12/schema","description":"Finish a sign-in by pasting the redirect URL.","propert\#
ies":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$re\#
f":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `identity.decide\#
` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It increases when a\#
n existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","descr\#
iption":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome"\#
,"description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warn\#
ings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outco\#
me"],"title":"ritualctl complete-sign-in --json","type":"object"},"doctor":{"$schema":"https://json-schema.org\#
/draft/2020-12/schema","description":"Check the setup and show how to fix problems.","properties":{"checks":{"\#
description":"The results of the checks.","items":{"$ref":"#/$defs/DiagnosticCheck"},"type":"array"},"formatVe\#
rsion":{"const":1,"description":"The version of the format. It increases when an existing script would misread\#
 a document.","type":"integer"},"isHealthy":{"description":"Whether no check failed.","type":"boolean"},"versi\#
on":{"description":"The version of this program.","type":"string"},"warnings":{"description":"Readable warning\#
s; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["checks","formatVersion",\#
"isHealthy","version"],"title":"ritualctl doctor --json","type":"object"},"error":{"$schema":"https://json-sch\#
ema.org/draft/2020-12/schema","description":"The error of any command, on standard error.","properties":{"erro\#
r":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":{"description\#
":"The exit status of the command.","type":"integer"},"formatVersion":{"const":1,"description":"The version of\#
 the format. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"de\#
scription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required\#
":["error","exitStatus","formatVersion"],"title":"ritualctl: error","type":"object"},"events":{"$schema":"http\#
s://json-schema.org/draft/2020-12/schema","description":"One line per event: the current state first, then eve\#
ry change.","properties":{"account":{"description":"The account that changed; absent if the event does not con\#
cern an account.","type":"string"},"approval":{"$ref":"#/$defs/Approval","description":"The pending access req\#
uest (`APPROVAL_NEEDED`), or the answered or expired one (`APPROVAL_ANSWERED`)."},"at":{"description":"When it\#
 changed.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"s\#
tring"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scr\#
ipt would misread a document.","type":"integer"},"program":{"description":"For `MFA_NEEDED`, the program's fil\#
e and unit, as far as the kernel told.","type":"string"},"reason":{"description":"A readable reason, for `SIGN\#
ED_OUT` and `STATE_CHANGED`; the program's own reason for `MFA_NEEDED`; for `ACCOUNT_LINKED` the provider and \#
how it was linked.","type":"string"},"sequence":{"description":"Increases by one with each change. Events that\#
 describe the current state to a new subscriber carry the number of the last change in that state.","minimum":\#
0,"type":"integer"},"status":{"$ref":"#/$defs/AccountStatus","description":"The account after the change."},"t\#
oken":{"$ref":"#/$defs/SessionToken.Result","description":"The new token, for subscribers that requested token\#
s."},"type":{"$ref":"#/$defs/EventType","description":"The kind of change."}},"required":["at","formatVersion"\#
,"sequence","type"],"title":"ritualctl events --json","type":"object"},"exec":{"$schema":"https://json-schema.\#
org/draft/2020-12/schema","description":"Why the command was not run, on standard error. The output of the com\#
mand itself is unchanged.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why th\#
e command failed."},"exitStatus":{"description":"The exit status of the command.","type":"integer"},"formatVer\#
sion":{"const":1,"description":"The version of the format. It increases when an existing script would misread \#
a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items\#
":{"type":"string"},"type":"array"}},"required":["error","exitStatus","formatVersion"],"title":"ritualctl exec\#
 --json","type":"object"},"grant":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Get\#
 a loopback URL and a stand-in token for one tool.","properties":{"expiresAt":{"description":"When the grant e\#
nds.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string\#
"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script w\#
ould misread a document.","type":"integer"},"id":{"description":"The id that `egress.revoke` takes.","type":"s\#
tring"},"token":{"description":"The stand-in: the tool sends it as bearer token or as `apikey`. It is worth no\#
thing anywhere else.","pattern":"^sb_ritual_[A-Za-z0-9_-]{43}$","type":"string"},"url":{"description":"`http:/\#
/127.0.0.1:PORT/`","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","\#
items":{"type":"string"},"type":"array"}},"required":["expiresAt","formatVersion","id","token","url"],"title":\#
"ritualctl grant --json","type":"object"},"grants list":{"$schema":"https://json-schema.org/draft/2020-12/sche\#
ma","description":"List the valid grants, oldest first.","properties":{"formatVersion":{"const":1,"description\#
":"The version of the format. It increases when an existing script would misread a document.","type":"integer"\#
},"grants":{"description":"The valid grants, oldest first.","items":{"$ref":"#/$defs/EgressList.Grant"},"type"\#
:"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"\#
type":"array"}},"required":["formatVersion","grants"],"title":"ritualctl grants list --json","type":"object"},\#
"grants revoke":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"End a grant and its o\#
pen streams.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases \#
when an existing script would misread a document.","type":"integer"},"id":{"description":"The id of the grant.\#
","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"s\#
tring"},"type":"array"}},"required":["formatVersion","id"],"title":"ritualctl grants revoke --json","type":"ob\#
ject"},"help":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"With `--help`\#
 or `--version`.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"groups":{"description":"The groups o\#
f commands; only with the help of the program itself.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array\#
"},"text":{"description":"The text.","type":"string"}},"required":["formatVersion","text"],"type":"object"},{"\#
description":"Without a command.","properties":{"formatVersion":{"const":1,"description":"The version of the f\#
ormat. It increases when an existing script would misread a document.","type":"integer"},"groups":{"descriptio\#
n":"The commands by group.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"next":{"$ref":"#/$defs/\#
NextStep","description":"The next sensible step on this machine."}},"required":["formatVersion","groups","next\#
"],"type":"object"}],"description":"The output of `--help` and `--version`, and of `ritualctl` without a comma\#
nd.","title":"ritualctl: help"},"identities":{"$schema":"https://json-schema.org/draft/2020-12/schema","descri\#
ption":"List linked sign-in methods.","properties":{"account":{"description":"The account whose user has the s\#
ign-in methods.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It incr\#
eases when an existing script would misread a document.","type":"integer"},"identities":{"description":"The li\#
nked sign-in methods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"\#
False if the server could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"\#
description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requir\#
ed":["account","formatVersion","identities","isCurrent"],"title":"ritualctl identities --json","type":"object"\#
},"init":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a Supabase project to th\#
e configuration, or change one.","properties":{"apiAccepted":{"description":"The accounts that accepted the AP\#
I of `--api-url`; absent without that option.","items":{"type":"string"},"type":"array"},"change":{"descriptio\#
n":"`added`, `updated` or `none`.","type":"string"},"configuration":{"description":"The path of the configurat\#
ion file.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases \#
when an existing script would misread a document.","type":"integer"},"note":{"description":"A note about the p\#
art that was removed from a pasted URL.","type":"string"},"project":{"description":"The project's name.","type\#
":"string"},"warning":{"description":"A problem with the reload of a running agent, or with the project.","typ\#
e":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"\#
},"type":"array"}},"required":["change","configuration","formatVersion","project"],"title":"ritualctl init --j\#
son","type":"object"},"link":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description"\#
:"The outcome.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the acc\#
ount."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the \#
person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the for\#
mat. It increases when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/\#
SecondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$de\#
fs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"des\#
cription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required"\#
:["formatVersion","outcome"],"type":"object"},{"description":"With `--no-browser`.","properties":{"expiresAt":\#
{"description":"When the flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]\#
{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":"string"\#
},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{"descri\#
ption":"The URL to open.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outcome","url\#
"],"type":"object"},{"description":"With `link email`, without `--code-stdin`.","properties":{"address":{"desc\#
ription":"The email address or phone number to which the code was sent.","type":"string"},"flow":{"description\#
":"The ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"formatVersion":{"c\#
onst":1,"description":"The version of the format. It increases when an existing script would misread a documen\#
t.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"description":"Se\#
conds until the project sends another code to this address.","type":"number"},"warnings":{"description":"Reada\#
ble warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["address","flo\#
w","formatVersion","outcome","resendAfter"],"type":"object"}],"description":"Link a provider or an email addre\#
ss as a sign-in method.","title":"ritualctl link --json"},"lock":{"$schema":"https://json-schema.org/draft/202\#
0-12/schema","description":"Lock the vault. No tokens are issued or refreshed until it is unlocked.","properti\#
es":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script\#
 would misread a document.","type":"integer"},"opensByFile":{"description":"Whether a key file or credential o\#
pens the vault again, so that any program of the user can unlock it.","type":"boolean"},"warning":{"descriptio\#
n":"A readable problem that did not prevent the lock.","type":"string"},"warnings":{"description":"Readable wa\#
rnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","ope\#
nsByFile"],"title":"ritualctl lock --json","type":"object"},"metrics":{"$schema":"https://json-schema.org/draf\#
t/2020-12/schema","description":"Print the agent's counters in OpenMetrics format.","properties":{"events":{"d\#
escription":"The last events, oldest first.","items":{"$ref":"#/$defs/TelemetryRecord"},"type":"array"},"famil\#
ies":{"description":"The counters, as metric families of OpenMetrics.","items":{"$ref":"#/$defs/MetricFamily"}\#
,"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an exi\#
sting script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent\#
 if there are none.","items":{"type":"string"},"type":"array"}},"required":["events","families","formatVersion\#
"],"title":"ritualctl metrics --json","type":"object"},"mfa enroll":{"$schema":"https://json-schema.org/draft/\#
2020-12/schema","description":"Add a second factor: an authenticator app (totp) or a phone.","properties":{"fa\#
ctor":{"description":"The new factor's ID, for `mfa.verify`. The server forgets an unverified factor after 5 m\#
inutes.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases wh\#
en an existing script would misread a document.","type":"integer"},"secret":{"description":"For `totp`, the se\#
cret in base32. Shown once and stored nowhere; never log it.","type":"string"},"uri":{"description":"For `totp\#
`, the `otpauth:` URI for an authenticator app. Contains the secret.","type":"string"},"warnings":{"descriptio\#
n":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["fact\#
or","formatVersion"],"title":"ritualctl mfa enroll --json","type":"object"},"mfa list":{"$schema":"https://jso\#
n-schema.org/draft/2020-12/schema","description":"List the user's second factors.","properties":{"account":{"d\#
escription":"The account whose user has the factors.","type":"string"},"assurance":{"$ref":"#/$defs/AccountAss\#
urance","description":"The session's level."},"endsAccounts":{"description":"The other accounts of this agent \#
whose sessions end with a verification. Every other session of the user without a second factor ends too.","it\#
ems":{"type":"string"},"type":"array"},"factors":{"description":"The factors.","items":{"$ref":"#/$defs/Accoun\#
tFactor"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases wh\#
en an existing script would misread a document.","type":"integer"},"isCurrent":{"description":"False if the se\#
rver could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"R\#
eadable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account",\#
"assurance","endsAccounts","factors","formatVersion","isCurrent"],"title":"ritualctl mfa list --json","type":"\#
object"},"mfa remove":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Remove a second\#
 factor.","properties":{"factor":{"description":"The ID of the removed factor.","type":"string"},"formatVersio\#
n":{"const":1,"description":"The version of the format. It increases when an existing script would misread a d\#
ocument.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{\#
"type":"string"},"type":"array"}},"required":["factor","formatVersion"],"title":"ritualctl mfa remove --json",\#
"type":"object"},"mfa verify":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description\#
":"After the verification.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The oper\#
ation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's\#
 level of assurance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/Ended\#
Session","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"descr\#
iption":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{\#
2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The versi\#
on of the format. It increases when an existing script would misread a document.","type":"integer"},"identitie\#
s":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"\#
},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this account.","typ\#
e":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; prese\#
nt in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"d\#
escription":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The\#
 origin that issued the session, or the configured origin if there is no session.","type":"string"},"project":\#
{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshS\#
tatus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife\#
","description":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/Accou\#
ntState","description":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` woul\#
d return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signe\#
d-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"\#
},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","t\#
okenUsable"],"type":"object"},{"description":"With `--browser`.","properties":{"account":{"$ref":"#/$defs/Acco\#
untStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","descript\#
ion":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersion"\#
:{"const":1,"description":"The version of the format. It increases when an existing script would misread a doc\#
ument.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a se\#
cond factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirma\#
tionSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","ite\#
ms":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"description":\#
"Without `--code-stdin`, for a phone factor.","properties":{"expiresAt":{"description":"When the code expires,\#
 by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]\#
{2}Z$","type":"string"},"factor":{"description":"The factor to which the code belongs.","type":"string"},"form\#
atVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mis\#
read a document.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"warnings":{"descr\#
iption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":[\#
"expiresAt","factor","formatVersion","outcome"],"type":"object"}],"description":"Verify a second factor with a\#
 code; ends the user's other sessions without one.","title":"ritualctl mfa verify --json"},"profile":{"$schema\#
":"https://json-schema.org/draft/2020-12/schema","description":"Show or change the user's profile.","propertie\#
s":{"account":{"description":"The account whose user has the profile.","type":"string"},"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"onboarding":{"description":"`needed` or `complete`.","type":"string"},"prefill":{"addition\#
alProperties":{},"description":"Values that Apple sent at the first sign-in and that the profile lacks. `profi\#
le.update` adds them.","type":"object"},"profile":{"additionalProperties":{},"description":"The profile from t\#
he API; absent if there is none yet.","type":"object"},"warnings":{"description":"Readable warnings; absent if\#
 there are none.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","onboarding\#
"],"title":"ritualctl profile --json","type":"object"},"refresh":{"$schema":"https://json-schema.org/draft/202\#
0-12/schema","description":"Refresh now (at most once every 5 seconds).","properties":{"activity":{"$ref":"#/$\#
defs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/A\#
ccountAssurance","description":"The session's level of assurance and the level that is possible; absent withou\#
t a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present i\#
n state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","fo\#
rmat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"forma\#
tVersion":{"const":1,"description":"The version of the format. It increases when an existing script would misr\#
ead a document.","type":"integer"},"identities":{"description":"The sign-in methods that are linked to the use\#
r.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests wi\#
thout an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","descripti\#
on":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"description":"The accou\#
nt's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.",\#
"type":"string"},"origin":{"description":"The origin that issued the session, or the configured origin if ther\#
e is no session.","type":"string"},"project":{"description":"The project's name in the configuration.","type":\#
"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a sess\#
ion."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it en\#
ds or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable"\#
:{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"\#
#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent\#
 if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identi\#
ties","isDefault","name","project","state","tokenUsable"],"title":"ritualctl refresh --json","type":"object"},\#
"register-handler":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without \#
`--print`.","properties":{"file":{"description":"The path of the desktop entry.","type":"string"},"formatVersi\#
on":{"const":1,"description":"The version of the format. It increases when an existing script would misread a \#
document.","type":"integer"},"registered":{"description":"Whether the agent opens URLs of the scheme now.","ty\#
pe":"boolean"},"scheme":{"description":"The URL scheme.","type":"string"},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["file","formatVers\#
ion","registered","scheme"],"type":"object"},{"description":"With `--print`.","properties":{"entry":{"descript\#
ion":"The text of the desktop entry.","type":"string"},"formatVersion":{"const":1,"description":"The version o\#
f the format. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"d\#
escription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"require\#
d":["entry","formatVersion"],"type":"object"}],"description":"Open dailyritual:// URLs with the agent.","title\#
":"ritualctl register-handler --json"},"reload":{"$schema":"https://json-schema.org/draft/2020-12/schema","des\#
cription":"Reload the agent's configuration.","properties":{"formatVersion":{"const":1,"description":"The vers\#
ion of the format. It increases when an existing script would misread a document.","type":"integer"},"projects\#
":{"description":"The names of the projects in the configuration.","items":{"type":"string"},"type":"array"},"\#
reloaded":{"description":"Whether the file was read: false if the agent uses a file other than `file`. Absent \#
in older agents.","type":"boolean"},"warning":{"description":"A readable problem, such as a failed check; abse\#
nt if there is none.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.\#
","items":{"type":"string"},"type":"array"}},"required":["formatVersion","projects"],"title":"ritualctl reload\#
 --json","type":"object"},"reset":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sig\#
n out of all accounts and remove the agent's data.","properties":{"formatVersion":{"const":1,"description":"Th\#
e version of the format. It increases when an existing script would misread a document.","type":"integer"},"ke\#
pt":{"description":"The paths that were kept: the configuration, without `--config`.","items":{"type":"string"\#
},"type":"array"},"removed":{"description":"The paths that were removed.","items":{"type":"string"},"type":"ar\#
ray"},"signedOut":{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"array"\#
},"unrevoked":{"description":"The sessions that may still be active on their server.","items":{"$ref":"#/$defs\#
/UnrevokedSession"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","\#
items":{"type":"string"},"type":"array"}},"required":["formatVersion","kept","removed","signedOut","unrevoked"\#
],"title":"ritualctl reset --json","type":"object"},"schema":{"$schema":"https://json-schema.org/draft/2020-12\#
/schema","anyOf":[{"description":"Without a command.","properties":{"commands":{"description":"The commands th\#
at `ritualctl schema` takes, and `error` and `help`.","items":{"type":"string"},"type":"array"},"formatVersion\#
":{"const":1,"description":"The version of the format. It increases when an existing script would misread a do\#
cument.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"\#
type":"string"},"type":"array"}},"required":["commands","formatVersion"],"type":"object"},{"description":"With\#
 a command.","properties":{"command":{"description":"The command whose document the schema describes.","type":\#
"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing s\#
cript would misread a document.","type":"integer"},"schema":{"description":"The JSON Schema."},"warnings":{"de\#
scription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required\#
":["command","formatVersion","schema"],"type":"object"}],"description":"Print the JSON Schema of a command's -\#
-json document.","title":"ritualctl schema --json"},"setup":{"$schema":"https://json-schema.org/draft/2020-12/\#
schema","anyOf":[{"description":"Without a name.","properties":{"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"setu\#
ps":{"description":"The setups that `ritualctl setup` can print.","items":{"$ref":"#/$defs/SetupListAnswer.Ent\#
ry"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":\#
"string"},"type":"array"}},"required":["formatVersion","setups"],"type":"object"},{"description":"With a name.\#
","properties":{"account":{"description":"The account; absent for the default account.","type":"string"},"form\#
atVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mis\#
read a document.","type":"integer"},"name":{"description":"The name of the setup.","type":"string"},"steps":{"\#
description":"What to add.","items":{"$ref":"#/$defs/SetupAnswer.Step"},"type":"array"},"warnings":{"descripti\#
on":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["for\#
matVersion","name","steps"],"type":"object"}],"description":"Print what to add where, so that a tool gets its \#
tokens from the agent.","title":"ritualctl setup --json"},"sign-in":{"$schema":"https://json-schema.org/draft/\#
2020-12/schema","anyOf":[{"description":"The outcome.","properties":{"account":{"$ref":"#/$defs/AccountStatus"\#
,"description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For \#
`decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":\#
1,"description":"The version of the format. It increases when an existing script would misread a document.","t\#
ype":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second facto\#
r is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` \#
or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type\#
":"string"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"With `--n\#
o-browser`.","properties":{"expiresAt":{"description":"When the flow expires on the server.","format":"date-ti\#
me","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description\#
":"The ID of the flow.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. \#
It increases when an existing script would misread a document.","type":"integer"},"outcome":{"description":"`b\#
egun`.","type":"string"},"url":{"description":"The URL to open.","type":"string"},"warnings":{"description":"R\#
eadable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt\#
","flow","formatVersion","outcome","url"],"type":"object"},{"description":"With `code` or `phone`, without `--\#
code-stdin`.","properties":{"address":{"description":"The email address or phone number to which the code was \#
sent.","type":"string"},"flow":{"description":"The ID of the flow, which `signIn.verifyCode` and `signIn.wait`\#
 take.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases whe\#
n an existing script would misread a document.","type":"integer"},"outcome":{"description":"`codeSent`.","type\#
":"string"},"resendAfter":{"description":"Seconds until the project sends another code to this address.","type\#
":"number"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"}\#
,"type":"array"}},"required":["address","flow","formatVersion","outcome","resendAfter"],"type":"object"}],"des\#
cription":"Sign in with a provider, a password, a code, single sign-on, or as an anonymous user.","title":"rit\#
ualctl sign-in --json"},"sign-out":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Si\#
gn out on this machine and on the server.","properties":{"accounts":{"description":"The accounts that were sig\#
ned out.","items":{"type":"string"},"type":"array"},"failed":{"description":"With `all`, the accounts whose si\#
gn-out failed, and why. Absent if there are none.","items":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"a\#
rray"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scri\#
pt would misread a document.","type":"integer"},"pending":{"description":"The accounts whose revocation is pen\#
ding until the server is reachable.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Read\#
able warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","f\#
ormatVersion","pending"],"title":"ritualctl sign-out --json","type":"object"},"sink":{"$schema":"https://json-\#
schema.org/draft/2020-12/schema","description":"One line per change of the file.","properties":{"account":{"de\#
scription":"The account whose token the file contains.","type":"string"},"expiresAt":{"description":"When the \#
written token expires.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\#
Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an\#
 existing script would misread a document.","type":"integer"},"isWritten":{"description":"True if a new token \#
was written, false if the file was removed, or is not there yet.","type":"boolean"},"path":{"description":"The\#
 path of the file.","type":"string"},"reason":{"description":"Why there is no file.","type":"string"}},"requir\#
ed":["account","formatVersion","isWritten","path"],"title":"ritualctl sink --json","type":"object"},"status":{\#
"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Show the current state of the agent, t\#
he vault, and the accounts.","properties":{"accounts":{"description":"The accounts. They may be unknown while \#
the vault is locked.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array"},"autostart":{"description":"Whe\#
ther the first sign-in enables the agent's service (`[agent] autostart`). Absent in older agents, whose first \#
sign-in does.","type":"boolean"},"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"health":{"description":"Readable fi\#
ndings; empty if there is nothing to report.","items":{"type":"string"},"type":"array"},"pid":{"description":"\#
The agent's process ID.","type":"integer"},"stateFolder":{"description":"The state directory of the agent; a `\#
ritualctl` with another environment would look elsewhere. Absent in older agents.","type":"string"},"unrevoked\#
":{"description":"The accounts with a pending revocation on the server. Absent while the vault is locked, beca\#
use the list is then unknown.","items":{"type":"string"},"type":"array"},"uptime":{"description":"Seconds sinc\#
e the agent became ready.","type":"integer"},"vault":{"$ref":"#/$defs/VaultSummary","description":"The state o\#
f the vault."},"version":{"description":"The version of the agent.","type":"string"},"warnings":{"description"\#
:"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accoun\#
ts","formatVersion","health","pid","uptime","vault","version"],"title":"ritualctl status --json","type":"objec\#
t"},"token":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Print a valid access toke\#
n.","properties":{"accessToken":{"description":"The bearer token. Never log it or pass it as a command-line ar\#
gument.","type":"string"},"account":{"description":"The account that the token belongs to.","type":"string"},"\#
endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","description":"The project that accepts the token, if the \#
caller asked for it."},"expiresAt":{"description":"The token's expiry, by this machine's clock.","format":"dat\#
e-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"de\#
scription":"Seconds until the token expires.","type":"integer"},"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"toke\#
nType":{"description":"`bearer` (RFC 6750).","type":"string"},"unchanged":{"description":"True if the caller r\#
eported this token as rejected and there is no newer one. The caller must not repeat its request.","type":"boo\#
lean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"typ\#
e":"array"}},"required":["accessToken","account","expiresAt","expiresIn","formatVersion","tokenType"],"title":\#
"ritualctl token --json","type":"object"},"unlink":{"$schema":"https://json-schema.org/draft/2020-12/schema","\#
description":"Unlink a sign-in method. The last one cannot be removed.","properties":{"account":{"description"\#
:"The account whose user has the sign-in methods.","type":"string"},"formatVersion":{"const":1,"description":"\#
The version of the format. It increases when an existing script would misread a document.","type":"integer"},"\#
identities":{"description":"The linked sign-in methods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"ar\#
ray"},"isCurrent":{"description":"False if the server could not be asked and the list is its last known answer\#
.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":\#
"string"},"type":"array"}},"required":["account","formatVersion","identities","isCurrent"],"title":"ritualctl \#
unlink --json","type":"object"},"unlock":{"$schema":"https://json-schema.org/draft/2020-12/schema","descriptio\#
n":"Unlock the vault.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey"\#
,"description":"The key that opened the vault."},"warnings":{"description":"Readable warnings; absent if there\#
 are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","key"],"title":"ritualctl u\#
nlock --json","type":"object"},"use":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"\#
Set the default account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operat\#
ion that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's l\#
evel of assurance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSe\#
ssion","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"descrip\#
tion":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}\#
-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version\#
 of the format. It increases when an existing script would misread a document.","type":"integer"},"identities"\#
:{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},\#
"type":"array"},"isDefault":{"description":"Whether requests without an account name use this account.","type"\#
:"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present\#
 in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"des\#
cription":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The o\#
rigin that issued the session, or the configured origin if there is no session.","type":"string"},"project":{"\#
description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshSta\#
tus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife",\#
"description":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/Account\#
State","description":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would \#
return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-\#
in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},\#
"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","tok\#
enUsable"],"title":"ritualctl use --json","type":"object"},"use-api":{"$schema":"https://json-schema.org/draft\#
/2020-12/schema","description":"Allow the configured API to receive an account's token.","properties":{"activi\#
ty":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"\#
$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level that is possibl\#
e; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session \#
ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machi\#
ne's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":\#
"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing s\#
cript would misread a document.","type":"integer"},"identities":{"description":"The sign-in methods that are l\#
inked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whe\#
ther requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactor\#
Need","description":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"descrip\#
tion":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the pro\#
file is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the configure\#
d origin if there is no session.","type":"string"},"project":{"description":"The project's name in the configu\#
ration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absen\#
t without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and wh\#
en and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session.\#
"},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},\#
"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","format\#
Version","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl use-api --json","\#
type":"object"},"vault add-key":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a\#
 key that opens the vault: a passphrase, a key file, or a systemd credential.","properties":{"formatVersion":{\#
"const":1,"description":"The version of the format. It increases when an existing script would misread a docum\#
ent.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The added key."},"removed":{"descripti\#
on":"The removed slots: those of key files, or the replaced one.","items":{"$ref":"#/$defs/VaultKey"},"type":"\#
array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"ty\#
pe":"array"}},"required":["formatVersion","key","removed"],"title":"ritualctl vault add-key --json","type":"ob\#
ject"},"vault adopt":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Use a vault that\#
 was copied from another machine.","properties":{"accounts":{"description":"The accounts whose sessions are no\#
w used here.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The version \#
of the format. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"\#
description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requir\#
ed":["accounts","formatVersion"],"title":"ritualctl vault adopt --json","type":"object"},"vault rekey":{"$sche\#
ma":"https://json-schema.org/draft/2020-12/schema","description":"Create a new master key and re-encrypt the v\#
ault.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an\#
 existing script would misread a document.","type":"integer"},"generation":{"description":"The vault's generat\#
ion after the change.","minimum":0,"type":"integer"},"warnings":{"description":"Readable warnings; absent if t\#
here are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","generation"],"title":"\#
ritualctl vault rekey --json","type":"object"},"vault remove-key":{"$schema":"https://json-schema.org/draft/20\#
20-12/schema","description":"Remove a vault key. The last one cannot be removed.","properties":{"formatVersion\#
":{"const":1,"description":"The version of the format. It increases when an existing script would misread a do\#
cument.","type":"integer"},"id":{"description":"32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-\#
9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of the key."},"memo\#
ry":{"description":"For a passphrase, the Argon2id memory for each attempt, in bytes.","type":"integer"},"pass\#
es":{"description":"For a passphrase, the number of Argon2id passes for each attempt.","type":"integer"},"warn\#
ings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}}\#
,"required":["formatVersion","id","kind"],"title":"ritualctl vault remove-key --json","type":"object"},"vault \#
status":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Show the state of the vault, \#
its keys, and what they protect.","properties":{"damaged":{"description":"Files that were set aside or ignored\#
, and why.","items":{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"\#
The version of the format. It increases when an existing script would misread a document.","type":"integer"},"\#
generation":{"description":"Increases with every change of keys.","minimum":0,"type":"integer"},"idleLock":{"d\#
escription":"Idle time before locking, in seconds; absent means never.","type":"integer"},"isAuthenticated":{"\#
description":"Whether `keys`, `generation` and `machine` were authenticated with the vault's key. Until the va\#
ult is first opened, they are unverified values from its file.","type":"boolean"},"isMemoryLocked":{"descripti\#
on":"Whether the keys are locked in memory, so that they cannot be swapped out.","type":"boolean"},"isRekeying\#
":{"description":"Whether a `vault.rekey` was interrupted. The next `vault.rekey` or unlock continues it.","ty\#
pe":"boolean"},"keys":{"description":"The keys, in the order in which they were added.","items":{"$ref":"#/$de\#
fs/VaultKey"},"type":"array"},"lockedBy":{"description":"Why the vault is locked: `hand`, `idle`, `session`, o\#
r `start` if no key was available.","type":"string"},"machine":{"description":"Whether the vault belongs to th\#
is machine: `this`, `other` or `unknown`.","type":"string"},"openedBy":{"$ref":"#/$defs/VaultKeyKind","descrip\#
tion":"The kind of key that opened the vault."},"protection":{"description":"Readable statements of what each \#
kind of key protects and what it does not.","items":{"type":"string"},"type":"array"},"state":{"description":"\#
`open`, `copied`, `locked` or `unavailable`.","enum":["open","copied","locked","unavailable"],"type":"string"}\#
,"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"ar\#
ray"}},"required":["damaged","formatVersion","generation","isAuthenticated","isMemoryLocked","isRekeying","key\#
s","machine","protection","state"],"title":"ritualctl vault status --json","type":"object"},"vault verify":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","description":"Check every file of the open vault, with\#
out changing anything.","properties":{"files":{"description":"Every file of the vault, with the result of its \#
check.","items":{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"isWh\#
ole":{"description":"Whether every file is unchanged since the vault wrote it.","type":"boolean"},"warnings":{\#
"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requi\#
red":["files","formatVersion","isWhole"],"title":"ritualctl vault verify --json","type":"object"},"whoami":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","description":"Show the user who is signed in.","proper\#
ties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},\#
"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level t\#
hat is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and whe\#
n the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry,\#
 by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]\#
{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when\#
 an existing script would misread a document.","type":"integer"},"identities":{"description":"The sign-in meth\#
ods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"des\#
cription":"Whether requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$def\#
s/SecondFactorNeed","description":"Whether a second factor is needed; present in the result of a sign-in."},"n\#
ame":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`\#
, once the profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or\#
 the configured origin if there is no session.","type":"string"},"project":{"description":"The project's name \#
in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh s\#
chedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session s\#
tarted, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state o\#
f the session."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","typ\#
e":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"descripti\#
on":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["act\#
ivity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl who\#
ami --json","type":"object"},"why":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sh\#
ow the next refresh, the reason, and recent attempts.","properties":{"account":{"$ref":"#/$defs/AccountStatus"\#
,"description":"The account."},"explanation":{"description":"Sentences, most important first.","items":{"type"\#
:"string"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases w\#
hen an existing script would misread a document.","type":"integer"},"tries":{"description":"The recent attempt\#
s, newest first.","items":{"$ref":"#/$defs/RefreshTry"},"type":"array"},"warnings":{"description":"Readable wa\#
rnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","explanati\#
on","formatVersion","tries"],"title":"ritualctl why --json","type":"object"}}}
"""#
}
