// swift-format-ignore-file
// The JSON Schemas of `ritualctl schema`. Generated from the types of the documents and their comments by the tests:
// run CommandSchemaTests with RITUAL_WRITE_GOLDEN=1 after a change.
extension JSONSchemas {
  static let generated: StaticString = #"""
{"$defs":{"AccountActivity":{"description":"The operation that runs for an account.","examples":["none","authe\#
nticating","refreshing"],"type":"string"},"AccountIdentity":{"description":"A linked sign-in method.","propert\#
ies":{"email":{"description":"The email address at the provider.","type":"string"},"identityID":{"description"\#
:"The id that `identity.unlink` and `ritualctl unlink` take.","type":"string"},"provider":{"description":"`app\#
le`, `google` or `email`.","type":"string"}},"required":["identityID","provider"],"type":"object"},"AccountSta\#
te":{"description":"The `state` of an account.","examples":["unauthenticated","authenticated","degraded","sign\#
InNeeded","locked","copied","misconfigured"],"type":"string"},"AccountStatus":{"description":"Descriptions of \#
an account that are safe to print on a terminal.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","\#
description":"The operation that runs for the account."},"ended":{"$ref":"#/$defs/EndedSession","description":\#
"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access tok\#
en's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0\#
-9]{2}:[0-9]{2}Z$","type":"string"},"identities":{"description":"The sign-in methods that are linked to the us\#
er.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests w\#
ithout an account name use this account.","type":"boolean"},"name":{"description":"The account's name.","type"\#
:"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"\#
origin":{"description":"The origin that issued the session, or the configured origin if there is no session.",\#
"type":"string"},"project":{"description":"The project's name in the configuration.","type":"string"},"refresh\#
":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a session."},"state":{"$\#
ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"description":"Whether `\#
session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","desc\#
ription":"The signed-in user."}},"required":["activity","identities","isDefault","name","project","state","tok\#
enUsable"],"type":"object"},"AccountUser":{"description":"The signed-in user.","properties":{"email":{"descrip\#
tion":"The user's email address.","type":"string"},"id":{"description":"The user's id on the server, a UUID.",\#
"type":"string"},"name":{"description":"The user's name.","type":"string"},"provider":{"description":"The meth\#
od of the last sign-in: `apple`, `google` or `email`.","type":"string"}},"required":["id"],"type":"object"},"A\#
gentError":{"description":"The error object of a response (JSON-RPC 2.0, section 5.1), and the error that the \#
agent and its clients throw.","properties":{"code":{"description":"The JSON-RPC code of the kind, from `ErrorF\#
acts.table`.","type":"integer"},"data":{"$ref":"#/$defs/AgentError.Details","description":"The details for pro\#
grams."},"message":{"description":"The message for the user.","type":"string"}},"required":["code","message"],\#
"type":"object"},"AgentError.Details":{"description":"The part of an error that programs read.","properties":{\#
"account":{"description":"The account that the error concerns.","type":"string"},"approval":{"description":"Fo\#
r `approvalNeeded`, the id that `approval.wait` and `ritualctl approvals allow` take.","type":"string"},"detai\#
l":{"description":"For `offline`, the host and the cause of the failed connection; never a secret.","type":"st\#
ring"},"hint":{"description":"The command to run, or another next step.","type":"string"},"kind":{"$ref":"#/$d\#
efs/ErrorKind","description":"The stable name, for programs to branch on."},"retryAfter":{"description":"Secon\#
ds to wait before a retry.","type":"number"},"retryable":{"description":"Whether the same request can succeed \#
later without intervention.","type":"boolean"}},"required":["kind","retryable"],"type":"object"},"Approval":{"\#
description":"An access request from a rule with `action = \"ask\"`, or the stored answer to one.","properties\#
":{"account":{"description":"The account that the program wants to use.","type":"string"},"askedAt":{"descript\#
ion":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[\#
0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that process, without argu\#
ments; absent if it cannot be read.","type":"string"},"id":{"description":"The id that `approval.answer`, `app\#
roval.revoke` and `ritualctl approvals` take.","type":"string"},"method":{"description":"The method of the fir\#
st request.","type":"string"},"pid":{"description":"The process that made the first request.","type":"integer"\#
},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"descript\#
ion":"The systemd unit of that process; absent if it has none.","type":"string"},"until":{"description":"When \#
the approval expires; absent for an answer that is valid until the vault is locked.","format":"date-time","pat\#
tern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["account","aske\#
dAt","id","method","pid","state"],"type":"object"},"ApprovalState":{"description":"The state of an approval.",\#
"examples":["pending","allowed","denied","expired"],"type":"string"},"AuditEntry":{"description":"An audit log\#
 entry with its sequence number.","properties":{"accepted":{"description":"The answer to a decision.","type":"\#
boolean"},"account":{"description":"The account that the entry concerns.","type":"string"},"at":{"description"\#
:"When it happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"\#
,"type":"string"},"count":{"description":"How many times the token was issued, or how many entries were droppe\#
d.","minimum":0,"type":"integer"},"detail":{"description":"Readable details: how, why or to what extent.","typ\#
e":"string"},"event":{"$ref":"#/$defs/AuditEvent","description":"The kind of entry."},"executable":{"descripti\#
on":"The executable of the process, without arguments; absent if it cannot be read.","type":"string"},"first":\#
{"description":"When the token was first issued.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T\#
[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"description":"Identifies an issued token: a later e\#
ntry with the same number has the updated count.","minimum":0,"type":"integer"},"last":{"description":"When th\#
e token was last issued.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{\#
2}Z$","type":"string"},"pid":{"description":"The process, as identified when it connected.","type":"integer"},\#
"previous":{"description":"The MAC that precedes the first entry of a file, in hex.","type":"string"},"project\#
":{"description":"The project that the entry concerns.","type":"string"},"provider":{"description":"`apple`, `\#
google`, `email` …","type":"string"},"sequence":{"description":"Increases by one with every entry, starting at\#
 1.","minimum":0,"type":"integer"},"token":{"description":"The first 16 hex digits of the SHA-256 of the acces\#
s token.","type":"string"},"unit":{"description":"The systemd unit of the process.","type":"string"},"way":{"d\#
escription":"How the token was issued or used: `token`, `events` or `api`.","type":"string"}},"required":["at"\#
,"event","sequence"],"type":"object"},"AuditEvent":{"description":"The kind of an audit log entry.","examples"\#
:["agentStarted","agentStopped","signedIn","signedOut","sessionEnded","linked","unlinked","decided","denied","\#
approvalAsked","approvalAnswered","approvalRevoked","handOut","apiAccepted","vaultLocked","vaultUnlocked","key\#
Added","keyRemoved","rekeyed","vaultAdopted","fileBegun","interrupted","entriesLost"],"type":"string"},"AuditV\#
erify.Finding":{"properties":{"file":{"description":"The name of the file in the log's directory.","type":"str\#
ing"},"first":{"description":"The first affected entry; absent if the finding concerns a file.","minimum":0,"t\#
ype":"integer"},"kind":{"description":"`edited`, `removed`, `cut`, `reordered`, `repeated`, `exchanged`, `miss\#
ingFile`, `unknownFile` or `noKey`.","type":"string"},"last":{"description":"The last affected entry; absent i\#
f the finding concerns a file.","minimum":0,"type":"integer"}},"required":["file","kind"],"type":"object"},"Ch\#
eckOutcome":{"description":"The outcome of a check of `agent.diagnose` or `ritualctl doctor`.","examples":["ok\#
","warn","fail"],"type":"string"},"DiagnosticCheck":{"description":"The result of one check.","properties":{"n\#
ame":{"description":"The subject of the check, such as `vault` or `tls`.","type":"string"},"next":{"descriptio\#
n":"The remedy, as a command if there is one; absent if nothing needs to be done.","type":"string"},"outcome":\#
{"$ref":"#/$defs/CheckOutcome","description":"Whether the check passed."},"project":{"description":"The projec\#
t's name in the configuration; absent if the check does not concern a project.","type":"string"},"words":{"des\#
cription":"The finding, in readable form.","type":"string"}},"required":["name","outcome","words"],"type":"obj\#
ect"},"EndedSession":{"description":"The end of a session without a sign-out on this machine.","properties":{"\#
at":{"description":"When the session ended.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]\#
{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"description":"A readable reason, such as \"ended elsewher\#
e\".","type":"string"}},"required":["at","reason"],"type":"object"},"ErrorDocument.Details":{"description":"Th\#
e reason of a failure.","properties":{"account":{"description":"The account that the error concerns.","type":"\#
string"},"detail":{"description":"The host and the cause of a failed connection.","type":"string"},"hint":{"de\#
scription":"The next step, a command if there is one.","type":"string"},"kind":{"description":"The stable name\#
, for programs to branch on: an error kind of the agent, or `unreachable`, `foreignServer`, `protocolViolation\#
`, `disconnected`, `usage`, `failed`, `cancelled` or `unchanged`.","type":"string"},"message":{"description":"\#
The message for the user.","type":"string"},"retryAfter":{"description":"Seconds to wait before a retry.","typ\#
e":"number"},"retryable":{"description":"Whether the same command can succeed later without intervention.","ty\#
pe":"boolean"}},"required":["kind","message","retryable"],"type":"object"},"ErrorKind":{"description":"The sta\#
ble name of an error: `data.kind` on the wire.","examples":["approvalNeeded","callbackInvalid","cancelled","de\#
nied","emailNotConfirmed","flowBusy","flowTimedOut","flowUnknown","formatTooNew","identityTaken","internalErro\#
r","invalidCredentials","invalidParams","invalidRequest","lastIdentity","linkingConflict","linkingDisabled","m\#
ethodDisabled","methodNotFound","misconfigured","notReady","offline","parseError","rateLimited","serviceUnavai\#
lable","signInNeeded","storageFull","timedOut","tooLarge","tooMany","unknownAccount","unsupportedVersion","use\#
rExists","vaultCopied","vaultDamaged","vaultLocked","vaultUnavailable","weakPassword","wrongKey","wrongUser"],\#
"type":"string"},"EventType":{"description":"The name of an event, in the style of Supabase clients.","example\#
s":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CHANGE\#
D","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"s\#
tring"},"MetricFamily":{"description":"A metric family of OpenMetrics 1.0, section \"MetricFamily\".","propert\#
ies":{"help":{"description":"A readable description of the family.","type":"string"},"name":{"description":"Th\#
e name of the family.","type":"string"},"samples":{"description":"The samples of the family.","items":{"$ref":\#
"#/$defs/MetricFamily.Sample"},"type":"array"},"type":{"description":"`counter`, `gauge`, `histogram`, `info` \#
or `stateset`.","type":"string"},"unit":{"description":"The unit, which is the last part of the name; absent i\#
f there is none.","type":"string"}},"required":["help","name","samples","type"],"type":"object"},"MetricFamily\#
.Sample":{"properties":{"labels":{"additionalProperties":{"type":"string"},"description":"The labels of the sa\#
mple, by name.","type":"object"},"suffix":{"description":"The suffix of the metric name: `_total`, `_bucket`, \#
`_count`, `_sum`, `_info` or empty.","type":"string"},"value":{"description":"The value of the sample.","type"\#
:"number"}},"required":["labels","suffix","value"],"type":"object"},"NextStep":{"description":"The next sensib\#
le step on this machine.","properties":{"reason":{"description":"Why it is the next step.","type":"string"},"s\#
tep":{"description":"A command, or an instruction if no command helps.","type":"string"}},"required":["reason"\#
,"step"],"type":"object"},"Overview.Group":{"description":"A group of commands.","properties":{"commands":{"de\#
scription":"The names of its commands.","items":{"type":"string"},"type":"array"},"name":{"description":"The t\#
itle of the group.","type":"string"}},"required":["commands","name"],"type":"object"},"RefreshStatus":{"descri\#
ption":"The refresh schedule of an account and its recent failures.","properties":{"attempts":{"description":"\#
The number of failed attempts since the last success.","type":"integer"},"clockSkew":{"description":"Seconds b\#
y which the server's clock is ahead of this machine's, measured at its last answer. A skew of about one second\#
 is normal.","type":"integer"},"lastError":{"$ref":"#/$defs/AgentError","description":"The most recent error s\#
ince the last success."},"nextAt":{"description":"When the next attempt is due.","format":"date-time","pattern\#
":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":\#
"object"},"RefreshTry":{"description":"One refresh attempt.","properties":{"at":{"description":"When the attem\#
pt began.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"s\#
tring"},"error":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error, if the attempt failed."},"la\#
tency":{"description":"The duration of the attempt in seconds.","type":"number"},"outcome":{"description":"`re\#
freshed`, `ended`, `failed`, `misconfigured`, `superseded`.","type":"string"},"reason":{"description":"The tri\#
gger: `ahead`, `demand`, `rejected`, `forced`, `start`, `retry`, `sleep`.","type":"string"},"status":{"descrip\#
tion":"The HTTP status, if the server answered.","type":"integer"}},"required":["at","latency","outcome","reas\#
on"],"type":"object"},"SessionSignOut.Failure":{"description":"An account that is still signed in.","propertie\#
s":{"account":{"description":"The account's name.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","descri\#
ption":"The kind of the error."},"message":{"description":"The message for the user.","type":"string"}},"requi\#
red":["account","kind","message"],"type":"object"},"SessionToken.Endpoints":{"description":"The project's URLs\#
 and key, which a tool needs to use the token.","properties":{"anonKey":{"description":"The anon or publishabl\#
e key, which Supabase expects in the header `apikey`.","type":"string"},"apiURL":{"description":"The configure\#
d API URL, or the project URL if there is none. Absent if the API URL changed after the sign-in and was not ac\#
cepted yet (`session.useAPI`).","type":"string"},"projectURL":{"description":"The project URL, without a trail\#
ing slash.","type":"string"}},"required":["anonKey","projectURL"],"type":"object"},"SessionToken.Result":{"pro\#
perties":{"accessToken":{"description":"The bearer token. Never log it or pass it as a command-line argument."\#
,"type":"string"},"account":{"description":"The account that the token belongs to.","type":"string"},"endpoint\#
s":{"$ref":"#/$defs/SessionToken.Endpoints","description":"The project that accepts the token, if the caller a\#
sked for it."},"expiresAt":{"description":"The token's expiry, by this machine's clock.","format":"date-time",\#
"pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"descriptio\#
n":"Seconds until the token expires.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","typ\#
e":"string"},"unchanged":{"description":"True if the caller reported this token as rejected and there is no ne\#
wer one. The caller must not repeat its request.","type":"boolean"}},"required":["accessToken","account","expi\#
resAt","expiresIn","tokenType"],"type":"object"},"SignInDecision":{"description":"A decision that a person mak\#
es before a sign-in takes effect.","properties":{"account":{"description":"The name of the account to sign in \#
to.","type":"string"},"flow":{"description":"The flow that `identity.decide` takes.","type":"string"},"identit\#
y":{"$ref":"#/$defs/AccountIdentity","description":"For `link`, the linked sign-in method."},"kind":{"descript\#
ion":"`newAccount`: confirm the user of a first sign-in by a pasted URL. `link`: accept that the server linked\#
 the sign-in to an account with other sign-in methods.","type":"string"},"others":{"description":"For `link`, \#
the sign-in methods that the account had before.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"\#
user":{"$ref":"#/$defs/AccountUser","description":"The user who signed in."}},"required":["account","flow","ki\#
nd","user"],"type":"object"},"SignInResult.Outcome":{"examples":["signedIn","confirmationSent","decisionNeeded\#
"],"type":"string"},"TelemetryRecord":{"description":"One event, such as `auth_completed` with `duration_ms`."\#
,"properties":{"at":{"description":"When the event happened.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{\#
2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"description":"The event's name.","type":"\#
string"},"properties":{"additionalProperties":{"type":"string"},"description":"Values of `method`, `reason`, `\#
error_type` or `duration_ms`: numbers or members of a fixed set.","type":"object"}},"required":["at","event","\#
properties"],"type":"object"},"UnrevokedSession":{"description":"A session that a reset removes on this machin\#
e, but that is not revoked on its server.","properties":{"account":{"description":"The account's name.","type"\#
:"string"},"reason":{"description":"A readable reason.","type":"string"}},"required":["account","reason"],"typ\#
e":"object"},"VaultFinding":{"description":"The result of checking one file of the vault.","properties":{"deta\#
il":{"description":"Readable details.","type":"string"},"file":{"description":"The file's name in the vault's \#
directory, which reveals nothing about its content.","type":"string"},"state":{"description":"`ok`, `damaged`,\#
 `newer`, `unreadable`, `setAside`, `missing` or `foreign`.","type":"string"}},"required":["file","state"],"ty\#
pe":"object"},"VaultKey":{"description":"A key that opens the vault.","properties":{"id":{"description":"32 he\#
xadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/\#
VaultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id me\#
mory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphrase, the number of A\#
rgon2id passes for each attempt.","type":"integer"}},"required":["id","kind"],"type":"object"},"VaultKeyKind":\#
{"description":"The kind of a vault key.","examples":["keyFile","passphrase","credential"],"type":"string"},"V\#
aultSummary":{"description":"The state of the vault.","properties":{"damaged":{"description":"The file names o\#
f records that were set aside as damaged.","items":{"type":"string"},"type":"array"},"error":{"$ref":"#/$defs/\#
ErrorKind","description":"Why the vault is `unavailable`, such as `vaultDamaged`; `protection` then holds the \#
remedy."},"openedBy":{"description":"The key that opened the vault: `key file`, `passphrase` or `systemd crede\#
ntial`.","type":"string"},"protection":{"description":"A readable statement of what the key protects and what \#
it does not.","type":"string"},"state":{"description":"`open`, `copied` (from another machine: refreshes are s\#
uspended), `locked` or `unavailable`.","type":"string"}},"required":["damaged","state"],"type":"object"}},"com\#
mands":{"accounts list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List accounts\#
.","properties":{"accounts":{"description":"All accounts.","items":{"$ref":"#/$defs/AccountStatus"},"type":"ar\#
ray"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there a\#
re none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualct\#
l accounts list --json","type":"object"},"accounts remove":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"Sign an account out and delete everything stored about it.","properties":{"account":{"de\#
scription":"The name of the removed account.","type":"string"},"formatVersion":{"const":1,"description":"The v\#
ersion of the format. It increases when an existing script would misread a document.","type":"integer"},"isPen\#
ding":{"description":"True if the server has not confirmed the end of the session yet; the agent keeps trying.\#
","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"\#
string"},"type":"array"}},"required":["account","formatVersion","isPending"],"title":"ritualctl accounts remov\#
e --json","type":"object"},"accounts rename":{"$schema":"https://json-schema.org/draft/2020-12/schema","descri\#
ption":"Rename an account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":"The oper\#
ation that runs for the account."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the sess\#
ion ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, by this m\#
achine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","ty\#
pe":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existi\#
ng script would misread a document.","type":"integer"},"identities":{"description":"The sign-in methods that a\#
re linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":\#
"Whether requests without an account name use this account.","type":"boolean"},"name":{"description":"The acco\#
unt's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile is known."\#
,"type":"string"},"origin":{"description":"The origin that issued the session, or the configured origin if the\#
re is no session.","type":"string"},"project":{"description":"The project's name in the configuration.","type"\#
:"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent without a ses\#
sion."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsable":{"desc\#
ription":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs\#
/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; absent if the\#
re are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","identities","\#
isDefault","name","project","state","tokenUsable"],"title":"ritualctl accounts rename --json","type":"object"}\#
,"api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Send an authorized API request\#
 and print the response body.","properties":{"body":{"description":"The body in base64 (RFC 4648, section 4)."\#
,"type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an ex\#
isting script would misread a document.","type":"integer"},"headers":{"description":"The response headers, as \#
pairs of name and value.","items":{"items":{"type":"string"},"type":"array"},"type":"array"},"status":{"descri\#
ption":"The HTTP status.","type":"integer"},"text":{"description":"The body again if it is text: UTF-8 of a co\#
ntent type `text/*` or JSON.","type":"string"},"warnings":{"description":"Readable warnings; absent if there a\#
re none.","items":{"type":"string"},"type":"array"}},"required":["body","formatVersion","headers","status"],"t\#
itle":"ritualctl api --json","type":"object"},"approvals allow":{"$schema":"https://json-schema.org/draft/2020\#
-12/schema","description":"Allow a program to use the account that it requested.","properties":{"account":{"de\#
scription":"The account that the program wants to use.","type":"string"},"askedAt":{"description":"When the fi\#
rst request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\#
$","type":"string"},"executable":{"description":"The executable of that process, without arguments; absent if \#
it cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"id":{"description":"The id that\#
 `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"method":{"description\#
":"The method of the first request.","type":"string"},"pid":{"description":"The process that made the first re\#
quest.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `deni\#
ed`."},"unit":{"description":"The systemd unit of that process; absent if it has none.","type":"string"},"unti\#
l":{"description":"When the approval expires; absent for an answer that is valid until the vault is locked.","\#
format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"war\#
nings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}\#
},"required":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl approvals al\#
low --json","type":"object"},"approvals deny":{"$schema":"https://json-schema.org/draft/2020-12/schema","descr\#
iption":"Deny a program access. Its requests are refused while the answer is valid.","properties":{"account":{\#
"description":"The account that the program wants to use.","type":"string"},"askedAt":{"description":"When the\#
 first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{\#
2}Z$","type":"string"},"executable":{"description":"The executable of that process, without arguments; absent \#
if it cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. I\#
t increases when an existing script would misread a document.","type":"integer"},"id":{"description":"The id t\#
hat `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"method":{"descript\#
ion":"The method of the first request.","type":"string"},"pid":{"description":"The process that made the first\#
 request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `d\#
enied`."},"unit":{"description":"The systemd unit of that process; absent if it has none.","type":"string"},"u\#
ntil":{"description":"When the approval expires; absent for an answer that is valid until the vault is locked.\#
","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"\#
warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arra\#
y"}},"required":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ritualctl approvals\#
 deny --json","type":"object"},"approvals list":{"$schema":"https://json-schema.org/draft/2020-12/schema","des\#
cription":"List pending requests and valid answers.","properties":{"approvals":{"description":"The pending acc\#
ess requests and the valid answers, oldest first.","items":{"$ref":"#/$defs/Approval"},"type":"array"},"format\#
Version":{"const":1,"description":"The version of the format. It increases when an existing script would misre\#
ad a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","it\#
ems":{"type":"string"},"type":"array"}},"required":["approvals","formatVersion"],"title":"ritualctl approvals \#
list --json","type":"object"},"approvals revoke":{"$schema":"https://json-schema.org/draft/2020-12/schema","de\#
scription":"Delete an answer. The next request needs a new one.","properties":{"formatVersion":{"const":1,"des\#
cription":"The version of the format. It increases when an existing script would misread a document.","type":"\#
integer"},"id":{"description":"The id of the approval.","type":"string"},"warnings":{"description":"Readable w\#
arnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id\#
"],"title":"ritualctl approvals revoke --json","type":"object"},"audit":{"$schema":"https://json-schema.org/dr\#
aft/2020-12/schema","anyOf":[{"description":"Without `--verify`.","properties":{"entries":{"description":"The \#
entries, newest last.","items":{"$ref":"#/$defs/AuditEntry"},"type":"array"},"formatVersion":{"const":1,"descr\#
iption":"The version of the format. It increases when an existing script would misread a document.","type":"in\#
teger"},"isChecked":{"description":"Whether each entry was checked against the chain; false while the vault is\#
 locked.","type":"boolean"},"leftOut":{"description":"The number of lines in the files read that do not match \#
the chain. They are not among the entries.","type":"integer"},"more":{"description":"Whether older entries exi\#
st.","type":"boolean"},"unknownCount":{"description":"The total number of unknown files.","type":"integer"},"u\#
nknownFiles":{"description":"Files in the log's directory that the agent did not create: their escaped names, \#
at most 20.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if\#
 there are none.","items":{"type":"string"},"type":"array"}},"required":["entries","formatVersion","isChecked"\#
,"leftOut","more","unknownCount","unknownFiles"],"type":"object"},{"description":"With `--verify`.","propertie\#
s":{"findings":{"description":"The mismatches with the chain; empty if the log is intact.","items":{"$ref":"#/\#
$defs/AuditVerify.Finding"},"type":"array"},"first":{"description":"The first entry that is kept.","minimum":0\#
,"type":"integer"},"fitting":{"description":"The number of entries that match the chain.","type":"integer"},"f\#
ormatVersion":{"const":1,"description":"The version of the format. It increases when an existing script would \#
misread a document.","type":"integer"},"interruptions":{"description":"The entries after which the agent ended\#
 without a clean stop. Entries of up to one second before may be missing.","items":{"minimum":0,"type":"intege\#
r"},"type":"array"},"isWhole":{"description":"True if there are no findings.","type":"boolean"},"limits":{"des\#
cription":"Readable statements of what the verification does not prove.","items":{"type":"string"},"type":"arr\#
ay"},"sealed":{"description":"The last entry that is sealed in the vault.","minimum":0,"type":"integer"},"unse\#
aled":{"description":"The number of entries after the last sealed one. They match the chain, but their removal\#
 would go unnoticed.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none\#
.","items":{"type":"string"},"type":"array"}},"required":["findings","first","fitting","formatVersion","interr\#
uptions","isWhole","limits","sealed","unsealed"],"type":"object"}],"description":"Show sign-ins, sign-outs, an\#
d issued tokens, newest last.","title":"ritualctl audit --json"},"complete-sign-in":{"$schema":"https://json-s\#
chema.org/draft/2020-12/schema","description":"Finish a sign-in by pasting the redirect URL.","properties":{"a\#
ccount":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$d\#
efs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `identity.decide` sends \#
the answer."},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existi\#
ng script would misread a document.","type":"integer"},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","descr\#
iption":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; a\#
bsent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"t\#
itle":"ritualctl complete-sign-in --json","type":"object"},"doctor":{"$schema":"https://json-schema.org/draft/\#
2020-12/schema","description":"Check the setup and show how to fix problems.","properties":{"checks":{"descrip\#
tion":"The results of the checks.","items":{"$ref":"#/$defs/DiagnosticCheck"},"type":"array"},"formatVersion":\#
{"const":1,"description":"The version of the format. It increases when an existing script would misread a docu\#
ment.","type":"integer"},"isHealthy":{"description":"Whether no check failed.","type":"boolean"},"version":{"d\#
escription":"The version of this program.","type":"string"},"warnings":{"description":"Readable warnings; abse\#
nt if there are none.","items":{"type":"string"},"type":"array"}},"required":["checks","formatVersion","isHeal\#
thy","version"],"title":"ritualctl doctor --json","type":"object"},"error":{"$schema":"https://json-schema.org\#
/draft/2020-12/schema","description":"The error of any command, on standard error.","properties":{"error":{"$r\#
ef":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":{"description":"The \#
exit status of the command.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the fo\#
rmat. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"descripti\#
on":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["err\#
or","exitStatus","formatVersion"],"title":"ritualctl: error","type":"object"},"events":{"$schema":"https://jso\#
n-schema.org/draft/2020-12/schema","description":"One line per event: the current state first, then every chan\#
ge.","properties":{"account":{"description":"The account that changed; absent if the event does not concern an\#
 account.","type":"string"},"approval":{"$ref":"#/$defs/Approval","description":"The pending access request (`\#
APPROVAL_NEEDED`), or the answered or expired one (`APPROVAL_ANSWERED`)."},"at":{"description":"When it change\#
d.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}\#
,"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wou\#
ld misread a document.","type":"integer"},"reason":{"description":"A readable reason, for `SIGNED_OUT` and `ST\#
ATE_CHANGED`; for `ACCOUNT_LINKED` the provider and how it was linked.","type":"string"},"sequence":{"descript\#
ion":"Increases by one with each change. Events that describe the current state to a new subscriber carry the \#
number of the last change in that state.","minimum":0,"type":"integer"},"status":{"$ref":"#/$defs/AccountStatu\#
s","description":"The account after the change."},"token":{"$ref":"#/$defs/SessionToken.Result","description":\#
"The new token, for subscribers that requested tokens."},"type":{"$ref":"#/$defs/EventType","description":"The\#
 kind of change."}},"required":["at","formatVersion","sequence","type"],"title":"ritualctl events --json","typ\#
e":"object"},"exec":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Why the command w\#
as not run, on standard error. The output of the command itself is unchanged.","properties":{"error":{"$ref":"\#
#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":{"description":"The exit \#
status of the command.","type":"integer"},"formatVersion":{"const":1,"description":"The version of the format.\#
 It increases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["error","\#
exitStatus","formatVersion"],"title":"ritualctl exec --json","type":"object"},"help":{"$schema":"https://json-\#
schema.org/draft/2020-12/schema","anyOf":[{"description":"With `--help` or `--version`.","properties":{"format\#
Version":{"const":1,"description":"The version of the format. It increases when an existing script would misre\#
ad a document.","type":"integer"},"groups":{"description":"The groups of commands; only with the help of the p\#
rogram itself.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"text":{"description":"The text.","t\#
ype":"string"}},"required":["formatVersion","text"],"type":"object"},{"description":"Without a command.","prop\#
erties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing sc\#
ript would misread a document.","type":"integer"},"groups":{"description":"The commands by group.","items":{"$\#
ref":"#/$defs/Overview.Group"},"type":"array"},"next":{"$ref":"#/$defs/NextStep","description":"The next sensi\#
ble step on this machine."}},"required":["formatVersion","groups","next"],"type":"object"}],"description":"The\#
 output of `--help` and `--version`, and of `ritualctl` without a command.","title":"ritualctl: help"},"identi\#
ties":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List linked sign-in methods.","\#
properties":{"account":{"description":"The account whose user has the sign-in methods.","type":"string"},"form\#
atVersion":{"const":1,"description":"The version of the format. It increases when an existing script would mis\#
read a document.","type":"integer"},"identities":{"description":"The linked sign-in methods.","items":{"$ref":\#
"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the server could not be asked \#
and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Readable warnings; absent\#
 if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","identit\#
ies","isCurrent"],"title":"ritualctl identities --json","type":"object"},"init":{"$schema":"https://json-schem\#
a.org/draft/2020-12/schema","description":"Add a Supabase project to the configuration, or change one.","prope\#
rties":{"apiAccepted":{"description":"The accounts that accepted the API of `--api-url`; absent without that o\#
ption.","items":{"type":"string"},"type":"array"},"change":{"description":"`added`, `updated` or `none`.","typ\#
e":"string"},"configuration":{"description":"The path of the configuration file.","type":"string"},"formatVers\#
ion":{"const":1,"description":"The version of the format. It increases when an existing script would misread a\#
 document.","type":"integer"},"note":{"description":"A note about the part that was removed from a pasted URL.\#
","type":"string"},"project":{"description":"The project's name.","type":"string"},"warning":{"description":"A\#
 problem with the reload of a running agent, or with the project.","type":"string"},"warnings":{"description":\#
"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["change"\#
,"configuration","formatVersion","project"],"title":"ritualctl init --json","type":"object"},"link":{"$schema"\#
:"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.","properties":{"account"\#
:{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/Sig\#
nInDecision","description":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the ans\#
wer."},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scri\#
pt would misread a document.","type":"integer"},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description"\#
:"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent i\#
f there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"type":"o\#
bject"},{"description":"With `--no-browser`.","properties":{"expiresAt":{"description":"When the flow expires \#
on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","typ\#
e":"string"},"flow":{"description":"The ID of the flow.","type":"string"},"formatVersion":{"const":1,"descript\#
ion":"The version of the format. It increases when an existing script would misread a document.","type":"integ\#
er"},"outcome":{"description":"`begun`.","type":"string"},"url":{"description":"The URL to open.","type":"stri\#
ng"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type"\#
:"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"}],"description":"Li\#
nk Apple or Google as a sign-in method.","title":"ritualctl link --json"},"lock":{"$schema":"https://json-sche\#
ma.org/draft/2020-12/schema","description":"Lock the vault. No tokens are issued or refreshed until it is unlo\#
cked.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an\#
 existing script would misread a document.","type":"integer"},"opensByFile":{"description":"Whether a key file\#
 or credential opens the vault again, so that any program of the user can unlock it.","type":"boolean"},"warni\#
ng":{"description":"A readable problem that did not prevent the lock.","type":"string"},"warnings":{"descripti\#
on":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["for\#
matVersion","opensByFile"],"title":"ritualctl lock --json","type":"object"},"metrics":{"$schema":"https://json\#
-schema.org/draft/2020-12/schema","description":"Print the agent's counters in OpenMetrics format.","propertie\#
s":{"events":{"description":"The last events, oldest first.","items":{"$ref":"#/$defs/TelemetryRecord"},"type"\#
:"array"},"families":{"description":"The counters, as metric families of OpenMetrics.","items":{"$ref":"#/$def\#
s/MetricFamily"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["events","families\#
","formatVersion"],"title":"ritualctl metrics --json","type":"object"},"profile":{"$schema":"https://json-sche\#
ma.org/draft/2020-12/schema","description":"Show or change the user's profile.","properties":{"account":{"desc\#
ription":"The account whose user has the profile.","type":"string"},"formatVersion":{"const":1,"description":"\#
The version of the format. It increases when an existing script would misread a document.","type":"integer"},"\#
onboarding":{"description":"`needed` or `complete`.","type":"string"},"prefill":{"additionalProperties":{},"de\#
scription":"Values that Apple sent at the first sign-in and that the profile lacks. `profile.update` adds them\#
.","type":"object"},"profile":{"additionalProperties":{},"description":"The profile from the API; absent if th\#
ere is none yet.","type":"object"},"warnings":{"description":"Readable warnings; absent if there are none.","i\#
tems":{"type":"string"},"type":"array"}},"required":["account","formatVersion","onboarding"],"title":"ritualct\#
l profile --json","type":"object"},"refresh":{"$schema":"https://json-schema.org/draft/2020-12/schema","descri\#
ption":"Refresh now (at most once every 5 seconds).","properties":{"activity":{"$ref":"#/$defs/AccountActivity\#
","description":"The operation that runs for the account."},"ended":{"$ref":"#/$defs/EndedSession","descriptio\#
n":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access \#
token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}\#
:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It\#
 increases when an existing script would misread a document.","type":"integer"},"identities":{"description":"T\#
he sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"i\#
sDefault":{"description":"Whether requests without an account name use this account.","type":"boolean"},"name"\#
:{"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, on\#
ce the profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the\#
 configured origin if there is no session.","type":"string"},"project":{"description":"The project's name in t\#
he configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh sched\#
ule; absent without a session."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the sessio\#
n."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"\#
},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readabl\#
e warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","form\#
atVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl refresh --json"\#
,"type":"object"},"register-handler":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"desc\#
ription":"Without `--print`.","properties":{"file":{"description":"The path of the desktop entry.","type":"str\#
ing"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"registered":{"description":"Whether the agent opens URLs of th\#
e scheme now.","type":"boolean"},"scheme":{"description":"The URL scheme.","type":"string"},"warnings":{"descr\#
iption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":[\#
"file","formatVersion","registered","scheme"],"type":"object"},{"description":"With `--print`.","properties":{\#
"entry":{"description":"The text of the desktop entry.","type":"string"},"formatVersion":{"const":1,"descripti\#
on":"The version of the format. It increases when an existing script would misread a document.","type":"intege\#
r"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":\#
"array"}},"required":["entry","formatVersion"],"type":"object"}],"description":"Open dailyritual:// URLs with \#
the agent.","title":"ritualctl register-handler --json"},"reload":{"$schema":"https://json-schema.org/draft/20\#
20-12/schema","description":"Reload the agent's configuration.","properties":{"formatVersion":{"const":1,"desc\#
ription":"The version of the format. It increases when an existing script would misread a document.","type":"i\#
nteger"},"projects":{"description":"The names of the projects in the configuration.","items":{"type":"string"}\#
,"type":"array"},"reloaded":{"description":"Whether the file was read: false if the agent uses a file other th\#
an `file`. Absent in older agents.","type":"boolean"},"warning":{"description":"A readable problem, such as a \#
failed check; absent if there is none.","type":"string"},"warnings":{"description":"Readable warnings; absent \#
if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","projects"],"title"\#
:"ritualctl reload --json","type":"object"},"reset":{"$schema":"https://json-schema.org/draft/2020-12/schema",\#
"description":"Sign out of all accounts and remove the agent's data.","properties":{"formatVersion":{"const":1\#
,"description":"The version of the format. It increases when an existing script would misread a document.","ty\#
pe":"integer"},"kept":{"description":"The paths that were kept: the configuration, without `--config`.","items\#
":{"type":"string"},"type":"array"},"removed":{"description":"The paths that were removed.","items":{"type":"s\#
tring"},"type":"array"},"signedOut":{"description":"The accounts that were signed out.","items":{"type":"strin\#
g"},"type":"array"},"unrevoked":{"description":"The sessions that may still be active on their server.","items\#
":{"$ref":"#/$defs/UnrevokedSession"},"type":"array"},"warnings":{"description":"Readable warnings; absent if \#
there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","kept","removed","sign\#
edOut","unrevoked"],"title":"ritualctl reset --json","type":"object"},"schema":{"$schema":"https://json-schema\#
.org/draft/2020-12/schema","anyOf":[{"description":"Without a command.","properties":{"commands":{"description\#
":"The commands that `ritualctl schema` takes, and `error` and `help`.","items":{"type":"string"},"type":"arra\#
y"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script \#
would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are\#
 none.","items":{"type":"string"},"type":"array"}},"required":["commands","formatVersion"],"type":"object"},{"\#
description":"With a command.","properties":{"command":{"description":"The command whose document the schema d\#
escribes.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases \#
when an existing script would misread a document.","type":"integer"},"schema":{"description":"The JSON Schema.\#
"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"\#
array"}},"required":["command","formatVersion","schema"],"type":"object"}],"description":"Print the JSON Schem\#
a of a command's --json document.","title":"ritualctl schema --json"},"sign-in":{"$schema":"https://json-schem\#
a.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.","properties":{"account":{"$ref":"#/$defs/Ac\#
countStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","descri\#
ption":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersio\#
n":{"const":1,"description":"The version of the format. It increases when an existing script would misread a d\#
ocument.","type":"integer"},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confi\#
rmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","\#
items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"},{"descriptio\#
n":"With `--no-browser`.","properties":{"expiresAt":{"description":"When the flow expires on the server.","for\#
mat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":\#
{"description":"The ID of the flow.","type":"string"},"formatVersion":{"const":1,"description":"The version of\#
 the format. It increases when an existing script would misread a document.","type":"integer"},"outcome":{"des\#
cription":"`begun`.","type":"string"},"url":{"description":"The URL to open.","type":"string"},"warnings":{"de\#
scription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required\#
":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"}],"description":"Sign in with Apple, Go\#
ogle, or email and password.","title":"ritualctl sign-in --json"},"sign-out":{"$schema":"https://json-schema.o\#
rg/draft/2020-12/schema","description":"Sign out on this machine and on the server.","properties":{"accounts":\#
{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"array"},"failed":{"descr\#
iption":"With `all`, the accounts whose sign-out failed, and why. Absent if there are none.","items":{"$ref":"\#
#/$defs/SessionSignOut.Failure"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"pending":{"descript\#
ion":"The accounts whose revocation is pending until the server is reachable.","items":{"type":"string"},"type\#
":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},\#
"type":"array"}},"required":["accounts","formatVersion","pending"],"title":"ritualctl sign-out --json","type":\#
"object"},"status":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Show the current s\#
tate of the agent, the vault, and the accounts.","properties":{"accounts":{"description":"The accounts. They m\#
ay be unknown while the vault is locked.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array"},"autostart"\#
:{"description":"Whether the first sign-in enables the agent's service (`[agent] autostart`). Absent in older \#
agents, whose first sign-in does.","type":"boolean"},"formatVersion":{"const":1,"description":"The version of \#
the format. It increases when an existing script would misread a document.","type":"integer"},"health":{"descr\#
iption":"Readable findings; empty if there is nothing to report.","items":{"type":"string"},"type":"array"},"p\#
id":{"description":"The agent's process ID.","type":"integer"},"stateFolder":{"description":"The state directo\#
ry of the agent; a `ritualctl` with another environment would look elsewhere. Absent in older agents.","type":\#
"string"},"unrevoked":{"description":"The accounts with a pending revocation on the server. Absent while the v\#
ault is locked, because the list is then unknown.","items":{"type":"string"},"type":"array"},"uptime":{"descri\#
ption":"Seconds since the agent became ready.","type":"integer"},"vault":{"$ref":"#/$defs/VaultSummary","descr\#
iption":"The state of the vault."},"version":{"description":"The version of the agent.","type":"string"},"warn\#
ings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}}\#
,"required":["accounts","formatVersion","health","pid","uptime","vault","version"],"title":"ritualctl status -\#
-json","type":"object"},"token":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Print\#
 a valid access token.","properties":{"accessToken":{"description":"The bearer token. Never log it or pass it \#
as a command-line argument.","type":"string"},"account":{"description":"The account that the token belongs to.\#
","type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","description":"The project that accept\#
s the token, if the caller asked for it."},"expiresAt":{"description":"The token's expiry, by this machine's c\#
lock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"strin\#
g"},"expiresIn":{"description":"Seconds until the token expires.","type":"integer"},"formatVersion":{"const":1\#
,"description":"The version of the format. It increases when an existing script would misread a document.","ty\#
pe":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","type":"string"},"unchanged":{"description":"\#
True if the caller reported this token as rejected and there is no newer one. The caller must not repeat its r\#
equest.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"\#
type":"string"},"type":"array"}},"required":["accessToken","account","expiresAt","expiresIn","formatVersion","\#
tokenType"],"title":"ritualctl token --json","type":"object"},"unlink":{"$schema":"https://json-schema.org/dra\#
ft/2020-12/schema","description":"Unlink a sign-in method. The last one cannot be removed.","properties":{"acc\#
ount":{"description":"The account whose user has the sign-in methods.","type":"string"},"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"identities":{"description":"The linked sign-in methods.","items":{"$ref":"#/$defs/AccountI\#
dentity"},"type":"array"},"isCurrent":{"description":"False if the server could not be asked and the list is i\#
ts last known answer.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are non\#
e.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","identities","isCurrent"]\#
,"title":"ritualctl unlink --json","type":"object"},"unlock":{"$schema":"https://json-schema.org/draft/2020-12\#
/schema","description":"Unlock the vault.","properties":{"formatVersion":{"const":1,"description":"The version\#
 of the format. It increases when an existing script would misread a document.","type":"integer"},"key":{"$ref\#
":"#/$defs/VaultKey","description":"The key that opened the vault."},"warnings":{"description":"Readable warni\#
ngs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","key"],\#
"title":"ritualctl unlock --json","type":"object"},"use":{"$schema":"https://json-schema.org/draft/2020-12/sch\#
ema","description":"Set the default account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","desc\#
ription":"The operation that runs for the account."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why\#
 and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's\#
 expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{\#
2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increa\#
ses when an existing script would misread a document.","type":"integer"},"identities":{"description":"The sign\#
-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefaul\#
t":{"description":"Whether requests without an account name use this account.","type":"boolean"},"name":{"desc\#
ription":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the \#
profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the config\#
ured origin if there is no session.","type":"string"},"project":{"description":"The project's name in the conf\#
iguration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; ab\#
sent without a session."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"t\#
okenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user\#
":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warni\#
ngs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersi\#
on","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl use --json","type":"ob\#
ject"},"use-api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow the configured\#
 API to receive an account's token.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","description":\#
"The operation that runs for the account."},"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when\#
 the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token's expiry, \#
by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{\#
2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when \#
an existing script would misread a document.","type":"integer"},"identities":{"description":"The sign-in metho\#
ds that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"desc\#
ription":"Whether requests without an account name use this account.","type":"boolean"},"name":{"description":\#
"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once the profile i\#
s known.","type":"string"},"origin":{"description":"The origin that issued the session, or the configured orig\#
in if there is no session.","type":"string"},"project":{"description":"The project's name in the configuration\#
.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; absent with\#
out a session."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},"tokenUsabl\#
e":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"user":{"$ref"\#
:"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable warnings; abse\#
nt if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVersion","iden\#
tities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl use-api --json","type":"object"\#
},"vault add-key":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Add a key that open\#
s the vault: a passphrase, a key file, or a systemd credential.","properties":{"formatVersion":{"const":1,"des\#
cription":"The version of the format. It increases when an existing script would misread a document.","type":"\#
integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The added key."},"removed":{"description":"The remov\#
ed slots: those of key files, or the replaced one.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"warni\#
ngs":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},\#
"required":["formatVersion","key","removed"],"title":"ritualctl vault add-key --json","type":"object"},"vault \#
adopt":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Use a vault that was copied fr\#
om another machine.","properties":{"accounts":{"description":"The accounts whose sessions are now used here.",\#
"items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format.\#
 It increases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts\#
","formatVersion"],"title":"ritualctl vault adopt --json","type":"object"},"vault rekey":{"$schema":"https://j\#
son-schema.org/draft/2020-12/schema","description":"Create a new master key and re-encrypt the vault.","proper\#
ties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scri\#
pt would misread a document.","type":"integer"},"generation":{"description":"The vault's generation after the \#
change.","minimum":0,"type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.\#
","items":{"type":"string"},"type":"array"}},"required":["formatVersion","generation"],"title":"ritualctl vaul\#
t rekey --json","type":"object"},"vault remove-key":{"$schema":"https://json-schema.org/draft/2020-12/schema",\#
"description":"Remove a vault key. The last one cannot be removed.","properties":{"formatVersion":{"const":1,"\#
description":"The version of the format. It increases when an existing script would misread a document.","type\#
":"integer"},"id":{"description":"32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","t\#
ype":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of the key."},"memory":{"descript\#
ion":"For a passphrase, the Argon2id memory for each attempt, in bytes.","type":"integer"},"passes":{"descript\#
ion":"For a passphrase, the number of Argon2id passes for each attempt.","type":"integer"},"warnings":{"descri\#
ption":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["\#
formatVersion","id","kind"],"title":"ritualctl vault remove-key --json","type":"object"},"vault status":{"$sch\#
ema":"https://json-schema.org/draft/2020-12/schema","description":"Show the state of the vault, its keys, and \#
what they protect.","properties":{"damaged":{"description":"Files that were set aside or ignored, and why.","i\#
tems":{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"The version of\#
 the format. It increases when an existing script would misread a document.","type":"integer"},"generation":{"\#
description":"Increases with every change of keys.","minimum":0,"type":"integer"},"idleLock":{"description":"I\#
dle time before locking, in seconds; absent means never.","type":"integer"},"isAuthenticated":{"description":"\#
Whether `keys`, `generation` and `machine` were authenticated with the vault's key. Until the vault is first o\#
pened, they are unverified values from its file.","type":"boolean"},"isMemoryLocked":{"description":"Whether t\#
he keys are locked in memory, so that they cannot be swapped out.","type":"boolean"},"isRekeying":{"descriptio\#
n":"Whether a `vault.rekey` was interrupted. The next `vault.rekey` or unlock continues it.","type":"boolean"}\#
,"keys":{"description":"The keys, in the order in which they were added.","items":{"$ref":"#/$defs/VaultKey"},\#
"type":"array"},"lockedBy":{"description":"Why the vault is locked: `hand`, `idle`, `session`, or `start` if n\#
o key was available.","type":"string"},"machine":{"description":"Whether the vault belongs to this machine: `t\#
his`, `other` or `unknown`.","type":"string"},"openedBy":{"$ref":"#/$defs/VaultKeyKind","description":"The kin\#
d of key that opened the vault."},"protection":{"description":"Readable statements of what each kind of key pr\#
otects and what it does not.","items":{"type":"string"},"type":"array"},"state":{"description":"`open`, `copie\#
d`, `locked` or `unavailable`.","enum":["open","copied","locked","unavailable"],"type":"string"},"warnings":{"\#
description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requir\#
ed":["damaged","formatVersion","generation","isAuthenticated","isMemoryLocked","isRekeying","keys","machine","\#
protection","state"],"title":"ritualctl vault status --json","type":"object"},"vault verify":{"$schema":"https\#
://json-schema.org/draft/2020-12/schema","description":"Check every file of the open vault, without changing a\#
nything.","properties":{"files":{"description":"Every file of the vault, with the result of its check.","items\#
":{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the\#
 format. It increases when an existing script would misread a document.","type":"integer"},"isWhole":{"descrip\#
tion":"Whether every file is unchanged since the vault wrote it.","type":"boolean"},"warnings":{"description":\#
"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["files",\#
"formatVersion","isWhole"],"title":"ritualctl vault verify --json","type":"object"},"whoami":{"$schema":"https\#
://json-schema.org/draft/2020-12/schema","description":"Show the user who is signed in.","properties":{"activi\#
ty":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"ended":{"$ref\#
":"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"ex\#
piresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"\#
^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"descrip\#
tion":"The version of the format. It increases when an existing script would misread a document.","type":"inte\#
ger"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/\#
AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use thi\#
s account.","type":"boolean"},"name":{"description":"The account's name.","type":"string"},"onboarding":{"desc\#
ription":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The or\#
igin that issued the session, or the configured origin if there is no session.","type":"string"},"project":{"d\#
escription":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStat\#
us","description":"The refresh schedule; absent without a session."},"state":{"$ref":"#/$defs/AccountState","d\#
escription":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a \#
token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."\#
},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"a\#
rray"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"\#
],"title":"ritualctl whoami --json","type":"object"},"why":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"Show the next refresh, the reason, and recent attempts.","properties":{"account":{"$ref"\#
:"#/$defs/AccountStatus","description":"The account."},"explanation":{"description":"Sentences, most important\#
 first.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The version of th\#
e format. It increases when an existing script would misread a document.","type":"integer"},"tries":{"descript\#
ion":"The recent attempts, newest first.","items":{"$ref":"#/$defs/RefreshTry"},"type":"array"},"warnings":{"d\#
escription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"require\#
d":["account","explanation","formatVersion","tries"],"title":"ritualctl why --json","type":"object"}}}
"""#
}
