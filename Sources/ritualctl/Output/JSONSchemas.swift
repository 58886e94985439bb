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
ype":"string"},"project":{"description":"The project's name in the configuration.","type":"string"},"projectUR\#
L":{"description":"The configured URL of the project, without a slash at the end; absent if it is not configur\#
ed.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent wi\#
thout a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when a\#
nd why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"\#
tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"use\#
r":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."}},"required":["activity","identities","is\#
Default","name","project","state","tokenUsable"],"type":"object"},"AccountUser":{"description":"The signed-in \#
user.","properties":{"email":{"description":"The user's email address.","type":"string"},"id":{"description":"\#
The user's id on the server, a UUID.","type":"string"},"isAnonymous":{"description":"True for an anonymous use\#
r, who is lost with a sign-out.","type":"boolean"},"name":{"description":"The user's name.","type":"string"},"\#
phone":{"description":"The user's phone number, without `+`.","type":"string"},"provider":{"description":"The \#
method of the last sign-in: a provider by Supabase's name, `email`, `phone`, `sso` or `anonymous`.","type":"st\#
ring"}},"required":["id"],"type":"object"},"AgentError":{"description":"The error object of a response (JSON-R\#
PC 2.0, section 5.1), and the error that the agent and its clients throw.","properties":{"code":{"description"\#
:"The JSON-RPC code of the kind.","type":"integer"},"data":{"$ref":"#/$defs/AgentError.Details","description":\#
"The details for programs."},"message":{"description":"The message for the user.","type":"string"}},"required"\#
:["code","message"],"type":"object"},"AgentError.Details":{"description":"The part of an error that programs r\#
ead.","properties":{"account":{"description":"The account that the error concerns.","type":"string"},"approval\#
":{"description":"For `approvalNeeded`, the id that `approval.wait` and `ritualctl approvals allow` take.","ty\#
pe":"string"},"detail":{"description":"For `offline`, the host and the cause of the failed connection; never a\#
 secret.","type":"string"},"hint":{"description":"The command to run, or another next step.","type":"string"},\#
"kind":{"$ref":"#/$defs/ErrorKind","description":"The stable name, for programs to branch on."},"retryAfter":{\#
"description":"Seconds to wait before a retry.","type":"number"},"retryable":{"description":"Whether the same \#
request can succeed later without intervention.","type":"boolean"}},"required":["kind","retryable"],"type":"ob\#
ject"},"Approval":{"description":"An access request from a rule with `action = \"ask\"`, or the stored answer \#
to one.","properties":{"account":{"description":"The account that the program wants to use.","type":"string"},\#
"askedAt":{"description":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}\#
-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that p\#
rocess, without arguments; absent if it cannot be read.","type":"string"},"id":{"description":"The id that `ap\#
proval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"method":{"description":"T\#
he method of the first request.","type":"string"},"pid":{"description":"The process that made the first reques\#
t.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`.\#
"},"unit":{"description":"The systemd unit of that process; absent if it has none.","type":"string"},"until":{\#
"description":"When the request or the answer expires. Absent for an approval that is valid until the vault is\#
 locked, and for a denial that is valid until the agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9\#
]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["account","askedAt","id","method","p\#
id","state"],"type":"object"},"ApprovalState":{"description":"The state of an approval.","examples":["pending"\#
,"allowed","denied","expired"],"type":"string"},"AuditEntry":{"description":"An audit log entry with its seque\#
nce number.","properties":{"accepted":{"description":"The answer to a decision.","type":"boolean"},"account":{\#
"description":"The account that the entry concerns.","type":"string"},"at":{"description":"When it happened.",\#
"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"co\#
unt":{"description":"How many times the token was issued, how many requests were sent, or how many entries wer\#
e dropped.","minimum":0,"type":"integer"},"detail":{"description":"Readable details: how, why or to what exten\#
t.","type":"string"},"event":{"$ref":"#/$defs/AuditEvent","description":"The kind of entry."},"executable":{"d\#
escription":"The executable of the process, without arguments; absent if it cannot be read.","type":"string"},\#
"first":{"description":"When the token was first issued, or the first request was sent.","format":"date-time",\#
"pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"description"\#
:"Identifies an issued token, or requests some of which were in flight: a later entry with the same number has\#
 the updated counts.","minimum":0,"type":"integer"},"last":{"description":"When the token was last issued, or \#
the last request was sent.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9\#
]{2}Z$","type":"string"},"pid":{"description":"The process, as identified when it connected.","type":"integer"\#
},"previous":{"description":"The MAC that precedes the first entry of a file, in hex.","type":"string"},"proje\#
ct":{"description":"The project that the entry concerns.","type":"string"},"provider":{"description":"`apple`,\#
 `google`, `email` …","type":"string"},"sequence":{"description":"Increases by one with every entry, starting \#
at 1.","minimum":0,"type":"integer"},"statuses":{"additionalProperties":{"minimum":0,"type":"integer"},"descri\#
ption":"The number of requests by the status of the response: `1xx` to `5xx`, `other`, or `none` without a res\#
ponse.","type":"object"},"token":{"description":"The first 16 hex digits of the SHA-256 of the access token.",\#
"type":"string"},"unit":{"description":"The systemd unit of the process.","type":"string"},"way":{"description\#
":"How the token was issued: `token`, `events` or `credential`.","type":"string"}},"required":["at","event","s\#
equence"],"type":"object"},"AuditEvent":{"description":"The kind of an audit log entry.","examples":["agentSta\#
rted","agentStopped","signedIn","signedOut","sessionEnded","linked","unlinked","decided","denied","approvalAsk\#
ed","approvalAnswered","approvalRevoked","handOut","egressUsed","grantMade","grantEnded","apiAccepted","factor\#
Enrolled","factorVerified","factorRemoved","accountRenamed","accountRemoved","vaultLocked","vaultUnlocked","ke\#
yAdded","keyRemoved","rekeyed","vaultAdopted","fileBegun","interrupted","entriesLost"],"type":"string"},"Audit\#
Verify.Finding":{"description":"A mismatch of the log with the chain.","properties":{"file":{"description":"Th\#
e name of the file in the log's directory.","type":"string"},"first":{"description":"The first affected entry;\#
 absent if the finding concerns a file.","minimum":0,"type":"integer"},"kind":{"description":"`edited`, `remov\#
ed`, `cut`, `reordered`, `repeated`, `exchanged`, `missingFile`, `unknownFile` or `noKey`.","type":"string"},"\#
last":{"description":"The last affected entry; absent if the finding concerns a file.","minimum":0,"type":"int\#
eger"}},"required":["file","kind"],"type":"object"},"CheckOutcome":{"description":"The outcome of a check of `\#
agent.diagnose` or `ritualctl doctor`.","examples":["ok","warn","fail"],"type":"string"},"DiagnosticCheck":{"d\#
escription":"The result of one check.","properties":{"name":{"description":"The subject of the check, such as \#
`vault` or `tls`.","type":"string"},"next":{"description":"The remedy, as a command if there is one; absent if\#
 nothing needs to be done.","type":"string"},"outcome":{"$ref":"#/$defs/CheckOutcome","description":"Whether t\#
he check passed."},"project":{"description":"The project's name in the configuration; absent if the check does\#
 not concern a project.","type":"string"},"words":{"description":"The finding, in readable form.","type":"stri\#
ng"}},"required":["name","outcome","words"],"type":"object"},"EgressList.Grant":{"description":"A valid grant.\#
","properties":{"account":{"description":"The account whose token is added.","type":"string"},"createdAt":{"de\#
scription":"When the grant was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-\#
9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that process, without argume\#
nts; absent if it cannot be read.","type":"string"},"expiresAt":{"description":"When the grant ends.","format"\#
:"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"id":{"desc\#
ription":"The id that `egress.revoke` takes.","type":"string"},"methods":{"description":"HTTP methods that the\#
 grant is limited to; absent for all.","items":{"type":"string"},"type":"array"},"paths":{"description":"Paths\#
 that the grant is limited to; absent for all.","items":{"type":"string"},"type":"array"},"pid":{"description"\#
:"The process that asked for the grant.","type":"integer"},"process":{"description":"True if the grant ends wi\#
th that process.","type":"boolean"},"requests":{"description":"The number of requests that were sent with the \#
grant.","minimum":0,"type":"integer"},"unit":{"description":"The systemd unit of that process; absent if it ha\#
s none.","type":"string"}},"required":["account","createdAt","expiresAt","id","pid","process","requests"],"typ\#
e":"object"},"EndedSession":{"description":"The end of a session without a sign-out on this machine.","propert\#
ies":{"at":{"description":"When the session ended.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2\#
}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"description":"A readable reason, such as \"ended e\#
lsewhere\".","type":"string"}},"required":["at","reason"],"type":"object"},"ErrorDocument.Details":{"descripti\#
on":"The reason of a failure.","properties":{"account":{"description":"The account that the error concerns.","\#
type":"string"},"detail":{"description":"The host and the cause of a failed connection.","type":"string"},"hin\#
t":{"description":"The next step, a command if there is one.","type":"string"},"kind":{"description":"The stab\#
le name, for programs to branch on: an error kind of the agent, or `unreachable`, `foreignServer`, `protocolVi\#
olation`, `disconnected`, `usage`, `failed`, `cancelled` or `unchanged`.","type":"string"},"message":{"descrip\#
tion":"The message for the user.","type":"string"},"retryAfter":{"description":"Seconds to wait before a retry\#
.","type":"number"},"retryable":{"description":"Whether the same command can succeed later without interventio\#
n.","type":"boolean"}},"required":["kind","message","retryable"],"type":"object"},"ErrorKind":{"description":"\#
The stable name of an error: `data.kind` on the wire.","examples":["approvalNeeded","callbackInvalid","cancell\#
ed","captchaRequired","codeInvalid","denied","emailNotConfirmed","flowBusy","flowTimedOut","flowUnknown","form\#
atTooNew","identityTaken","internalError","invalidCredentials","invalidParams","invalidRequest","lastIdentity"\#
,"linkingConflict","linkingDisabled","methodDisabled","methodNotFound","mfaNeeded","misconfigured","notReady",\#
"offline","parseError","rateLimited","serviceUnavailable","signInNeeded","storageFull","timedOut","tooLarge","\#
tooMany","unknownAccount","unsupportedVersion","userExists","vaultCopied","vaultDamaged","vaultLocked","vaultU\#
navailable","weakPassword","wrongKey","wrongUser"],"type":"string"},"EventType":{"description":"The name of an\#
 event, in the style of Supabase clients.","examples":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_U\#
PDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CHANGED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED",\#
"VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"MetricFamily\#
":{"description":"A metric family of OpenMetrics 1.0, section \"MetricFamily\".","properties":{"help":{"descri\#
ption":"A readable description of the family.","type":"string"},"name":{"description":"The name of the family.\#
","type":"string"},"samples":{"description":"The samples of the family.","items":{"$ref":"#/$defs/MetricFamily\#
.Sample"},"type":"array"},"type":{"description":"`counter`, `gauge`, `histogram`, `info` or `stateset`.","type\#
":"string"},"unit":{"description":"The unit, which is the last part of the name; absent if there is none.","ty\#
pe":"string"}},"required":["help","name","samples","type"],"type":"object"},"MetricFamily.Sample":{"descriptio\#
n":"A sample of a family: one value with its labels.","properties":{"labels":{"additionalProperties":{"type":"\#
string"},"description":"The labels of the sample, by name.","type":"object"},"suffix":{"description":"The suff\#
ix of the metric name: `_total`, `_bucket`, `_count`, `_sum`, `_info` or empty.","type":"string"},"value":{"de\#
scription":"The value of the sample.","type":"number"}},"required":["labels","suffix","value"],"type":"object"\#
},"NextStep":{"description":"The next sensible step on this machine.","properties":{"reason":{"description":"W\#
hy it is the next step.","type":"string"},"step":{"description":"A command, or an instruction if no command he\#
lps.","type":"string"}},"required":["reason","step"],"type":"object"},"Overview.Group":{"description":"A group\#
 of commands.","properties":{"commands":{"description":"The names of its commands.","items":{"type":"string"},\#
"type":"array"},"name":{"description":"The title of the group.","type":"string"}},"required":["commands","name\#
"],"type":"object"},"RefreshStatus":{"description":"The refresh schedule of an account and its recent failures\#
.","properties":{"attempts":{"description":"The number of failed attempts since the last success.","type":"int\#
eger"},"clockSkew":{"description":"Seconds by which the server's clock is ahead of this machine's, measured at\#
 its last answer. A skew of about one second is normal.","type":"integer"},"lastError":{"$ref":"#/$defs/AgentE\#
rror","description":"The most recent error since the last success."},"nextAt":{"description":"When the next at\#
tempt is due.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type\#
":"string"}},"required":["attempts"],"type":"object"},"RefreshTry":{"description":"One refresh attempt.","prop\#
erties":{"at":{"description":"When the attempt began.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9\#
]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"error":{"$ref":"#/$defs/ErrorKind","description":"The kin\#
d of the error, if the attempt failed."},"latency":{"description":"The duration of the attempt in seconds.","t\#
ype":"number"},"outcome":{"description":"`refreshed`, `ended`, `failed`, `refused`, `banned`, `paused`, `misco\#
nfigured`.","type":"string"},"reason":{"description":"The trigger: `ahead`, `demand`, `rejected`, `forced`, `s\#
tart`, `retry`, `sleep`.","type":"string"},"status":{"description":"The HTTP status, if the server answered.",\#
"type":"integer"}},"required":["at","latency","outcome","reason"],"type":"object"},"SecondFactorNeed":{"descri\#
ption":"A sign-in's need for a second factor.","properties":{"endsAccounts":{"description":"The other accounts\#
 of this agent whose sessions end with a verification: those of the same user without a second factor.","items\#
":{"type":"string"},"type":"array"},"endsAt":{"description":"When the server ends a session without the second\#
 factor; absent if that is not known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0\#
-9]{2}:[0-9]{2}Z$","type":"string"},"factors":{"description":"The user's verified factors.","items":{"$ref":"#\#
/$defs/AccountFactor"},"type":"array"},"flow":{"description":"The flow in which the agent's page asks for the \#
code, for `signIn.wait` and `signIn.cancel`; absent if no page asks.","type":"string"},"needed":{"description"\#
:"True if the user has a verified factor and the session does not have its level yet. The session is stored an\#
d works; what requires the second factor does not.","type":"boolean"},"verifiedElsewhereAt":{"description":"Wh\#
en a second factor was verified elsewhere, which probably ended the account's former session.","format":"date-\#
time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["fact\#
ors","needed"],"type":"object"},"SessionEndReason":{"description":"The reason why a session ended.","examples"\#
:["signedOut","endedElsewhere","timebox","inactivity","lowAssurance","newerSignIn","userGone","unknown"],"type\#
":"string"},"SessionLife":{"description":"The life of an account's session.","properties":{"endReason":{"$ref"\#
:"#/$defs/SessionEndReason","description":"Why the session ended, or why the server currently refuses to conti\#
nue it."},"endsAt":{"description":"When the session is expected to end; absent if no limit is known.","format"\#
:"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"isEstimate\#
":{"description":"True if `endsAt` follows from an earlier session of this project, not from `session_limit`."\#
,"type":"boolean"},"startedAt":{"description":"When the user signed in; absent if that is not known.","format"\#
:"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"type":"ob\#
ject"},"SessionSignOut.Failure":{"description":"An account that is still signed in.","properties":{"account":{\#
"description":"The account's name.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","description":"The kin\#
d of the error."},"message":{"description":"The message for the user.","type":"string"}},"required":["account"\#
,"kind","message"],"type":"object"},"SessionToken.Endpoints":{"description":"The project's URLs and key, which\#
 a tool needs to use the token.","properties":{"anonKey":{"description":"The anon or publishable key, which Su\#
pabase expects in the header `apikey`.","type":"string"},"apiURL":{"description":"The configured API URL, or t\#
he project URL if there is none. Absent if the API URL changed after the sign-in and was not accepted yet (`se\#
ssion.useAPI`).","type":"string"},"projectURL":{"description":"The project URL, without a trailing slash.","ty\#
pe":"string"}},"required":["anonKey","projectURL"],"type":"object"},"SessionToken.Result":{"description":"A va\#
lid access token.","properties":{"accessToken":{"description":"The bearer token. Never log it or pass it as a \#
command-line argument.","type":"string"},"account":{"description":"The account that the token belongs to.","ty\#
pe":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","description":"The project that accepts the\#
 token, if the caller asked for it."},"expiresAt":{"description":"The token's expiry, by this machine's clock.\#
","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"\#
expiresIn":{"description":"Seconds until the token expires.","type":"integer"},"tokenType":{"description":"`be\#
arer` (RFC 6750).","type":"string"},"unchanged":{"description":"True if the caller reported this token as reje\#
cted and there is no newer one. The caller must not repeat its request.","type":"boolean"}},"required":["acces\#
sToken","account","expiresAt","expiresIn","tokenType"],"type":"object"},"SetupAnswer.Step":{"description":"A t\#
ext, and its place.","properties":{"text":{"description":"The text to add.","type":"string"},"where":{"descrip\#
tion":"Where the text belongs.","type":"string"}},"required":["text","where"],"type":"object"},"SetupListAnswe\#
r.Entry":{"description":"One setup.","properties":{"name":{"description":"The name for `ritualctl setup`.","ty\#
pe":"string"},"purpose":{"description":"What it sets up.","type":"string"}},"required":["name","purpose"],"typ\#
e":"object"},"SignInDecision":{"description":"A decision that a person makes before a sign-in takes effect.","\#
properties":{"account":{"description":"The name of the account to sign in to.","type":"string"},"flow":{"descr\#
iption":"The flow that `identity.decide` takes.","type":"string"},"identity":{"$ref":"#/$defs/AccountIdentity"\#
,"description":"For `link`, the linked sign-in method."},"kind":{"description":"`newAccount`: confirm the user\#
 of a first sign-in by a pasted URL. `link`: accept that the server linked the sign-in to an account with othe\#
r sign-in methods.","type":"string"},"others":{"description":"For `link`, the sign-in methods that the account\#
 had before.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser",\#
"description":"The user who signed in."}},"required":["account","flow","kind","user"],"type":"object"},"SignIn\#
Result.Outcome":{"description":"How a sign-in ended.","examples":["signedIn","confirmationSent","decisionNeede\#
d"],"type":"string"},"TelemetryRecord":{"description":"One event, such as `auth_completed` with `duration_ms`.\#
","properties":{"at":{"description":"When the event happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]\#
{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"description":"The event's name.","type":\#
"string"},"properties":{"additionalProperties":{"type":"string"},"description":"Values of `method`, `reason`, \#
`error_type` or `duration_ms`: numbers or members of a fixed set.","type":"object"}},"required":["at","event",\#
"properties"],"type":"object"},"UnrevokedSession":{"description":"A session that a reset removes on this machi\#
ne, but that is not revoked on its server.","properties":{"account":{"description":"The account's name.","type\#
":"string"},"reason":{"description":"A readable reason.","type":"string"}},"required":["account","reason"],"ty\#
pe":"object"},"VaultFinding":{"description":"The result of checking one file of the vault.","properties":{"det\#
ail":{"description":"Readable details.","type":"string"},"file":{"description":"The file's name in the vault's\#
 directory, which reveals nothing about its content.","type":"string"},"state":{"description":"`ok`, `damaged`\#
, `newer`, `unreadable`, `setAside`, `missing` or `foreign`.","type":"string"}},"required":["file","state"],"t\#
ype":"object"},"VaultKey":{"description":"A key that opens the vault.","properties":{"id":{"description":"32 h\#
exadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs\#
/VaultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id m\#
emory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number of \#
Argon2id passes for each attempt.","type":"integer"}},"required":["id","kind"],"type":"object"},"VaultKeyKind"\#
:{"description":"The kind of a vault key.","examples":["keyFile","passphrase","credential"],"type":"string"},"\#
VaultSummary":{"description":"The state of the vault.","properties":{"damaged":{"description":"The file names \#
of records that were set aside as damaged.","items":{"type":"string"},"type":"array"},"error":{"$ref":"#/$defs\#
/ErrorKind","description":"Why the vault is `unavailable`, such as `vaultDamaged`; `protection` then holds the\#
 remedy."},"openedBy":{"description":"The key that opened the vault: `key file`, `passphrase` or `systemd cred\#
ential`.","type":"string"},"protection":{"description":"A readable statement of what the key protects and what\#
 it does not.","type":"string"},"state":{"description":"`open`, `copied` (from another machine: refreshes are \#
suspended), `locked` or `unavailable`.","type":"string"}},"required":["damaged","state"],"type":"object"}},"co\#
mmands":{"accounts list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List account\#
s.","properties":{"accounts":{"description":"All accounts.","items":{"$ref":"#/$defs/AccountStatus"},"type":"a\#
rray"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scri\#
pt would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there \#
are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualc\#
tl accounts list --json","type":"object"},"accounts remove":{"$schema":"https://json-schema.org/draft/2020-12/\#
schema","description":"Sign an account out and delete everything stored about it.","properties":{"account":{"d\#
escription":"The name of the removed account.","type":"string"},"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"isPe\#
nding":{"description":"True if the server has not confirmed the end of the session yet; the agent keeps trying\#
.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":\#
"string"},"type":"array"}},"required":["account","formatVersion","isPending"],"title":"ritualctl accounts remo\#
ve --json","type":"object"},"accounts rename":{"$schema":"https://json-schema.org/draft/2020-12/schema","descr\#
iption":"Rename an account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The ope\#
ration that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session'\#
s level of assurance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/Ende\#
dSession","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"desc\#
ription":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]\#
{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The vers\#
ion of the format. It increases when an existing script would misread a document.","type":"integer"},"identiti\#
es":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity\#
"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this account.","ty\#
pe":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; pres\#
ent in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"\#
description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"Th\#
e origin that issued the session, or the configured origin if there is no session.","type":"string"},"project"\#
:{"description":"The project's name in the configuration.","type":"string"},"projectURL":{"description":"The c\#
onfigured URL of the project, without a slash at the end; absent if it is not configured.","type":"string"},"r\#
efresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"sess\#
ion":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it ends or ended.\#
"},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"descripti\#
on":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/Acco\#
untUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there ar\#
e none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDef\#
ault","name","project","state","tokenUsable"],"title":"ritualctl accounts rename --json","type":"object"},"api\#
":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Send an authorized API request and \#
print the response body.","properties":{"body":{"description":"The body in base64 (RFC 4648, section 4).","typ\#
e":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existin\#
g script would misread a document.","type":"integer"},"headers":{"description":"The response headers, as pairs\#
 of name and value.","items":{"items":{"type":"string"},"type":"array"},"type":"array"},"status":{"description\#
":"The HTTP status.","type":"integer"},"text":{"description":"The body again if it is text: UTF-8 of a content\#
 type `text/*` or JSON.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are no\#
ne.","items":{"type":"string"},"type":"array"}},"required":["body","formatVersion","headers","status"],"title"\#
:"ritualctl api --json","type":"object"},"approvals allow":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"Allow a program to use the account that it requested.","properties":{"account":{"descrip\#
tion":"The account that the program wants to use.","type":"string"},"askedAt":{"description":"When the first r\#
equest was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","t\#
ype":"string"},"executable":{"description":"The executable of that process, without arguments; absent if it ca\#
nnot be read.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"id":{"description":"The id that `app\#
roval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"method":{"description":"Th\#
e method of the first request.","type":"string"},"pid":{"description":"The process that made the first request\#
.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."\#
},"unit":{"description":"The systemd unit of that process; absent if it has none.","type":"string"},"until":{"\#
description":"When the request or the answer expires. Absent for an approval that is valid until the vault is \#
locked, and for a denial that is valid until the agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]\#
{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"description":"Readable warnings; abse\#
nt if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","askedAt","formatVersi\#
on","id","method","pid","state"],"title":"ritualctl approvals allow --json","type":"object"},"approvals deny":\#
{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Deny a program access. Its requests a\#
re refused while the answer is valid.","properties":{"account":{"description":"The account that the program wa\#
nts to use.","type":"string"},"askedAt":{"description":"When the first request was made.","format":"date-time"\#
,"pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"descript\#
ion":"The executable of that process, without arguments; absent if it cannot be read.","type":"string"},"forma\#
tVersion":{"const":1,"description":"The version of the format. It increases when an existing script would misr\#
ead a document.","type":"integer"},"id":{"description":"The id that `approval.answer`, `approval.revoke` and `\#
ritualctl approvals` take.","type":"string"},"method":{"description":"The method of the first request.","type"\#
:"string"},"pid":{"description":"The process that made the first request.","type":"integer"},"state":{"$ref":"\#
#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd u\#
nit of that process; absent if it has none.","type":"string"},"until":{"description":"When the request or the \#
answer expires. Absent for an approval that is valid until the vault is locked, and for a denial that is valid\#
 until the agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2\#
}Z$","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type"\#
:"string"},"type":"array"}},"required":["account","askedAt","formatVersion","id","method","pid","state"],"titl\#
e":"ritualctl approvals deny --json","type":"object"},"approvals list":{"$schema":"https://json-schema.org/dra\#
ft/2020-12/schema","description":"List pending requests and valid answers.","properties":{"approvals":{"descri\#
ption":"The pending access requests and the valid answers, oldest first.","items":{"$ref":"#/$defs/Approval"},\#
"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an exis\#
ting script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["approvals","formatVersion"],"title\#
":"ritualctl approvals list --json","type":"object"},"approvals revoke":{"$schema":"https://json-schema.org/dr\#
aft/2020-12/schema","description":"Delete an answer. The next request needs a new one.","properties":{"formatV\#
ersion":{"const":1,"description":"The version of the format. It increases when an existing script would misrea\#
d a document.","type":"integer"},"id":{"description":"The id of the approval.","type":"string"},"warnings":{"d\#
escription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"require\#
d":["formatVersion","id"],"title":"ritualctl approvals revoke --json","type":"object"},"audit":{"$schema":"htt\#
ps://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without `--verify`.","properties":{"entrie\#
s":{"description":"The entries, newest last.","items":{"$ref":"#/$defs/AuditEntry"},"type":"array"},"formatVer\#
sion":{"const":1,"description":"The version of the format. It increases when an existing script would misread \#
a document.","type":"integer"},"isChecked":{"description":"Whether each entry was checked against the chain; f\#
alse while the vault is locked.","type":"boolean"},"leftOut":{"description":"The number of lines in the files \#
read that do not match the chain. They are not among the entries.","type":"integer"},"more":{"description":"Wh\#
ether older entries exist.","type":"boolean"},"unknownCount":{"description":"The total number of unknown files\#
.","type":"integer"},"unknownFiles":{"description":"Files in the log's directory that the agent did not create\#
: their escaped names, at most 20.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Reada\#
ble warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["entries","for\#
matVersion","isChecked","leftOut","more","unknownCount","unknownFiles"],"type":"object"},{"description":"With \#
`--verify`.","properties":{"findings":{"description":"The mismatches with the chain; empty if the log is intac\#
t.","items":{"$ref":"#/$defs/AuditVerify.Finding"},"type":"array"},"first":{"description":"The first entry tha\#
t is kept.","minimum":0,"type":"integer"},"fitting":{"description":"The number of entries that match the chain\#
.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an\#
 existing script would misread a document.","type":"integer"},"interruptions":{"description":"The entries afte\#
r which the agent ended without a clean stop. Entries of up to one second before may be missing.","items":{"mi\#
nimum":0,"type":"integer"},"type":"array"},"isWhole":{"description":"True if there are no findings.","type":"b\#
oolean"},"limits":{"description":"Readable statements of what the verification does not prove.","items":{"type\#
":"string"},"type":"array"},"sealed":{"description":"The last entry that is sealed in the vault.","minimum":0,\#
"type":"integer"},"unsealed":{"description":"The number of entries after the last sealed one. They match the c\#
hain, but their removal would go unnoticed.","type":"integer"},"warnings":{"description":"Readable warnings; a\#
bsent if there are none.","items":{"type":"string"},"type":"array"}},"required":["findings","first","fitting",\#
"formatVersion","interruptions","isWhole","limits","sealed","unsealed"],"type":"object"}],"description":"Show \#
sign-ins, sign-outs, and issued tokens, newest last.","title":"ritualctl audit --json"},"complete-sign-in":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","description":"Finish a sign-in by pasting the redirect\#
 URL.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"\#
decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `\#
identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFac\#
torNeed","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignIn\#
Result.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description"\#
:"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["format\#
Version","outcome"],"title":"ritualctl complete-sign-in --json","type":"object"},"doctor":{"$schema":"https://\#
json-schema.org/draft/2020-12/schema","description":"Check the setup and show how to fix problems.","propertie\#
s":{"checks":{"description":"The results of the checks.","items":{"$ref":"#/$defs/DiagnosticCheck"},"type":"ar\#
ray"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"isHealthy":{"description":"Whether no check failed.","type":"b\#
oolean"},"version":{"description":"The version of this program.","type":"string"},"warnings":{"description":"R\#
eadable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["checks","\#
formatVersion","isHealthy","version"],"title":"ritualctl doctor --json","type":"object"},"error":{"$schema":"h\#
ttps://json-schema.org/draft/2020-12/schema","description":"The error of any command, on standard error.","pro\#
perties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus\#
":{"description":"The exit status of the command.","type":"integer"},"formatVersion":{"const":1,"description":\#
"The version of the format. It increases when an existing script would misread a document.","type":"integer"},\#
"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arr\#
ay"}},"required":["error","exitStatus","formatVersion"],"title":"ritualctl: error","type":"object"},"events":{\#
"$schema":"https://json-schema.org/draft/2020-12/schema","description":"One line per event: the current state \#
first, then every change.","properties":{"account":{"description":"The account that changed; absent if the eve\#
nt does not concern an account.","type":"string"},"approval":{"$ref":"#/$defs/Approval","description":"The pen\#
ding access request (`APPROVAL_NEEDED`), or the answered or expired one (`APPROVAL_ANSWERED`)."},"at":{"descri\#
ption":"When it changed.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{\#
2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when \#
an existing script would misread a document.","type":"integer"},"program":{"description":"For `MFA_NEEDED`, th\#
e program's file and unit, as far as the kernel told.","type":"string"},"reason":{"description":"A readable re\#
ason, for `SIGNED_OUT` and `STATE_CHANGED`; the program's own reason for `MFA_NEEDED`; for `ACCOUNT_LINKED` th\#
e provider and how it was linked.","type":"string"},"sequence":{"description":"Increases by one with each chan\#
ge. Events that describe the current state to a new subscriber carry the number of the last change in that sta\#
te.","minimum":0,"type":"integer"},"status":{"$ref":"#/$defs/AccountStatus","description":"The account after t\#
he change."},"token":{"$ref":"#/$defs/SessionToken.Result","description":"The new token, for subscribers that \#
requested tokens."},"type":{"$ref":"#/$defs/EventType","description":"The kind of change."}},"required":["at",\#
"formatVersion","sequence","type"],"title":"ritualctl events --json","type":"object"},"exec":{"$schema":"https\#
://json-schema.org/draft/2020-12/schema","description":"Why the command was not run, on standard error. The ou\#
tput of the command itself is unchanged.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","descr\#
iption":"Why the command failed."},"exitStatus":{"description":"The exit status of the command.","type":"integ\#
er"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script\#
 would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there ar\#
e none.","items":{"type":"string"},"type":"array"}},"required":["error","exitStatus","formatVersion"],"title":\#
"ritualctl exec --json","type":"object"},"grant":{"$schema":"https://json-schema.org/draft/2020-12/schema","de\#
scription":"Get a loopback URL and a stand-in token for one tool.","properties":{"expiresAt":{"description":"W\#
hen the grant ends.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"\#
,"type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an ex\#
isting script would misread a document.","type":"integer"},"id":{"description":"The id that `egress.revoke` ta\#
kes.","type":"string"},"token":{"description":"The stand-in: the tool sends it as bearer token or as `apikey`.\#
 It is worth nothing anywhere else.","pattern":"^sb_ritual_[A-Za-z0-9_-]{43}$","type":"string"},"url":{"descri\#
ption":"`http://127.0.0.1:PORT/`","type":"string"},"warnings":{"description":"Readable warnings; absent if the\#
re are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","formatVersion","id","token",\#
"url"],"title":"ritualctl grant --json","type":"object"},"grants list":{"$schema":"https://json-schema.org/dra\#
ft/2020-12/schema","description":"List the valid grants, oldest first.","properties":{"formatVersion":{"const"\#
:1,"description":"The version of the format. It increases when an existing script would misread a document.","\#
type":"integer"},"grants":{"description":"The valid grants, oldest first.","items":{"$ref":"#/$defs/EgressList\#
.Grant"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"ty\#
pe":"string"},"type":"array"}},"required":["formatVersion","grants"],"title":"ritualctl grants list --json","t\#
ype":"object"},"grants revoke":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"End a \#
grant and its open streams.","properties":{"formatVersion":{"const":1,"description":"The version of the format\#
. It increases when an existing script would misread a document.","type":"integer"},"id":{"description":"The i\#
d of the grant.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["formatVersion","id"],"title":"ritualctl grants revoke --j\#
son","type":"object"},"help":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description"\#
:"With `--help` or `--version`.","properties":{"formatVersion":{"const":1,"description":"The version of the fo\#
rmat. It increases when an existing script would misread a document.","type":"integer"},"groups":{"description\#
":"The groups of commands; only with the help of the program itself.","items":{"$ref":"#/$defs/Overview.Group"\#
},"type":"array"},"text":{"description":"The text.","type":"string"}},"required":["formatVersion","text"],"typ\#
e":"object"},{"description":"Without a command.","properties":{"formatVersion":{"const":1,"description":"The v\#
ersion of the format. It increases when an existing script would misread a document.","type":"integer"},"group\#
s":{"description":"The commands by group.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"next":{"\#
$ref":"#/$defs/NextStep","description":"The next sensible step on this machine."}},"required":["formatVersion"\#
,"groups","next"],"type":"object"}],"description":"The output of `--help` and `--version`, and of `ritualctl` \#
without a command.","title":"ritualctl: help"},"identities":{"$schema":"https://json-schema.org/draft/2020-12/\#
schema","description":"List linked sign-in methods.","properties":{"account":{"description":"The account whose\#
 user has the sign-in methods.","type":"string"},"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"identities":{"descr\#
iption":"The linked sign-in methods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{\#
"description":"False if the server could not be asked and the list is its last known answer.","type":"boolean"\#
},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"a\#
rray"}},"required":["account","formatVersion","identities","isCurrent"],"title":"ritualctl identities --json",\#
"type":"object"},"init":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a Supabas\#
e project to the configuration, or change one.","properties":{"apiAccepted":{"description":"The accounts that \#
accepted the API of `--api-url`; absent without that option.","items":{"type":"string"},"type":"array"},"chang\#
e":{"description":"`added`, `updated` or `none`.","type":"string"},"configuration":{"description":"The path of\#
 the configuration file.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format\#
. It increases when an existing script would misread a document.","type":"integer"},"note":{"description":"A n\#
ote about the part that was removed from a pasted URL.","type":"string"},"project":{"description":"The project\#
's name.","type":"string"},"warning":{"description":"A problem with the reload of a running agent, or with the\#
 project.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{\#
"type":"string"},"type":"array"}},"required":["change","configuration","formatVersion","project"],"title":"rit\#
ualctl init --json","type":"object"},"link":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":\#
[{"description":"The outcome.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `sig\#
nedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the de\#
cision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The ver\#
sion of the format. It increases when an existing script would misread a document.","type":"integer"},"mfa":{"\#
$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"outcome"\#
:{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"\#
warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arra\#
y"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"With `--no-browser`.","properties\#
":{"expiresAt":{"description":"When the flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}\#
-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.",\#
"type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an exi\#
sting script would misread a document.","type":"integer"},"outcome":{"description":"`begun`.","type":"string"}\#
,"url":{"description":"The URL to open.","type":"string"},"warnings":{"description":"Readable warnings; absent\#
 if there are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersion"\#
,"outcome","url"],"type":"object"},{"description":"With `link email`, without `--code-stdin`.","properties":{"\#
address":{"description":"The email address or phone number to which the code was sent.","type":"string"},"flow\#
":{"description":"The ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"for\#
matVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mi\#
sread a document.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"d\#
escription":"Seconds until the project sends another code to this address.","type":"number"},"warnings":{"desc\#
ription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":\#
["address","flow","formatVersion","outcome","resendAfter"],"type":"object"}],"description":"Link a provider or\#
 an email address as a sign-in method.","title":"ritualctl link --json"},"lock":{"$schema":"https://json-schem\#
a.org/draft/2020-12/schema","description":"Lock the vault. No tokens are issued or refreshed until it is unloc\#
ked.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an \#
existing script would misread a document.","type":"integer"},"opensByFile":{"description":"Whether a key file \#
or credential opens the vault again, so that any program of the user can unlock it.","type":"boolean"},"warnin\#
g":{"description":"A readable problem that did not prevent the lock.","type":"string"},"warnings":{"descriptio\#
n":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["form\#
atVersion","opensByFile"],"title":"ritualctl lock --json","type":"object"},"metrics":{"$schema":"https://json-\#
schema.org/draft/2020-12/schema","description":"Print the agent's counters in OpenMetrics format.","properties\#
":{"events":{"description":"The last events, oldest first.","items":{"$ref":"#/$defs/TelemetryRecord"},"type":\#
"array"},"families":{"description":"The counters, as metric families of OpenMetrics.","items":{"$ref":"#/$defs\#
/MetricFamily"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable w\#
arnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["events","families"\#
,"formatVersion"],"title":"ritualctl metrics --json","type":"object"},"mfa enroll":{"$schema":"https://json-sc\#
hema.org/draft/2020-12/schema","description":"Add a second factor: an authenticator app (totp) or a phone.","p\#
roperties":{"factor":{"description":"The new factor's ID, for `mfa.verify`. The server forgets an unverified f\#
actor after 5 minutes.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. \#
It increases when an existing script would misread a document.","type":"integer"},"secret":{"description":"For\#
 `totp`, the secret in base32. Shown once and stored nowhere; never log it.","type":"string"},"uri":{"descript\#
ion":"For `totp`, the `otpauth:` URI for an authenticator app. Contains the secret.","type":"string"},"warning\#
s":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"r\#
equired":["factor","formatVersion"],"title":"ritualctl mfa enroll --json","type":"object"},"mfa list":{"$schem\#
a":"https://json-schema.org/draft/2020-12/schema","description":"List the user's second factors.","properties"\#
:{"account":{"description":"The account whose user has the factors.","type":"string"},"assurance":{"$ref":"#/$\#
defs/AccountAssurance","description":"The session's level."},"endsAccounts":{"description":"The other accounts\#
 of this agent whose sessions end with a verification. Every other session of the user without a second factor\#
 ends too.","items":{"type":"string"},"type":"array"},"factors":{"description":"The factors.","items":{"$ref":\#
"#/$defs/AccountFactor"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. \#
It increases when an existing script would misread a document.","type":"integer"},"isCurrent":{"description":"\#
False if the server could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"\#
description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requir\#
ed":["account","assurance","endsAccounts","factors","formatVersion","isCurrent"],"title":"ritualctl mfa list -\#
-json","type":"object"},"mfa remove":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"\#
Remove a second factor.","properties":{"factor":{"description":"The ID of the removed factor.","type":"string"\#
},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["factor","formatVersion"],"title":"ritualctl mfa \#
remove --json","type":"object"},"mfa verify":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf"\#
:[{"description":"After the verification.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","descrip\#
tion":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description"\#
:"The session's level of assurance and the level that is possible; absent without a session."},"ended":{"$ref"\#
:"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"exp\#
iresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^\#
[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"descript\#
ion":"The version of the format. It increases when an existing script would misread a document.","type":"integ\#
er"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/A\#
ccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this\#
 account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor i\#
s needed; present in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"\#
onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"de\#
scription":"The origin that issued the session, or the configured origin if there is no session.","type":"stri\#
ng"},"project":{"description":"The project's name in the configuration.","type":"string"},"projectURL":{"descr\#
iption":"The configured URL of the project, without a slash at the end; absent if it is not configured.","type\#
":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a se\#
ssion."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it \#
ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsabl\#
e":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref"\#
:"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; abse\#
nt if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","iden\#
tities","isDefault","name","project","state","tokenUsable"],"type":"object"},{"description":"With `--browser`.\#
","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decis\#
ion":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `ident\#
ity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNe\#
ed","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResul\#
t.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Rea\#
dable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersi\#
on","outcome"],"type":"object"},{"description":"Without `--code-stdin`, for a phone factor.","properties":{"ex\#
piresAt":{"description":"When the code expires, by this machine's clock.","format":"date-time","pattern":"^[0-\#
9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factor":{"description":"The factor to \#
which the code belongs.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format.\#
 It increases when an existing script would misread a document.","type":"integer"},"outcome":{"description":"`\#
codeSent`.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":\#
{"type":"string"},"type":"array"}},"required":["expiresAt","factor","formatVersion","outcome"],"type":"object"\#
}],"description":"Verify a second factor with a code; ends the user's other sessions without one.","title":"ri\#
tualctl mfa verify --json"},"profile":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":\#
"Show or change the user's profile.","properties":{"account":{"description":"The account whose user has the pr\#
ofile.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases whe\#
n an existing script would misread a document.","type":"integer"},"onboarding":{"description":"`needed` or `co\#
mplete`.","type":"string"},"prefill":{"additionalProperties":{},"description":"Values that Apple sent at the f\#
irst sign-in and that the profile lacks. `profile.update` adds them.","type":"object"},"profile":{"additionalP\#
roperties":{},"description":"The profile from the API; absent if there is none yet.","type":"object"},"warning\#
s":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"r\#
equired":["account","formatVersion","onboarding"],"title":"ritualctl profile --json","type":"object"},"refresh\#
":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Refresh now (at most once every 5 s\#
econds).","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs fo\#
r the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assuranc\#
e and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","descript\#
ion":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The acces\#
s token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{\#
2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. \#
It increases when an existing script would misread a document.","type":"integer"},"identities":{"description":\#
"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},\#
"isDefault":{"description":"Whether requests without an account name use this account.","type":"boolean"},"mfa\#
":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present in the result o\#
f a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`need\#
ed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The origin that issue\#
d the session, or the configured origin if there is no session.","type":"string"},"project":{"description":"Th\#
e project's name in the configuration.","type":"string"},"projectURL":{"description":"The configured URL of th\#
e project, without a slash at the end; absent if it is not configured.","type":"string"},"refresh":{"$ref":"#/\#
$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$de\#
fs/SessionLife","description":"When the session started, and when and why it ends or ended."},"state":{"$ref":\#
"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whether `sessi\#
on.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","descripti\#
on":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"\#
type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","proje\#
ct","state","tokenUsable"],"title":"ritualctl refresh --json","type":"object"},"register-handler":{"$schema":"\#
https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without `--print`.","properties":{"file\#
":{"description":"The path of the desktop entry.","type":"string"},"formatVersion":{"const":1,"description":"T\#
he version of the format. It increases when an existing script would misread a document.","type":"integer"},"r\#
egistered":{"description":"Whether the agent opens URLs of the scheme now.","type":"boolean"},"scheme":{"descr\#
iption":"The URL scheme.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["file","formatVersion","registered","scheme"],"ty\#
pe":"object"},{"description":"With `--print`.","properties":{"entry":{"description":"The text of the desktop e\#
ntry.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when\#
 an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings;\#
 absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["entry","formatVersion"],"t\#
ype":"object"}],"description":"Open dailyritual:// URLs with the agent.","title":"ritualctl register-handler -\#
-json"},"reload":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Reload the agent's c\#
onfiguration.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases\#
 when an existing script would misread a document.","type":"integer"},"projects":{"description":"The names of \#
the projects in the configuration.","items":{"type":"string"},"type":"array"},"reloaded":{"description":"Wheth\#
er the file was read: false if the agent uses a file other than `file`. Absent in older agents.","type":"boole\#
an"},"warning":{"description":"A readable problem, such as a failed check; absent if there is none.","type":"s\#
tring"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"ty\#
pe":"array"}},"required":["formatVersion","projects"],"title":"ritualctl reload --json","type":"object"},"rese\#
t":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign out of all accounts and remov\#
e the agent's data.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It inc\#
reases when an existing script would misread a document.","type":"integer"},"kept":{"description":"The paths t\#
hat were kept: the configuration, without `--config`.","items":{"type":"string"},"type":"array"},"removed":{"d\#
escription":"The paths that were removed.","items":{"type":"string"},"type":"array"},"signedOut":{"description\#
":"The accounts that were signed out.","items":{"type":"string"},"type":"array"},"unrevoked":{"description":"T\#
he sessions that may still be active on their server.","items":{"$ref":"#/$defs/UnrevokedSession"},"type":"arr\#
ay"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type"\#
:"array"}},"required":["formatVersion","kept","removed","signedOut","unrevoked"],"title":"ritualctl reset --js\#
on","type":"object"},"schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description\#
":"Without a command.","properties":{"commands":{"description":"The commands that `ritualctl schema` takes, an\#
d `error` and `help`.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The\#
 version of the format. It increases when an existing script would misread a document.","type":"integer"},"war\#
nings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}\#
},"required":["commands","formatVersion"],"type":"object"},{"description":"With a command.","properties":{"com\#
mand":{"description":"The command whose document the schema describes.","type":"string"},"formatVersion":{"con\#
st":1,"description":"The version of the format. It increases when an existing script would misread a document.\#
","type":"integer"},"schema":{"description":"The JSON Schema."},"warnings":{"description":"Readable warnings; \#
absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["command","formatVersion","s\#
chema"],"type":"object"}],"description":"Print the JSON Schema of a command's --json document.","title":"ritua\#
lctl schema --json"},"setup":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description"\#
:"Without a name.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"setups":{"description":"The setups \#
that `ritualctl setup` can print.","items":{"$ref":"#/$defs/SetupListAnswer.Entry"},"type":"array"},"warnings"\#
:{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"req\#
uired":["formatVersion","setups"],"type":"object"},{"description":"With a name.","properties":{"account":{"des\#
cription":"The account; absent for the default account.","type":"string"},"formatVersion":{"const":1,"descript\#
ion":"The version of the format. It increases when an existing script would misread a document.","type":"integ\#
er"},"name":{"description":"The name of the setup.","type":"string"},"steps":{"description":"What to add.","it\#
ems":{"$ref":"#/$defs/SetupAnswer.Step"},"type":"array"},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","name","steps"],"ty\#
pe":"object"}],"description":"Print what to add where, so that a tool gets its tokens from the agent.","title"\#
:"ritualctl setup --json"},"sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"desc\#
ription":"The outcome.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`,\#
 the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision \#
for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of\#
 the format. It increases when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"\#
#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref\#
":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warning\#
s":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"r\#
equired":["formatVersion","outcome"],"type":"object"},{"description":"With `--no-browser`.","properties":{"exp\#
iresAt":{"description":"When the flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{\#
2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":\#
"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing s\#
cript would misread a document.","type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":\#
{"description":"The URL to open.","type":"string"},"warnings":{"description":"Readable warnings; absent if the\#
re are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outco\#
me","url"],"type":"object"},{"description":"With `code` or `phone`, without `--code-stdin`.","properties":{"ad\#
dress":{"description":"The email address or phone number to which the code was sent.","type":"string"},"flow":\#
{"description":"The ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"forma\#
tVersion":{"const":1,"description":"The version of the format. It increases when an existing script would misr\#
ead a document.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"des\#
cription":"Seconds until the project sends another code to this address.","type":"number"},"warnings":{"descri\#
ption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["\#
address","flow","formatVersion","outcome","resendAfter"],"type":"object"}],"description":"Sign in with a provi\#
der, a password, a code, single sign-on, or as an anonymous user.","title":"ritualctl sign-in --json"},"sign-o\#
ut":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign out on this machine and on t\#
he server.","properties":{"accounts":{"description":"The accounts that were signed out.","items":{"type":"stri\#
ng"},"type":"array"},"failed":{"description":"With `all`, the accounts whose sign-out failed, and why. Absent \#
if there are none.","items":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"array"},"formatVersion":{"const"\#
:1,"description":"The version of the format. It increases when an existing script would misread a document.","\#
type":"integer"},"pending":{"description":"The accounts whose revocation is pending until the server is reacha\#
ble.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there \#
are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","pending"],"title\#
":"ritualctl sign-out --json","type":"object"},"sink":{"$schema":"https://json-schema.org/draft/2020-12/schema\#
","description":"One line per change of the file.","properties":{"account":{"description":"The account whose t\#
oken the file contains.","type":"string"},"expiresAt":{"description":"When the written token expires.","format\#
":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVer\#
sion":{"const":1,"description":"The version of the format. It increases when an existing script would misread \#
a document.","type":"integer"},"isWritten":{"description":"True if a new token was written, false if the file \#
was removed, or is not there yet.","type":"boolean"},"path":{"description":"The path of the file.","type":"str\#
ing"},"reason":{"description":"Why there is no file.","type":"string"}},"required":["account","formatVersion",\#
"isWritten","path"],"title":"ritualctl sink --json","type":"object"},"status":{"$schema":"https://json-schema.\#
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
e in the configuration.","type":"string"},"projectURL":{"description":"The configured URL of the project, with\#
out a slash at the end; absent if it is not configured.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshSt\#
atus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife"\#
,"description":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/Accoun\#
tState","description":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would\#
 return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed\#
-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"}\#
,"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","to\#
kenUsable"],"title":"ritualctl use --json","type":"object"},"use-api":{"$schema":"https://json-schema.org/draf\#
t/2020-12/schema","description":"Allow the configured API to receive an account's token.","properties":{"activ\#
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
uration.","type":"string"},"projectURL":{"description":"The configured URL of the project, without a slash at \#
the end; absent if it is not configured.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","descript\#
ion":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":\#
"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","descri\#
ption":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token\#
 immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"wa\#
rnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"\#
}},"required":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"ti\#
tle":"ritualctl use-api --json","type":"object"},"vault add-key":{"$schema":"https://json-schema.org/draft/202\#
0-12/schema","description":"Add a key that opens the vault: a passphrase, a key file, or a systemd credential.\#
","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an exis\#
ting script would misread a document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The a\#
dded key."},"removed":{"description":"The removed slots: those of key files, or the replaced one.","items":{"$\#
ref":"#/$defs/VaultKey"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are non\#
e.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","key","removed"],"title":"ritualctl\#
 vault add-key --json","type":"object"},"vault adopt":{"$schema":"https://json-schema.org/draft/2020-12/schema\#
","description":"Use a vault that was copied from another machine.","properties":{"accounts":{"description":"T\#
he accounts whose sessions are now used here.","items":{"type":"string"},"type":"array"},"formatVersion":{"con\#
st":1,"description":"The version of the format. It increases when an existing script would misread a document.\#
","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"\#
string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualctl vault adopt --json","type\#
":"object"},"vault rekey":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Create a ne\#
w master key and re-encrypt the vault.","properties":{"formatVersion":{"const":1,"description":"The version of\#
 the format. It increases when an existing script would misread a document.","type":"integer"},"generation":{"\#
description":"The vault's generation after the change.","minimum":0,"type":"integer"},"warnings":{"description\#
":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["forma\#
tVersion","generation"],"title":"ritualctl vault rekey --json","type":"object"},"vault remove-key":{"$schema":\#
"https://json-schema.org/draft/2020-12/schema","description":"Remove a vault key. The last one cannot be remov\#
ed.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an e\#
xisting script would misread a document.","type":"integer"},"id":{"description":"32 hexadecimal digits, for `v\#
ault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind","descripti\#
on":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id memory for each attempt, i\#
n bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number of Argon2id passes for each \#
attempt.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{\#
"type":"string"},"type":"array"}},"required":["formatVersion","id","kind"],"title":"ritualctl vault remove-key\#
 --json","type":"object"},"vault status":{"$schema":"https://json-schema.org/draft/2020-12/schema","descriptio\#
n":"Show the state of the vault, its keys, and what they protect.","properties":{"damaged":{"description":"Fil\#
es that were set aside or ignored, and why.","items":{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVe\#
rsion":{"const":1,"description":"The version of the format. It increases when an existing script would misread\#
 a document.","type":"integer"},"generation":{"description":"Increases with every change of keys.","minimum":0\#
,"type":"integer"},"idleLock":{"description":"Idle time before locking, in seconds; absent means never.","type\#
":"integer"},"isAuthenticated":{"description":"Whether `keys`, `generation` and `machine` were authenticated w\#
ith the vault's key. Until the vault is first opened, they are unverified values from its file.","type":"boole\#
an"},"isMemoryLocked":{"description":"Whether the keys are locked in memory, so that they cannot be swapped ou\#
t.","type":"boolean"},"isRekeying":{"description":"Whether a `vault.rekey` was interrupted. The next `vault.re\#
key` or unlock continues it.","type":"boolean"},"keys":{"description":"The keys, in the order in which they we\#
re added.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"lockedBy":{"description":"Why the vault is loc\#
ked: `hand`, `idle`, `session`, or `start` if no key was available.","type":"string"},"machine":{"description"\#
:"Whether the vault belongs to this machine: `this`, `other` or `unknown`.","type":"string"},"openedBy":{"$ref\#
":"#/$defs/VaultKeyKind","description":"The kind of key that opened the vault."},"protection":{"description":"\#
Readable statements of what each kind of key protects and what it does not.","items":{"type":"string"},"type":\#
"array"},"state":{"description":"`open`, `copied`, `locked` or `unavailable`.","enum":["open","copied","locked\#
","unavailable"],"type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["damaged","formatVersion","generation","isAuthenticated","\#
isMemoryLocked","isRekeying","keys","machine","protection","state"],"title":"ritualctl vault status --json","t\#
ype":"object"},"vault verify":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Check e\#
very file of the open vault, without changing anything.","properties":{"files":{"description":"Every file of t\#
he vault, with the result of its check.","items":{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVersio\#
n":{"const":1,"description":"The version of the format. It increases when an existing script would misread a d\#
ocument.","type":"integer"},"isWhole":{"description":"Whether every file is unchanged since the vault wrote it\#
.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":\#
"string"},"type":"array"}},"required":["files","formatVersion","isWhole"],"title":"ritualctl vault verify --js\#
on","type":"object"},"whoami":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Show th\#
e user who is signed in.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operat\#
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
description":"The project's name in the configuration.","type":"string"},"projectURL":{"description":"The conf\#
igured URL of the project, without a slash at the end; absent if it is not configured.","type":"string"},"refr\#
esh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session\#
":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it ends or ended."},\#
"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description"\#
:"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/Account\#
User","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefaul\#
t","name","project","state","tokenUsable"],"title":"ritualctl whoami --json","type":"object"},"why":{"$schema"\#
:"https://json-schema.org/draft/2020-12/schema","description":"Show the next refresh, the reason, and recent a\#
ttempts.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"The account."},"explanation":\#
{"description":"Sentences, most important first.","items":{"type":"string"},"type":"array"},"formatVersion":{"\#
const":1,"description":"The version of the format. It increases when an existing script would misread a docume\#
nt.","type":"integer"},"tries":{"description":"The recent attempts, newest first.","items":{"$ref":"#/$defs/Re\#
freshTry"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"\#
type":"string"},"type":"array"}},"required":["account","explanation","formatVersion","tries"],"title":"ritualc\#
tl why --json","type":"object"}}}
"""#
}
