// swift-format-ignore-file
/// The OpenRPC document of `rpc.discover`, but for the agent's version. Generated from the types of the method table by the
/// tests: run DiscoveryTests with RITUAL_WRITE_GOLDEN=1 after a change of the protocol.
enum DiscoveryDocument {
  static let beforeVersion: StaticString = #"""
{"components":{"errors":{"approvalNeeded":{"code":-32028,"data":{"kind":"approvalNeeded","retryable":false},"m\#
essage":"This needs your approval."},"callbackInvalid":{"code":-32011,"data":{"kind":"callbackInvalid","retrya\#
ble":false},"message":"Sign in failed. Please try again."},"cancelled":{"code":-32015,"data":{"kind":"cancelle\#
d","retryable":false},"message":"Cancelled."},"captchaRequired":{"code":-32036,"data":{"kind":"captchaRequired\#
","retryable":false},"message":"The project requires a CAPTCHA, which only its own pages can show."},"codeInva\#
lid":{"code":-32035,"data":{"kind":"codeInvalid","retryable":false},"message":"This code is wrong, was already\#
 used, or has expired."},"denied":{"code":-32006,"data":{"kind":"denied","retryable":false},"message":"Access \#
denied."},"emailNotConfirmed":{"code":-32019,"data":{"kind":"emailNotConfirmed","retryable":false},"message":"\#
Please confirm your email address first, then sign in."},"flowBusy":{"code":-32013,"data":{"kind":"flowBusy","\#
retryable":false},"message":"A sign-in for this account is already running."},"flowTimedOut":{"code":-32014,"d\#
ata":{"kind":"flowTimedOut","retryable":true},"message":"The sign-in took too long. Please try again."},"flowU\#
nknown":{"code":-32012,"data":{"kind":"flowUnknown","retryable":false},"message":"This sign-in has ended or do\#
es not exist."},"formatTooNew":{"code":-32018,"data":{"kind":"formatTooNew","retryable":false},"message":"Unab\#
le to access secure storage."},"identityTaken":{"code":-32025,"data":{"kind":"identityTaken","retryable":false\#
},"message":"This email is already associated with another account."},"internalError":{"code":-32603,"data":{"\#
kind":"internalError","retryable":false},"message":"Something went wrong inside the agent."},"invalidCredentia\#
ls":{"code":-32010,"data":{"kind":"invalidCredentials","retryable":false},"message":"Sign in failed. Please ch\#
eck your e-mail and password."},"invalidParams":{"code":-32602,"data":{"kind":"invalidParams","retryable":fals\#
e},"message":"The parameters are not valid for this method."},"invalidRequest":{"code":-32600,"data":{"kind":"\#
invalidRequest","retryable":false},"message":"The request is not a JSON-RPC 2.0 request."},"lastIdentity":{"co\#
de":-32024,"data":{"kind":"lastIdentity","retryable":false},"message":"The last sign-in method cannot be remov\#
ed."},"linkingConflict":{"code":-32026,"data":{"kind":"linkingConflict","retryable":false},"message":"This ema\#
il is already associated with another account."},"linkingDisabled":{"code":-32023,"data":{"kind":"linkingDisab\#
led","retryable":false},"message":"The project does not allow manual linking."},"methodDisabled":{"code":-3202\#
2,"data":{"kind":"methodDisabled","retryable":false},"message":"This sign-in method is disabled for the projec\#
t."},"methodNotFound":{"code":-32601,"data":{"kind":"methodNotFound","retryable":false},"message":"The agent h\#
as no such method."},"mfaNeeded":{"code":-32037,"data":{"kind":"mfaNeeded","retryable":false},"message":"This \#
needs the second factor."},"misconfigured":{"code":-32034,"data":{"kind":"misconfigured","retryable":false},"m\#
essage":"The configuration does not match this account."},"notReady":{"code":-32000,"data":{"kind":"notReady",\#
"retryable":true},"message":"The agent is still starting. Please try again."},"offline":{"code":-32007,"data":\#
{"kind":"offline","retryable":true},"message":"Connection failed. Please check your internet and try again."},\#
"parseError":{"code":-32700,"data":{"kind":"parseError","retryable":false},"message":"The request is not JSON.\#
"},"rateLimited":{"code":-32009,"data":{"kind":"rateLimited","retryable":true},"message":"Too many requests. P\#
lease try again later."},"serviceUnavailable":{"code":-32008,"data":{"kind":"serviceUnavailable","retryable":t\#
rue},"message":"Service temporarily unavailable. Please try again later."},"signInNeeded":{"code":-32001,"data\#
":{"kind":"signInNeeded","retryable":false},"message":"Session expired. Please sign in again."},"storageFull":\#
{"code":-32017,"data":{"kind":"storageFull","retryable":true},"message":"Unable to access secure storage."},"t\#
imedOut":{"code":-32032,"data":{"kind":"timedOut","retryable":true},"message":"The request timed out. Please t\#
ry again."},"tooLarge":{"code":-32030,"data":{"kind":"tooLarge","retryable":false},"message":"The message is t\#
oo large."},"tooMany":{"code":-32031,"data":{"kind":"tooMany","retryable":true},"message":"Too many requests a\#
t once. Please try again."},"unknownAccount":{"code":-32002,"data":{"kind":"unknownAccount","retryable":false}\#
,"message":"There is no such account."},"unsupportedVersion":{"code":-32033,"data":{"kind":"unsupportedVersion\#
","retryable":false},"message":"The client and the agent use different protocol versions."},"userExists":{"cod\#
e":-32020,"data":{"kind":"userExists","retryable":false},"message":"An account with this email address already\#
 exists."},"vaultCopied":{"code":-32029,"data":{"kind":"vaultCopied","retryable":false},"message":"This vault \#
was copied from another machine."},"vaultDamaged":{"code":-32004,"data":{"kind":"vaultDamaged","retryable":fal\#
se},"message":"Unable to access secure storage."},"vaultLocked":{"code":-32003,"data":{"kind":"vaultLocked","r\#
etryable":false},"message":"The vault is locked."},"vaultUnavailable":{"code":-32005,"data":{"kind":"vaultUnav\#
ailable","retryable":false},"message":"Unable to access secure storage."},"weakPassword":{"code":-32021,"data"\#
:{"kind":"weakPassword","retryable":false},"message":"This password is too weak. Please choose another."},"wro\#
ngKey":{"code":-32016,"data":{"kind":"wrongKey","retryable":false},"message":"Unable to access secure storage.\#
"},"wrongUser":{"code":-32027,"data":{"kind":"wrongUser","retryable":false},"message":"You signed in as a diff\#
erent user. The account was not changed."}},"schemas":{"AccountActivity":{"examples":["none","authenticating",\#
"refreshing"],"type":"string"},"AccountAssurance":{"additionalProperties":false,"properties":{"current":{"type\#
":"string"},"possible":{"type":"string"}},"required":["current","possible"],"type":"object"},"AccountFactor":{\#
"additionalProperties":false,"properties":{"id":{"type":"string"},"name":{"type":"string"},"status":{"type":"s\#
tring"},"type":{"type":"string"}},"required":["id","status","type"],"type":"object"},"AccountIdentity":{"addit\#
ionalProperties":false,"properties":{"email":{"type":"string"},"identityID":{"type":"string"},"provider":{"typ\#
e":"string"}},"required":["identityID","provider"],"type":"object"},"AccountState":{"examples":["unauthenticat\#
ed","authenticated","degraded","signInNeeded","locked","copied","misconfigured","formatTooNew"],"type":"string\#
"},"AccountStatus":{"additionalProperties":false,"properties":{"activity":{"$ref":"#/components/schemas/Accoun\#
tActivity"},"assurance":{"$ref":"#/components/schemas/AccountAssurance"},"ended":{"$ref":"#/components/schemas\#
/EndedSession"},"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-\#
9]{2}Z$","type":"string"},"identities":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type":"array"\#
},"isDefault":{"type":"boolean"},"mfa":{"$ref":"#/components/schemas/SecondFactorNeed"},"name":{"type":"string\#
"},"onboarding":{"type":"string"},"origin":{"type":"string"},"project":{"type":"string"},"projectURL":{"type":\#
"string"},"refresh":{"$ref":"#/components/schemas/RefreshStatus"},"session":{"$ref":"#/components/schemas/Sess\#
ionLife"},"state":{"$ref":"#/components/schemas/AccountState"},"tokenUsable":{"type":"boolean"},"user":{"$ref"\#
:"#/components/schemas/AccountUser"}},"required":["activity","identities","isDefault","name","project","state"\#
,"tokenUsable"],"type":"object"},"AccountUser":{"additionalProperties":false,"properties":{"email":{"type":"st\#
ring"},"id":{"type":"string"},"isAnonymous":{"type":"boolean"},"name":{"type":"string"},"phone":{"type":"strin\#
g"},"provider":{"type":"string"}},"required":["id"],"type":"object"},"AgentDiagnose.Result":{"additionalProper\#
ties":false,"properties":{"checks":{"items":{"$ref":"#/components/schemas/DiagnosticCheck"},"type":"array"},"r\#
edirect":{"type":"string"},"schemes":{"items":{"type":"string"},"type":"array"}},"required":["checks","redirec\#
t","schemes"],"type":"object"},"AgentError":{"additionalProperties":false,"properties":{"code":{"type":"intege\#
r"},"data":{"$ref":"#/components/schemas/AgentError.Details"},"message":{"type":"string"}},"required":["code",\#
"message"],"type":"object"},"AgentError.Details":{"additionalProperties":false,"properties":{"account":{"type"\#
:"string"},"approval":{"type":"string"},"detail":{"type":"string"},"hint":{"type":"string"},"kind":{"$ref":"#/\#
components/schemas/ErrorKind"},"retryAfter":{"type":"number"},"retryable":{"type":"boolean"}},"required":["kin\#
d","retryable"],"type":"object"},"AgentEvent":{"additionalProperties":false,"properties":{"account":{"type":"s\#
tring"},"approval":{"$ref":"#/components/schemas/Approval"},"at":{"format":"date-time","pattern":"^[0-9]{4}-[0\#
-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"program":{"type":"string"},"reason":{"type":"s\#
tring"},"sequence":{"minimum":0,"type":"integer"},"status":{"$ref":"#/components/schemas/AccountStatus"},"toke\#
n":{"$ref":"#/components/schemas/SessionToken.Result"},"type":{"$ref":"#/components/schemas/EventType"}},"requ\#
ired":["at","sequence","type"],"type":"object"},"AgentHello.Result":{"additionalProperties":false,"properties"\#
:{"agent":{"type":"string"},"capabilities":{"items":{"type":"string"},"type":"array"},"protocol":{"type":"inte\#
ger"},"version":{"type":"string"}},"required":["agent","capabilities","protocol","version"],"type":"object"},"\#
AgentReload.Result":{"additionalProperties":false,"properties":{"projects":{"items":{"type":"string"},"type":"\#
array"},"reloaded":{"type":"boolean"},"warning":{"type":"string"}},"required":["projects"],"type":"object"},"A\#
gentStatusMethod.Result":{"additionalProperties":false,"properties":{"accounts":{"items":{"$ref":"#/components\#
/schemas/AccountStatus"},"type":"array"},"autostart":{"type":"boolean"},"health":{"items":{"type":"string"},"t\#
ype":"array"},"pid":{"type":"integer"},"stateFolder":{"type":"string"},"unrevoked":{"items":{"type":"string"},\#
"type":"array"},"uptime":{"type":"integer"},"vault":{"$ref":"#/components/schemas/VaultSummary"},"version":{"t\#
ype":"string"}},"required":["accounts","health","pid","uptime","vault","version"],"type":"object"},"Approval":\#
{"additionalProperties":false,"properties":{"account":{"type":"string"},"askedAt":{"format":"date-time","patte\#
rn":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"type":"string"}\#
,"id":{"type":"string"},"method":{"type":"string"},"pid":{"type":"integer"},"state":{"$ref":"#/components/sche\#
mas/ApprovalState"},"unit":{"type":"string"},"until":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]\#
{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["account","askedAt","id","method","pid","state\#
"],"type":"object"},"ApprovalList.Result":{"additionalProperties":false,"properties":{"approvals":{"items":{"$\#
ref":"#/components/schemas/Approval"},"type":"array"}},"required":["approvals"],"type":"object"},"ApprovalStat\#
e":{"examples":["pending","allowed","denied","expired"],"type":"string"},"ApprovalWait.Result":{"additionalPro\#
perties":false,"properties":{"state":{"$ref":"#/components/schemas/ApprovalState"}},"required":["state"],"type\#
":"object"},"AuditEntry":{"additionalProperties":false,"properties":{"accepted":{"type":"boolean"},"account":{\#
"type":"string"},"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\#
$","type":"string"},"count":{"minimum":0,"type":"integer"},"detail":{"type":"string"},"event":{"$ref":"#/compo\#
nents/schemas/AuditEvent"},"executable":{"type":"string"},"first":{"format":"date-time","pattern":"^[0-9]{4}-[\#
0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"minimum":0,"type":"integer"},"last\#
":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},\#
"pid":{"type":"integer"},"previous":{"type":"string"},"project":{"type":"string"},"provider":{"type":"string"}\#
,"sequence":{"minimum":0,"type":"integer"},"statuses":{"additionalProperties":{"minimum":0,"type":"integer"},"\#
type":"object"},"token":{"type":"string"},"unit":{"type":"string"},"way":{"type":"string"}},"required":["at","\#
event","sequence"],"type":"object"},"AuditEvent":{"examples":["agentStarted","agentStopped","signedIn","signed\#
Out","sessionEnded","linked","unlinked","decided","denied","approvalAsked","approvalAnswered","approvalRevoked\#
","handOut","egressUsed","grantMade","grantEnded","apiAccepted","factorEnrolled","factorVerified","factorRemov\#
ed","accountRenamed","accountRemoved","vaultLocked","vaultUnlocked","keyAdded","keyRemoved","rekeyed","vaultAd\#
opted","fileBegun","interrupted","entriesLost"],"type":"string"},"AuditList.Result":{"additionalProperties":fa\#
lse,"properties":{"entries":{"items":{"$ref":"#/components/schemas/AuditEntry"},"type":"array"},"isChecked":{"\#
type":"boolean"},"leftOut":{"type":"integer"},"more":{"type":"boolean"},"unknownCount":{"type":"integer"},"unk\#
nownFiles":{"items":{"type":"string"},"type":"array"}},"required":["entries","isChecked","leftOut","more","unk\#
nownCount","unknownFiles"],"type":"object"},"AuditVerify.Finding":{"additionalProperties":false,"properties":{\#
"file":{"type":"string"},"first":{"minimum":0,"type":"integer"},"kind":{"type":"string"},"last":{"minimum":0,"\#
type":"integer"}},"required":["file","kind"],"type":"object"},"AuditVerify.Result":{"additionalProperties":fal\#
se,"properties":{"findings":{"items":{"$ref":"#/components/schemas/AuditVerify.Finding"},"type":"array"},"firs\#
t":{"minimum":0,"type":"integer"},"fitting":{"type":"integer"},"interruptions":{"items":{"minimum":0,"type":"i\#
nteger"},"type":"array"},"isWhole":{"type":"boolean"},"limits":{"items":{"type":"string"},"type":"array"},"sea\#
led":{"minimum":0,"type":"integer"},"unsealed":{"type":"integer"}},"required":["findings","first","fitting","i\#
nterruptions","isWhole","limits","sealed","unsealed"],"type":"object"},"CheckOutcome":{"examples":["ok","warn"\#
,"fail"],"type":"string"},"CodePurpose":{"examples":["signIn","link"],"type":"string"},"DiagnosticCheck":{"add\#
itionalProperties":false,"properties":{"name":{"type":"string"},"next":{"type":"string"},"outcome":{"$ref":"#/\#
components/schemas/CheckOutcome"},"project":{"type":"string"},"words":{"type":"string"}},"required":["name","o\#
utcome","words"],"type":"object"},"EgressGrant.Result":{"additionalProperties":false,"properties":{"expiresAt"\#
:{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"\#
id":{"type":"string"},"token":{"pattern":"^sb_ritual_[A-Za-z0-9_-]{43}$","type":"string"},"url":{"type":"strin\#
g"}},"required":["expiresAt","id","token","url"],"type":"object"},"EgressList.Grant":{"additionalProperties":f\#
alse,"properties":{"account":{"type":"string"},"createdAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}\#
-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"type":"string"},"expiresAt":{"format":\#
"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"id":{"type"\#
:"string"},"methods":{"items":{"type":"string"},"type":"array"},"paths":{"items":{"type":"string"},"type":"arr\#
ay"},"pid":{"type":"integer"},"process":{"type":"boolean"},"requests":{"minimum":0,"type":"integer"},"unit":{"\#
type":"string"}},"required":["account","createdAt","expiresAt","id","pid","process","requests"],"type":"object\#
"},"EgressList.Result":{"additionalProperties":false,"properties":{"grants":{"items":{"$ref":"#/components/sch\#
emas/EgressList.Grant"},"type":"array"}},"required":["grants"],"type":"object"},"Empty":{"additionalProperties\#
":false,"properties":{},"type":"object"},"EndedSession":{"additionalProperties":false,"properties":{"at":{"for\#
mat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reason\#
":{"type":"string"}},"required":["at","reason"],"type":"object"},"ErrorKind":{"examples":["approvalNeeded","ca\#
llbackInvalid","cancelled","captchaRequired","codeInvalid","denied","emailNotConfirmed","flowBusy","flowTimedO\#
ut","flowUnknown","formatTooNew","identityTaken","internalError","invalidCredentials","invalidParams","invalid\#
Request","lastIdentity","linkingConflict","linkingDisabled","methodDisabled","methodNotFound","mfaNeeded","mis\#
configured","notReady","offline","parseError","rateLimited","serviceUnavailable","signInNeeded","storageFull",\#
"timedOut","tooLarge","tooMany","unknownAccount","unsupportedVersion","userExists","vaultCopied","vaultDamaged\#
","vaultLocked","vaultUnavailable","weakPassword","wrongKey","wrongUser"],"type":"string"},"EventType":{"examp\#
les":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CHAN\#
GED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDED"\#
,"APPROVAL_ANSWERED","RESYNC"],"type":"string"},"EventsSubscribe.Position":{"additionalProperties":false,"prop\#
erties":{"epoch":{"type":"string"},"sequence":{"minimum":0,"type":"integer"}},"required":["epoch","sequence"],\#
"type":"object"},"IdentityList.Result":{"additionalProperties":false,"properties":{"account":{"type":"string"}\#
,"identities":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type":"array"},"isCurrent":{"type":"bo\#
olean"}},"required":["account","identities","isCurrent"],"type":"object"},"MFAChallenge.Result":{"additionalPr\#
operties":false,"properties":{"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2\#
}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factor":{"type":"string"}},"required":["expiresAt","factor"],"type":"\#
object"},"MFAEnroll.Result":{"additionalProperties":false,"properties":{"factor":{"type":"string"},"secret":{"\#
type":"string"},"uri":{"type":"string"}},"required":["factor"],"type":"object"},"MFAList.Result":{"additionalP\#
roperties":false,"properties":{"account":{"type":"string"},"assurance":{"$ref":"#/components/schemas/AccountAs\#
surance"},"endsAccounts":{"items":{"type":"string"},"type":"array"},"factors":{"items":{"$ref":"#/components/s\#
chemas/AccountFactor"},"type":"array"},"isCurrent":{"type":"boolean"}},"required":["account","assurance","ends\#
Accounts","factors","isCurrent"],"type":"object"},"MetricFamily":{"additionalProperties":false,"properties":{"\#
help":{"type":"string"},"name":{"type":"string"},"samples":{"items":{"$ref":"#/components/schemas/MetricFamily\#
.Sample"},"type":"array"},"type":{"type":"string"},"unit":{"type":"string"}},"required":["help","name","sample\#
s","type"],"type":"object"},"MetricFamily.Sample":{"additionalProperties":false,"properties":{"labels":{"addit\#
ionalProperties":{"type":"string"},"type":"object"},"suffix":{"type":"string"},"value":{"type":"number"}},"req\#
uired":["labels","suffix","value"],"type":"object"},"OpenRPCDocument":{"additionalProperties":false,"propertie\#
s":{"components":{"$ref":"#/components/schemas/OpenRPCDocument.Components"},"info":{"$ref":"#/components/schem\#
as/OpenRPCDocument.Info"},"methods":{"items":{},"type":"array"},"openrpc":{"type":"string"},"x-notifications":\#
{"items":{},"type":"array"}},"required":["components","info","methods","openrpc","x-notifications"],"type":"ob\#
ject"},"OpenRPCDocument.Components":{"additionalProperties":false,"properties":{"errors":{"additionalPropertie\#
s":{},"type":"object"},"schemas":{"additionalProperties":{},"type":"object"}},"required":["errors","schemas"],\#
"type":"object"},"OpenRPCDocument.Info":{"additionalProperties":false,"properties":{"title":{"type":"string"},\#
"version":{"type":"string"}},"required":["title","version"],"type":"object"},"PresentKeys":{"additionalPropert\#
ies":false,"properties":{"credential":{"type":"boolean"},"keyFile":{"type":"boolean"},"keyFiles":{"items":{"ty\#
pe":"string"},"type":"array"},"passphrases":{"items":{"$ref":"#/components/schemas/SecretText"},"type":"array"\#
}},"type":"object"},"ProfileResult":{"additionalProperties":false,"properties":{"account":{"type":"string"},"o\#
nboarding":{"type":"string"},"prefill":{"additionalProperties":{},"type":"object"},"profile":{"additionalPrope\#
rties":{},"type":"object"}},"required":["account","onboarding"],"type":"object"},"RefreshStatus":{"additionalP\#
roperties":false,"properties":{"attempts":{"type":"integer"},"clockSkew":{"type":"integer"},"lastError":{"$ref\#
":"#/components/schemas/AgentError"},"nextAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-\#
9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":"object"},"RefreshTry":{"additiona\#
lProperties":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0\#
-9]{2}:[0-9]{2}Z$","type":"string"},"error":{"$ref":"#/components/schemas/ErrorKind"},"latency":{"type":"numbe\#
r"},"outcome":{"type":"string"},"reason":{"type":"string"},"status":{"type":"integer"}},"required":["at","late\#
ncy","outcome","reason"],"type":"object"},"SecondFactorNeed":{"additionalProperties":false,"properties":{"ends\#
Accounts":{"items":{"type":"string"},"type":"array"},"endsAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]\#
{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factors":{"items":{"$ref":"#/components/schemas/A\#
ccountFactor"},"type":"array"},"flow":{"type":"string"},"needed":{"type":"boolean"},"verifiedElsewhereAt":{"fo\#
rmat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"requ\#
ired":["factors","needed"],"type":"object"},"SecretText":{"type":"string"},"SessionEndReason":{"examples":["si\#
gnedOut","endedElsewhere","timebox","inactivity","lowAssurance","newerSignIn","userGone","unknown"],"type":"st\#
ring"},"SessionExplain.Result":{"additionalProperties":false,"properties":{"account":{"$ref":"#/components/sch\#
emas/AccountStatus"},"explanation":{"items":{"type":"string"},"type":"array"},"tries":{"items":{"$ref":"#/comp\#
onents/schemas/RefreshTry"},"type":"array"}},"required":["account","explanation","tries"],"type":"object"},"Se\#
ssionLife":{"additionalProperties":false,"properties":{"endReason":{"$ref":"#/components/schemas/SessionEndRea\#
son"},"endsAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","typ\#
e":"string"},"isEstimate":{"type":"boolean"},"startedAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[\#
0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"type":"object"},"SessionList.Result":{"additionalProp\#
erties":false,"properties":{"accounts":{"items":{"$ref":"#/components/schemas/AccountStatus"},"type":"array"}}\#
,"required":["accounts"],"type":"object"},"SessionRemove.Result":{"additionalProperties":false,"properties":{"\#
account":{"type":"string"},"isPending":{"type":"boolean"}},"required":["account","isPending"],"type":"object"}\#
,"SessionSignOut.Failure":{"additionalProperties":false,"properties":{"account":{"type":"string"},"kind":{"$re\#
f":"#/components/schemas/ErrorKind"},"message":{"type":"string"}},"required":["account","kind","message"],"typ\#
e":"object"},"SessionSignOut.Result":{"additionalProperties":false,"properties":{"accounts":{"items":{"type":"\#
string"},"type":"array"},"failed":{"items":{"$ref":"#/components/schemas/SessionSignOut.Failure"},"type":"arra\#
y"},"pending":{"items":{"type":"string"},"type":"array"}},"required":["accounts","pending"],"type":"object"},"\#
SessionToken.Endpoints":{"additionalProperties":false,"properties":{"anonKey":{"type":"string"},"apiURL":{"typ\#
e":"string"},"projectURL":{"type":"string"}},"required":["anonKey","projectURL"],"type":"object"},"SessionToke\#
n.Result":{"additionalProperties":false,"properties":{"accessToken":{"type":"string"},"account":{"type":"strin\#
g"},"endpoints":{"$ref":"#/components/schemas/SessionToken.Endpoints"},"expiresAt":{"format":"date-time","patt\#
ern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"type":"integer"\#
},"tokenType":{"type":"string"},"unchanged":{"type":"boolean"}},"required":["accessToken","account","expiresAt\#
","expiresIn","tokenType"],"type":"object"},"SignInDecision":{"additionalProperties":false,"properties":{"acco\#
unt":{"type":"string"},"flow":{"type":"string"},"identity":{"$ref":"#/components/schemas/AccountIdentity"},"ki\#
nd":{"type":"string"},"others":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type":"array"},"user"\#
:{"$ref":"#/components/schemas/AccountUser"}},"required":["account","flow","kind","user"],"type":"object"},"Si\#
gnInMethods.Result":{"additionalProperties":false,"properties":{"methods":{"items":{"type":"string"},"type":"a\#
rray"},"signUp":{"type":"boolean"}},"required":["methods","signUp"],"type":"object"},"SignInNonce.Result":{"ad\#
ditionalProperties":false,"properties":{"hashed":{"type":"string"},"nonce":{"type":"string"}},"required":["has\#
hed","nonce"],"type":"object"},"SignInResult":{"additionalProperties":false,"properties":{"account":{"$ref":"#\#
/components/schemas/AccountStatus"},"decision":{"$ref":"#/components/schemas/SignInDecision"},"mfa":{"$ref":"#\#
/components/schemas/SecondFactorNeed"},"outcome":{"$ref":"#/components/schemas/SignInResult.Outcome"}},"requir\#
ed":["outcome"],"type":"object"},"SignInResult.Outcome":{"examples":["signedIn","confirmationSent","decisionNe\#
eded"],"type":"string"},"SignInSendCode.Result":{"additionalProperties":false,"properties":{"account":{"$ref":\#
"#/components/schemas/AccountStatus"},"flow":{"type":"string"},"resendAfter":{"type":"number"}},"required":["f\#
low","resendAfter"],"type":"object"},"SignInStart.Result":{"additionalProperties":false,"properties":{"expires\#
At":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"\#
},"flow":{"type":"string"},"url":{"type":"string"},"warning":{"type":"string"}},"required":["expiresAt","flow"\#
,"url"],"type":"object"},"SignOutScope":{"enum":["local","global","others"],"type":"string"},"SingleSignOn":{"\#
additionalProperties":false,"properties":{"domain":{"type":"string"}},"required":["domain"],"type":"object"},"\#
TelemetryRecord":{"additionalProperties":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[\#
0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"type":"string"},"properties":{"addit\#
ionalProperties":{"type":"string"},"type":"object"}},"required":["at","event","properties"],"type":"object"},"\#
TelemetrySnapshot.Result":{"additionalProperties":false,"properties":{"events":{"items":{"$ref":"#/components/\#
schemas/TelemetryRecord"},"type":"array"},"families":{"items":{"$ref":"#/components/schemas/MetricFamily"},"ty\#
pe":"array"}},"required":["events","families"],"type":"object"},"VaultAddKey.Result":{"additionalProperties":f\#
alse,"properties":{"key":{"$ref":"#/components/schemas/VaultKey"},"removed":{"items":{"$ref":"#/components/sch\#
emas/VaultKey"},"type":"array"}},"required":["key","removed"],"type":"object"},"VaultAdopt.Result":{"additiona\#
lProperties":false,"properties":{"accounts":{"items":{"type":"string"},"type":"array"}},"required":["accounts"\#
],"type":"object"},"VaultFinding":{"additionalProperties":false,"properties":{"detail":{"type":"string"},"file\#
":{"type":"string"},"state":{"type":"string"}},"required":["file","state"],"type":"object"},"VaultKey":{"addit\#
ionalProperties":false,"properties":{"id":{"pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/compo\#
nents/schemas/VaultKeyKind"},"memory":{"type":"integer"},"passes":{"type":"integer"}},"required":["id","kind"]\#
,"type":"object"},"VaultKeyKind":{"examples":["keyFile","passphrase","credential"],"type":"string"},"VaultLock\#
.Result":{"additionalProperties":false,"properties":{"opensByFile":{"type":"boolean"},"warning":{"type":"strin\#
g"}},"required":["opensByFile"],"type":"object"},"VaultRekey.Result":{"additionalProperties":false,"properties\#
":{"generation":{"minimum":0,"type":"integer"}},"required":["generation"],"type":"object"},"VaultStatus.Result\#
":{"additionalProperties":false,"properties":{"damaged":{"items":{"$ref":"#/components/schemas/VaultFinding"},\#
"type":"array"},"generation":{"minimum":0,"type":"integer"},"idleLock":{"type":"integer"},"isAuthenticated":{"\#
type":"boolean"},"isMemoryLocked":{"type":"boolean"},"isRekeying":{"type":"boolean"},"keys":{"items":{"$ref":"\#
#/components/schemas/VaultKey"},"type":"array"},"lockedBy":{"type":"string"},"machine":{"type":"string"},"open\#
edBy":{"$ref":"#/components/schemas/VaultKeyKind"},"protection":{"items":{"type":"string"},"type":"array"},"st\#
ate":{"enum":["open","copied","locked","unavailable"],"type":"string"}},"required":["damaged","generation","is\#
Authenticated","isMemoryLocked","isRekeying","keys","machine","protection","state"],"type":"object"},"VaultSum\#
mary":{"additionalProperties":false,"properties":{"damaged":{"items":{"type":"string"},"type":"array"},"error"\#
:{"$ref":"#/components/schemas/ErrorKind"},"openedBy":{"type":"string"},"protection":{"type":"string"},"state"\#
:{"type":"string"}},"required":["damaged","state"],"type":"object"},"VaultUnlock.Result":{"additionalPropertie\#
s":false,"properties":{"key":{"$ref":"#/components/schemas/VaultKey"}},"required":["key"],"type":"object"},"Va\#
ultVerify.Result":{"additionalProperties":false,"properties":{"files":{"items":{"$ref":"#/components/schemas/V\#
aultFinding"},"type":"array"},"isWhole":{"type":"boolean"}},"required":["files","isWhole"],"type":"object"}}},\#
"info":{"title":"Ritual Agent","version":"
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
mas/AgentReload.Result"}},"summary":"Reloads the configuration; keeps the old one if the new one is invalid."}\#
,{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":\#
"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}\#
],"name":"agent.status","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"sche\#
ma":{"$ref":"#/components/schemas/AgentStatusMethod.Result"}},"summary":"Returns everything that `ritualctl st\#
atus` shows."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalEr\#
ror"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/er\#
rors/tooMany"},{"$ref":"#/components/errors/denied"}],"name":"approval.answer","paramStructure":"by-name","par\#
ams":[{"name":"allow","required":true,"schema":{"type":"boolean"}},{"name":"id","required":true,"schema":{"typ\#
e":"string"}},{"name":"for","required":false,"schema":{"type":"integer"}}],"result":{"name":"result","required\#
":true,"schema":{"$ref":"#/components/schemas/Approval"}},"summary":"Answers an access request; refused from t\#
he requester's unit."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/in\#
ternalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/compo\#
nents/errors/tooMany"}],"name":"approval.list","paramStructure":"by-name","params":[],"result":{"name":"result\#
","required":true,"schema":{"$ref":"#/components/schemas/ApprovalList.Result"}},"summary":"Lists pending acces\#
s requests and active answers."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components\#
/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref\#
":"#/components/errors/tooMany"},{"$ref":"#/components/errors/denied"}],"name":"approval.revoke","paramStructu\#
re":"by-name","params":[{"name":"id","required":true,"schema":{"type":"string"}}],"result":{"name":"result","r\#
equired":true,"schema":{"$ref":"#/components/schemas/Empty"}},"summary":"Revokes an answer or withdraws an acc\#
ess request."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalEr\#
ror"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/er\#
rors/tooMany"}],"name":"approval.wait","paramStructure":"by-name","params":[{"name":"id","required":true,"sche\#
ma":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Appro\#
valWait.Result"}},"summary":"Waits until an access request is answered or expires."},{"errors":[{"$ref":"#/com\#
ponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notRe\#
ady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/err\#
ors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$re\#
f":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/error\#
s/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"audit.list","paramStructure":"by-name","p\#
arams":[{"name":"limit","required":false,"schema":{"maximum":10000,"minimum":1,"type":"integer"}}],"result":{"\#
name":"result","required":true,"schema":{"$ref":"#/components/schemas/AuditList.Result"}},"summary":"Returns t\#
he last audit log entries, newest last."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/c\#
omponents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge\#
"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/err\#
ors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},\#
{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/error\#
s/formatTooNew"}],"name":"audit.verify","paramStructure":"by-name","params":[],"result":{"name":"result","requ\#
ired":true,"schema":{"$ref":"#/components/schemas/AuditVerify.Result"}},"summary":"Verifies the integrity of t\#
he audit log."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalE\#
rror"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/e\#
rrors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$r\#
ef":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/ap\#
provalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"\#
#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/error\#
s/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"e\#
gress.grant","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"\#
}},{"name":"for","required":false,"schema":{"maximum":86400,"minimum":1,"type":"number"}},{"name":"methods","r\#
equired":false,"schema":{"items":{"type":"string"},"type":"array"}},{"name":"paths","required":false,"schema":\#
{"items":{"type":"string"},"type":"array"}},{"name":"process","required":false,"schema":{"type":"boolean"}}],"\#
result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/EgressGrant.Result"}},"summary\#
":"Opens a loopback URL and a stand-in token for one tool, which never gets the access token."},{"errors":[{"$\#
ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
rrors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"egres\#
s.list","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/c\#
omponents/schemas/EgressList.Result"}},"summary":"Lists the loopback grants."},{"errors":[{"$ref":"#/component\#
s/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},\#
{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"egress.revoke","paramS\#
tructure":"by-name","params":[{"name":"id","required":true,"schema":{"type":"string"}}],"result":{"name":"resu\#
lt","required":true,"schema":{"$ref":"#/components/schemas/Empty"}},"summary":"Ends a loopback grant."},{"erro\#
rs":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/comp\#
onents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref\#
":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/v\#
aultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":\#
"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/un\#
knownAccount"}],"name":"events.subscribe","paramStructure":"by-name","params":[{"name":"accounts","required":f\#
alse,"schema":{"items":{"type":"string"},"type":"array"}},{"name":"since","required":false,"schema":{"$ref":"#\#
/components/schemas/EventsSubscribe.Position"}},{"name":"tokens","required":false,"schema":{"type":"boolean"}}\#
],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/EventsSubscribe.Position"}}\#
,"summary":"Sends the current state, then every change, as `event` notifications."},{"errors":[{"$ref":"#/comp\#
onents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notRea\#
dy"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/erro\#
rs/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$r\#
ef":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/va\#
ultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref\#
":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/form\#
atTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},\#
{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/er\#
rors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref"\#
:"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/error\#
s/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/\#
components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/components/errors\#
/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}],"name":"identity.decide","paramStructure":"by-name\#
","params":[{"name":"accept","required":true,"schema":{"type":"boolean"}},{"name":"flow","required":true,"sche\#
ma":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignI\#
nResult"}},"summary":"Answers a sign-in with the outcome `decisionNeeded`."},{"errors":[{"$ref":"#/components/\#
errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"\#
$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offl\#
ine"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/\#
components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopi\#
ed"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/co\#
mponents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNe\#
w"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref"\#
:"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/me\#
thodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/com\#
ponents/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callb\#
ackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/compone\#
nts/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/components/errors/unknow\#
nAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/linkingDisabled"}],"name":\#
"identity.link","paramStructure":"by-name","params":[{"name":"provider","required":true,"schema":{"type":"stri\#
ng"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"detach","required":false,"schema\#
":{"type":"boolean"}},{"name":"port","required":false,"schema":{"type":"integer"}},{"name":"redirect","require\#
d":false,"schema":{"type":"string"}},{"name":"scopes","required":false,"schema":{"type":"string"}},{"name":"ti\#
meout","required":false,"schema":{"type":"number"}}],"result":{"name":"result","required":true,"schema":{"$ref\#
":"#/components/schemas/SignInStart.Result"}},"summary":"Starts linking another provider; continues like a sig\#
n-in."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{\#
"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/to\#
oMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/c\#
omponents/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNe\#
eded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/com\#
ponents/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"\#
},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components\#
/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},\#
{"$ref":"#/components/errors/formatTooNew"}],"name":"identity.list","paramStructure":"by-name","params":[{"nam\#
e":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":\#
{"$ref":"#/components/schemas/IdentityList.Result"}},"summary":"Lists the linked sign-in methods."},{"errors":\#
[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/componen\#
ts/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#\#
/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/m\#
isconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/\#
components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rat\#
eLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/compo\#
nents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnava\#
ilable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/compone\#
nts/errors/formatTooNew"},{"$ref":"#/components/errors/lastIdentity"},{"$ref":"#/components/errors/linkingDisa\#
bled"}],"name":"identity.unlink","paramStructure":"by-name","params":[{"name":"identityID","required":true,"sc\#
hema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"res\#
ult","required":true,"schema":{"$ref":"#/components/schemas/IdentityList.Result"}},"summary":"Unlinks a sign-i\#
n method; the last one cannot be removed."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#\#
/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLar\#
ge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/component\#
s/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$\#
ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors\#
/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$re\#
f":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/\#
vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref"\#
:"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/m\#
ethodDisabled"}],"name":"mfa.challenge","paramStructure":"by-name","params":[{"name":"account","required":fals\#
e,"schema":{"type":"string"}},{"name":"factor","required":false,"schema":{"type":"string"}}],"result":{"name":\#
"result","required":true,"schema":{"$ref":"#/components/schemas/MFAChallenge.Result"}},"summary":"Has the proj\#
ect send a code to a phone factor."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/compon\#
ents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"\#
$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/error\#
s/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#\#
/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/servic\#
eUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/c\#
omponents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDa\#
maged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/com\#
ponents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/methodDi\#
sabled"},{"$ref":"#/components/errors/mfaNeeded"}],"name":"mfa.enroll","paramStructure":"by-name","params":[{"\#
name":"type","required":true,"schema":{"enum":["totp","phone"],"type":"string"}},{"name":"account","required":\#
false,"schema":{"type":"string"}},{"name":"name","required":false,"schema":{"type":"string"}},{"name":"phone",\#
"required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/co\#
mponents/schemas/MFAEnroll.Result"}},"summary":"Adds a second factor; mfa.verify completes it."},{"errors":[{"\#
$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/\#
errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/co\#
mponents/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misc\#
onfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/com\#
ponents/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLi\#
mited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/componen\#
ts/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavaila\#
ble"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components\#
/errors/formatTooNew"}],"name":"mfa.list","paramStructure":"by-name","params":[{"name":"account","required":fa\#
lse,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sche\#
mas/MFAList.Result"}},"summary":"Lists the user's second factors."},{"errors":[{"$ref":"#/components/errors/in\#
validParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/\#
components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccoun\#
t"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/compon\#
ents/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$r\#
ef":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components\#
/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$re\#
f":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/e\#
rrors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref\#
":"#/components/errors/mfaNeeded"}],"name":"mfa.remove","paramStructure":"by-name","params":[{"name":"factor",\#
"required":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}}],"r\#
esult":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty"}},"summary":"Removes a s\#
econd factor."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalE\#
rror"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/e\#
rrors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$r\#
ef":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/ap\#
provalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref\#
":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaul\#
tLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/co\#
mponents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storag\#
eFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/compone\#
nts/errors/methodDisabled"}],"name":"mfa.start","paramStructure":"by-name","params":[{"name":"account","requir\#
ed":false,"schema":{"type":"string"}},{"name":"detach","required":false,"schema":{"type":"boolean"}},{"name":"\#
timeout","required":false,"schema":{"type":"number"}}],"result":{"name":"result","required":true,"schema":{"$r\#
ef":"#/components/schemas/SignInStart.Result"}},"summary":"Opens the agent's page for a second factor."},{"err\#
ors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/com\#
ponents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$re\#
f":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/err\#
ors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref\#
":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/error\#
s/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/\#
components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vault\#
Unavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/co\#
mponents/errors/formatTooNew"},{"$ref":"#/components/errors/codeInvalid"},{"$ref":"#/components/errors/flowBus\#
y"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/mfaNeeded"}],"name":"mfa.verify\#
","paramStructure":"by-name","params":[{"name":"code","required":true,"schema":{"type":"string"}},{"name":"acc\#
ount","required":false,"schema":{"type":"string"}},{"name":"factor","required":false,"schema":{"type":"string"\#
}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary\#
":"Verifies a second factor; ends the user's other sessions without one."},{"errors":[{"$ref":"#/components/er\#
rors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$r\#
ef":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknow\#
nAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#\#
/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline\#
"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/com\#
ponents/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"\#
},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/compo\#
nents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}\#
],"name":"profile.get","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type\#
":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/ProfileResult"}\#
},"summary":"Returns the user's profile from the API."},{"errors":[{"$ref":"#/components/errors/invalidParams"\#
},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/e\#
rrors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":\#
"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/\#
denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/compo\#
nents/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/time\#
dOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/compon\#
ents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongK\#
ey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"profile.u\#
pdate","paramStructure":"by-name","params":[{"name":"set","required":true,"schema":{"additionalProperties":{},\#
"type":"object"}},{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","r\#
equired":true,"schema":{"$ref":"#/components/schemas/ProfileResult"}},"summary":"Updates fields of the profile\#
."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$re\#
f":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMan\#
y"}],"name":"rpc.discover","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"s\#
chema":{"$ref":"#/components/schemas/OpenRPCDocument"}},"summary":"Returns this document."},{"errors":[{"$ref"\#
:"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/error\#
s/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/compone\#
nts/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfig\#
ured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/componen\#
ts/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"}\#
,{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components\#
/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.explain","paramStructure":"\#
by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","\#
required":true,"schema":{"$ref":"#/components/schemas/SessionExplain.Result"}},"summary":"Explains the next re\#
fresh; lists recent attempts."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/\#
errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref"\#
:"#/components/errors/tooMany"}],"name":"session.list","paramStructure":"by-name","params":[],"result":{"name"\#
:"result","required":true,"schema":{"$ref":"#/components/schemas/SessionList.Result"}},"summary":"Lists all ac\#
counts."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}\#
,{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/\#
tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#\#
/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approval\#
Needed"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/c\#
omponents/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocke\#
d"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/componen\#
ts/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"\#
},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.refresh","paramStructure":"by-name","params":[{\#
"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"sche\#
ma":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Refreshes now (at most once every 5 seconds)."},\#
{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"\#
#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},\#
{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/component\#
s/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{\#
"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/\#
errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref\#
":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/\#
vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":\#
"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/flowBusy"}],"name":"session.remove","paramStr\#
ucture":"by-name","params":[{"name":"account","required":true,"schema":{"type":"string"}},{"name":"discard","r\#
equired":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/com\#
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
n"}},{"name":"discard","required":false,"schema":{"type":"boolean"}},{"name":"scope","required":false,"schema"\#
:{"$ref":"#/components/schemas/SignOutScope"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/\#
components/schemas/SessionSignOut.Result"}},"summary":"Ends a session here immediately, and on the server once\#
 it is reachable."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inter\#
nalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/componen\#
ts/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},\#
{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/error\#
s/approvalNeeded"}],"name":"session.status","paramStructure":"by-name","params":[{"name":"account","required":\#
false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sc\#
hemas/AccountStatus"}},"summary":"Returns one account."},{"errors":[{"$ref":"#/components/errors/invalidParams\#
"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/\#
errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref"\#
:"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors\#
/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/comp\#
onents/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/tim\#
edOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/compo\#
nents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrong\#
Key"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/compon\#
ents/errors/mfaNeeded"}],"name":"session.token","paramStructure":"by-name","params":[{"name":"account","requir\#
ed":false,"schema":{"type":"string"}},{"name":"assurance","required":false,"schema":{"enum":["aal1","aal2"],"t\#
ype":"string"}},{"name":"endpoints","required":false,"schema":{"type":"boolean"}},{"name":"minTTL","required":\#
false,"schema":{"description":"The least remaining life, in seconds.","minimum":0,"type":"number"}},{"name":"r\#
eason","required":false,"schema":{"type":"string"}},{"name":"rejected","required":false,"schema":{"description\#
":"The SHA-256 of a token that a server refused.","pattern":"^[0-9a-f]{64}$","type":"string"}}],"result":{"nam\#
e":"result","required":true,"schema":{"$ref":"#/components/schemas/SessionToken.Result"}},"summary":"Returns a\#
 valid access token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/in\#
ternalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/compo\#
nents/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded\#
"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/er\#
rors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"\#
$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/component\#
s/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"n\#
ame":"session.use","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"s\#
tring"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"s\#
ummary":"Sets the default account."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/compon\#
ents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"\#
$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/error\#
s/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#\#
/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/va\#
ultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref\#
":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/form\#
atTooNew"}],"name":"session.useAPI","paramStructure":"by-name","params":[{"name":"account","required":false,"s\#
chema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Ac\#
countStatus"}},"summary":"Allows the configured API to receive the account's token."},{"errors":[{"$ref":"#/co\#
mponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notR\#
eady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/er\#
rors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"\#
$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/\#
vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$r\#
ef":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/fo\#
rmatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"\#
},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/\#
errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$re\#
f":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/err\#
ors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"\#
#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"}],"name":"signIn.anonymous"\#
,"paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"\#
project","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$r\#
ef":"#/components/schemas/AccountStatus"}},"summary":"Creates an anonymous user and signs in as this user."},{\#
"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#\#
/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{\#
"$ref":"#/components/errors/flowUnknown"}],"name":"signIn.cancel","paramStructure":"by-name","params":[{"name"\#
:"flow","required":true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref\#
":"#/components/schemas/Empty"}},"summary":"Cancels a running sign-in."},{"errors":[{"$ref":"#/components/erro\#
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
errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/components/errors/flowUnknow\#
n"},{"$ref":"#/components/errors/flowTimedOut"},{"$ref":"#/components/errors/codeInvalid"}],"name":"signIn.com\#
plete","paramStructure":"by-name","params":[{"name":"callback","required":true,"schema":{"type":"string"}},{"n\#
ame":"canAsk","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema\#
":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Finishes a sign-in with its redirect URL."},{"error\#
s":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/compo\#
nents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref"\#
:"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors\#
/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/c\#
omponents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultU\#
navailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/com\#
ponents/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/e\#
mailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$re\#
f":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors\#
/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":\#
"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/d\#
enied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"}],"name":"\#
signIn.idToken","paramStructure":"by-name","params":[{"name":"idToken","required":true,"schema":{"type":"strin\#
g"}},{"name":"provider","required":true,"schema":{"type":"string"}},{"name":"acceptLink","required":false,"sch\#
ema":{"type":"boolean"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"email","requi\#
red":false,"schema":{"type":"string"}},{"name":"name","required":false,"schema":{"type":"string"}},{"name":"no\#
nce","required":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"\#
}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,\#
"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Exchanges a provider's identity token."},{"\#
errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/\#
components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"\#
$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/e\#
rrors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref"\#
:"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/v\#
aultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"\#
#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/err\#
ors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},\#
{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/e\#
rrors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$\#
ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/err\#
ors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"},{"$r\#
ef":"#/components/errors/signInNeeded"}],"name":"signIn.importSession","paramStructure":"by-name","params":[{"\#
name":"refreshToken","required":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{\#
"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"replace","required":\#
false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/s\#
chemas/AccountStatus"}},"summary":"Imports a session from its refresh token."},{"errors":[{"$ref":"#/component\#
s/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},\#
{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/of\#
fline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"\#
#/components/errors/timedOut"},{"$ref":"#/components/errors/misconfigured"}],"name":"signIn.methods","paramStr\#
ucture":"by-name","params":[{"name":"project","required":false,"schema":{"type":"string"}}],"result":{"name":"\#
result","required":true,"schema":{"$ref":"#/components/schemas/SignInMethods.Result"}},"summary":"Lists the pr\#
oject's enabled sign-in methods."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/componen\#
ts/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$r\#
ef":"#/components/errors/tooMany"}],"name":"signIn.nonce","paramStructure":"by-name","params":[],"result":{"na\#
me":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInNonce.Result"}},"summary":"Returns a\#
 single-use nonce for Apple's native sign-in."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref\#
":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/to\#
oLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/e\#
rrors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},\#
{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/er\#
rors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"\#
$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/err\#
ors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExi\#
sts"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/com\#
ponents/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"\#
},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/compo\#
nents/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{\#
"$ref":"#/components/errors/captchaRequired"}],"name":"signIn.password","paramStructure":"by-name","params":[{\#
"name":"email","required":true,"schema":{"type":"string"}},{"name":"password","required":true,"schema":{"type"\#
:"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"project","required":false,\#
"schema":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":\#
"result","required":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Signs in with email\#
 and password."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internal\#
Error"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/\#
errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$r\#
ef":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/va\#
ultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/\#
components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/stor\#
ageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref\#
":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/err\#
ors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$r\#
ef":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/\#
identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref\#
":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/cap\#
tchaRequired"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$re\#
f":"#/components/errors/linkingDisabled"}],"name":"signIn.sendCode","paramStructure":"by-name","params":[{"nam\#
e":"account","required":false,"schema":{"type":"string"}},{"name":"createUser","required":false,"schema":{"typ\#
e":"boolean"}},{"name":"email","required":false,"schema":{"type":"string"}},{"name":"phone","required":false,"\#
schema":{"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"purpose","r\#
equired":false,"schema":{"$ref":"#/components/schemas/CodePurpose"}},{"name":"replace","required":false,"schem\#
a":{"type":"boolean"}},{"name":"reuse","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result\#
","required":true,"schema":{"$ref":"#/components/schemas/SignInSendCode.Result"}},"summary":"Has the project s\#
end a code by email or text message."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/comp\#
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
/components/errors/captchaRequired"}],"name":"signIn.signUp","paramStructure":"by-name","params":[{"name":"ema\#
il","required":true,"schema":{"type":"string"}},{"name":"password","required":true,"schema":{"type":"string"}}\#
,{"name":"account","required":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"\#
type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","r\#
equired":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Creates a user with email and \#
password."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError\#
"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/error\#
s/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"\#
#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLo\#
cked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/compo\#
nents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFu\#
ll"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/\#
components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/w\#
eakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"\#
#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/ident\#
ityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/\#
components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaR\#
equired"}],"name":"signIn.start","paramStructure":"by-name","params":[{"name":"account","required":false,"sche\#
ma":{"type":"string"}},{"name":"detach","required":false,"schema":{"type":"boolean"}},{"name":"mfa","required"\#
:false,"schema":{"type":"string"}},{"name":"port","required":false,"schema":{"maximum":65535,"minimum":0,"type\#
":"integer"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"provider","required":fal\#
se,"schema":{"type":"string"}},{"name":"redirect","required":false,"schema":{"enum":["loopback","scheme","manu\#
al"],"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}},{"name":"scopes","requi\#
red":false,"schema":{"type":"string"}},{"name":"sso","required":false,"schema":{"$ref":"#/components/schemas/S\#
ingleSignOn"}},{"name":"takeOver","required":false,"schema":{"type":"boolean"}},{"name":"timeout","required":f\#
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
/captchaRequired"},{"$ref":"#/components/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"},{"$r\#
ef":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/er\#
rors/codeInvalid"}],"name":"signIn.verifyCode","paramStructure":"by-name","params":[{"name":"account","require\#
d":false,"schema":{"type":"string"}},{"name":"code","required":false,"schema":{"type":"string"}},{"name":"emai\#
l","required":false,"schema":{"type":"string"}},{"name":"flow","required":false,"schema":{"type":"string"}},{"\#
name":"link","required":false,"schema":{"type":"string"}},{"name":"phone","required":false,"schema":{"type":"s\#
tring"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"purpose","required":false,"sc\#
hema":{"$ref":"#/components/schemas/CodePurpose"}},{"name":"replace","required":false,"schema":{"type":"boolea\#
n"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summa\#
ry":"Signs in with a code, or with a link from a mail."},{"errors":[{"$ref":"#/components/errors/invalidParams\#
"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/\#
errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/com\#
ponents/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/ti\#
medOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/comp\#
onents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wron\#
gKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/compo\#
nents/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/error\#
s/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$re\#
f":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misco\#
nfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref"\#
:"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalN\#
eeded"},{"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/components/errors/flowUnknown"},{"$ref":"#/c\#
omponents/errors/flowTimedOut"},{"$ref":"#/components/errors/signInNeeded"}],"name":"signIn.wait","paramStruct\#
ure":"by-name","params":[{"name":"flow","required":true,"schema":{"type":"string"}}],"result":{"name":"result"\#
,"required":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Waits until a sign-in ends.\#
"},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref\#
":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany\#
"}],"name":"telemetry.snapshot","paramStructure":"by-name","params":[],"result":{"name":"result","required":tr\#
ue,"schema":{"$ref":"#/components/schemas/TelemetrySnapshot.Result"}},"summary":"Returns metrics since the age\#
nt started. No personal data."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/\#
errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref"\#
:"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultC\#
opied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#\#
/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTo\#
oNew"},{"$ref":"#/components/errors/denied"}],"name":"vault.addKey","paramStructure":"by-name","params":[{"nam\#
e":"kind","required":true,"schema":{"$ref":"#/components/schemas/VaultKeyKind"}},{"name":"present","required":\#
true,"schema":{"$ref":"#/components/schemas/PresentKeys"}},{"name":"keepKeyFile","required":false,"schema":{"t\#
ype":"boolean"}},{"name":"passphrase","required":false,"schema":{"$ref":"#/components/schemas/SecretText"}},{"\#
name":"path","required":false,"schema":{"type":"string"}},{"name":"replaces","required":false,"schema":{"type"\#
:"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultAddKey.Resu\#
lt"}},"summary":"Adds a key to the vault."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#\#
/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLar\#
ge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/e\#
rrors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"\#
},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/err\#
ors/formatTooNew"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"\#
$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"}],"name":"vault.adopt","paramS\#
tructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schem\#
as/VaultAdopt.Result"}},"summary":"Adopts a vault that was copied from another machine."},{"errors":[{"$ref":"\#
#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/\#
notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/component\#
s/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},\#
{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/\#
errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.lock","paramStructure":"by-nam\#
e","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultLock.Resu\#
lt"}},"summary":"Locks the vault until `vault.unlock`, across restarts."},{"errors":[{"$ref":"#/components/err\#
ors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$re\#
f":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLo\#
cked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/compo\#
nents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFu\#
ll"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/denied"}],"name":"vault.rekey","\#
paramStructure":"by-name","params":[{"name":"present","required":true,"schema":{"$ref":"#/components/schemas/P\#
resentKeys"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultRekey.Res\#
ult"}},"summary":"Creates a new master key; requires every key."},{"errors":[{"$ref":"#/components/errors/inva\#
lidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/co\#
mponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{\#
"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/er\#
rors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$\#
ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/denied"}],"name":"vault.removeKey","para\#
mStructure":"by-name","params":[{"name":"id","required":true,"schema":{"type":"string"}},{"name":"present","re\#
quired":true,"schema":{"$ref":"#/components/schemas/PresentKeys"}}],"result":{"name":"result","required":true,\#
"schema":{"$ref":"#/components/schemas/Empty"}},"summary":"Removes a key; older copies of the vault still open\#
 with it."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError\#
"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/error\#
s/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/c\#
omponents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/w\#
rongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vaul\#
t.status","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#\#
/components/schemas/VaultStatus.Result"}},"summary":"Returns the vault's status, even while locked."},{"errors\#
":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/compon\#
ents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":\#
"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vau\#
ltDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#\#
/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.unlock","paramStru\#
cture":"by-name","params":[{"name":"keyFile","required":false,"schema":{"type":"string"}},{"name":"passphrase"\#
,"required":false,"schema":{"$ref":"#/components/schemas/SecretText"}}],"result":{"name":"result","required":t\#
rue,"schema":{"$ref":"#/components/schemas/VaultUnlock.Result"}},"summary":"Unlocks the vault."},{"errors":[{"\#
$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/\#
errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/co\#
mponents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDam\#
aged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/comp\#
onents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.verify","paramStructure\#
":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Vault\#
Verify.Result"}},"summary":"Verifies the vault's files with its keys."}],"openrpc":"1.3.2","x-notifications":[\#
{"name":"event","required":true,"schema":{"$ref":"#/components/schemas/AgentEvent"}}]}
"""#
}
