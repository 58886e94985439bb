// swift-format-ignore-file
/// The OpenRPC document of `rpc.discover`, but for the agent's version. Generated from the types of the method table by the
/// tests: run DiscoveryTests with RITUAL_WRITE_GOLDEN=1 after a change of the protocol.
enum DiscoveryDocument {
  static let beforeVersion: StaticString = #"""
{"components":{"errors":{"approvalNeeded":{"code":-32028,"data":{"kind":"approvalNeeded","retryable":false},"m\#
essage":"This needs your approval."},"callbackInvalid":{"code":-32011,"data":{"kind":"callbackInvalid","retrya\#
ble":false},"message":"Sign in failed. Please try again."},"cancelled":{"code":-32015,"data":{"kind":"cancelle\#
d","retryable":false},"message":"Cancelled."},"denied":{"code":-32006,"data":{"kind":"denied","retryable":fals\#
e},"message":"This is not allowed."},"emailNotConfirmed":{"code":-32019,"data":{"kind":"emailNotConfirmed","re\#
tryable":false},"message":"Please confirm your e-mail address first, then sign in."},"flowBusy":{"code":-32013\#
,"data":{"kind":"flowBusy","retryable":false},"message":"A sign-in for this account is already running."},"flo\#
wTimedOut":{"code":-32014,"data":{"kind":"flowTimedOut","retryable":true},"message":"The sign-in took too long\#
. Please try again."},"flowUnknown":{"code":-32012,"data":{"kind":"flowUnknown","retryable":false},"message":"\#
This sign-in is over or was never begun."},"formatTooNew":{"code":-32018,"data":{"kind":"formatTooNew","retrya\#
ble":false},"message":"Unable to access secure storage."},"identityTaken":{"code":-32025,"data":{"kind":"ident\#
ityTaken","retryable":false},"message":"This email is already associated with another account."},"internalErro\#
r":{"code":-32603,"data":{"kind":"internalError","retryable":false},"message":"Something went wrong inside the\#
 agent."},"invalidCredentials":{"code":-32010,"data":{"kind":"invalidCredentials","retryable":false},"message"\#
:"Sign in failed. Please check your e-mail and password."},"invalidParams":{"code":-32602,"data":{"kind":"inva\#
lidParams","retryable":false},"message":"The parameters do not fit the method."},"invalidRequest":{"code":-326\#
00,"data":{"kind":"invalidRequest","retryable":false},"message":"The request is not a JSON-RPC 2.0 request."},\#
"lastIdentity":{"code":-32024,"data":{"kind":"lastIdentity","retryable":false},"message":"The last way to sign\#
 in cannot be removed."},"linkingConflict":{"code":-32026,"data":{"kind":"linkingConflict","retryable":false},\#
"message":"This email is already associated with another account."},"linkingDisabled":{"code":-32023,"data":{"\#
kind":"linkingDisabled","retryable":false},"message":"The project does not allow linking by hand."},"methodDis\#
abled":{"code":-32022,"data":{"kind":"methodDisabled","retryable":false},"message":"This way to sign in is swi\#
tched off for the project."},"methodNotFound":{"code":-32601,"data":{"kind":"methodNotFound","retryable":false\#
},"message":"The agent has no such method."},"misconfigured":{"code":-32034,"data":{"kind":"misconfigured","re\#
tryable":false},"message":"The configuration does not fit this account."},"notReady":{"code":-32000,"data":{"k\#
ind":"notReady","retryable":true},"message":"The agent is still starting. Please try again."},"offline":{"code\#
":-32007,"data":{"kind":"offline","retryable":true},"message":"Connection failed. Please check your internet a\#
nd try again."},"parseError":{"code":-32700,"data":{"kind":"parseError","retryable":false},"message":"The requ\#
est is not JSON."},"rateLimited":{"code":-32009,"data":{"kind":"rateLimited","retryable":true},"message":"Too \#
many requests. Please try again later."},"serviceUnavailable":{"code":-32008,"data":{"kind":"serviceUnavailabl\#
e","retryable":true},"message":"Service temporarily unavailable. Please try again later."},"signInNeeded":{"co\#
de":-32001,"data":{"kind":"signInNeeded","retryable":false},"message":"Session expired. Please sign in again."\#
},"storageFull":{"code":-32017,"data":{"kind":"storageFull","retryable":true},"message":"Unable to access secu\#
re storage."},"timedOut":{"code":-32032,"data":{"kind":"timedOut","retryable":true},"message":"This took too l\#
ong. Please try again."},"tooLarge":{"code":-32030,"data":{"kind":"tooLarge","retryable":false},"message":"The\#
 message is too large."},"tooMany":{"code":-32031,"data":{"kind":"tooMany","retryable":true},"message":"Too ma\#
ny requests at once. Please try again."},"unknownAccount":{"code":-32002,"data":{"kind":"unknownAccount","retr\#
yable":false},"message":"There is no such account."},"unsupportedVersion":{"code":-32033,"data":{"kind":"unsup\#
portedVersion","retryable":false},"message":"The client and the agent do not speak the same version of the pro\#
tocol."},"userExists":{"code":-32020,"data":{"kind":"userExists","retryable":false},"message":"This e-mail add\#
ress has an account already."},"vaultCopied":{"code":-32029,"data":{"kind":"vaultCopied","retryable":false},"m\#
essage":"This vault was copied from another machine."},"vaultDamaged":{"code":-32004,"data":{"kind":"vaultDama\#
ged","retryable":false},"message":"Unable to access secure storage."},"vaultLocked":{"code":-32003,"data":{"ki\#
nd":"vaultLocked","retryable":false},"message":"The vault is locked."},"vaultUnavailable":{"code":-32005,"data\#
":{"kind":"vaultUnavailable","retryable":false},"message":"Unable to access secure storage."},"weakPassword":{\#
"code":-32021,"data":{"kind":"weakPassword","retryable":false},"message":"This password is too weak. Please ch\#
oose another."},"wrongKey":{"code":-32016,"data":{"kind":"wrongKey","retryable":false},"message":"Unable to ac\#
cess secure storage."},"wrongUser":{"code":-32027,"data":{"kind":"wrongUser","retryable":false},"message":"You\#
 signed in as a different user. The account was not changed."}},"schemas":{"APIRequestMethod.Result":{"additio\#
nalProperties":false,"properties":{"body":{"description":"base64 (RFC 4648, section 4)","pattern":"^[A-Za-z0-9\#
+/]*={0,2}$","type":"string"},"headers":{"items":{"items":{"type":"string"},"type":"array"},"type":"array"},"s\#
tatus":{"type":"integer"}},"required":["body","headers","status"],"type":"object"},"AccountActivity":{"example\#
s":["none","authenticating","refreshing"],"type":"string"},"AccountIdentity":{"additionalProperties":false,"pr\#
operties":{"email":{"type":"string"},"identityID":{"type":"string"},"provider":{"type":"string"}},"required":[\#
"identityID","provider"],"type":"object"},"AccountState":{"examples":["unauthenticated","authenticated","degra\#
ded","signInNeeded","locked","copied","misconfigured"],"type":"string"},"AccountStatus":{"additionalProperties\#
":false,"properties":{"activity":{"$ref":"#/components/schemas/AccountActivity"},"ended":{"$ref":"#/components\#
/schemas/EndedSession"},"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9\#
]{2}:[0-9]{2}Z$","type":"string"},"identities":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type"\#
:"array"},"isDefault":{"type":"boolean"},"name":{"type":"string"},"onboarding":{"type":"string"},"origin":{"ty\#
pe":"string"},"project":{"type":"string"},"refresh":{"$ref":"#/components/schemas/RefreshStatus"},"state":{"$r\#
ef":"#/components/schemas/AccountState"},"tokenUsable":{"type":"boolean"},"user":{"$ref":"#/components/schemas\#
/AccountUser"}},"required":["activity","identities","isDefault","name","project","state","tokenUsable"],"type"\#
:"object"},"AccountUser":{"additionalProperties":false,"properties":{"email":{"type":"string"},"id":{"type":"s\#
tring"},"name":{"type":"string"},"provider":{"type":"string"}},"required":["id"],"type":"object"},"AgentDiagno\#
se.Result":{"additionalProperties":false,"properties":{"checks":{"items":{"$ref":"#/components/schemas/Diagnos\#
ticCheck"},"type":"array"},"redirect":{"type":"string"},"schemes":{"items":{"type":"string"},"type":"array"}},\#
"required":["checks","redirect","schemes"],"type":"object"},"AgentError":{"additionalProperties":false,"proper\#
ties":{"code":{"type":"integer"},"data":{"$ref":"#/components/schemas/AgentError.Details"},"message":{"type":"\#
string"}},"required":["code","message"],"type":"object"},"AgentError.Details":{"additionalProperties":false,"p\#
roperties":{"account":{"type":"string"},"approval":{"type":"string"},"detail":{"type":"string"},"hint":{"type"\#
:"string"},"kind":{"$ref":"#/components/schemas/ErrorKind"},"retryAfter":{"type":"number"},"retryable":{"type"\#
:"boolean"}},"required":["kind","retryable"],"type":"object"},"AgentEvent":{"additionalProperties":false,"prop\#
erties":{"account":{"type":"string"},"approval":{"$ref":"#/components/schemas/Approval"},"at":{"format":"date-\#
time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"type":"\#
string"},"sequence":{"minimum":0,"type":"integer"},"status":{"$ref":"#/components/schemas/AccountStatus"},"tok\#
en":{"$ref":"#/components/schemas/SessionToken.Result"},"type":{"$ref":"#/components/schemas/EventType"}},"req\#
uired":["at","sequence","type"],"type":"object"},"AgentHello.Result":{"additionalProperties":false,"properties\#
":{"agent":{"type":"string"},"capabilities":{"items":{"type":"string"},"type":"array"},"protocol":{"type":"int\#
eger"},"version":{"type":"string"}},"required":["agent","capabilities","protocol","version"],"type":"object"},\#
"AgentReload.Result":{"additionalProperties":false,"properties":{"projects":{"items":{"type":"string"},"type":\#
"array"},"reloaded":{"type":"boolean"},"warning":{"type":"string"}},"required":["projects"],"type":"object"},"\#
AgentStatusMethod.Result":{"additionalProperties":false,"properties":{"accounts":{"items":{"$ref":"#/component\#
s/schemas/AccountStatus"},"type":"array"},"health":{"items":{"type":"string"},"type":"array"},"pid":{"type":"i\#
nteger"},"stateFolder":{"type":"string"},"unrevoked":{"items":{"type":"string"},"type":"array"},"uptime":{"typ\#
e":"integer"},"vault":{"$ref":"#/components/schemas/VaultSummary"},"version":{"type":"string"}},"required":["a\#
ccounts","health","pid","uptime","vault","version"],"type":"object"},"Approval":{"additionalProperties":false,\#
"properties":{"account":{"type":"string"},"askedAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{\#
2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"type":"string"},"id":{"type":"string"},"metho\#
d":{"type":"string"},"pid":{"type":"integer"},"state":{"$ref":"#/components/schemas/ApprovalState"},"unit":{"t\#
ype":"string"},"until":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\#
Z$","type":"string"}},"required":["account","askedAt","id","method","pid","state"],"type":"object"},"ApprovalL\#
ist.Result":{"additionalProperties":false,"properties":{"approvals":{"items":{"$ref":"#/components/schemas/App\#
roval"},"type":"array"}},"required":["approvals"],"type":"object"},"ApprovalState":{"type":"string"},"Approval\#
Wait.Result":{"additionalProperties":false,"properties":{"state":{"$ref":"#/components/schemas/ApprovalState"}\#
},"required":["state"],"type":"object"},"AuditEntry":{"additionalProperties":false,"properties":{"accepted":{"\#
type":"boolean"},"account":{"type":"string"},"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}\#
T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"count":{"minimum":0,"type":"integer"},"detail":{"type":"strin\#
g"},"event":{"$ref":"#/components/schemas/AuditEvent"},"executable":{"type":"string"},"first":{"format":"date-\#
time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"minimu\#
m":0,"type":"integer"},"last":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[\#
0-9]{2}Z$","type":"string"},"pid":{"type":"integer"},"previous":{"type":"string"},"project":{"type":"string"},\#
"provider":{"type":"string"},"sequence":{"minimum":0,"type":"integer"},"token":{"type":"string"},"unit":{"type\#
":"string"},"way":{"type":"string"}},"required":["at","event","sequence"],"type":"object"},"AuditEvent":{"type\#
":"string"},"AuditList.Result":{"additionalProperties":false,"properties":{"entries":{"items":{"$ref":"#/compo\#
nents/schemas/AuditEntry"},"type":"array"},"isChecked":{"type":"boolean"},"leftOut":{"type":"integer"},"more":\#
{"type":"boolean"},"unknownCount":{"type":"integer"},"unknownFiles":{"items":{"type":"string"},"type":"array"}\#
},"required":["entries","isChecked","leftOut","more","unknownCount","unknownFiles"],"type":"object"},"AuditVer\#
ify.Finding":{"additionalProperties":false,"properties":{"file":{"type":"string"},"first":{"minimum":0,"type":\#
"integer"},"kind":{"type":"string"},"last":{"minimum":0,"type":"integer"}},"required":["file","kind"],"type":"\#
object"},"AuditVerify.Result":{"additionalProperties":false,"properties":{"findings":{"items":{"$ref":"#/compo\#
nents/schemas/AuditVerify.Finding"},"type":"array"},"first":{"minimum":0,"type":"integer"},"fitting":{"type":"\#
integer"},"interruptions":{"items":{"minimum":0,"type":"integer"},"type":"array"},"isWhole":{"type":"boolean"}\#
,"limits":{"items":{"type":"string"},"type":"array"},"sealed":{"minimum":0,"type":"integer"},"unsealed":{"type\#
":"integer"}},"required":["findings","first","fitting","interruptions","isWhole","limits","sealed","unsealed"]\#
,"type":"object"},"CheckOutcome":{"examples":["ok","warn","fail"],"type":"string"},"DiagnosticCheck":{"additio\#
nalProperties":false,"properties":{"name":{"type":"string"},"next":{"type":"string"},"outcome":{"$ref":"#/comp\#
onents/schemas/CheckOutcome"},"project":{"type":"string"},"words":{"type":"string"}},"required":["name","outco\#
me","words"],"type":"object"},"Empty":{"additionalProperties":false,"properties":{},"type":"object"},"EndedSes\#
sion":{"additionalProperties":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-\#
9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"type":"string"}},"required":["at","reason"],"t\#
ype":"object"},"ErrorKind":{"examples":["approvalNeeded","callbackInvalid","cancelled","denied","emailNotConfi\#
rmed","flowBusy","flowTimedOut","flowUnknown","formatTooNew","identityTaken","internalError","invalidCredentia\#
ls","invalidParams","invalidRequest","lastIdentity","linkingConflict","linkingDisabled","methodDisabled","meth\#
odNotFound","misconfigured","notReady","offline","parseError","rateLimited","serviceUnavailable","signInNeeded\#
","storageFull","timedOut","tooLarge","tooMany","unknownAccount","unsupportedVersion","userExists","vaultCopie\#
d","vaultDamaged","vaultLocked","vaultUnavailable","weakPassword","wrongKey","wrongUser"],"type":"string"},"Ev\#
entType":{"examples":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LIN\#
KED","STATE_CHANGED","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED","APPROVAL_ANSWERED","\#
RESYNC"],"type":"string"},"EventsSubscribe.Position":{"additionalProperties":false,"properties":{"epoch":{"typ\#
e":"string"},"sequence":{"minimum":0,"type":"integer"}},"required":["epoch","sequence"],"type":"object"},"Iden\#
tityList.Result":{"additionalProperties":false,"properties":{"account":{"type":"string"},"identities":{"items"\#
:{"$ref":"#/components/schemas/AccountIdentity"},"type":"array"},"isCurrent":{"type":"boolean"}},"required":["\#
account","identities","isCurrent"],"type":"object"},"MetricFamily":{"additionalProperties":false,"properties":\#
{"help":{"type":"string"},"name":{"type":"string"},"samples":{"items":{"$ref":"#/components/schemas/MetricFami\#
ly.Sample"},"type":"array"},"type":{"type":"string"},"unit":{"type":"string"}},"required":["help","name","samp\#
les","type"],"type":"object"},"MetricFamily.Sample":{"additionalProperties":false,"properties":{"labels":{"add\#
itionalProperties":{"type":"string"},"type":"object"},"suffix":{"type":"string"},"value":{"type":"number"}},"r\#
equired":["labels","suffix","value"],"type":"object"},"OpenRPCDocument":{"additionalProperties":false,"propert\#
ies":{"components":{"$ref":"#/components/schemas/OpenRPCDocument.Components"},"info":{"$ref":"#/components/sch\#
emas/OpenRPCDocument.Info"},"methods":{"items":{},"type":"array"},"openrpc":{"type":"string"},"x-notifications\#
":{"items":{},"type":"array"}},"required":["components","info","methods","openrpc","x-notifications"],"type":"\#
object"},"OpenRPCDocument.Components":{"additionalProperties":false,"properties":{"errors":{"additionalPropert\#
ies":{},"type":"object"},"schemas":{"additionalProperties":{},"type":"object"}},"required":["errors","schemas"\#
],"type":"object"},"OpenRPCDocument.Info":{"additionalProperties":false,"properties":{"title":{"type":"string"\#
},"version":{"type":"string"}},"required":["title","version"],"type":"object"},"PresentKeys":{"additionalPrope\#
rties":false,"properties":{"credential":{"type":"boolean"},"keyFile":{"type":"boolean"},"keyFiles":{"items":{"\#
type":"string"},"type":"array"},"passphrases":{"items":{"$ref":"#/components/schemas/SecretText"},"type":"arra\#
y"}},"type":"object"},"ProfileResult":{"additionalProperties":false,"properties":{"account":{"type":"string"},\#
"onboarding":{"type":"string"},"prefill":{"additionalProperties":{},"type":"object"},"profile":{"additionalPro\#
perties":{},"type":"object"}},"required":["account","onboarding"],"type":"object"},"RefreshStatus":{"additiona\#
lProperties":false,"properties":{"attempts":{"type":"integer"},"clockSkew":{"type":"integer"},"lastError":{"$r\#
ef":"#/components/schemas/AgentError"},"nextAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[\#
0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":"object"},"RefreshTry":{"additio\#
nalProperties":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:\#
[0-9]{2}:[0-9]{2}Z$","type":"string"},"error":{"$ref":"#/components/schemas/ErrorKind"},"latency":{"type":"num\#
ber"},"outcome":{"type":"string"},"reason":{"type":"string"},"status":{"type":"integer"}},"required":["at","la\#
tency","outcome","reason"],"type":"object"},"SecretText":{"type":"string"},"SessionExplain.Result":{"additiona\#
lProperties":false,"properties":{"account":{"$ref":"#/components/schemas/AccountStatus"},"explanation":{"items\#
":{"type":"string"},"type":"array"},"tries":{"items":{"$ref":"#/components/schemas/RefreshTry"},"type":"array"\#
}},"required":["account","explanation","tries"],"type":"object"},"SessionList.Result":{"additionalProperties":\#
false,"properties":{"accounts":{"items":{"$ref":"#/components/schemas/AccountStatus"},"type":"array"}},"requir\#
ed":["accounts"],"type":"object"},"SessionSignOut.Failure":{"additionalProperties":false,"properties":{"accoun\#
t":{"type":"string"},"kind":{"$ref":"#/components/schemas/ErrorKind"},"message":{"type":"string"}},"required":\#
["account","kind","message"],"type":"object"},"SessionSignOut.Result":{"additionalProperties":false,"propertie\#
s":{"accounts":{"items":{"type":"string"},"type":"array"},"failed":{"items":{"$ref":"#/components/schemas/Sess\#
ionSignOut.Failure"},"type":"array"},"pending":{"items":{"type":"string"},"type":"array"}},"required":["accoun\#
ts","pending"],"type":"object"},"SessionToken.Result":{"additionalProperties":false,"properties":{"accessToken\#
":{"type":"string"},"account":{"type":"string"},"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2\#
}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"type":"integer"},"tokenType":{"type":"\#
string"},"unchanged":{"type":"boolean"}},"required":["accessToken","account","expiresAt","expiresIn","tokenTyp\#
e"],"type":"object"},"SignInDecision":{"additionalProperties":false,"properties":{"account":{"type":"string"},\#
"flow":{"type":"string"},"identity":{"$ref":"#/components/schemas/AccountIdentity"},"kind":{"type":"string"},"\#
others":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type":"array"},"user":{"$ref":"#/components/\#
schemas/AccountUser"}},"required":["account","flow","kind","user"],"type":"object"},"SignInMethods.Result":{"a\#
dditionalProperties":false,"properties":{"methods":{"items":{"type":"string"},"type":"array"},"signUp":{"type"\#
:"boolean"}},"required":["methods","signUp"],"type":"object"},"SignInNonce.Result":{"additionalProperties":fal\#
se,"properties":{"hashed":{"type":"string"},"nonce":{"type":"string"}},"required":["hashed","nonce"],"type":"o\#
bject"},"SignInResult":{"additionalProperties":false,"properties":{"account":{"$ref":"#/components/schemas/Acc\#
ountStatus"},"decision":{"$ref":"#/components/schemas/SignInDecision"},"outcome":{"$ref":"#/components/schemas\#
/SignInResult.Outcome"}},"required":["outcome"],"type":"object"},"SignInResult.Outcome":{"examples":["signedIn\#
","confirmationSent","decisionNeeded"],"type":"string"},"SignInStart.Result":{"additionalProperties":false,"pr\#
operties":{"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\#
Z$","type":"string"},"flow":{"type":"string"},"url":{"type":"string"},"warning":{"type":"string"}},"required":\#
["expiresAt","flow","url"],"type":"object"},"SignOutScope":{"enum":["local","global","others"],"type":"string"\#
},"TelemetryRecord":{"additionalProperties":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4\#
}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"type":"string"},"properties":{"ad\#
ditionalProperties":{"type":"string"},"type":"object"}},"required":["at","event","properties"],"type":"object"\#
},"TelemetrySnapshot.Result":{"additionalProperties":false,"properties":{"events":{"items":{"$ref":"#/componen\#
ts/schemas/TelemetryRecord"},"type":"array"},"families":{"items":{"$ref":"#/components/schemas/MetricFamily"},\#
"type":"array"}},"required":["events","families"],"type":"object"},"VaultAddKey.Result":{"additionalProperties\#
":false,"properties":{"key":{"$ref":"#/components/schemas/VaultKey"},"removed":{"items":{"$ref":"#/components/\#
schemas/VaultKey"},"type":"array"}},"required":["key","removed"],"type":"object"},"VaultAdopt.Result":{"additi\#
onalProperties":false,"properties":{"accounts":{"items":{"type":"string"},"type":"array"}},"required":["accoun\#
ts"],"type":"object"},"VaultFinding":{"additionalProperties":false,"properties":{"detail":{"type":"string"},"f\#
ile":{"type":"string"},"state":{"type":"string"}},"required":["file","state"],"type":"object"},"VaultKey":{"ad\#
ditionalProperties":false,"properties":{"id":{"pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/co\#
mponents/schemas/VaultKeyKind"},"memory":{"type":"integer"},"passes":{"type":"integer"}},"required":["id","kin\#
d"],"type":"object"},"VaultKeyKind":{"examples":["keyFile","passphrase","credential"],"type":"string"},"VaultL\#
ock.Result":{"additionalProperties":false,"properties":{"opensByFile":{"type":"boolean"},"warning":{"type":"st\#
ring"}},"required":["opensByFile"],"type":"object"},"VaultRekey.Result":{"additionalProperties":false,"propert\#
ies":{"generation":{"minimum":0,"type":"integer"}},"required":["generation"],"type":"object"},"VaultStatus.Res\#
ult":{"additionalProperties":false,"properties":{"damaged":{"items":{"$ref":"#/components/schemas/VaultFinding\#
"},"type":"array"},"generation":{"minimum":0,"type":"integer"},"idleLock":{"type":"integer"},"isAuthenticated"\#
:{"type":"boolean"},"isMemoryLocked":{"type":"boolean"},"isRekeying":{"type":"boolean"},"keys":{"items":{"$ref\#
":"#/components/schemas/VaultKey"},"type":"array"},"lockedBy":{"type":"string"},"machine":{"type":"string"},"o\#
penedBy":{"$ref":"#/components/schemas/VaultKeyKind"},"protection":{"items":{"type":"string"},"type":"array"},\#
"state":{"enum":["open","copied","locked","unavailable"],"type":"string"}},"required":["damaged","generation",\#
"isAuthenticated","isMemoryLocked","isRekeying","keys","machine","protection","state"],"type":"object"},"Vault\#
Summary":{"additionalProperties":false,"properties":{"damaged":{"items":{"type":"string"},"type":"array"},"err\#
or":{"$ref":"#/components/schemas/ErrorKind"},"openedBy":{"type":"string"},"protection":{"type":"string"},"sta\#
te":{"type":"string"}},"required":["damaged","state"],"type":"object"},"VaultUnlock.Result":{"additionalProper\#
ties":false,"properties":{"key":{"$ref":"#/components/schemas/VaultKey"}},"required":["key"],"type":"object"},\#
"VaultVerify.Result":{"additionalProperties":false,"properties":{"files":{"items":{"$ref":"#/components/schema\#
s/VaultFinding"},"type":"array"},"isWhole":{"type":"boolean"}},"required":["files","isWhole"],"type":"object"}\#
}},"info":{"title":"Ritual Agent","version":"
"""#
  static let afterVersion: StaticString = #"""
"},"methods":[{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalErr\#
or"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/err\#
ors/tooMany"}],"name":"agent.diagnose","paramStructure":"by-name","params":[],"result":{"name":"result","requi\#
red":true,"schema":{"$ref":"#/components/schemas/AgentDiagnose.Result"}},"summary":"The checks of `ritualctl d\#
octor` that need the agent; 10 s at most."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#\#
/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLar\#
ge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unsupportedVersion"}],"name":"agent.h\#
ello","paramStructure":"by-name","params":[{"name":"client","required":true,"schema":{"type":"string"}},{"name\#
":"protocol","required":true,"schema":{"type":"integer"}}],"result":{"name":"result","required":true,"schema":\#
{"$ref":"#/components/schemas/AgentHello.Result"}},"summary":"Says who calls, and learns what the agent speaks\#
."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$re\#
f":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMan\#
y"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/compo\#
nents/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded\#
"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/compone\#
nts/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"}],"name":"agent.reload","paramStructure":"by-n\#
ame","params":[{"name":"check","required":false,"schema":{"type":"string"}},{"name":"file","required":false,"s\#
chema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Ag\#
entReload.Result"}},"summary":"Reads the configuration again; a bad file keeps the old."},{"errors":[{"$ref":"\#
#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/\#
notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"agent.statu\#
s","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/compon\#
ents/schemas/AgentStatusMethod.Result"}},"summary":"Everything that `ritualctl status` shows."},{"errors":[{"$\#
ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
rrors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/com\#
ponents/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misco\#
nfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/comp\#
onents/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLim\#
ited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/component\#
s/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailab\#
le"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/\#
errors/formatTooNew"}],"name":"api.request","paramStructure":"by-name","params":[{"name":"method","required":t\#
rue,"schema":{"type":"string"}},{"name":"path","required":true,"schema":{"type":"string"}},{"name":"account","\#
required":false,"schema":{"type":"string"}},{"name":"body","required":false,"schema":{"description":"base64 (R\#
FC 4648, section 4)","pattern":"^[A-Za-z0-9+/]*={0,2}$","type":"string"}},{"name":"headers","required":false,"\#
schema":{"items":{"items":{"type":"string"},"type":"array"},"type":"array"}}],"result":{"name":"result","requi\#
red":true,"schema":{"$ref":"#/components/schemas/APIRequestMethod.Result"}},"summary":"An authorised request, \#
sent by the agent; the token stays there."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#\#
/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLar\#
ge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/denied"}],"name":"approval.answer","p\#
aramStructure":"by-name","params":[{"name":"allow","required":true,"schema":{"type":"boolean"}},{"name":"id","\#
required":true,"schema":{"type":"string"}},{"name":"for","required":false,"schema":{"type":"integer"}}],"resul\#
t":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Approval"}},"summary":"Answers a qu\#
estion of the policy; never from the asker's own unit."},{"errors":[{"$ref":"#/components/errors/invalidParams\#
"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/\#
errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"approval.list","paramStructure":"by-name","p\#
arams":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/ApprovalList.Result\#
"}},"summary":"What waits for an answer, and the answers that hold."},{"errors":[{"$ref":"#/components/errors/\#
invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"\#
#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/denied"}],"\#
name":"approval.revoke","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"type":"st\#
ring"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty"}},"summary":"\#
Forgets an answer, or withdraws a question."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":\#
"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooL\#
arge"},{"$ref":"#/components/errors/tooMany"}],"name":"approval.wait","paramStructure":"by-name","params":[{"n\#
ame":"id","required":true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$r\#
ef":"#/components/schemas/ApprovalWait.Result"}},"summary":"Waits until a question is answered or over."},{"er\#
rors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/co\#
mponents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$r\#
ef":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors\#
/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref\#
":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"audit.list","paramSt\#
ructure":"by-name","params":[{"name":"limit","required":false,"schema":{"maximum":10000,"minimum":1,"type":"in\#
teger"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AuditList.Result"}}\#
,"summary":"The last entries of the audit log, newest last."},{"errors":[{"$ref":"#/components/errors/invalidP\#
arams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/compon\#
ents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$re\#
f":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors\#
/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref"\#
:"#/components/errors/formatTooNew"}],"name":"audit.verify","paramStructure":"by-name","params":[],"result":{"\#
name":"result","required":true,"schema":{"$ref":"#/components/schemas/AuditVerify.Result"}},"summary":"Holds e\#
very entry of the audit log against its chain."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$re\#
f":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/t\#
ooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"events.subscribe","paramStructure":"by-name","params\#
":[{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/EventsSubscribe.Position"}},{"name"\#
:"tokens","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"\#
$ref":"#/components/schemas/EventsSubscribe.Position"}},"summary":"The present state, then every change, as `e\#
vent` notifications."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/in\#
ternalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/compo\#
nents/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"\#
},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/err\#
ors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$re\#
f":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/error\#
s/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},\#
{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/componen\#
ts/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"\#
},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/e\#
rrors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},\#
{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/erro\#
rs/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}],"name":"identity.decide","paramStructure":"by-na\#
me","params":[{"name":"accept","required":true,"schema":{"type":"boolean"}},{"name":"flow","required":true,"sc\#
hema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Sig\#
nInResult"}},"summary":"The answer to a `decisionNeeded`."},{"errors":[{"$ref":"#/components/errors/invalidPar\#
ams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/componen\#
ts/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/\#
components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors\#
/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/c\#
omponents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/w\#
rongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/co\#
mponents/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/er\#
rors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"\#
$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/mi\#
sconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$r\#
ef":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approv\#
alNeeded"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"\#
#/components/errors/linkingDisabled"}],"name":"identity.link","paramStructure":"by-name","params":[{"name":"pr\#
ovider","required":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"strin\#
g"}},{"name":"detach","required":false,"schema":{"type":"boolean"}},{"name":"port","required":false,"schema":{\#
"type":"integer"}},{"name":"redirect","required":false,"schema":{"type":"string"}},{"name":"timeout","required\#
":false,"schema":{"type":"number"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/\#
schemas/SignInStart.Result"}},"summary":"Begins to link another provider; goes on as a sign-in does."},{"error\#
s":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/compo\#
nents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref"\#
:"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/error\#
s/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":\#
"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/\#
rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/co\#
mponents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUn\#
available"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/comp\#
onents/errors/formatTooNew"}],"name":"identity.list","paramStructure":"by-name","params":[{"name":"account","r\#
equired":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/comp\#
onents/schemas/IdentityList.Result"}},"summary":"The ways to sign in of the account's user."},{"errors":[{"$re\#
f":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/err\#
ors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/compo\#
nents/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconf\#
igured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/compon\#
ents/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimit\#
ed"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/\#
errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable\#
"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/er\#
rors/formatTooNew"},{"$ref":"#/components/errors/lastIdentity"},{"$ref":"#/components/errors/linkingDisabled"}\#
],"name":"identity.unlink","paramStructure":"by-name","params":[{"name":"identityID","required":true,"schema":\#
{"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","\#
required":true,"schema":{"$ref":"#/components/schemas/IdentityList.Result"}},"summary":"Removes one of the way\#
s to sign in; the last one stays."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/compone\#
nts/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$\#
ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors\#
/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/\#
components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/service\#
Unavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/co\#
mponents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDam\#
aged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/comp\#
onents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"profile.get","paramStructure"\#
:"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result"\#
,"required":true,"schema":{"$ref":"#/components/schemas/ProfileResult"}},"summary":"The user's profile at the \#
API."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"\#
$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/too\#
Many"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/co\#
mponents/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNee\#
ded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/comp\#
onents/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"}\#
,{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/\#
errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{\#
"$ref":"#/components/errors/formatTooNew"}],"name":"profile.update","paramStructure":"by-name","params":[{"nam\#
e":"set","required":true,"schema":{"additionalProperties":{},"type":"object"}},{"name":"account","required":fa\#
lse,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sche\#
mas/ProfileResult"}},"summary":"Changes members of the profile."},{"errors":[{"$ref":"#/components/errors/inva\#
lidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/co\#
mponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"rpc.discover","paramStructure":"by-\#
name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/OpenRPCDocu\#
ment"}},"summary":"This document."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/compone\#
nts/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$\#
ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors\#
/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/\#
components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vau\#
ltCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref"\#
:"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/forma\#
tTooNew"}],"name":"session.explain","paramStructure":"by-name","params":[{"name":"account","required":false,"s\#
chema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Se\#
ssionExplain.Result"}},"summary":"What the refresher will do next, and why."},{"errors":[{"$ref":"#/components\#
/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{\#
"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"session.list","paramStr\#
ucture":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas\#
/SessionList.Result"}},"summary":"All accounts."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$r\#
ef":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/\#
tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/com\#
ponents/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied\#
"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/\#
errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"}\#
,{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/e\#
rrors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{\#
"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.refresh\#
","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result\#
":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"A refres\#
h now, unless one ended a moment ago."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/com\#
ponents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"}\#
,{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/er\#
rors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref"\#
:"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/ser\#
viceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"\#
#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaul\#
tDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/\#
components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.signOut","paramSt\#
ructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"all","req\#
uired":false,"schema":{"type":"boolean"}},{"name":"scope","required":false,"schema":{"$ref":"#/components/sche\#
mas/SignOutScope"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SessionS\#
ignOut.Result"}},"summary":"Ends a session here at once, and at the server when it can be reached."},{"errors"\#
:[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/compone\#
nts/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"\#
#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/\#
misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"s\#
ession.status","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"strin\#
g"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summa\#
ry":"One account."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inter\#
nalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/componen\#
ts/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},\#
{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/error\#
s/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"\#
$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/\#
vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"\#
#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/st\#
orageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.token","paramStructure":"by-name","pa\#
rams":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"minTTL","required":false,"schem\#
a":{"description":"The least remaining life, in seconds.","minimum":0,"type":"number"}},{"name":"reason","requ\#
ired":false,"schema":{"type":"string"}},{"name":"rejected","required":false,"schema":{"description":"The SHA-2\#
56 of a token that a server refused.","pattern":"^[0-9a-f]{64}$","type":"string"}}],"result":{"name":"result",\#
"required":true,"schema":{"$ref":"#/components/schemas/SessionToken.Result"}},"summary":"The access token."},{\#
"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#\#
/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{\#
"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components\#
/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"\#
$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/erro\#
rs/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$r\#
ef":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.use","para\#
mStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"nam\#
e":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Makes an accoun\#
t the default one."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inte\#
rnalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/compone\#
nts/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"}\#
,{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/erro\#
rs/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$r\#
ef":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/\#
errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"nam\#
e":"session.useAPI","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"\#
string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"\#
summary":"Accepts the API that is configured now for the account's token."},{"errors":[{"$ref":"#/components/e\#
rrors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$\#
ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/flowU\#
nknown"}],"name":"signIn.cancel","paramStructure":"by-name","params":[{"name":"flow","required":true,"schema":\#
{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty"}},\#
"summary":"Ends a sign-in that runs."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/comp\#
onents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},\#
{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/ser\#
viceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"\#
#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaul\#
tDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/\#
components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/inval\#
idCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$\#
ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/e\#
rrors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref"\#
:"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/err\#
ors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#\#
/components/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}],"name":"signIn.complete","paramS\#
tructure":"by-name","params":[{"name":"callback","required":true,"schema":{"type":"string"}},{"name":"canAsk",\#
"required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/c\#
omponents/schemas/SignInResult"}},"summary":"Hands in the address that the browser ended on."},{"errors":[{"$r\#
ef":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/er\#
rors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/comp\#
onents/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLim\#
ited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/component\#
s/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailab\#
le"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/\#
errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotC\#
onfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/co\#
mponents/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBus\#
y"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/compo\#
nents/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},\#
{"$ref":"#/components/errors/approvalNeeded"}],"name":"signIn.idToken","paramStructure":"by-name","params":[{"\#
name":"idToken","required":true,"schema":{"type":"string"}},{"name":"provider","required":true,"schema":{"type\#
":"string"}},{"name":"acceptLink","required":false,"schema":{"type":"boolean"}},{"name":"account","required":f\#
alse,"schema":{"type":"string"}},{"name":"email","required":false,"schema":{"type":"string"}},{"name":"name","\#
required":false,"schema":{"type":"string"}},{"name":"nonce","required":false,"schema":{"type":"string"}},{"nam\#
e":"project","required":false,"schema":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":\#
"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}}\#
,"summary":"Exchanges an identity token of Apple or Google."},{"errors":[{"$ref":"#/components/errors/invalidP\#
arams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/compon\#
ents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"\#
#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/erro\#
rs/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#\#
/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors\#
/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/\#
components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/\#
errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},\#
{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/\#
misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"\#
$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/appr\#
ovalNeeded"},{"$ref":"#/components/errors/signInNeeded"}],"name":"signIn.importSession","paramStructure":"by-n\#
ame","params":[{"name":"refreshToken","required":true,"schema":{"type":"string"}},{"name":"account","required"\#
:false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"rep\#
lace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref\#
":"#/components/schemas/AccountStatus"}},"summary":"Brings a session along by its refresh token."},{"errors":[\#
{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/component\#
s/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/\#
components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rat\#
eLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/misconfigured"}],"name":"signI\#
n.methods","paramStructure":"by-name","params":[{"name":"project","required":false,"schema":{"type":"string"}}\#
],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInMethods.Result"}},"su\#
mmary":"The ways to sign in that the project has on."},{"errors":[{"$ref":"#/components/errors/invalidParams"}\#
,{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/er\#
rors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"signIn.nonce","paramStructure":"by-name","para\#
ms":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInNonce.Result"}},\#
"summary":"A nonce for Apple's native sign-in, for single use."},{"errors":[{"$ref":"#/components/errors/inval\#
idParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/com\#
ponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref\#
":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/e\#
rrors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref"\#
:"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/err\#
ors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":\#
"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/componen\#
ts/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled\#
"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/erro\#
rs/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"}\#
,{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/a\#
pprovalNeeded"}],"name":"signIn.password","paramStructure":"by-name","params":[{"name":"email","required":true\#
,"schema":{"type":"string"}},{"name":"password","required":true,"schema":{"type":"string"}},{"name":"account",\#
"required":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"\#
name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"sche\#
ma":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Signs in by e-mail and password."},{"errors":[{"$\#
ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
rrors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/com\#
ponents/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLi\#
mited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/componen\#
ts/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavaila\#
ble"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components\#
/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNot\#
Confirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/c\#
omponents/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBu\#
sy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/comp\#
onents/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"}\#
,{"$ref":"#/components/errors/approvalNeeded"}],"name":"signIn.signUp","paramStructure":"by-name","params":[{"\#
name":"email","required":true,"schema":{"type":"string"}},{"name":"password","required":true,"schema":{"type":\#
"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"project","required":false,"\#
schema":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"\#
result","required":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Makes a user by e-ma\#
il and password."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/intern\#
alError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/component\#
s/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"\#
$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/\#
vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"\#
#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/st\#
orageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$r\#
ef":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/e\#
rrors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"\#
$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/error\#
s/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$r\#
ef":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"signIn.start","paramS\#
tructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"detach",\#
"required":false,"schema":{"type":"boolean"}},{"name":"port","required":false,"schema":{"maximum":65535,"minim\#
um":0,"type":"integer"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"provider","re\#
quired":false,"schema":{"type":"string"}},{"name":"redirect","required":false,"schema":{"enum":["loopback","sc\#
heme","manual"],"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}},{"name":"tak\#
eOver","required":false,"schema":{"type":"boolean"}},{"name":"timeout","required":false,"schema":{"type":"numb\#
er"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInStart.Result"}},\#
"summary":"Begins a sign-in in a browser. The starter's disconnect cancels it unless `detach`."},{"errors":[{"\#
$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/\#
errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/co\#
mponents/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateL\#
imited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/compone\#
nts/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavail\#
able"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/component\#
s/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNo\#
tConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/\#
components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowB\#
usy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/com\#
ponents/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"\#
},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/flowUnknown"},{"$ref":"#/componen\#
ts/errors/flowTimedOut"}],"name":"signIn.wait","paramStructure":"by-name","params":[{"name":"flow","required":\#
true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sch\#
emas/SignInResult"}},"summary":"Waits for the end of a sign-in."},{"errors":[{"$ref":"#/components/errors/inva\#
lidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/co\#
mponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"telemetry.snapshot","paramStructure\#
":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Telem\#
etrySnapshot.Result"}},"summary":"What the agent counted since its start. No personal data."},{"errors":[{"$re\#
f":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/err\#
ors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/compo\#
nents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamage\#
d"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/compone\#
nts/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/denied"}],"n\#
ame":"vault.addKey","paramStructure":"by-name","params":[{"name":"kind","required":true,"schema":{"$ref":"#/co\#
mponents/schemas/VaultKeyKind"}},{"name":"present","required":true,"schema":{"$ref":"#/components/schemas/Pres\#
entKeys"}},{"name":"keepKeyFile","required":false,"schema":{"type":"boolean"}},{"name":"passphrase","required"\#
:false,"schema":{"$ref":"#/components/schemas/SecretText"}},{"name":"path","required":false,"schema":{"type":"\#
string"}},{"name":"replaces","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required\#
":true,"schema":{"$ref":"#/components/schemas/VaultAddKey.Result"}},"summary":"Adds a way to open the vault."}\#
,{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":\#
"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}\#
,{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/e\#
rrors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{\#
"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/er\#
rors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"\#
$ref":"#/components/errors/timedOut"}],"name":"vault.adopt","paramStructure":"by-name","params":[],"result":{"\#
name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultAdopt.Result"}},"summary":"Makes a \#
vault from another machine at home here."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/\#
components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarg\#
e"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/er\#
rors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"}\#
,{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/erro\#
rs/formatTooNew"}],"name":"vault.lock","paramStructure":"by-name","params":[],"result":{"name":"result","requi\#
red":true,"schema":{"$ref":"#/components/schemas/VaultLock.Result"}},"summary":"Locks the vault until `vault.u\#
nlock`, over restarts."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/\#
internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/com\#
ponents/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"}\#
,{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/compon\#
ents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},\#
{"$ref":"#/components/errors/denied"}],"name":"vault.rekey","paramStructure":"by-name","params":[{"name":"pres\#
ent","required":true,"schema":{"$ref":"#/components/schemas/PresentKeys"}}],"result":{"name":"result","require\#
d":true,"schema":{"$ref":"#/components/schemas/VaultRekey.Result"}},"summary":"A new master key; every key has\#
 to be presented."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inter\#
nalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/componen\#
ts/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$r\#
ef":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/\#
errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$re\#
f":"#/components/errors/denied"}],"name":"vault.removeKey","paramStructure":"by-name","params":[{"name":"id","\#
required":true,"schema":{"type":"string"}},{"name":"present","required":true,"schema":{"$ref":"#/components/sc\#
hemas/PresentKeys"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty"}\#
},"summary":"Removes a key; an older copy of the vault still opens with it."},{"errors":[{"$ref":"#/components\#
/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{\#
"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vau\#
ltLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/c\#
omponents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/stora\#
geFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.status","paramStructure":"by-name","params\#
":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultStatus.Result"}},"s\#
ummary":"All that can be said of the vault, also while it is locked."},{"errors":[{"$ref":"#/components/errors\#
/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":\#
"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocke\#
d"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/componen\#
ts/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"\#
},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.unlock","paramStructure":"by-name","params":[{"na\#
me":"keyFile","required":false,"schema":{"type":"string"}},{"name":"passphrase","required":false,"schema":{"$r\#
ef":"#/components/schemas/SecretText"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/compone\#
nts/schemas/VaultUnlock.Result"}},"summary":"Opens the vault."},{"errors":[{"$ref":"#/components/errors/invali\#
dParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/comp\#
onents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$\#
ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/erro\#
rs/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$re\#
f":"#/components/errors/formatTooNew"}],"name":"vault.verify","paramStructure":"by-name","params":[],"result":\#
{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultVerify.Result"}},"summary":"Holds\#
 every file of the vault against its keys."}],"openrpc":"1.3.2","x-notifications":[{"name":"event","required":\#
true,"schema":{"$ref":"#/components/schemas/AgentEvent"}}]}
"""#
}
