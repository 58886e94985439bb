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
t issued, or the first request was sent.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}\#
:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"description":"Identifies an issued token, or requests some \#
of which were in flight: a later entry with the same number has the updated counts.","minimum":0,"type":"integ\#
er"},"last":{"description":"When the token was last issued, or the last request was sent.","format":"date-time\#
","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"pid":{"description":"\#
The process, as identified when it connected.","type":"integer"},"previous":{"description":"The MAC that prece\#
des the first entry of a file, in hex.","type":"string"},"project":{"description":"The project that the entry \#
concerns.","type":"string"},"provider":{"description":"`apple`, `google`, `email` …","type":"string"},"sequenc\#
e":{"description":"Increases by one with every entry, starting at 1.","minimum":0,"type":"integer"},"statuses"\#
:{"additionalProperties":{"minimum":0,"type":"integer"},"description":"The number of requests by the status of\#
 the response: `1xx` to `5xx`, `other`, or `none` without a response.","type":"object"},"token":{"description"\#
:"The first 16 hex digits of the SHA-256 of the access token.","type":"string"},"unit":{"description":"The sys\#
temd unit of the process.","type":"string"},"way":{"description":"How the token was issued or used: `token`, `\#
events` or `api`.","type":"string"}},"required":["at","event","sequence"],"type":"object"},"AuditEvent":{"desc\#
ription":"The kind of an audit log entry.","examples":["agentStarted","agentStopped","signedIn","signedOut","s\#
essionEnded","linked","unlinked","decided","denied","approvalAsked","approvalAnswered","approvalRevoked","hand\#
Out","egressUsed","grantMade","grantEnded","apiAccepted","factorEnrolled","factorVerified","factorRemoved","ac\#
countRenamed","accountRemoved","vaultLocked","vaultUnlocked","keyAdded","keyRemoved","rekeyed","vaultAdopted",\#
"fileBegun","interrupted","entriesLost"],"type":"string"},"AuditVerify.Finding":{"description":"A mismatch of \#
the log with the chain.","properties":{"file":{"description":"The name of the file in the log's directory.","t\#
ype":"string"},"first":{"description":"The first affected entry; absent if the finding concerns a file.","mini\#
mum":0,"type":"integer"},"kind":{"description":"`edited`, `removed`, `cut`, `reordered`, `repeated`, `exchange\#
d`, `missingFile`, `unknownFile` or `noKey`.","type":"string"},"last":{"description":"The last affected entry;\#
 absent if the finding concerns a file.","minimum":0,"type":"integer"}},"required":["file","kind"],"type":"obj\#
ect"},"CheckOutcome":{"description":"The outcome of a check of `agent.diagnose` or `ritualctl doctor`.","examp\#
les":["ok","warn","fail"],"type":"string"},"DiagnosticCheck":{"description":"The result of one check.","proper\#
ties":{"name":{"description":"The subject of the check, such as `vault` or `tls`.","type":"string"},"next":{"d\#
escription":"The remedy, as a command if there is one; absent if nothing needs to be done.","type":"string"},"\#
outcome":{"$ref":"#/$defs/CheckOutcome","description":"Whether the check passed."},"project":{"description":"T\#
he project's name in the configuration; absent if the check does not concern a project.","type":"string"},"wor\#
ds":{"description":"The finding, in readable form.","type":"string"}},"required":["name","outcome","words"],"t\#
ype":"object"},"EgressList.Grant":{"description":"A valid grant.","properties":{"account":{"description":"The \#
account whose token is added.","type":"string"},"createdAt":{"description":"When the grant was made.","format"\#
:"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable\#
":{"description":"The executable of that process, without arguments; absent if it cannot be read.","type":"str\#
ing"},"expiresAt":{"description":"When the grant ends.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-\#
9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"id":{"description":"The id that `egress.revoke` takes.",\#
"type":"string"},"methods":{"description":"HTTP methods that the grant is limited to; absent for all.","items"\#
:{"type":"string"},"type":"array"},"paths":{"description":"Paths that the grant is limited to; absent for all.\#
","items":{"type":"string"},"type":"array"},"pid":{"description":"The process that asked for the grant.","type\#
":"integer"},"process":{"description":"True if the grant ends with that process.","type":"boolean"},"requests"\#
:{"description":"The number of requests that were sent with the grant.","minimum":0,"type":"integer"},"unit":{\#
"description":"The systemd unit of that process; absent if it has none.","type":"string"}},"required":["accoun\#
t","createdAt","expiresAt","id","pid","process","requests"],"type":"object"},"EndedSession":{"description":"Th\#
e end of a session without a sign-out on this machine.","properties":{"at":{"description":"When the session en\#
ded.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string\#
"},"reason":{"description":"A readable reason, such as \"ended elsewhere\".","type":"string"}},"required":["at\#
","reason"],"type":"object"},"ErrorDocument.Details":{"description":"The reason of a failure.","properties":{"\#
account":{"description":"The account that the error concerns.","type":"string"},"detail":{"description":"The h\#
ost and the cause of a failed connection.","type":"string"},"hint":{"description":"The next step, a command if\#
 there is one.","type":"string"},"kind":{"description":"The stable name, for programs to branch on: an error k\#
ind of the agent, or `unreachable`, `foreignServer`, `protocolViolation`, `disconnected`, `usage`, `failed`, `\#
cancelled` or `unchanged`.","type":"string"},"message":{"description":"The message for the user.","type":"stri\#
ng"},"retryAfter":{"description":"Seconds to wait before a retry.","type":"number"},"retryable":{"description"\#
:"Whether the same command can succeed later without intervention.","type":"boolean"}},"required":["kind","mes\#
sage","retryable"],"type":"object"},"ErrorKind":{"description":"The stable name of an error: `data.kind` on th\#
e wire.","examples":["approvalNeeded","callbackInvalid","cancelled","captchaRequired","codeInvalid","denied","\#
emailNotConfirmed","flowBusy","flowTimedOut","flowUnknown","formatTooNew","identityTaken","internalError","inv\#
alidCredentials","invalidParams","invalidRequest","lastIdentity","linkingConflict","linkingDisabled","methodDi\#
sabled","methodNotFound","mfaNeeded","misconfigured","notReady","offline","parseError","rateLimited","serviceU\#
navailable","signInNeeded","storageFull","timedOut","tooLarge","tooMany","unknownAccount","unsupportedVersion"\#
,"userExists","vaultCopied","vaultDamaged","vaultLocked","vaultUnavailable","weakPassword","wrongKey","wrongUs\#
er"],"type":"string"},"EventType":{"description":"The name of an event, in the style of Supabase clients.","ex\#
amples":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_C\#
HANGED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEED\#
ED","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"MetricFamily":{"description":"A metric family of OpenMetri\#
cs 1.0, section \"MetricFamily\".","properties":{"help":{"description":"A readable description of the family."\#
,"type":"string"},"name":{"description":"The name of the family.","type":"string"},"samples":{"description":"T\#
he samples of the family.","items":{"$ref":"#/$defs/MetricFamily.Sample"},"type":"array"},"type":{"description\#
":"`counter`, `gauge`, `histogram`, `info` or `stateset`.","type":"string"},"unit":{"description":"The unit, w\#
hich is the last part of the name; absent if there is none.","type":"string"}},"required":["help","name","samp\#
les","type"],"type":"object"},"MetricFamily.Sample":{"description":"A sample of a family: one value with its l\#
abels.","properties":{"labels":{"additionalProperties":{"type":"string"},"description":"The labels of the samp\#
le, by name.","type":"object"},"suffix":{"description":"The suffix of the metric name: `_total`, `_bucket`, `_\#
count`, `_sum`, `_info` or empty.","type":"string"},"value":{"description":"The value of the sample.","type":"\#
number"}},"required":["labels","suffix","value"],"type":"object"},"NextStep":{"description":"The next sensible\#
 step on this machine.","properties":{"reason":{"description":"Why it is the next step.","type":"string"},"ste\#
p":{"description":"A command, or an instruction if no command helps.","type":"string"}},"required":["reason","\#
step"],"type":"object"},"Overview.Group":{"description":"A group of commands.","properties":{"commands":{"desc\#
ription":"The names of its commands.","items":{"type":"string"},"type":"array"},"name":{"description":"The tit\#
le of the group.","type":"string"}},"required":["commands","name"],"type":"object"},"RefreshStatus":{"descript\#
ion":"The refresh schedule of an account and its recent failures.","properties":{"attempts":{"description":"Th\#
e number of failed attempts since the last success.","type":"integer"},"clockSkew":{"description":"Seconds by \#
which the server's clock is ahead of this machine's, measured at its last answer. A skew of about one second i\#
s normal.","type":"integer"},"lastError":{"$ref":"#/$defs/AgentError","description":"The most recent error sin\#
ce the last success."},"nextAt":{"description":"When the next attempt is due.","format":"date-time","pattern":\#
"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":"o\#
bject"},"RefreshTry":{"description":"One refresh attempt.","properties":{"at":{"description":"When the attempt\#
 began.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"str\#
ing"},"error":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error, if the attempt failed."},"late\#
ncy":{"description":"The duration of the attempt in seconds.","type":"number"},"outcome":{"description":"`refr\#
eshed`, `ended`, `failed`, `refused`, `banned`, `paused`, `misconfigured`.","type":"string"},"reason":{"descri\#
ption":"The trigger: `ahead`, `demand`, `rejected`, `forced`, `start`, `retry`, `sleep`.","type":"string"},"st\#
atus":{"description":"The HTTP status, if the server answered.","type":"integer"}},"required":["at","latency",\#
"outcome","reason"],"type":"object"},"SecondFactorNeed":{"description":"A sign-in's need for a second factor."\#
,"properties":{"endsAccounts":{"description":"The other accounts of this agent whose sessions end with a verif\#
ication: those of the same user without a second factor.","items":{"type":"string"},"type":"array"},"endsAt":{\#
"description":"When the server ends a session without the second factor; absent if that is not known.","format\#
":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factors":\#
{"description":"The user's verified factors.","items":{"$ref":"#/$defs/AccountFactor"},"type":"array"},"flow":\#
{"description":"The flow in which the agent's page asks for the code, for `signIn.wait` and `signIn.cancel`; a\#
bsent if no page asks.","type":"string"},"needed":{"description":"True if the user has a verified factor and t\#
he session does not have its level yet. The session is stored and works; what requires the second factor does \#
not.","type":"boolean"},"verifiedElsewhereAt":{"description":"When a second factor was verified elsewhere, whi\#
ch probably ended the account's former session.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[\#
0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["factors","needed"],"type":"object"},"SessionEndRea\#
son":{"description":"The reason why a session ended.","examples":["signedOut","endedElsewhere","timebox","inac\#
tivity","lowAssurance","newerSignIn","userGone","unknown"],"type":"string"},"SessionLife":{"description":"The \#
life of an account's session.","properties":{"endReason":{"$ref":"#/$defs/SessionEndReason","description":"Why\#
 the session ended, or why the server currently refuses to continue it."},"endsAt":{"description":"When the se\#
ssion is expected to end; absent if no limit is known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-\#
9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"isEstimate":{"description":"True if `endsAt` follows fro\#
m an earlier session of this project, not from `session_limit`.","type":"boolean"},"startedAt":{"description":\#
"When the user signed in; absent if that is not known.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-\#
9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"type":"object"},"SessionSignOut.Failure":{"description"\#
:"An account that is still signed in.","properties":{"account":{"description":"The account's name.","type":"st\#
ring"},"kind":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error."},"message":{"description":"Th\#
e message for the user.","type":"string"}},"required":["account","kind","message"],"type":"object"},"SessionTo\#
ken.Endpoints":{"description":"The project's URLs and key, which a tool needs to use the token.","properties":\#
{"anonKey":{"description":"The anon or publishable key, which Supabase expects in the header `apikey`.","type"\#
:"string"},"apiURL":{"description":"The configured API URL, or the project URL if there is none. Absent if the\#
 API URL changed after the sign-in and was not accepted yet (`session.useAPI`).","type":"string"},"projectURL"\#
:{"description":"The project URL, without a trailing slash.","type":"string"}},"required":["anonKey","projectU\#
RL"],"type":"object"},"SessionToken.Result":{"description":"A valid access token.","properties":{"accessToken"\#
:{"description":"The bearer token. Never log it or pass it as a command-line argument.","type":"string"},"acco\#
unt":{"description":"The account that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/Ses\#
sionToken.Endpoints","description":"The project that accepts the token, if the caller asked for it."},"expires\#
At":{"description":"The token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0\#
-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds until the t\#
oken expires.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","type":"string"},"unchanged\#
":{"description":"True if the caller reported this token as rejected and there is no newer one. The caller mus\#
t not repeat its request.","type":"boolean"}},"required":["accessToken","account","expiresAt","expiresIn","tok\#
enType"],"type":"object"},"SetupAnswer.Step":{"description":"A text, and its place.","properties":{"text":{"de\#
scription":"The text to add.","type":"string"},"where":{"description":"Where the text belongs.","type":"string\#
"}},"required":["text","where"],"type":"object"},"SetupListAnswer.Entry":{"description":"One setup.","properti\#
es":{"name":{"description":"The name for `ritualctl setup`.","type":"string"},"purpose":{"description":"What i\#
t sets up.","type":"string"}},"required":["name","purpose"],"type":"object"},"SignInDecision":{"description":"\#
A decision that a person makes before a sign-in takes effect.","properties":{"account":{"description":"The nam\#
e of the account to sign in to.","type":"string"},"flow":{"description":"The flow that `identity.decide` takes\#
.","type":"string"},"identity":{"$ref":"#/$defs/AccountIdentity","description":"For `link`, the linked sign-in\#
 method."},"kind":{"description":"`newAccount`: confirm the user of a first sign-in by a pasted URL. `link`: a\#
ccept that the server linked the sign-in to an account with other sign-in methods.","type":"string"},"others":\#
{"description":"For `link`, the sign-in methods that the account had before.","items":{"$ref":"#/$defs/Account\#
Identity"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser","description":"The user who signed in."}},"req\#
uired":["account","flow","kind","user"],"type":"object"},"SignInResult.Outcome":{"description":"How a sign-in \#
ended.","examples":["signedIn","confirmationSent","decisionNeeded"],"type":"string"},"TelemetryRecord":{"descr\#
iption":"One event, such as `auth_completed` with `duration_ms`.","properties":{"at":{"description":"When the \#
event happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","ty\#
pe":"string"},"event":{"description":"The event's name.","type":"string"},"properties":{"additionalProperties"\#
:{"type":"string"},"description":"Values of `method`, `reason`, `error_type` or `duration_ms`: numbers or memb\#
ers of a fixed set.","type":"object"}},"required":["at","event","properties"],"type":"object"},"UnrevokedSessi\#
on":{"description":"A session that a reset removes on this machine, but that is not revoked on its server.","p\#
roperties":{"account":{"description":"The account's name.","type":"string"},"reason":{"description":"A readabl\#
e reason.","type":"string"}},"required":["account","reason"],"type":"object"},"VaultFinding":{"description":"T\#
he result of checking one file of the vault.","properties":{"detail":{"description":"Readable details.","type"\#
:"string"},"file":{"description":"The file's name in the vault's directory, which reveals nothing about its co\#
ntent.","type":"string"},"state":{"description":"`ok`, `damaged`, `newer`, `unreadable`, `setAside`, `missing`\#
 or `foreign`.","type":"string"}},"required":["file","state"],"type":"object"},"VaultKey":{"description":"A ke\#
y that opens the vault.","properties":{"id":{"description":"32 hexadecimal digits, for `vault.removeKey`.","pa\#
ttern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of the \#
key."},"memory":{"description":"For a passphrase, the Argon2id memory for each attempt, in bytes.","type":"int\#
eger"},"passes":{"description":"For a passphrase, the number of Argon2id passes for each attempt.","type":"int\#
eger"}},"required":["id","kind"],"type":"object"},"VaultKeyKind":{"description":"The kind of a vault key.","ex\#
amples":["keyFile","passphrase","credential"],"type":"string"},"VaultSummary":{"description":"The state of the\#
 vault.","properties":{"damaged":{"description":"The file names of records that were set aside as damaged.","i\#
tems":{"type":"string"},"type":"array"},"error":{"$ref":"#/$defs/ErrorKind","description":"Why the vault is `u\#
navailable`, such as `vaultDamaged`; `protection` then holds the remedy."},"openedBy":{"description":"The key \#
that opened the vault: `key file`, `passphrase` or `systemd credential`.","type":"string"},"protection":{"desc\#
ription":"A readable statement of what the key protects and what it does not.","type":"string"},"state":{"desc\#
ription":"`open`, `copied` (from another machine: refreshes are suspended), `locked` or `unavailable`.","type"\#
:"string"}},"required":["damaged","state"],"type":"object"}},"commands":{"accounts list":{"$schema":"https://j\#
son-schema.org/draft/2020-12/schema","description":"List accounts.","properties":{"accounts":{"description":"A\#
ll accounts.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array"},"formatVersion":{"const":1,"description\#
":"The version of the format. It increases when an existing script would misread a document.","type":"integer"\#
},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"a\#
rray"}},"required":["accounts","formatVersion"],"title":"ritualctl accounts list --json","type":"object"},"acc\#
ounts remove":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sign an account out and\#
 delete everything stored about it.","properties":{"account":{"description":"The name of the removed account."\#
,"type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an ex\#
isting script would misread a document.","type":"integer"},"isPending":{"description":"True if the server has \#
not confirmed the end of the session yet; the agent keeps trying.","type":"boolean"},"warnings":{"description"\#
:"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accoun\#
t","formatVersion","isPending"],"title":"ritualctl accounts remove --json","type":"object"},"accounts rename":\#
{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Rename an account.","properties":{"ac\#
tivity":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"assurance\#
":{"$ref":"#/$defs/AccountAssurance","description":"The session's level of assurance and the level that is pos\#
sible; absent without a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the sess\#
ion ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this m\#
achine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","ty\#
pe":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existi\#
ng script would misread a document.","type":"integer"},"identities":{"description":"The sign-in methods that a\#
re linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":\#
"Whether requests without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFa\#
ctorNeed","description":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"des\#
cription":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the\#
 profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the confi\#
gured origin if there is no session.","type":"string"},"project":{"description":"The project's name in the con\#
figuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; a\#
bsent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"When the session started, an\#
d when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the sess\#
ion."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolea\#
n"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Reada\#
ble warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","fo\#
rmatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl accounts rena\#
me --json","type":"object"},"api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Sen\#
d an authorized API request and print the response body.","properties":{"body":{"description":"The body in bas\#
e64 (RFC 4648, section 4).","type":"string"},"formatVersion":{"const":1,"description":"The version of the form\#
at. It increases when an existing script would misread a document.","type":"integer"},"headers":{"description"\#
:"The response headers, as pairs of name and value.","items":{"items":{"type":"string"},"type":"array"},"type"\#
:"array"},"status":{"description":"The HTTP status.","type":"integer"},"text":{"description":"The body again i\#
f it is text: UTF-8 of a content type `text/*` or JSON.","type":"string"},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["body","formatVers\#
ion","headers","status"],"title":"ritualctl api --json","type":"object"},"approvals allow":{"$schema":"https:/\#
/json-schema.org/draft/2020-12/schema","description":"Allow a program to use the account that it requested.","\#
properties":{"account":{"description":"The account that the program wants to use.","type":"string"},"askedAt":\#
{"description":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T\#
[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that process, wi\#
thout arguments; absent if it cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"id":\#
{"description":"The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"stri\#
ng"},"method":{"description":"The method of the first request.","type":"string"},"pid":{"description":"The pro\#
cess that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`p\#
ending`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that process; absent if it has no\#
ne.","type":"string"},"until":{"description":"When the request or the answer expires. Absent for an approval t\#
hat is valid until the vault is locked, and for a denial that is valid until the agent stops.","format":"date-\#
time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"descr\#
iption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":[\#
"account","askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl approvals allow --json","t\#
ype":"object"},"approvals deny":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Deny \#
a program access. Its requests are refused while the answer is valid.","properties":{"account":{"description":\#
"The account that the program wants to use.","type":"string"},"askedAt":{"description":"When the first request\#
 was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"\#
string"},"executable":{"description":"The executable of that process, without arguments; absent if it cannot b\#
e read.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases wh\#
en an existing script would misread a document.","type":"integer"},"id":{"description":"The id that `approval.\#
answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"method":{"description":"The meth\#
od of the first request.","type":"string"},"pid":{"description":"The process that made the first request.","ty\#
pe":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."},"uni\#
t":{"description":"The systemd unit of that process; absent if it has none.","type":"string"},"until":{"descri\#
ption":"When the request or the answer expires. Absent for an approval that is valid until the vault is locked\#
, and for a denial that is valid until the agent stops.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0\#
-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"description":"Readable warnings; absent if \#
there are none.","items":{"type":"string"},"type":"array"}},"required":["account","askedAt","formatVersion","i\#
d","method","pid","state"],"title":"ritualctl approvals deny --json","type":"object"},"approvals list":{"$sche\#
ma":"https://json-schema.org/draft/2020-12/schema","description":"List pending requests and valid answers.","p\#
roperties":{"approvals":{"description":"The pending access requests and the valid answers, oldest first.","ite\#
ms":{"$ref":"#/$defs/Approval"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the f\#
ormat. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"descript\#
ion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["ap\#
provals","formatVersion"],"title":"ritualctl approvals list --json","type":"object"},"approvals revoke":{"$sch\#
ema":"https://json-schema.org/draft/2020-12/schema","description":"Delete an answer. The next request needs a \#
new one.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when\#
 an existing script would misread a document.","type":"integer"},"id":{"description":"The id of the approval."\#
,"type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"st\#
ring"},"type":"array"}},"required":["formatVersion","id"],"title":"ritualctl approvals revoke --json","type":"\#
object"},"audit":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without `-\#
-verify`.","properties":{"entries":{"description":"The entries, newest last.","items":{"$ref":"#/$defs/AuditEn\#
try"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when a\#
n existing script would misread a document.","type":"integer"},"isChecked":{"description":"Whether each entry \#
was checked against the chain; false while the vault is locked.","type":"boolean"},"leftOut":{"description":"T\#
he number of lines in the files read that do not match the chain. They are not among the entries.","type":"int\#
eger"},"more":{"description":"Whether older entries exist.","type":"boolean"},"unknownCount":{"description":"T\#
he total number of unknown files.","type":"integer"},"unknownFiles":{"description":"Files in the log's directo\#
ry that the agent did not create: their escaped names, at most 20.","items":{"type":"string"},"type":"array"},\#
"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arr\#
ay"}},"required":["entries","formatVersion","isChecked","leftOut","more","unknownCount","unknownFiles"],"type"\#
:"object"},{"description":"With `--verify`.","properties":{"findings":{"description":"The mismatches with the \#
chain; empty if the log is intact.","items":{"$ref":"#/$defs/AuditVerify.Finding"},"type":"array"},"first":{"d\#
escription":"The first entry that is kept.","minimum":0,"type":"integer"},"fitting":{"description":"The number\#
 of entries that match the chain.","type":"integer"},"formatVersion":{"const":1,"description":"The version of \#
the format. It increases when an existing script would misread a document.","type":"integer"},"interruptions":\#
{"description":"The entries after which the agent ended without a clean stop. Entries of up to one second befo\#
re may be missing.","items":{"minimum":0,"type":"integer"},"type":"array"},"isWhole":{"description":"True if t\#
here are no findings.","type":"boolean"},"limits":{"description":"Readable statements of what the verification\#
 does not prove.","items":{"type":"string"},"type":"array"},"sealed":{"description":"The last entry that is se\#
aled in the vault.","minimum":0,"type":"integer"},"unsealed":{"description":"The number of entries after the l\#
ast sealed one. They match the chain, but their removal would go unnoticed.","type":"integer"},"warnings":{"de\#
scription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required\#
":["findings","first","fitting","formatVersion","interruptions","isWhole","limits","sealed","unsealed"],"type"\#
:"object"}],"description":"Show sign-ins, sign-outs, and issued tokens, newest last.","title":"ritualctl audit\#
 --json"},"complete-sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Finish a\#
 sign-in by pasting the redirect URL.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"\#
For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`\#
, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"const":1,"description":\#
"The version of the format. It increases when an existing script would misread a document.","type":"integer"},\#
"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a second factor is needed."},"\#
outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeed\#
ed`."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"typ\#
e":"array"}},"required":["formatVersion","outcome"],"title":"ritualctl complete-sign-in --json","type":"object\#
"},"doctor":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Check the setup and show \#
how to fix problems.","properties":{"checks":{"description":"The results of the checks.","items":{"$ref":"#/$d\#
efs/DiagnosticCheck"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It \#
increases when an existing script would misread a document.","type":"integer"},"isHealthy":{"description":"Whe\#
ther no check failed.","type":"boolean"},"version":{"description":"The version of this program.","type":"strin\#
g"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":\#
"array"}},"required":["checks","formatVersion","isHealthy","version"],"title":"ritualctl doctor --json","type"\#
:"object"},"error":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"The error of any c\#
ommand, on standard error.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why t\#
he command failed."},"exitStatus":{"description":"The exit status of the command.","type":"integer"},"formatVe\#
rsion":{"const":1,"description":"The version of the format. It increases when an existing script would misread\#
 a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","item\#
s":{"type":"string"},"type":"array"}},"required":["error","exitStatus","formatVersion"],"title":"ritualctl: er\#
ror","type":"object"},"events":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"One li\#
ne per event: the current state first, then every change.","properties":{"account":{"description":"The account\#
 that changed; absent if the event does not concern an account.","type":"string"},"approval":{"$ref":"#/$defs/\#
Approval","description":"The pending access request (`APPROVAL_NEEDED`), or the answered or expired one (`APPR\#
OVAL_ANSWERED`)."},"at":{"description":"When it changed.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[\#
0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version o\#
f the format. It increases when an existing script would misread a document.","type":"integer"},"program":{"de\#
scription":"For `MFA_NEEDED`, the program's file and unit, as far as the kernel told.","type":"string"},"reaso\#
n":{"description":"A readable reason, for `SIGNED_OUT` and `STATE_CHANGED`; the program's own reason for `MFA_\#
NEEDED`; for `ACCOUNT_LINKED` the provider and how it was linked.","type":"string"},"sequence":{"description":\#
"Increases by one with each change. Events that describe the current state to a new subscriber carry the numbe\#
r of the last change in that state.","minimum":0,"type":"integer"},"status":{"$ref":"#/$defs/AccountStatus","d\#
escription":"The account after the change."},"token":{"$ref":"#/$defs/SessionToken.Result","description":"The \#
new token, for subscribers that requested tokens."},"type":{"$ref":"#/$defs/EventType","description":"The kind\#
 of change."}},"required":["at","formatVersion","sequence","type"],"title":"ritualctl events --json","type":"o\#
bject"},"exec":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Why the command was no\#
t run, on standard error. The output of the command itself is unchanged.","properties":{"error":{"$ref":"#/$de\#
fs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":{"description":"The exit statu\#
s of the command.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Reada\#
ble warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["error","exitS\#
tatus","formatVersion"],"title":"ritualctl exec --json","type":"object"},"grant":{"$schema":"https://json-sche\#
ma.org/draft/2020-12/schema","description":"Get a loopback URL and a stand-in token for one tool.","properties\#
":{"expiresAt":{"description":"When the grant ends.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{\#
2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the\#
 format. It increases when an existing script would misread a document.","type":"integer"},"id":{"description"\#
:"The id that `egress.revoke` takes.","type":"string"},"token":{"description":"The stand-in: the tool sends it\#
 as bearer token or as `apikey`. It is worth nothing anywhere else.","pattern":"^sb_ritual_[A-Za-z0-9_-]{43}$"\#
,"type":"string"},"url":{"description":"`http://127.0.0.1:PORT/`","type":"string"},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["expiresA\#
t","formatVersion","id","token","url"],"title":"ritualctl grant --json","type":"object"},"grants list":{"$sche\#
ma":"https://json-schema.org/draft/2020-12/schema","description":"List the valid grants, oldest first.","prope\#
rties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scr\#
ipt would misread a document.","type":"integer"},"grants":{"description":"The valid grants, oldest first.","it\#
ems":{"$ref":"#/$defs/EgressList.Grant"},"type":"array"},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","grants"],"title":"\#
ritualctl grants list --json","type":"object"},"grants revoke":{"$schema":"https://json-schema.org/draft/2020-\#
12/schema","description":"End a grant and its open streams.","properties":{"formatVersion":{"const":1,"descrip\#
tion":"The version of the format. It increases when an existing script would misread a document.","type":"inte\#
ger"},"id":{"description":"The id of the grant.","type":"string"},"warnings":{"description":"Readable warnings\#
; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id"],"tit\#
le":"ritualctl grants revoke --json","type":"object"},"help":{"$schema":"https://json-schema.org/draft/2020-12\#
/schema","anyOf":[{"description":"With `--help` or `--version`.","properties":{"formatVersion":{"const":1,"des\#
cription":"The version of the format. It increases when an existing script would misread a document.","type":"\#
integer"},"groups":{"description":"The groups of commands; only with the help of the program itself.","items":\#
{"$ref":"#/$defs/Overview.Group"},"type":"array"},"text":{"description":"The text.","type":"string"}},"require\#
d":["formatVersion","text"],"type":"object"},{"description":"Without a command.","properties":{"formatVersion"\#
:{"const":1,"description":"The version of the format. It increases when an existing script would misread a doc\#
ument.","type":"integer"},"groups":{"description":"The commands by group.","items":{"$ref":"#/$defs/Overview.G\#
roup"},"type":"array"},"next":{"$ref":"#/$defs/NextStep","description":"The next sensible step on this machine\#
."}},"required":["formatVersion","groups","next"],"type":"object"}],"description":"The output of `--help` and \#
`--version`, and of `ritualctl` without a command.","title":"ritualctl: help"},"identities":{"$schema":"https:\#
//json-schema.org/draft/2020-12/schema","description":"List linked sign-in methods.","properties":{"account":{\#
"description":"The account whose user has the sign-in methods.","type":"string"},"formatVersion":{"const":1,"d\#
escription":"The version of the format. It increases when an existing script would misread a document.","type"\#
:"integer"},"identities":{"description":"The linked sign-in methods.","items":{"$ref":"#/$defs/AccountIdentity\#
"},"type":"array"},"isCurrent":{"description":"False if the server could not be asked and the list is its last\#
 known answer.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["account","formatVersion","identities","isCurrent"],"title\#
":"ritualctl identities --json","type":"object"},"init":{"$schema":"https://json-schema.org/draft/2020-12/sche\#
ma","description":"Add a Supabase project to the configuration, or change one.","properties":{"apiAccepted":{"\#
description":"The accounts that accepted the API of `--api-url`; absent without that option.","items":{"type":\#
"string"},"type":"array"},"change":{"description":"`added`, `updated` or `none`.","type":"string"},"configurat\#
ion":{"description":"The path of the configuration file.","type":"string"},"formatVersion":{"const":1,"descrip\#
tion":"The version of the format. It increases when an existing script would misread a document.","type":"inte\#
ger"},"note":{"description":"A note about the part that was removed from a pasted URL.","type":"string"},"proj\#
ect":{"description":"The project's name.","type":"string"},"warning":{"description":"A problem with the reload\#
 of a running agent, or with the project.","type":"string"},"warnings":{"description":"Readable warnings; abse\#
nt if there are none.","items":{"type":"string"},"type":"array"}},"required":["change","configuration","format\#
Version","project"],"title":"ritualctl init --json","type":"object"},"link":{"$schema":"https://json-schema.or\#
g/draft/2020-12/schema","anyOf":[{"description":"The outcome.","properties":{"account":{"$ref":"#/$defs/Accoun\#
tStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","descriptio\#
n":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{\#
"const":1,"description":"The version of the format. It increases when an existing script would misread a docum\#
ent.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"For `signedIn`, whether a seco\#
nd factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmati\#
onSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items\#
":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"description":"W\#
ith `--no-browser`.","properties":{"expiresAt":{"description":"When the flow expires on the server.","format":\#
"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"des\#
cription":"The ID of the flow.","type":"string"},"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"outcome":{"descript\#
ion":"`begun`.","type":"string"},"url":{"description":"The URL to open.","type":"string"},"warnings":{"descrip\#
tion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["e\#
xpiresAt","flow","formatVersion","outcome","url"],"type":"object"},{"description":"With `link email`, without \#
`--code-stdin`.","properties":{"address":{"description":"The email address or phone number to which the code w\#
as sent.","type":"string"},"flow":{"description":"The ID of the flow, which `signIn.verifyCode` and `signIn.wa\#
it` take.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases \#
when an existing script would misread a document.","type":"integer"},"outcome":{"description":"`codeSent`.","t\#
ype":"string"},"resendAfter":{"description":"Seconds until the project sends another code to this address.","t\#
ype":"number"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"strin\#
g"},"type":"array"}},"required":["address","flow","formatVersion","outcome","resendAfter"],"type":"object"}],"\#
description":"Link a provider or an email address as a sign-in method.","title":"ritualctl link --json"},"lock\#
":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Lock the vault. No tokens are issue\#
d or refreshed until it is unlocked.","properties":{"formatVersion":{"const":1,"description":"The version of t\#
he format. It increases when an existing script would misread a document.","type":"integer"},"opensByFile":{"d\#
escription":"Whether a key file or credential opens the vault again, so that any program of the user can unloc\#
k it.","type":"boolean"},"warning":{"description":"A readable problem that did not prevent the lock.","type":"\#
string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"t\#
ype":"array"}},"required":["formatVersion","opensByFile"],"title":"ritualctl lock --json","type":"object"},"me\#
trics":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Print the agent's counters in \#
OpenMetrics format.","properties":{"events":{"description":"The last events, oldest first.","items":{"$ref":"#\#
/$defs/TelemetryRecord"},"type":"array"},"families":{"description":"The counters, as metric families of OpenMe\#
trics.","items":{"$ref":"#/$defs/MetricFamily"},"type":"array"},"formatVersion":{"const":1,"description":"The \#
version of the format. It increases when an existing script would misread a document.","type":"integer"},"warn\#
ings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}}\#
,"required":["events","families","formatVersion"],"title":"ritualctl metrics --json","type":"object"},"mfa enr\#
oll":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a second factor: an authenti\#
cator app (totp) or a phone.","properties":{"factor":{"description":"The new factor's ID, for `mfa.verify`. Th\#
e server forgets an unverified factor after 5 minutes.","type":"string"},"formatVersion":{"const":1,"descripti\#
on":"The version of the format. It increases when an existing script would misread a document.","type":"intege\#
r"},"secret":{"description":"For `totp`, the secret in base32. Shown once and stored nowhere; never log it.","\#
type":"string"},"uri":{"description":"For `totp`, the `otpauth:` URI for an authenticator app. Contains the se\#
cret.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"typ\#
e":"string"},"type":"array"}},"required":["factor","formatVersion"],"title":"ritualctl mfa enroll --json","typ\#
e":"object"},"mfa list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List the user\#
's second factors.","properties":{"account":{"description":"The account whose user has the factors.","type":"s\#
tring"},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"The session's level."},"endsAccounts":{"\#
description":"The other accounts of this agent whose sessions end with a verification. Every other session of \#
the user without a second factor ends too.","items":{"type":"string"},"type":"array"},"factors":{"description"\#
:"The factors.","items":{"$ref":"#/$defs/AccountFactor"},"type":"array"},"formatVersion":{"const":1,"descripti\#
on":"The version of the format. It increases when an existing script would misread a document.","type":"intege\#
r"},"isCurrent":{"description":"False if the server could not be asked and the list is its last known answer."\#
,"type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"s\#
tring"},"type":"array"}},"required":["account","assurance","endsAccounts","factors","formatVersion","isCurrent\#
"],"title":"ritualctl mfa list --json","type":"object"},"mfa remove":{"$schema":"https://json-schema.org/draft\#
/2020-12/schema","description":"Remove a second factor.","properties":{"factor":{"description":"The ID of the \#
removed factor.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It incr\#
eases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable\#
 warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["factor","formatV\#
ersion"],"title":"ritualctl mfa remove --json","type":"object"},"mfa verify":{"$schema":"https://json-schema.o\#
rg/draft/2020-12/schema","anyOf":[{"description":"After the verification.","properties":{"activity":{"$ref":"#\#
/$defs/AccountActivity","description":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs\#
/AccountAssurance","description":"The session's level of assurance and the level that is possible; absent with\#
out a session."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present\#
 in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","\#
format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"for\#
matVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mi\#
sread a document.","type":"integer"},"identities":{"description":"The sign-in methods that are linked to the u\#
ser.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests \#
without an account name use this account.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","descrip\#
tion":"Whether a second factor is needed; present in the result of a sign-in."},"name":{"description":"The acc\#
ount's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.\#
","type":"string"},"origin":{"description":"The origin that issued the session, or the configured origin if th\#
ere is no session.","type":"string"},"project":{"description":"The project's name in the configuration.","type\#
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
e project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","descriptio\#
n":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs/SessionLife","description":"W\#
hen the session started, and when and why it ends or ended."},"state":{"$ref":"#/$defs/AccountState","descript\#
ion":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token i\#
mmediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warn\#
ings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}}\#
,"required":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"titl\#
e":"ritualctl refresh --json","type":"object"},"register-handler":{"$schema":"https://json-schema.org/draft/20\#
20-12/schema","anyOf":[{"description":"Without `--print`.","properties":{"file":{"description":"The path of th\#
e desktop entry.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It inc\#
reases when an existing script would misread a document.","type":"integer"},"registered":{"description":"Wheth\#
er the agent opens URLs of the scheme now.","type":"boolean"},"scheme":{"description":"The URL scheme.","type"\#
:"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},\#
"type":"array"}},"required":["file","formatVersion","registered","scheme"],"type":"object"},{"description":"Wi\#
th `--print`.","properties":{"entry":{"description":"The text of the desktop entry.","type":"string"},"formatV\#
ersion":{"const":1,"description":"The version of the format. It increases when an existing script would misrea\#
d a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","ite\#
ms":{"type":"string"},"type":"array"}},"required":["entry","formatVersion"],"type":"object"}],"description":"O\#
pen dailyritual:// URLs with the agent.","title":"ritualctl register-handler --json"},"reload":{"$schema":"htt\#
ps://json-schema.org/draft/2020-12/schema","description":"Reload the agent's configuration.","properties":{"fo\#
rmatVersion":{"const":1,"description":"The version of the format. It increases when an existing script would m\#
isread a document.","type":"integer"},"projects":{"description":"The names of the projects in the configuratio\#
n.","items":{"type":"string"},"type":"array"},"reloaded":{"description":"Whether the file was read: false if t\#
he agent uses a file other than `file`. Absent in older agents.","type":"boolean"},"warning":{"description":"A\#
 readable problem, such as a failed check; absent if there is none.","type":"string"},"warnings":{"description\#
":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["forma\#
tVersion","projects"],"title":"ritualctl reload --json","type":"object"},"reset":{"$schema":"https://json-sche\#
ma.org/draft/2020-12/schema","description":"Sign out of all accounts and remove the agent's data.","properties\#
":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script w\#
ould misread a document.","type":"integer"},"kept":{"description":"The paths that were kept: the configuration\#
, without `--config`.","items":{"type":"string"},"type":"array"},"removed":{"description":"The paths that were\#
 removed.","items":{"type":"string"},"type":"array"},"signedOut":{"description":"The accounts that were signed\#
 out.","items":{"type":"string"},"type":"array"},"unrevoked":{"description":"The sessions that may still be ac\#
tive on their server.","items":{"$ref":"#/$defs/UnrevokedSession"},"type":"array"},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVe\#
rsion","kept","removed","signedOut","unrevoked"],"title":"ritualctl reset --json","type":"object"},"schema":{"\#
$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without a command.","properti\#
es":{"commands":{"description":"The commands that `ritualctl schema` takes, and `error` and `help`.","items":{\#
"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["commands","format\#
Version"],"type":"object"},{"description":"With a command.","properties":{"command":{"description":"The comman\#
d whose document the schema describes.","type":"string"},"formatVersion":{"const":1,"description":"The version\#
 of the format. It increases when an existing script would misread a document.","type":"integer"},"schema":{"d\#
escription":"The JSON Schema."},"warnings":{"description":"Readable warnings; absent if there are none.","item\#
s":{"type":"string"},"type":"array"}},"required":["command","formatVersion","schema"],"type":"object"}],"descr\#
iption":"Print the JSON Schema of a command's --json document.","title":"ritualctl schema --json"},"setup":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without a name.","properties":\#
{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wou\#
ld misread a document.","type":"integer"},"setups":{"description":"The setups that `ritualctl setup` can print\#
.","items":{"$ref":"#/$defs/SetupListAnswer.Entry"},"type":"array"},"warnings":{"description":"Readable warnin\#
gs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","setups"\#
],"type":"object"},{"description":"With a name.","properties":{"account":{"description":"The account; absent f\#
or the default account.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format.\#
 It increases when an existing script would misread a document.","type":"integer"},"name":{"description":"The \#
name of the setup.","type":"string"},"steps":{"description":"What to add.","items":{"$ref":"#/$defs/SetupAnswe\#
r.Step"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"ty\#
pe":"string"},"type":"array"}},"required":["formatVersion","name","steps"],"type":"object"}],"description":"Pr\#
int what to add where, so that a tool gets its tokens from the agent.","title":"ritualctl setup --json"},"sign\#
-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.","propert\#
ies":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$re\#
f":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `identity.decide\#
` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It increases when a\#
n existing script would misread a document.","type":"integer"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","descr\#
iption":"For `signedIn`, whether a second factor is needed."},"outcome":{"$ref":"#/$defs/SignInResult.Outcome"\#
,"description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warn\#
ings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outco\#
me"],"type":"object"},{"description":"With `--no-browser`.","properties":{"expiresAt":{"description":"When the\#
 flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0\#
-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":"string"},"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{"description":"The URL to open.\#
","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"s\#
tring"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"},{"de\#
scription":"With `code` or `phone`, without `--code-stdin`.","properties":{"address":{"description":"The email\#
 address or phone number to which the code was sent.","type":"string"},"flow":{"description":"The ID of the fl\#
ow, which `signIn.verifyCode` and `signIn.wait` take.","type":"string"},"formatVersion":{"const":1,"descriptio\#
n":"The version of the format. It increases when an existing script would misread a document.","type":"integer\#
"},"outcome":{"description":"`codeSent`.","type":"string"},"resendAfter":{"description":"Seconds until the pro\#
ject sends another code to this address.","type":"number"},"warnings":{"description":"Readable warnings; absen\#
t if there are none.","items":{"type":"string"},"type":"array"}},"required":["address","flow","formatVersion",\#
"outcome","resendAfter"],"type":"object"}],"description":"Sign in with a provider, a password, a code, single \#
sign-on, or as an anonymous user.","title":"ritualctl sign-in --json"},"sign-out":{"$schema":"https://json-sch\#
ema.org/draft/2020-12/schema","description":"Sign out on this machine and on the server.","properties":{"accou\#
nts":{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"array"},"failed":{"\#
description":"With `all`, the accounts whose sign-out failed, and why. Absent if there are none.","items":{"$r\#
ef":"#/$defs/SessionSignOut.Failure"},"type":"array"},"formatVersion":{"const":1,"description":"The version of\#
 the format. It increases when an existing script would misread a document.","type":"integer"},"pending":{"des\#
cription":"The accounts whose revocation is pending until the server is reachable.","items":{"type":"string"},\#
"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"stri\#
ng"},"type":"array"}},"required":["accounts","formatVersion","pending"],"title":"ritualctl sign-out --json","t\#
ype":"object"},"sink":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"One line per ch\#
ange of the file.","properties":{"account":{"description":"The account whose token the file contains.","type":\#
"string"},"expiresAt":{"description":"When the written token expires.","format":"date-time","pattern":"^[0-9]{\#
4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"\#
The version of the format. It increases when an existing script would misread a document.","type":"integer"},"\#
isWritten":{"description":"True if a new token was written, false if the file was removed, or is not there yet\#
.","type":"boolean"},"path":{"description":"The path of the file.","type":"string"},"reason":{"description":"W\#
hy there is no file.","type":"string"}},"required":["account","formatVersion","isWritten","path"],"title":"rit\#
ualctl sink --json","type":"object"},"status":{"$schema":"https://json-schema.org/draft/2020-12/schema","descr\#
iption":"Show the current state of the agent, the vault, and the accounts.","properties":{"accounts":{"descrip\#
tion":"The accounts. They may be unknown while the vault is locked.","items":{"$ref":"#/$defs/AccountStatus"},\#
"type":"array"},"autostart":{"description":"Whether the first sign-in enables the agent's service (`[agent] au\#
tostart`). Absent in older agents, whose first sign-in does.","type":"boolean"},"formatVersion":{"const":1,"de\#
scription":"The version of the format. It increases when an existing script would misread a document.","type":\#
"integer"},"health":{"description":"Readable findings; empty if there is nothing to report.","items":{"type":"\#
string"},"type":"array"},"pid":{"description":"The agent's process ID.","type":"integer"},"stateFolder":{"desc\#
ription":"The state directory of the agent; a `ritualctl` with another environment would look elsewhere. Absen\#
t in older agents.","type":"string"},"unrevoked":{"description":"The accounts with a pending revocation on the\#
 server. Absent while the vault is locked, because the list is then unknown.","items":{"type":"string"},"type"\#
:"array"},"uptime":{"description":"Seconds since the agent became ready.","type":"integer"},"vault":{"$ref":"#\#
/$defs/VaultSummary","description":"The state of the vault."},"version":{"description":"The version of the age\#
nt.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type"\#
:"string"},"type":"array"}},"required":["accounts","formatVersion","health","pid","uptime","vault","version"],\#
"title":"ritualctl status --json","type":"object"},"token":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"Print a valid access token.","properties":{"accessToken":{"description":"The bearer toke\#
n. Never log it or pass it as a command-line argument.","type":"string"},"account":{"description":"The account\#
 that the token belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","descriptio\#
n":"The project that accepts the token, if the caller asked for it."},"expiresAt":{"description":"The token's \#
expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2\#
}:[0-9]{2}Z$","type":"string"},"expiresIn":{"description":"Seconds until the token expires.","type":"integer"}\#
,"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wou\#
ld misread a document.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","type":"string"},"\#
unchanged":{"description":"True if the caller reported this token as rejected and there is no newer one. The c\#
aller must not repeat its request.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if \#
there are none.","items":{"type":"string"},"type":"array"}},"required":["accessToken","account","expiresAt","e\#
xpiresIn","formatVersion","tokenType"],"title":"ritualctl token --json","type":"object"},"unlink":{"$schema":"\#
https://json-schema.org/draft/2020-12/schema","description":"Unlink a sign-in method. The last one cannot be r\#
emoved.","properties":{"account":{"description":"The account whose user has the sign-in methods.","type":"stri\#
ng"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script\#
 would misread a document.","type":"integer"},"identities":{"description":"The linked sign-in methods.","items\#
":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the server could not\#
 be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Readable warnin\#
gs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion\#
","identities","isCurrent"],"title":"ritualctl unlink --json","type":"object"},"unlock":{"$schema":"https://js\#
on-schema.org/draft/2020-12/schema","description":"Unlock the vault.","properties":{"formatVersion":{"const":1\#
,"description":"The version of the format. It increases when an existing script would misread a document.","ty\#
pe":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The key that opened the vault."},"warnings":{"d\#
escription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"require\#
d":["formatVersion","key"],"title":"ritualctl unlock --json","type":"object"},"use":{"$schema":"https://json-s\#
chema.org/draft/2020-12/schema","description":"Set the default account.","properties":{"activity":{"$ref":"#/$\#
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
ties","isDefault","name","project","state","tokenUsable"],"title":"ritualctl use --json","type":"object"},"use\#
-api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow the configured API to rec\#
eive an account's token.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The operat\#
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
enUsable"],"title":"ritualctl use-api --json","type":"object"},"vault add-key":{"$schema":"https://json-schema\#
.org/draft/2020-12/schema","description":"Add a key that opens the vault: a passphrase, a key file, or a syste\#
md credential.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increase\#
s when an existing script would misread a document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","descr\#
iption":"The added key."},"removed":{"description":"The removed slots: those of key files, or the replaced one\#
.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"warnings":{"description":"Readable warnings; absent if\#
 there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","key","removed"],"tit\#
le":"ritualctl vault add-key --json","type":"object"},"vault adopt":{"$schema":"https://json-schema.org/draft/\#
2020-12/schema","description":"Use a vault that was copied from another machine.","properties":{"accounts":{"d\#
escription":"The accounts whose sessions are now used here.","items":{"type":"string"},"type":"array"},"format\#
Version":{"const":1,"description":"The version of the format. It increases when an existing script would misre\#
ad a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualctl vault adopt\#
 --json","type":"object"},"vault rekey":{"$schema":"https://json-schema.org/draft/2020-12/schema","description\#
":"Create a new master key and re-encrypt the vault.","properties":{"formatVersion":{"const":1,"description":"\#
The version of the format. It increases when an existing script would misread a document.","type":"integer"},"\#
generation":{"description":"The vault's generation after the change.","minimum":0,"type":"integer"},"warnings"\#
:{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"req\#
uired":["formatVersion","generation"],"title":"ritualctl vault rekey --json","type":"object"},"vault remove-ke\#
y":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Remove a vault key. The last one c\#
annot be removed.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"id":{"description":"32 hexadecimal \#
digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/VaultKeyKi\#
nd","description":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id memory for e\#
ach attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number of Argon2id pa\#
sses for each attempt.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are no\#
ne.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id","kind"],"title":"ritualctl va\#
ult remove-key --json","type":"object"},"vault status":{"$schema":"https://json-schema.org/draft/2020-12/schem\#
a","description":"Show the state of the vault, its keys, and what they protect.","properties":{"damaged":{"des\#
cription":"Files that were set aside or ignored, and why.","items":{"$ref":"#/$defs/VaultFinding"},"type":"arr\#
ay"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script\#
 would misread a document.","type":"integer"},"generation":{"description":"Increases with every change of keys\#
.","minimum":0,"type":"integer"},"idleLock":{"description":"Idle time before locking, in seconds; absent means\#
 never.","type":"integer"},"isAuthenticated":{"description":"Whether `keys`, `generation` and `machine` were a\#
uthenticated with the vault's key. Until the vault is first opened, they are unverified values from its file."\#
,"type":"boolean"},"isMemoryLocked":{"description":"Whether the keys are locked in memory, so that they cannot\#
 be swapped out.","type":"boolean"},"isRekeying":{"description":"Whether a `vault.rekey` was interrupted. The \#
next `vault.rekey` or unlock continues it.","type":"boolean"},"keys":{"description":"The keys, in the order in\#
 which they were added.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"lockedBy":{"description":"Why th\#
e vault is locked: `hand`, `idle`, `session`, or `start` if no key was available.","type":"string"},"machine":\#
{"description":"Whether the vault belongs to this machine: `this`, `other` or `unknown`.","type":"string"},"op\#
enedBy":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of key that opened the vault."},"protection":{"\#
description":"Readable statements of what each kind of key protects and what it does not.","items":{"type":"st\#
ring"},"type":"array"},"state":{"description":"`open`, `copied`, `locked` or `unavailable`.","enum":["open","c\#
opied","locked","unavailable"],"type":"string"},"warnings":{"description":"Readable warnings; absent if there \#
are none.","items":{"type":"string"},"type":"array"}},"required":["damaged","formatVersion","generation","isAu\#
thenticated","isMemoryLocked","isRekeying","keys","machine","protection","state"],"title":"ritualctl vault sta\#
tus --json","type":"object"},"vault verify":{"$schema":"https://json-schema.org/draft/2020-12/schema","descrip\#
tion":"Check every file of the open vault, without changing anything.","properties":{"files":{"description":"E\#
very file of the vault, with the result of its check.","items":{"$ref":"#/$defs/VaultFinding"},"type":"array"}\#
,"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wou\#
ld misread a document.","type":"integer"},"isWhole":{"description":"Whether every file is unchanged since the \#
vault wrote it.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","i\#
tems":{"type":"string"},"type":"array"}},"required":["files","formatVersion","isWhole"],"title":"ritualctl vau\#
lt verify --json","type":"object"},"whoami":{"$schema":"https://json-schema.org/draft/2020-12/schema","descrip\#
tion":"Show the user who is signed in.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","descriptio\#
n":"The operation that runs for the account."},"assurance":{"$ref":"#/$defs/AccountAssurance","description":"T\#
he session's level of assurance and the level that is possible; absent without a session."},"ended":{"$ref":"#\#
/$defs/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"expire\#
sAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-\#
9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description\#
":"The version of the format. It increases when an existing script would misread a document.","type":"integer"\#
},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/Acco\#
untIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this ac\#
count.","type":"boolean"},"mfa":{"$ref":"#/$defs/SecondFactorNeed","description":"Whether a second factor is n\#
eeded; present in the result of a sign-in."},"name":{"description":"The account's name.","type":"string"},"onb\#
oarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"descr\#
iption":"The origin that issued the session, or the configured origin if there is no session.","type":"string"\#
},"project":{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$d\#
efs/RefreshStatus","description":"The refresh schedule; absent without a session."},"session":{"$ref":"#/$defs\#
/SessionLife","description":"When the session started, and when and why it ends or ended."},"state":{"$ref":"#\#
/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whether `session\#
.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description\#
":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"ty\#
pe":"string"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","project\#
","state","tokenUsable"],"title":"ritualctl whoami --json","type":"object"},"why":{"$schema":"https://json-sch\#
ema.org/draft/2020-12/schema","description":"Show the next refresh, the reason, and recent attempts.","propert\#
ies":{"account":{"$ref":"#/$defs/AccountStatus","description":"The account."},"explanation":{"description":"Se\#
ntences, most important first.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"descript\#
ion":"The version of the format. It increases when an existing script would misread a document.","type":"integ\#
er"},"tries":{"description":"The recent attempts, newest first.","items":{"$ref":"#/$defs/RefreshTry"},"type":\#
"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"t\#
ype":"array"}},"required":["account","explanation","formatVersion","tries"],"title":"ritualctl why --json","ty\#
pe":"object"}}}
"""#
}
