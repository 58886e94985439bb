// swift-format-ignore-file
/// The OpenRPC document of `rpc.discover`, but for the agent's version. Generated from the types of the method table by the
/// tests: run DiscoveryTests with RITUAL_WRITE_GOLDEN=1 after a change of the protocol.
enum DiscoveryDocument {
  static let beforeVersion: StaticString = #"""
{"components":{"errors":{"approvalNeeded":{"code":-32028,"data":{"kind":"approvalNeeded","retryable":false},"m\#
essage":"This needs your approval."},"callbackInvalid":{"code":-32011,"data":{"kind":"callbackInvalid","retrya\#
ble":false},"message":"Sign in failed. Please try again."},"cancelled":{"code":-32015,"data":{"kind":"cancelle\#
d","retryable":false},"message":"Cancelled."},"denied":{"code":-32006,"data":{"kind":"denied","retryable":fals\#
e},"message":"Access denied."},"emailNotConfirmed":{"code":-32019,"data":{"kind":"emailNotConfirmed","retryabl\#
e":false},"message":"Please confirm your email address first, then sign in."},"flowBusy":{"code":-32013,"data"\#
:{"kind":"flowBusy","retryable":false},"message":"A sign-in for this account is already running."},"flowTimedO\#
ut":{"code":-32014,"data":{"kind":"flowTimedOut","retryable":true},"message":"The sign-in took too long. Pleas\#
e try again."},"flowUnknown":{"code":-32012,"data":{"kind":"flowUnknown","retryable":false},"message":"This si\#
gn-in has ended or does not exist."},"formatTooNew":{"code":-32018,"data":{"kind":"formatTooNew","retryable":f\#
alse},"message":"Unable to access secure storage."},"identityTaken":{"code":-32025,"data":{"kind":"identityTak\#
en","retryable":false},"message":"This email is already associated with another account."},"internalError":{"c\#
ode":-32603,"data":{"kind":"internalError","retryable":false},"message":"Something went wrong inside the agent\#
."},"invalidCredentials":{"code":-32010,"data":{"kind":"invalidCredentials","retryable":false},"message":"Sign\#
 in failed. Please check your e-mail and password."},"invalidParams":{"code":-32602,"data":{"kind":"invalidPar\#
ams","retryable":false},"message":"The parameters are not valid for this method."},"invalidRequest":{"code":-3\#
2600,"data":{"kind":"invalidRequest","retryable":false},"message":"The request is not a JSON-RPC 2.0 request."\#
},"lastIdentity":{"code":-32024,"data":{"kind":"lastIdentity","retryable":false},"message":"The last sign-in m\#
ethod cannot be removed."},"linkingConflict":{"code":-32026,"data":{"kind":"linkingConflict","retryable":false\#
},"message":"This email is already associated with another account."},"linkingDisabled":{"code":-32023,"data":\#
{"kind":"linkingDisabled","retryable":false},"message":"The project does not allow manual linking."},"methodDi\#
sabled":{"code":-32022,"data":{"kind":"methodDisabled","retryable":false},"message":"This sign-in method is di\#
sabled for the project."},"methodNotFound":{"code":-32601,"data":{"kind":"methodNotFound","retryable":false},"\#
message":"The agent has no such method."},"misconfigured":{"code":-32034,"data":{"kind":"misconfigured","retry\#
able":false},"message":"The configuration does not match this account."},"notReady":{"code":-32000,"data":{"ki\#
nd":"notReady","retryable":true},"message":"The agent is still starting. Please try again."},"offline":{"code"\#
:-32007,"data":{"kind":"offline","retryable":true},"message":"Connection failed. Please check your internet an\#
d try again."},"parseError":{"code":-32700,"data":{"kind":"parseError","retryable":false},"message":"The reque\#
st is not JSON."},"rateLimited":{"code":-32009,"data":{"kind":"rateLimited","retryable":true},"message":"Too m\#
any requests. Please try again later."},"serviceUnavailable":{"code":-32008,"data":{"kind":"serviceUnavailable\#
","retryable":true},"message":"Service temporarily unavailable. Please try again later."},"signInNeeded":{"cod\#
e":-32001,"data":{"kind":"signInNeeded","retryable":false},"message":"Session expired. Please sign in again."}\#
,"storageFull":{"code":-32017,"data":{"kind":"storageFull","retryable":true},"message":"Unable to access secur\#
e storage."},"timedOut":{"code":-32032,"data":{"kind":"timedOut","retryable":true},"message":"The request time\#
d out. Please try again."},"tooLarge":{"code":-32030,"data":{"kind":"tooLarge","retryable":false},"message":"T\#
he message is too large."},"tooMany":{"code":-32031,"data":{"kind":"tooMany","retryable":true},"message":"Too \#
many requests at once. Please try again."},"unknownAccount":{"code":-32002,"data":{"kind":"unknownAccount","re\#
tryable":false},"message":"There is no such account."},"unsupportedVersion":{"code":-32033,"data":{"kind":"uns\#
upportedVersion","retryable":false},"message":"The client and the agent use different protocol versions."},"us\#
erExists":{"code":-32020,"data":{"kind":"userExists","retryable":false},"message":"An account with this email \#
address already exists."},"vaultCopied":{"code":-32029,"data":{"kind":"vaultCopied","retryable":false},"messag\#
e":"This vault was copied from another machine."},"vaultDamaged":{"code":-32004,"data":{"kind":"vaultDamaged",\#
"retryable":false},"message":"Unable to access secure storage."},"vaultLocked":{"code":-32003,"data":{"kind":"\#
vaultLocked","retryable":false},"message":"The vault is locked."},"vaultUnavailable":{"code":-32005,"data":{"k\#
ind":"vaultUnavailable","retryable":false},"message":"Unable to access secure storage."},"weakPassword":{"code\#
":-32021,"data":{"kind":"weakPassword","retryable":false},"message":"This password is too weak. Please choose \#
another."},"wrongKey":{"code":-32016,"data":{"kind":"wrongKey","retryable":false},"message":"Unable to access \#
secure storage."},"wrongUser":{"code":-32027,"data":{"kind":"wrongUser","retryable":false},"message":"You sign\#
ed in as a different user. The account was not changed."}},"schemas":{"APIRequestMethod.Result":{"additionalPr\#
operties":false,"properties":{"body":{"description":"base64 (RFC 4648, section 4)","pattern":"^[A-Za-z0-9+/]*=\#
{0,2}$","type":"string"},"headers":{"items":{"items":{"type":"string"},"type":"array"},"type":"array"},"status\#
":{"type":"integer"}},"required":["body","headers","status"],"type":"object"},"AccountActivity":{"examples":["\#
none","authenticating","refreshing"],"type":"string"},"AccountIdentity":{"additionalProperties":false,"propert\#
ies":{"email":{"type":"string"},"identityID":{"type":"string"},"provider":{"type":"string"}},"required":["iden\#
tityID","provider"],"type":"object"},"AccountState":{"examples":["unauthenticated","authenticated","degraded",\#
"signInNeeded","locked","copied","misconfigured"],"type":"string"},"AccountStatus":{"additionalProperties":fal\#
se,"properties":{"activity":{"$ref":"#/components/schemas/AccountActivity"},"ended":{"$ref":"#/components/sche\#
mas/EndedSession"},"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:\#
[0-9]{2}Z$","type":"string"},"identities":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type":"arr\#
ay"},"isDefault":{"type":"boolean"},"name":{"type":"string"},"onboarding":{"type":"string"},"origin":{"type":"\#
string"},"project":{"type":"string"},"refresh":{"$ref":"#/components/schemas/RefreshStatus"},"state":{"$ref":"\#
#/components/schemas/AccountState"},"tokenUsable":{"type":"boolean"},"user":{"$ref":"#/components/schemas/Acco\#
untUser"}},"required":["activity","identities","isDefault","name","project","state","tokenUsable"],"type":"obj\#
ect"},"AccountUser":{"additionalProperties":false,"properties":{"email":{"type":"string"},"id":{"type":"string\#
"},"name":{"type":"string"},"provider":{"type":"string"}},"required":["id"],"type":"object"},"AgentDiagnose.Re\#
sult":{"additionalProperties":false,"properties":{"checks":{"items":{"$ref":"#/components/schemas/DiagnosticCh\#
eck"},"type":"array"},"redirect":{"type":"string"},"schemes":{"items":{"type":"string"},"type":"array"}},"requ\#
ired":["checks","redirect","schemes"],"type":"object"},"AgentError":{"additionalProperties":false,"properties"\#
:{"code":{"type":"integer"},"data":{"$ref":"#/components/schemas/AgentError.Details"},"message":{"type":"strin\#
g"}},"required":["code","message"],"type":"object"},"AgentError.Details":{"additionalProperties":false,"proper\#
ties":{"account":{"type":"string"},"approval":{"type":"string"},"detail":{"type":"string"},"hint":{"type":"str\#
ing"},"kind":{"$ref":"#/components/schemas/ErrorKind"},"retryAfter":{"type":"number"},"retryable":{"type":"boo\#
lean"}},"required":["kind","retryable"],"type":"object"},"AgentEvent":{"additionalProperties":false,"propertie\#
s":{"account":{"type":"string"},"approval":{"$ref":"#/components/schemas/Approval"},"at":{"format":"date-time"\#
,"pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason":{"type":"strin\#
g"},"sequence":{"minimum":0,"type":"integer"},"status":{"$ref":"#/components/schemas/AccountStatus"},"token":{\#
"$ref":"#/components/schemas/SessionToken.Result"},"type":{"$ref":"#/components/schemas/EventType"}},"required\#
":["at","sequence","type"],"type":"object"},"AgentHello.Result":{"additionalProperties":false,"properties":{"a\#
gent":{"type":"string"},"capabilities":{"items":{"type":"string"},"type":"array"},"protocol":{"type":"integer"\#
},"version":{"type":"string"}},"required":["agent","capabilities","protocol","version"],"type":"object"},"Agen\#
tReload.Result":{"additionalProperties":false,"properties":{"projects":{"items":{"type":"string"},"type":"arra\#
y"},"reloaded":{"type":"boolean"},"warning":{"type":"string"}},"required":["projects"],"type":"object"},"Agent\#
StatusMethod.Result":{"additionalProperties":false,"properties":{"accounts":{"items":{"$ref":"#/components/sch\#
emas/AccountStatus"},"type":"array"},"autostart":{"type":"boolean"},"health":{"items":{"type":"string"},"type"\#
:"array"},"pid":{"type":"integer"},"stateFolder":{"type":"string"},"unrevoked":{"items":{"type":"string"},"typ\#
e":"array"},"uptime":{"type":"integer"},"vault":{"$ref":"#/components/schemas/VaultSummary"},"version":{"type"\#
:"string"}},"required":["accounts","health","pid","uptime","vault","version"],"type":"object"},"Approval":{"ad\#
ditionalProperties":false,"properties":{"account":{"type":"string"},"askedAt":{"format":"date-time","pattern":\#
"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"type":"string"},"id\#
":{"type":"string"},"method":{"type":"string"},"pid":{"type":"integer"},"state":{"$ref":"#/components/schemas/\#
ApprovalState"},"unit":{"type":"string"},"until":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T\#
[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["account","askedAt","id","method","pid","state"],"\#
type":"object"},"ApprovalList.Result":{"additionalProperties":false,"properties":{"approvals":{"items":{"$ref"\#
:"#/components/schemas/Approval"},"type":"array"}},"required":["approvals"],"type":"object"},"ApprovalState":{\#
"examples":["pending","allowed","denied","expired"],"type":"string"},"ApprovalWait.Result":{"additionalPropert\#
ies":false,"properties":{"state":{"$ref":"#/components/schemas/ApprovalState"}},"required":["state"],"type":"o\#
bject"},"AuditEntry":{"additionalProperties":false,"properties":{"accepted":{"type":"boolean"},"account":{"typ\#
e":"string"},"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","\#
type":"string"},"count":{"minimum":0,"type":"integer"},"detail":{"type":"string"},"event":{"$ref":"#/component\#
s/schemas/AuditEvent"},"executable":{"type":"string"},"first":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]\#
{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"minimum":0,"type":"integer"},"last":{"\#
format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"pid\#
":{"type":"integer"},"previous":{"type":"string"},"project":{"type":"string"},"provider":{"type":"string"},"se\#
quence":{"minimum":0,"type":"integer"},"token":{"type":"string"},"unit":{"type":"string"},"way":{"type":"strin\#
g"}},"required":["at","event","sequence"],"type":"object"},"AuditEvent":{"examples":["agentStarted","agentStop\#
ped","signedIn","signedOut","sessionEnded","linked","unlinked","decided","denied","approvalAsked","approvalAns\#
wered","approvalRevoked","handOut","apiAccepted","vaultLocked","vaultUnlocked","keyAdded","keyRemoved","rekeye\#
d","vaultAdopted","fileBegun","interrupted","entriesLost"],"type":"string"},"AuditList.Result":{"additionalPro\#
perties":false,"properties":{"entries":{"items":{"$ref":"#/components/schemas/AuditEntry"},"type":"array"},"is\#
Checked":{"type":"boolean"},"leftOut":{"type":"integer"},"more":{"type":"boolean"},"unknownCount":{"type":"int\#
eger"},"unknownFiles":{"items":{"type":"string"},"type":"array"}},"required":["entries","isChecked","leftOut",\#
"more","unknownCount","unknownFiles"],"type":"object"},"AuditVerify.Finding":{"additionalProperties":false,"pr\#
operties":{"file":{"type":"string"},"first":{"minimum":0,"type":"integer"},"kind":{"type":"string"},"last":{"m\#
inimum":0,"type":"integer"}},"required":["file","kind"],"type":"object"},"AuditVerify.Result":{"additionalProp\#
erties":false,"properties":{"findings":{"items":{"$ref":"#/components/schemas/AuditVerify.Finding"},"type":"ar\#
ray"},"first":{"minimum":0,"type":"integer"},"fitting":{"type":"integer"},"interruptions":{"items":{"minimum":\#
0,"type":"integer"},"type":"array"},"isWhole":{"type":"boolean"},"limits":{"items":{"type":"string"},"type":"a\#
rray"},"sealed":{"minimum":0,"type":"integer"},"unsealed":{"type":"integer"}},"required":["findings","first","\#
fitting","interruptions","isWhole","limits","sealed","unsealed"],"type":"object"},"CheckOutcome":{"examples":[\#
"ok","warn","fail"],"type":"string"},"DiagnosticCheck":{"additionalProperties":false,"properties":{"name":{"ty\#
pe":"string"},"next":{"type":"string"},"outcome":{"$ref":"#/components/schemas/CheckOutcome"},"project":{"type\#
":"string"},"words":{"type":"string"}},"required":["name","outcome","words"],"type":"object"},"Empty":{"additi\#
onalProperties":false,"properties":{},"type":"object"},"EndedSession":{"additionalProperties":false,"propertie\#
s":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"st\#
ring"},"reason":{"type":"string"}},"required":["at","reason"],"type":"object"},"ErrorKind":{"examples":["appro\#
valNeeded","callbackInvalid","cancelled","denied","emailNotConfirmed","flowBusy","flowTimedOut","flowUnknown",\#
"formatTooNew","identityTaken","internalError","invalidCredentials","invalidParams","invalidRequest","lastIden\#
tity","linkingConflict","linkingDisabled","methodDisabled","methodNotFound","misconfigured","notReady","offlin\#
e","parseError","rateLimited","serviceUnavailable","signInNeeded","storageFull","timedOut","tooLarge","tooMany\#
","unknownAccount","unsupportedVersion","userExists","vaultCopied","vaultDamaged","vaultLocked","vaultUnavaila\#
ble","weakPassword","wrongKey","wrongUser"],"type":"string"},"EventType":{"examples":["INITIAL_SESSION","SIGNE\#
D_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CHANGED","DEFAULT_CHANGED","VAULT_\#
LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"EventsSubscribe.Pos\#
ition":{"additionalProperties":false,"properties":{"epoch":{"type":"string"},"sequence":{"minimum":0,"type":"i\#
nteger"}},"required":["epoch","sequence"],"type":"object"},"IdentityList.Result":{"additionalProperties":false\#
,"properties":{"account":{"type":"string"},"identities":{"items":{"$ref":"#/components/schemas/AccountIdentity\#
"},"type":"array"},"isCurrent":{"type":"boolean"}},"required":["account","identities","isCurrent"],"type":"obj\#
ect"},"MetricFamily":{"additionalProperties":false,"properties":{"help":{"type":"string"},"name":{"type":"stri\#
ng"},"samples":{"items":{"$ref":"#/components/schemas/MetricFamily.Sample"},"type":"array"},"type":{"type":"st\#
ring"},"unit":{"type":"string"}},"required":["help","name","samples","type"],"type":"object"},"MetricFamily.Sa\#
mple":{"additionalProperties":false,"properties":{"labels":{"additionalProperties":{"type":"string"},"type":"o\#
bject"},"suffix":{"type":"string"},"value":{"type":"number"}},"required":["labels","suffix","value"],"type":"o\#
bject"},"OpenRPCDocument":{"additionalProperties":false,"properties":{"components":{"$ref":"#/components/schem\#
as/OpenRPCDocument.Components"},"info":{"$ref":"#/components/schemas/OpenRPCDocument.Info"},"methods":{"items"\#
:{},"type":"array"},"openrpc":{"type":"string"},"x-notifications":{"items":{},"type":"array"}},"required":["co\#
mponents","info","methods","openrpc","x-notifications"],"type":"object"},"OpenRPCDocument.Components":{"additi\#
onalProperties":false,"properties":{"errors":{"additionalProperties":{},"type":"object"},"schemas":{"additiona\#
lProperties":{},"type":"object"}},"required":["errors","schemas"],"type":"object"},"OpenRPCDocument.Info":{"ad\#
ditionalProperties":false,"properties":{"title":{"type":"string"},"version":{"type":"string"}},"required":["ti\#
tle","version"],"type":"object"},"PresentKeys":{"additionalProperties":false,"properties":{"credential":{"type\#
":"boolean"},"keyFile":{"type":"boolean"},"keyFiles":{"items":{"type":"string"},"type":"array"},"passphrases":\#
{"items":{"$ref":"#/components/schemas/SecretText"},"type":"array"}},"type":"object"},"ProfileResult":{"additi\#
onalProperties":false,"properties":{"account":{"type":"string"},"onboarding":{"type":"string"},"prefill":{"add\#
itionalProperties":{},"type":"object"},"profile":{"additionalProperties":{},"type":"object"}},"required":["acc\#
ount","onboarding"],"type":"object"},"RefreshStatus":{"additionalProperties":false,"properties":{"attempts":{"\#
type":"integer"},"clockSkew":{"type":"integer"},"lastError":{"$ref":"#/components/schemas/AgentError"},"nextAt\#
":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}}\#
,"required":["attempts"],"type":"object"},"RefreshTry":{"additionalProperties":false,"properties":{"at":{"form\#
at":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"error":\#
{"$ref":"#/components/schemas/ErrorKind"},"latency":{"type":"number"},"outcome":{"type":"string"},"reason":{"t\#
ype":"string"},"status":{"type":"integer"}},"required":["at","latency","outcome","reason"],"type":"object"},"S\#
ecretText":{"type":"string"},"SessionExplain.Result":{"additionalProperties":false,"properties":{"account":{"$\#
ref":"#/components/schemas/AccountStatus"},"explanation":{"items":{"type":"string"},"type":"array"},"tries":{"\#
items":{"$ref":"#/components/schemas/RefreshTry"},"type":"array"}},"required":["account","explanation","tries"\#
],"type":"object"},"SessionList.Result":{"additionalProperties":false,"properties":{"accounts":{"items":{"$ref\#
":"#/components/schemas/AccountStatus"},"type":"array"}},"required":["accounts"],"type":"object"},"SessionRemo\#
ve.Result":{"additionalProperties":false,"properties":{"account":{"type":"string"},"isPending":{"type":"boolea\#
n"}},"required":["account","isPending"],"type":"object"},"SessionSignOut.Failure":{"additionalProperties":fals\#
e,"properties":{"account":{"type":"string"},"kind":{"$ref":"#/components/schemas/ErrorKind"},"message":{"type"\#
:"string"}},"required":["account","kind","message"],"type":"object"},"SessionSignOut.Result":{"additionalPrope\#
rties":false,"properties":{"accounts":{"items":{"type":"string"},"type":"array"},"failed":{"items":{"$ref":"#/\#
components/schemas/SessionSignOut.Failure"},"type":"array"},"pending":{"items":{"type":"string"},"type":"array\#
"}},"required":["accounts","pending"],"type":"object"},"SessionToken.Endpoints":{"additionalProperties":false,\#
"properties":{"anonKey":{"type":"string"},"apiURL":{"type":"string"},"projectURL":{"type":"string"}},"required\#
":["anonKey","projectURL"],"type":"object"},"SessionToken.Result":{"additionalProperties":false,"properties":{\#
"accessToken":{"type":"string"},"account":{"type":"string"},"endpoints":{"$ref":"#/components/schemas/SessionT\#
oken.Endpoints"},"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0\#
-9]{2}Z$","type":"string"},"expiresIn":{"type":"integer"},"tokenType":{"type":"string"},"unchanged":{"type":"b\#
oolean"}},"required":["accessToken","account","expiresAt","expiresIn","tokenType"],"type":"object"},"SignInDec\#
ision":{"additionalProperties":false,"properties":{"account":{"type":"string"},"flow":{"type":"string"},"ident\#
ity":{"$ref":"#/components/schemas/AccountIdentity"},"kind":{"type":"string"},"others":{"items":{"$ref":"#/com\#
ponents/schemas/AccountIdentity"},"type":"array"},"user":{"$ref":"#/components/schemas/AccountUser"}},"require\#
d":["account","flow","kind","user"],"type":"object"},"SignInMethods.Result":{"additionalProperties":false,"pro\#
perties":{"methods":{"items":{"type":"string"},"type":"array"},"signUp":{"type":"boolean"}},"required":["metho\#
ds","signUp"],"type":"object"},"SignInNonce.Result":{"additionalProperties":false,"properties":{"hashed":{"typ\#
e":"string"},"nonce":{"type":"string"}},"required":["hashed","nonce"],"type":"object"},"SignInResult":{"additi\#
onalProperties":false,"properties":{"account":{"$ref":"#/components/schemas/AccountStatus"},"decision":{"$ref"\#
:"#/components/schemas/SignInDecision"},"outcome":{"$ref":"#/components/schemas/SignInResult.Outcome"}},"requi\#
red":["outcome"],"type":"object"},"SignInResult.Outcome":{"examples":["signedIn","confirmationSent","decisionN\#
eeded"],"type":"string"},"SignInStart.Result":{"additionalProperties":false,"properties":{"expiresAt":{"format\#
":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"flow":{"t\#
ype":"string"},"url":{"type":"string"},"warning":{"type":"string"}},"required":["expiresAt","flow","url"],"typ\#
e":"object"},"SignOutScope":{"enum":["local","global","others"],"type":"string"},"TelemetryRecord":{"additiona\#
lProperties":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0\#
-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"type":"string"},"properties":{"additionalProperties":{"type":"st\#
ring"},"type":"object"}},"required":["at","event","properties"],"type":"object"},"TelemetrySnapshot.Result":{"\#
additionalProperties":false,"properties":{"events":{"items":{"$ref":"#/components/schemas/TelemetryRecord"},"t\#
ype":"array"},"families":{"items":{"$ref":"#/components/schemas/MetricFamily"},"type":"array"}},"required":["e\#
vents","families"],"type":"object"},"VaultAddKey.Result":{"additionalProperties":false,"properties":{"key":{"$\#
ref":"#/components/schemas/VaultKey"},"removed":{"items":{"$ref":"#/components/schemas/VaultKey"},"type":"arra\#
y"}},"required":["key","removed"],"type":"object"},"VaultAdopt.Result":{"additionalProperties":false,"properti\#
es":{"accounts":{"items":{"type":"string"},"type":"array"}},"required":["accounts"],"type":"object"},"VaultFin\#
ding":{"additionalProperties":false,"properties":{"detail":{"type":"string"},"file":{"type":"string"},"state":\#
{"type":"string"}},"required":["file","state"],"type":"object"},"VaultKey":{"additionalProperties":false,"prop\#
erties":{"id":{"pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/components/schemas/VaultKeyKind"}\#
,"memory":{"type":"integer"},"passes":{"type":"integer"}},"required":["id","kind"],"type":"object"},"VaultKeyK\#
ind":{"examples":["keyFile","passphrase","credential"],"type":"string"},"VaultLock.Result":{"additionalPropert\#
ies":false,"properties":{"opensByFile":{"type":"boolean"},"warning":{"type":"string"}},"required":["opensByFil\#
e"],"type":"object"},"VaultRekey.Result":{"additionalProperties":false,"properties":{"generation":{"minimum":0\#
,"type":"integer"}},"required":["generation"],"type":"object"},"VaultStatus.Result":{"additionalProperties":fa\#
lse,"properties":{"damaged":{"items":{"$ref":"#/components/schemas/VaultFinding"},"type":"array"},"generation"\#
:{"minimum":0,"type":"integer"},"idleLock":{"type":"integer"},"isAuthenticated":{"type":"boolean"},"isMemoryLo\#
cked":{"type":"boolean"},"isRekeying":{"type":"boolean"},"keys":{"items":{"$ref":"#/components/schemas/VaultKe\#
y"},"type":"array"},"lockedBy":{"type":"string"},"machine":{"type":"string"},"openedBy":{"$ref":"#/components/\#
schemas/VaultKeyKind"},"protection":{"items":{"type":"string"},"type":"array"},"state":{"enum":["open","copied\#
","locked","unavailable"],"type":"string"}},"required":["damaged","generation","isAuthenticated","isMemoryLock\#
ed","isRekeying","keys","machine","protection","state"],"type":"object"},"VaultSummary":{"additionalProperties\#
":false,"properties":{"damaged":{"items":{"type":"string"},"type":"array"},"error":{"$ref":"#/components/schem\#
as/ErrorKind"},"openedBy":{"type":"string"},"protection":{"type":"string"},"state":{"type":"string"}},"require\#
d":["damaged","state"],"type":"object"},"VaultUnlock.Result":{"additionalProperties":false,"properties":{"key"\#
:{"$ref":"#/components/schemas/VaultKey"}},"required":["key"],"type":"object"},"VaultVerify.Result":{"addition\#
alProperties":false,"properties":{"files":{"items":{"$ref":"#/components/schemas/VaultFinding"},"type":"array"\#
},"isWhole":{"type":"boolean"}},"required":["files","isWhole"],"type":"object"}}},"info":{"title":"Ritual Agen\#
t","version":"
"""#
  static let afterVersion: StaticString = #"""
"},"methods":[{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalErr\#
or"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/err\#
ors/tooMany"}],"name":"agent.diagnose","paramStructure":"by-name","params":[],"result":{"name":"result","requi\#
red":true,"schema":{"$ref":"#/components/schemas/AgentDiagnose.Result"}},"summary":"Runs the checks of `ritual\#
ctl doctor` that need the agent (max. 10 s)."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref"\#
:"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/too\#
Large"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unsupportedVersion"}],"name":"agen\#
t.hello","paramStructure":"by-name","params":[{"name":"client","required":true,"schema":{"type":"string"}},{"n\#
ame":"protocol","required":true,"schema":{"type":"integer"}}],"result":{"name":"result","required":true,"schem\#
a":{"$ref":"#/components/schemas/AgentHello.Result"}},"summary":"Identifies the client; returns the protocol v\#
ersion."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}\#
,{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/\#
tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#\#
/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approval\#
Needed"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/c\#
omponents/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"}],"name":"agent.reload","paramStructure"\#
:"by-name","params":[{"name":"check","required":false,"schema":{"type":"string"}},{"name":"file","required":fa\#
lse,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sche\#
mas/AgentReload.Result"}},"summary":"Reloads the configuration; keeps the old one if invalid."},{"errors":[{"$\#
ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
rrors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"agent\#
.status","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/\#
components/schemas/AgentStatusMethod.Result"}},"summary":"Returns everything that `ritualctl status` shows."},\#
{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"\#
#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},\#
{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/component\#
s/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{\#
"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/\#
errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref\#
":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/\#
vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":\#
"#/components/errors/formatTooNew"}],"name":"api.request","paramStructure":"by-name","params":[{"name":"method\#
","required":true,"schema":{"type":"string"}},{"name":"path","required":true,"schema":{"type":"string"}},{"nam\#
e":"account","required":false,"schema":{"type":"string"}},{"name":"body","required":false,"schema":{"descripti\#
on":"base64 (RFC 4648, section 4)","pattern":"^[A-Za-z0-9+/]*={0,2}$","type":"string"}},{"name":"headers","req\#
uired":false,"schema":{"items":{"items":{"type":"string"},"type":"array"},"type":"array"}}],"result":{"name":"\#
result","required":true,"schema":{"$ref":"#/components/schemas/APIRequestMethod.Result"}},"summary":"Sends an \#
authorized request; the token stays in the agent."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"\#
$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/error\#
s/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/denied"}],"name":"approval.an\#
swer","paramStructure":"by-name","params":[{"name":"allow","required":true,"schema":{"type":"boolean"}},{"name\#
":"id","required":true,"schema":{"type":"string"}},{"name":"for","required":false,"schema":{"type":"integer"}}\#
],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Approval"}},"summary":"Answ\#
ers an access request; not from the requester's unit."},{"errors":[{"$ref":"#/components/errors/invalidParams"\#
},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/e\#
rrors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"approval.list","paramStructure":"by-name","pa\#
rams":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/ApprovalList.Result"\#
}},"summary":"Lists pending access requests and active answers."},{"errors":[{"$ref":"#/components/errors/inva\#
lidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/co\#
mponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/denied"}],"name\#
":"approval.revoke","paramStructure":"by-name","params":[{"name":"id","required":true,"schema":{"type":"string\#
"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty"}},"summary":"Revo\#
kes an answer or withdraws an access request."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref\#
":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/to\#
oLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"approval.wait","paramStructure":"by-name","params":[{\#
"name":"id","required":true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"\#
$ref":"#/components/schemas/ApprovalWait.Result"}},"summary":"Waits until an access request is answered or exp\#
ires."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{\#
"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/to\#
oMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/compo\#
nents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrong\#
Key"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"audit.li\#
st","paramStructure":"by-name","params":[{"name":"limit","required":false,"schema":{"maximum":10000,"minimum":\#
1,"type":"integer"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AuditLi\#
st.Result"}},"summary":"Returns the last audit log entries, newest last."},{"errors":[{"$ref":"#/components/er\#
rors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$r\#
ef":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultL\#
ocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/comp\#
onents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageF\#
ull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"audit.verify","paramStructure":"by-name","params":[\#
],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AuditVerify.Result"}},"summ\#
ary":"Verifies the integrity of the audit log."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$re\#
f":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/t\#
ooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"events.subscribe","paramStructure":"by-name","params\#
":[{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/EventsSubscribe.Position"}},{"name"\#
:"tokens","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"\#
$ref":"#/components/schemas/EventsSubscribe.Position"}},"summary":"Sends the current state, then every change,\#
 as `event` notifications."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/err\#
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
s/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}],"name":"identity.decide","paramStructure":\#
"by-name","params":[{"name":"accept","required":true,"schema":{"type":"boolean"}},{"name":"flow","required":tr\#
ue,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schem\#
as/SignInResult"}},"summary":"Answers a `decisionNeeded`."},{"errors":[{"$ref":"#/components/errors/invalidPar\#
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
schemas/SignInStart.Result"}},"summary":"Starts linking another provider; continues like a sign-in."},{"errors\#
":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/compon\#
ents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":\#
"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors\#
/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"\#
#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/r\#
ateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/com\#
ponents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUna\#
vailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/compo\#
nents/errors/formatTooNew"}],"name":"identity.list","paramStructure":"by-name","params":[{"name":"account","re\#
quired":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/compo\#
nents/schemas/IdentityList.Result"}},"summary":"Lists the linked sign-in methods."},{"errors":[{"$ref":"#/comp\#
onents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notRea\#
dy"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/erro\#
rs/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{\#
"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/error\#
s/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$re\#
f":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vau\#
ltCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref"\#
:"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/forma\#
tTooNew"},{"$ref":"#/components/errors/lastIdentity"},{"$ref":"#/components/errors/linkingDisabled"}],"name":"\#
identity.unlink","paramStructure":"by-name","params":[{"name":"identityID","required":true,"schema":{"type":"s\#
tring"}},{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":\#
true,"schema":{"$ref":"#/components/schemas/IdentityList.Result"}},"summary":"Unlinks a sign-in method; the la\#
st one cannot be removed."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/erro\#
rs/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/\#
components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInN\#
eeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/componen\#
ts/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavaila\#
ble"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components\#
/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{\#
"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/e\#
rrors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"profile.get","paramStructure":"by-nam\#
e","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","requir\#
ed":true,"schema":{"$ref":"#/components/schemas/ProfileResult"}},"summary":"Returns the user's profile from th\#
e API."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/t\#
ooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/\#
components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalN\#
eeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/co\#
mponents/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked\#
"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/component\#
s/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"}\#
,{"$ref":"#/components/errors/formatTooNew"}],"name":"profile.update","paramStructure":"by-name","params":[{"n\#
ame":"set","required":true,"schema":{"additionalProperties":{},"type":"object"}},{"name":"account","required":\#
false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sc\#
hemas/ProfileResult"}},"summary":"Updates members of the profile."},{"errors":[{"$ref":"#/components/errors/in\#
validParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/\#
components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"rpc.discover","paramStructure":"b\#
y-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/OpenRPCDo\#
cument"}},"summary":"Returns this document."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":\#
"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooL\#
arge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/compone\#
nts/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{\#
"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/\#
errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable\#
"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/er\#
rors/formatTooNew"}],"name":"session.explain","paramStructure":"by-name","params":[{"name":"account","required\#
":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/\#
schemas/SessionExplain.Result"}},"summary":"Explains the next refresh; lists recent attempts."},{"errors":[{"$\#
ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
rrors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"sessi\#
on.list","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/\#
components/schemas/SessionList.Result"}},"summary":"Lists all accounts."},{"errors":[{"$ref":"#/components/err\#
ors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$re\#
f":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknown\#
Account"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/\#
components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"\#
},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/comp\#
onents/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"}\#
,{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/compon\#
ents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}]\#
,"name":"session.refresh","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"t\#
ype":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatu\#
s"}},"summary":"Refreshes now (at most once every 5 seconds)."},{"errors":[{"$ref":"#/components/errors/invali\#
dParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/comp\#
onents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},\#
{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components\#
/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":\#
"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/err\#
ors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"\#
#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/error\#
s/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#\#
/components/errors/flowBusy"}],"name":"session.remove","paramStructure":"by-name","params":[{"name":"account",\#
"required":true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/com\#
ponents/schemas/SessionRemove.Result"}},"summary":"Signs an account out and deletes everything stored about it\#
."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$re\#
f":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMan\#
y"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/compo\#
nents/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded\#
"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components\#
/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"}\#
,{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/\#
errors/flowBusy"}],"name":"session.rename","paramStructure":"by-name","params":[{"name":"account","required":t\#
rue,"schema":{"type":"string"}},{"name":"name","required":true,"schema":{"type":"string"}}],"result":{"name":"\#
result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Renames an account.\#
"},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref\#
":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany\#
"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/compon\#
ents/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"\#
},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/componen\#
ts/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$\#
ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/erro\#
rs/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$re\#
f":"#/components/errors/formatTooNew"}],"name":"session.signOut","paramStructure":"by-name","params":[{"name":\#
"account","required":false,"schema":{"type":"string"}},{"name":"all","required":false,"schema":{"type":"boolea\#
n"}},{"name":"scope","required":false,"schema":{"$ref":"#/components/schemas/SignOutScope"}}],"result":{"name"\#
:"result","required":true,"schema":{"$ref":"#/components/schemas/SessionSignOut.Result"}},"summary":"Ends a se\#
ssion here immediately, and on the server once it is reachable."},{"errors":[{"$ref":"#/components/errors/inva\#
lidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/co\#
mponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"\#
},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/componen\#
ts/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"session.status","paramStructure":"by\#
-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","re\#
quired":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Returns one account."},{"error\#
s":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/compo\#
nents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref"\#
:"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/error\#
s/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":\#
"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/\#
rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/co\#
mponents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUn\#
available"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/comp\#
onents/errors/formatTooNew"}],"name":"session.token","paramStructure":"by-name","params":[{"name":"account","r\#
equired":false,"schema":{"type":"string"}},{"name":"endpoints","required":false,"schema":{"type":"boolean"}},{\#
"name":"minTTL","required":false,"schema":{"description":"The least remaining life, in seconds.","minimum":0,"\#
type":"number"}},{"name":"reason","required":false,"schema":{"type":"string"}},{"name":"rejected","required":f\#
alse,"schema":{"description":"The SHA-256 of a token that a server refused.","pattern":"^[0-9a-f]{64}$","type"\#
:"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SessionToken.Res\#
ult"}},"summary":"Returns a valid access token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$r\#
ef":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/\#
tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/com\#
ponents/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied\#
"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/compone\#
nts/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavail\#
able"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/component\#
s/errors/formatTooNew"}],"name":"session.use","paramStructure":"by-name","params":[{"name":"account","required\#
":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/\#
schemas/AccountStatus"}},"summary":"Sets the default account."},{"errors":[{"$ref":"#/components/errors/invali\#
dParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/comp\#
onents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},\#
{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components\#
/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$r\#
ef":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/error\#
s/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref\#
":"#/components/errors/formatTooNew"}],"name":"session.useAPI","paramStructure":"by-name","params":[{"name":"a\#
ccount","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$re\#
f":"#/components/schemas/AccountStatus"}},"summary":"Accepts the configured API for the account's token."},{"e\#
rrors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/c\#
omponents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$\#
ref":"#/components/errors/flowUnknown"}],"name":"signIn.cancel","paramStructure":"by-name","params":[{"name":"\#
flow","required":true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":\#
"#/components/schemas/Empty"}},"summary":"Cancels a running sign-in."},{"errors":[{"$ref":"#/components/errors\#
/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":\#
"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},\#
{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/compon\#
ents/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{\#
"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/componen\#
ts/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"\#
$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/co\#
mponents/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDi\#
sabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/component\#
s/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInv\#
alid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/er\#
rors/approvalNeeded"},{"$ref":"#/components/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}],\#
"name":"signIn.complete","paramStructure":"by-name","params":[{"name":"callback","required":true,"schema":{"ty\#
pe":"string"}},{"name":"canAsk","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","requ\#
ired":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Finishes a sign-in with its redir\#
ect URL."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"\#
},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors\#
/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#\#
/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLoc\#
ked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/compon\#
ents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFul\#
l"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/c\#
omponents/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/we\#
akPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#\#
/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identi\#
tyTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/c\#
omponents/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"signIn.idToken","paramStructu\#
re":"by-name","params":[{"name":"idToken","required":true,"schema":{"type":"string"}},{"name":"provider","requ\#
ired":true,"schema":{"type":"string"}},{"name":"acceptLink","required":false,"schema":{"type":"boolean"}},{"na\#
me":"account","required":false,"schema":{"type":"string"}},{"name":"email","required":false,"schema":{"type":"\#
string"}},{"name":"name","required":false,"schema":{"type":"string"}},{"name":"nonce","required":false,"schema\#
":{"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"replace","require\#
d":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/component\#
s/schemas/AccountStatus"}},"summary":"Exchanges an Apple or Google identity token."},{"errors":[{"$ref":"#/com\#
ponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notRe\#
ady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/err\#
ors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$\#
ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/v\#
aultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$re\#
f":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/for\#
matTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"}\#
,{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/e\#
rrors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref\#
":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/erro\#
rs/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#\#
/components/errors/approvalNeeded"},{"$ref":"#/components/errors/signInNeeded"}],"name":"signIn.importSession"\#
,"paramStructure":"by-name","params":[{"name":"refreshToken","required":true,"schema":{"type":"string"}},{"nam\#
e":"account","required":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"type":\#
"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","require\#
d":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Imports a session from its refresh \#
token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/t\#
ooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/c\#
omponents/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/misconfigu\#
red"}],"name":"signIn.methods","paramStructure":"by-name","params":[{"name":"project","required":false,"schema\#
":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInM\#
ethods.Result"}},"summary":"Lists the project's enabled sign-in methods."},{"errors":[{"$ref":"#/components/er\#
rors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$r\#
ef":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"signIn.nonce","paramStruct\#
ure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Si\#
gnInNonce.Result"}},"summary":"Returns a single-use nonce for Apple's native sign-in."},{"errors":[{"$ref":"#/\#
components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/no\#
tReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/\#
errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},\#
{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/error\#
s/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"\#
$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/\#
formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirme\#
d"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/component\#
s/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$\#
ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/e\#
rrors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref"\#
:"#/components/errors/approvalNeeded"}],"name":"signIn.password","paramStructure":"by-name","params":[{"name":\#
"email","required":true,"schema":{"type":"string"}},{"name":"password","required":true,"schema":{"type":"strin\#
g"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema\#
":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result\#
","required":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Signs in with email and pa\#
ssword."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}\#
,{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/\#
tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/\#
components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLock\#
ed"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/compone\#
nts/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull\#
"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/co\#
mponents/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/wea\#
kPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/\#
components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identit\#
yTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/co\#
mponents/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"signIn.signUp","paramStructure\#
":"by-name","params":[{"name":"email","required":true,"schema":{"type":"string"}},{"name":"password","required\#
":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"pro\#
ject","required":false,"schema":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolea\#
n"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summar\#
y":"Creates a user with email and password."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":\#
"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooL\#
arge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/err\#
ors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"\#
$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/erro\#
rs/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$r\#
ef":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/error\#
s/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExist\#
s"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/compo\#
nents/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},\#
{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/compone\#
nts/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"n\#
ame":"signIn.start","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"\#
string"}},{"name":"detach","required":false,"schema":{"type":"boolean"}},{"name":"port","required":false,"sche\#
ma":{"maximum":65535,"minimum":0,"type":"integer"}},{"name":"project","required":false,"schema":{"type":"strin\#
g"}},{"name":"provider","required":false,"schema":{"type":"string"}},{"name":"redirect","required":false,"sche\#
ma":{"enum":["loopback","scheme","manual"],"type":"string"}},{"name":"replace","required":false,"schema":{"typ\#
e":"boolean"}},{"name":"takeOver","required":false,"schema":{"type":"boolean"}},{"name":"timeout","required":f\#
alse,"schema":{"type":"number"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sch\#
emas/SignInStart.Result"}},"summary":"Starts a sign-in in a browser. It is cancelled if the caller disconnects\#
, unless `detach`."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inte\#
rnalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/compone\#
nts/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},\#
{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/error\#
s/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref"\#
:"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/\#
storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"\#
$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components\#
/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},\#
{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/err\#
ors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"\#
$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors\#
/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}],"name":"signIn.wait","paramStructure":"by-name","p\#
arams":[{"name":"flow","required":true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,\#
"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Waits until a sign-in ends."},{"errors":[{"$\#
ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
rrors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"telem\#
etry.snapshot","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$re\#
f":"#/components/schemas/TelemetrySnapshot.Result"}},"summary":"Returns metrics since the agent started. No pe\#
rsonal data."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalEr\#
ror"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/er\#
rors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"\#
#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/error\#
s/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#\#
/components/errors/denied"}],"name":"vault.addKey","paramStructure":"by-name","params":[{"name":"kind","requir\#
ed":true,"schema":{"$ref":"#/components/schemas/VaultKeyKind"}},{"name":"present","required":true,"schema":{"$\#
ref":"#/components/schemas/PresentKeys"}},{"name":"keepKeyFile","required":false,"schema":{"type":"boolean"}},\#
{"name":"passphrase","required":false,"schema":{"$ref":"#/components/schemas/SecretText"}},{"name":"path","req\#
uired":false,"schema":{"type":"string"}},{"name":"replaces","required":false,"schema":{"type":"string"}}],"res\#
ult":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultAddKey.Result"}},"summary":"\#
Adds a key to the vault."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/error\#
s/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/c\#
omponents/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied\#
"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/comp\#
onents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"\#
},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/componen\#
ts/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"}],"name":"vault.adopt","paramStructure":"by-nam\#
e","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultAdopt.Res\#
ult"}},"summary":"Makes a vault from another machine belong to this one."},{"errors":[{"$ref":"#/components/er\#
rors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$r\#
ef":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultL\#
ocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/comp\#
onents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageF\#
ull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.lock","paramStructure":"by-name","params":[],\#
"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultLock.Result"}},"summary"\#
:"Locks the vault until `vault.unlock`, across restarts."},{"errors":[{"$ref":"#/components/errors/invalidPara\#
ms"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/component\#
s/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":\#
"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/va\#
ultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#\#
/components/errors/formatTooNew"},{"$ref":"#/components/errors/denied"}],"name":"vault.rekey","paramStructure"\#
:"by-name","params":[{"name":"present","required":true,"schema":{"$ref":"#/components/schemas/PresentKeys"}}],\#
"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultRekey.Result"}},"summary\#
":"Creates a new master key; requires every key."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$\#
ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors\#
/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/compo\#
nents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnava\#
ilable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/compone\#
nts/errors/formatTooNew"},{"$ref":"#/components/errors/denied"}],"name":"vault.removeKey","paramStructure":"by\#
-name","params":[{"name":"id","required":true,"schema":{"type":"string"}},{"name":"present","required":true,"s\#
chema":{"$ref":"#/components/schemas/PresentKeys"}}],"result":{"name":"result","required":true,"schema":{"$ref\#
":"#/components/schemas/Empty"}},"summary":"Removes a key; older copies of the vault still open with it."},{"e\#
rrors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/c\#
omponents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$\#
ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/error\#
s/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$re\#
f":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.status","para\#
mStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sch\#
emas/VaultStatus.Result"}},"summary":"Returns the vault's status, even while locked."},{"errors":[{"$ref":"#/c\#
omponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/not\#
Ready"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/e\#
rrors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$\#
ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/err\#
ors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.unlock","paramStructure":"by-name\#
","params":[{"name":"keyFile","required":false,"schema":{"type":"string"}},{"name":"passphrase","required":fal\#
se,"schema":{"$ref":"#/components/schemas/SecretText"}}],"result":{"name":"result","required":true,"schema":{"\#
$ref":"#/components/schemas/VaultUnlock.Result"}},"summary":"Unlocks the vault."},{"errors":[{"$ref":"#/compon\#
ents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady\#
"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors\#
/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":\#
"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/s\#
torageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.verify","paramStructure":"by-name","pa\#
rams":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultVerify.Result"}\#
},"summary":"Verifies the vault's files with its keys."}],"openrpc":"1.3.2","x-notifications":[{"name":"event"\#
,"required":true,"schema":{"$ref":"#/components/schemas/AgentEvent"}}]}
"""#
}
