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
e":"string"},"event":{"$ref":"#/$defs/AuditEvent","description":"What happened."},"executable":{"description":\#
"The executable of the process, without arguments; absent if it cannot be read.","type":"string"},"first":{"de\#
scription":"When the token was first issued.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9\#
]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"description":"Identifies an issued token: a later entry\#
 with the same number has the updated count.","minimum":0,"type":"integer"},"last":{"description":"When the to\#
ken was last issued.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$\#
","type":"string"},"pid":{"description":"The process, as identified when it connected.","type":"integer"},"pre\#
vious":{"description":"The MAC that precedes the first entry of a file, in hex.","type":"string"},"project":{"\#
description":"The project that the entry concerns.","type":"string"},"provider":{"description":"`apple`, `goog\#
le`, `email` …","type":"string"},"sequence":{"description":"Increases by one with every entry, starting at 1."\#
,"minimum":0,"type":"integer"},"token":{"description":"The first 16 hex digits of the SHA-256 of the access to\#
ken.","type":"string"},"unit":{"description":"The systemd unit of the process.","type":"string"},"way":{"descr\#
iption":"How the token was issued or used: `token`, `events` or `api`.","type":"string"}},"required":["at","ev\#
ent","sequence"],"type":"object"},"AuditEvent":{"description":"The kind of an audit log entry.","examples":["a\#
gentStarted","agentStopped","signedIn","signedOut","sessionEnded","linked","unlinked","decided","denied","appr\#
ovalAsked","approvalAnswered","approvalRevoked","handOut","apiAccepted","vaultLocked","vaultUnlocked","keyAdde\#
d","keyRemoved","rekeyed","vaultAdopted","fileBegun","interrupted","entriesLost"],"type":"string"},"AuditVerif\#
y.Finding":{"properties":{"file":{"description":"The name of the file in the log's directory.","type":"string"\#
},"first":{"description":"The first affected entry; absent if the finding concerns a file.","minimum":0,"type"\#
:"integer"},"kind":{"description":"`edited`, `removed`, `cut`, `reordered`, `repeated`, `exchanged`, `missingF\#
ile`, `unknownFile` or `noKey`.","type":"string"},"last":{"description":"The last affected entry; absent if th\#
e finding concerns a file.","minimum":0,"type":"integer"}},"required":["file","kind"],"type":"object"},"CheckO\#
utcome":{"description":"The outcome of a check of `agent.diagnose` or `ritualctl doctor`.","examples":["ok","w\#
arn","fail"],"type":"string"},"DiagnosticCheck":{"description":"The result of one check.","properties":{"name"\#
:{"description":"The subject of the check, such as `vault` or `tls`.","type":"string"},"next":{"description":"\#
The remedy, as a command if there is one; absent if nothing needs to be done.","type":"string"},"outcome":{"$r\#
ef":"#/$defs/CheckOutcome","description":"Whether the check passed."},"project":{"description":"The project's \#
name in the configuration; absent if the check does not concern a project.","type":"string"},"words":{"descrip\#
tion":"The finding, in readable form.","type":"string"}},"required":["name","outcome","words"],"type":"object"\#
},"EndedSession":{"description":"The end of a session without a sign-out on this machine.","properties":{"at":\#
{"description":"When the session ended.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:\#
[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"description":"A readable reason, such as \"ended elsewhere\".\#
","type":"string"}},"required":["at","reason"],"type":"object"},"ErrorDocument.Details":{"description":"The re\#
ason of a failure.","properties":{"account":{"description":"The account that the error concerns.","type":"stri\#
ng"},"detail":{"description":"The host and the cause of a failed connection.","type":"string"},"hint":{"descri\#
ption":"The next step, a command if there is one.","type":"string"},"kind":{"description":"The stable name, fo\#
r programs to branch on: an error kind of the agent, or `unreachable`, `foreignServer`, `protocolViolation`, `\#
disconnected`, `usage`, `failed`, `cancelled` or `unchanged`.","type":"string"},"message":{"description":"The \#
message for the user.","type":"string"},"retryAfter":{"description":"Seconds to wait before a retry.","type":"\#
number"},"retryable":{"description":"Whether the same command can succeed later without intervention.","type":\#
"boolean"}},"required":["kind","message","retryable"],"type":"object"},"ErrorKind":{"description":"The stable \#
name of an error: `data.kind` on the wire.","examples":["approvalNeeded","callbackInvalid","cancelled","denied\#
","emailNotConfirmed","flowBusy","flowTimedOut","flowUnknown","formatTooNew","identityTaken","internalError","\#
invalidCredentials","invalidParams","invalidRequest","lastIdentity","linkingConflict","linkingDisabled","metho\#
dDisabled","methodNotFound","misconfigured","notReady","offline","parseError","rateLimited","serviceUnavailabl\#
e","signInNeeded","storageFull","timedOut","tooLarge","tooMany","unknownAccount","unsupportedVersion","userExi\#
sts","vaultCopied","vaultDamaged","vaultLocked","vaultUnavailable","weakPassword","wrongKey","wrongUser"],"typ\#
e":"string"},"EventType":{"description":"The name of an event, in the style of Supabase clients.","examples":[\#
"INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CHANGED","\#
DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"strin\#
g"},"MetricFamily":{"description":"A metric family of OpenMetrics 1.0, section \"MetricFamily\".","properties"\#
:{"help":{"description":"A readable description of the family.","type":"string"},"name":{"description":"The na\#
me of the family.","type":"string"},"samples":{"description":"The samples of the family.","items":{"$ref":"#/$\#
defs/MetricFamily.Sample"},"type":"array"},"type":{"description":"`counter`, `gauge`, `histogram`, `info` or `\#
stateset`.","type":"string"},"unit":{"description":"The unit, which is the last part of the name; absent if th\#
ere is none.","type":"string"}},"required":["help","name","samples","type"],"type":"object"},"MetricFamily.Sam\#
ple":{"properties":{"labels":{"additionalProperties":{"type":"string"},"description":"The labels of the sample\#
, by name.","type":"object"},"suffix":{"description":"The suffix of the metric name: `_total`, `_bucket`, `_co\#
unt`, `_sum`, `_info` or empty.","type":"string"},"value":{"description":"The value of the sample.","type":"nu\#
mber"}},"required":["labels","suffix","value"],"type":"object"},"RefreshStatus":{"description":"The refresh sc\#
hedule of an account and its recent failures.","properties":{"attempts":{"description":"The number of failed a\#
ttempts since the last success.","type":"integer"},"clockSkew":{"description":"Seconds by which the server's c\#
lock is ahead of this machine's, measured at its last answer. A skew of about one second is normal.","type":"i\#
nteger"},"lastError":{"$ref":"#/$defs/AgentError","description":"The most recent error since the last success.\#
"},"nextAt":{"description":"When the next attempt is due.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-\#
[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":"object"},"RefreshTry"\#
:{"description":"One refresh attempt.","properties":{"at":{"description":"When the attempt began.","format":"d\#
ate-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"error":{"$ref\#
":"#/$defs/ErrorKind","description":"The kind of the error, if the attempt failed."},"latency":{"description":\#
"The duration of the attempt in seconds.","type":"number"},"outcome":{"description":"`refreshed`, `ended`, `fa\#
iled`, `misconfigured`, `superseded`.","type":"string"},"reason":{"description":"The trigger: `ahead`, `demand\#
`, `rejected`, `forced`, `start`, `retry`, `sleep`.","type":"string"},"status":{"description":"The HTTP status\#
, if the server answered.","type":"integer"}},"required":["at","latency","outcome","reason"],"type":"object"},\#
"SessionSignOut.Failure":{"description":"An account that is still signed in.","properties":{"account":{"descri\#
ption":"The account's name.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","description":"The kind of th\#
e error."},"message":{"description":"The message for the user.","type":"string"}},"required":["account","kind"\#
,"message"],"type":"object"},"SessionToken.Result":{"properties":{"accessToken":{"description":"The bearer tok\#
en. Never log it or pass it as a command-line argument.","type":"string"},"account":{"description":"The accoun\#
t that the token belongs to.","type":"string"},"expiresAt":{"description":"The token's expiry, by this machine\#
's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"s\#
tring"},"expiresIn":{"description":"Seconds until the token expires.","type":"integer"},"tokenType":{"descript\#
ion":"`bearer` (RFC 6750).","type":"string"},"unchanged":{"description":"True if the caller reported this toke\#
n as rejected and there is no newer one. The caller must not repeat its request.","type":"boolean"}},"required\#
":["accessToken","account","expiresAt","expiresIn","tokenType"],"type":"object"},"SignInDecision":{"descriptio\#
n":"A decision that a person makes before a sign-in takes effect.","properties":{"account":{"description":"The\#
 name of the account to sign in to.","type":"string"},"flow":{"description":"The flow that `identity.decide` t\#
akes.","type":"string"},"identity":{"$ref":"#/$defs/AccountIdentity","description":"For `link`, the linked sig\#
n-in method."},"kind":{"description":"`newAccount`: confirm the user of a first sign-in by a pasted URL. `link\#
`: accept that the server linked the sign-in to an account with other sign-in methods.","type":"string"},"othe\#
rs":{"description":"For `link`, the sign-in methods that the account had before.","items":{"$ref":"#/$defs/Acc\#
ountIdentity"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser","description":"The user who signed in."}},\#
"required":["account","flow","kind","user"],"type":"object"},"SignInResult.Outcome":{"examples":["signedIn","c\#
onfirmationSent","decisionNeeded"],"type":"string"},"TelemetryRecord":{"description":"One event, such as `auth\#
_completed` with `duration_ms`.","properties":{"at":{"description":"When the event happened.","format":"date-t\#
ime","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"descripti\#
on":"The event's name.","type":"string"},"properties":{"additionalProperties":{"type":"string"},"description":\#
"Values of `method`, `reason`, `error_type` or `duration_ms`: numbers or members of a fixed set.","type":"obje\#
ct"}},"required":["at","event","properties"],"type":"object"},"UnrevokedSession":{"description":"A session tha\#
t a reset removes on this machine, but that is not revoked on its server.","properties":{"account":{"descripti\#
on":"The account's name.","type":"string"},"reason":{"description":"A readable reason.","type":"string"}},"req\#
uired":["account","reason"],"type":"object"},"VaultFinding":{"description":"The result of checking one file of\#
 the vault.","properties":{"detail":{"description":"Readable details.","type":"string"},"file":{"description":\#
"The file's name in the vault's directory, which reveals nothing about its content.","type":"string"},"state":\#
{"description":"`ok`, `damaged`, `newer`, `unreadable`, `setAside`, `missing` or `foreign`.","type":"string"}}\#
,"required":["file","state"],"type":"object"},"VaultKey":{"description":"A key that opens the vault.","propert\#
ies":{"id":{"description":"32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"s\#
tring"},"kind":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of the key."},"memory":{"description":"F\#
or a passphrase, the Argon2id memory for each attempt, in bytes.","type":"integer"},"passes":{"description":"F\#
or a passphrase, the number of Argon2id passes for each attempt.","type":"integer"}},"required":["id","kind"],\#
"type":"object"},"VaultKeyKind":{"description":"The kind of a vault key.","examples":["keyFile","passphrase","\#
credential"],"type":"string"},"VaultSummary":{"description":"The state of the vault.","properties":{"damaged":\#
{"description":"The file names of records that were set aside as damaged.","items":{"type":"string"},"type":"a\#
rray"},"error":{"$ref":"#/$defs/ErrorKind","description":"Why the vault is `unavailable`, such as `vaultDamage\#
d`; `protection` then holds the remedy."},"openedBy":{"description":"The key that opened the vault: `key file`\#
, `passphrase` or `systemd credential`.","type":"string"},"protection":{"description":"A readable statement of\#
 what the key protects and what it does not.","type":"string"},"state":{"description":"`open`, `copied` (from \#
another machine: refreshes are suspended), `locked` or `unavailable`.","type":"string"}},"required":["damaged"\#
,"state"],"type":"object"}},"commands":{"accounts":{"$schema":"https://json-schema.org/draft/2020-12/schema","\#
description":"List accounts.","properties":{"accounts":{"description":"All accounts.","items":{"$ref":"#/$defs\#
/AccountStatus"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It incre\#
ases when an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","format\#
Version"],"title":"ritualctl accounts --json","type":"object"},"api":{"$schema":"https://json-schema.org/draft\#
/2020-12/schema","description":"Send an authorized API request and print the response body.","properties":{"bo\#
dy":{"description":"base64 (RFC 4648, section 4)","pattern":"^[A-Za-z0-9+/]*={0,2}$","type":"string"},"formatV\#
ersion":{"const":1,"description":"The version of the format. It increases when an existing script would misrea\#
d a document.","type":"integer"},"headers":{"description":"Name and value pairs, in the server's order.","item\#
s":{"items":{"type":"string"},"type":"array"},"type":"array"},"status":{"description":"The HTTP status.","type\#
":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"\#
},"type":"array"}},"required":["body","formatVersion","headers","status"],"title":"ritualctl api --json","type\#
":"object"},"approvals allow":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow a\#
 program to use the account that it requested.","properties":{"account":{"description":"The account that the p\#
rogram wants to use.","type":"string"},"askedAt":{"description":"When the first request was made.","format":"d\#
ate-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{\#
"description":"The executable of that process, without arguments; absent if it cannot be read.","type":"string\#
"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script w\#
ould misread a document.","type":"integer"},"id":{"description":"The id that `approval.answer`, `approval.revo\#
ke` and `ritualctl approvals` take.","type":"string"},"method":{"description":"The method of the first request\#
.","type":"string"},"pid":{"description":"The process that made the first request.","type":"integer"},"state":\#
{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"The \#
systemd unit of that process; absent if it has none.","type":"string"},"until":{"description":"When the approv\#
al expires; absent for an answer that is valid until the vault is locked.","format":"date-time","pattern":"^[0\#
-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"description":"Readable wa\#
rnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","askedAt",\#
"formatVersion","id","method","pid","state"],"title":"ritualctl approvals allow --json","type":"object"},"appr\#
ovals deny":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Deny a program access. It\#
s requests are refused while the answer is valid.","properties":{"account":{"description":"The account that th\#
e program wants to use.","type":"string"},"askedAt":{"description":"When the first request was made.","format"\#
:"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable\#
":{"description":"The executable of that process, without arguments; absent if it cannot be read.","type":"str\#
ing"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scrip\#
t would misread a document.","type":"integer"},"id":{"description":"The id that `approval.answer`, `approval.r\#
evoke` and `ritualctl approvals` take.","type":"string"},"method":{"description":"The method of the first requ\#
est.","type":"string"},"pid":{"description":"The process that made the first request.","type":"integer"},"stat\#
e":{"$ref":"#/$defs/ApprovalState","description":"`pending`, `allowed` or `denied`."},"unit":{"description":"T\#
he systemd unit of that process; absent if it has none.","type":"string"},"until":{"description":"When the app\#
roval expires; absent for an answer that is valid until the vault is locked.","format":"date-time","pattern":"\#
^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"warnings":{"description":"Readable\#
 warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","askedA\#
t","formatVersion","id","method","pid","state"],"title":"ritualctl approvals deny --json","type":"object"},"ap\#
provals list":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List pending requests a\#
nd valid answers.","properties":{"approvals":{"description":"The pending access requests and the valid answers\#
, oldest first.","items":{"$ref":"#/$defs/Approval"},"type":"array"},"formatVersion":{"const":1,"description":\#
"The version of the format. It increases when an existing script would misread a document.","type":"integer"},\#
"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arr\#
ay"}},"required":["approvals","formatVersion"],"title":"ritualctl approvals list --json","type":"object"},"app\#
rovals revoke":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Delete an answer. The \#
next request needs a new one.","properties":{"formatVersion":{"const":1,"description":"The version of the form\#
at. It increases when an existing script would misread a document.","type":"integer"},"id":{"description":"The\#
 id of the approval.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.\#
","items":{"type":"string"},"type":"array"}},"required":["formatVersion","id"],"title":"ritualctl approvals re\#
voke --json","type":"object"},"audit":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"des\#
cription":"Without `--verify`.","properties":{"entries":{"description":"The entries, newest last.","items":{"$\#
ref":"#/$defs/AuditEntry"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format\#
. It increases when an existing script would misread a document.","type":"integer"},"isChecked":{"description"\#
:"Whether each entry was checked against the chain; false while the vault is locked.","type":"boolean"},"leftO\#
ut":{"description":"The number of lines in the files read that do not match the chain. They are not among the \#
entries.","type":"integer"},"more":{"description":"Whether older entries exist.","type":"boolean"},"unknownCou\#
nt":{"description":"The total number of unknown files.","type":"integer"},"unknownFiles":{"description":"Files\#
 in the log's directory that the agent did not create: their escaped names, at most 20.","items":{"type":"stri\#
ng"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":\#
"string"},"type":"array"}},"required":["entries","formatVersion","isChecked","leftOut","more","unknownCount","\#
unknownFiles"],"type":"object"},{"description":"With `--verify`.","properties":{"findings":{"description":"Wha\#
t does not match the chain; empty if the log is intact.","items":{"$ref":"#/$defs/AuditVerify.Finding"},"type"\#
:"array"},"first":{"description":"The first entry that is kept.","minimum":0,"type":"integer"},"fitting":{"des\#
cription":"The number of entries that match the chain.","type":"integer"},"formatVersion":{"const":1,"descript\#
ion":"The version of the format. It increases when an existing script would misread a document.","type":"integ\#
er"},"interruptions":{"description":"The entries after which the agent ended without a clean stop. Entries of \#
up to one second before may be missing.","items":{"minimum":0,"type":"integer"},"type":"array"},"isWhole":{"de\#
scription":"True if there are no findings.","type":"boolean"},"limits":{"description":"Readable statements of \#
what the verification does not prove.","items":{"type":"string"},"type":"array"},"sealed":{"description":"The \#
last entry that is sealed in the vault.","minimum":0,"type":"integer"},"unsealed":{"description":"The number o\#
f entries after the last sealed one. They match the chain, but their removal would go unnoticed.","type":"inte\#
ger"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type\#
":"array"}},"required":["findings","first","fitting","formatVersion","interruptions","isWhole","limits","seale\#
d","unsealed"],"type":"object"}],"description":"Show sign-ins, sign-outs, and issued tokens, newest last.","ti\#
tle":"ritualctl audit --json"},"complete-sign-in":{"$schema":"https://json-schema.org/draft/2020-12/schema","d\#
escription":"Finish a sign-in by pasting the redirect URL.","properties":{"account":{"$ref":"#/$defs/AccountSt\#
atus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDecision","description":\#
"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."},"formatVersion":{"co\#
nst":1,"description":"The version of the format. It increases when an existing script would misread a document\#
.","type":"integer"},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`signedIn`, `confirmation\#
Sent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if there are none.","items":\#
{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"title":"ritualctl complete-sign-in \#
--json","type":"object"},"doctor":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Che\#
ck the setup and show how to fix problems.","properties":{"checks":{"description":"The results of the checks."\#
,"items":{"$ref":"#/$defs/DiagnosticCheck"},"type":"array"},"formatVersion":{"const":1,"description":"The vers\#
ion of the format. It increases when an existing script would misread a document.","type":"integer"},"isHealth\#
y":{"description":"Whether no check failed.","type":"boolean"},"version":{"description":"The version of this p\#
rogram.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"t\#
ype":"string"},"type":"array"}},"required":["checks","formatVersion","isHealthy","version"],"title":"ritualctl\#
 doctor --json","type":"object"},"error":{"$schema":"https://json-schema.org/draft/2020-12/schema","descriptio\#
n":"The error of any command, on standard error.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.Details\#
","description":"Why the command failed."},"exitStatus":{"description":"The exit status of the command.","type\#
":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existin\#
g script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if \#
there are none.","items":{"type":"string"},"type":"array"}},"required":["error","exitStatus","formatVersion"],\#
"title":"ritualctl: error","type":"object"},"events":{"$schema":"https://json-schema.org/draft/2020-12/schema"\#
,"description":"One line per event: the current state first, then every change.","properties":{"account":{"des\#
cription":"The account that changed; absent if the event does not concern an account.","type":"string"},"appro\#
val":{"$ref":"#/$defs/Approval","description":"The pending access request (`APPROVAL_NEEDED`), or the answered\#
 or expired one (`APPROVAL_ANSWERED`)."},"at":{"description":"When it changed.","format":"date-time","pattern"\#
:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"descr\#
iption":"The version of the format. It increases when an existing script would misread a document.","type":"in\#
teger"},"reason":{"description":"A readable reason, for `SIGNED_OUT` and `STATE_CHANGED`; for `ACCOUNT_LINKED`\#
 the provider and how it was linked.","type":"string"},"sequence":{"description":"Increases by one with each c\#
hange. Events that describe the current state to a new subscriber carry the number of the last change in that \#
state.","minimum":0,"type":"integer"},"status":{"$ref":"#/$defs/AccountStatus","description":"The account afte\#
r the change."},"token":{"$ref":"#/$defs/SessionToken.Result","description":"The new token, for subscribers th\#
at requested tokens."},"type":{"$ref":"#/$defs/EventType","description":"What changed."}},"required":["at","fo\#
rmatVersion","sequence","type"],"title":"ritualctl events --json","type":"object"},"exec":{"$schema":"https://\#
json-schema.org/draft/2020-12/schema","description":"Why the command was not run, on standard error. The outpu\#
t of the command itself is unchanged.","properties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","descript\#
ion":"Why the command failed."},"exitStatus":{"description":"The exit status of the command.","type":"integer"\#
},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wo\#
uld misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are n\#
one.","items":{"type":"string"},"type":"array"}},"required":["error","exitStatus","formatVersion"],"title":"ri\#
tualctl exec --json","type":"object"},"help":{"$schema":"https://json-schema.org/draft/2020-12/schema","descri\#
ption":"The text of `--help` and `--version`.","properties":{"formatVersion":{"const":1,"description":"The ver\#
sion of the format. It increases when an existing script would misread a document.","type":"integer"},"text":{\#
"description":"The text.","type":"string"}},"required":["formatVersion","text"],"title":"ritualctl: help","typ\#
e":"object"},"identities":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List linked\#
 sign-in methods.","properties":{"account":{"description":"The account whose user has the sign-in methods.","t\#
ype":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an exist\#
ing script would misread a document.","type":"integer"},"identities":{"description":"The linked sign-in method\#
s.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the server\#
 could not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Reada\#
ble warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","for\#
matVersion","identities","isCurrent"],"title":"ritualctl identities --json","type":"object"},"init":{"$schema"\#
:"https://json-schema.org/draft/2020-12/schema","description":"Add a Supabase project to the configuration, or\#
 change one.","properties":{"apiAccepted":{"description":"The accounts that accepted the API of `--api-url`; a\#
bsent without that option.","items":{"type":"string"},"type":"array"},"change":{"description":"`added`, `updat\#
ed` or `none`.","type":"string"},"configuration":{"description":"The path of the configuration file.","type":"\#
string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing sc\#
ript would misread a document.","type":"integer"},"note":{"description":"A note about the part that was remove\#
d from a pasted URL.","type":"string"},"project":{"description":"The project's name.","type":"string"},"warnin\#
g":{"description":"A problem with the reload of a running agent, or with the project.","type":"string"},"warni\#
ngs":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},\#
"required":["change","configuration","formatVersion","project"],"title":"ritualctl init --json","type":"object\#
"},"link":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.","pr\#
operties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":\#
{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `identity.d\#
ecide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It increases w\#
hen an existing script would misread a document.","type":"integer"},"outcome":{"$ref":"#/$defs/SignInResult.Ou\#
tcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readabl\#
e warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion",\#
"outcome"],"type":"object"},{"description":"With `--no-browser`.","properties":{"expiresAt":{"description":"Wh\#
en the flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]\#
{2}:[0-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":"string"},"formatVersion":\#
{"const":1,"description":"The version of the format. It increases when an existing script would misread a docu\#
ment.","type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{"description":"The URL to\#
 open.","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"ty\#
pe":"string"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"\#
}],"description":"Link Apple or Google as a sign-in method.","title":"ritualctl link --json"},"lock":{"$schema\#
":"https://json-schema.org/draft/2020-12/schema","description":"Lock the vault. No tokens are issued or refres\#
hed until it is unlocked.","properties":{"formatVersion":{"const":1,"description":"The version of the format. \#
It increases when an existing script would misread a document.","type":"integer"},"opensByFile":{"description"\#
:"Whether a key file or credential opens the vault again, so that any program of the user can unlock it.","typ\#
e":"boolean"},"warning":{"description":"A readable problem that did not prevent the lock.","type":"string"},"w\#
arnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array\#
"}},"required":["formatVersion","opensByFile"],"title":"ritualctl lock --json","type":"object"},"metrics":{"$s\#
chema":"https://json-schema.org/draft/2020-12/schema","description":"Print the agent's counters in OpenMetrics\#
 format.","properties":{"events":{"description":"The last events, oldest first.","items":{"$ref":"#/$defs/Tele\#
metryRecord"},"type":"array"},"families":{"description":"The counters, as metric families of OpenMetrics.","it\#
ems":{"$ref":"#/$defs/MetricFamily"},"type":"array"},"formatVersion":{"const":1,"description":"The version of \#
the format. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"des\#
cription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required"\#
:["events","families","formatVersion"],"title":"ritualctl metrics --json","type":"object"},"profile":{"$schema\#
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
defs/AccountActivity","description":"The operation that runs for the account."},"ended":{"$ref":"#/$defs/Ended\#
Session","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"descr\#
iption":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{\#
2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The versi\#
on of the format. It increases when an existing script would misread a document.","type":"integer"},"identitie\#
s":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"\#
},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this account.","typ\#
e":"boolean"},"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`neede\#
d` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The origin that issued\#
 the session, or the configured origin if there is no session.","type":"string"},"project":{"description":"The\#
 project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description\#
":"The refresh schedule; absent without a session."},"state":{"$ref":"#/$defs/AccountState","description":"The\#
 state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token immediatel\#
y.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"d\#
escription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"require\#
d":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritua\#
lctl refresh --json","type":"object"},"register-handler":{"$schema":"https://json-schema.org/draft/2020-12/sch\#
ema","anyOf":[{"description":"Without `--print`.","properties":{"file":{"description":"The path of the desktop\#
 entry.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases wh\#
en an existing script would misread a document.","type":"integer"},"registered":{"description":"Whether the ag\#
ent opens URLs of the scheme now.","type":"boolean"},"scheme":{"description":"The URL scheme.","type":"string"\#
},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"a\#
rray"}},"required":["file","formatVersion","registered","scheme"],"type":"object"},{"description":"With `--pri\#
nt`.","properties":{"entry":{"description":"The text of the desktop entry.","type":"string"},"formatVersion":{\#
"const":1,"description":"The version of the format. It increases when an existing script would misread a docum\#
ent.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"typ\#
e":"string"},"type":"array"}},"required":["entry","formatVersion"],"type":"object"}],"description":"Open daily\#
ritual:// URLs with the agent.","title":"ritualctl register-handler --json"},"reload":{"$schema":"https://json\#
-schema.org/draft/2020-12/schema","description":"Reload the agent's configuration.","properties":{"formatVersi\#
on":{"const":1,"description":"The version of the format. It increases when an existing script would misread a \#
document.","type":"integer"},"projects":{"description":"The names of the projects in the configuration.","item\#
s":{"type":"string"},"type":"array"},"reloaded":{"description":"Whether the file was read: false if the agent \#
uses a file other than `file`. Absent in older agents.","type":"boolean"},"warning":{"description":"A readable\#
 problem, such as a failed check; absent if there is none.","type":"string"},"warnings":{"description":"Readab\#
le warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion"\#
,"projects"],"title":"ritualctl reload --json","type":"object"},"reset":{"$schema":"https://json-schema.org/dr\#
aft/2020-12/schema","description":"Sign out of all accounts and remove the agent's data.","properties":{"forma\#
tVersion":{"const":1,"description":"The version of the format. It increases when an existing script would misr\#
ead a document.","type":"integer"},"kept":{"description":"The paths that were kept: the configuration, without\#
 `--config`.","items":{"type":"string"},"type":"array"},"removed":{"description":"The paths that were removed.\#
","items":{"type":"string"},"type":"array"},"signedOut":{"description":"The accounts that were signed out.","i\#
tems":{"type":"string"},"type":"array"},"unrevoked":{"description":"The sessions that may still be active on t\#
heir server.","items":{"$ref":"#/$defs/UnrevokedSession"},"type":"array"},"warnings":{"description":"Readable \#
warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","k\#
ept","removed","signedOut","unrevoked"],"title":"ritualctl reset --json","type":"object"},"schema":{"$schema":\#
"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without a command.","properties":{"com\#
mands":{"description":"The commands that `ritualctl schema` takes, and `error` and `help`.","items":{"type":"s\#
tring"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when\#
 an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings;\#
 absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["commands","formatVersion"]\#
,"type":"object"},{"description":"With a command.","properties":{"command":{"description":"The command whose d\#
ocument the schema describes.","type":"string"},"formatVersion":{"const":1,"description":"The version of the f\#
ormat. It increases when an existing script would misread a document.","type":"integer"},"schema":{"descriptio\#
n":"The JSON Schema."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type\#
":"string"},"type":"array"}},"required":["command","formatVersion","schema"],"type":"object"}],"description":"\#
Print the JSON Schema of a command's --json document.","title":"ritualctl schema --json"},"sign-in":{"$schema"\#
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
:"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"}],"description":"Si\#
gn in with Apple, Google, or email and password.","title":"ritualctl sign-in --json"},"sign-out":{"$schema":"h\#
ttps://json-schema.org/draft/2020-12/schema","description":"Sign out on this machine and on the server.","prop\#
erties":{"accounts":{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"arra\#
y"},"failed":{"description":"With `all`, the accounts whose sign-out failed, and why. Absent if there are none\#
.","items":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"array"},"formatVersion":{"const":1,"description":\#
"The version of the format. It increases when an existing script would misread a document.","type":"integer"},\#
"pending":{"description":"The accounts whose revocation is pending until the server is reachable.","items":{"t\#
ype":"string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items\#
":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","pending"],"title":"ritualctl sign\#
-out --json","type":"object"},"status":{"$schema":"https://json-schema.org/draft/2020-12/schema","description"\#
:"Show the current state of the agent, the vault, and the accounts.","properties":{"accounts":{"description":"\#
The accounts. They may be unknown while the vault is locked.","items":{"$ref":"#/$defs/AccountStatus"},"type":\#
"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing sc\#
ript would misread a document.","type":"integer"},"health":{"description":"Readable findings; empty if there i\#
s nothing to report.","items":{"type":"string"},"type":"array"},"pid":{"description":"The agent's process ID."\#
,"type":"integer"},"stateFolder":{"description":"The state directory of the agent; a `ritualctl` with another \#
environment would look elsewhere. Absent in older agents.","type":"string"},"unrevoked":{"description":"The ac\#
counts with a pending revocation on the server. Absent while the vault is locked, because the list is then unk\#
nown.","items":{"type":"string"},"type":"array"},"uptime":{"description":"Seconds since the agent became ready\#
.","type":"integer"},"vault":{"$ref":"#/$defs/VaultSummary","description":"The state of the vault."},"version"\#
:{"description":"The version of the agent.","type":"string"},"warnings":{"description":"Readable warnings; abs\#
ent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion","hea\#
lth","pid","uptime","vault","version"],"title":"ritualctl status --json","type":"object"},"token":{"$schema":"\#
https://json-schema.org/draft/2020-12/schema","description":"Print a valid access token.","properties":{"acces\#
sToken":{"description":"The bearer token. Never log it or pass it as a command-line argument.","type":"string"\#
},"account":{"description":"The account that the token belongs to.","type":"string"},"expiresAt":{"description\#
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
y":{"$ref":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"ended":{"$ref"\#
:"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"exp\#
iresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^\#
[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"descript\#
ion":"The version of the format. It increases when an existing script would misread a document.","type":"integ\#
er"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/A\#
ccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this\#
 account.","type":"boolean"},"name":{"description":"The account's name.","type":"string"},"onboarding":{"descr\#
iption":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The ori\#
gin that issued the session, or the configured origin if there is no session.","type":"string"},"project":{"de\#
scription":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatu\#
s","description":"The refresh schedule; absent without a session."},"state":{"$ref":"#/$defs/AccountState","de\#
scription":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a t\#
oken immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."}\#
,"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"ar\#
ray"}},"required":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"]\#
,"title":"ritualctl use --json","type":"object"},"use-api":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"Allow the configured API to receive an account's token.","properties":{"activity":{"$ref\#
":"#/$defs/AccountActivity","description":"The operation that runs for the account."},"ended":{"$ref":"#/$defs\#
/EndedSession","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{\#
"description":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-\#
[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The\#
 version of the format. It increases when an existing script would misread a document.","type":"integer"},"ide\#
ntities":{"description":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIde\#
ntity"},"type":"array"},"isDefault":{"description":"Whether requests without an account name use this account.\#
","type":"boolean"},"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"\#
`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"description":"The origin that \#
issued the session, or the configured origin if there is no session.","type":"string"},"project":{"description\#
":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","descr\#
iption":"The refresh schedule; absent without a session."},"state":{"$ref":"#/$defs/AccountState","description\#
":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token imme\#
diately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warning\#
s":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"r\#
equired":["activity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":\#
"ritualctl use-api --json","type":"object"},"vault add-key":{"$schema":"https://json-schema.org/draft/2020-12/\#
schema","description":"Add a key that opens the vault: a passphrase, a key file, or a systemd credential.","pr\#
operties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing \#
script would misread a document.","type":"integer"},"key":{"$ref":"#/$defs/VaultKey","description":"The added \#
key."},"removed":{"description":"The removed slots: those of key files, or the replaced one.","items":{"$ref":\#
"#/$defs/VaultKey"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","\#
items":{"type":"string"},"type":"array"}},"required":["formatVersion","key","removed"],"title":"ritualctl vaul\#
t add-key --json","type":"object"},"vault adopt":{"$schema":"https://json-schema.org/draft/2020-12/schema","de\#
scription":"Use a vault that was copied from another machine.","properties":{"accounts":{"description":"The ac\#
counts whose sessions are now used here.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1\#
,"description":"The version of the format. It increases when an existing script would misread a document.","ty\#
pe":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"strin\#
g"},"type":"array"}},"required":["accounts","formatVersion"],"title":"ritualctl vault adopt --json","type":"ob\#
ject"},"vault rekey":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Create a new mas\#
ter key and re-encrypt the vault.","properties":{"formatVersion":{"const":1,"description":"The version of the \#
format. It increases when an existing script would misread a document.","type":"integer"},"generation":{"descr\#
iption":"The vault's generation after the change.","minimum":0,"type":"integer"},"warnings":{"description":"Re\#
adable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVers\#
ion","generation"],"title":"ritualctl vault rekey --json","type":"object"},"vault remove-key":{"$schema":"http\#
s://json-schema.org/draft/2020-12/schema","description":"Remove a vault key. The last one cannot be removed.",\#
"properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existi\#
ng script would misread a document.","type":"integer"},"id":{"description":"32 hexadecimal digits, for `vault.\#
removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/$defs/VaultKeyKind","description":"\#
The kind of the key."},"memory":{"description":"For a passphrase, the Argon2id memory for each attempt, in byt\#
es.","type":"integer"},"passes":{"description":"For a passphrase, the number of Argon2id passes for each attem\#
pt.","type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type\#
":"string"},"type":"array"}},"required":["formatVersion","id","kind"],"title":"ritualctl vault remove-key --js\#
on","type":"object"},"vault status":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"S\#
how the state of the vault, its keys, and what they protect.","properties":{"damaged":{"description":"Files th\#
at were set aside or ignored, and why.","items":{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVersion\#
":{"const":1,"description":"The version of the format. It increases when an existing script would misread a do\#
cument.","type":"integer"},"generation":{"description":"Increases with every change of keys.","minimum":0,"typ\#
e":"integer"},"idleLock":{"description":"Idle time before locking, in seconds; absent means never.","type":"in\#
teger"},"isAuthenticated":{"description":"Whether `keys`, `generation` and `machine` were authenticated with t\#
he vault's key. Until the vault is first opened, they are unverified values from its file.","type":"boolean"},\#
"isMemoryLocked":{"description":"Whether the keys are locked in memory, so that they cannot be swapped out.","\#
type":"boolean"},"isRekeying":{"description":"Whether a `vault.rekey` was interrupted. The next `vault.rekey` \#
or unlock continues it.","type":"boolean"},"keys":{"description":"The keys, in the order in which they were ad\#
ded.","items":{"$ref":"#/$defs/VaultKey"},"type":"array"},"lockedBy":{"description":"Why the vault is locked: \#
`hand`, `idle`, `session`, or `start` if no key was available.","type":"string"},"machine":{"description":"Whe\#
ther the vault belongs to this machine: `this`, `other` or `unknown`.","type":"string"},"openedBy":{"$ref":"#/\#
$defs/VaultKeyKind","description":"The kind of key that opened the vault."},"protection":{"description":"Reada\#
ble statements of what each kind of key protects and what it does not.","items":{"type":"string"},"type":"arra\#
y"},"state":{"description":"`open`, `copied`, `locked` or `unavailable`.","enum":["open","copied","locked","un\#
available"],"type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":\#
{"type":"string"},"type":"array"}},"required":["damaged","formatVersion","generation","isAuthenticated","isMem\#
oryLocked","isRekeying","keys","machine","protection","state"],"title":"ritualctl vault status --json","type":\#
"object"},"vault verify":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Check every \#
file of the open vault, without changing anything.","properties":{"files":{"description":"Every file of the va\#
ult, with the result of its check.","items":{"$ref":"#/$defs/VaultFinding"},"type":"array"},"formatVersion":{"\#
const":1,"description":"The version of the format. It increases when an existing script would misread a docume\#
nt.","type":"integer"},"isWhole":{"description":"Whether every file is unchanged since the vault wrote it.","t\#
ype":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"stri\#
ng"},"type":"array"}},"required":["files","formatVersion","isWhole"],"title":"ritualctl vault verify --json","\#
type":"object"},"why":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Show the next r\#
efresh, the reason, and recent attempts.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description\#
":"The account."},"explanation":{"description":"Sentences, most important first.","items":{"type":"string"},"t\#
ype":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existi\#
ng script would misread a document.","type":"integer"},"tries":{"description":"The recent attempts, newest fir\#
st.","items":{"$ref":"#/$defs/RefreshTry"},"type":"array"},"warnings":{"description":"Readable warnings; absen\#
t if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","explanation","formatVe\#
rsion","tries"],"title":"ritualctl why --json","type":"object"}}}
"""#
}
