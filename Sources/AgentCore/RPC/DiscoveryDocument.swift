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
cess secure storage."},"wrongUser":{"code":-32027,"data":{"kind":"wrongUser","retryable":false},"message":"Thi\#
s is another user than the one who is signed in here. Nothing was changed."}},"schemas":{"APIRequestMethod.Res\#
ult":{"additionalProperties":false,"properties":{"body":{"description":"base64 (RFC 4648, section 4)","pattern\#
":"^[A-Za-z0-9+/]*={0,2}$","type":"string"},"headers":{"items":{"items":{"type":"string"},"type":"array"},"typ\#
e":"array"},"status":{"type":"integer"}},"required":["body","headers","status"],"type":"object"},"AccountActiv\#
ity":{"examples":["none","authenticating","refreshing"],"type":"string"},"AccountIdentity":{"additionalPropert\#
ies":false,"properties":{"email":{"type":"string"},"identityID":{"type":"string"},"provider":{"type":"string"}\#
},"required":["identityID","provider"],"type":"object"},"AccountState":{"examples":["unauthenticated","authent\#
icated","degraded","signInNeeded","locked","copied","misconfigured"],"type":"string"},"AccountStatus":{"additi\#
onalProperties":false,"properties":{"activity":{"$ref":"#/components/schemas/AccountActivity"},"ended":{"$ref"\#
:"#/components/schemas/EndedSession"},"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}\#
T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"identities":{"items":{"$ref":"#/components/schemas/AccountIde\#
ntity"},"type":"array"},"isDefault":{"type":"boolean"},"name":{"type":"string"},"onboarding":{"type":"string"}\#
,"origin":{"type":"string"},"project":{"type":"string"},"refresh":{"$ref":"#/components/schemas/RefreshStatus"\#
},"state":{"$ref":"#/components/schemas/AccountState"},"tokenUsable":{"type":"boolean"},"user":{"$ref":"#/comp\#
onents/schemas/AccountUser"}},"required":["activity","identities","isDefault","name","project","state","tokenU\#
sable"],"type":"object"},"AccountUser":{"additionalProperties":false,"properties":{"email":{"type":"string"},"\#
id":{"type":"string"},"name":{"type":"string"},"provider":{"type":"string"}},"required":["id"],"type":"object"\#
},"AgentDiagnose.Result":{"additionalProperties":false,"properties":{"checks":{"items":{"$ref":"#/components/s\#
chemas/DiagnosticCheck"},"type":"array"},"redirect":{"type":"string"},"schemes":{"items":{"type":"string"},"ty\#
pe":"array"}},"required":["checks","redirect","schemes"],"type":"object"},"AgentError":{"additionalProperties"\#
:false,"properties":{"code":{"type":"integer"},"data":{"$ref":"#/components/schemas/AgentError.Details"},"mess\#
age":{"type":"string"}},"required":["code","message"],"type":"object"},"AgentError.Details":{"additionalProper\#
ties":false,"properties":{"account":{"type":"string"},"approval":{"type":"string"},"hint":{"type":"string"},"k\#
ind":{"$ref":"#/components/schemas/ErrorKind"},"retryAfter":{"type":"number"},"retryable":{"type":"boolean"}},\#
"required":["kind","retryable"],"type":"object"},"AgentEvent":{"additionalProperties":false,"properties":{"acc\#
ount":{"type":"string"},"approval":{"$ref":"#/components/schemas/Approval"},"at":{"format":"date-time","patter\#
n":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"type":"string"},"seq\#
uence":{"minimum":0,"type":"integer"},"status":{"$ref":"#/components/schemas/AccountStatus"},"token":{"$ref":"\#
#/components/schemas/SessionToken.Result"},"type":{"$ref":"#/components/schemas/EventType"}},"required":["at",\#
"sequence","type"],"type":"object"},"AgentHello.Result":{"additionalProperties":false,"properties":{"agent":{"\#
type":"string"},"capabilities":{"items":{"type":"string"},"type":"array"},"protocol":{"type":"integer"},"versi\#
on":{"type":"string"}},"required":["agent","capabilities","protocol","version"],"type":"object"},"AgentReload.\#
Result":{"additionalProperties":false,"properties":{"projects":{"items":{"type":"string"},"type":"array"},"war\#
ning":{"type":"string"}},"required":["projects"],"type":"object"},"AgentStatusMethod.Result":{"additionalPrope\#
rties":false,"properties":{"accounts":{"items":{"$ref":"#/components/schemas/AccountStatus"},"type":"array"},"\#
health":{"items":{"type":"string"},"type":"array"},"pid":{"type":"integer"},"stateFolder":{"type":"string"},"u\#
nrevoked":{"items":{"type":"string"},"type":"array"},"uptime":{"type":"integer"},"vault":{"$ref":"#/components\#
/schemas/VaultSummary"},"version":{"type":"string"}},"required":["accounts","health","pid","uptime","vault","v\#
ersion"],"type":"object"},"Approval":{"additionalProperties":false,"properties":{"account":{"type":"string"},"\#
askedAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"st\#
ring"},"executable":{"type":"string"},"id":{"type":"string"},"method":{"type":"string"},"pid":{"type":"integer\#
"},"state":{"$ref":"#/components/schemas/ApprovalState"},"unit":{"type":"string"},"until":{"format":"date-time\#
","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["account"\#
,"askedAt","id","method","pid","state"],"type":"object"},"ApprovalList.Result":{"additionalProperties":false,"\#
properties":{"approvals":{"items":{"$ref":"#/components/schemas/Approval"},"type":"array"}},"required":["appro\#
vals"],"type":"object"},"ApprovalState":{"type":"string"},"ApprovalWait.Result":{"additionalProperties":false,\#
"properties":{"state":{"$ref":"#/components/schemas/ApprovalState"}},"required":["state"],"type":"object"},"Au\#
ditEntry":{"additionalProperties":false,"properties":{"accepted":{"type":"boolean"},"account":{"type":"string"\#
},"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"stri\#
ng"},"count":{"minimum":0,"type":"integer"},"detail":{"type":"string"},"event":{"$ref":"#/components/schemas/A\#
uditEvent"},"executable":{"type":"string"},"first":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2\#
}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"minimum":0,"type":"integer"},"last":{"format":"da\#
te-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"pid":{"type":"\#
integer"},"previous":{"type":"string"},"project":{"type":"string"},"provider":{"type":"string"},"sequence":{"m\#
inimum":0,"type":"integer"},"token":{"type":"string"},"unit":{"type":"string"},"way":{"type":"string"}},"requi\#
red":["at","event","sequence"],"type":"object"},"AuditEvent":{"type":"string"},"AuditList.Result":{"additional\#
Properties":false,"properties":{"entries":{"items":{"$ref":"#/components/schemas/AuditEntry"},"type":"array"},\#
"more":{"type":"boolean"}},"required":["entries","more"],"type":"object"},"AuditVerify.Finding":{"additionalPr\#
operties":false,"properties":{"file":{"type":"string"},"first":{"minimum":0,"type":"integer"},"kind":{"type":"\#
string"},"last":{"minimum":0,"type":"integer"}},"required":["file","kind"],"type":"object"},"AuditVerify.Resul\#
t":{"additionalProperties":false,"properties":{"findings":{"items":{"$ref":"#/components/schemas/AuditVerify.F\#
inding"},"type":"array"},"first":{"minimum":0,"type":"integer"},"fitting":{"type":"integer"},"interruptions":{\#
"items":{"minimum":0,"type":"integer"},"type":"array"},"isWhole":{"type":"boolean"},"limits":{"items":{"type":\#
"string"},"type":"array"},"sealed":{"minimum":0,"type":"integer"},"unsealed":{"type":"integer"}},"required":["\#
findings","first","fitting","interruptions","isWhole","limits","sealed","unsealed"],"type":"object"},"CheckOut\#
come":{"examples":["ok","warn","fail"],"type":"string"},"DiagnosticCheck":{"additionalProperties":false,"prope\#
rties":{"name":{"type":"string"},"next":{"type":"string"},"outcome":{"$ref":"#/components/schemas/CheckOutcome\#
"},"project":{"type":"string"},"words":{"type":"string"}},"required":["name","outcome","words"],"type":"object\#
"},"Empty":{"additionalProperties":false,"properties":{},"type":"object"},"EndedSession":{"additionalPropertie\#
s":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-\#
9]{2}Z$","type":"string"},"reason":{"type":"string"}},"required":["at","reason"],"type":"object"},"ErrorKind":\#
{"examples":["approvalNeeded","callbackInvalid","cancelled","denied","emailNotConfirmed","flowBusy","flowTimed\#
Out","flowUnknown","formatTooNew","identityTaken","internalError","invalidCredentials","invalidParams","invali\#
dRequest","lastIdentity","linkingConflict","linkingDisabled","methodDisabled","methodNotFound","misconfigured"\#
,"notReady","offline","parseError","rateLimited","serviceUnavailable","signInNeeded","storageFull","timedOut",\#
"tooLarge","tooMany","unknownAccount","unsupportedVersion","userExists","vaultCopied","vaultDamaged","vaultLoc\#
ked","vaultUnavailable","weakPassword","wrongKey","wrongUser"],"type":"string"},"EventType":{"examples":["INIT\#
IAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CHANGED","DEFAU\#
LT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"\#
EventsSubscribe.Position":{"additionalProperties":false,"properties":{"epoch":{"type":"string"},"sequence":{"m\#
inimum":0,"type":"integer"}},"required":["epoch","sequence"],"type":"object"},"IdentityList.Result":{"addition\#
alProperties":false,"properties":{"account":{"type":"string"},"identities":{"items":{"$ref":"#/components/sche\#
mas/AccountIdentity"},"type":"array"},"isCurrent":{"type":"boolean"}},"required":["account","identities","isCu\#
rrent"],"type":"object"},"MetricFamily":{"additionalProperties":false,"properties":{"help":{"type":"string"},"\#
name":{"type":"string"},"samples":{"items":{"$ref":"#/components/schemas/MetricFamily.Sample"},"type":"array"}\#
,"type":{"type":"string"},"unit":{"type":"string"}},"required":["help","name","samples","type"],"type":"object\#
"},"MetricFamily.Sample":{"additionalProperties":false,"properties":{"labels":{"additionalProperties":{"type":\#
"string"},"type":"object"},"suffix":{"type":"string"},"value":{"type":"number"}},"required":["labels","suffix"\#
,"value"],"type":"object"},"OpenRPCDocument":{"additionalProperties":false,"properties":{"components":{"$ref":\#
"#/components/schemas/OpenRPCDocument.Components"},"info":{"$ref":"#/components/schemas/OpenRPCDocument.Info"}\#
,"methods":{"items":{},"type":"array"},"openrpc":{"type":"string"},"x-notifications":{"items":{},"type":"array\#
"}},"required":["components","info","methods","openrpc","x-notifications"],"type":"object"},"OpenRPCDocument.C\#
omponents":{"additionalProperties":false,"properties":{"errors":{"additionalProperties":{},"type":"object"},"s\#
chemas":{"additionalProperties":{},"type":"object"}},"required":["errors","schemas"],"type":"object"},"OpenRPC\#
Document.Info":{"additionalProperties":false,"properties":{"title":{"type":"string"},"version":{"type":"string\#
"}},"required":["title","version"],"type":"object"},"PresentKeys":{"additionalProperties":false,"properties":{\#
"credential":{"type":"boolean"},"keyFile":{"type":"boolean"},"keyFiles":{"items":{"type":"string"},"type":"arr\#
ay"},"passphrases":{"items":{"$ref":"#/components/schemas/SecretText"},"type":"array"}},"type":"object"},"Prof\#
ileResult":{"additionalProperties":false,"properties":{"account":{"type":"string"},"onboarding":{"type":"strin\#
g"},"prefill":{"additionalProperties":{},"type":"object"},"profile":{"additionalProperties":{},"type":"object"\#
}},"required":["account","onboarding"],"type":"object"},"RefreshStatus":{"additionalProperties":false,"propert\#
ies":{"attempts":{"type":"integer"},"clockSkew":{"type":"integer"},"lastError":{"$ref":"#/components/schemas/A\#
gentError"},"nextAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$\#
","type":"string"}},"required":["attempts"],"type":"object"},"RefreshTry":{"additionalProperties":false,"prope\#
rties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type"\#
:"string"},"error":{"$ref":"#/components/schemas/ErrorKind"},"latency":{"type":"number"},"outcome":{"type":"st\#
ring"},"reason":{"type":"string"},"status":{"type":"integer"}},"required":["at","latency","outcome","reason"],\#
"type":"object"},"SecretText":{"type":"string"},"SessionExplain.Result":{"additionalProperties":false,"propert\#
ies":{"account":{"$ref":"#/components/schemas/AccountStatus"},"explanation":{"items":{"type":"string"},"type":\#
"array"},"tries":{"items":{"$ref":"#/components/schemas/RefreshTry"},"type":"array"}},"required":["account","e\#
xplanation","tries"],"type":"object"},"SessionList.Result":{"additionalProperties":false,"properties":{"accoun\#
ts":{"items":{"$ref":"#/components/schemas/AccountStatus"},"type":"array"}},"required":["accounts"],"type":"ob\#
ject"},"SessionSignOut.Failure":{"additionalProperties":false,"properties":{"account":{"type":"string"},"kind"\#
:{"$ref":"#/components/schemas/ErrorKind"},"message":{"type":"string"}},"required":["account","kind","message"\#
],"type":"object"},"SessionSignOut.Result":{"additionalProperties":false,"properties":{"accounts":{"items":{"t\#
ype":"string"},"type":"array"},"failed":{"items":{"$ref":"#/components/schemas/SessionSignOut.Failure"},"type"\#
:"array"},"pending":{"items":{"type":"string"},"type":"array"}},"required":["accounts","pending"],"type":"obje\#
ct"},"SessionToken.Result":{"additionalProperties":false,"properties":{"accessToken":{"type":"string"},"accoun\#
t":{"type":"string"},"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2\#
}:[0-9]{2}Z$","type":"string"},"expiresIn":{"type":"integer"},"tokenType":{"type":"string"},"unchanged":{"type\#
":"boolean"}},"required":["accessToken","account","expiresAt","expiresIn","tokenType"],"type":"object"},"SignI\#
nDecision":{"additionalProperties":false,"properties":{"account":{"type":"string"},"flow":{"type":"string"},"i\#
dentity":{"$ref":"#/components/schemas/AccountIdentity"},"kind":{"type":"string"},"others":{"items":{"$ref":"#\#
/components/schemas/AccountIdentity"},"type":"array"},"user":{"$ref":"#/components/schemas/AccountUser"}},"req\#
uired":["account","flow","kind","user"],"type":"object"},"SignInMethods.Result":{"additionalProperties":false,\#
"properties":{"methods":{"items":{"type":"string"},"type":"array"},"signUp":{"type":"boolean"}},"required":["m\#
ethods","signUp"],"type":"object"},"SignInNonce.Result":{"additionalProperties":false,"properties":{"hashed":{\#
"type":"string"},"nonce":{"type":"string"}},"required":["hashed","nonce"],"type":"object"},"SignInResult":{"ad\#
ditionalProperties":false,"properties":{"account":{"$ref":"#/components/schemas/AccountStatus"},"decision":{"$\#
ref":"#/components/schemas/SignInDecision"},"outcome":{"$ref":"#/components/schemas/SignInResult.Outcome"}},"r\#
equired":["outcome"],"type":"object"},"SignInResult.Outcome":{"examples":["signedIn","confirmationSent","decis\#
ionNeeded"],"type":"string"},"SignInStart.Result":{"additionalProperties":false,"properties":{"expiresAt":{"fo\#
rmat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow"\#
:{"type":"string"},"url":{"type":"string"},"warning":{"type":"string"}},"required":["expiresAt","flow","url"],\#
"type":"object"},"SignOutScope":{"enum":["local","global","others"],"type":"string"},"TelemetryRecord":{"addit\#
ionalProperties":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2\#
}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"type":"string"},"properties":{"additionalProperties":{"type"\#
:"string"},"type":"object"}},"required":["at","event","properties"],"type":"object"},"TelemetrySnapshot.Result\#
":{"additionalProperties":false,"properties":{"events":{"items":{"$ref":"#/components/schemas/TelemetryRecord"\#
},"type":"array"},"families":{"items":{"$ref":"#/components/schemas/MetricFamily"},"type":"array"}},"required"\#
:["events","families"],"type":"object"},"VaultAddKey.Result":{"additionalProperties":false,"properties":{"key"\#
:{"$ref":"#/components/schemas/VaultKey"},"removed":{"items":{"$ref":"#/components/schemas/VaultKey"},"type":"\#
array"}},"required":["key","removed"],"type":"object"},"VaultAdopt.Result":{"additionalProperties":false,"prop\#
erties":{"accounts":{"items":{"type":"string"},"type":"array"}},"required":["accounts"],"type":"object"},"Vaul\#
tFinding":{"additionalProperties":false,"properties":{"detail":{"type":"string"},"file":{"type":"string"},"sta\#
te":{"type":"string"}},"required":["file","state"],"type":"object"},"VaultKey":{"additionalProperties":false,"\#
properties":{"id":{"pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/components/schemas/VaultKeyKi\#
nd"},"memory":{"type":"integer"},"passes":{"type":"integer"}},"required":["id","kind"],"type":"object"},"Vault\#
KeyKind":{"examples":["keyFile","passphrase","credential"],"type":"string"},"VaultLock.Result":{"additionalPro\#
perties":false,"properties":{"opensByFile":{"type":"boolean"},"warning":{"type":"string"}},"required":["opensB\#
yFile"],"type":"object"},"VaultRekey.Result":{"additionalProperties":false,"properties":{"generation":{"minimu\#
m":0,"type":"integer"}},"required":["generation"],"type":"object"},"VaultStatus.Result":{"additionalProperties\#
":false,"properties":{"damaged":{"items":{"$ref":"#/components/schemas/VaultFinding"},"type":"array"},"generat\#
ion":{"minimum":0,"type":"integer"},"idleLock":{"type":"integer"},"isAuthenticated":{"type":"boolean"},"isMemo\#
ryLocked":{"type":"boolean"},"isRekeying":{"type":"boolean"},"keys":{"items":{"$ref":"#/components/schemas/Vau\#
ltKey"},"type":"array"},"lockedBy":{"type":"string"},"machine":{"type":"string"},"openedBy":{"$ref":"#/compone\#
nts/schemas/VaultKeyKind"},"protection":{"items":{"type":"string"},"type":"array"},"state":{"enum":["open","co\#
pied","locked","unavailable"],"type":"string"}},"required":["damaged","generation","isAuthenticated","isMemory\#
Locked","isRekeying","keys","machine","protection","state"],"type":"object"},"VaultSummary":{"additionalProper\#
ties":false,"properties":{"damaged":{"items":{"type":"string"},"type":"array"},"openedBy":{"type":"string"},"p\#
rotection":{"type":"string"},"state":{"type":"string"}},"required":["damaged","state"],"type":"object"},"Vault\#
Unlock.Result":{"additionalProperties":false,"properties":{"key":{"$ref":"#/components/schemas/VaultKey"}},"re\#
quired":["key"],"type":"object"},"VaultVerify.Result":{"additionalProperties":false,"properties":{"files":{"it\#
ems":{"$ref":"#/components/schemas/VaultFinding"},"type":"array"},"isWhole":{"type":"boolean"}},"required":["f\#
iles","isWhole"],"type":"object"}}},"info":{"title":"Ritual Agent","version":"
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
ame","params":[{"name":"check","required":false,"schema":{"type":"string"}}],"result":{"name":"result","requir\#
ed":true,"schema":{"$ref":"#/components/schemas/AgentReload.Result"}},"summary":"Reads the configuration again\#
; a bad file keeps the old."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/er\#
rors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"\#
#/components/errors/tooMany"}],"name":"agent.status","paramStructure":"by-name","params":[],"result":{"name":"\#
result","required":true,"schema":{"$ref":"#/components/schemas/AgentStatusMethod.Result"}},"summary":"Everythi\#
ng that `ritualctl status` shows."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/compone\#
nts/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$\#
ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors\#
/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/\#
components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/service\#
Unavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/co\#
mponents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDam\#
aged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/comp\#
onents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"api.request","paramStructure"\#
:"by-name","params":[{"name":"method","required":true,"schema":{"type":"string"}},{"name":"path","required":tr\#
ue,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"body","\#
required":false,"schema":{"description":"base64 (RFC 4648, section 4)","pattern":"^[A-Za-z0-9+/]*={0,2}$","typ\#
e":"string"}},{"name":"headers","required":false,"schema":{"items":{"items":{"type":"string"},"type":"array"},\#
"type":"array"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/APIRequestM\#
ethod.Result"}},"summary":"An authorised request, sent by the agent; the token stays there."},{"errors":[{"$re\#
f":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/err\#
ors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/compo\#
nents/errors/denied"}],"name":"approval.answer","paramStructure":"by-name","params":[{"name":"allow","required\#
":true,"schema":{"type":"boolean"}},{"name":"id","required":true,"schema":{"type":"string"}},{"name":"for","re\#
quired":false,"schema":{"type":"integer"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/comp\#
onents/schemas/Approval"}},"summary":"Answers a question of the policy; never from the asker's own unit."},{"e\#
rrors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/c\#
omponents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"n\#
ame":"approval.list","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema"\#
:{"$ref":"#/components/schemas/ApprovalList.Result"}},"summary":"What waits for an answer, and the answers tha\#
t hold."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}\#
,{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/\#
tooMany"},{"$ref":"#/components/errors/denied"}],"name":"approval.revoke","paramStructure":"by-name","params":\#
[{"name":"id","required":true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":\#
{"$ref":"#/components/schemas/Empty"}},"summary":"Forgets an answer, or withdraws a question."},{"errors":[{"$\#
ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
rrors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"appro\#
val.wait","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"type":"string"}}],"resu\#
lt":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/ApprovalWait.Result"}},"summary":"\#
Waits until a question is answered or over."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":\#
"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooL\#
arge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components\#
/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailabl\#
e"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/e\#
rrors/formatTooNew"}],"name":"audit.list","paramStructure":"by-name","params":[{"name":"limit","required":fals\#
e,"schema":{"maximum":10000,"minimum":1,"type":"integer"}}],"result":{"name":"result","required":true,"schema"\#
:{"$ref":"#/components/schemas/AuditList.Result"}},"summary":"The last entries of the audit log, newest last."\#
},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref"\#
:"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"\#
},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/\#
errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},\#
{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"audit.verify",\#
"paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/component\#
s/schemas/AuditVerify.Result"}},"summary":"Holds every entry of the audit log against its chain."},{"errors":[\#
{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/component\#
s/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"ev\#
ents.subscribe","paramStructure":"by-name","params":[{"name":"since","required":false,"schema":{"$ref":"#/comp\#
onents/schemas/EventsSubscribe.Position"}},{"name":"tokens","required":false,"schema":{"type":"boolean"}}],"re\#
sult":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/EventsSubscribe.Position"}},"sum\#
mary":"The present state, then every change, as `event` notifications."},{"errors":[{"$ref":"#/components/erro\#
rs/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref\#
":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"\#
},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/comp\#
onents/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"}\#
,{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/compon\#
ents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},\#
{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/\#
components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/method\#
Disabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/compone\#
nts/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackI\#
nvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/\#
errors/approvalNeeded"},{"$ref":"#/components/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}\#
],"name":"identity.decide","paramStructure":"by-name","params":[{"name":"accept","required":true,"schema":{"ty\#
pe":"boolean"}},{"name":"flow","required":true,"schema":{"type":"string"}}],"result":{"name":"result","require\#
d":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"The answer to a `decisionNeeded`."},\#
{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"\#
#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},\#
{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components\#
/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$re\#
f":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors\#
/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref"\#
:"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/e\#
rrors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"\#
},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components\#
/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{\#
"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/e\#
rrors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/unknownAccount"},{"$\#
ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/linkingDisabled"}],"name":"identity.link\#
","paramStructure":"by-name","params":[{"name":"provider","required":true,"schema":{"type":"string"}},{"name":\#
"account","required":false,"schema":{"type":"string"}},{"name":"detach","required":false,"schema":{"type":"boo\#
lean"}},{"name":"port","required":false,"schema":{"type":"integer"}},{"name":"redirect","required":false,"sche\#
ma":{"type":"string"}},{"name":"timeout","required":false,"schema":{"type":"number"}}],"result":{"name":"resul\#
t","required":true,"schema":{"$ref":"#/components/schemas/SignInStart.Result"}},"summary":"Begins to link anot\#
her provider; goes on as a sign-in does."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/\#
components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarg\#
e"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components\#
/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$r\#
ef":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/\#
serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref\#
":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/v\#
aultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":\#
"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"identity.list","paramS\#
tructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name"\#
:"result","required":true,"schema":{"$ref":"#/components/schemas/IdentityList.Result"}},"summary":"The ways to\#
 sign in of the account's user."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/component\#
s/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$re\#
f":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/s\#
ignInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/co\#
mponents/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUn\#
available"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/comp\#
onents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamag\#
ed"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/compon\#
ents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/lastIdentit\#
y"},{"$ref":"#/components/errors/linkingDisabled"}],"name":"identity.unlink","paramStructure":"by-name","param\#
s":[{"name":"identityID","required":true,"schema":{"type":"string"}},{"name":"account","required":false,"schem\#
a":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Identi\#
tyList.Result"}},"summary":"Removes one of the ways to sign in; the last one stays."},{"errors":[{"$ref":"#/co\#
mponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notR\#
eady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/er\#
rors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"}\#
,{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/err\#
ors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$\#
ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/v\#
aultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$re\#
f":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/for\#
matTooNew"}],"name":"profile.get","paramStructure":"by-name","params":[{"name":"account","required":false,"sch\#
ema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Prof\#
ileResult"}},"summary":"The user's profile at the API."},{"errors":[{"$ref":"#/components/errors/invalidParams\#
"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/\#
errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref"\#
:"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors\#
/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/comp\#
onents/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/tim\#
edOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/compo\#
nents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrong\#
Key"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"profile.\#
update","paramStructure":"by-name","params":[{"name":"set","required":true,"schema":{"additionalProperties":{}\#
,"type":"object"}},{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","\#
required":true,"schema":{"$ref":"#/components/schemas/ProfileResult"}},"summary":"Changes members of the profi\#
le."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$\#
ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooM\#
any"}],"name":"rpc.discover","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,\#
"schema":{"$ref":"#/components/schemas/OpenRPCDocument"}},"summary":"This document."},{"errors":[{"$ref":"#/co\#
mponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notR\#
eady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/er\#
rors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"}\#
,{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/err\#
ors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$re\#
f":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/error\#
s/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.explain","paramStructure":"by-nam\#
e","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","requir\#
ed":true,"schema":{"$ref":"#/components/schemas/SessionExplain.Result"}},"summary":"What the refresher will do\#
 next, and why."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/interna\#
lError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components\#
/errors/tooMany"}],"name":"session.list","paramStructure":"by-name","params":[],"result":{"name":"result","req\#
uired":true,"schema":{"$ref":"#/components/schemas/SessionList.Result"}},"summary":"All accounts."},{"errors":\#
[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/componen\#
ts/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#\#
/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/m\#
isconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/\#
components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rat\#
eLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/compo\#
nents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnava\#
ilable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/compone\#
nts/errors/formatTooNew"}],"name":"session.refresh","paramStructure":"by-name","params":[{"name":"account","re\#
quired":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/compo\#
nents/schemas/AccountStatus"}},"summary":"A refresh now, unless one ended a moment ago."},{"errors":[{"$ref":"\#
#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/\#
notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/component\#
s/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigur\#
ed"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components\#
/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"}\#
,{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/erro\#
rs/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{\#
"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors\#
/formatTooNew"}],"name":"session.signOut","paramStructure":"by-name","params":[{"name":"account","required":fa\#
lse,"schema":{"type":"string"}},{"name":"all","required":false,"schema":{"type":"boolean"}},{"name":"scope","r\#
equired":false,"schema":{"$ref":"#/components/schemas/SignOutScope"}}],"result":{"name":"result","required":tr\#
ue,"schema":{"$ref":"#/components/schemas/SessionSignOut.Result"}},"summary":"Ends a session here at once, and\#
 at the server when it can be reached."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/co\#
mponents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"\#
},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/e\#
rrors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref\#
":"#/components/errors/approvalNeeded"}],"name":"session.status","paramStructure":"by-name","params":[{"name":\#
"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$\#
ref":"#/components/schemas/AccountStatus"}},"summary":"One account."},{"errors":[{"$ref":"#/components/errors/\#
invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"\#
#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAcco\#
unt"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/comp\#
onents/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"\#
$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/componen\#
ts/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$\#
ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components\#
/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"na\#
me":"session.token","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"\#
string"}},{"name":"minTTL","required":false,"schema":{"description":"The least remaining life, in seconds.","m\#
inimum":0,"type":"number"}},{"name":"reason","required":false,"schema":{"type":"string"}},{"name":"rejected","\#
required":false,"schema":{"description":"The SHA-256 of a token that a server refused.","pattern":"^[0-9a-f]{6\#
4}$","type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Sessi\#
onToken.Result"}},"summary":"The access token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$re\#
f":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/t\#
ooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/comp\#
onents/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"\#
},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/componen\#
ts/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavaila\#
ble"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components\#
/errors/formatTooNew"}],"name":"session.use","paramStructure":"by-name","params":[{"name":"account","required"\#
:false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/s\#
chemas/AccountStatus"}},"summary":"Makes an account the default one."},{"errors":[{"$ref":"#/components/errors\#
/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":\#
"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/flowUnknow\#
n"}],"name":"signIn.cancel","paramStructure":"by-name","params":[{"name":"flow","required":true,"schema":{"typ\#
e":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty"}},"summ\#
ary":"Ends a sign-in that runs."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/component\#
s/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$re\#
f":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceU\#
navailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/com\#
ponents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDama\#
ged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/compo\#
nents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCre\#
dentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":\#
"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors\#
/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/c\#
omponents/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/c\#
ancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/comp\#
onents/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}],"name":"signIn.complete","paramStruct\#
ure":"by-name","params":[{"name":"callback","required":true,"schema":{"type":"string"}}],"result":{"name":"res\#
ult","required":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Hands in the address th\#
at the browser ended on."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/error\#
s/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/c\#
omponents/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavaila\#
ble"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components\#
/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{\#
"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/e\#
rrors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredential\#
s"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/comp\#
onents/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongU\#
ser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/componen\#
ts/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelle\#
d"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"signIn.idToke\#
n","paramStructure":"by-name","params":[{"name":"idToken","required":true,"schema":{"type":"string"}},{"name":\#
"provider","required":true,"schema":{"type":"string"}},{"name":"acceptLink","required":false,"schema":{"type":\#
"boolean"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"email","required":false,"s\#
chema":{"type":"string"}},{"name":"name","required":false,"schema":{"type":"string"}},{"name":"nonce","require\#
d":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"r\#
eplace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$r\#
ef":"#/components/schemas/AccountStatus"}},"summary":"Exchanges an identity token of Apple or Google."},{"erro\#
rs":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/comp\#
onents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref\#
":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/error\#
s/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/\#
components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vault\#
Unavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/co\#
mponents/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/\#
emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$r\#
ef":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/error\#
s/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref"\#
:"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/\#
denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/signInNeeded"}],"name":"si\#
gnIn.importSession","paramStructure":"by-name","params":[{"name":"refreshToken","required":true,"schema":{"typ\#
e":"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"project","required":fals\#
e,"schema":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name\#
":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Brings a session\#
 along by its refresh token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/e\#
rrors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":\#
"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnav\#
ailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/compon\#
ents/errors/misconfigured"}],"name":"signIn.methods","paramStructure":"by-name","params":[{"name":"project","r\#
equired":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/comp\#
onents/schemas/SignInMethods.Result"}},"summary":"The ways to sign in that the project has on."},{"errors":[{"\#
$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/\#
errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"sign\#
In.nonce","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#\#
/components/schemas/SignInNonce.Result"}},"summary":"A nonce for Apple's native sign-in, for single use."},{"e\#
rrors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/c\#
omponents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$\#
ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/er\#
rors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":\#
"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/va\#
ultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#\#
/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/erro\#
rs/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{\#
"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/er\#
rors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$r\#
ef":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/erro\#
rs/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"signIn.password","paramStructure":"by-name"\#
,"params":[{"name":"email","required":true,"schema":{"type":"string"}},{"name":"password","required":true,"sch\#
ema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"project","requ\#
ired":false,"schema":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"resu\#
lt":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Signs i\#
n by e-mail and password."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/erro\#
rs/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/\#
components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavail\#
able"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/component\#
s/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},\#
{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/\#
errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentia\#
ls"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/com\#
ponents/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrong\#
User"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/compone\#
nts/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancell\#
ed"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"signIn.signU\#
p","paramStructure":"by-name","params":[{"name":"email","required":true,"schema":{"type":"string"}},{"name":"p\#
assword","required":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"stri\#
ng"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"replace","required":false,"schem\#
a":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignI\#
nResult"}},"summary":"Makes a user by e-mail and password."},{"errors":[{"$ref":"#/components/errors/invalidPa\#
rams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/compone\#
nts/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#\#
/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/error\#
s/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/\#
components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/\#
wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/c\#
omponents/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/e\#
rrors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{\#
"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/m\#
isconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$\#
ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/appro\#
valNeeded"}],"name":"signIn.start","paramStructure":"by-name","params":[{"name":"account","required":false,"sc\#
hema":{"type":"string"}},{"name":"detach","required":false,"schema":{"type":"boolean"}},{"name":"port","requir\#
ed":false,"schema":{"maximum":65535,"minimum":0,"type":"integer"}},{"name":"project","required":false,"schema"\#
:{"type":"string"}},{"name":"provider","required":false,"schema":{"type":"string"}},{"name":"redirect","requir\#
ed":false,"schema":{"enum":["loopback","scheme","manual"],"type":"string"}},{"name":"replace","required":false\#
,"schema":{"type":"boolean"}},{"name":"takeOver","required":false,"schema":{"type":"boolean"}},{"name":"timeou\#
t","required":false,"schema":{"type":"number"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#\#
/components/schemas/SignInStart.Result"}},"summary":"Begins a sign-in in a browser. The starter's disconnect c\#
ancels it unless `detach`."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/err\#
ors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#\#
/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavai\#
lable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/componen\#
ts/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"}\#
,{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components\#
/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredenti\#
als"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/co\#
mponents/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wron\#
gUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/compon\#
ents/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancel\#
led"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/component\#
s/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}],"name":"signIn.wait","paramStructure":"by-\#
name","params":[{"name":"flow","required":true,"schema":{"type":"string"}}],"result":{"name":"result","require\#
d":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Waits for the end of a sign-in."},{"\#
errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/\#
components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"\#
name":"telemetry.snapshot","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"s\#
chema":{"$ref":"#/components/schemas/TelemetrySnapshot.Result"}},"summary":"What the agent counted since its s\#
tart. No personal data."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors\#
/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/co\#
mponents/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"\#
},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/compo\#
nents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}\#
,{"$ref":"#/components/errors/denied"}],"name":"vault.addKey","paramStructure":"by-name","params":[{"name":"ki\#
nd","required":true,"schema":{"$ref":"#/components/schemas/VaultKeyKind"}},{"name":"present","required":true,"\#
schema":{"$ref":"#/components/schemas/PresentKeys"}},{"name":"keepKeyFile","required":false,"schema":{"type":"\#
boolean"}},{"name":"passphrase","required":false,"schema":{"$ref":"#/components/schemas/SecretText"}},{"name":\#
"path","required":false,"schema":{"type":"string"}},{"name":"replaces","required":false,"schema":{"type":"stri\#
ng"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultAddKey.Result"}},\#
"summary":"Adds a way to open the vault."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/\#
components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarg\#
e"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/er\#
rors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"}\#
,{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/erro\#
rs/formatTooNew"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$\#
ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"}],"name":"vault.adopt","paramSt\#
ructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schema\#
s/VaultAdopt.Result"}},"summary":"Makes a vault from another machine at home here."},{"errors":[{"$ref":"#/com\#
ponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notRe\#
ady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/err\#
ors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$re\#
f":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/error\#
s/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.lock","paramStructure":"by-name","p\#
arams":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultLock.Result"}}\#
,"summary":"Locks the vault until `vault.unlock`, over restarts."},{"errors":[{"$ref":"#/components/errors/inv\#
alidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/c\#
omponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},\#
{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/e\#
rrors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"\#
$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/denied"}],"name":"vault.rekey","paramSt\#
ructure":"by-name","params":[{"name":"present","required":true,"schema":{"$ref":"#/components/schemas/PresentK\#
eys"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultRekey.Result"}},\#
"summary":"A new master key; every key has to be presented."},{"errors":[{"$ref":"#/components/errors/invalidP\#
arams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/compon\#
ents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$re\#
f":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors\#
/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref"\#
:"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/denied"}],"name":"vault.removeKey","paramStr\#
ucture":"by-name","params":[{"name":"id","required":true,"schema":{"type":"string"}},{"name":"present","requir\#
ed":true,"schema":{"$ref":"#/components/schemas/PresentKeys"}}],"result":{"name":"result","required":true,"sch\#
ema":{"$ref":"#/components/schemas/Empty"}},"summary":"Removes a key; an older copy of the vault still opens w\#
ith it."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}\#
,{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/\#
tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/com\#
ponents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wro\#
ngKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.\#
status","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/c\#
omponents/schemas/VaultStatus.Result"}},"summary":"All that can be said of the vault, also while it is locked.\#
"},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref\#
":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany\#
"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components\#
/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"}\#
,{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.unlock"\#
,"paramStructure":"by-name","params":[{"name":"keyFile","required":false,"schema":{"type":"string"}},{"name":"\#
passphrase","required":false,"schema":{"$ref":"#/components/schemas/SecretText"}}],"result":{"name":"result","\#
required":true,"schema":{"$ref":"#/components/schemas/VaultUnlock.Result"}},"summary":"Opens the vault."},{"er\#
rors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/co\#
mponents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$r\#
ef":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors\#
/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref\#
":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.verify","param\#
Structure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sche\#
mas/VaultVerify.Result"}},"summary":"Holds every file of the vault against its keys."}],"openrpc":"1.3.2","x-n\#
otifications":[{"name":"event","required":true,"schema":{"$ref":"#/components/schemas/AgentEvent"}}]}
"""#
}
