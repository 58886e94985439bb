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
erent user. The account was not changed."}},"schemas":{"APIRequestMethod.Result":{"additionalProperties":false\#
,"properties":{"body":{"description":"base64 (RFC 4648, section 4)","pattern":"^[A-Za-z0-9+/]*={0,2}$","type":\#
"string"},"headers":{"items":{"items":{"type":"string"},"type":"array"},"type":"array"},"status":{"type":"inte\#
ger"}},"required":["body","headers","status"],"type":"object"},"AccountActivity":{"examples":["none","authenti\#
cating","refreshing"],"type":"string"},"AccountAssurance":{"additionalProperties":false,"properties":{"current\#
":{"type":"string"},"possible":{"type":"string"}},"required":["current","possible"],"type":"object"},"AccountF\#
actor":{"additionalProperties":false,"properties":{"id":{"type":"string"},"name":{"type":"string"},"status":{"\#
type":"string"},"type":{"type":"string"}},"required":["id","status","type"],"type":"object"},"AccountIdentity"\#
:{"additionalProperties":false,"properties":{"email":{"type":"string"},"identityID":{"type":"string"},"provide\#
r":{"type":"string"}},"required":["identityID","provider"],"type":"object"},"AccountState":{"examples":["unaut\#
henticated","authenticated","degraded","signInNeeded","locked","copied","misconfigured","formatTooNew"],"type"\#
:"string"},"AccountStatus":{"additionalProperties":false,"properties":{"activity":{"$ref":"#/components/schema\#
s/AccountActivity"},"assurance":{"$ref":"#/components/schemas/AccountAssurance"},"ended":{"$ref":"#/components\#
/schemas/EndedSession"},"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9\#
]{2}:[0-9]{2}Z$","type":"string"},"identities":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type"\#
:"array"},"isDefault":{"type":"boolean"},"mfa":{"$ref":"#/components/schemas/SecondFactorNeed"},"name":{"type"\#
:"string"},"onboarding":{"type":"string"},"origin":{"type":"string"},"project":{"type":"string"},"refresh":{"$\#
ref":"#/components/schemas/RefreshStatus"},"session":{"$ref":"#/components/schemas/SessionLife"},"state":{"$re\#
f":"#/components/schemas/AccountState"},"tokenUsable":{"type":"boolean"},"user":{"$ref":"#/components/schemas/\#
AccountUser"}},"required":["activity","identities","isDefault","name","project","state","tokenUsable"],"type":\#
"object"},"AccountUser":{"additionalProperties":false,"properties":{"email":{"type":"string"},"id":{"type":"st\#
ring"},"isAnonymous":{"type":"boolean"},"name":{"type":"string"},"phone":{"type":"string"},"provider":{"type":\#
"string"}},"required":["id"],"type":"object"},"AgentDiagnose.Result":{"additionalProperties":false,"properties\#
":{"checks":{"items":{"$ref":"#/components/schemas/DiagnosticCheck"},"type":"array"},"redirect":{"type":"strin\#
g"},"schemes":{"items":{"type":"string"},"type":"array"}},"required":["checks","redirect","schemes"],"type":"o\#
bject"},"AgentError":{"additionalProperties":false,"properties":{"code":{"type":"integer"},"data":{"$ref":"#/c\#
omponents/schemas/AgentError.Details"},"message":{"type":"string"}},"required":["code","message"],"type":"obje\#
ct"},"AgentError.Details":{"additionalProperties":false,"properties":{"account":{"type":"string"},"approval":{\#
"type":"string"},"detail":{"type":"string"},"hint":{"type":"string"},"kind":{"$ref":"#/components/schemas/Erro\#
rKind"},"retryAfter":{"type":"number"},"retryable":{"type":"boolean"}},"required":["kind","retryable"],"type":\#
"object"},"AgentEvent":{"additionalProperties":false,"properties":{"account":{"type":"string"},"approval":{"$r\#
ef":"#/components/schemas/Approval"},"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2\#
}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"program":{"type":"string"},"reason":{"type":"string"},"sequence":{"mi\#
nimum":0,"type":"integer"},"status":{"$ref":"#/components/schemas/AccountStatus"},"token":{"$ref":"#/component\#
s/schemas/SessionToken.Result"},"type":{"$ref":"#/components/schemas/EventType"}},"required":["at","sequence",\#
"type"],"type":"object"},"AgentHello.Result":{"additionalProperties":false,"properties":{"agent":{"type":"stri\#
ng"},"capabilities":{"items":{"type":"string"},"type":"array"},"protocol":{"type":"integer"},"version":{"type"\#
:"string"}},"required":["agent","capabilities","protocol","version"],"type":"object"},"AgentReload.Result":{"a\#
dditionalProperties":false,"properties":{"projects":{"items":{"type":"string"},"type":"array"},"reloaded":{"ty\#
pe":"boolean"},"warning":{"type":"string"}},"required":["projects"],"type":"object"},"AgentStatusMethod.Result\#
":{"additionalProperties":false,"properties":{"accounts":{"items":{"$ref":"#/components/schemas/AccountStatus"\#
},"type":"array"},"autostart":{"type":"boolean"},"health":{"items":{"type":"string"},"type":"array"},"pid":{"t\#
ype":"integer"},"stateFolder":{"type":"string"},"unrevoked":{"items":{"type":"string"},"type":"array"},"uptime\#
":{"type":"integer"},"vault":{"$ref":"#/components/schemas/VaultSummary"},"version":{"type":"string"}},"requir\#
ed":["accounts","health","pid","uptime","vault","version"],"type":"object"},"Approval":{"additionalProperties"\#
:false,"properties":{"account":{"type":"string"},"askedAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}\#
-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"type":"string"},"id":{"type":"string"}\#
,"method":{"type":"string"},"pid":{"type":"integer"},"state":{"$ref":"#/components/schemas/ApprovalState"},"un\#
it":{"type":"string"},"until":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[\#
0-9]{2}Z$","type":"string"}},"required":["account","askedAt","id","method","pid","state"],"type":"object"},"Ap\#
provalList.Result":{"additionalProperties":false,"properties":{"approvals":{"items":{"$ref":"#/components/sche\#
mas/Approval"},"type":"array"}},"required":["approvals"],"type":"object"},"ApprovalState":{"examples":["pendin\#
g","allowed","denied","expired"],"type":"string"},"ApprovalWait.Result":{"additionalProperties":false,"propert\#
ies":{"state":{"$ref":"#/components/schemas/ApprovalState"}},"required":["state"],"type":"object"},"AuditEntry\#
":{"additionalProperties":false,"properties":{"accepted":{"type":"boolean"},"account":{"type":"string"},"at":{\#
"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"co\#
mm":{"type":"string"},"count":{"minimum":0,"type":"integer"},"detail":{"type":"string"},"event":{"$ref":"#/com\#
ponents/schemas/AuditEvent"},"executable":{"type":"string"},"first":{"format":"date-time","pattern":"^[0-9]{4}\#
-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"handOut":{"minimum":0,"type":"integer"},"la\#
st":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"\#
},"pid":{"type":"integer"},"previous":{"type":"string"},"project":{"type":"string"},"provider":{"type":"string\#
"},"sequence":{"minimum":0,"type":"integer"},"statuses":{"additionalProperties":{"minimum":0,"type":"integer"}\#
,"type":"object"},"token":{"type":"string"},"unit":{"type":"string"},"way":{"type":"string"}},"required":["at"\#
,"event","sequence"],"type":"object"},"AuditEvent":{"examples":["agentStarted","agentStopped","signedIn","sign\#
edOut","sessionEnded","linked","unlinked","decided","denied","approvalAsked","approvalAnswered","approvalRevok\#
ed","handOut","egressUsed","grantMade","grantEnded","apiAccepted","factorEnrolled","factorVerified","factorRem\#
oved","accountRenamed","accountRemoved","vaultLocked","vaultUnlocked","keyAdded","keyRemoved","rekeyed","vault\#
Adopted","fileBegun","interrupted","entriesLost"],"type":"string"},"AuditList.Result":{"additionalProperties":\#
false,"properties":{"entries":{"items":{"$ref":"#/components/schemas/AuditEntry"},"type":"array"},"isChecked":\#
{"type":"boolean"},"leftOut":{"type":"integer"},"more":{"type":"boolean"},"unknownCount":{"type":"integer"},"u\#
nknownFiles":{"items":{"type":"string"},"type":"array"}},"required":["entries","isChecked","leftOut","more","u\#
nknownCount","unknownFiles"],"type":"object"},"AuditVerify.Finding":{"additionalProperties":false,"properties"\#
:{"file":{"type":"string"},"first":{"minimum":0,"type":"integer"},"kind":{"type":"string"},"last":{"minimum":0\#
,"type":"integer"}},"required":["file","kind"],"type":"object"},"AuditVerify.Result":{"additionalProperties":f\#
alse,"properties":{"findings":{"items":{"$ref":"#/components/schemas/AuditVerify.Finding"},"type":"array"},"fi\#
rst":{"minimum":0,"type":"integer"},"fitting":{"type":"integer"},"interruptions":{"items":{"minimum":0,"type":\#
"integer"},"type":"array"},"isWhole":{"type":"boolean"},"limits":{"items":{"type":"string"},"type":"array"},"s\#
ealed":{"minimum":0,"type":"integer"},"unsealed":{"type":"integer"}},"required":["findings","first","fitting",\#
"interruptions","isWhole","limits","sealed","unsealed"],"type":"object"},"CheckOutcome":{"examples":["ok","war\#
n","fail"],"type":"string"},"CodePurpose":{"examples":["signIn","link"],"type":"string"},"DiagnosticCheck":{"a\#
dditionalProperties":false,"properties":{"name":{"type":"string"},"next":{"type":"string"},"outcome":{"$ref":"\#
#/components/schemas/CheckOutcome"},"project":{"type":"string"},"words":{"type":"string"}},"required":["name",\#
"outcome","words"],"type":"object"},"EgressGrant.Result":{"additionalProperties":false,"properties":{"expiresA\#
t":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}\#
,"id":{"type":"string"},"token":{"pattern":"^sb_ritual_[A-Za-z0-9_-]{43}$","type":"string"},"url":{"type":"str\#
ing"}},"required":["expiresAt","id","token","url"],"type":"object"},"EgressList.Grant":{"additionalProperties"\#
:false,"properties":{"account":{"type":"string"},"createdAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{\#
2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"type":"string"},"expiresAt":{"format\#
":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"id":{"typ\#
e":"string"},"methods":{"items":{"type":"string"},"type":"array"},"paths":{"items":{"type":"string"},"type":"a\#
rray"},"pid":{"type":"integer"},"process":{"type":"boolean"},"requests":{"minimum":0,"type":"integer"},"unit":\#
{"type":"string"}},"required":["account","createdAt","expiresAt","id","pid","process","requests"],"type":"obje\#
ct"},"EgressList.Result":{"additionalProperties":false,"properties":{"grants":{"items":{"$ref":"#/components/s\#
chemas/EgressList.Grant"},"type":"array"}},"required":["grants"],"type":"object"},"Empty":{"additionalProperti\#
es":false,"properties":{},"type":"object"},"EndedSession":{"additionalProperties":false,"properties":{"at":{"f\#
ormat":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"reas\#
on":{"type":"string"}},"required":["at","reason"],"type":"object"},"ErrorKind":{"examples":["approvalNeeded","\#
callbackInvalid","cancelled","captchaRequired","codeInvalid","denied","emailNotConfirmed","flowBusy","flowTime\#
dOut","flowUnknown","formatTooNew","identityTaken","internalError","invalidCredentials","invalidParams","inval\#
idRequest","lastIdentity","linkingConflict","linkingDisabled","methodDisabled","methodNotFound","mfaNeeded","m\#
isconfigured","notReady","offline","parseError","rateLimited","serviceUnavailable","signInNeeded","storageFull\#
","timedOut","tooLarge","tooMany","unknownAccount","unsupportedVersion","userExists","vaultCopied","vaultDamag\#
ed","vaultLocked","vaultUnavailable","weakPassword","wrongKey","wrongUser"],"type":"string"},"EventType":{"exa\#
mples":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","ACCOUNT_LINKED","STATE_CH\#
ANGED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_UNLOCKED","APPROVAL_NEEDE\#
D","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"EventsSubscribe.Position":{"additionalProperties":false,"pr\#
operties":{"epoch":{"type":"string"},"sequence":{"minimum":0,"type":"integer"}},"required":["epoch","sequence"\#
],"type":"object"},"IdentityList.Result":{"additionalProperties":false,"properties":{"account":{"type":"string\#
"},"identities":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type":"array"},"isCurrent":{"type":"\#
boolean"}},"required":["account","identities","isCurrent"],"type":"object"},"MFAChallenge.Result":{"additional\#
Properties":false,"properties":{"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]\#
{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factor":{"type":"string"}},"required":["expiresAt","factor"],"type"\#
:"object"},"MFAEnroll.Result":{"additionalProperties":false,"properties":{"factor":{"type":"string"},"secret":\#
{"type":"string"},"uri":{"type":"string"}},"required":["factor"],"type":"object"},"MFAList.Result":{"additiona\#
lProperties":false,"properties":{"account":{"type":"string"},"assurance":{"$ref":"#/components/schemas/Account\#
Assurance"},"endsAccounts":{"items":{"type":"string"},"type":"array"},"factors":{"items":{"$ref":"#/components\#
/schemas/AccountFactor"},"type":"array"},"isCurrent":{"type":"boolean"}},"required":["account","assurance","en\#
dsAccounts","factors","isCurrent"],"type":"object"},"MetricFamily":{"additionalProperties":false,"properties":\#
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
tency","outcome","reason"],"type":"object"},"SecondFactorNeed":{"additionalProperties":false,"properties":{"en\#
dsAccounts":{"items":{"type":"string"},"type":"array"},"endsAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factors":{"items":{"$ref":"#/components/schemas\#
/AccountFactor"},"type":"array"},"flow":{"type":"string"},"needed":{"type":"boolean"},"verifiedElsewhereAt":{"\#
format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"re\#
quired":["factors","needed"],"type":"object"},"SecretText":{"type":"string"},"SessionEndReason":{"examples":["\#
signedOut","endedElsewhere","timebox","inactivity","lowAssurance","newerSignIn","userGone","unknown"],"type":"\#
string"},"SessionExplain.Result":{"additionalProperties":false,"properties":{"account":{"$ref":"#/components/s\#
chemas/AccountStatus"},"explanation":{"items":{"type":"string"},"type":"array"},"tries":{"items":{"$ref":"#/co\#
mponents/schemas/RefreshTry"},"type":"array"}},"required":["account","explanation","tries"],"type":"object"},"\#
SessionLife":{"additionalProperties":false,"properties":{"endReason":{"$ref":"#/components/schemas/SessionEndR\#
eason"},"endsAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","t\#
ype":"string"},"isEstimate":{"type":"boolean"},"startedAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}\#
-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"type":"object"},"SessionList.Result":{"additionalPr\#
operties":false,"properties":{"accounts":{"items":{"$ref":"#/components/schemas/AccountStatus"},"type":"array"\#
}},"required":["accounts"],"type":"object"},"SessionRemove.Result":{"additionalProperties":false,"properties":\#
{"account":{"type":"string"},"isPending":{"type":"boolean"}},"required":["account","isPending"],"type":"object\#
"},"SessionSignOut.Failure":{"additionalProperties":false,"properties":{"account":{"type":"string"},"kind":{"$\#
ref":"#/components/schemas/ErrorKind"},"message":{"type":"string"}},"required":["account","kind","message"],"t\#
ype":"object"},"SessionSignOut.Result":{"additionalProperties":false,"properties":{"accounts":{"items":{"type"\#
:"string"},"type":"array"},"failed":{"items":{"$ref":"#/components/schemas/SessionSignOut.Failure"},"type":"ar\#
ray"},"pending":{"items":{"type":"string"},"type":"array"}},"required":["accounts","pending"],"type":"object"}\#
,"SessionToken.Endpoints":{"additionalProperties":false,"properties":{"anonKey":{"type":"string"},"apiURL":{"t\#
ype":"string"},"projectURL":{"type":"string"}},"required":["anonKey","projectURL"],"type":"object"},"SessionTo\#
ken.Result":{"additionalProperties":false,"properties":{"accessToken":{"type":"string"},"account":{"type":"str\#
ing"},"endpoints":{"$ref":"#/components/schemas/SessionToken.Endpoints"},"expiresAt":{"format":"date-time","pa\#
ttern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"expiresIn":{"type":"intege\#
r"},"tokenType":{"type":"string"},"unchanged":{"type":"boolean"}},"required":["accessToken","account","expires\#
At","expiresIn","tokenType"],"type":"object"},"SignInDecision":{"additionalProperties":false,"properties":{"ac\#
count":{"type":"string"},"flow":{"type":"string"},"identity":{"$ref":"#/components/schemas/AccountIdentity"},"\#
kind":{"type":"string"},"others":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type":"array"},"use\#
r":{"$ref":"#/components/schemas/AccountUser"}},"required":["account","flow","kind","user"],"type":"object"},"\#
SignInMethods.Result":{"additionalProperties":false,"properties":{"methods":{"items":{"type":"string"},"type":\#
"array"},"signUp":{"type":"boolean"}},"required":["methods","signUp"],"type":"object"},"SignInNonce.Result":{"\#
additionalProperties":false,"properties":{"hashed":{"type":"string"},"nonce":{"type":"string"}},"required":["h\#
ashed","nonce"],"type":"object"},"SignInResult":{"additionalProperties":false,"properties":{"account":{"$ref":\#
"#/components/schemas/AccountStatus"},"decision":{"$ref":"#/components/schemas/SignInDecision"},"mfa":{"$ref":\#
"#/components/schemas/SecondFactorNeed"},"outcome":{"$ref":"#/components/schemas/SignInResult.Outcome"}},"requ\#
ired":["outcome"],"type":"object"},"SignInResult.Outcome":{"examples":["signedIn","confirmationSent","decision\#
Needed"],"type":"string"},"SignInSendCode.Result":{"additionalProperties":false,"properties":{"account":{"$ref\#
":"#/components/schemas/AccountStatus"},"flow":{"type":"string"},"resendAfter":{"type":"number"}},"required":[\#
"flow","resendAfter"],"type":"object"},"SignInStart.Result":{"additionalProperties":false,"properties":{"expir\#
esAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"strin\#
g"},"flow":{"type":"string"},"url":{"type":"string"},"warning":{"type":"string"}},"required":["expiresAt","flo\#
w","url"],"type":"object"},"SignOutScope":{"enum":["local","global","others"],"type":"string"},"SingleSignOn":\#
{"additionalProperties":false,"properties":{"domain":{"type":"string"}},"required":["domain"],"type":"object"}\#
,"TelemetryRecord":{"additionalProperties":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}\#
-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"type":"string"},"properties":{"add\#
itionalProperties":{"type":"string"},"type":"object"}},"required":["at","event","properties"],"type":"object"}\#
,"TelemetrySnapshot.Result":{"additionalProperties":false,"properties":{"events":{"items":{"$ref":"#/component\#
s/schemas/TelemetryRecord"},"type":"array"},"families":{"items":{"$ref":"#/components/schemas/MetricFamily"},"\#
type":"array"}},"required":["events","families"],"type":"object"},"VaultAddKey.Result":{"additionalProperties"\#
:false,"properties":{"key":{"$ref":"#/components/schemas/VaultKey"},"removed":{"items":{"$ref":"#/components/s\#
chemas/VaultKey"},"type":"array"}},"required":["key","removed"],"type":"object"},"VaultAdopt.Result":{"additio\#
nalProperties":false,"properties":{"accounts":{"items":{"type":"string"},"type":"array"}},"required":["account\#
s"],"type":"object"},"VaultFinding":{"additionalProperties":false,"properties":{"detail":{"type":"string"},"fi\#
le":{"type":"string"},"state":{"type":"string"}},"required":["file","state"],"type":"object"},"VaultKey":{"add\#
itionalProperties":false,"properties":{"id":{"pattern":"^[0-9a-f]{32}$","type":"string"},"kind":{"$ref":"#/com\#
ponents/schemas/VaultKeyKind"},"memory":{"type":"integer"},"passes":{"type":"integer"}},"required":["id","kind\#
"],"type":"object"},"VaultKeyKind":{"examples":["keyFile","passphrase","credential"],"type":"string"},"VaultLo\#
ck.Result":{"additionalProperties":false,"properties":{"opensByFile":{"type":"boolean"},"warning":{"type":"str\#
ing"}},"required":["opensByFile"],"type":"object"},"VaultRekey.Result":{"additionalProperties":false,"properti\#
es":{"generation":{"minimum":0,"type":"integer"}},"required":["generation"],"type":"object"},"VaultStatus.Resu\#
lt":{"additionalProperties":false,"properties":{"damaged":{"items":{"$ref":"#/components/schemas/VaultFinding"\#
},"type":"array"},"generation":{"minimum":0,"type":"integer"},"idleLock":{"type":"integer"},"isAuthenticated":\#
{"type":"boolean"},"isMemoryLocked":{"type":"boolean"},"isRekeying":{"type":"boolean"},"keys":{"items":{"$ref"\#
:"#/components/schemas/VaultKey"},"type":"array"},"lockedBy":{"type":"string"},"machine":{"type":"string"},"op\#
enedBy":{"$ref":"#/components/schemas/VaultKeyKind"},"protection":{"items":{"type":"string"},"type":"array"},"\#
state":{"enum":["open","copied","locked","unavailable"],"type":"string"}},"required":["damaged","generation","\#
isAuthenticated","isMemoryLocked","isRekeying","keys","machine","protection","state"],"type":"object"},"VaultS\#
ummary":{"additionalProperties":false,"properties":{"damaged":{"items":{"type":"string"},"type":"array"},"erro\#
r":{"$ref":"#/components/schemas/ErrorKind"},"openedBy":{"type":"string"},"protection":{"type":"string"},"stat\#
e":{"type":"string"}},"required":["damaged","state"],"type":"object"},"VaultUnlock.Result":{"additionalPropert\#
ies":false,"properties":{"key":{"$ref":"#/components/schemas/VaultKey"}},"required":["key"],"type":"object"},"\#
VaultVerify.Result":{"additionalProperties":false,"properties":{"files":{"items":{"$ref":"#/components/schemas\#
/VaultFinding"},"type":"array"},"isWhole":{"type":"boolean"}},"required":["files","isWhole"],"type":"object"}}\#
},"info":{"title":"Ritual Agent","version":"
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
rors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$re\#
f":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/app\#
rovalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref"\#
:"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vault\#
Locked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/com\#
ponents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storage\#
Full"},{"$ref":"#/components/errors/formatTooNew"}],"name":"api.request","paramStructure":"by-name","params":[\#
{"name":"method","required":true,"schema":{"type":"string"}},{"name":"path","required":true,"schema":{"type":"\#
string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"body","required":false,"sche\#
ma":{"description":"base64 (RFC 4648, section 4)","pattern":"^[A-Za-z0-9+/]*={0,2}$","type":"string"}},{"name"\#
:"headers","required":false,"schema":{"items":{"items":{"type":"string"},"type":"array"},"type":"array"}}],"re\#
sult":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/APIRequestMethod.Result"}},"summ\#
ary":"Sends an authorized request; the token stays in the agent."},{"errors":[{"$ref":"#/components/errors/inv\#
alidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/c\#
omponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/denied"}],"nam\#
e":"approval.answer","paramStructure":"by-name","params":[{"name":"allow","required":true,"schema":{"type":"bo\#
olean"}},{"name":"id","required":true,"schema":{"type":"string"}},{"name":"for","required":false,"schema":{"ty\#
pe":"integer"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Approval"}},\#
"summary":"Answers an access request; refused from the requester's unit."},{"errors":[{"$ref":"#/components/er\#
rors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$r\#
ef":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"approval.list","paramStruc\#
ture":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/A\#
pprovalList.Result"}},"summary":"Lists pending access requests and active answers."},{"errors":[{"$ref":"#/com\#
ponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notRe\#
ady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/err\#
ors/denied"}],"name":"approval.revoke","paramStructure":"by-name","params":[{"name":"id","required":true,"sche\#
ma":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty\#
"}},"summary":"Revokes an answer or withdraws an access request."},{"errors":[{"$ref":"#/components/errors/inv\#
alidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/c\#
omponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"approval.wait","paramStructure":"b\#
y-name","params":[{"name":"id","required":true,"schema":{"type":"string"}}],"result":{"name":"result","require\#
d":true,"schema":{"$ref":"#/components/schemas/ApprovalWait.Result"}},"summary":"Waits until an access request\#
 is answered or expires."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/error\#
s/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/c\#
omponents/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied\#
"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/comp\#
onents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"\#
}],"name":"audit.list","paramStructure":"by-name","params":[{"name":"limit","required":false,"schema":{"maximu\#
m":10000,"minimum":1,"type":"integer"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/compone\#
nts/schemas/AuditList.Result"}},"summary":"Returns the last audit log entries, newest last."},{"errors":[{"$re\#
f":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/err\#
ors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/compo\#
nents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamage\#
d"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/compone\#
nts/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"audit.verify","paramStructure":"\#
by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AuditVer\#
ify.Result"}},"summary":"Verifies the integrity of the audit log."},{"errors":[{"$ref":"#/components/errors/in\#
validParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/\#
components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccoun\#
t"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/compon\#
ents/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},\#
{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/e\#
rrors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"\#
$ref":"#/components/errors/formatTooNew"}],"name":"egress.grant","paramStructure":"by-name","params":[{"name":\#
"account","required":false,"schema":{"type":"string"}},{"name":"for","required":false,"schema":{"maximum":8640\#
0,"minimum":1,"type":"number"}},{"name":"methods","required":false,"schema":{"items":{"type":"string"},"type":\#
"array"}},{"name":"paths","required":false,"schema":{"items":{"type":"string"},"type":"array"}},{"name":"proce\#
ss","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":\#
"#/components/schemas/EgressGrant.Result"}},"summary":"Opens a loopback URL and a stand-in token for one tool,\#
 which never gets the access token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/compo\#
nents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{\#
"$ref":"#/components/errors/tooMany"}],"name":"egress.list","paramStructure":"by-name","params":[],"result":{"\#
name":"result","required":true,"schema":{"$ref":"#/components/schemas/EgressList.Result"}},"summary":"Lists th\#
e loopback grants."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inte\#
rnalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/compone\#
nts/errors/tooMany"}],"name":"egress.revoke","paramStructure":"by-name","params":[{"name":"id","required":true\#
,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas\#
/Empty"}},"summary":"Ends a loopback grant."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":\#
"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooL\#
arge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components\#
/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailabl\#
e"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/e\#
rrors/formatTooNew"},{"$ref":"#/components/errors/unknownAccount"}],"name":"events.subscribe","paramStructure"\#
:"by-name","params":[{"name":"accounts","required":false,"schema":{"items":{"type":"string"},"type":"array"}},\#
{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/EventsSubscribe.Position"}},{"name":"t\#
okens","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$re\#
f":"#/components/schemas/EventsSubscribe.Position"}},"summary":"Sends the current state, then every change, as\#
 `event` notifications."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors\#
/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/co\#
mponents/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailab\#
le"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/\#
errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"\#
$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/er\#
rors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials\#
"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/compo\#
nents/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUs\#
er"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/component\#
s/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled\#
"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/e\#
rrors/captchaRequired"},{"$ref":"#/components/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"}\#
],"name":"identity.decide","paramStructure":"by-name","params":[{"name":"accept","required":true,"schema":{"ty\#
pe":"boolean"}},{"name":"flow","required":true,"schema":{"type":"string"}}],"result":{"name":"result","require\#
d":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Answers a sign-in with the outcome `\#
decisionNeeded`."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/intern\#
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
ef":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/c\#
aptchaRequired"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$\#
ref":"#/components/errors/linkingDisabled"}],"name":"identity.link","paramStructure":"by-name","params":[{"nam\#
e":"provider","required":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":\#
"string"}},{"name":"detach","required":false,"schema":{"type":"boolean"}},{"name":"port","required":false,"sch\#
ema":{"type":"integer"}},{"name":"redirect","required":false,"schema":{"type":"string"}},{"name":"scopes","req\#
uired":false,"schema":{"type":"string"}},{"name":"timeout","required":false,"schema":{"type":"number"}}],"resu\#
lt":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInStart.Result"}},"summary":"S\#
tarts linking another provider; continues like a sign-in."},{"errors":[{"$ref":"#/components/errors/invalidPar\#
ams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/componen\#
ts/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$r\#
ef":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/err\#
ors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/c\#
omponents/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/\#
timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/co\#
mponents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wr\#
ongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"ident\#
ity.list","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}]\#
,"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/IdentityList.Result"}},"summ\#
ary":"Lists the linked sign-in methods."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/c\#
omponents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge\#
"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/\#
errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$re\#
f":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/s\#
erviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref"\#
:"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/va\#
ultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"\#
#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/las\#
tIdentity"},{"$ref":"#/components/errors/linkingDisabled"}],"name":"identity.unlink","paramStructure":"by-name\#
","params":[{"name":"identityID","required":true,"schema":{"type":"string"}},{"name":"account","required":fals\#
e,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schema\#
s/IdentityList.Result"}},"summary":"Unlinks a sign-in method; the last one cannot be removed."},{"errors":[{"$\#
ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
rrors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/com\#
ponents/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misco\#
nfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/comp\#
onents/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLim\#
ited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/component\#
s/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailab\#
le"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/\#
errors/formatTooNew"},{"$ref":"#/components/errors/methodDisabled"}],"name":"mfa.challenge","paramStructure":"\#
by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"factor","required":\#
false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sc\#
hemas/MFAChallenge.Result"}},"summary":"Has the project send a code to a phone factor."},{"errors":[{"$ref":"#\#
/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/n\#
otReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components\#
/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigure\#
d"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/\#
errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},\#
{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/error\#
s/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"\#
$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/\#
formatTooNew"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/mfaNeeded"}],"name":\#
"mfa.enroll","paramStructure":"by-name","params":[{"name":"type","required":true,"schema":{"enum":["totp","pho\#
ne"],"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"name","required\#
":false,"schema":{"type":"string"}},{"name":"phone","required":false,"schema":{"type":"string"}}],"result":{"n\#
ame":"result","required":true,"schema":{"$ref":"#/components/schemas/MFAEnroll.Result"}},"summary":"Adds a sec\#
ond factor; mfa.verify completes it."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/comp\#
onents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},\#
{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/err\#
ors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":\#
"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serv\#
iceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#\#
/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vault\#
Damaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/c\#
omponents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"mfa.list","paramStructure"\#
:"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result"\#
,"required":true,"schema":{"$ref":"#/components/schemas/MFAList.Result"}},"summary":"Lists the user's second f\#
actors."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}\#
,{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/\#
tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#\#
/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approval\#
Needed"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/c\#
omponents/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocke\#
d"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/componen\#
ts/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"\#
},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/mfaNeeded"}],"name":"mfa.remove","p\#
aramStructure":"by-name","params":[{"name":"factor","required":true,"schema":{"type":"string"}},{"name":"accou\#
nt","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"\#
#/components/schemas/Empty"}},"summary":"Removes a second factor."},{"errors":[{"$ref":"#/components/errors/in\#
validParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/\#
components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccoun\#
t"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/compon\#
ents/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$r\#
ef":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components\#
/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$re\#
f":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/e\#
rrors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref\#
":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/methodDisabled"}],"name":"mfa.start","paramStru\#
cture":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"detach","re\#
quired":false,"schema":{"type":"boolean"}},{"name":"timeout","required":false,"schema":{"type":"number"}}],"re\#
sult":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInStart.Result"}},"summary":\#
"Opens the agent's page for a second factor."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref"\#
:"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/too\#
Large"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/compon\#
ents/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},\#
{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/err\#
ors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"\#
$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/erro\#
rs/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$r\#
ef":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/error\#
s/codeInvalid"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":\#
"#/components/errors/mfaNeeded"}],"name":"mfa.verify","paramStructure":"by-name","params":[{"name":"code","req\#
uired":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name"\#
:"factor","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$\#
ref":"#/components/schemas/AccountStatus"}},"summary":"Verifies a second factor; ends the user's other session\#
s without one."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internal\#
Error"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/\#
errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$\#
ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/a\#
pprovalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$re\#
f":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vau\#
ltLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/c\#
omponents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/stora\#
geFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"profile.get","paramStructure":"by-name","params"\#
:[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"s\#
chema":{"$ref":"#/components/schemas/ProfileResult"}},"summary":"Returns the user's profile from the API."},{"\#
errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/\#
components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"\#
$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/\#
errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$\#
ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/er\#
rors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":\#
"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/va\#
ultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#\#
/components/errors/formatTooNew"}],"name":"profile.update","paramStructure":"by-name","params":[{"name":"set",\#
"required":true,"schema":{"additionalProperties":{},"type":"object"}},{"name":"account","required":false,"sche\#
ma":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Profi\#
leResult"}},"summary":"Updates fields of the profile."},{"errors":[{"$ref":"#/components/errors/invalidParams"\#
},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/e\#
rrors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"rpc.discover","paramStructure":"by-name","par\#
ams":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/OpenRPCDocument"}},"s\#
ummary":"Returns this document."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/component\#
s/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$re\#
f":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/s\#
ignInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/co\#
mponents/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vault\#
Copied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"\#
#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatT\#
ooNew"}],"name":"session.explain","paramStructure":"by-name","params":[{"name":"account","required":false,"sch\#
ema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Sess\#
ionExplain.Result"}},"summary":"Explains the next refresh; lists recent attempts."},{"errors":[{"$ref":"#/comp\#
onents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notRea\#
dy"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"session.list","pa\#
ramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/s\#
chemas/SessionList.Result"}},"summary":"Lists all accounts."},{"errors":[{"$ref":"#/components/errors/invalidP\#
arams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/compon\#
ents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"\#
$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/e\#
rrors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#\#
/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/error\#
s/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/\#
components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/\#
wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"ses\#
sion.refresh","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string\#
"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summar\#
y":"Refreshes now (at most once every 5 seconds)."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"\#
$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/error\#
s/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/c\#
omponents/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/deni\#
ed"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/component\#
s/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut\#
"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components\#
/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"}\#
,{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/\#
errors/flowBusy"}],"name":"session.remove","paramStructure":"by-name","params":[{"name":"account","required":t\#
rue,"schema":{"type":"string"}},{"name":"discard","required":false,"schema":{"type":"boolean"}}],"result":{"na\#
me":"result","required":true,"schema":{"$ref":"#/components/schemas/SessionRemove.Result"}},"summary":"Signs a\#
n account out and deletes everything stored about it."},{"errors":[{"$ref":"#/components/errors/invalidParams"\#
},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/e\#
rrors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":\#
"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/\#
denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/c\#
omponents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultU\#
navailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/com\#
ponents/errors/formatTooNew"},{"$ref":"#/components/errors/flowBusy"}],"name":"session.rename","paramStructure\#
":"by-name","params":[{"name":"account","required":true,"schema":{"type":"string"}},{"name":"name","required":\#
true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sch\#
emas/AccountStatus"}},"summary":"Renames an account."},{"errors":[{"$ref":"#/components/errors/invalidParams"}\#
,{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/er\#
rors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"\#
#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/d\#
enied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/compon\#
ents/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timed\#
Out"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/compone\#
nts/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKe\#
y"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.si\#
gnOut","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"n\#
ame":"all","required":false,"schema":{"type":"boolean"}},{"name":"discard","required":false,"schema":{"type":"\#
boolean"}},{"name":"scope","required":false,"schema":{"$ref":"#/components/schemas/SignOutScope"}}],"result":{\#
"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SessionSignOut.Result"}},"summary":"End\#
s a session here immediately, and on the server once it is reachable."},{"errors":[{"$ref":"#/components/error\#
s/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref"\#
:"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAc\#
count"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/co\#
mponents/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"session.status","paramStructur\#
e":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"resul\#
t","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Returns one account."},{\#
"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#\#
/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{\#
"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components\#
/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"\#
$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/e\#
rrors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref"\#
:"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/v\#
aultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"\#
#/components/errors/formatTooNew"},{"$ref":"#/components/errors/mfaNeeded"}],"name":"session.token","paramStru\#
cture":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"assurance",\#
"required":false,"schema":{"enum":["aal1","aal2"],"type":"string"}},{"name":"endpoints","required":false,"sche\#
ma":{"type":"boolean"}},{"name":"minTTL","required":false,"schema":{"description":"The least remaining life, i\#
n seconds.","minimum":0,"type":"number"}},{"name":"reason","required":false,"schema":{"type":"string"}},{"name\#
":"rejected","required":false,"schema":{"description":"The SHA-256 of a token that a server refused.","pattern\#
":"^[0-9a-f]{64}$","type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components\#
/schemas/SessionToken.Result"}},"summary":"Returns a valid access token."},{"errors":[{"$ref":"#/components/er\#
rors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$r\#
ef":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknow\#
nAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#\#
/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLo\#
cked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/compo\#
nents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFu\#
ll"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.use","paramStructure":"by-name","params":[{"\#
name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schem\#
a":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Sets the default account."},{"errors":[{"$ref":"#\#
/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/n\#
otReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components\#
/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigure\#
d"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/\#
errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"\#
$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/er\#
rors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.useAPI","paramStructure":"by-n\#
ame","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","requ\#
ired":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Allows the configured API to rec\#
eive the account's token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/erro\#
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
ed"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components\#
/errors/captchaRequired"}],"name":"signIn.anonymous","paramStructure":"by-name","params":[{"name":"account","r\#
equired":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}}],"re\#
sult":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Crea\#
tes an anonymous user and signs in as this user."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$\#
ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors\#
/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/flowUnknown"}],"name":"signIn.\#
cancel","paramStructure":"by-name","params":[{"name":"flow","required":true,"schema":{"type":"string"}}],"resu\#
lt":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty"}},"summary":"Cancels a runn\#
ing sign-in."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalEr\#
ror"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/er\#
rors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref\#
":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaul\#
tLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/co\#
mponents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storag\#
eFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":\#
"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/error\#
s/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref\#
":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/id\#
entityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":\#
"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captc\#
haRequired"},{"$ref":"#/components/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"},{"$ref":"#\#
/components/errors/codeInvalid"}],"name":"signIn.complete","paramStructure":"by-name","params":[{"name":"callb\#
ack","required":true,"schema":{"type":"string"}},{"name":"canAsk","required":false,"schema":{"type":"boolean"}\#
}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":\#
"Finishes a sign-in with its redirect URL."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"\#
#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLa\#
rge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/erro\#
rs/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$\#
ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/error\#
s/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$re\#
f":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors\#
/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists\#
"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/compon\#
ents/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{\#
"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/componen\#
ts/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$r\#
ef":"#/components/errors/captchaRequired"}],"name":"signIn.idToken","paramStructure":"by-name","params":[{"nam\#
e":"idToken","required":true,"schema":{"type":"string"}},{"name":"provider","required":true,"schema":{"type":"\#
string"}},{"name":"acceptLink","required":false,"schema":{"type":"boolean"}},{"name":"account","required":fals\#
e,"schema":{"type":"string"}},{"name":"email","required":false,"schema":{"type":"string"}},{"name":"name","req\#
uired":false,"schema":{"type":"string"}},{"name":"nonce","required":false,"schema":{"type":"string"}},{"name":\#
"project","required":false,"schema":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":"bo\#
olean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"s\#
ummary":"Exchanges a provider's identity token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$r\#
ef":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/\#
tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components\#
/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"\#
},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/\#
errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},\#
{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/e\#
rrors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userE\#
xists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/c\#
omponents/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigure\#
d"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/com\#
ponents/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}\#
,{"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/components/errors/signInNeeded"}],"name":"signIn.im\#
portSession","paramStructure":"by-name","params":[{"name":"refreshToken","required":true,"schema":{"type":"str\#
ing"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"project","required":false,"sche\#
ma":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"resu\#
lt","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Imports a session from \#
its refresh token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inte\#
rnalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/compone\#
nts/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},\#
{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/error\#
s/misconfigured"}],"name":"signIn.methods","paramStructure":"by-name","params":[{"name":"project","required":f\#
alse,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sch\#
emas/SignInMethods.Result"}},"summary":"Lists the project's enabled sign-in methods."},{"errors":[{"$ref":"#/c\#
omponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/not\#
Ready"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"signIn.nonce",\#
"paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/component\#
s/schemas/SignInNonce.Result"}},"summary":"Returns a single-use nonce for Apple's native sign-in."},{"errors":\#
[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/componen\#
ts/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#\#
/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/ra\#
teLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/comp\#
onents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnav\#
ailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/compon\#
ents/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emai\#
lNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":\#
"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/fl\#
owBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/\#
components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/deni\#
ed"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"}],"name":"sig\#
nIn.password","paramStructure":"by-name","params":[{"name":"email","required":true,"schema":{"type":"string"}}\#
,{"name":"password","required":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"\#
type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"replace","required":f\#
alse,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sc\#
hemas/SignInResult"}},"summary":"Signs in with email and password."},{"errors":[{"$ref":"#/components/errors/i\#
nvalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#\#
/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"\#
$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/componen\#
ts/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$\#
ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components\#
/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$r\#
ef":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/comp\#
onents/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisa\#
bled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/\#
errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInval\#
id"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/erro\#
rs/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/components/errors/unknownAccount\#
"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/linkingDisabled"}],"name":"signIn.\#
sendCode","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},\#
{"name":"createUser","required":false,"schema":{"type":"boolean"}},{"name":"email","required":false,"schema":{\#
"type":"string"}},{"name":"phone","required":false,"schema":{"type":"string"}},{"name":"project","required":fa\#
lse,"schema":{"type":"string"}},{"name":"purpose","required":false,"schema":{"$ref":"#/components/schemas/Code\#
Purpose"}},{"name":"replace","required":false,"schema":{"type":"boolean"}},{"name":"reuse","required":false,"s\#
chema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/S\#
ignInSendCode.Result"}},"summary":"Has the project send a code by email or text message."},{"errors":[{"$ref":\#
"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors\#
/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/componen\#
ts/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited\#
"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/er\#
rors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"}\#
,{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/erro\#
rs/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfi\#
rmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/compon\#
ents/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},\#
{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/component\#
s/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$r\#
ef":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"}],"name":"signIn.signU\#
p","paramStructure":"by-name","params":[{"name":"email","required":true,"schema":{"type":"string"}},{"name":"p\#
assword","required":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"stri\#
ng"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"replace","required":false,"schem\#
a":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignI\#
nResult"}},"summary":"Creates a user with email and password."},{"errors":[{"$ref":"#/components/errors/invali\#
dParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/comp\#
onents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref"\#
:"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/er\#
rors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":\#
"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/erro\#
rs/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"\#
#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/component\#
s/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"\#
},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/error\#
s/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},\#
{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/ap\#
provalNeeded"},{"$ref":"#/components/errors/captchaRequired"}],"name":"signIn.start","paramStructure":"by-name\#
","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"detach","required":false,"\#
schema":{"type":"boolean"}},{"name":"mfa","required":false,"schema":{"type":"string"}},{"name":"port","require\#
d":false,"schema":{"maximum":65535,"minimum":0,"type":"integer"}},{"name":"project","required":false,"schema":\#
{"type":"string"}},{"name":"provider","required":false,"schema":{"type":"string"}},{"name":"redirect","require\#
d":false,"schema":{"enum":["loopback","scheme","manual"],"type":"string"}},{"name":"replace","required":false,\#
"schema":{"type":"boolean"}},{"name":"scopes","required":false,"schema":{"type":"string"}},{"name":"sso","requ\#
ired":false,"schema":{"$ref":"#/components/schemas/SingleSignOn"}},{"name":"takeOver","required":false,"schema\#
":{"type":"boolean"}},{"name":"timeout","required":false,"schema":{"type":"number"}}],"result":{"name":"result\#
","required":true,"schema":{"$ref":"#/components/schemas/SignInStart.Result"}},"summary":"Starts a sign-in in \#
a browser. It is cancelled if the caller disconnects, unless `detach`."},{"errors":[{"$ref":"#/components/erro\#
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
n"},{"$ref":"#/components/errors/flowTimedOut"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/compo\#
nents/errors/signInNeeded"},{"$ref":"#/components/errors/codeInvalid"}],"name":"signIn.verifyCode","paramStruc\#
ture":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"code","requi\#
red":false,"schema":{"type":"string"}},{"name":"email","required":false,"schema":{"type":"string"}},{"name":"f\#
low","required":false,"schema":{"type":"string"}},{"name":"link","required":false,"schema":{"type":"string"}},\#
{"name":"phone","required":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"typ\#
e":"string"}},{"name":"purpose","required":false,"schema":{"$ref":"#/components/schemas/CodePurpose"}},{"name"\#
:"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{\#
"$ref":"#/components/schemas/AccountStatus"}},"summary":"Signs in with a code, or with a link from a mail."},{\#
"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#\#
/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{\#
"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/\#
errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref\#
":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/\#
vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":\#
"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/er\#
rors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPassword"}\#
,{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/\#
errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"\#
$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/er\#
rors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"},{"$\#
ref":"#/components/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"},{"$ref":"#/components/erro\#
rs/signInNeeded"}],"name":"signIn.wait","paramStructure":"by-name","params":[{"name":"flow","required":true,"s\#
chema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Si\#
gnInResult"}},"summary":"Waits until a sign-in ends."},{"errors":[{"$ref":"#/components/errors/invalidParams"}\#
,{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/er\#
rors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"telemetry.snapshot","paramStructure":"by-name"\#
,"params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/TelemetrySnapsho\#
t.Result"}},"summary":"Returns metrics since the agent started. No personal data."},{"errors":[{"$ref":"#/comp\#
onents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notRea\#
dy"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/erro\#
rs/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref\#
":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors\#
/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/denied"}],"name":"vaul\#
t.addKey","paramStructure":"by-name","params":[{"name":"kind","required":true,"schema":{"$ref":"#/components/s\#
chemas/VaultKeyKind"}},{"name":"present","required":true,"schema":{"$ref":"#/components/schemas/PresentKeys"}}\#
,{"name":"keepKeyFile","required":false,"schema":{"type":"boolean"}},{"name":"passphrase","required":false,"sc\#
hema":{"$ref":"#/components/schemas/SecretText"}},{"name":"path","required":false,"schema":{"type":"string"}},\#
{"name":"replaces","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"sc\#
hema":{"$ref":"#/components/schemas/VaultAddKey.Result"}},"summary":"Adds a key to the vault."},{"errors":[{"$\#
ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
rrors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/com\#
ponents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDama\#
ged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/compo\#
nents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/offline"},\#
{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/compon\#
ents/errors/timedOut"}],"name":"vault.adopt","paramStructure":"by-name","params":[],"result":{"name":"result",\#
"required":true,"schema":{"$ref":"#/components/schemas/VaultAdopt.Result"}},"summary":"Adopts a vault that was\#
 copied from another machine."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/\#
errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref"\#
:"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultC\#
opied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#\#
/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTo\#
oNew"}],"name":"vault.lock","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"\#
schema":{"$ref":"#/components/schemas/VaultLock.Result"}},"summary":"Locks the vault until `vault.unlock`, acr\#
oss restarts."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalE\#
rror"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/e\#
rrors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":\#
"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/erro\#
rs/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"\#
#/components/errors/denied"}],"name":"vault.rekey","paramStructure":"by-name","params":[{"name":"present","req\#
uired":true,"schema":{"$ref":"#/components/schemas/PresentKeys"}}],"result":{"name":"result","required":true,"\#
schema":{"$ref":"#/components/schemas/VaultRekey.Result"}},"summary":"Creates a new master key; requires every\#
 key."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{\#
"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/to\#
oMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/compo\#
nents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrong\#
Key"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/compon\#
ents/errors/denied"}],"name":"vault.removeKey","paramStructure":"by-name","params":[{"name":"id","required":tr\#
ue,"schema":{"type":"string"}},{"name":"present","required":true,"schema":{"$ref":"#/components/schemas/Presen\#
tKeys"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty"}},"summary":\#
"Removes a key; older copies of the vault still open with it."},{"errors":[{"$ref":"#/components/errors/invali\#
dParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/comp\#
onents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$\#
ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/erro\#
rs/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$re\#
f":"#/components/errors/formatTooNew"}],"name":"vault.status","paramStructure":"by-name","params":[],"result":\#
{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultStatus.Result"}},"summary":"Retur\#
ns the vault's status, even while locked."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#\#
/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLar\#
ge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/e\#
rrors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"\#
},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/err\#
ors/formatTooNew"}],"name":"vault.unlock","paramStructure":"by-name","params":[{"name":"keyFile","required":fa\#
lse,"schema":{"type":"string"}},{"name":"passphrase","required":false,"schema":{"$ref":"#/components/schemas/S\#
ecretText"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultUnlock.Res\#
ult"}},"summary":"Unlocks the vault."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/comp\#
onents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},\#
{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors\#
/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$\#
ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/f\#
ormatTooNew"}],"name":"vault.verify","paramStructure":"by-name","params":[],"result":{"name":"result","require\#
d":true,"schema":{"$ref":"#/components/schemas/VaultVerify.Result"}},"summary":"Verifies the vault's files wit\#
h its keys."}],"openrpc":"1.3.2","x-notifications":[{"name":"event","required":true,"schema":{"$ref":"#/compon\#
ents/schemas/AgentEvent"}}]}
"""#
}
