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
 token was first issued, or the first request was sent.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0\#
-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"description":"Identifies an issued token, or\#
 requests some of which were in flight: a later entry with the same number has the updated counts.","minimum":\#
0,"type":"integer"},"last":{"description":"When the token was last issued, or the last request was sent.","for\#
mat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"pid":{\#
"description":"The process, as identified when it connected.","type":"integer"},"previous":{"description":"The\#
 MAC that precedes the first entry of a file, in hex.","type":"string"},"project":{"description":"The project \#
that the entry concerns.","type":"string"},"provider":{"description":"`apple`, `google`, `email` …","type":"st\#
ring"},"sequence":{"description":"Increases by one with every entry, starting at 1.","minimum":0,"type":"integ\#
er"},"statuses":{"additionalProperties":{"minimum":0,"type":"integer"},"description":"The number of requests b\#
y the status of the response: `1xx` to `5xx`, `other`, or `none` without a response.","type":"object"},"token"\#
:{"description":"The first 16 hex digits of the SHA-256 of the access token.","type":"string"},"unit":{"descri\#
ption":"The systemd unit of the process.","type":"string"},"way":{"description":"How the token was issued or u\#
sed: `token`, `events` or `api`.","type":"string"}},"required":["at","event","sequence"],"type":"object"},"Aud\#
itEvent":{"description":"The kind of an audit log entry.","examples":["agentStarted","agentStopped","signedIn"\#
,"signedOut","sessionEnded","linked","unlinked","decided","denied","approvalAsked","approvalAnswered","approva\#
lRevoked","handOut","egressUsed","grantMade","grantEnded","apiAccepted","factorEnrolled","factorVerified","fac\#
torRemoved","accountRenamed","accountRemoved","vaultLocked","vaultUnlocked","keyAdded","keyRemoved","rekeyed",\#
"vaultAdopted","fileBegun","interrupted","entriesLost"],"type":"string"},"AuditVerify.Finding":{"description":\#
"A mismatch of the log with the chain.","properties":{"file":{"description":"The name of the file in the log's\#
 directory.","type":"string"},"first":{"description":"The first affected entry; absent if the finding concerns\#
 a file.","minimum":0,"type":"integer"},"kind":{"description":"`edited`, `removed`, `cut`, `reordered`, `repea\#
ted`, `exchanged`, `missingFile`, `unknownFile` or `noKey`.","type":"string"},"last":{"description":"The last \#
affected entry; absent if the finding concerns a file.","minimum":0,"type":"integer"}},"required":["file","kin\#
d"],"type":"object"},"CheckOutcome":{"description":"The outcome of a check of `agent.diagnose` or `ritualctl d\#
octor`.","examples":["ok","warn","fail"],"type":"string"},"DiagnosticCheck":{"description":"The result of one \#
check.","properties":{"name":{"description":"The subject of the check, such as `vault` or `tls`.","type":"stri\#
ng"},"next":{"description":"The remedy, as a command if there is one; absent if nothing needs to be done.","ty\#
pe":"string"},"outcome":{"$ref":"#/$defs/CheckOutcome","description":"Whether the check passed."},"project":{"\#
description":"The project's name in the configuration; absent if the check does not concern a project.","type"\#
:"string"},"words":{"description":"The finding, in readable form.","type":"string"}},"required":["name","outco\#
me","words"],"type":"object"},"EgressList.Grant":{"description":"A valid grant.","properties":{"account":{"des\#
cription":"The account whose token is added.","type":"string"},"createdAt":{"description":"When the grant was \#
made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"strin\#
g"},"executable":{"description":"The executable of that process, without arguments; absent if it cannot be rea\#
d.","type":"string"},"expiresAt":{"description":"When the grant ends.","format":"date-time","pattern":"^[0-9]{\#
4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"id":{"description":"The id that `egress.r\#
evoke` takes.","type":"string"},"methods":{"description":"HTTP methods that the grant is limited to; absent fo\#
r all.","items":{"type":"string"},"type":"array"},"paths":{"description":"Paths that the grant is limited to; \#
absent for all.","items":{"type":"string"},"type":"array"},"pid":{"description":"The process that asked for th\#
e grant.","type":"integer"},"process":{"description":"True if the grant ends with that process.","type":"boole\#
an"},"requests":{"description":"The number of requests that were sent with the grant.","minimum":0,"type":"int\#
eger"},"unit":{"description":"The systemd unit of that process; absent if it has none.","type":"string"}},"req\#
uired":["account","createdAt","expiresAt","id","pid","process","requests"],"type":"object"},"EndedSession":{"d\#
escription":"The end of a session without a sign-out on this machine.","properties":{"at":{"description":"When\#
 the session ended.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"\#
,"type":"string"},"reason":{"description":"A readable reason, such as \"ended elsewhere\".","type":"string"}},\#
"required":["at","reason"],"type":"object"},"ErrorDocument.Details":{"description":"The reason of a failure.",\#
"properties":{"account":{"description":"The account that the error concerns.","type":"string"},"detail":{"desc\#
ription":"The host and the cause of a failed connection.","type":"string"},"hint":{"description":"The next ste\#
p, a command if there is one.","type":"string"},"kind":{"description":"The stable name, for programs to branch\#
 on: an error kind of the agent, or `unreachable`, `foreignServer`, `protocolViolation`, `disconnected`, `usag\#
e`, `failed`, `cancelled` or `unchanged`.","type":"string"},"message":{"description":"The message for the user\#
.","type":"string"},"retryAfter":{"description":"Seconds to wait before a retry.","type":"number"},"retryable"\#
:{"description":"Whether the same command can succeed later without intervention.","type":"boolean"}},"require\#
d":["kind","message","retryable"],"type":"object"},"ErrorKind":{"description":"The stable name of an error: `d\#
ata.kind` on the wire.","examples":["approvalNeeded","callbackInvalid","cancelled","captchaRequired","codeInva\#
lid","denied","emailNotConfirmed","flowBusy","flowTimedOut","flowUnknown","formatTooNew","identityTaken","inte\#
rnalError","invalidCredentials","invalidParams","invalidRequest","lastIdentity","linkingConflict","linkingDisa\#
bled","methodDisabled","methodNotFound","mfaNeeded","misconfigured","notReady","offline","parseError","rateLim\#
ited","serviceUnavailable","signInNeeded","storageFull","timedOut","tooLarge","tooMany","unknownAccount","unsu\#
pportedVersion","userExists","vaultCopied","vaultDamaged","vaultLocked","vaultUnavailable","weakPassword","wro\#
ngKey","wrongUser"],"type":"string"},"EventType":{"description":"The name of an event, in the style of Supabas\#
e clients.","examples":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_L\#
INKED","STATE_CHANGED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED"\#
,"APPROVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"MetricFamily":{"description":"A metric fami\#
ly of OpenMetrics 1.0, section \"MetricFamily\".","properties":{"help":{"description":"A readable description \#
of the family.","type":"string"},"name":{"description":"The name of the family.","type":"string"},"samples":{"\#
description":"The samples of the family.","items":{"$ref":"#/$defs/MetricFamily.Sample"},"type":"array"},"type\#
":{"description":"`counter`, `gauge`, `histogram`, `info` or `stateset`.","type":"string"},"unit":{"descriptio\#
n":"The unit, which is the last part of the name; absent if there is none.","type":"string"}},"required":["hel\#
p","name","samples","type"],"type":"object"},"MetricFamily.Sample":{"description":"A sample of a family: one v\#
alue with its labels.","properties":{"labels":{"additionalProperties":{"type":"string"},"description":"The lab\#
els of the sample, by name.","type":"object"},"suffix":{"description":"The suffix of the metric name: `_total`\#
, `_bucket`, `_count`, `_sum`, `_info` or empty.","type":"string"},"value":{"description":"The value of the sa\#
mple.","type":"number"}},"required":["labels","suffix","value"],"type":"object"},"NextStep":{"description":"Th\#
e next sensible step on this machine.","properties":{"reason":{"description":"Why it is the next step.","type"\#
:"string"},"step":{"description":"A command, or an instruction if no command helps.","type":"string"}},"requir\#
ed":["reason","step"],"type":"object"},"Overview.Group":{"description":"A group of commands.","properties":{"c\#
ommands":{"description":"The names of its commands.","items":{"type":"string"},"type":"array"},"name":{"descri\#
ption":"The title of the group.","type":"string"}},"required":["commands","name"],"type":"object"},"RefreshSta\#
tus":{"description":"The refresh schedule of an account and its recent failures.","properties":{"attempts":{"d\#
escription":"The number of failed attempts since the last success.","type":"integer"},"clockSkew":{"descriptio\#
n":"Seconds by which the server's clock is ahead of this machine's, measured at its last answer. A skew of abo\#
ut one second is normal.","type":"integer"},"lastError":{"$ref":"#/$defs/AgentError","description":"The most r\#
ecent error since the last success."},"nextAt":{"description":"When the next attempt is due.","format":"date-t\#
ime","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attem\#
pts"],"type":"object"},"RefreshTry":{"description":"One refresh attempt.","properties":{"at":{"description":"W\#
hen the attempt began.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\#
Z$","type":"string"},"error":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error, if the attempt \#
failed."},"latency":{"description":"The duration of the attempt in seconds.","type":"number"},"outcome":{"desc\#
ription":"`refreshed`, `ended`, `failed`, `refused`, `banned`, `paused`, `misconfigured`.","type":"string"},"r\#
eason":{"description":"The trigger: `ahead`, `demand`, `rejected`, `forced`, `start`, `retry`, `sleep`.","type\#
":"string"},"status":{"description":"The HTTP status, if the server answered.","type":"integer"}},"required":[\#
"at","latency","outcome","reason"],"type":"object"},"SecondFactorNeed":{"description":"A sign-in's need for a \#
second factor.","properties":{"endsAccounts":{"description":"The other accounts of this agent whose sessions e\#
nd with a verification: those of the same user without a second factor.","items":{"type":"string"},"type":"arr\#
ay"},"endsAt":{"description":"When the server ends a session without the second factor; absent if that is not \#
known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"stri\#
ng"},"factors":{"description":"The user's verified factors.","items":{"$ref":"#/$defs/AccountFactor"},"type":"\#
array"},"flow":{"description":"The flow in which the agent's page asks for the code, for `signIn.wait` and `si\#
gnIn.cancel`; absent if no page asks.","type":"string"},"needed":{"description":"True if the user has a verifi\#
ed factor and the session does not have its level yet. The session is stored and works; what requires the seco\#
nd factor does not.","type":"boolean"},"verifiedElsewhereAt":{"description":"When a second factor was verified\#
 elsewhere, which probably ended the account's former session.","format":"date-time","pattern":"^[0-9]{4}-[0-9\#
]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["factors","needed"],"type":"object"}\#
,"SessionEndReason":{"description":"The reason why a session ended.","examples":["signedOut","endedElsewhere",\#
"timebox","inactivity","lowAssurance","newerSignIn","userGone","unknown"],"type":"string"},"SessionLife":{"des\#
cription":"The life of an account's session.","properties":{"endReason":{"$ref":"#/$defs/SessionEndReason","de\#
scription":"Why the session ended, or why the server currently refuses to continue it."},"endsAt":{"descriptio\#
n":"When the session is expected to end; absent if no limit is known.","format":"date-time","pattern":"^[0-9]{\#
4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"isEstimate":{"description":"True if `ends\#
At` follows from an earlier session of this project, not from `session_limit`.","type":"boolean"},"startedAt":\#
{"description":"When the user signed in; absent if that is not known.","format":"date-time","pattern":"^[0-9]{\#
4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"type":"object"},"SessionSignOut.Failure"\#
:{"description":"An account that is still signed in.","properties":{"account":{"description":"The account's na\#
me.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error."},"message":{"d\#
escription":"The message for the user.","type":"string"}},"required":["account","kind","message"],"type":"obje\#
ct"},"SessionToken.Endpoints":{"description":"The project's URLs and key, which a tool needs to use the token.\#
","properties":{"anonKey":{"description":"The anon or publishable key, which Supabase expects in the header `a\#
pikey`.","type":"string"},"apiURL":{"description":"The configured API URL, or the project URL if there is none\#
. Absent if the API URL changed after the sign-in and was not accepted yet (`session.useAPI`).","type":"string\#
"},"projectURL":{"description":"The project URL, without a trailing slash.","type":"string"}},"required":["ano\#
nKey","projectURL"],"type":"object"},"SessionToken.Result":{"description":"A valid access token.","properties"\#
:{"accessToken":{"description":"The bearer token. Never log it or pass it as a command-line argument.","type":\#
"string"},"account":{"description":"The account that the token belongs to.","type":"string"},"endpoints":{"$re\#
f":"#/$defs/SessionToken.Endpoints","description":"The project that accepts the token, if the caller asked for\#
 it."},"expiresAt":{"description":"The token's expiry, by this machine's clock.","format":"date-time","pattern\#
":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seco\#
nds until the token expires.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","type":"stri\#
ng"},"unchanged":{"description":"True if the caller reported this token as rejected and there is no newer one.\#
 The caller must not repeat its request.","type":"boolean"}},"required":["accessToken","account","expiresAt","\#
expiresIn","tokenType"],"type":"object"},"SetupAnswer.Step":{"description":"A text, and its place.","propertie\#
s":{"text":{"description":"The text to add.","type":"string"},"where":{"description":"Where the text belongs."\#
,"type":"string"}},"required":["text","where"],"type":"object"},"SetupListAnswer.Entry":{"description":"One se\#
tup.","properties":{"name":{"description":"The name for `ritualctl setup`.","type":"string"},"purpose":{"descr\#
iption":"What it sets up.","type":"string"}},"required":["name","purpose"],"type":"object"},"SignInDecision":{\#
"description":"A decision that a person makes before a sign-in takes effect.","properties":{"account":{"descri\#
ption":"The name of the account to sign in to.","type":"string"},"flow":{"description":"The flow that `identit\#
y.decide` takes.","type":"string"},"identity":{"$ref":"#/$defs/AccountIdentity","description":"For `link`, the\#
 linked sign-in method."},"kind":{"description":"`newAccount`: confirm the user of a first sign-in by a pasted\#
 URL. `link`: accept that the server linked the sign-in to an account with other sign-in methods.","type":"str\#
ing"},"others":{"description":"For `link`, the sign-in methods that the account had before.","items":{"$ref":"\#
#/$defs/AccountIdentity"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser","description":"The user who sig\#
ned in."}},"required":["account","flow","kind","user"],"type":"object"},"SignInResult.Outcome":{"description":\#
"How a sign-in ended.","examples":["signedIn","confirmationSent","decisionNeeded"],"type":"string"},"Telemetry\#
Record":{"description":"One event, such as `auth_completed` with `duration_ms`.","properties":{"at":{"descript\#
ion":"When the event happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:\#
[0-9]{2}Z$","type":"string"},"event":{"description":"The event's name.","type":"string"},"properties":{"additi\#
onalProperties":{"type":"string"},"description":"Values of `method`, `reason`, `error_type` or `duration_ms`: \#
numbers or members of a fixed set.","type":"object"}},"required":["at","event","properties"],"type":"object"},\#
"UnrevokedSession":{"description":"A session that a reset removes on this machine, but that is not revoked on \#
its server.","properties":{"account":{"description":"The account's name.","type":"string"},"reason":{"descript\#
ion":"A readable reason.","type":"string"}},"required":["account","reason"],"type":"object"},"VaultFinding":{"\#
description":"The result of checking one file of the vault.","properties":{"detail":{"description":"Readable d\#
etails.","type":"string"},"file":{"description":"The file's name in the vault's directory, which reveals nothi\#
ng about its content.","type":"string"},"state":{"description":"`ok`, `damaged`, `newer`, `unreadable`, `setAs\#
ide`, `missing` or `foreign`.","type":"string"}},"required":["file","state"],"type":"object"},"VaultKey":{"des\#
cription":"A key that opens the vault.","properties":{"id":{"description":"32 hexadecimal digits, for `vault.r\#
emoveKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind","description":"T\#
he kind of the key."},"memory":{"description":"For a passphrase, the Argon2id memory for each attempt, in byte\#
s.","type":"integer"},"passes":{"description":"For a passphrase, the number of Argon2id passes for each attemp\#
t.","type":"integer"}},"required":["id","kind"],"type":"object"},"VaultKeyKind":{"description":"The kind of a \#
vault key.","examples":["keyFile","passphrase","credential"],"type":"string"},"VaultSummary":{"description":"T\#
he state of the vault.","properties":{"damaged":{"description":"The file names of records that were set aside \#
as damaged.","items":{"type":"string"},"type":"array"},"error":{"$ref":"#/$defs/ErrorKind","description":"Why \#
the vault is `unavailable`, such as `vaultDamaged`; `protection` then holds the remedy."},"openedBy":{"descrip\#
tion":"The key that opened the vault: `key file`, `passphrase` or `systemd credential`.","type":"string"},"pro\#
tection":{"description":"A readable statement of what the key protects and what it does not.","type":"string"}\#
,"state":{"description":"`open`, `copied` (from another machine: refreshes are suspended), `locked` or `unavai\#
lable`.","type":"string"}},"required":["damaged","state"],"type":"object"}},"commands":{"accounts list":{"$sch\#
ema":"https://json-schema.org/draft/2020-12/schema","description":"List accounts.","properties":{"accounts":{"\#
description":"All accounts.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array"},"formatVersion":{"const"\#
:1,"description":"The version of the format. It increases when an existing script would misread a document.","\#
type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"str\#
ing"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualctl accounts list --json","type"\#
:"object"},"accounts remove":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign an \#
account out and delete everything stored about it.","properties":{"account":{"description":"The name of the re\#
moved account.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"isPending":{"description":"True if \#
the server has not confirmed the end of the session yet; the agent keeps trying.","type":"boolean"},"warnings"\#
:{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"req\#
uired":["account","formatVersion","isPending"],"title":"ritualctl accounts remove --json","type":"object"},"ac\#
counts rename":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Rename an account.","p\#
roperties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the accoun\#
t."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the le\#
vel that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why an\#
d when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's ex\#
piry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:\#
[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases\#
 when an existing script would misread a document.","type":"integer"},"identities":{"description":"The sign-in\#
 methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":\#
{"description":"Whether requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#\#
/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present in the result of a sign-in.\#
"},"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `comp\#
lete`, once the profile is known.","type":"string"},"origin":{"description":"The origin that issued the sessio\#
n, or the configured origin if there is no session.","type":"string"},"project":{"description":"The project's \#
name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refr\#
esh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the sess\#
ion started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The st\#
ate of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately."\#
,"type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"desc\#
ription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":\#
["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualct\#
l accounts rename --json","type":"object"},"api":{"$schema":"https://json-schema.org/draft/2020-12/schema","de\#
scription":"Send an authorized API request and print the response body.","properties":{"body":{"description":"\#
The body in base64 (RFC 4648, section 4).","type":"string"},"formatVersion":{"const":1,"description":"The vers\#
ion of the format. It increases when an existing script would misread a document.","type":"integer"},"headers"\#
:{"description":"The response headers, as pairs of name and value.","items":{"items":{"type":"string"},"type":\#
"array"},"type":"array"},"status":{"description":"The HTTP status.","type":"integer"},"text":{"description":"T\#
he body again if it is text: UTF-8 of a content type `text/*` or JSON.","type":"string"},"warnings":{"descript\#
ion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["bo\#
dy","formatVersion","headers","status"],"title":"ritualctl api --json","type":"object"},"approvals allow":{"$s\#
chema":"https://json-schema.org/draft/2020-12/schema","description":"Allow a program to use the account that i\#
t requested.","properties":{"account":{"description":"The account that the program wants to use.","type":"stri\#
ng"},"askedAt":{"description":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of t\#
hat process, without arguments; absent if it cannot be read.","type":"string"},"formatVersion":{"const":1,"des\#
cription":"The version of the format. It increases when an existing script would misread a document.","type":"\#
integer"},"id":{"description":"The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take\#
.","type":"string"},"method":{"description":"The method of the first request.","type":"string"},"pid":{"descri\#
ption":"The process that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","d\#
escription":"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that process; abse\#
nt if it has none.","type":"string"},"until":{"description":"When the request or the answer expires. Absent fo\#
r an approval that is valid until the vault is locked, and for a denial that is valid until the agent stops.",\#
"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"wa\#
rnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"\#
}},"required":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl approvals a\#
llow --json","type":"object"},"approvals deny":{"$schema":"https://json-schema.org/draft/2020-12/schema","desc\#
ription":"Deny a program access. Its requests are refused while the answer is valid.","properties":{"account":\#
{"description":"The account that the program wants to use.","type":"string"},"askedAt":{"description":"When th\#
e first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]\#
{2}Z$","type":"string"},"executable":{"description":"The executable of that process, without arguments; absent\#
 if it cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. \#
It increases when an existing script would misread a document.","type":"integer"},"id":{"description":"The id \#
that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"method":{"descrip\#
tion":"The method of the first request.","type":"string"},"pid":{"description":"The process that made the firs\#
t request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `\#
denied`."},"unit":{"description":"The systemd unit of that process; absent if it has none.","type":"string"},"\#
until":{"description":"When the request or the answer expires. Absent for an approval that is valid until the \#
vault is locked, and for a denial that is valid until the agent stops.","format":"date-time","pattern":"^[0-9]\#
{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"description":"Readable warni\#
ngs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","askedAt","fo\#
rmatVersion","id","method","pid","state"],"title":"ritualctl approvals deny --json","type":"object"},"approval\#
s list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List pending requests and val\#
id answers.","properties":{"approvals":{"description":"The pending access requests and the valid answers, olde\#
st first.","items":{"$ref":"#/$defs/Approval"},"type":"array"},"formatVersion":{"const":1,"description":"The v\#
ersion of the format. It increases when an existing script would misread a document.","type":"integer"},"warni\#
ngs":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},\#
"required":["approvals","formatVersion"],"title":"ritualctl approvals list --json","type":"object"},"approvals\#
 revoke":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Delete an answer. The next r\#
equest needs a new one.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It\#
 increases when an existing script would misread a document.","type":"integer"},"id":{"description":"The id of\#
 the approval.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","ite\#
ms":{"type":"string"},"type":"array"}},"required":["formatVersion","id"],"title":"ritualctl approvals revoke -\#
-json","type":"object"},"audit":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"descripti\#
on":"Without `--verify`.","properties":{"entries":{"description":"The entries, newest last.","items":{"$ref":"\#
#/$defs/AuditEntry"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"isChecked":{"description":"Whet\#
her each entry was checked against the chain; false while the vault is locked.","type":"boolean"},"leftOut":{"\#
description":"The number of lines in the files read that do not match the chain. They are not among the entrie\#
s.","type":"integer"},"more":{"description":"Whether older entries exist.","type":"boolean"},"unknownCount":{"\#
description":"The total number of unknown files.","type":"integer"},"unknownFiles":{"description":"Files in th\#
e log's directory that the agent did not create: their escaped names, at most 20.","items":{"type":"string"},"\#
type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"strin\#
g"},"type":"array"}},"required":["entries","formatVersion","isChecked","leftOut","more","unknownCount","unknow\#
nFiles"],"type":"object"},{"description":"With `--verify`.","properties":{"findings":{"description":"The misma\#
tches with the chain; empty if the log is intact.","items":{"$ref":"#/$defs/AuditVerify.Finding"},"type":"arra\#
y"},"first":{"description":"The first entry that is kept.","minimum":0,"type":"integer"},"fitting":{"descripti\#
on":"The number of entries that match the chain.","type":"integer"},"formatVersion":{"const":1,"description":"\#
The version of the format. It increases when an existing script would misread a document.","type":"integer"},"\#
interruptions":{"description":"The entries after which the agent ended without a clean stop. Entries of up to \#
one second before may be missing.","items":{"minimum":0,"type":"integer"},"type":"array"},"isWhole":{"descript\#
ion":"True if there are no findings.","type":"boolean"},"limits":{"description":"Readable statements of what t\#
he verification does not prove.","items":{"type":"string"},"type":"array"},"sealed":{"description":"The last e\#
ntry that is sealed in the vault.","minimum":0,"type":"integer"},"unsealed":{"description":"The number of entr\#
ies after the last sealed one. They match the chain, but their removal would go unnoticed.","type":"integer"},\#
"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arr\#
ay"}},"required":["findings","first","fitting","formatVersion","interruptions","isWhole","limits","sealed","un\#
sealed"],"type":"object"}],"description":"Show sign-ins, sign-outs, and issued tokens, newest last.","title":"\#
ritualctl audit --json"},"complete-sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","descrip\#
tion":"Finish a sign-in by pasting the redirect URL.","properties":{"account":{"$ref":"#/$defs/AccountStatus",\#
"description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `\#
decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1\#
,"description":"The version of the format. It increases when an existing script would misread a document.","ty\#
pe":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor\#
 is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` o\#
r `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type"\#
:"string"},"type":"array"}},"required":["formatVersion","outcome"],"title":"ritualctl complete-sign-in --json"\#
,"type":"object"},"doctor":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Check the \#
setup and show how to fix problems.","properties":{"checks":{"description":"The results of the checks.","items\#
":{"$ref":"#/$defs/DiagnosticCheck"},"type":"array"},"formatVersion":{"const":1,"description":"The version of \#
the format. It increases when an existing script would misread a document.","type":"integer"},"isHealthy":{"de\#
scription":"Whether no check failed.","type":"boolean"},"version":{"description":"The version of this program.\#
","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"s\#
tring"},"type":"array"}},"required":["checks","formatVersion","isHealthy","version"],"title":"ritualctl doctor\#
 --json","type":"object"},"error":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"The\#
 error of any command, on standard error.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","desc\#
ription":"Why the command failed."},"exitStatus":{"description":"The exit status of the command.","type":"inte\#
ger"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there a\#
re none.","items":{"type":"string"},"type":"array"}},"required":["error","exitStatus","formatVersion"],"title"\#
:"ritualctl: error","type":"object"},"events":{"$schema":"https://json-schema.org/draft/2020-12/schema","descr\#
iption":"One line per event: the current state first, then every change.","properties":{"account":{"descriptio\#
n":"The account that changed; absent if the event does not concern an account.","type":"string"},"approval":{"\#
$ref":"#/$defs/Approval","description":"The pending access request (`APPROVAL_NEEDED`), or the answered or exp\#
ired one (`APPROVAL_ANSWERED`)."},"at":{"description":"When it changed.","format":"date-time","pattern":"^[0-9\#
]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description"\#
:"The version of the format. It increases when an existing script would misread a document.","type":"integer"}\#
,"program":{"description":"For `MFA_NEEDED`, the program's file and unit, as far as the kernel told.","type":"\#
string"},"reason":{"description":"A readable reason, for `SIGNED_OUT` and `STATE_CHANGED`; the program's own r\#
eason for `MFA_NEEDED`; for `ACCOUNT_LINKED` the provider and how it was linked.","type":"string"},"sequence":\#
{"description":"Increases by one with each change. Events that describe the current state to a new subscriber \#
carry the number of the last change in that state.","minimum":0,"type":"integer"},"status":{"$ref":"#/$defs/Ac\#
countStatus","description":"The account after the change."},"token":{"$ref":"#/$defs/SessionToken.Result","des\#
cription":"The new token, for subscribers that requested tokens."},"type":{"$ref":"#/$defs/EventType","descrip\#
tion":"The kind of change."}},"required":["at","formatVersion","sequence","type"],"title":"ritualctl events --\#
json","type":"object"},"exec":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Why the\#
 command was not run, on standard error. The output of the command itself is unchanged.","properties":{"error"\#
:{"$ref":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":{"description":\#
"The exit status of the command.","type":"integer"},"formatVersion":{"const":1,"description":"The version of t\#
he format. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"desc\#
ription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":\#
["error","exitStatus","formatVersion"],"title":"ritualctl exec --json","type":"object"},"grant":{"$schema":"ht\#
tps://json-schema.org/draft/2020-12/schema","description":"Get a loopback URL and a stand-in token for one too\#
l.","properties":{"expiresAt":{"description":"When the grant ends.","format":"date-time","pattern":"^[0-9]{4}-\#
[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The\#
 version of the format. It increases when an existing script would misread a document.","type":"integer"},"id"\#
:{"description":"The id that `egress.revoke` takes.","type":"string"},"token":{"description":"The stand-in: th\#
e tool sends it as bearer token or as `apikey`. It is worth nothing anywhere else.","pattern":"^sb_ritual_[A-Z\#
a-z0-9_-]{43}$","type":"string"},"url":{"description":"`http://127.0.0.1:PORT/`","type":"string"},"warnings":{\#
"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requi\#
red":["expiresAt","formatVersion","id","token","url"],"title":"ritualctl grant --json","type":"object"},"grant\#
s list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List the valid grants, oldest\#
 first.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when \#
an existing script would misread a document.","type":"integer"},"grants":{"description":"The valid grants, old\#
est first.","items":{"$ref":"#/$defs/EgressList.Grant"},"type":"array"},"warnings":{"description":"Readable wa\#
rnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","gra\#
nts"],"title":"ritualctl grants list --json","type":"object"},"grants revoke":{"$schema":"https://json-schema.\#
org/draft/2020-12/schema","description":"End a grant and its open streams.","properties":{"formatVersion":{"co\#
nst":1,"description":"The version of the format. It increases when an existing script would misread a document\#
.","type":"integer"},"id":{"description":"The id of the grant.","type":"string"},"warnings":{"description":"Re\#
adable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVers\#
ion","id"],"title":"ritualctl grants revoke --json","type":"object"},"help":{"$schema":"https://json-schema.or\#
g/draft/2020-12/schema","anyOf":[{"description":"With `--help` or `--version`.","properties":{"formatVersion":\#
{"const":1,"description":"The version of the format. It increases when an existing script would misread a docu\#
ment.","type":"integer"},"groups":{"description":"The groups of commands; only with the help of the program it\#
self.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"text":{"description":"The text.","type":"str\#
ing"}},"required":["formatVersion","text"],"type":"object"},{"description":"Without a command.","properties":{\#
"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script woul\#
d misread a document.","type":"integer"},"groups":{"description":"The commands by group.","items":{"$ref":"#/$\#
defs/Overview.Group"},"type":"array"},"next":{"$ref":"#/$defs/NextStep","description":"The next sensible step \#
on this machine."}},"required":["formatVersion","groups","next"],"type":"object"}],"description":"The output o\#
f `--help` and `--version`, and of `ritualctl` without a command.","title":"ritualctl: help"},"identities":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","description":"List linked sign-in methods.","propertie\#
s":{"account":{"description":"The account whose user has the sign-in methods.","type":"string"},"formatVersion\#
":{"const":1,"description":"The version of the format. It increases when an existing script would misread a do\#
cument.","type":"integer"},"identities":{"description":"The linked sign-in methods.","items":{"$ref":"#/$defs/\#
AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the server could not be asked and the l\#
ist is its last known answer.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there\#
 are none.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","identities","isC\#
urrent"],"title":"ritualctl identities --json","type":"object"},"init":{"$schema":"https://json-schema.org/dra\#
ft/2020-12/schema","description":"Add a Supabase project to the configuration, or change one.","properties":{"\#
apiAccepted":{"description":"The accounts that accepted the API of `--api-url`; absent without that option.","\#
items":{"type":"string"},"type":"array"},"change":{"description":"`added`, `updated` or `none`.","type":"strin\#
g"},"configuration":{"description":"The path of the configuration file.","type":"string"},"formatVersion":{"co\#
nst":1,"description":"The version of the format. It increases when an existing script would misread a document\#
.","type":"integer"},"note":{"description":"A note about the part that was removed from a pasted URL.","type":\#
"string"},"project":{"description":"The project's name.","type":"string"},"warning":{"description":"A problem \#
with the reload of a running agent, or with the project.","type":"string"},"warnings":{"description":"Readable\#
 warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["change","configu\#
ration","formatVersion","project"],"title":"ritualctl init --json","type":"object"},"link":{"$schema":"https:/\#
/json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.","properties":{"account":{"$ref":\#
"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecisi\#
on","description":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"f\#
ormatVersion":{"const":1,"description":"The version of the format. It increases when an existing script would \#
misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`,\#
 whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedI\#
n`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there ar\#
e none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"\#
description":"With `--no-browser`.","properties":{"expiresAt":{"description":"When the flow expires on the ser\#
ver.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string\#
"},"flow":{"description":"The ID of the flow.","type":"string"},"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"outc\#
ome":{"description":"`begun`.","type":"string"},"url":{"description":"The URL to open.","type":"string"},"warn\#
ings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}}\#
,"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"},{"description":"With `link e\#
mail`, without `--code-stdin`.","properties":{"address":{"description":"The email address or phone number to w\#
hich the code was sent.","type":"string"},"flow":{"description":"The ID of the flow, which `signIn.verifyCode`\#
 and `signIn.wait` take.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format\#
. It increases when an existing script would misread a document.","type":"integer"},"outcome":{"description":"\#
`codeSent`.","type":"string"},"resendAfter":{"description":"Seconds until the project sends another code to th\#
is address.","type":"number"},"warnings":{"description":"Readable warnings; absent if there are none.","items"\#
:{"type":"string"},"type":"array"}},"required":["address","flow","formatVersion","outcome","resendAfter"],"typ\#
e":"object"}],"description":"Link a provider or an email address as a sign-in method.","title":"ritualctl link\#
 --json"},"lock":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Lock the vault. No t\#
okens are issued or refreshed until it is unlocked.","properties":{"formatVersion":{"const":1,"description":"T\#
he version of the format. It increases when an existing script would misread a document.","type":"integer"},"o\#
pensByFile":{"description":"Whether a key file or credential opens the vault again, so that any program of the\#
 user can unlock it.","type":"boolean"},"warning":{"description":"A readable problem that did not prevent the \#
lock.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"typ\#
e":"string"},"type":"array"}},"required":["formatVersion","opensByFile"],"title":"ritualctl lock --json","type\#
":"object"},"metrics":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Print the agent\#
's counters in OpenMetrics format.","properties":{"events":{"description":"The last events, oldest first.","it\#
ems":{"$ref":"#/$defs/TelemetryRecord"},"type":"array"},"families":{"description":"The counters, as metric fam\#
ilies of OpenMetrics.","items":{"$ref":"#/$defs/MetricFamily"},"type":"array"},"formatVersion":{"const":1,"des\#
cription":"The version of the format. It increases when an existing script would misread a document.","type":"\#
integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"\#
type":"array"}},"required":["events","families","formatVersion"],"title":"ritualctl metrics --json","type":"ob\#
ject"},"mfa enroll":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a second fact\#
or: an authenticator app (totp) or a phone.","properties":{"factor":{"description":"The new factor's ID, for `\#
mfa.verify`. The server forgets an unverified factor after 5 minutes.","type":"string"},"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"secret":{"description":"For `totp`, the secret in base32. Shown once and stored nowhere; n\#
ever log it.","type":"string"},"uri":{"description":"For `totp`, the `otpauth:` URI for an authenticator app. \#
Contains the secret.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.\#
","items":{"type":"string"},"type":"array"}},"required":["factor","formatVersion"],"title":"ritualctl mfa enro\#
ll --json","type":"object"},"mfa list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description"\#
:"List the user's second factors.","properties":{"account":{"description":"The account whose user has the fact\#
ors.","type":"string"},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level."},"e\#
ndsAccounts":{"description":"The other accounts of this agent whose sessions end with a verification. Every ot\#
her session of the user without a second factor ends too.","items":{"type":"string"},"type":"array"},"factors"\#
:{"description":"The factors.","items":{"$ref":"#/$defs/AccountFactor"},"type":"array"},"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"isCurrent":{"description":"False if the server could not be asked and the list is its last\#
 known answer.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["account","assurance","endsAccounts","factors","formatVers\#
ion","isCurrent"],"title":"ritualctl mfa list --json","type":"object"},"mfa remove":{"$schema":"https://json-s\#
chema.org/draft/2020-12/schema","description":"Remove a second factor.","properties":{"factor":{"description":\#
"The ID of the removed factor.","type":"string"},"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"descrip\#
tion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["f\#
actor","formatVersion"],"title":"ritualctl mfa remove --json","type":"object"},"mfa verify":{"$schema":"https:\#
//json-schema.org/draft/2020-12/schema","anyOf":[{"description":"After the verification.","properties":{"activ\#
ity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"assurance":{\#
"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level that is possib\#
le; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session\#
 ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this mach\#
ine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type"\#
:"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing \#
script would misread a document.","type":"integer"},"identities":{"description":"The sign-in methods that are \#
linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Wh\#
ether requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFacto\#
rNeed","description":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"descri\#
ption":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the pr\#
ofile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the configur\#
ed origin if there is no session.","type":"string"},"project":{"description":"The project's name in the config\#
uration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; abse\#
nt without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and w\#
hen and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session\#
."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"}\#
,"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable\#
 warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","forma\#
tVersion","identities","isDefault","name","project","state","tokenUsable"],"type":"object"},{"description":"Wi\#
th `--browser`.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the ac\#
count."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the\#
 person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the fo\#
rmat. It increases when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs\#
/SecondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$d\#
efs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"de\#
scription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required\#
":["formatVersion","outcome"],"type":"object"},{"description":"Without `--code-stdin`, for a phone factor.","p\#
roperties":{"expiresAt":{"description":"When the code expires, by this machine's clock.","format":"date-time",\#
"pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factor":{"description":\#
"The factor to which the code belongs.","type":"string"},"formatVersion":{"const":1,"description":"The version\#
 of the format. It increases when an existing script would misread a document.","type":"integer"},"outcome":{"\#
description":"`codeSent`.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are \#
none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","factor","formatVersion","outcome"],\#
"type":"object"}],"description":"Verify a second factor with a code; ends the user's other sessions without on\#
e.","title":"ritualctl mfa verify --json"},"profile":{"$schema":"https://json-schema.org/draft/2020-12/schema"\#
,"description":"Show or change the user's profile.","properties":{"account":{"description":"The account whose \#
user has the profile.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. I\#
t increases when an existing script would misread a document.","type":"integer"},"onboarding":{"description":"\#
`needed` or `complete`.","type":"string"},"prefill":{"additionalProperties":{},"description":"Values that Appl\#
e sent at the first sign-in and that the profile lacks. `profile.update` adds them.","type":"object"},"profile\#
":{"additionalProperties":{},"description":"The profile from the API; absent if there is none yet.","type":"ob\#
ject"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"typ\#
e":"array"}},"required":["account","formatVersion","onboarding"],"title":"ritualctl profile --json","type":"ob\#
ject"},"refresh":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Refresh now (at most\#
 once every 5 seconds).","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operati\#
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
nUsable"],"title":"ritualctl refresh --json","type":"object"},"register-handler":{"$schema":"https://json-sche\#
ma.org/draft/2020-12/schema","anyOf":[{"description":"Without `--print`.","properties":{"file":{"description":\#
"The path of the desktop entry.","type":"string"},"formatVersion":{"const":1,"description":"The version of the\#
 format. It increases when an existing script would misread a document.","type":"integer"},"registered":{"desc\#
ription":"Whether the agent opens URLs of the scheme now.","type":"boolean"},"scheme":{"description":"The URL \#
scheme.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"t\#
ype":"string"},"type":"array"}},"required":["file","formatVersion","registered","scheme"],"type":"object"},{"d\#
escription":"With `--print`.","properties":{"entry":{"description":"The text of the desktop entry.","type":"st\#
ring"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scri\#
pt would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there \#
are none.","items":{"type":"string"},"type":"array"}},"required":["entry","formatVersion"],"type":"object"}],"\#
description":"Open dailyritual:// URLs with the agent.","title":"ritualctl register-handler --json"},"reload":\#
{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Reload the agent's configuration.","p\#
roperties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing\#
 script would misread a document.","type":"integer"},"projects":{"description":"The names of the projects in t\#
he configuration.","items":{"type":"string"},"type":"array"},"reloaded":{"description":"Whether the file was r\#
ead: false if the agent uses a file other than `file`. Absent in older agents.","type":"boolean"},"warning":{"\#
description":"A readable problem, such as a failed check; absent if there is none.","type":"string"},"warnings\#
":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"re\#
quired":["formatVersion","projects"],"title":"ritualctl reload --json","type":"object"},"reset":{"$schema":"ht\#
tps://json-schema.org/draft/2020-12/schema","description":"Sign out of all accounts and remove the agent's dat\#
a.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an ex\#
isting script would misread a document.","type":"integer"},"kept":{"description":"The paths that were kept: th\#
e configuration, without `--config`.","items":{"type":"string"},"type":"array"},"removed":{"description":"The \#
paths that were removed.","items":{"type":"string"},"type":"array"},"signedOut":{"description":"The accounts t\#
hat were signed out.","items":{"type":"string"},"type":"array"},"unrevoked":{"description":"The sessions that \#
may still be active on their server.","items":{"$ref":"#/$defs/UnrevokedSession"},"type":"array"},"warnings":{\#
"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requi\#
red":["formatVersion","kept","removed","signedOut","unrevoked"],"title":"ritualctl reset --json","type":"objec\#
t"},"schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without a comm\#
and.","properties":{"commands":{"description":"The commands that `ritualctl schema` takes, and `error` and `he\#
lp`.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the f\#
ormat. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"descript\#
ion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["co\#
mmands","formatVersion"],"type":"object"},{"description":"With a command.","properties":{"command":{"descripti\#
on":"The command whose document the schema describes.","type":"string"},"formatVersion":{"const":1,"descriptio\#
n":"The version of the format. It increases when an existing script would misread a document.","type":"integer\#
"},"schema":{"description":"The JSON Schema."},"warnings":{"description":"Readable warnings; absent if there a\#
re none.","items":{"type":"string"},"type":"array"}},"required":["command","formatVersion","schema"],"type":"o\#
bject"}],"description":"Print the JSON Schema of a command's --json document.","title":"ritualctl schema --jso\#
n"},"setup":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without a name.\#
","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an exis\#
ting script would misread a document.","type":"integer"},"setups":{"description":"The setups that `ritualctl s\#
etup` can print.","items":{"$ref":"#/$defs/SetupListAnswer.Entry"},"type":"array"},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVe\#
rsion","setups"],"type":"object"},{"description":"With a name.","properties":{"account":{"description":"The ac\#
count; absent for the default account.","type":"string"},"formatVersion":{"const":1,"description":"The version\#
 of the format. It increases when an existing script would misread a document.","type":"integer"},"name":{"des\#
cription":"The name of the setup.","type":"string"},"steps":{"description":"What to add.","items":{"$ref":"#/$\#
defs/SetupAnswer.Step"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none\#
.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","name","steps"],"type":"object"}],"d\#
escription":"Print what to add where, so that a tool gets its tokens from the agent.","title":"ritualctl setup\#
 --json"},"sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The out\#
come.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"\#
decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `\#
identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFac\#
torNeed","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignIn\#
Result.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description"\#
:"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["format\#
Version","outcome"],"type":"object"},{"description":"With `--no-browser`.","properties":{"expiresAt":{"descrip\#
tion":"When the flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]\#
{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":"string"},"format\#
Version":{"const":1,"description":"The version of the format. It increases when an existing script would misre\#
ad a document.","type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{"description":"T\#
he URL to open.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type"\#
:"object"},{"description":"With `code` or `phone`, without `--code-stdin`.","properties":{"address":{"descript\#
ion":"The email address or phone number to which the code was sent.","type":"string"},"flow":{"description":"T\#
he ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"formatVersion":{"const\#
":1,"description":"The version of the format. It increases when an existing script would misread a document.",\#
"type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"description":"Second\#
s until the project sends another code to this address.","type":"number"},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["address","flow","\#
formatVersion","outcome","resendAfter"],"type":"object"}],"description":"Sign in with a provider, a password, \#
a code, single sign-on, or as an anonymous user.","title":"ritualctl sign-in --json"},"sign-out":{"$schema":"h\#
ttps://json-schema.org/draft/2020-12/schema","description":"Sign out on this machine and on the server.","prop\#
erties":{"accounts":{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"arra\#
y"},"failed":{"description":"With `all`, the accounts whose sign-out failed, and why. Absent if there are none\#
.","items":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"array"},"formatVersion":{"const":1,"description":\#
"The version of the format. It increases when an existing script would misread a document.","type":"integer"},\#
"pending":{"description":"The accounts whose revocation is pending until the server is reachable.","items":{"t\#
ype":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items\#
":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","pending"],"title":"ritualctl sign\#
-out --json","type":"object"},"sink":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"\#
One line per change of the file.","properties":{"account":{"description":"The account whose token the file con\#
tains.","type":"string"},"expiresAt":{"description":"When the written token expires.","format":"date-time","pa\#
ttern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,\#
"description":"The version of the format. It increases when an existing script would misread a document.","typ\#
e":"integer"},"isWritten":{"description":"True if a new token was written, false if the file was removed, or i\#
s not there yet.","type":"boolean"},"path":{"description":"The path of the file.","type":"string"},"reason":{"\#
description":"Why there is no file.","type":"string"}},"required":["account","formatVersion","isWritten","path\#
"],"title":"ritualctl sink --json","type":"object"},"status":{"$schema":"https://json-schema.org/draft/2020-12\#
/schema","description":"Show the current state of the agent, the vault, and the accounts.","properties":{"acco\#
unts":{"description":"The accounts. They may be unknown while the vault is locked.","items":{"$ref":"#/$defs/A\#
ccountStatus"},"type":"array"},"autostart":{"description":"Whether the first sign-in enables the agent's servi\#
ce (`[agent] autostart`). Absent in older agents, whose first sign-in does.","type":"boolean"},"formatVersion"\#
:{"const":1,"description":"The version of the format. It increases when an existing script would misread a doc\#
ument.","type":"integer"},"health":{"description":"Readable findings; empty if there is nothing to report.","i\#
tems":{"type":"string"},"type":"array"},"pid":{"description":"The agent's process ID.","type":"integer"},"stat\#
eFolder":{"description":"The state directory of the agent; a `ritualctl` with another environment would look e\#
lsewhere. Absent in older agents.","type":"string"},"unrevoked":{"description":"The accounts with a pending re\#
vocation on the server. Absent while the vault is locked, because the list is then unknown.","items":{"type":"\#
string"},"type":"array"},"uptime":{"description":"Seconds since the agent became ready.","type":"integer"},"va\#
ult":{"$ref":"#/$defs/VaultSummary","description":"The state of the vault."},"version":{"description":"The ver\#
sion of the agent.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.",\#
"items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","health","pid","uptime","vau\#
lt","version"],"title":"ritualctl status --json","type":"object"},"token":{"$schema":"https://json-schema.org/\#
draft/2020-12/schema","description":"Print a valid access token.","properties":{"accessToken":{"description":"\#
The bearer token. Never log it or pass it as a command-line argument.","type":"string"},"account":{"descriptio\#
n":"The account that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoin\#
ts","description":"The project that accepts the token, if the caller asked for it."},"expiresAt":{"description\#
":"The token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[\#
0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds until the token expires.","t\#
ype":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an exis\#
ting script would misread a document.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","ty\#
pe":"string"},"unchanged":{"description":"True if the caller reported this token as rejected and there is no n\#
ewer one. The caller must not repeat its request.","type":"boolean"},"warnings":{"description":"Readable warni\#
ngs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accessToken","account"\#
,"expiresAt","expiresIn","formatVersion","tokenType"],"title":"ritualctl token --json","type":"object"},"unlin\#
k":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Unlink a sign-in method. The last \#
one cannot be removed.","properties":{"account":{"description":"The account whose user has the sign-in methods\#
.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an \#
existing script would misread a document.","type":"integer"},"identities":{"description":"The linked sign-in m\#
ethods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the s\#
erver could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account"\#
,"formatVersion","identities","isCurrent"],"title":"ritualctl unlink --json","type":"object"},"unlock":{"$sche\#
ma":"https://json-schema.org/draft/2020-12/schema","description":"Unlock the vault.","properties":{"formatVers\#
ion":{"const":1,"description":"The version of the format. It increases when an existing script would misread a\#
 document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The key that opened the vault."}\#
,"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"ar\#
ray"}},"required":["formatVersion","key"],"title":"ritualctl unlock --json","type":"object"},"use":{"$schema":\#
"https://json-schema.org/draft/2020-12/schema","description":"Set the default account.","properties":{"activit\#
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
ersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl use --json","type"\#
:"object"},"use-api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow the config\#
ured API to receive an account's token.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","descripti\#
on":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"\#
The session's level of assurance and the level that is possible; absent without a session."},"ended":{"$ref":"\#
#/$defs/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"expir\#
esAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0\#
-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"descriptio\#
n":"The version of the format. It increases when an existing script would misread a document.","type":"integer\#
"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/Acc\#
ountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this a\#
ccount.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is \#
needed; present in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"on\#
boarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"desc\#
ription":"The origin that issued the session, or the configured origin if there is no session.","type":"string\#
"},"project":{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$\#
defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$def\#
s/SessionLife","description":"When the session started, and when and why it ends or ended."},"state":{"$ref":"\#
#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whether `sessio\#
n.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","descriptio\#
n":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"t\#
ype":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","projec\#
t","state","tokenUsable"],"title":"ritualctl use-api --json","type":"object"},"vault add-key":{"$schema":"http\#
s://json-schema.org/draft/2020-12/schema","description":"Add a key that opens the vault: a passphrase, a key f\#
ile, or a systemd credential.","properties":{"formatVersion":{"const":1,"description":"The version of the form\#
at. It increases when an existing script would misread a document.","type":"integer"},"key":{"$ref":"#/$defs/V\#
aultKey","description":"The added key."},"removed":{"description":"The removed slots: those of key files, or t\#
he replaced one.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"warnings":{"description":"Readable warn\#
ings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","key",\#
"removed"],"title":"ritualctl vault add-key --json","type":"object"},"vault adopt":{"$schema":"https://json-sc\#
hema.org/draft/2020-12/schema","description":"Use a vault that was copied from another machine.","properties":\#
{"accounts":{"description":"The accounts whose sessions are now used here.","items":{"type":"string"},"type":"\#
array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scr\#
ipt would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there\#
 are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritual\#
ctl vault adopt --json","type":"object"},"vault rekey":{"$schema":"https://json-schema.org/draft/2020-12/schem\#
a","description":"Create a new master key and re-encrypt the vault.","properties":{"formatVersion":{"const":1,\#
"description":"The version of the format. It increases when an existing script would misread a document.","typ\#
e":"integer"},"generation":{"description":"The vault's generation after the change.","minimum":0,"type":"integ\#
er"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type"\#
:"array"}},"required":["formatVersion","generation"],"title":"ritualctl vault rekey --json","type":"object"},"\#
vault remove-key":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Remove a vault key.\#
 The last one cannot be removed.","properties":{"formatVersion":{"const":1,"description":"The version of the f\#
ormat. It increases when an existing script would misread a document.","type":"integer"},"id":{"description":"\#
32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$\#
defs/VaultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2\#
id memory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number\#
 of Argon2id passes for each attempt.","type":"integer"},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id","kind"],"title\#
":"ritualctl vault remove-key --json","type":"object"},"vault status":{"$schema":"https://json-schema.org/draf\#
t/2020-12/schema","description":"Show the state of the vault, its keys, and what they protect.","properties":{\#
"damaged":{"description":"Files that were set aside or ignored, and why.","items":{"$ref":"#/$defs/VaultFindin\#
g"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an \#
existing script would misread a document.","type":"integer"},"generation":{"description":"Increases with every\#
 change of keys.","minimum":0,"type":"integer"},"idleLock":{"description":"Idle time before locking, in second\#
s; absent means never.","type":"integer"},"isAuthenticated":{"description":"Whether `keys`, `generation` and `\#
machine` were authenticated with the vault's key. Until the vault is first opened, they are unverified values \#
from its file.","type":"boolean"},"isMemoryLocked":{"description":"Whether the keys are locked in memory, so t\#
hat they cannot be swapped out.","type":"boolean"},"isRekeying":{"description":"Whether a `vault.rekey` was in\#
terrupted. The next `vault.rekey` or unlock continues it.","type":"boolean"},"keys":{"description":"The keys, \#
in the order in which they were added.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"lockedBy":{"descr\#
iption":"Why the vault is locked: `hand`, `idle`, `session`, or `start` if no key was available.","type":"stri\#
ng"},"machine":{"description":"Whether the vault belongs to this machine: `this`, `other` or `unknown`.","type\#
":"string"},"openedBy":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of key that opened the vault."},\#
"protection":{"description":"Readable statements of what each kind of key protects and what it does not.","ite\#
ms":{"type":"string"},"type":"array"},"state":{"description":"`open`, `copied`, `locked` or `unavailable`.","e\#
num":["open","copied","locked","unavailable"],"type":"string"},"warnings":{"description":"Readable warnings; a\#
bsent if there are none.","items":{"type":"string"},"type":"array"}},"required":["damaged","formatVersion","ge\#
neration","isAuthenticated","isMemoryLocked","isRekeying","keys","machine","protection","state"],"title":"ritu\#
alctl vault status --json","type":"object"},"vault verify":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"Check every file of the open vault, without changing anything.","properties":{"files":{"\#
description":"Every file of the vault, with the result of its check.","items":{"$ref":"#/$defs/VaultFinding"},\#
"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an exis\#
ting script would misread a document.","type":"integer"},"isWhole":{"description":"Whether every file is uncha\#
nged since the vault wrote it.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if ther\#
e are none.","items":{"type":"string"},"type":"array"}},"required":["files","formatVersion","isWhole"],"title"\#
:"ritualctl vault verify --json","type":"object"},"whoami":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"Show the user who is signed in.","properties":{"activity":{"$ref":"#/$defs/AccountActivi\#
ty","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","\#
description":"The session's level of assurance and the level that is possible; absent without a session."},"en\#
ded":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signInNee\#
ded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time",\#
"pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const"\#
:1,"description":"The version of the format. It increases when an existing script would misread a document.","\#
type":"integer"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref\#
":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account n\#
ame use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a sec\#
ond factor is needed; present in the result of a sign-in."},"name":{"description":"The account's name.","type"\#
:"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"\#
origin":{"description":"The origin that issued the session, or the configured origin if there is no session.",\#
"type":"string"},"project":{"description":"The project's name in the configuration.","type":"string"},"refresh\#
":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session":{\#
"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it ends or ended."},"st\#
ate":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"W\#
hether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUse\#
r","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are none\#
.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault",\#
"name","project","state","tokenUsable"],"title":"ritualctl whoami --json","type":"object"},"why":{"$schema":"h\#
ttps://json-schema.org/draft/2020-12/schema","description":"Show the next refresh, the reason, and recent atte\#
mpts.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"The account."},"explanation":{"d\#
escription":"Sentences, most important first.","items":{"type":"string"},"type":"array"},"formatVersion":{"con\#
st":1,"description":"The version of the format. It increases when an existing script would misread a document.\#
","type":"integer"},"tries":{"description":"The recent attempts, newest first.","items":{"$ref":"#/$defs/Refre\#
shTry"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"typ\#
e":"string"},"type":"array"}},"required":["account","explanation","formatVersion","tries"],"title":"ritualctl \#
why --json","type":"object"}}}
"""#
}
