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
"type":"number"},"outcome":{"description":"`refreshed`, `ended`, `failed`, `misconfigured`, `superseded`.","ty\#
pe":"string"},"reason":{"description":"The trigger: `ahead`, `demand`, `rejected`, `forced`, `start`, `retry`,\#
 `sleep`.","type":"string"},"status":{"description":"The HTTP status, if the server answered.","type":"integer\#
"}},"required":["at","latency","outcome","reason"],"type":"object"},"SecondFactorNeed":{"description":"A sign-\#
in's need for a second factor.","properties":{"endsAccounts":{"description":"The other accounts of this agent \#
whose sessions end with a verification: those of the same user without a second factor.","items":{"type":"stri\#
ng"},"type":"array"},"endsAt":{"description":"When the server ends a session without the second factor; absent\#
 if that is not known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\#
Z$","type":"string"},"factors":{"description":"The user's verified factors.","items":{"$ref":"#/$defs/AccountF\#
actor"},"type":"array"},"flow":{"description":"The flow in which the agent's page asks for the code, for `sign\#
In.wait` and `signIn.cancel`; absent if no page asks.","type":"string"},"needed":{"description":"True if the u\#
ser has a verified factor and the session does not have its level yet. The session is stored and works; what r\#
equires the second factor does not.","type":"boolean"},"verifiedElsewhereAt":{"description":"When a second fac\#
tor was verified elsewhere, which probably ended the account's former session.","format":"date-time","pattern"\#
:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["factors","needed"],\#
"type":"object"},"SessionEndReason":{"description":"The reason why a session ended.","examples":["signedOut","\#
endedElsewhere","timebox","inactivity","lowAssurance","newerSignIn","userGone","unknown"],"type":"string"},"Se\#
ssionLife":{"description":"The life of an account's session.","properties":{"endReason":{"$ref":"#/$defs/Sessi\#
onEndReason","description":"Why the session ended, or why the server currently refuses to continue it."},"ends\#
At":{"description":"When the session is expected to end; absent if no limit is known.","format":"date-time","p\#
attern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"isEstimate":{"description\#
":"True if `endsAt` follows from an earlier session of this project, not from `session_limit`.","type":"boolea\#
n"},"startedAt":{"description":"When the user signed in; absent if that is not known.","format":"date-time","p\#
attern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"type":"object"},"Session\#
SignOut.Failure":{"description":"An account that is still signed in.","properties":{"account":{"description":"\#
The account's name.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error.\#
"},"message":{"description":"The message for the user.","type":"string"}},"required":["account","kind","messag\#
e"],"type":"object"},"SessionToken.Endpoints":{"description":"The project's URLs and key, which a tool needs t\#
o use the token.","properties":{"anonKey":{"description":"The anon or publishable key, which Supabase expects \#
in the header `apikey`.","type":"string"},"apiURL":{"description":"The configured API URL, or the project URL \#
if there is none. Absent if the API URL changed after the sign-in and was not accepted yet (`session.useAPI`).\#
","type":"string"},"projectURL":{"description":"The project URL, without a trailing slash.","type":"string"}},\#
"required":["anonKey","projectURL"],"type":"object"},"SessionToken.Result":{"description":"A valid access toke\#
n.","properties":{"accessToken":{"description":"The bearer token. Never log it or pass it as a command-line ar\#
gument.","type":"string"},"account":{"description":"The account that the token belongs to.","type":"string"},"\#
endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","description":"The project that accepts the token, if the \#
caller asked for it."},"expiresAt":{"description":"The token's expiry, by this machine's clock.","format":"dat\#
e-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"de\#
scription":"Seconds until the token expires.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750\#
).","type":"string"},"unchanged":{"description":"True if the caller reported this token as rejected and there \#
is no newer one. The caller must not repeat its request.","type":"boolean"}},"required":["accessToken","accoun\#
t","expiresAt","expiresIn","tokenType"],"type":"object"},"SetupAnswer.Step":{"description":"A text, and its pl\#
ace.","properties":{"text":{"description":"The text to add.","type":"string"},"where":{"description":"Where th\#
e text belongs.","type":"string"}},"required":["text","where"],"type":"object"},"SetupListAnswer.Entry":{"desc\#
ription":"One setup.","properties":{"name":{"description":"The name for `ritualctl setup`.","type":"string"},"\#
purpose":{"description":"What it sets up.","type":"string"}},"required":["name","purpose"],"type":"object"},"S\#
ignInDecision":{"description":"A decision that a person makes before a sign-in takes effect.","properties":{"a\#
ccount":{"description":"The name of the account to sign in to.","type":"string"},"flow":{"description":"The fl\#
ow that `identity.decide` takes.","type":"string"},"identity":{"$ref":"#/$defs/AccountIdentity","description":\#
"For `link`, the linked sign-in method."},"kind":{"description":"`newAccount`: confirm the user of a first sig\#
n-in by a pasted URL. `link`: accept that the server linked the sign-in to an account with other sign-in metho\#
ds.","type":"string"},"others":{"description":"For `link`, the sign-in methods that the account had before.","\#
items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser","description":"\#
The user who signed in."}},"required":["account","flow","kind","user"],"type":"object"},"SignInResult.Outcome"\#
:{"description":"How a sign-in ended.","examples":["signedIn","confirmationSent","decisionNeeded"],"type":"str\#
ing"},"TelemetryRecord":{"description":"One event, such as `auth_completed` with `duration_ms`.","properties":\#
{"at":{"description":"When the event happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0\#
-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"description":"The event's name.","type":"string"},"prop\#
erties":{"additionalProperties":{"type":"string"},"description":"Values of `method`, `reason`, `error_type` or\#
 `duration_ms`: numbers or members of a fixed set.","type":"object"}},"required":["at","event","properties"],"\#
type":"object"},"UnrevokedSession":{"description":"A session that a reset removes on this machine, but that is\#
 not revoked on its server.","properties":{"account":{"description":"The account's name.","type":"string"},"re\#
ason":{"description":"A readable reason.","type":"string"}},"required":["account","reason"],"type":"object"},"\#
VaultFinding":{"description":"The result of checking one file of the vault.","properties":{"detail":{"descript\#
ion":"Readable details.","type":"string"},"file":{"description":"The file's name in the vault's directory, whi\#
ch reveals nothing about its content.","type":"string"},"state":{"description":"`ok`, `damaged`, `newer`, `unr\#
eadable`, `setAside`, `missing` or `foreign`.","type":"string"}},"required":["file","state"],"type":"object"},\#
"VaultKey":{"description":"A key that opens the vault.","properties":{"id":{"description":"32 hexadecimal digi\#
ts, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind",\#
"description":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id memory for each \#
attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number of Argon2id passes\#
 for each attempt.","type":"integer"}},"required":["id","kind"],"type":"object"},"VaultKeyKind":{"description"\#
:"The kind of a vault key.","examples":["keyFile","passphrase","credential"],"type":"string"},"VaultSummary":{\#
"description":"The state of the vault.","properties":{"damaged":{"description":"The file names of records that\#
 were set aside as damaged.","items":{"type":"string"},"type":"array"},"error":{"$ref":"#/$defs/ErrorKind","de\#
scription":"Why the vault is `unavailable`, such as `vaultDamaged`; `protection` then holds the remedy."},"ope\#
nedBy":{"description":"The key that opened the vault: `key file`, `passphrase` or `systemd credential`.","type\#
":"string"},"protection":{"description":"A readable statement of what the key protects and what it does not.",\#
"type":"string"},"state":{"description":"`open`, `copied` (from another machine: refreshes are suspended), `lo\#
cked` or `unavailable`.","type":"string"}},"required":["damaged","state"],"type":"object"}},"commands":{"accou\#
nts list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List accounts.","properties\#
":{"accounts":{"description":"All accounts.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array"},"formatV\#
ersion":{"const":1,"description":"The version of the format. It increases when an existing script would misrea\#
d a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","ite\#
ms":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualctl accounts lis\#
t --json","type":"object"},"accounts remove":{"$schema":"https://json-schema.org/draft/2020-12/schema","descri\#
ption":"Sign an account out and delete everything stored about it.","properties":{"account":{"description":"Th\#
e name of the removed account.","type":"string"},"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"isPending":{"descri\#
ption":"True if the server has not confirmed the end of the session yet; the agent keeps trying.","type":"bool\#
ean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type\#
":"array"}},"required":["account","formatVersion","isPending"],"title":"ritualctl accounts remove --json","typ\#
e":"object"},"accounts rename":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Rename\#
 an account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that run\#
s for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assu\#
rance and the level that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","desc\#
ription":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The a\#
ccess token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0\#
-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the form\#
at. It increases when an existing script would misread a document.","type":"integer"},"identities":{"descripti\#
on":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"arra\#
y"},"isDefault":{"description":"Whether requests without an account name use this account.","type":"boolean"},\#
"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is needed; present in the resu\#
lt of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`\#
needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The origin that i\#
ssued the session, or the configured origin if there is no session.","type":"string"},"project":{"description"\#
:"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","descri\#
ption":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description\#
":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","desc\#
ription":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a tok\#
en immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"\#
warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arra\#
y"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"\#
title":"ritualctl accounts rename --json","type":"object"},"api":{"$schema":"https://json-schema.org/draft/202\#
0-12/schema","description":"Send an authorized API request and print the response body.","properties":{"body":\#
{"description":"The body in base64 (RFC 4648, section 4).","type":"string"},"formatVersion":{"const":1,"descri\#
ption":"The version of the format. It increases when an existing script would misread a document.","type":"int\#
eger"},"headers":{"description":"The response headers, as pairs of name and value.","items":{"items":{"type":"\#
string"},"type":"array"},"type":"array"},"status":{"description":"The HTTP status.","type":"integer"},"text":{\#
"description":"The body again if it is text: UTF-8 of a content type `text/*` or JSON.","type":"string"},"warn\#
ings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}}\#
,"required":["body","formatVersion","headers","status"],"title":"ritualctl api --json","type":"object"},"appro\#
vals allow":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow a program to use th\#
e account that it requested.","properties":{"account":{"description":"The account that the program wants to us\#
e.","type":"string"},"askedAt":{"description":"When the first request was made.","format":"date-time","pattern\#
":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The\#
 executable of that process, without arguments; absent if it cannot be read.","type":"string"},"formatVersion"\#
:{"const":1,"description":"The version of the format. It increases when an existing script would misread a doc\#
ument.","type":"integer"},"id":{"description":"The id that `approval.answer`, `approval.revoke` and `ritualctl\#
 approvals` take.","type":"string"},"method":{"description":"The method of the first request.","type":"string"\#
},"pid":{"description":"The process that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/A\#
pprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of th\#
at process; absent if it has none.","type":"string"},"until":{"description":"When the request or the answer ex\#
pires. Absent for an approval that is valid until the vault is locked, and for a denial that is valid until th\#
e agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","typ\#
e":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"\#
},"type":"array"}},"required":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ritua\#
lctl approvals allow --json","type":"object"},"approvals deny":{"$schema":"https://json-schema.org/draft/2020-\#
12/schema","description":"Deny a program access. Its requests are refused while the answer is valid.","propert\#
ies":{"account":{"description":"The account that the program wants to use.","type":"string"},"askedAt":{"descr\#
iption":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2\#
}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that process, without a\#
rguments; absent if it cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"The version\#
 of the format. It increases when an existing script would misread a document.","type":"integer"},"id":{"descr\#
iption":"The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"m\#
ethod":{"description":"The method of the first request.","type":"string"},"pid":{"description":"The process th\#
at made the first request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`\#
, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that process; absent if it has none.","t\#
ype":"string"},"until":{"description":"When the request or the answer expires. Absent for an approval that is \#
valid until the vault is locked, and for a denial that is valid until the agent stops.","format":"date-time","\#
pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"description"\#
:"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accoun\#
t","askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl approvals deny --json","type":"ob\#
ject"},"approvals list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List pending \#
requests and valid answers.","properties":{"approvals":{"description":"The pending access requests and the val\#
id answers, oldest first.","items":{"$ref":"#/$defs/Approval"},"type":"array"},"formatVersion":{"const":1,"des\#
cription":"The version of the format. It increases when an existing script would misread a document.","type":"\#
integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"\#
type":"array"}},"required":["approvals","formatVersion"],"title":"ritualctl approvals list --json","type":"obj\#
ect"},"approvals revoke":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Delete an an\#
swer. The next request needs a new one.","properties":{"formatVersion":{"const":1,"description":"The version o\#
f the format. It increases when an existing script would misread a document.","type":"integer"},"id":{"descrip\#
tion":"The id of the approval.","type":"string"},"warnings":{"description":"Readable warnings; absent if there\#
 are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id"],"title":"ritualctl ap\#
provals revoke --json","type":"object"},"audit":{"$schema":"https://json-schema.org/draft/2020-12/schema","any\#
Of":[{"description":"Without `--verify`.","properties":{"entries":{"description":"The entries, newest last.","\#
items":{"$ref":"#/$defs/AuditEntry"},"type":"array"},"formatVersion":{"const":1,"description":"The version of \#
the format. It increases when an existing script would misread a document.","type":"integer"},"isChecked":{"de\#
scription":"Whether each entry was checked against the chain; false while the vault is locked.","type":"boolea\#
n"},"leftOut":{"description":"The number of lines in the files read that do not match the chain. They are not \#
among the entries.","type":"integer"},"more":{"description":"Whether older entries exist.","type":"boolean"},"\#
unknownCount":{"description":"The total number of unknown files.","type":"integer"},"unknownFiles":{"descripti\#
on":"Files in the log's directory that the agent did not create: their escaped names, at most 20.","items":{"t\#
ype":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items\#
":{"type":"string"},"type":"array"}},"required":["entries","formatVersion","isChecked","leftOut","more","unkno\#
wnCount","unknownFiles"],"type":"object"},{"description":"With `--verify`.","properties":{"findings":{"descrip\#
tion":"The mismatches with the chain; empty if the log is intact.","items":{"$ref":"#/$defs/AuditVerify.Findin\#
g"},"type":"array"},"first":{"description":"The first entry that is kept.","minimum":0,"type":"integer"},"fitt\#
ing":{"description":"The number of entries that match the chain.","type":"integer"},"formatVersion":{"const":1\#
,"description":"The version of the format. It increases when an existing script would misread a document.","ty\#
pe":"integer"},"interruptions":{"description":"The entries after which the agent ended without a clean stop. E\#
ntries of up to one second before may be missing.","items":{"minimum":0,"type":"integer"},"type":"array"},"isW\#
hole":{"description":"True if there are no findings.","type":"boolean"},"limits":{"description":"Readable stat\#
ements of what the verification does not prove.","items":{"type":"string"},"type":"array"},"sealed":{"descript\#
ion":"The last entry that is sealed in the vault.","minimum":0,"type":"integer"},"unsealed":{"description":"Th\#
e number of entries after the last sealed one. They match the chain, but their removal would go unnoticed.","t\#
ype":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"stri\#
ng"},"type":"array"}},"required":["findings","first","fitting","formatVersion","interruptions","isWhole","limi\#
ts","sealed","unsealed"],"type":"object"}],"description":"Show sign-ins, sign-outs, and issued tokens, newest \#
last.","title":"ritualctl audit --json"},"complete-sign-in":{"$schema":"https://json-schema.org/draft/2020-12/\#
schema","description":"Finish a sign-in by pasting the redirect URL.","properties":{"account":{"$ref":"#/$defs\#
/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","des\#
cription":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVer\#
sion":{"const":1,"description":"The version of the format. It increases when an existing script would misread \#
a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether\#
 a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `con\#
firmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none."\#
,"items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"title":"ritualctl complete\#
-sign-in --json","type":"object"},"doctor":{"$schema":"https://json-schema.org/draft/2020-12/schema","descript\#
ion":"Check the setup and show how to fix problems.","properties":{"checks":{"description":"The results of the\#
 checks.","items":{"$ref":"#/$defs/DiagnosticCheck"},"type":"array"},"formatVersion":{"const":1,"description":\#
"The version of the format. It increases when an existing script would misread a document.","type":"integer"},\#
"isHealthy":{"description":"Whether no check failed.","type":"boolean"},"version":{"description":"The version \#
of this program.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","i\#
tems":{"type":"string"},"type":"array"}},"required":["checks","formatVersion","isHealthy","version"],"title":"\#
ritualctl doctor --json","type":"object"},"error":{"$schema":"https://json-schema.org/draft/2020-12/schema","d\#
escription":"The error of any command, on standard error.","properties":{"error":{"$ref":"#/$defs/ErrorDocumen\#
t.Details","description":"Why the command failed."},"exitStatus":{"description":"The exit status of the comman\#
d.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It increases when a\#
n existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; a\#
bsent if there are none.","items":{"type":"string"},"type":"array"}},"required":["error","exitStatus","formatV\#
ersion"],"title":"ritualctl: error","type":"object"},"events":{"$schema":"https://json-schema.org/draft/2020-1\#
2/schema","description":"One line per event: the current state first, then every change.","properties":{"accou\#
nt":{"description":"The account that changed; absent if the event does not concern an account.","type":"string\#
"},"approval":{"$ref":"#/$defs/Approval","description":"The pending access request (`APPROVAL_NEEDED`), or the\#
 answered or expired one (`APPROVAL_ANSWERED`)."},"at":{"description":"When it changed.","format":"date-time",\#
"pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const"\#
:1,"description":"The version of the format. It increases when an existing script would misread a document.","\#
type":"integer"},"program":{"description":"For `MFA_NEEDED`, the program's file and unit, as far as the kernel\#
 told.","type":"string"},"reason":{"description":"A readable reason, for `SIGNED_OUT` and `STATE_CHANGED`; the\#
 program's own reason for `MFA_NEEDED`; for `ACCOUNT_LINKED` the provider and how it was linked.","type":"stri\#
ng"},"sequence":{"description":"Increases by one with each change. Events that describe the current state to a\#
 new subscriber carry the number of the last change in that state.","minimum":0,"type":"integer"},"status":{"$\#
ref":"#/$defs/AccountStatus","description":"The account after the change."},"token":{"$ref":"#/$defs/SessionTo\#
ken.Result","description":"The new token, for subscribers that requested tokens."},"type":{"$ref":"#/$defs/Eve\#
ntType","description":"The kind of change."}},"required":["at","formatVersion","sequence","type"],"title":"rit\#
ualctl events --json","type":"object"},"exec":{"$schema":"https://json-schema.org/draft/2020-12/schema","descr\#
iption":"Why the command was not run, on standard error. The output of the command itself is unchanged.","prop\#
erties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus"\#
:{"description":"The exit status of the command.","type":"integer"},"formatVersion":{"const":1,"description":"\#
The version of the format. It increases when an existing script would misread a document.","type":"integer"},"\#
warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arra\#
y"}},"required":["error","exitStatus","formatVersion"],"title":"ritualctl exec --json","type":"object"},"grant\#
":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Get a loopback URL and a stand-in t\#
oken for one tool.","properties":{"expiresAt":{"description":"When the grant ends.","format":"date-time","patt\#
ern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"d\#
escription":"The version of the format. It increases when an existing script would misread a document.","type"\#
:"integer"},"id":{"description":"The id that `egress.revoke` takes.","type":"string"},"token":{"description":"\#
The stand-in: the tool sends it as bearer token or as `apikey`. It is worth nothing anywhere else.","pattern":\#
"^sb_ritual_[A-Za-z0-9_-]{43}$","type":"string"},"url":{"description":"`http://127.0.0.1:PORT/`","type":"strin\#
g"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":\#
"array"}},"required":["expiresAt","formatVersion","id","token","url"],"title":"ritualctl grant --json","type":\#
"object"},"grants list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List the vali\#
d grants, oldest first.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It\#
 increases when an existing script would misread a document.","type":"integer"},"grants":{"description":"The v\#
alid grants, oldest first.","items":{"$ref":"#/$defs/EgressList.Grant"},"type":"array"},"warnings":{"descripti\#
on":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["for\#
matVersion","grants"],"title":"ritualctl grants list --json","type":"object"},"grants revoke":{"$schema":"http\#
s://json-schema.org/draft/2020-12/schema","description":"End a grant and its open streams.","properties":{"for\#
matVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mi\#
sread a document.","type":"integer"},"id":{"description":"The id of the grant.","type":"string"},"warnings":{"\#
description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requir\#
ed":["formatVersion","id"],"title":"ritualctl grants revoke --json","type":"object"},"help":{"$schema":"https:\#
//json-schema.org/draft/2020-12/schema","anyOf":[{"description":"With `--help` or `--version`.","properties":{\#
"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script woul\#
d misread a document.","type":"integer"},"groups":{"description":"The groups of commands; only with the help o\#
f the program itself.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"text":{"description":"The te\#
xt.","type":"string"}},"required":["formatVersion","text"],"type":"object"},{"description":"Without a command.\#
","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an exis\#
ting script would misread a document.","type":"integer"},"groups":{"description":"The commands by group.","ite\#
ms":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"next":{"$ref":"#/$defs/NextStep","description":"The nex\#
t sensible step on this machine."}},"required":["formatVersion","groups","next"],"type":"object"}],"descriptio\#
n":"The output of `--help` and `--version`, and of `ritualctl` without a command.","title":"ritualctl: help"},\#
"identities":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List linked sign-in meth\#
ods.","properties":{"account":{"description":"The account whose user has the sign-in methods.","type":"string"\#
},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"identities":{"description":"The linked sign-in methods.","items":{\#
"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the server could not be\#
 asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Readable warnings;\#
 absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","\#
identities","isCurrent"],"title":"ritualctl identities --json","type":"object"},"init":{"$schema":"https://jso\#
n-schema.org/draft/2020-12/schema","description":"Add a Supabase project to the configuration, or change one."\#
,"properties":{"apiAccepted":{"description":"The accounts that accepted the API of `--api-url`; absent without\#
 that option.","items":{"type":"string"},"type":"array"},"change":{"description":"`added`, `updated` or `none`\#
.","type":"string"},"configuration":{"description":"The path of the configuration file.","type":"string"},"for\#
matVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mi\#
sread a document.","type":"integer"},"note":{"description":"A note about the part that was removed from a past\#
ed URL.","type":"string"},"project":{"description":"The project's name.","type":"string"},"warning":{"descript\#
ion":"A problem with the reload of a running agent, or with the project.","type":"string"},"warnings":{"descri\#
ption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["\#
change","configuration","formatVersion","project"],"title":"ritualctl init --json","type":"object"},"link":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.","properties":{"a\#
ccount":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$d\#
efs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `identity.decide` sends \#
the answer."},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existi\#
ng script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":\#
"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","descri\#
ption":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; ab\#
sent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"ty\#
pe":"object"},{"description":"With `--no-browser`.","properties":{"expiresAt":{"description":"When the flow ex\#
pires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$\#
","type":"string"},"flow":{"description":"The ID of the flow.","type":"string"},"formatVersion":{"const":1,"de\#
scription":"The version of the format. It increases when an existing script would misread a document.","type":\#
"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{"description":"The URL to open.","type"\#
:"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},\#
"type":"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"},{"descriptio\#
n":"With `link email`, without `--code-stdin`.","properties":{"address":{"description":"The email address or p\#
hone number to which the code was sent.","type":"string"},"flow":{"description":"The ID of the flow, which `si\#
gnIn.verifyCode` and `signIn.wait` take.","type":"string"},"formatVersion":{"const":1,"description":"The versi\#
on of the format. It increases when an existing script would misread a document.","type":"integer"},"outcome":\#
{"description":"`codeSent`.","type":"string"},"resendAfter":{"description":"Seconds until the project sends an\#
other code to this address.","type":"number"},"warnings":{"description":"Readable warnings; absent if there ar\#
e none.","items":{"type":"string"},"type":"array"}},"required":["address","flow","formatVersion","outcome","re\#
sendAfter"],"type":"object"}],"description":"Link a provider or an email address as a sign-in method.","title"\#
:"ritualctl link --json"},"lock":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Lock\#
 the vault. No tokens are issued or refreshed until it is unlocked.","properties":{"formatVersion":{"const":1,\#
"description":"The version of the format. It increases when an existing script would misread a document.","typ\#
e":"integer"},"opensByFile":{"description":"Whether a key file or credential opens the vault again, so that an\#
y program of the user can unlock it.","type":"boolean"},"warning":{"description":"A readable problem that did \#
not prevent the lock.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none\#
.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","opensByFile"],"title":"ritualctl lo\#
ck --json","type":"object"},"metrics":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":\#
"Print the agent's counters in OpenMetrics format.","properties":{"events":{"description":"The last events, ol\#
dest first.","items":{"$ref":"#/$defs/TelemetryRecord"},"type":"array"},"families":{"description":"The counter\#
s, as metric families of OpenMetrics.","items":{"$ref":"#/$defs/MetricFamily"},"type":"array"},"formatVersion"\#
:{"const":1,"description":"The version of the format. It increases when an existing script would misread a doc\#
ument.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"t\#
ype":"string"},"type":"array"}},"required":["events","families","formatVersion"],"title":"ritualctl metrics --\#
json","type":"object"},"mfa enroll":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"A\#
dd a second factor: an authenticator app (totp) or a phone.","properties":{"factor":{"description":"The new fa\#
ctor's ID, for `mfa.verify`. The server forgets an unverified factor after 5 minutes.","type":"string"},"forma\#
tVersion":{"const":1,"description":"The version of the format. It increases when an existing script would misr\#
ead a document.","type":"integer"},"secret":{"description":"For `totp`, the secret in base32. Shown once and s\#
tored nowhere; never log it.","type":"string"},"uri":{"description":"For `totp`, the `otpauth:` URI for an aut\#
henticator app. Contains the secret.","type":"string"},"warnings":{"description":"Readable warnings; absent if\#
 there are none.","items":{"type":"string"},"type":"array"}},"required":["factor","formatVersion"],"title":"ri\#
tualctl mfa enroll --json","type":"object"},"mfa list":{"$schema":"https://json-schema.org/draft/2020-12/schem\#
a","description":"List the user's second factors.","properties":{"account":{"description":"The account whose u\#
ser has the factors.","type":"string"},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The sessi\#
on's level."},"endsAccounts":{"description":"The other accounts of this agent whose sessions end with a verifi\#
cation. Every other session of the user without a second factor ends too.","items":{"type":"string"},"type":"a\#
rray"},"factors":{"description":"The factors.","items":{"$ref":"#/$defs/AccountFactor"},"type":"array"},"forma\#
tVersion":{"const":1,"description":"The version of the format. It increases when an existing script would misr\#
ead a document.","type":"integer"},"isCurrent":{"description":"False if the server could not be asked and the \#
list is its last known answer.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if ther\#
e are none.","items":{"type":"string"},"type":"array"}},"required":["account","assurance","endsAccounts","fact\#
ors","formatVersion","isCurrent"],"title":"ritualctl mfa list --json","type":"object"},"mfa remove":{"$schema"\#
:"https://json-schema.org/draft/2020-12/schema","description":"Remove a second factor.","properties":{"factor"\#
:{"description":"The ID of the removed factor.","type":"string"},"formatVersion":{"const":1,"description":"The\#
 version of the format. It increases when an existing script would misread a document.","type":"integer"},"war\#
nings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}\#
},"required":["factor","formatVersion"],"title":"ritualctl mfa remove --json","type":"object"},"mfa verify":{"\#
$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"After the verification.","pro\#
perties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account.\#
"},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the leve\#
l that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and \#
when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expi\#
ry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0\#
-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases w\#
hen an existing script would misread a document.","type":"integer"},"identities":{"description":"The sign-in m\#
ethods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"\#
description":"Whether requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$\#
defs/SecondFactorNeed","description":"Whether a second factor is needed; present in the result of a sign-in."}\#
,"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `comple\#
te`, once the profile is known.","type":"string"},"origin":{"description":"The origin that issued the session,\#
 or the configured origin if there is no session.","type":"string"},"project":{"description":"The project's na\#
me in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refres\#
h schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the sessio\#
n started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The stat\#
e of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","\#
type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"descri\#
ption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["\#
activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"type":"object"},{"\#
description":"With `--browser`.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `s\#
ignedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the \#
decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The v\#
ersion of the format. It increases when an existing script would misread a document.","type":"integer"},"mfa":\#
{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"outcom\#
e":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."}\#
,"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"ar\#
ray"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"Without `--code-stdin`, for a p\#
hone factor.","properties":{"expiresAt":{"description":"When the code expires, by this machine's clock.","form\#
at":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factor"\#
:{"description":"The factor to which the code belongs.","type":"string"},"formatVersion":{"const":1,"descripti\#
on":"The version of the format. It increases when an existing script would misread a document.","type":"intege\#
r"},"outcome":{"description":"`codeSent`.","type":"string"},"warnings":{"description":"Readable warnings; abse\#
nt if there are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","factor","formatVers\#
ion","outcome"],"type":"object"}],"description":"Verify a second factor with a code; ends the user's other ses\#
sions without one.","title":"ritualctl mfa verify --json"},"profile":{"$schema":"https://json-schema.org/draft\#
/2020-12/schema","description":"Show or change the user's profile.","properties":{"account":{"description":"Th\#
e account whose user has the profile.","type":"string"},"formatVersion":{"const":1,"description":"The version \#
of the format. It increases when an existing script would misread a document.","type":"integer"},"onboarding":\#
{"description":"`needed` or `complete`.","type":"string"},"prefill":{"additionalProperties":{},"description":"\#
Values that Apple sent at the first sign-in and that the profile lacks. `profile.update` adds them.","type":"o\#
bject"},"profile":{"additionalProperties":{},"description":"The profile from the API; absent if there is none \#
yet.","type":"object"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type\#
":"string"},"type":"array"}},"required":["account","formatVersion","onboarding"],"title":"ritualctl profile --\#
json","type":"object"},"refresh":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Refr\#
esh now (at most once every 5 seconds).","properties":{"activity":{"$ref":"#/$defs/AccountActivity","descripti\#
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
t","state","tokenUsable"],"title":"ritualctl refresh --json","type":"object"},"register-handler":{"$schema":"h\#
ttps://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without `--print`.","properties":{"file"\#
:{"description":"The path of the desktop entry.","type":"string"},"formatVersion":{"const":1,"description":"Th\#
e version of the format. It increases when an existing script would misread a document.","type":"integer"},"re\#
gistered":{"description":"Whether the agent opens URLs of the scheme now.","type":"boolean"},"scheme":{"descri\#
ption":"The URL scheme.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are no\#
ne.","items":{"type":"string"},"type":"array"}},"required":["file","formatVersion","registered","scheme"],"typ\#
e":"object"},{"description":"With `--print`.","properties":{"entry":{"description":"The text of the desktop en\#
try.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when \#
an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; \#
absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["entry","formatVersion"],"ty\#
pe":"object"}],"description":"Open dailyritual:// URLs with the agent.","title":"ritualctl register-handler --\#
json"},"reload":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Reload the agent's co\#
nfiguration.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases \#
when an existing script would misread a document.","type":"integer"},"projects":{"description":"The names of t\#
he projects in the configuration.","items":{"type":"string"},"type":"array"},"reloaded":{"description":"Whethe\#
r the file was read: false if the agent uses a file other than `file`. Absent in older agents.","type":"boolea\#
n"},"warning":{"description":"A readable problem, such as a failed check; absent if there is none.","type":"st\#
ring"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"typ\#
e":"array"}},"required":["formatVersion","projects"],"title":"ritualctl reload --json","type":"object"},"reset\#
":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign out of all accounts and remove\#
 the agent's data.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It incr\#
eases when an existing script would misread a document.","type":"integer"},"kept":{"description":"The paths th\#
at were kept: the configuration, without `--config`.","items":{"type":"string"},"type":"array"},"removed":{"de\#
scription":"The paths that were removed.","items":{"type":"string"},"type":"array"},"signedOut":{"description"\#
:"The accounts that were signed out.","items":{"type":"string"},"type":"array"},"unrevoked":{"description":"Th\#
e sessions that may still be active on their server.","items":{"$ref":"#/$defs/UnrevokedSession"},"type":"arra\#
y"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":\#
"array"}},"required":["formatVersion","kept","removed","signedOut","unrevoked"],"title":"ritualctl reset --jso\#
n","type":"object"},"schema":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description"\#
:"Without a command.","properties":{"commands":{"description":"The commands that `ritualctl schema` takes, and\#
 `error` and `help`.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"warn\#
ings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}}\#
,"required":["commands","formatVersion"],"type":"object"},{"description":"With a command.","properties":{"comm\#
and":{"description":"The command whose document the schema describes.","type":"string"},"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"schema":{"description":"The JSON Schema."},"warnings":{"description":"Readable warnings; a\#
bsent if there are none.","items":{"type":"string"},"type":"array"}},"required":["command","formatVersion","sc\#
hema"],"type":"object"}],"description":"Print the JSON Schema of a command's --json document.","title":"ritual\#
ctl schema --json"},"setup":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":\#
"Without a name.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"setups":{"description":"The setups t\#
hat `ritualctl setup` can print.","items":{"$ref":"#/$defs/SetupListAnswer.Entry"},"type":"array"},"warnings":\#
{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requ\#
ired":["formatVersion","setups"],"type":"object"},{"description":"With a name.","properties":{"account":{"desc\#
ription":"The account; absent for the default account.","type":"string"},"formatVersion":{"const":1,"descripti\#
on":"The version of the format. It increases when an existing script would misread a document.","type":"intege\#
r"},"name":{"description":"The name of the setup.","type":"string"},"steps":{"description":"What to add.","ite\#
ms":{"$ref":"#/$defs/SetupAnswer.Step"},"type":"array"},"warnings":{"description":"Readable warnings; absent i\#
f there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","name","steps"],"typ\#
e":"object"}],"description":"Print what to add where, so that a tool gets its tokens from the agent.","title":\#
"ritualctl setup --json"},"sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"descr\#
iption":"The outcome.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, \#
the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision f\#
or the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of \#
the format. It increases when an existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#\#
/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref"\#
:"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings\#
":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"re\#
quired":["formatVersion","outcome"],"type":"object"},{"description":"With `--no-browser`.","properties":{"expi\#
resAt":{"description":"When the flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2\#
}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":"\#
string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing sc\#
ript would misread a document.","type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{\#
"description":"The URL to open.","type":"string"},"warnings":{"description":"Readable warnings; absent if ther\#
e are none.","items":{"type":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outcom\#
e","url"],"type":"object"},{"description":"With `code` or `phone`, without `--code-stdin`.","properties":{"add\#
ress":{"description":"The email address or phone number to which the code was sent.","type":"string"},"flow":{\#
"description":"The ID of the flow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"format\#
Version":{"const":1,"description":"The version of the format. It increases when an existing script would misre\#
ad a document.","type":"integer"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"desc\#
ription":"Seconds until the project sends another code to this address.","type":"number"},"warnings":{"descrip\#
tion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["a\#
ddress","flow","formatVersion","outcome","resendAfter"],"type":"object"}],"description":"Sign in with a provid\#
er, a password, a code, single sign-on, or as an anonymous user.","title":"ritualctl sign-in --json"},"sign-ou\#
t":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign out on this machine and on th\#
e server.","properties":{"accounts":{"description":"The accounts that were signed out.","items":{"type":"strin\#
g"},"type":"array"},"failed":{"description":"With `all`, the accounts whose sign-out failed, and why. Absent i\#
f there are none.","items":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"array"},"formatVersion":{"const":\#
1,"description":"The version of the format. It increases when an existing script would misread a document.","t\#
ype":"integer"},"pending":{"description":"The accounts whose revocation is pending until the server is reachab\#
le.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there a\#
re none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","pending"],"title"\#
:"ritualctl sign-out --json","type":"object"},"sink":{"$schema":"https://json-schema.org/draft/2020-12/schema"\#
,"description":"One line per change of the file.","properties":{"account":{"description":"The account whose to\#
ken the file contains.","type":"string"},"expiresAt":{"description":"When the written token expires.","format"\#
:"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVers\#
ion":{"const":1,"description":"The version of the format. It increases when an existing script would misread a\#
 document.","type":"integer"},"isWritten":{"description":"True if a new token was written, false if the file w\#
as removed, or is not there yet.","type":"boolean"},"path":{"description":"The path of the file.","type":"stri\#
ng"},"reason":{"description":"Why there is no file.","type":"string"}},"required":["account","formatVersion","\#
isWritten","path"],"title":"ritualctl sink --json","type":"object"},"status":{"$schema":"https://json-schema.o\#
rg/draft/2020-12/schema","description":"Show the current state of the agent, the vault, and the accounts.","pr\#
operties":{"accounts":{"description":"The accounts. They may be unknown while the vault is locked.","items":{"\#
$ref":"#/$defs/AccountStatus"},"type":"array"},"autostart":{"description":"Whether the first sign-in enables t\#
he agent's service (`[agent] autostart`). Absent in older agents, whose first sign-in does.","type":"boolean"}\#
,"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wou\#
ld misread a document.","type":"integer"},"health":{"description":"Readable findings; empty if there is nothin\#
g to report.","items":{"type":"string"},"type":"array"},"pid":{"description":"The agent's process ID.","type":\#
"integer"},"stateFolder":{"description":"The state directory of the agent; a `ritualctl` with another environm\#
ent would look elsewhere. Absent in older agents.","type":"string"},"unrevoked":{"description":"The accounts w\#
ith a pending revocation on the server. Absent while the vault is locked, because the list is then unknown.","\#
items":{"type":"string"},"type":"array"},"uptime":{"description":"Seconds since the agent became ready.","type\#
":"integer"},"vault":{"$ref":"#/$defs/VaultSummary","description":"The state of the vault."},"version":{"descr\#
iption":"The version of the agent.","type":"string"},"warnings":{"description":"Readable warnings; absent if t\#
here are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","health","pi\#
d","uptime","vault","version"],"title":"ritualctl status --json","type":"object"},"token":{"$schema":"https://\#
json-schema.org/draft/2020-12/schema","description":"Print a valid access token.","properties":{"accessToken":\#
{"description":"The bearer token. Never log it or pass it as a command-line argument.","type":"string"},"accou\#
nt":{"description":"The account that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/Sess\#
ionToken.Endpoints","description":"The project that accepts the token, if the caller asked for it."},"expiresA\#
t":{"description":"The token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds until the to\#
ken expires.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"tokenType":{"description":"`bearer` \#
(RFC 6750).","type":"string"},"unchanged":{"description":"True if the caller reported this token as rejected a\#
nd there is no newer one. The caller must not repeat its request.","type":"boolean"},"warnings":{"description"\#
:"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["access\#
Token","account","expiresAt","expiresIn","formatVersion","tokenType"],"title":"ritualctl token --json","type":\#
"object"},"unlink":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Unlink a sign-in m\#
ethod. The last one cannot be removed.","properties":{"account":{"description":"The account whose user has the\#
 sign-in methods.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It in\#
creases when an existing script would misread a document.","type":"integer"},"identities":{"description":"The \#
linked sign-in methods.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description"\#
:"False if the server could not be asked and the list is its last known answer.","type":"boolean"},"warnings":\#
{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requ\#
ired":["account","formatVersion","identities","isCurrent"],"title":"ritualctl unlink --json","type":"object"},\#
"unlock":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Unlock the vault.","properti\#
es":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script\#
 would misread a document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The key that ope\#
ned the vault."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"str\#
ing"},"type":"array"}},"required":["formatVersion","key"],"title":"ritualctl unlock --json","type":"object"},"\#
use":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Set the default account.","prope\#
rties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."}\#
,"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level \#
that is possible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and wh\#
en the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry\#
, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9\#
]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases whe\#
n an existing script would misread a document.","type":"integer"},"identities":{"description":"The sign-in met\#
hods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"de\#
scription":"Whether requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$de\#
fs/SecondFactorNeed","description":"Whether a second factor is needed; present in the result of a sign-in."},"\#
name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete\#
`, once the profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, o\#
r the configured origin if there is no session.","type":"string"},"project":{"description":"The project's name\#
 in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh \#
schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session \#
started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state \#
of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","ty\#
pe":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"descript\#
ion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["ac\#
tivity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl us\#
e --json","type":"object"},"use-api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"\#
Allow the configured API to receive an account's token.","properties":{"activity":{"$ref":"#/$defs/AccountActi\#
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
","name","project","state","tokenUsable"],"title":"ritualctl use-api --json","type":"object"},"vault add-key":\#
{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a key that opens the vault: a pas\#
sphrase, a key file, or a systemd credential.","properties":{"formatVersion":{"const":1,"description":"The ver\#
sion of the format. It increases when an existing script would misread a document.","type":"integer"},"key":{"\#
$ref":"#/$defs/VaultKey","description":"The added key."},"removed":{"description":"The removed slots: those of\#
 key files, or the replaced one.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"warnings":{"description\#
":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["forma\#
tVersion","key","removed"],"title":"ritualctl vault add-key --json","type":"object"},"vault adopt":{"$schema":\#
"https://json-schema.org/draft/2020-12/schema","description":"Use a vault that was copied from another machine\#
.","properties":{"accounts":{"description":"The accounts whose sessions are now used here.","items":{"type":"s\#
tring"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when\#
 an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings;\#
 absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"]\#
,"title":"ritualctl vault adopt --json","type":"object"},"vault rekey":{"$schema":"https://json-schema.org/dra\#
ft/2020-12/schema","description":"Create a new master key and re-encrypt the vault.","properties":{"formatVers\#
ion":{"const":1,"description":"The version of the format. It increases when an existing script would misread a\#
 document.","type":"integer"},"generation":{"description":"The vault's generation after the change.","minimum"\#
:0,"type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":\#
"string"},"type":"array"}},"required":["formatVersion","generation"],"title":"ritualctl vault rekey --json","t\#
ype":"object"},"vault remove-key":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Rem\#
ove a vault key. The last one cannot be removed.","properties":{"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"id":\#
{"description":"32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"ki\#
nd":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passph\#
rase, the Argon2id memory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passph\#
rase, the number of Argon2id passes for each attempt.","type":"integer"},"warnings":{"description":"Readable w\#
arnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id\#
","kind"],"title":"ritualctl vault remove-key --json","type":"object"},"vault status":{"$schema":"https://json\#
-schema.org/draft/2020-12/schema","description":"Show the state of the vault, its keys, and what they protect.\#
","properties":{"damaged":{"description":"Files that were set aside or ignored, and why.","items":{"$ref":"#/$\#
defs/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It in\#
creases when an existing script would misread a document.","type":"integer"},"generation":{"description":"Incr\#
eases with every change of keys.","minimum":0,"type":"integer"},"idleLock":{"description":"Idle time before lo\#
cking, in seconds; absent means never.","type":"integer"},"isAuthenticated":{"description":"Whether `keys`, `g\#
eneration` and `machine` were authenticated with the vault's key. Until the vault is first opened, they are un\#
verified values from its file.","type":"boolean"},"isMemoryLocked":{"description":"Whether the keys are locked\#
 in memory, so that they cannot be swapped out.","type":"boolean"},"isRekeying":{"description":"Whether a `vau\#
lt.rekey` was interrupted. The next `vault.rekey` or unlock continues it.","type":"boolean"},"keys":{"descript\#
ion":"The keys, in the order in which they were added.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"l\#
ockedBy":{"description":"Why the vault is locked: `hand`, `idle`, `session`, or `start` if no key was availabl\#
e.","type":"string"},"machine":{"description":"Whether the vault belongs to this machine: `this`, `other` or `\#
unknown`.","type":"string"},"openedBy":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of key that open\#
ed the vault."},"protection":{"description":"Readable statements of what each kind of key protects and what it\#
 does not.","items":{"type":"string"},"type":"array"},"state":{"description":"`open`, `copied`, `locked` or `u\#
navailable`.","enum":["open","copied","locked","unavailable"],"type":"string"},"warnings":{"description":"Read\#
able warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["damaged","fo\#
rmatVersion","generation","isAuthenticated","isMemoryLocked","isRekeying","keys","machine","protection","state\#
"],"title":"ritualctl vault status --json","type":"object"},"vault verify":{"$schema":"https://json-schema.org\#
/draft/2020-12/schema","description":"Check every file of the open vault, without changing anything.","propert\#
ies":{"files":{"description":"Every file of the vault, with the result of its check.","items":{"$ref":"#/$defs\#
/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"isWhole":{"description":"Whether eve\#
ry file is unchanged since the vault wrote it.","type":"boolean"},"warnings":{"description":"Readable warnings\#
; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["files","formatVersion","i\#
sWhole"],"title":"ritualctl vault verify --json","type":"object"},"whoami":{"$schema":"https://json-schema.org\#
/draft/2020-12/schema","description":"Show the user who is signed in.","properties":{"activity":{"$ref":"#/$de\#
fs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/Acc\#
ountAssurance","description":"The session's level of assurance and the level that is possible; absent without \#
a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present in \#
state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","form\#
at":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatV\#
ersion":{"const":1,"description":"The version of the format. It increases when an existing script would misrea\#
d a document.","type":"integer"},"identities":{"description":"The sign-in methods that are linked to the user.\#
","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests with\#
out an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description\#
":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"description":"The account\#
's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","t\#
ype":"string"},"origin":{"description":"The origin that issued the session, or the configured origin if there \#
is no session.","type":"string"},"project":{"description":"The project's name in the configuration.","type":"s\#
tring"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a sessio\#
n."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, and when and why it ends\#
 or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{\#
"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/\#
$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent i\#
f there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identiti\#
es","isDefault","name","project","state","tokenUsable"],"title":"ritualctl whoami --json","type":"object"},"wh\#
y":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Show the next refresh, the reason,\#
 and recent attempts.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"The account."},"\#
explanation":{"description":"Sentences, most important first.","items":{"type":"string"},"type":"array"},"form\#
atVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mis\#
read a document.","type":"integer"},"tries":{"description":"The recent attempts, newest first.","items":{"$ref\#
":"#/$defs/RefreshTry"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none\#
.","items":{"type":"string"},"type":"array"}},"required":["account","explanation","formatVersion","tries"],"ti\#
tle":"ritualctl why --json","type":"object"}}}
"""#
}
