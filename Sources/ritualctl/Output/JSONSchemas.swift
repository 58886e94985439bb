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
mber"}},"required":["labels","suffix","value"],"type":"object"},"NextStep":{"description":"The next sensible s\#
tep on this machine.","properties":{"reason":{"description":"Why it is the next step.","type":"string"},"step"\#
:{"description":"A command, or an instruction if no command helps.","type":"string"}},"required":["reason","st\#
ep"],"type":"object"},"Overview.Group":{"description":"A group of commands.","properties":{"commands":{"descri\#
ption":"The names of its commands.","items":{"type":"string"},"type":"array"},"name":{"description":"The title\#
 of the group.","type":"string"}},"required":["commands","name"],"type":"object"},"RefreshStatus":{"descriptio\#
n":"The refresh schedule of an account and its recent failures.","properties":{"attempts":{"description":"The \#
number of failed attempts since the last success.","type":"integer"},"clockSkew":{"description":"Seconds by wh\#
ich the server's clock is ahead of this machine's, measured at its last answer. A skew of about one second is \#
normal.","type":"integer"},"lastError":{"$ref":"#/$defs/AgentError","description":"The most recent error since\#
 the last success."},"nextAt":{"description":"When the next attempt is due.","format":"date-time","pattern":"^\#
[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":"obj\#
ect"},"RefreshTry":{"description":"One refresh attempt.","properties":{"at":{"description":"When the attempt b\#
egan.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"strin\#
g"},"error":{"$ref":"#/$defs/ErrorKind","description":"The kind of the error, if the attempt failed."},"latenc\#
y":{"description":"The duration of the attempt in seconds.","type":"number"},"outcome":{"description":"`refres\#
hed`, `ended`, `failed`, `misconfigured`, `superseded`.","type":"string"},"reason":{"description":"The trigger\#
: `ahead`, `demand`, `rejected`, `forced`, `start`, `retry`, `sleep`.","type":"string"},"status":{"description\#
":"The HTTP status, if the server answered.","type":"integer"}},"required":["at","latency","outcome","reason"]\#
,"type":"object"},"SessionSignOut.Failure":{"description":"An account that is still signed in.","properties":{\#
"account":{"description":"The account's name.","type":"string"},"kind":{"$ref":"#/$defs/ErrorKind","descriptio\#
n":"The kind of the error."},"message":{"description":"The message for the user.","type":"string"}},"required"\#
:["account","kind","message"],"type":"object"},"SessionToken.Endpoints":{"description":"What a tool needs to u\#
se the token: the project's URLs and key, none of which is secret.","properties":{"anonKey":{"description":"Th\#
e anon or publishable key, which Supabase expects in the header `apikey`.","type":"string"},"apiURL":{"descrip\#
tion":"The configured API URL, or the project URL if there is none. Absent if the API URL changed after the si\#
gn-in and was not accepted yet (`session.useAPI`).","type":"string"},"projectURL":{"description":"The project \#
URL, without a trailing slash.","type":"string"}},"required":["anonKey","projectURL"],"type":"object"},"Sessio\#
nToken.Result":{"properties":{"accessToken":{"description":"The bearer token. Never log it or pass it as a com\#
mand-line argument.","type":"string"},"account":{"description":"The account that the token belongs to.","type"\#
:"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","description":"The project that accepts the to\#
ken, if the caller asked for it."},"expiresAt":{"description":"The token's expiry, by this machine's clock.","\#
format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"exp\#
iresIn":{"description":"Seconds until the token expires.","type":"integer"},"tokenType":{"description":"`beare\#
r` (RFC 6750).","type":"string"},"unchanged":{"description":"True if the caller reported this token as rejecte\#
d and there is no newer one. The caller must not repeat its request.","type":"boolean"}},"required":["accessTo\#
ken","account","expiresAt","expiresIn","tokenType"],"type":"object"},"SignInDecision":{"description":"A decisi\#
on that a person makes before a sign-in takes effect.","properties":{"account":{"description":"The name of the\#
 account to sign in to.","type":"string"},"flow":{"description":"The flow that `identity.decide` takes.","type\#
":"string"},"identity":{"$ref":"#/$defs/AccountIdentity","description":"For `link`, the linked sign-in method.\#
"},"kind":{"description":"`newAccount`: confirm the user of a first sign-in by a pasted URL. `link`: accept th\#
at the server linked the sign-in to an account with other sign-in methods.","type":"string"},"others":{"descri\#
ption":"For `link`, the sign-in methods that the account had before.","items":{"$ref":"#/$defs/AccountIdentity\#
"},"type":"array"},"user":{"$ref":"#/$defs/AccountUser","description":"The user who signed in."}},"required":[\#
"account","flow","kind","user"],"type":"object"},"SignInResult.Outcome":{"examples":["signedIn","confirmationS\#
ent","decisionNeeded"],"type":"string"},"TelemetryRecord":{"description":"One event, such as `auth_completed` \#
with `duration_ms`.","properties":{"at":{"description":"When the event happened.","format":"date-time","patter\#
n":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"description":"The eve\#
nt's name.","type":"string"},"properties":{"additionalProperties":{"type":"string"},"description":"Values of `\#
method`, `reason`, `error_type` or `duration_ms`: numbers or members of a fixed set.","type":"object"}},"requi\#
red":["at","event","properties"],"type":"object"},"UnrevokedSession":{"description":"A session that a reset re\#
moves on this machine, but that is not revoked on its server.","properties":{"account":{"description":"The acc\#
ount's name.","type":"string"},"reason":{"description":"A readable reason.","type":"string"}},"required":["acc\#
ount","reason"],"type":"object"},"VaultFinding":{"description":"The result of checking one file of the vault."\#
,"properties":{"detail":{"description":"Readable details.","type":"string"},"file":{"description":"The file's \#
name in the vault's directory, which reveals nothing about its content.","type":"string"},"state":{"descriptio\#
n":"`ok`, `damaged`, `newer`, `unreadable`, `setAside`, `missing` or `foreign`.","type":"string"}},"required":\#
["file","state"],"type":"object"},"VaultKey":{"description":"A key that opens the vault.","properties":{"id":{\#
"description":"32 hexadecimal digits, for `vault.removeKey`.","pattern":"^[0-9a-f]{32}$","type":"string"},"kin\#
d":{"$ref":"#/$defs/VaultKeyKind","description":"The kind of the key."},"memory":{"description":"For a passphr\#
ase, the Argon2id memory for each attempt, in bytes.","type":"integer"},"passes":{"description":"For a passphr\#
ase, the number of Argon2id passes for each attempt.","type":"integer"}},"required":["id","kind"],"type":"obje\#
ct"},"VaultKeyKind":{"description":"The kind of a vault key.","examples":["keyFile","passphrase","credential"]\#
,"type":"string"},"VaultSummary":{"description":"The state of the vault.","properties":{"damaged":{"descriptio\#
n":"The file names of records that were set aside as damaged.","items":{"type":"string"},"type":"array"},"erro\#
r":{"$ref":"#/$defs/ErrorKind","description":"Why the vault is `unavailable`, such as `vaultDamaged`; `protect\#
ion` then holds the remedy."},"openedBy":{"description":"The key that opened the vault: `key file`, `passphras\#
e` or `systemd credential`.","type":"string"},"protection":{"description":"A readable statement of what the ke\#
y protects and what it does not.","type":"string"},"state":{"description":"`open`, `copied` (from another mach\#
ine: refreshes are suspended), `locked` or `unavailable`.","type":"string"}},"required":["damaged","state"],"t\#
ype":"object"}},"commands":{"accounts list":{"$schema":"https://json-schema.org/draft/2020-12/schema","descrip\#
tion":"List accounts.","properties":{"accounts":{"description":"All accounts.","items":{"$ref":"#/$defs/Accoun\#
tStatus"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases wh\#
en an existing script would misread a document.","type":"integer"},"warnings":{"description":"Readable warning\#
s; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["accounts","formatVersion\#
"],"title":"ritualctl accounts list --json","type":"object"},"accounts remove":{"$schema":"https://json-schema\#
.org/draft/2020-12/schema","description":"Sign an account out and delete everything stored about it.","propert\#
ies":{"account":{"description":"The name of the removed account.","type":"string"},"formatVersion":{"const":1,\#
"description":"The version of the format. It increases when an existing script would misread a document.","typ\#
e":"integer"},"isPending":{"description":"True if the server has not confirmed the end of the session yet; the\#
 agent keeps trying.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are none\#
.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","isPending"],"title":"ritu\#
alctl accounts remove --json","type":"object"},"accounts rename":{"$schema":"https://json-schema.org/draft/202\#
0-12/schema","description":"Rename an account.","properties":{"activity":{"$ref":"#/$defs/AccountActivity","de\#
scription":"The operation that runs for the account."},"ended":{"$ref":"#/$defs/EndedSession","description":"W\#
hy and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access token\#
's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9\#
]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It incr\#
eases when an existing script would misread a document.","type":"integer"},"identities":{"description":"The si\#
gn-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefa\#
ult":{"description":"Whether requests without an account name use this account.","type":"boolean"},"name":{"de\#
scription":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once th\#
e profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the conf\#
igured origin if there is no session.","type":"string"},"project":{"description":"The project's name in the co\#
nfiguration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedule; \#
absent without a session."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session."},\#
"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"boolean"},"us\#
er":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"Readable war\#
nings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity","formatVer\#
sion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl accounts rename --js\#
on","type":"object"},"api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Send an au\#
thorized API request and print the response body.","properties":{"body":{"description":"The body in base64 (RF\#
C 4648, section 4).","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It \#
increases when an existing script would misread a document.","type":"integer"},"headers":{"description":"The r\#
esponse headers, as pairs of name and value.","items":{"items":{"type":"string"},"type":"array"},"type":"array\#
"},"status":{"description":"The HTTP status.","type":"integer"},"text":{"description":"The body again if it is\#
 text: UTF-8 of a content type `text/*` or JSON.","type":"string"},"warnings":{"description":"Readable warning\#
s; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["body","formatVersion","h\#
eaders","status"],"title":"ritualctl api --json","type":"object"},"approvals allow":{"$schema":"https://json-s\#
chema.org/draft/2020-12/schema","description":"Allow a program to use the account that it requested.","propert\#
ies":{"account":{"description":"The account that the program wants to use.","type":"string"},"askedAt":{"descr\#
iption":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2\#
}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that process, without a\#
rguments; absent if it cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"The version\#
 of the format. It increases when an existing script would misread a document.","type":"integer"},"id":{"descr\#
iption":"The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"},"m\#
ethod":{"description":"The method of the first request.","type":"string"},"pid":{"description":"The process th\#
at made the first request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pending`\#
, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that process; absent if it has none.","t\#
ype":"string"},"until":{"description":"When the approval expires; absent for an answer that is valid until the\#
 vault is locked.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","\#
type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"stri\#
ng"},"type":"array"}},"required":["account","askedAt","formatVersion","id","method","pid","state"],"title":"ri\#
tualctl approvals allow --json","type":"object"},"approvals deny":{"$schema":"https://json-schema.org/draft/20\#
20-12/schema","description":"Deny a program access. Its requests are refused while the answer is valid.","prop\#
erties":{"account":{"description":"The account that the program wants to use.","type":"string"},"askedAt":{"de\#
scription":"When the first request was made.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9\#
]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"description":"The executable of that process, withou\#
t arguments; absent if it cannot be read.","type":"string"},"formatVersion":{"const":1,"description":"The vers\#
ion of the format. It increases when an existing script would misread a document.","type":"integer"},"id":{"de\#
scription":"The id that `approval.answer`, `approval.revoke` and `ritualctl approvals` take.","type":"string"}\#
,"method":{"description":"The method of the first request.","type":"string"},"pid":{"description":"The process\#
 that made the first request.","type":"integer"},"state":{"$ref":"#/$defs/ApprovalState","description":"`pendi\#
ng`, `allowed` or `denied`."},"unit":{"description":"The systemd unit of that process; absent if it has none."\#
,"type":"string"},"until":{"description":"When the approval expires; absent for an answer that is valid until \#
the vault is locked.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$\#
","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"s\#
tring"},"type":"array"}},"required":["account","askedAt","formatVersion","id","method","pid","state"],"title":\#
"ritualctl approvals deny --json","type":"object"},"approvals list":{"$schema":"https://json-schema.org/draft/\#
2020-12/schema","description":"List pending requests and valid answers.","properties":{"approvals":{"descripti\#
on":"The pending access requests and the valid answers, oldest first.","items":{"$ref":"#/$defs/Approval"},"ty\#
pe":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existin\#
g script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absent if \#
there are none.","items":{"type":"string"},"type":"array"}},"required":["approvals","formatVersion"],"title":"\#
ritualctl approvals list --json","type":"object"},"approvals revoke":{"$schema":"https://json-schema.org/draft\#
/2020-12/schema","description":"Delete an answer. The next request needs a new one.","properties":{"formatVers\#
ion":{"const":1,"description":"The version of the format. It increases when an existing script would misread a\#
 document.","type":"integer"},"id":{"description":"The id of the approval.","type":"string"},"warnings":{"desc\#
ription":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":\#
["formatVersion","id"],"title":"ritualctl approvals revoke --json","type":"object"},"audit":{"$schema":"https:\#
//json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without `--verify`.","properties":{"entries":\#
{"description":"The entries, newest last.","items":{"$ref":"#/$defs/AuditEntry"},"type":"array"},"formatVersio\#
n":{"const":1,"description":"The version of the format. It increases when an existing script would misread a d\#
ocument.","type":"integer"},"isChecked":{"description":"Whether each entry was checked against the chain; fals\#
e while the vault is locked.","type":"boolean"},"leftOut":{"description":"The number of lines in the files rea\#
d that do not match the chain. They are not among the entries.","type":"integer"},"more":{"description":"Wheth\#
er older entries exist.","type":"boolean"},"unknownCount":{"description":"The total number of unknown files.",\#
"type":"integer"},"unknownFiles":{"description":"Files in the log's directory that the agent did not create: t\#
heir escaped names, at most 20.","items":{"type":"string"},"type":"array"},"warnings":{"description":"Readable\#
 warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["entries","format\#
Version","isChecked","leftOut","more","unknownCount","unknownFiles"],"type":"object"},{"description":"With `--\#
verify`.","properties":{"findings":{"description":"What does not match the chain; empty if the log is intact."\#
,"items":{"$ref":"#/$defs/AuditVerify.Finding"},"type":"array"},"first":{"description":"The first entry that i\#
s kept.","minimum":0,"type":"integer"},"fitting":{"description":"The number of entries that match the chain.",\#
"type":"integer"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an ex\#
isting script would misread a document.","type":"integer"},"interruptions":{"description":"The entries after w\#
hich the agent ended without a clean stop. Entries of up to one second before may be missing.","items":{"minim\#
um":0,"type":"integer"},"type":"array"},"isWhole":{"description":"True if there are no findings.","type":"bool\#
ean"},"limits":{"description":"Readable statements of what the verification does not prove.","items":{"type":"\#
string"},"type":"array"},"sealed":{"description":"The last entry that is sealed in the vault.","minimum":0,"ty\#
pe":"integer"},"unsealed":{"description":"The number of entries after the last sealed one. They match the chai\#
n, but their removal would go unnoticed.","type":"integer"},"warnings":{"description":"Readable warnings; abse\#
nt if there are none.","items":{"type":"string"},"type":"array"}},"required":["findings","first","fitting","fo\#
rmatVersion","interruptions","isWhole","limits","sealed","unsealed"],"type":"object"}],"description":"Show sig\#
n-ins, sign-outs, and issued tokens, newest last.","title":"ritualctl audit --json"},"complete-sign-in":{"$sch\#
ema":"https://json-schema.org/draft/2020-12/schema","description":"Finish a sign-in by pasting the redirect UR\#
L.","properties":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"dec\#
ision":{"$ref":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `ide\#
ntity.decide` sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It incr\#
eases when an existing script would misread a document.","type":"integer"},"outcome":{"$ref":"#/$defs/SignInRe\#
sult.Outcome","description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVe\#
rsion","outcome"],"title":"ritualctl complete-sign-in --json","type":"object"},"doctor":{"$schema":"https://js\#
on-schema.org/draft/2020-12/schema","description":"Check the setup and show how to fix problems.","properties"\#
:{"checks":{"description":"The results of the checks.","items":{"$ref":"#/$defs/DiagnosticCheck"},"type":"arra\#
y"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script \#
would misread a document.","type":"integer"},"isHealthy":{"description":"Whether no check failed.","type":"boo\#
lean"},"version":{"description":"The version of this program.","type":"string"},"warnings":{"description":"Rea\#
dable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["checks","fo\#
rmatVersion","isHealthy","version"],"title":"ritualctl doctor --json","type":"object"},"error":{"$schema":"htt\#
ps://json-schema.org/draft/2020-12/schema","description":"The error of any command, on standard error.","prope\#
rties":{"error":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":\#
{"description":"The exit status of the command.","type":"integer"},"formatVersion":{"const":1,"description":"T\#
he version of the format. It increases when an existing script would misread a document.","type":"integer"},"w\#
arnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array\#
"}},"required":["error","exitStatus","formatVersion"],"title":"ritualctl: error","type":"object"},"events":{"$\#
schema":"https://json-schema.org/draft/2020-12/schema","description":"One line per event: the current state fi\#
rst, then every change.","properties":{"account":{"description":"The account that changed; absent if the event\#
 does not concern an account.","type":"string"},"approval":{"$ref":"#/$defs/Approval","description":"The pendi\#
ng access request (`APPROVAL_NEEDED`), or the answered or expired one (`APPROVAL_ANSWERED`)."},"at":{"descript\#
ion":"When it changed.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\#
Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an\#
 existing script would misread a document.","type":"integer"},"reason":{"description":"A readable reason, for \#
`SIGNED_OUT` and `STATE_CHANGED`; for `ACCOUNT_LINKED` the provider and how it was linked.","type":"string"},"\#
sequence":{"description":"Increases by one with each change. Events that describe the current state to a new s\#
ubscriber carry the number of the last change in that state.","minimum":0,"type":"integer"},"status":{"$ref":"\#
#/$defs/AccountStatus","description":"The account after the change."},"token":{"$ref":"#/$defs/SessionToken.Re\#
sult","description":"The new token, for subscribers that requested tokens."},"type":{"$ref":"#/$defs/EventType\#
","description":"What changed."}},"required":["at","formatVersion","sequence","type"],"title":"ritualctl event\#
s --json","type":"object"},"exec":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Why\#
 the command was not run, on standard error. The output of the command itself is unchanged.","properties":{"er\#
ror":{"$ref":"#/$defs/ErrorDocument.Details","description":"Why the command failed."},"exitStatus":{"descripti\#
on":"The exit status of the command.","type":"integer"},"formatVersion":{"const":1,"description":"The version \#
of the format. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"\#
description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requir\#
ed":["error","exitStatus","formatVersion"],"title":"ritualctl exec --json","type":"object"},"help":{"$schema":\#
"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"With `--help` or `--version`.","proper\#
ties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing scri\#
pt would misread a document.","type":"integer"},"groups":{"description":"The groups of commands; only with the\#
 help of the program itself.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"text":{"description":\#
"The text.","type":"string"}},"required":["formatVersion","text"],"type":"object"},{"description":"Without a c\#
ommand.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It increases when \#
an existing script would misread a document.","type":"integer"},"groups":{"description":"The commands by group\#
.","items":{"$ref":"#/$defs/Overview.Group"},"type":"array"},"next":{"$ref":"#/$defs/NextStep","description":"\#
The next sensible step on this machine."}},"required":["formatVersion","groups","next"],"type":"object"}],"des\#
cription":"The output of `--help` and `--version`, and of `ritualctl` without a command.","title":"ritualctl: \#
help"},"identities":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"List linked sign-\#
in methods.","properties":{"account":{"description":"The account whose user has the sign-in methods.","type":"\#
string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing sc\#
ript would misread a document.","type":"integer"},"identities":{"description":"The linked sign-in methods.","i\#
tems":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the server could\#
 not be asked and the list is its last known answer.","type":"boolean"},"warnings":{"description":"Readable wa\#
rnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["account","formatVer\#
sion","identities","isCurrent"],"title":"ritualctl identities --json","type":"object"},"init":{"$schema":"http\#
s://json-schema.org/draft/2020-12/schema","description":"Add a Supabase project to the configuration, or chang\#
e one.","properties":{"apiAccepted":{"description":"The accounts that accepted the API of `--api-url`; absent \#
without that option.","items":{"type":"string"},"type":"array"},"change":{"description":"`added`, `updated` or\#
 `none`.","type":"string"},"configuration":{"description":"The path of the configuration file.","type":"string\#
"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script w\#
ould misread a document.","type":"integer"},"note":{"description":"A note about the part that was removed from\#
 a pasted URL.","type":"string"},"project":{"description":"The project's name.","type":"string"},"warning":{"d\#
escription":"A problem with the reload of a running agent, or with the project.","type":"string"},"warnings":{\#
"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"requi\#
red":["change","configuration","formatVersion","project"],"title":"ritualctl init --json","type":"object"},"li\#
nk":{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.","properti\#
es":{"account":{"$ref":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref\#
":"#/$defs/SignInDecision","description":"For `decisionNeeded`, the decision for the person; `identity.decide`\#
 sends the answer."},"formatVersion":{"const":1,"description":"The version of the format. It increases when an\#
 existing script would misread a document.","type":"integer"},"outcome":{"$ref":"#/$defs/SignInResult.Outcome"\#
,"description":"`signedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warn\#
ings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outco\#
me"],"type":"object"},{"description":"With `--no-browser`.","properties":{"expiresAt":{"description":"When the\#
 flow expires on the server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0\#
-9]{2}Z$","type":"string"},"flow":{"description":"The ID of the flow.","type":"string"},"formatVersion":{"cons\#
t":1,"description":"The version of the format. It increases when an existing script would misread a document."\#
,"type":"integer"},"outcome":{"description":"`begun`.","type":"string"},"url":{"description":"The URL to open.\#
","type":"string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"s\#
tring"},"type":"array"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"}],"de\#
scription":"Link Apple or Google as a sign-in method.","title":"ritualctl link --json"},"lock":{"$schema":"htt\#
ps://json-schema.org/draft/2020-12/schema","description":"Lock the vault. No tokens are issued or refreshed un\#
til it is unlocked.","properties":{"formatVersion":{"const":1,"description":"The version of the format. It inc\#
reases when an existing script would misread a document.","type":"integer"},"opensByFile":{"description":"Whet\#
her a key file or credential opens the vault again, so that any program of the user can unlock it.","type":"bo\#
olean"},"warning":{"description":"A readable problem that did not prevent the lock.","type":"string"},"warning\#
s":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"r\#
equired":["formatVersion","opensByFile"],"title":"ritualctl lock --json","type":"object"},"metrics":{"$schema"\#
:"https://json-schema.org/draft/2020-12/schema","description":"Print the agent's counters in OpenMetrics forma\#
t.","properties":{"events":{"description":"The last events, oldest first.","items":{"$ref":"#/$defs/TelemetryR\#
ecord"},"type":"array"},"families":{"description":"The counters, as metric families of OpenMetrics.","items":{\#
"$ref":"#/$defs/MetricFamily"},"type":"array"},"formatVersion":{"const":1,"description":"The version of the fo\#
rmat. It increases when an existing script would misread a document.","type":"integer"},"warnings":{"descripti\#
on":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["eve\#
nts","families","formatVersion"],"title":"ritualctl metrics --json","type":"object"},"profile":{"$schema":"htt\#
ps://json-schema.org/draft/2020-12/schema","description":"Show or change the user's profile.","properties":{"a\#
ccount":{"description":"The account whose user has the profile.","type":"string"},"formatVersion":{"const":1,"\#
description":"The version of the format. It increases when an existing script would misread a document.","type\#
":"integer"},"onboarding":{"description":"`needed` or `complete`.","type":"string"},"prefill":{"additionalProp\#
erties":{},"description":"Values that Apple sent at the first sign-in and that the profile lacks. `profile.upd\#
ate` adds them.","type":"object"},"profile":{"additionalProperties":{},"description":"The profile from the API\#
; absent if there is none yet.","type":"object"},"warnings":{"description":"Readable warnings; absent if there\#
 are none.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","onboarding"],"ti\#
tle":"ritualctl profile --json","type":"object"},"refresh":{"$schema":"https://json-schema.org/draft/2020-12/s\#
chema","description":"Refresh now (at most once every 5 seconds).","properties":{"activity":{"$ref":"#/$defs/A\#
ccountActivity","description":"The operation that runs for the account."},"ended":{"$ref":"#/$defs/EndedSessio\#
n","description":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description\#
":"The access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-\#
9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of \#
the format. It increases when an existing script would misread a document.","type":"integer"},"identities":{"d\#
escription":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"typ\#
e":"array"},"isDefault":{"description":"Whether requests without an account name use this account.","type":"bo\#
olean"},"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or \#
`complete`, once the profile is known.","type":"string"},"origin":{"description":"The origin that issued the s\#
ession, or the configured origin if there is no session.","type":"string"},"project":{"description":"The proje\#
ct's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The\#
 refresh schedule; absent without a session."},"state":{"$ref":"#/$defs/AccountState","description":"The state\#
 of the session."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","t\#
ype":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"descrip\#
tion":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["a\#
ctivity","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl r\#
efresh --json","type":"object"},"register-handler":{"$schema":"https://json-schema.org/draft/2020-12/schema","\#
anyOf":[{"description":"Without `--print`.","properties":{"file":{"description":"The path of the desktop entry\#
.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an \#
existing script would misread a document.","type":"integer"},"registered":{"description":"Whether the agent op\#
ens URLs of the scheme now.","type":"boolean"},"scheme":{"description":"The URL scheme.","type":"string"},"war\#
nings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}\#
},"required":["file","formatVersion","registered","scheme"],"type":"object"},{"description":"With `--print`.",\#
"properties":{"entry":{"description":"The text of the desktop entry.","type":"string"},"formatVersion":{"const\#
":1,"description":"The version of the format. It increases when an existing script would misread a document.",\#
"type":"integer"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"st\#
ring"},"type":"array"}},"required":["entry","formatVersion"],"type":"object"}],"description":"Open dailyritual\#
:// URLs with the agent.","title":"ritualctl register-handler --json"},"reload":{"$schema":"https://json-schem\#
a.org/draft/2020-12/schema","description":"Reload the agent's configuration.","properties":{"formatVersion":{"\#
const":1,"description":"The version of the format. It increases when an existing script would misread a docume\#
nt.","type":"integer"},"projects":{"description":"The names of the projects in the configuration.","items":{"t\#
ype":"string"},"type":"array"},"reloaded":{"description":"Whether the file was read: false if the agent uses a\#
 file other than `file`. Absent in older agents.","type":"boolean"},"warning":{"description":"A readable probl\#
em, such as a failed check; absent if there is none.","type":"string"},"warnings":{"description":"Readable war\#
nings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","proj\#
ects"],"title":"ritualctl reload --json","type":"object"},"reset":{"$schema":"https://json-schema.org/draft/20\#
20-12/schema","description":"Sign out of all accounts and remove the agent's data.","properties":{"formatVersi\#
on":{"const":1,"description":"The version of the format. It increases when an existing script would misread a \#
document.","type":"integer"},"kept":{"description":"The paths that were kept: the configuration, without `--co\#
nfig`.","items":{"type":"string"},"type":"array"},"removed":{"description":"The paths that were removed.","ite\#
ms":{"type":"string"},"type":"array"},"signedOut":{"description":"The accounts that were signed out.","items":\#
{"type":"string"},"type":"array"},"unrevoked":{"description":"The sessions that may still be active on their s\#
erver.","items":{"$ref":"#/$defs/UnrevokedSession"},"type":"array"},"warnings":{"description":"Readable warnin\#
gs; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","kept","\#
removed","signedOut","unrevoked"],"title":"ritualctl reset --json","type":"object"},"schema":{"$schema":"https\#
://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"Without a command.","properties":{"commands"\#
:{"description":"The commands that `ritualctl schema` takes, and `error` and `help`.","items":{"type":"string"\#
},"type":"array"},"formatVersion":{"const":1,"description":"The version of the format. It increases when an ex\#
isting script would misread a document.","type":"integer"},"warnings":{"description":"Readable warnings; absen\#
t if there are none.","items":{"type":"string"},"type":"array"}},"required":["commands","formatVersion"],"type\#
":"object"},{"description":"With a command.","properties":{"command":{"description":"The command whose documen\#
t the schema describes.","type":"string"},"formatVersion":{"const":1,"description":"The version of the format.\#
 It increases when an existing script would misread a document.","type":"integer"},"schema":{"description":"Th\#
e JSON Schema."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"str\#
ing"},"type":"array"}},"required":["command","formatVersion","schema"],"type":"object"}],"description":"Print \#
the JSON Schema of a command's --json document.","title":"ritualctl schema --json"},"sign-in":{"$schema":"http\#
s://json-schema.org/draft/2020-12/schema","anyOf":[{"description":"The outcome.","properties":{"account":{"$re\#
f":"#/$defs/AccountStatus","description":"For `signedIn`, the account."},"decision":{"$ref":"#/$defs/SignInDec\#
ision","description":"For `decisionNeeded`, the decision for the person; `identity.decide` sends the answer."}\#
,"formatVersion":{"const":1,"description":"The version of the format. It increases when an existing script wou\#
ld misread a document.","type":"integer"},"outcome":{"$ref":"#/$defs/SignInResult.Outcome","description":"`sig\#
nedIn`, `confirmationSent` or `decisionNeeded`."},"warnings":{"description":"Readable warnings; absent if ther\#
e are none.","items":{"type":"string"},"type":"array"}},"required":["formatVersion","outcome"],"type":"object"\#
},{"description":"With `--no-browser`.","properties":{"expiresAt":{"description":"When the flow expires on the\#
 server.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"st\#
ring"},"flow":{"description":"The ID of the flow.","type":"string"},"formatVersion":{"const":1,"description":"\#
The version of the format. It increases when an existing script would misread a document.","type":"integer"},"\#
outcome":{"description":"`begun`.","type":"string"},"url":{"description":"The URL to open.","type":"string"},"\#
warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arra\#
y"}},"required":["expiresAt","flow","formatVersion","outcome","url"],"type":"object"}],"description":"Sign in \#
with Apple, Google, or email and password.","title":"ritualctl sign-in --json"},"sign-out":{"$schema":"https:/\#
/json-schema.org/draft/2020-12/schema","description":"Sign out on this machine and on the server.","properties\#
":{"accounts":{"description":"The accounts that were signed out.","items":{"type":"string"},"type":"array"},"f\#
ailed":{"description":"With `all`, the accounts whose sign-out failed, and why. Absent if there are none.","it\#
ems":{"$ref":"#/$defs/SessionSignOut.Failure"},"type":"array"},"formatVersion":{"const":1,"description":"The v\#
ersion of the format. It increases when an existing script would misread a document.","type":"integer"},"pendi\#
ng":{"description":"The accounts whose revocation is pending until the server is reachable.","items":{"type":"\#
string"},"type":"array"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"ty\#
pe":"string"},"type":"array"}},"required":["accounts","formatVersion","pending"],"title":"ritualctl sign-out -\#
-json","type":"object"},"status":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Show\#
 the current state of the agent, the vault, and the accounts.","properties":{"accounts":{"description":"The ac\#
counts. They may be unknown while the vault is locked.","items":{"$ref":"#/$defs/AccountStatus"},"type":"array\#
"},"autostart":{"description":"Whether the first sign-in enables the agent's service (`[agent] autostart`). Ab\#
sent in older agents, whose first sign-in does.","type":"boolean"},"formatVersion":{"const":1,"description":"T\#
he version of the format. It increases when an existing script would misread a document.","type":"integer"},"h\#
ealth":{"description":"Readable findings; empty if there is nothing to report.","items":{"type":"string"},"typ\#
e":"array"},"pid":{"description":"The agent's process ID.","type":"integer"},"stateFolder":{"description":"The\#
 state directory of the agent; a `ritualctl` with another environment would look elsewhere. Absent in older ag\#
ents.","type":"string"},"unrevoked":{"description":"The accounts with a pending revocation on the server. Abse\#
nt while the vault is locked, because the list is then unknown.","items":{"type":"string"},"type":"array"},"up\#
time":{"description":"Seconds since the agent became ready.","type":"integer"},"vault":{"$ref":"#/$defs/VaultS\#
ummary","description":"The state of the vault."},"version":{"description":"The version of the agent.","type":"\#
string"},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"t\#
ype":"array"}},"required":["accounts","formatVersion","health","pid","uptime","vault","version"],"title":"ritu\#
alctl status --json","type":"object"},"token":{"$schema":"https://json-schema.org/draft/2020-12/schema","descr\#
iption":"Print a valid access token.","properties":{"accessToken":{"description":"The bearer token. Never log \#
it or pass it as a command-line argument.","type":"string"},"account":{"description":"The account that the tok\#
en belongs to.","type":"string"},"endpoints":{"$ref":"#/$defs/SessionToken.Endpoints","description":"The proje\#
ct that accepts the token, if the caller asked for it."},"expiresAt":{"description":"The token's expiry, by th\#
is machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"\#
,"type":"string"},"expiresIn":{"description":"Seconds until the token expires.","type":"integer"},"formatVersi\#
on":{"const":1,"description":"The version of the format. It increases when an existing script would misread a \#
document.","type":"integer"},"tokenType":{"description":"`bearer` (RFC 6750).","type":"string"},"unchanged":{"\#
description":"True if the caller reported this token as rejected and there is no newer one. The caller must no\#
t repeat its request.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if there are non\#
e.","items":{"type":"string"},"type":"array"}},"required":["accessToken","account","expiresAt","expiresIn","fo\#
rmatVersion","tokenType"],"title":"ritualctl token --json","type":"object"},"unlink":{"$schema":"https://json-\#
schema.org/draft/2020-12/schema","description":"Unlink a sign-in method. The last one cannot be removed.","pro\#
perties":{"account":{"description":"The account whose user has the sign-in methods.","type":"string"},"formatV\#
ersion":{"const":1,"description":"The version of the format. It increases when an existing script would misrea\#
d a document.","type":"integer"},"identities":{"description":"The linked sign-in methods.","items":{"$ref":"#/\#
$defs/AccountIdentity"},"type":"array"},"isCurrent":{"description":"False if the server could not be asked and\#
 the list is its last known answer.","type":"boolean"},"warnings":{"description":"Readable warnings; absent if\#
 there are none.","items":{"type":"string"},"type":"array"}},"required":["account","formatVersion","identities\#
","isCurrent"],"title":"ritualctl unlink --json","type":"object"},"unlock":{"$schema":"https://json-schema.org\#
/draft/2020-12/schema","description":"Unlock the vault.","properties":{"formatVersion":{"const":1,"description\#
":"The version of the format. It increases when an existing script would misread a document.","type":"integer"\#
},"key":{"$ref":"#/$defs/VaultKey","description":"The key that opened the vault."},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["formatVe\#
rsion","key"],"title":"ritualctl unlock --json","type":"object"},"use":{"$schema":"https://json-schema.org/dra\#
ft/2020-12/schema","description":"Set the default account.","properties":{"activity":{"$ref":"#/$defs/AccountA\#
ctivity","description":"The operation that runs for the account."},"ended":{"$ref":"#/$defs/EndedSession","des\#
cription":"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The \#
access token's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[\#
0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the for\#
mat. It increases when an existing script would misread a document.","type":"integer"},"identities":{"descript\#
ion":"The sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"arr\#
ay"},"isDefault":{"description":"Whether requests without an account name use this account.","type":"boolean"}\#
,"name":{"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `comple\#
te`, once the profile is known.","type":"string"},"origin":{"description":"The origin that issued the session,\#
 or the configured origin if there is no session.","type":"string"},"project":{"description":"The project's na\#
me in the configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refres\#
h schedule; absent without a session."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the\#
 session."},"tokenUsable":{"description":"Whether `session.token` would return a token immediately.","type":"b\#
oolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The signed-in user."},"warnings":{"description":"\#
Readable warnings; absent if there are none.","items":{"type":"string"},"type":"array"}},"required":["activity\#
","formatVersion","identities","isDefault","name","project","state","tokenUsable"],"title":"ritualctl use --js\#
on","type":"object"},"use-api":{"$schema":"https://json-schema.org/draft/2020-12/schema","description":"Allow \#
the configured API to receive an account's token.","properties":{"activity":{"$ref":"#/$defs/AccountActivity",\#
"description":"The operation that runs for the account."},"ended":{"$ref":"#/$defs/EndedSession","description"\#
:"Why and when the session ended; present in state `signInNeeded`."},"expiresAt":{"description":"The access to\#
ken's expiry, by this machine's clock.","format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[\#
0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"const":1,"description":"The version of the format. It i\#
ncreases when an existing script would misread a document.","type":"integer"},"identities":{"description":"The\#
 sign-in methods that are linked to the user.","items":{"$ref":"#/$defs/AccountIdentity"},"type":"array"},"isD\#
efault":{"description":"Whether requests without an account name use this account.","type":"boolean"},"name":{\#
"description":"The account's name.","type":"string"},"onboarding":{"description":"`needed` or `complete`, once\#
 the profile is known.","type":"string"},"origin":{"description":"The origin that issued the session, or the c\#
onfigured origin if there is no session.","type":"string"},"project":{"description":"The project's name in the\#
 configuration.","type":"string"},"refresh":{"$ref":"#/$defs/RefreshStatus","description":"The refresh schedul\#
e; absent without a session."},"state":{"$ref":"#/$defs/AccountState","description":"The state of the session.\#
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
"ended":{"$ref":"#/$defs/EndedSession","description":"Why and when the session ended; present in state `signIn\#
Needed`."},"expiresAt":{"description":"The access token's expiry, by this machine's clock.","format":"date-tim\#
e","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"formatVersion":{"con\#
st":1,"description":"The version of the format. It increases when an existing script would misread a document.\#
","type":"integer"},"identities":{"description":"The sign-in methods that are linked to the user.","items":{"$\#
ref":"#/$defs/AccountIdentity"},"type":"array"},"isDefault":{"description":"Whether requests without an accoun\#
t name use this account.","type":"boolean"},"name":{"description":"The account's name.","type":"string"},"onbo\#
arding":{"description":"`needed` or `complete`, once the profile is known.","type":"string"},"origin":{"descri\#
ption":"The origin that issued the session, or the configured origin if there is no session.","type":"string"}\#
,"project":{"description":"The project's name in the configuration.","type":"string"},"refresh":{"$ref":"#/$de\#
fs/RefreshStatus","description":"The refresh schedule; absent without a session."},"state":{"$ref":"#/$defs/Ac\#
countState","description":"The state of the session."},"tokenUsable":{"description":"Whether `session.token` w\#
ould return a token immediately.","type":"boolean"},"user":{"$ref":"#/$defs/AccountUser","description":"The si\#
gned-in user."},"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"stri\#
ng"},"type":"array"}},"required":["activity","formatVersion","identities","isDefault","name","project","state"\#
,"tokenUsable"],"title":"ritualctl whoami --json","type":"object"},"why":{"$schema":"https://json-schema.org/d\#
raft/2020-12/schema","description":"Show the next refresh, the reason, and recent attempts.","properties":{"ac\#
count":{"$ref":"#/$defs/AccountStatus","description":"The account."},"explanation":{"description":"Sentences, \#
most important first.","items":{"type":"string"},"type":"array"},"formatVersion":{"const":1,"description":"The\#
 version of the format. It increases when an existing script would misread a document.","type":"integer"},"tri\#
es":{"description":"The recent attempts, newest first.","items":{"$ref":"#/$defs/RefreshTry"},"type":"array"},\#
"warnings":{"description":"Readable warnings; absent if there are none.","items":{"type":"string"},"type":"arr\#
ay"}},"required":["account","explanation","formatVersion","tries"],"title":"ritualctl why --json","type":"obje\#
ct"}}}
"""#
}
