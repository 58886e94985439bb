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
^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"comm":{"description":"The name tha\#
t the process gives itself, which any program can choose; only if the executable cannot be read.","type":"stri\#
ng"},"count":{"description":"How many times the token was issued, how many requests were sent, how often a pro\#
gram repeated what the entry says, or how many entries were dropped.","minimum":0,"type":"integer"},"detail":{\#
"description":"Readable details: how, why or to what extent.","type":"string"},"event":{"$ref":"#/$defs/AuditE\#
vent","description":"The kind of entry."},"executable":{"description":"The executable of the process, without \#
arguments; absent if it cannot be read.","type":"string"},"first":{"description":"The time of the first of `co\#
unt`.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"strin\#
g"},"handOut":{"description":"Identifies what is counted for a process: a later entry with the same number has\#
 the updated counts.","minimum":0,"type":"integer"},"last":{"description":"The time of the last of `count`.","\#
format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"pid\#
":{"description":"The process, as identified when it connected.","type":"integer"},"previous":{"description":"\#
The MAC that precedes the first entry of a file, in hex.","type":"string"},"project":{"description":"The proje\#
ct that the entry concerns.","type":"string"},"provider":{"description":"`apple`, `google`, `email` …","type":\#
"string"},"sequence":{"description":"Increases by one with every entry, starting at 1.","minimum":0,"type":"in\#
teger"},"statuses":{"additionalProperties":{"minimum":0,"type":"integer"},"description":"The number of request\#
s by the status of the response: `1xx` to `5xx`, `other`, or `none` without a response.","type":"object"},"tok\#
en":{"description":"The first 16 hex digits of the SHA-256 of the access token.","type":"string"},"unit":{"des\#
cription":"The systemd unit of the process.","type":"string"},"way":{"description":"How the token was issued o\#
r used: `token`, `events` or `api`.","type":"string"}},"required":["at","event","sequence"],"type":"object"},"\#
AuditEvent":{"description":"The kind of an audit log entry.","examples":["agentStarted","agentStopped","signed\#
In","signedOut","sessionEnded","linked","unlinked","decided","denied","approvalAsked","approvalAnswered","appr\#
ovalRevoked","handOut","egressUsed","grantMade","grantEnded","apiAccepted","factorEnrolled","factorVerified","\#
factorRemoved","accountRenamed","accountRemoved","vaultLocked","vaultUnlocked","keyAdded","keyRemoved","rekeye\#
d","vaultAdopted","fileBegun","interrupted","entriesLost"],"type":"string"},"AuditVerify.Finding":{"descriptio\#
n":"A mismatch of the log with the chain.","properties":{"file":{"description":"The name of the file in the lo\#
g's directory.","type":"string"},"first":{"description":"The first affected entry; absent if the finding conce\#
rns a file.","minimum":0,"type":"integer"},"kind":{"description":"`edited`, `removed`, `cut`, `reordered`, `re\#
peated`, `exchanged`, `missingFile` or `unknownFile`.","type":"string"},"last":{"description":"The last affect\#
ed entry; absent if the finding concerns a file.","minimum":0,"type":"integer"}},"required":["file","kind"],"t\#
ype":"object"},"CheckOutcome":{"description":"The outcome of a check of `agent.diagnose` or `ritualctl doctor`\#
.","examples":["ok","warn","fail"],"type":"string"},"DiagnosticCheck":{"description":"The result of one check.\#
","properties":{"name":{"description":"The subject of the check, such as `vault` or `tls`.","type":"string"},"\#
next":{"description":"The remedy, as a command if there is one; absent if nothing needs to be done.","type":"s\#
tring"},"outcome":{"$ref":"#/$defs/CheckOutcome","description":"Whether the check passed."},"project":{"descri\#
ption":"The project's name in the configuration; absent if the check does not concern a project.","type":"stri\#
ng"},"words":{"description":"The finding, in readable form.","type":"string"}},"required":["name","outcome","w\#
ords"],"type":"object"},"EgressList.Grant":{"description":"A valid grant.","properties":{"account":{"descripti\#
on":"The account whose token is added.","type":"string"},"createdAt":{"description":"When the grant was made."\#
,"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"e\#
xecutable":{"description":"The executable of that process, without arguments; absent if it cannot be read.","t\#
ype":"string"},"expiresAt":{"description":"When the grant ends.","format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"id":{"description":"The id that `egress.revoke`\#
 takes.","type":"string"},"methods":{"description":"HTTP methods that the grant is limited to; absent for all.\#
","items":{"type":"string"},"type":"array"},"paths":{"description":"Paths that the grant is limited to; absent\#
 for all.","items":{"type":"string"},"type":"array"},"pid":{"description":"The process that asked for the gran\#
t.","type":"integer"},"process":{"description":"True if the grant ends with that process.","type":"boolean"},"\#
requests":{"description":"The number of requests that were sent with the grant.","minimum":0,"type":"integer"}\#
,"unit":{"description":"The systemd unit of that process; absent if it has none.","type":"string"}},"required"\#
:["account","createdAt","expiresAt","id","pid","process","requests"],"type":"object"},"EndedSession":{"descrip\#
tion":"The end of a session without a sign-out on this machine.","properties":{"at":{"description":"When the s\#
ession ended.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type\#
":"string"},"reason":{"description":"A readable reason, such as \"ended elsewhere\".","type":"string"}},"requi\#
red":["at","reason"],"type":"object"},"ErrorDocument.Details":{"description":"The reason of a failure.","prope\#
rties":{"account":{"description":"The account that the error concerns.","type":"string"},"detail":{"descriptio\#
n":"The host and the cause of a failed connection.","type":"string"},"hint":{"description":"The next step, a c\#
ommand if there is one.","type":"string"},"kind":{"description":"The stable name, for programs to branch on: a\#
n error kind of the agent, or `unreachable`, `foreignServer`, `protocolViolation`, `disconnected`, `usage`, `f\#
ailed`, `cancelled` or `unchanged`.","type":"string"},"message":{"description":"The message for the user.","ty\#
pe":"string"},"retryAfter":{"description":"Seconds to wait before a retry.","type":"number"},"retryable":{"des\#
cription":"Whether the same command can succeed later without intervention.","type":"boolean"}},"required":["k\#
ind","message","retryable"],"type":"object"},"ErrorKind":{"description":"The stable name of an error: `data.ki\#
nd` on the wire.","examples":["approvalNeeded","callbackInvalid","cancelled","captchaRequired","codeInvalid","\#
denied","emailNotConfirmed","flowBusy","flowTimedOut","flowUnknown","formatTooNew","identityTaken","internalEr\#
ror","invalidCredentials","invalidParams","invalidRequest","lastIdentity","linkingConflict","linkingDisabled",\#
"methodDisabled","methodNotFound","mfaNeeded","misconfigured","notReady","offline","parseError","rateLimited",\#
"serviceUnavailable","signInNeeded","storageFull","timedOut","tooLarge","tooMany","unknownAccount","unsupporte\#
dVersion","userExists","vaultCopied","vaultDamaged","vaultLocked","vaultUnavailable","weakPassword","wrongKey"\#
,"wrongUser"],"type":"string"},"EventType":{"description":"The name of an event, in the style of Supabase clie\#
nts.","examples":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED"\#
,"STATE_CHANGED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPR\#
OVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"MetricFamily":{"description":"A metric family of \#
OpenMetrics 1.0, section \"MetricFamily\".","properties":{"help":{"description":"A readable description of the\#
 family.","type":"string"},"name":{"description":"The name of the family.","type":"string"},"samples":{"descri\#
ption":"The samples of the family.","items":{"$ref":"#/$defs/MetricFamily.Sample"},"type":"array"},"type":{"de\#
scription":"`counter`, `gauge`, `histogram`, `info` or `stateset`.","type":"string"},"unit":{"description":"Th\#
e unit, which is the last part of the name; absent if there is none.","type":"string"}},"required":["help","na\#
me","samples","type"],"type":"object"},"MetricFamily.Sample":{"description":"A sample of a family: one value w\#
ith its labels.","properties":{"labels":{"additionalProperties":{"type":"string"},"description":"The labels of\#
 the sample, by name.","type":"object"},"suffix":{"description":"The suffix of the metric name: `_total`, `_bu\#
cket`, `_count`, `_sum`, `_info` or empty.","type":"string"},"value":{"description":"The value of the sample."\#
,"type":"number"}},"required":["labels","suffix","value"],"type":"object"},"NextStep":{"description":"The next\#
 sensible step on this machine.","properties":{"reason":{"description":"Why it is the next step.","type":"stri\#
ng"},"step":{"description":"A command, or an instruction if no command helps.","type":"string"}},"required":["\#
reason","step"],"type":"object"},"Overview.Group":{"description":"A group of commands.","properties":{"command\#
s":{"description":"The names of its commands.","items":{"type":"string"},"type":"array"},"name":{"description"\#
:"The title of the group.","type":"string"}},"required":["commands","name"],"type":"object"},"RefreshStatus":{\#
"description":"The refresh schedule of an account and its recent failures.","properties":{"attempts":{"descrip\#
tion":"The number of failed attempts since the last success.","type":"integer"},"clockSkew":{"description":"Se\#
conds by which the server's clock is ahead of this machine's, measured at its last answer. A skew of about one\#
 second is normal.","type":"integer"},"lastError":{"$ref":"#/$defs/AgentError","description":"The most recent \#
error since the last success."},"nextAt":{"description":"When the next attempt is due.","format":"date-time","\#
pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],\#
"type":"object"},"RefreshTry":{"description":"One refresh attempt.","properties":{"at":{"description":"When th\#
e attempt began.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","t\#
ype":"string"},"error":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error, if the attempt failed\#
."},"latency":{"description":"The duration of the attempt in seconds.","type":"number"},"outcome":{"descriptio\#
n":"`refreshed`, `ended`, `failed`, `refused`, `banned`, `paused`, `misconfigured`.","type":"string"},"reason"\#
:{"description":"The trigger: `ahead`, `demand`, `rejected`, `forced`, `start`, `retry`, `sleep`.","type":"str\#
ing"},"status":{"description":"The HTTP status, if the server answered.","type":"integer"}},"required":["at","\#
latency","outcome","reason"],"type":"object"},"SecondFactorNeed":{"description":"A sign-in's need for a second\#
 factor.","properties":{"endsAccounts":{"description":"The other accounts of this agent whose sessions end wit\#
h a verification: those of the same user without a second factor.","items":{"type":"string"},"type":"array"},"\#
endsAt":{"description":"When the server ends a session without the second factor; absent if that is not known.\#
","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"\#
factors":{"description":"The user's verified factors.","items":{"$ref":"#/$defs/AccountFactor"},"type":"array"\#
},"flow":{"description":"The flow in which the agent's page asks for the code, for `signIn.wait` and `signIn.c\#
ancel`; absent if no page asks.","type":"string"},"needed":{"description":"True if the user has a verified fac\#
tor and the session does not have its level yet. The session is stored and works; what requires the second fac\#
tor does not.","type":"boolean"},"verifiedElsewhereAt":{"description":"When a second factor was verified elsew\#
here, which probably ended the account's former session.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[\#
0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["factors","needed"],"type":"object"},"Sess\#
ionEndReason":{"description":"The reason why a session ended.","examples":["signedOut","endedElsewhere","timeb\#
ox","inactivity","lowAssurance","newerSignIn","userGone","unknown"],"type":"string"},"SessionLife":{"descripti\#
on":"The life of an account's session.","properties":{"endReason":{"$ref":"#/$defs/SessionEndReason","descript\#
ion":"Why the session ended, or why the server currently refuses to continue it."},"endsAt":{"description":"Wh\#
en the session is expected to end; absent if no limit is known.","format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"isEstimate":{"description":"True if `endsAt` fo\#
llows from an earlier session of this project, not from `session_limit`.","type":"boolean"},"startedAt":{"desc\#
ription":"When the user signed in; absent if that is not known.","format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"type":"object"},"SessionSignOut.Failure":{"des\#
cription":"An account that is still signed in.","properties":{"account":{"description":"The account's name.","\#
type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error."},"message":{"descrip\#
tion":"The message for the user.","type":"string"}},"required":["account","kind","message"],"type":"object"},"\#
SessionToken.Endpoints":{"description":"The project's URLs and key, which a tool needs to use the token.","pro\#
perties":{"anonKey":{"description":"The anon or publishable key, which Supabase expects in the header `apikey`\#
.","type":"string"},"apiURL":{"description":"The configured API URL, or the project URL if there is none. Abse\#
nt if the API URL changed after the sign-in and was not accepted yet (`session.useAPI`).","type":"string"},"pr\#
ojectURL":{"description":"The project URL, without a trailing slash.","type":"string"}},"required":["anonKey",\#
"projectURL"],"type":"object"},"SessionToken.Result":{"description":"A valid access token.","properties":{"acc\#
essToken":{"description":"The bearer token. Never log it or pass it as a command-line argument.","type":"strin\#
g"},"account":{"description":"The account that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/\#
$defs/SessionToken.Endpoints","description":"The project that accepts the token, if the caller asked for it."}\#
,"expiresAt":{"description":"The token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0\#
-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds un\#
til the token expires.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","type":"string"},"\#
unchanged":{"description":"True if the caller reported this token as rejected and there is no newer one. The c\#
aller must not repeat its request.","type":"boolean"}},"required":["accessToken","account","expiresAt","expire\#
sIn","tokenType"],"type":"object"},"SetupAnswer.Step":{"description":"A text, and its place.","properties":{"t\#
ext":{"description":"The text to add.","type":"string"},"where":{"description":"Where the text belongs.","type\#
":"string"}},"required":["text","where"],"type":"object"},"SetupListAnswer.Entry":{"description":"One setup.",\#
"properties":{"name":{"description":"The name for `ritualctl setup`.","type":"string"},"purpose":{"description\#
":"What it sets up.","type":"string"}},"required":["name","purpose"],"type":"object"},"SignInDecision":{"descr\#
iption":"A decision that a person makes before a sign-in takes effect.","properties":{"account":{"description"\#
:"The name of the account to sign in to.","type":"string"},"flow":{"description":"The flow that `identity.deci\#
de` takes.","type":"string"},"identity":{"$ref":"#/$defs/AccountIdentity","description":"For `link`, the linke\#
d sign-in method."},"kind":{"description":"`newAccount`: confirm the user of a first sign-in by a pasted URL. \#
`link`: accept that the server linked the sign-in to an account with other sign-in methods.","type":"string"},\#
"others":{"description":"For `link`, the sign-in methods that the account had before.","items":{"$ref":"#/$def\#
s/AccountIdentity"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser","description":"The user who signed in\#
."}},"required":["account","flow","kind","user"],"type":"object"},"SignInResult.Outcome":{"description":"How a\#
 sign-in ended.","examples":["signedIn","confirmationSent","decisionNeeded"],"type":"string"},"TelemetryRecord\#
":{"description":"One event, such as `auth_completed` with `duration_ms`.","properties":{"at":{"description":"\#
When the event happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{\#
2}Z$","type":"string"},"event":{"description":"The event's name.","type":"string"},"properties":{"additionalPr\#
operties":{"type":"string"},"description":"Values of `method`, `reason`, `error_type` or `duration_ms`: number\#
s or members of a fixed set.","type":"object"}},"required":["at","event","properties"],"type":"object"},"Unrev\#
okedSession":{"description":"A session that a reset removes on this machine, but that is not revoked on its se\#
rver.","properties":{"account":{"description":"The account's name.","type":"string"},"reason":{"description":"\#
A readable reason.","type":"string"}},"required":["account","reason"],"type":"object"},"VaultFinding":{"descri\#
ption":"The result of checking one file of the vault.","properties":{"detail":{"description":"Readable details\#
.","type":"string"},"file":{"description":"The file's name in the vault's directory, which reveals nothing abo\#
ut its content.","type":"string"},"state":{"description":"`ok`, `damaged`, `newer`, `unreadable`, `setAside`, \#
`missing` or `foreign`.","type":"string"}},"required":["file","state"],"type":"object"},"VaultKey":{"descripti\#
on":"A key that opens the vault.","properties":{"id":{"description":"32 hexadecimal digits, for `vault.removeK\#
ey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind","description":"The kin\#
d of the key."},"memory":{"description":"For a passphrase, the Argon2id memory for each attempt, in bytes.","t\#
ype":"integer"},"passes":{"description":"For a passphrase, the number of Argon2id passes for each attempt.","t\#
ype":"integer"}},"required":["id","kind"],"type":"object"},"VaultKeyKind":{"description":"The kind of a vault \#
key.","examples":["keyFile","passphrase","credential"],"type":"string"},"VaultSummary":{"description":"The sta\#
te of the vault.","properties":{"damaged":{"description":"The file names of records that were set aside as dam\#
aged.","items":{"type":"string"},"type":"array"},"error":{"$ref":"#/$defs/ErrorKind","description":"Why the va\#
ult is `unavailable`, such as `vaultDamaged`; `protection` then holds the remedy."},"openedBy":{"description":\#
"The key that opened the vault: `key file`, `passphrase` or `systemd credential`.","type":"string"},"protectio\#
n":{"description":"A readable statement of what the key protects and what it does not.","type":"string"},"stat\#
e":{"description":"`open`, `copied` (from another machine: refreshes are suspended), `locked` or `unavailable`\#
.","type":"string"}},"required":["damaged","state"],"type":"object"}},"commands":{"accounts list":{"$schema":"\#
https://json-schema.org/draft/2020-12/schema","description":"List accounts.","properties":{"accounts":{"descri\#
ption":"All accounts.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array"},"formatVersion":{"const":1,"de\#
scription":"The version of the format. It increases when an existing script would misread a document.","type":\#
"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},\#
"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualctl accounts list --json","type":"obje\#
ct"},"accounts remove":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign an accoun\#
t out and delete everything stored about it.","properties":{"account":{"description":"The name of the removed \#
account.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases w\#
hen an existing script would misread a document.","type":"integer"},"isPending":{"description":"True if the se\#
rver has not confirmed the end of the session yet; the agent keeps trying.","type":"boolean"},"warnings":{"des\#
cription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required"\#
:["account","formatVersion","isPending"],"title":"ritualctl accounts remove --json","type":"object"},"accounts\#
 rename":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Rename an account.","propert\#
ies":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"\#
assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level th\#
at is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when\#
 the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, \#
by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{\#
2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when \#
an existing script would misread a document.","type":"integer"},"identities":{"description":"The sign-in metho\#
ds that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"desc\#
ription":"Whether requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs\#
/SecondFactorNeed","description":"Whether a second factor is needed; present in the result of a sign-in."},"na\#
me":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`,\#
 once the profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or \#
the configured origin if there is no session.","type":"string"},"project":{"description":"The project's name i\#
n the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh sc\#
hedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session st\#
arted, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of\#
 the session."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type\#
":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"descriptio\#
n":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["acti\#
vity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl acco\#
unts rename --json","type":"object"},"api":{"$schema":"https://json-schema.org/draft/2020-12/schema","descript\#
ion":"Send an authorized API request and print the response body.","properties":{"body":{"description":"The bo\#
dy in base64 (RFC 4648, section 4).","type":"string"},"formatVersion":{"const":1,"description":"The version of\#
 the format. It increases when an existing script would misread a document.","type":"integer"},"headers":{"des\#
cription":"The response headers, as pairs of name and value.","items":{"items":{"type":"string"},"type":"array\#
"},"type":"array"},"status":{"description":"The HTTP status.","type":"integer"},"text":{"description":"The bod\#
y again if it is text: UTF-8 of a content type `text/*` or JSON.","type":"string"},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["body","f\#
ormatVersion","headers","status"],"title":"ritualctl api --json","type":"object"},"approvals allow":{"$schema"\#
:"https://json-schema.org/draft/2020-12/schema","description":"Allow a program to use the account that it requ\#
ested.","properties":{"account":{"description":"The account that the program wants to use.","type":"string"},"\#
askedAt":{"description":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-\#
[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that pr\#
ocess, without arguments; absent if it cannot be read.","type":"string"},"formatVersion":{"const":1,"descripti\#
on":"The version of the format. It increases when an existing script would misread a document.","type":"intege\#
r"},"id":{"description":"The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","ty\#
pe":"string"},"method":{"description":"The method of the first request.","type":"string"},"pid":{"description"\#
:"The process that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","descrip\#
tion":"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that process; absent if \#
it has none.","type":"string"},"until":{"description":"When the request or the answer expires. Absent for an a\#
pproval that is valid until the vault is locked, and for a denial that is valid until the agent stops.","forma\#
t":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings\#
":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"re\#
quired":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl approvals allow -\#
-json","type":"object"},"approvals deny":{"$schema":"https://json-schema.org/draft/2020-12/schema","descriptio\#
n":"Deny a program access. Its requests are refused while the answer is valid.","properties":{"account":{"desc\#
ription":"The account that the program wants to use.","type":"string"},"askedAt":{"description":"When the firs\#
t request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"\#
,"type":"string"},"executable":{"description":"The executable of that process, without arguments; absent if it\#
 cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It inc\#
reases when an existing script would misread a document.","type":"integer"},"id":{"description":"The id that `\#
approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"method":{"description":\#
"The method of the first request.","type":"string"},"pid":{"description":"The process that made the first requ\#
est.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied\#
`."},"unit":{"description":"The systemd unit of that process; absent if it has none.","type":"string"},"until"\#
:{"description":"When the request or the answer expires. Absent for an approval that is valid until the vault \#
is locked, and for a denial that is valid until the agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0\#
-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"description":"Readable warnings; a\#
bsent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","askedAt","formatVe\#
rsion","id","method","pid","state"],"title":"ritualctl approvals deny --json","type":"object"},"approvals list\#
":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List pending requests and valid ans\#
wers.","properties":{"approvals":{"description":"The pending access requests and the valid answers, oldest fir\#
st.","items":{"$ref":"#/$defs/Approval"},"type":"array"},"formatVersion":{"const":1,"description":"The version\#
 of the format. It increases when an existing script would misread a document.","type":"integer"},"warnings":{\#
"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requi\#
red":["approvals","formatVersion"],"title":"ritualctl approvals list --json","type":"object"},"approvals revok\#
e":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Delete an answer. The next request\#
 needs a new one.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"id":{"description":"The id of the a\#
pproval.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"\#
type":"string"},"type":"array"}},"required":["formatVersion","id"],"title":"ritualctl approvals revoke --json"\#
,"type":"object"},"audit":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"W\#
ithout `--verify`.","properties":{"entries":{"description":"The entries, newest last.","items":{"$ref":"#/$def\#
s/AuditEntry"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increas\#
es when an existing script would misread a document.","type":"integer"},"isChecked":{"description":"Whether ea\#
ch entry was checked against the chain; false while the vault is locked.","type":"boolean"},"leftOut":{"descri\#
ption":"The number of lines in the files read that do not match the chain. They are not among the entries.","t\#
ype":"integer"},"more":{"description":"Whether older entries exist.","type":"boolean"},"unknownCount":{"descri\#
ption":"The total number of unknown files.","type":"integer"},"unknownFiles":{"description":"Files in the log'\#
s directory that the agent did not create: their escaped names, at most 20.","items":{"type":"string"},"type":\#
"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"t\#
ype":"array"}},"required":["entries","formatVersion","isChecked","leftOut","more","unknownCount","unknownFiles\#
"],"type":"object"},{"description":"With `--verify`.","properties":{"findings":{"description":"The mismatches \#
with the chain; empty if the log is intact.","items":{"$ref":"#/$defs/AuditVerify.Finding"},"type":"array"},"f\#
irst":{"description":"The first entry that is kept.","minimum":0,"type":"integer"},"fitting":{"description":"T\#
he number of entries that match the chain.","type":"integer"},"formatVersion":{"const":1,"description":"The ve\#
rsion of the format. It increases when an existing script would misread a document.","type":"integer"},"interr\#
uptions":{"description":"The entries after which the agent ended without a clean stop. Entries of up to one se\#
cond before may be missing.","items":{"minimum":0,"type":"integer"},"type":"array"},"isWhole":{"description":"\#
True if there are no findings.","type":"boolean"},"limits":{"description":"Readable statements of what the ver\#
ification does not prove.","items":{"type":"string"},"type":"array"},"sealed":{"description":"The last entry t\#
hat is sealed in the vault.","minimum":0,"type":"integer"},"unsealed":{"description":"The number of entries af\#
ter the last sealed one. They match the chain, but their removal would go unnoticed.","type":"integer"},"warni\#
ngs":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},\#
"required":["findings","first","fitting","formatVersion","interruptions","isWhole","limits","sealed","unsealed\#
"],"type":"object"}],"description":"Show sign-ins, sign-outs, and issued tokens, newest last.","title":"ritual\#
ctl audit --json"},"complete-sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":\#
"Finish a sign-in by pasting the redirect URL.","properties":{"account":{"$ref":"#/$defs/AccountStatus","descr\#
iption":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisi\#
onNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"desc\#
ription":"The version of the format. It increases when an existing script would misread a document.","type":"i\#
nteger"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is ne\#
eded."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `dec\#
isionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"stri\#
ng"},"type":"array"}},"required":["formatVersion","outcome"],"title":"ritualctl complete-sign-in --json","type\#
":"object"},"doctor":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Check the setup \#
and show how to fix problems.","properties":{"checks":{"description":"The results of the checks.","items":{"$r\#
ef":"#/$defs/DiagnosticCheck"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the fo\#
rmat. It increases when an existing script would misread a document.","type":"integer"},"isHealthy":{"descript\#
ion":"Whether no check failed.","type":"boolean"},"version":{"description":"The version of this program.","typ\#
e":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"\#
},"type":"array"}},"required":["checks","formatVersion","isHealthy","version"],"title":"ritualctl doctor --jso\#
n","type":"object"},"error":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"The error\#
 of any command, on standard error.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","descriptio\#
n":"Why the command failed."},"exitStatus":{"description":"The exit status of the command.","type":"integer"},\#
"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script woul\#
d misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are non\#
e.","items":{"type":"string"},"type":"array"}},"required":["error","exitStatus","formatVersion"],"title":"ritu\#
alctl: error","type":"object"},"events":{"$schema":"https://json-schema.org/draft/2020-12/schema","description\#
":"One line per event: the current state first, then every change.","properties":{"account":{"description":"Th\#
e account that changed; absent if the event does not concern an account.","type":"string"},"approval":{"$ref":\#
"#/$defs/Approval","description":"The pending access request (`APPROVAL_NEEDED`), or the answered or expired o\#
ne (`APPROVAL_ANSWERED`)."},"at":{"description":"When it changed.","format":"date-time","pattern":"^[0-9]{4}-[\#
0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"prog\#
ram":{"description":"For `MFA_NEEDED`, the program's file and unit, as far as the kernel told.","type":"string\#
"},"reason":{"description":"A readable reason, for `SIGNED_OUT` and `STATE_CHANGED`; the program's own reason \#
for `MFA_NEEDED`; for `ACCOUNT_LINKED` the provider and how it was linked.","type":"string"},"sequence":{"desc\#
ription":"Increases by one with each change. Events that describe the current state to a new subscriber carry \#
the number of the last change in that state.","minimum":0,"type":"integer"},"status":{"$ref":"#/$defs/AccountS\#
tatus","description":"The account after the change."},"token":{"$ref":"#/$defs/SessionToken.Result","descripti\#
on":"The new token, for subscribers that requested tokens."},"type":{"$ref":"#/$defs/EventType","description":\#
"The kind of change."}},"required":["at","formatVersion","sequence","type"],"title":"ritualctl events --json",\#
"type":"object"},"exec":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Why the comma\#
nd was not run, on standard error. The output of the command itself is unchanged.","properties":{"error":{"$re\#
f":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":{"description":"The e\#
xit status of the command.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the for\#
mat. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"descriptio\#
n":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["erro\#
r","exitStatus","formatVersion"],"title":"ritualctl exec --json","type":"object"},"grant":{"$schema":"https://\#
json-schema.org/draft/2020-12/schema","description":"Get a loopback URL and a stand-in token for one tool.","p\#
roperties":{"expiresAt":{"description":"When the grant ends.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{\#
2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The versi\#
on of the format. It increases when an existing script would misread a document.","type":"integer"},"id":{"des\#
cription":"The id that `egress.revoke` takes.","type":"string"},"token":{"description":"The stand-in: the tool\#
 sends it as bearer token or as `apikey`. It is worth nothing anywhere else.","pattern":"^sb_ritual_[A-Za-z0-9\#
_-]{43}$","type":"string"},"url":{"description":"`http://127.0.0.1:PORT/`","type":"string"},"warnings":{"descr\#
iption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":[\#
"expiresAt","formatVersion","id","token","url"],"title":"ritualctl grant --json","type":"object"},"grants list\#
":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List the valid grants, oldest first\#
.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an exi\#
sting script would misread a document.","type":"integer"},"grants":{"description":"The valid grants, oldest fi\#
rst.","items":{"$ref":"#/$defs/EgressList.Grant"},"type":"array"},"warnings":{"description":"Readable warnings\#
; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","grants"],\#
"title":"ritualctl grants list --json","type":"object"},"grants revoke":{"$schema":"https://json-schema.org/dr\#
aft/2020-12/schema","description":"End a grant and its open streams.","properties":{"formatVersion":{"const":1\#
,"description":"The version of the format. It increases when an existing script would misread a document.","ty\#
pe":"integer"},"id":{"description":"The id of the grant.","type":"string"},"warnings":{"description":"Readable\#
 warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","\#
id"],"title":"ritualctl grants revoke --json","type":"object"},"help":{"$schema":"https://json-schema.org/draf\#
t/2020-12/schema","anyOf":[{"description":"With `--help` or `--version`.","properties":{"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"groups":{"description":"The groups of commands; only with the help of the program itself."\#
,"items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"text":{"description":"The text.","type":"string"}}\#
,"required":["formatVersion","text"],"type":"object"},{"description":"Without a command.","properties":{"forma\#
tVersion":{"const":1,"description":"The version of the format. It increases when an existing script would misr\#
ead a document.","type":"integer"},"groups":{"description":"The commands by group.","items":{"$ref":"#/$defs/O\#
verview.Group"},"type":"array"},"next":{"$ref":"#/$defs/NextStep","description":"The next sensible step on thi\#
s machine."}},"required":["formatVersion","groups","next"],"type":"object"}],"description":"The output of `--h\#
elp` and `--version`, and of `ritualctl` without a command.","title":"ritualctl: help"},"identities":{"$schema\#
":"https://json-schema.org/draft/2020-12/schema","description":"List linked sign-in methods.","properties":{"a\#
ccount":{"description":"The account whose user has the sign-in methods.","type":"string"},"formatVersion":{"co\#
nst":1,"description":"The version of the format. It increases when an existing script would misread a document\#
.","type":"integer"},"identities":{"description":"The linked sign-in methods.","items":{"$ref":"#/$defs/Accoun\#
tIdentity"},"type":"array"},"isCurrent":{"description":"False if the server could not be asked and the list is\#
 its last known answer.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","identities","isCurrent\#
"],"title":"ritualctl identities --json","type":"object"},"init":{"$schema":"https://json-schema.org/draft/202\#
0-12/schema","description":"Add a Supabase project to the configuration, or change one.","properties":{"apiAcc\#
epted":{"description":"The accounts that accepted the API of `--api-url`; absent without that option.","items"\#
:{"type":"string"},"type":"array"},"change":{"description":"`added`, `updated` or `none`.","type":"string"},"c\#
onfiguration":{"description":"The path of the configuration file.","type":"string"},"formatVersion":{"const":1\#
,"description":"The version of the format. It increases when an existing script would misread a document.","ty\#
pe":"integer"},"note":{"description":"A note about the part that was removed from a pasted URL.","type":"strin\#
g"},"project":{"description":"The project's name.","type":"string"},"warning":{"description":"A problem with t\#
he reload of a running agent, or with the project.","type":"string"},"warnings":{"description":"Readable warni\#
ngs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["change","configuration\#
","formatVersion","project"],"title":"ritualctl init --json","type":"object"},"link":{"$schema":"https://json-\#
schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.","properties":{"account":{"$ref":"#/$de\#
fs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","d\#
escription":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatV\#
ersion":{"const":1,"description":"The version of the format. It increases when an existing script would misrea\#
d a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, wheth\#
er a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `c\#
onfirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none\#
.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"descri\#
ption":"With `--no-browser`.","properties":{"expiresAt":{"description":"When the flow expires on the server.",\#
"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"fl\#
ow":{"description":"The ID of the flow.","type":"string"},"formatVersion":{"const":1,"description":"The versio\#
n of the format. It increases when an existing script would misread a document.","type":"integer"},"outcome":{\#
"description":"`begun`.","type":"string"},"url":{"description":"The URL to open.","type":"string"},"warnings":\#
{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requ\#
ired":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"},{"description":"With `link email`,\#
 without `--code-stdin`.","properties":{"address":{"description":"The email address or phone number to which t\#
he code was sent.","type":"string"},"flow":{"description":"The ID of the flow, which `signIn.verifyCode` and `\#
signIn.wait` take.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"outcome":{"description":"`codeS\#
ent`.","type":"string"},"resendAfter":{"description":"Seconds until the project sends another code to this add\#
ress.","type":"number"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"typ\#
e":"string"},"type":"array"}},"required":["address","flow","formatVersion","outcome","resendAfter"],"type":"ob\#
ject"}],"description":"Link a provider or an email address as a sign-in method.","title":"ritualctl link --jso\#
n"},"lock":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Lock the vault. No tokens \#
are issued or refreshed until it is unlocked.","properties":{"formatVersion":{"const":1,"description":"The ver\#
sion of the format. It increases when an existing script would misread a document.","type":"integer"},"opensBy\#
File":{"description":"Whether a key file or credential opens the vault again, so that any program of the user \#
can unlock it.","type":"boolean"},"warning":{"description":"A readable problem that did not prevent the lock."\#
,"type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"st\#
ring"},"type":"array"}},"required":["formatVersion","opensByFile"],"title":"ritualctl lock --json","type":"obj\#
ect"},"metrics":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Print the agent's cou\#
nters in OpenMetrics format.","properties":{"events":{"description":"The last events, oldest first.","items":{\#
"$ref":"#/$defs/TelemetryRecord"},"type":"array"},"families":{"description":"The counters, as metric families \#
of OpenMetrics.","items":{"$ref":"#/$defs/MetricFamily"},"type":"array"},"formatVersion":{"const":1,"descripti\#
on":"The version of the format. It increases when an existing script would misread a document.","type":"intege\#
r"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":\#
"array"}},"required":["events","families","formatVersion"],"title":"ritualctl metrics --json","type":"object"}\#
,"mfa enroll":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a second factor: an\#
 authenticator app (totp) or a phone.","properties":{"factor":{"description":"The new factor's ID, for `mfa.ve\#
rify`. The server forgets an unverified factor after 5 minutes.","type":"string"},"formatVersion":{"const":1,"\#
description":"The version of the format. It increases when an existing script would misread a document.","type\#
":"integer"},"secret":{"description":"For `totp`, the secret in base32. Shown once and stored nowhere; never l\#
og it.","type":"string"},"uri":{"description":"For `totp`, the `otpauth:` URI for an authenticator app. Contai\#
ns the secret.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","ite\#
ms":{"type":"string"},"type":"array"}},"required":["factor","formatVersion"],"title":"ritualctl mfa enroll --j\#
son","type":"object"},"mfa list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List\#
 the user's second factors.","properties":{"account":{"description":"The account whose user has the factors.",\#
"type":"string"},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level."},"endsAcc\#
ounts":{"description":"The other accounts of this agent whose sessions end with a verification. Every other se\#
ssion of the user without a second factor ends too.","items":{"type":"string"},"type":"array"},"factors":{"des\#
cription":"The factors.","items":{"$ref":"#/$defs/AccountFactor"},"type":"array"},"formatVersion":{"const":1,"\#
description":"The version of the format. It increases when an existing script would misread a document.","type\#
":"integer"},"isCurrent":{"description":"False if the server could not be asked and the list is its last known\#
 answer.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{\#
"type":"string"},"type":"array"}},"required":["account","assurance","endsAccounts","factors","formatVersion","\#
isCurrent"],"title":"ritualctl mfa list --json","type":"object"},"mfa remove":{"$schema":"https://json-schema.\#
org/draft/2020-12/schema","description":"Remove a second factor.","properties":{"factor":{"description":"The I\#
D of the removed factor.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format\#
. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"description":\#
"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["factor"\#
,"formatVersion"],"title":"ritualctl mfa remove --json","type":"object"},"mfa verify":{"$schema":"https://json\#
-schema.org/draft/2020-12/schema","anyOf":[{"description":"After the verification.","properties":{"activity":{\#
"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$ref"\#
:"#/$defs/AccountAssurance","description":"The session's level of assurance and the level that is possible; ab\#
sent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended\#
; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's \#
clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"stri\#
ng"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script\#
 would misread a document.","type":"integer"},"identities":{"description":"The sign-in methods that are linked\#
 to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether \#
requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed"\#
,"description":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"description"\#
:"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile \#
is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the configured ori\#
gin if there is no session.","type":"string"},"project":{"description":"The project's name in the configuratio\#
n.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent wit\#
hout a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when an\#
d why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"t\#
okenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user\#
":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warni\#
ngs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersi\#
on","identities","isDefault","name","project","state","tokenUsable"],"type":"object"},{"description":"With `--\#
browser`.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account.\#
"},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the perso\#
n; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. \#
It increases when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/Secon\#
dFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/Si\#
gnInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"descript\#
ion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["fo\#
rmatVersion","outcome"],"type":"object"},{"description":"Without `--code-stdin`, for a phone factor.","propert\#
ies":{"expiresAt":{"description":"When the code expires, by this machine's clock.","format":"date-time","patte\#
rn":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factor":{"description":"The f\#
actor to which the code belongs.","type":"string"},"formatVersion":{"const":1,"description":"The version of th\#
e format. It increases when an existing script would misread a document.","type":"integer"},"outcome":{"descri\#
ption":"`codeSent`.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none."\#
,"items":{"type":"string"},"type":"array"}},"required":["expiresAt","factor","formatVersion","outcome"],"type"\#
:"object"}],"description":"Verify a second factor with a code; ends the user's other sessions without one.","t\#
itle":"ritualctl mfa verify --json"},"profile":{"$schema":"https://json-schema.org/draft/2020-12/schema","desc\#
ription":"Show or change the user's profile.","properties":{"account":{"description":"The account whose user h\#
as the profile.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It incr\#
eases when an existing script would misread a document.","type":"integer"},"onboarding":{"description":"`neede\#
d` or `complete`.","type":"string"},"prefill":{"additionalProperties":{},"description":"Values that Apple sent\#
 at the first sign-in and that the profile lacks. `profile.update` adds them.","type":"object"},"profile":{"ad\#
ditionalProperties":{},"description":"The profile from the API; absent if there is none yet.","type":"object"}\#
,"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"ar\#
ray"}},"required":["account","formatVersion","onboarding"],"title":"ritualctl profile --json","type":"object"}\#
,"refresh":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Refresh now (at most once \#
every 5 seconds).","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation tha\#
t runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of\#
 assurance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession",\#
"description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"\#
The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{\#
2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the\#
 format. It increases when an existing script would misread a document.","type":"integer"},"identities":{"desc\#
ription":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":\#
"array"},"isDefault":{"description":"Whether requests without an account name use this account.","type":"boole\#
an"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present in the\#
 result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"descriptio\#
n":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The origin t\#
hat issued the session, or the configured origin if there is no session.","type":"string"},"project":{"descrip\#
tion":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","d\#
escription":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","descri\#
ption":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState",\#
"description":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return \#
a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user\#
."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":\#
"array"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsabl\#
e"],"title":"ritualctl refresh --json","type":"object"},"register-handler":{"$schema":"https://json-schema.org\#
/draft/2020-12/schema","anyOf":[{"description":"Without `--print`.","properties":{"file":{"description":"The p\#
ath of the desktop entry.","type":"string"},"formatVersion":{"const":1,"description":"The version of the forma\#
t. It increases when an existing script would misread a document.","type":"integer"},"registered":{"descriptio\#
n":"Whether the agent opens URLs of the scheme now.","type":"boolean"},"scheme":{"description":"The URL scheme\#
.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"\#
string"},"type":"array"}},"required":["file","formatVersion","registered","scheme"],"type":"object"},{"descrip\#
tion":"With `--print`.","properties":{"entry":{"description":"The text of the desktop entry.","type":"string"}\#
,"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wou\#
ld misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are no\#
ne.","items":{"type":"string"},"type":"array"}},"required":["entry","formatVersion"],"type":"object"}],"descri\#
ption":"Open dailyritual:// URLs with the agent.","title":"ritualctl register-handler --json"},"reload":{"$sch\#
ema":"https://json-schema.org/draft/2020-12/schema","description":"Reload the agent's configuration.","propert\#
ies":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"projects":{"description":"The names of the projects in the con\#
figuration.","items":{"type":"string"},"type":"array"},"reloaded":{"description":"Whether the file was read: f\#
alse if the agent uses a file other than `file`. Absent in older agents.","type":"boolean"},"warning":{"descri\#
ption":"A readable problem, such as a failed check; absent if there is none.","type":"string"},"warnings":{"de\#
scription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required\#
":["formatVersion","projects"],"title":"ritualctl reload --json","type":"object"},"reset":{"$schema":"https://\#
json-schema.org/draft/2020-12/schema","description":"Sign out of all accounts and remove the agent's data.","p\#
roperties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing\#
 script would misread a document.","type":"integer"},"kept":{"description":"The paths that were kept: the conf\#
iguration, without `--config`.","items":{"type":"string"},"type":"array"},"removed":{"description":"The paths \#
that were removed.","items":{"type":"string"},"type":"array"},"signedOut":{"description":"The accounts that we\#
re signed out.","items":{"type":"string"},"type":"array"},"unrevoked":{"description":"The sessions that may st\#
ill be active on their server.","items":{"$ref":"#/$defs/UnrevokedSession"},"type":"array"},"warnings":{"descr\#
iption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":[\#
"formatVersion","kept","removed","signedOut","unrevoked"],"title":"ritualctl reset --json","type":"object"},"s\#
chema":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without a command.",\#
"properties":{"commands":{"description":"The commands that `ritualctl schema` takes, and `error` and `help`.",\#
"items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format.\#
 It increases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["commands\#
","formatVersion"],"type":"object"},{"description":"With a command.","properties":{"command":{"description":"T\#
he command whose document the schema describes.","type":"string"},"formatVersion":{"const":1,"description":"Th\#
e version of the format. It increases when an existing script would misread a document.","type":"integer"},"sc\#
hema":{"description":"The JSON Schema."},"warnings":{"description":"Readable warnings; absent if there are non\#
e.","items":{"type":"string"},"type":"array"}},"required":["command","formatVersion","schema"],"type":"object"\#
}],"description":"Print the JSON Schema of a command's --json document.","title":"ritualctl schema --json"},"s\#
etup":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without a name.","pro\#
perties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing s\#
cript would misread a document.","type":"integer"},"setups":{"description":"The setups that `ritualctl setup` \#
can print.","items":{"$ref":"#/$defs/SetupListAnswer.Entry"},"type":"array"},"warnings":{"description":"Readab\#
le warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion"\#
,"setups"],"type":"object"},{"description":"With a name.","properties":{"account":{"description":"The account;\#
 absent for the default account.","type":"string"},"formatVersion":{"const":1,"description":"The version of th\#
e format. It increases when an existing script would misread a document.","type":"integer"},"name":{"descripti\#
on":"The name of the setup.","type":"string"},"steps":{"description":"What to add.","items":{"$ref":"#/$defs/S\#
etupAnswer.Step"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["formatVersion","name","steps"],"type":"object"}],"descrip\#
tion":"Print what to add where, so that a tool gets its tokens from the agent.","title":"ritualctl setup --jso\#
n"},"sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome."\#
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
ct"},{"description":"With `code` or `phone`, without `--code-stdin`.","properties":{"address":{"description":"\#
The email address or phone number to which the code was sent.","type":"string"},"flow":{"description":"The ID \#
of the flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"formatVersion":{"const":1,"d\#
escription":"The version of the format. It increases when an existing script would misread a document.","type"\#
:"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"description":"Seconds unti\#
l the project sends another code to this address.","type":"number"},"warnings":{"description":"Readable warnin\#
gs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["address","flow","format\#
Version","outcome","resendAfter"],"type":"object"}],"description":"Sign in with a provider, a password, a code\#
, single sign-on, or as an anonymous user.","title":"ritualctl sign-in --json"},"sign-out":{"$schema":"https:/\#
/json-schema.org/draft/2020-12/schema","description":"Sign out on this machine and on the server.","properties\#
":{"accounts":{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"array"},"f\#
ailed":{"description":"With `all`, the accounts whose sign-out failed, and why. Absent if there are none.","it\#
ems":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"array"},"formatVersion":{"const":1,"description":"The v\#
ersion of the format. It increases when an existing script would misread a document.","type":"integer"},"pendi\#
ng":{"description":"The accounts whose revocation is pending until the server is reachable.","items":{"type":"\#
string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"ty\#
pe":"string"},"type":"array"}},"required":["accounts","formatVersion","pending"],"title":"ritualctl sign-out -\#
-json","type":"object"},"sink":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"One li\#
ne per change of the file.","properties":{"account":{"description":"The account whose token the file contains.\#
","type":"string"},"expiresAt":{"description":"When the written token expires.","format":"date-time","pattern"\#
:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"descr\#
iption":"The version of the format. It increases when an existing script would misread a document.","type":"in\#
teger"},"isWritten":{"description":"True if a new token was written, false if the file was removed, or is not \#
there yet.","type":"boolean"},"path":{"description":"The path of the file.","type":"string"},"reason":{"descri\#
ption":"Why there is no file.","type":"string"}},"required":["account","formatVersion","isWritten","path"],"ti\#
tle":"ritualctl sink --json","type":"object"},"status":{"$schema":"https://json-schema.org/draft/2020-12/schem\#
a","description":"Show the current state of the agent, the vault, and the accounts.","properties":{"accounts":\#
{"description":"The accounts. They may be unknown while the vault is locked.","items":{"$ref":"#/$defs/Account\#
Status"},"type":"array"},"autostart":{"description":"Whether the first sign-in enables the agent's service (`[\#
agent] autostart`). Absent in older agents, whose first sign-in does.","type":"boolean"},"formatVersion":{"con\#
st":1,"description":"The version of the format. It increases when an existing script would misread a document.\#
","type":"integer"},"health":{"description":"Readable findings; empty if there is nothing to report.","items":\#
{"type":"string"},"type":"array"},"pid":{"description":"The agent's process ID.","type":"integer"},"stateFolde\#
r":{"description":"The state directory of the agent; a `ritualctl` with another environment would look elsewhe\#
re. Absent in older agents.","type":"string"},"unrevoked":{"description":"The accounts with a pending revocati\#
on on the server. Absent while the vault is locked, because the list is then unknown.","items":{"type":"string\#
"},"type":"array"},"uptime":{"description":"Seconds since the agent became ready.","type":"integer"},"vault":{\#
"$ref":"#/$defs/VaultSummary","description":"The state of the vault."},"version":{"description":"The version o\#
f the agent.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items\#
":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","health","pid","uptime","vault","v\#
ersion"],"title":"ritualctl status --json","type":"object"},"token":{"$schema":"https://json-schema.org/draft/\#
2020-12/schema","description":"Print a valid access token.","properties":{"accessToken":{"description":"The be\#
arer token. Never log it or pass it as a command-line argument.","type":"string"},"account":{"description":"Th\#
e account that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","d\#
escription":"The project that accepts the token, if the caller asked for it."},"expiresAt":{"description":"The\#
 token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2\#
}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds until the token expires.","type":"\#
integer"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing s\#
cript would misread a document.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","type":"s\#
tring"},"unchanged":{"description":"True if the caller reported this token as rejected and there is no newer o\#
ne. The caller must not repeat its request.","type":"boolean"},"warnings":{"description":"Readable warnings; a\#
bsent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accessToken","account","expi\#
resAt","expiresIn","formatVersion","tokenType"],"title":"ritualctl token --json","type":"object"},"unlink":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","description":"Unlink a sign-in method. The last one ca\#
nnot be removed.","properties":{"account":{"description":"The account whose user has the sign-in methods.","ty\#
pe":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existi\#
ng script would misread a document.","type":"integer"},"identities":{"description":"The linked sign-in methods\#
.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the server \#
could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Readab\#
le warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","form\#
atVersion","identities","isCurrent"],"title":"ritualctl unlink --json","type":"object"},"unlock":{"$schema":"h\#
ttps://json-schema.org/draft/2020-12/schema","description":"Unlock the vault.","properties":{"formatVersion":{\#
"const":1,"description":"The version of the format. It increases when an existing script would misread a docum\#
ent.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The key that opened the vault."},"warn\#
ings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}}\#
,"required":["formatVersion","key"],"title":"ritualctl unlock --json","type":"object"},"use":{"$schema":"https\#
://json-schema.org/draft/2020-12/schema","description":"Set the default account.","properties":{"activity":{"$\#
ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$ref":"\#
#/$defs/AccountAssurance","description":"The session's level of assurance and the level that is possible; abse\#
nt without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; \#
present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's cl\#
ock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string\#
"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script w\#
ould misread a document.","type":"integer"},"identities":{"description":"The sign-in methods that are linked t\#
o the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether re\#
quests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","\#
description":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"description":"\#
The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is\#
 known.","type":"string"},"origin":{"description":"The origin that issued the session, or the configured origi\#
n if there is no session.","type":"string"},"project":{"description":"The project's name in the configuration.\#
","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent witho\#
ut a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and \#
why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tok\#
enUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":\#
{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warning\#
s; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion\#
","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl use --json","type":"obje\#
ct"},"use-api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow the configured A\#
PI to receive an account's token.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"T\#
he operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The se\#
ssion's level of assurance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$def\#
s/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":\#
{"description":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}\#
-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"Th\#
e version of the format. It increases when an existing script would misread a document.","type":"integer"},"id\#
entities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountId\#
entity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this account\#
.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed\#
; present in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboardi\#
ng":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"descriptio\#
n":"The origin that issued the session, or the configured origin if there is no session.","type":"string"},"pr\#
oject":{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/R\#
efreshStatus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/Sess\#
ionLife","description":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$def\#
s/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whether `session.toke\#
n` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"Th\#
e signed-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"\#
string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","project","st\#
ate","tokenUsable"],"title":"ritualctl use-api --json","type":"object"},"vault add-key":{"$schema":"https://js\#
on-schema.org/draft/2020-12/schema","description":"Add a key that opens the vault: a passphrase, a key file, o\#
r a systemd credential.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It\#
 increases when an existing script would misread a document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKe\#
y","description":"The added key."},"removed":{"description":"The removed slots: those of key files, or the rep\#
laced one.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"warnings":{"description":"Readable warnings; \#
absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","key","remov\#
ed"],"title":"ritualctl vault add-key --json","type":"object"},"vault adopt":{"$schema":"https://json-schema.o\#
rg/draft/2020-12/schema","description":"Use a vault that was copied from another machine.","properties":{"acco\#
unts":{"description":"The accounts whose sessions are now used here.","items":{"type":"string"},"type":"array"\#
},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualctl va\#
ult adopt --json","type":"object"},"vault rekey":{"$schema":"https://json-schema.org/draft/2020-12/schema","de\#
scription":"Create a new master key and re-encrypt the vault.","properties":{"formatVersion":{"const":1,"descr\#
iption":"The version of the format. It increases when an existing script would misread a document.","type":"in\#
teger"},"generation":{"description":"The vault's generation after the change.","minimum":0,"type":"integer"},"\#
warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arra\#
y"}},"required":["formatVersion","generation"],"title":"ritualctl vault rekey --json","type":"object"},"vault \#
remove-key":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Remove a vault key. The l\#
ast one cannot be removed.","properties":{"formatVersion":{"const":1,"description":"The version of the format.\#
 It increases when an existing script would misread a document.","type":"integer"},"id":{"description":"32 hex\#
adecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/V\#
aultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id mem\#
ory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number of Ar\#
gon2id passes for each attempt.","type":"integer"},"warnings":{"description":"Readable warnings; absent if the\#
re are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id","kind"],"title":"rit\#
ualctl vault remove-key --json","type":"object"},"vault status":{"$schema":"https://json-schema.org/draft/2020\#
-12/schema","description":"Show the state of the vault, its keys, and what they protect.","properties":{"damag\#
ed":{"description":"Files that were set aside or ignored, and why.","items":{"$ref":"#/$defs/VaultFinding"},"t\#
ype":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existi\#
ng script would misread a document.","type":"integer"},"generation":{"description":"Increases with every chang\#
e of keys.","minimum":0,"type":"integer"},"idleLock":{"description":"Idle time before locking, in seconds; abs\#
ent means never.","type":"integer"},"isAuthenticated":{"description":"Whether `keys`, `generation` and `machin\#
e` were authenticated with the vault's key. Until the vault is first opened, they are unverified values from i\#
ts file.","type":"boolean"},"isMemoryLocked":{"description":"Whether the keys are locked in memory, so that th\#
ey cannot be swapped out.","type":"boolean"},"isRekeying":{"description":"Whether a `vault.rekey` was interrup\#
ted. The next `vault.rekey` or unlock continues it.","type":"boolean"},"keys":{"description":"The keys, in the\#
 order in which they were added.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"lockedBy":{"description\#
":"Why the vault is locked: `hand`, `idle`, `session`, or `start` if no key was available.","type":"string"},"\#
machine":{"description":"Whether the vault belongs to this machine: `this`, `other` or `unknown`.","type":"str\#
ing"},"openedBy":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of key that opened the vault."},"prote\#
ction":{"description":"Readable statements of what each kind of key protects and what it does not.","items":{"\#
type":"string"},"type":"array"},"state":{"description":"`open`, `copied`, `locked` or `unavailable`.","enum":[\#
"open","copied","locked","unavailable"],"type":"string"},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["damaged","formatVersion","generati\#
on","isAuthenticated","isMemoryLocked","isRekeying","keys","machine","protection","state"],"title":"ritualctl \#
vault status --json","type":"object"},"vault verify":{"$schema":"https://json-schema.org/draft/2020-12/schema"\#
,"description":"Check every file of the open vault, without changing anything.","properties":{"files":{"descri\#
ption":"Every file of the vault, with the result of its check.","items":{"$ref":"#/$defs/VaultFinding"},"type"\#
:"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing s\#
cript would misread a document.","type":"integer"},"isWhole":{"description":"Whether every file is unchanged s\#
ince the vault wrote it.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are \#
none.","items":{"type":"string"},"type":"array"}},"required":["files","formatVersion","isWhole"],"title":"ritu\#
alctl vault verify --json","type":"object"},"whoami":{"$schema":"https://json-schema.org/draft/2020-12/schema"\#
,"description":"Show the user who is signed in.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","d\#
escription":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","descri\#
ption":"The session's level of assurance and the level that is possible; absent without a session."},"ended":{\#
"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."\#
},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time","patte\#
rn":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"de\#
scription":"The version of the format. It increases when an existing script would misread a document.","type":\#
"integer"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$\#
defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name us\#
e this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second fa\#
ctor is needed; present in the result of a sign-in."},"name":{"description":"The account's name.","type":"stri\#
ng"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin\#
":{"description":"The origin that issued the session, or the configured origin if there is no session.","type"\#
:"string"},"project":{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$r\#
ef":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session":{"$ref"\#
:"#/$defs/SessionLife","description":"When the session started, and when and why it ends or ended."},"state":{\#
"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whether\#
 `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","de\#
scription":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name"\#
,"project","state","tokenUsable"],"title":"ritualctl whoami --json","type":"object"},"why":{"$schema":"https:/\#
/json-schema.org/draft/2020-12/schema","description":"Show the next refresh, the reason, and recent attempts."\#
,"properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"The account."},"explanation":{"descrip\#
tion":"Sentences, most important first.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,\#
"description":"The version of the format. It increases when an existing script would misread a document.","typ\#
e":"integer"},"tries":{"description":"The recent attempts, newest first.","items":{"$ref":"#/$defs/RefreshTry"\#
},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"st\#
ring"},"type":"array"}},"required":["account","explanation","formatVersion","tries"],"title":"ritualctl why --\#
json","type":"object"}}}
"""#
}
