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
henticated","authenticated","degraded","signInNeeded","locked","copied","misconfigured"],"type":"string"},"Acc\#
ountStatus":{"additionalProperties":false,"properties":{"activity":{"$ref":"#/components/schemas/AccountActivi\#
ty"},"assurance":{"$ref":"#/components/schemas/AccountAssurance"},"ended":{"$ref":"#/components/schemas/EndedS\#
ession"},"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$\#
","type":"string"},"identities":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type":"array"},"isDe\#
fault":{"type":"boolean"},"mfa":{"$ref":"#/components/schemas/SecondFactorNeed"},"name":{"type":"string"},"onb\#
oarding":{"type":"string"},"origin":{"type":"string"},"project":{"type":"string"},"refresh":{"$ref":"#/compone\#
nts/schemas/RefreshStatus"},"session":{"$ref":"#/components/schemas/SessionLife"},"state":{"$ref":"#/component\#
s/schemas/AccountState"},"tokenUsable":{"type":"boolean"},"user":{"$ref":"#/components/schemas/AccountUser"}},\#
"required":["activity","identities","isDefault","name","project","state","tokenUsable"],"type":"object"},"Acco\#
untUser":{"additionalProperties":false,"properties":{"email":{"type":"string"},"id":{"type":"string"},"isAnony\#
mous":{"type":"boolean"},"name":{"type":"string"},"phone":{"type":"string"},"provider":{"type":"string"}},"req\#
uired":["id"],"type":"object"},"AgentDiagnose.Result":{"additionalProperties":false,"properties":{"checks":{"i\#
tems":{"$ref":"#/components/schemas/DiagnosticCheck"},"type":"array"},"redirect":{"type":"string"},"schemes":{\#
"items":{"type":"string"},"type":"array"}},"required":["checks","redirect","schemes"],"type":"object"},"AgentE\#
rror":{"additionalProperties":false,"properties":{"code":{"type":"integer"},"data":{"$ref":"#/components/schem\#
as/AgentError.Details"},"message":{"type":"string"}},"required":["code","message"],"type":"object"},"AgentErro\#
r.Details":{"additionalProperties":false,"properties":{"account":{"type":"string"},"approval":{"type":"string"\#
},"detail":{"type":"string"},"hint":{"type":"string"},"kind":{"$ref":"#/components/schemas/ErrorKind"},"retryA\#
fter":{"type":"number"},"retryable":{"type":"boolean"}},"required":["kind","retryable"],"type":"object"},"Agen\#
tEvent":{"additionalProperties":false,"properties":{"account":{"type":"string"},"approval":{"$ref":"#/componen\#
ts/schemas/Approval"},"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9\#
]{2}Z$","type":"string"},"program":{"type":"string"},"reason":{"type":"string"},"sequence":{"minimum":0,"type"\#
:"integer"},"status":{"$ref":"#/components/schemas/AccountStatus"},"token":{"$ref":"#/components/schemas/Sessi\#
onToken.Result"},"type":{"$ref":"#/components/schemas/EventType"}},"required":["at","sequence","type"],"type":\#
"object"},"AgentHello.Result":{"additionalProperties":false,"properties":{"agent":{"type":"string"},"capabilit\#
ies":{"items":{"type":"string"},"type":"array"},"protocol":{"type":"integer"},"version":{"type":"string"}},"re\#
quired":["agent","capabilities","protocol","version"],"type":"object"},"AgentReload.Result":{"additionalProper\#
ties":false,"properties":{"projects":{"items":{"type":"string"},"type":"array"},"reloaded":{"type":"boolean"},\#
"warning":{"type":"string"}},"required":["projects"],"type":"object"},"AgentStatusMethod.Result":{"additionalP\#
roperties":false,"properties":{"accounts":{"items":{"$ref":"#/components/schemas/AccountStatus"},"type":"array\#
"},"autostart":{"type":"boolean"},"health":{"items":{"type":"string"},"type":"array"},"pid":{"type":"integer"}\#
,"stateFolder":{"type":"string"},"unrevoked":{"items":{"type":"string"},"type":"array"},"uptime":{"type":"inte\#
ger"},"vault":{"$ref":"#/components/schemas/VaultSummary"},"version":{"type":"string"}},"required":["accounts"\#
,"health","pid","uptime","vault","version"],"type":"object"},"Approval":{"additionalProperties":false,"propert\#
ies":{"account":{"type":"string"},"askedAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]\#
{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"executable":{"type":"string"},"id":{"type":"string"},"method":{"typ\#
e":"string"},"pid":{"type":"integer"},"state":{"$ref":"#/components/schemas/ApprovalState"},"unit":{"type":"st\#
ring"},"until":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","typ\#
e":"string"}},"required":["account","askedAt","id","method","pid","state"],"type":"object"},"ApprovalList.Resu\#
lt":{"additionalProperties":false,"properties":{"approvals":{"items":{"$ref":"#/components/schemas/Approval"},\#
"type":"array"}},"required":["approvals"],"type":"object"},"ApprovalState":{"examples":["pending","allowed","d\#
enied","expired"],"type":"string"},"ApprovalWait.Result":{"additionalProperties":false,"properties":{"state":{\#
"$ref":"#/components/schemas/ApprovalState"}},"required":["state"],"type":"object"},"AuditEntry":{"additionalP\#
roperties":false,"properties":{"accepted":{"type":"boolean"},"account":{"type":"string"},"at":{"format":"date-\#
time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"count":{"minimum"\#
:0,"type":"integer"},"detail":{"type":"string"},"event":{"$ref":"#/components/schemas/AuditEvent"},"executable\#
":{"type":"string"},"first":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-\#
9]{2}Z$","type":"string"},"handOut":{"minimum":0,"type":"integer"},"last":{"format":"date-time","pattern":"^[0\#
-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"pid":{"type":"integer"},"previous":{"\#
type":"string"},"project":{"type":"string"},"provider":{"type":"string"},"sequence":{"minimum":0,"type":"integ\#
er"},"statuses":{"additionalProperties":{"minimum":0,"type":"integer"},"type":"object"},"token":{"type":"strin\#
g"},"unit":{"type":"string"},"way":{"type":"string"}},"required":["at","event","sequence"],"type":"object"},"A\#
uditEvent":{"examples":["agentStarted","agentStopped","signedIn","signedOut","sessionEnded","linked","unlinked\#
","decided","denied","approvalAsked","approvalAnswered","approvalRevoked","handOut","egressUsed","grantMade","\#
grantEnded","apiAccepted","factorEnrolled","factorVerified","factorRemoved","accountRenamed","accountRemoved",\#
"vaultLocked","vaultUnlocked","keyAdded","keyRemoved","rekeyed","vaultAdopted","fileBegun","interrupted","entr\#
iesLost"],"type":"string"},"AuditList.Result":{"additionalProperties":false,"properties":{"entries":{"items":{\#
"$ref":"#/components/schemas/AuditEntry"},"type":"array"},"isChecked":{"type":"boolean"},"leftOut":{"type":"in\#
teger"},"more":{"type":"boolean"},"unknownCount":{"type":"integer"},"unknownFiles":{"items":{"type":"string"},\#
"type":"array"}},"required":["entries","isChecked","leftOut","more","unknownCount","unknownFiles"],"type":"obj\#
ect"},"AuditVerify.Finding":{"additionalProperties":false,"properties":{"file":{"type":"string"},"first":{"min\#
imum":0,"type":"integer"},"kind":{"type":"string"},"last":{"minimum":0,"type":"integer"}},"required":["file","\#
kind"],"type":"object"},"AuditVerify.Result":{"additionalProperties":false,"properties":{"findings":{"items":{\#
"$ref":"#/components/schemas/AuditVerify.Finding"},"type":"array"},"first":{"minimum":0,"type":"integer"},"fit\#
ting":{"type":"integer"},"interruptions":{"items":{"minimum":0,"type":"integer"},"type":"array"},"isWhole":{"t\#
ype":"boolean"},"limits":{"items":{"type":"string"},"type":"array"},"sealed":{"minimum":0,"type":"integer"},"u\#
nsealed":{"type":"integer"}},"required":["findings","first","fitting","interruptions","isWhole","limits","seal\#
ed","unsealed"],"type":"object"},"CheckOutcome":{"examples":["ok","warn","fail"],"type":"string"},"CodePurpose\#
":{"examples":["signIn","link"],"type":"string"},"DiagnosticCheck":{"additionalProperties":false,"properties":\#
{"name":{"type":"string"},"next":{"type":"string"},"outcome":{"$ref":"#/components/schemas/CheckOutcome"},"pro\#
ject":{"type":"string"},"words":{"type":"string"}},"required":["name","outcome","words"],"type":"object"},"Emp\#
ty":{"additionalProperties":false,"properties":{},"type":"object"},"EndedSession":{"additionalProperties":fals\#
e,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$\#
","type":"string"},"reason":{"type":"string"}},"required":["at","reason"],"type":"object"},"ErrorKind":{"examp\#
les":["approvalNeeded","callbackInvalid","cancelled","captchaRequired","codeInvalid","denied","emailNotConfirm\#
ed","flowBusy","flowTimedOut","flowUnknown","formatTooNew","identityTaken","internalError","invalidCredentials\#
","invalidParams","invalidRequest","lastIdentity","linkingConflict","linkingDisabled","methodDisabled","method\#
NotFound","mfaNeeded","misconfigured","notReady","offline","parseError","rateLimited","serviceUnavailable","si\#
gnInNeeded","storageFull","timedOut","tooLarge","tooMany","unknownAccount","unsupportedVersion","userExists","\#
vaultCopied","vaultDamaged","vaultLocked","vaultUnavailable","weakPassword","wrongKey","wrongUser"],"type":"st\#
ring"},"EventType":{"examples":["INITIAL_SESSION","SIGNED_IN","TOKEN_REFRESHED","USER_UPDATED","SIGNED_OUT","A\#
CCOUNT_LINKED","STATE_CHANGED","MFA_CHALLENGE_VERIFIED","MFA_NEEDED","DEFAULT_CHANGED","VAULT_LOCKED","VAULT_U\#
NLOCKED","APPROVAL_NEEDED","APPROVAL_ANSWERED","RESYNC"],"type":"string"},"EventsSubscribe.Position":{"additio\#
nalProperties":false,"properties":{"epoch":{"type":"string"},"sequence":{"minimum":0,"type":"integer"}},"requi\#
red":["epoch","sequence"],"type":"object"},"IdentityList.Result":{"additionalProperties":false,"properties":{"\#
account":{"type":"string"},"identities":{"items":{"$ref":"#/components/schemas/AccountIdentity"},"type":"array\#
"},"isCurrent":{"type":"boolean"}},"required":["account","identities","isCurrent"],"type":"object"},"MFAChalle\#
nge.Result":{"additionalProperties":false,"properties":{"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}\#
-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factor":{"type":"string"}},"required":["exp\#
iresAt","factor"],"type":"object"},"MFAEnroll.Result":{"additionalProperties":false,"properties":{"factor":{"t\#
ype":"string"},"secret":{"type":"string"},"uri":{"type":"string"}},"required":["factor"],"type":"object"},"MFA\#
List.Result":{"additionalProperties":false,"properties":{"account":{"type":"string"},"assurance":{"$ref":"#/co\#
mponents/schemas/AccountAssurance"},"endsAccounts":{"items":{"type":"string"},"type":"array"},"factors":{"item\#
s":{"$ref":"#/components/schemas/AccountFactor"},"type":"array"},"isCurrent":{"type":"boolean"}},"required":["\#
account","assurance","endsAccounts","factors","isCurrent"],"type":"object"},"MetricFamily":{"additionalPropert\#
ies":false,"properties":{"help":{"type":"string"},"name":{"type":"string"},"samples":{"items":{"$ref":"#/compo\#
nents/schemas/MetricFamily.Sample"},"type":"array"},"type":{"type":"string"},"unit":{"type":"string"}},"requir\#
ed":["help","name","samples","type"],"type":"object"},"MetricFamily.Sample":{"additionalProperties":false,"pro\#
perties":{"labels":{"additionalProperties":{"type":"string"},"type":"object"},"suffix":{"type":"string"},"valu\#
e":{"type":"number"}},"required":["labels","suffix","value"],"type":"object"},"OpenRPCDocument":{"additionalPr\#
operties":false,"properties":{"components":{"$ref":"#/components/schemas/OpenRPCDocument.Components"},"info":{\#
"$ref":"#/components/schemas/OpenRPCDocument.Info"},"methods":{"items":{},"type":"array"},"openrpc":{"type":"s\#
tring"},"x-notifications":{"items":{},"type":"array"}},"required":["components","info","methods","openrpc","x-\#
notifications"],"type":"object"},"OpenRPCDocument.Components":{"additionalProperties":false,"properties":{"err\#
ors":{"additionalProperties":{},"type":"object"},"schemas":{"additionalProperties":{},"type":"object"}},"requi\#
red":["errors","schemas"],"type":"object"},"OpenRPCDocument.Info":{"additionalProperties":false,"properties":{\#
"title":{"type":"string"},"version":{"type":"string"}},"required":["title","version"],"type":"object"},"Presen\#
tKeys":{"additionalProperties":false,"properties":{"credential":{"type":"boolean"},"keyFile":{"type":"boolean"\#
},"keyFiles":{"items":{"type":"string"},"type":"array"},"passphrases":{"items":{"$ref":"#/components/schemas/S\#
ecretText"},"type":"array"}},"type":"object"},"ProfileResult":{"additionalProperties":false,"properties":{"acc\#
ount":{"type":"string"},"onboarding":{"type":"string"},"prefill":{"additionalProperties":{},"type":"object"},"\#
profile":{"additionalProperties":{},"type":"object"}},"required":["account","onboarding"],"type":"object"},"Re\#
freshStatus":{"additionalProperties":false,"properties":{"attempts":{"type":"integer"},"clockSkew":{"type":"in\#
teger"},"lastError":{"$ref":"#/components/schemas/AgentError"},"nextAt":{"format":"date-time","pattern":"^[0-9\#
]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"required":["attempts"],"type":"object"\#
},"RefreshTry":{"additionalProperties":false,"properties":{"at":{"format":"date-time","pattern":"^[0-9]{4}-[0-\#
9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"error":{"$ref":"#/components/schemas/ErrorKind"\#
},"latency":{"type":"number"},"outcome":{"type":"string"},"reason":{"type":"string"},"status":{"type":"integer\#
"}},"required":["at","latency","outcome","reason"],"type":"object"},"SecondFactorNeed":{"additionalProperties"\#
:false,"properties":{"endsAccounts":{"items":{"type":"string"},"type":"array"},"endsAt":{"format":"date-time",\#
"pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"factors":{"items":{"$re\#
f":"#/components/schemas/AccountFactor"},"type":"array"},"flow":{"type":"string"},"needed":{"type":"boolean"},\#
"verifiedElsewhereAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z\#
$","type":"string"}},"required":["factors","needed"],"type":"object"},"SecretText":{"type":"string"},"SessionE\#
ndReason":{"examples":["signedOut","endedElsewhere","timebox","inactivity","lowAssurance","newerSignIn","userG\#
one","unknown"],"type":"string"},"SessionExplain.Result":{"additionalProperties":false,"properties":{"account"\#
:{"$ref":"#/components/schemas/AccountStatus"},"explanation":{"items":{"type":"string"},"type":"array"},"tries\#
":{"items":{"$ref":"#/components/schemas/RefreshTry"},"type":"array"}},"required":["account","explanation","tr\#
ies"],"type":"object"},"SessionLife":{"additionalProperties":false,"properties":{"endReason":{"$ref":"#/compon\#
ents/schemas/SessionEndReason"},"endsAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}\#
:[0-9]{2}:[0-9]{2}Z$","type":"string"},"isEstimate":{"type":"boolean"},"startedAt":{"format":"date-time","patt\#
ern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"}},"type":"object"},"SessionLis\#
t.Result":{"additionalProperties":false,"properties":{"accounts":{"items":{"$ref":"#/components/schemas/Accoun\#
tStatus"},"type":"array"}},"required":["accounts"],"type":"object"},"SessionRemove.Result":{"additionalPropert\#
ies":false,"properties":{"account":{"type":"string"},"isPending":{"type":"boolean"}},"required":["account","is\#
Pending"],"type":"object"},"SessionSignOut.Failure":{"additionalProperties":false,"properties":{"account":{"ty\#
pe":"string"},"kind":{"$ref":"#/components/schemas/ErrorKind"},"message":{"type":"string"}},"required":["accou\#
nt","kind","message"],"type":"object"},"SessionSignOut.Result":{"additionalProperties":false,"properties":{"ac\#
counts":{"items":{"type":"string"},"type":"array"},"failed":{"items":{"$ref":"#/components/schemas/SessionSign\#
Out.Failure"},"type":"array"},"pending":{"items":{"type":"string"},"type":"array"}},"required":["accounts","pe\#
nding"],"type":"object"},"SessionToken.Endpoints":{"additionalProperties":false,"properties":{"anonKey":{"type\#
":"string"},"apiURL":{"type":"string"},"projectURL":{"type":"string"}},"required":["anonKey","projectURL"],"ty\#
pe":"object"},"SessionToken.Result":{"additionalProperties":false,"properties":{"accessToken":{"type":"string"\#
},"account":{"type":"string"},"endpoints":{"$ref":"#/components/schemas/SessionToken.Endpoints"},"expiresAt":{\#
"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"ex\#
piresIn":{"type":"integer"},"tokenType":{"type":"string"},"unchanged":{"type":"boolean"}},"required":["accessT\#
oken","account","expiresAt","expiresIn","tokenType"],"type":"object"},"SignInDecision":{"additionalProperties"\#
:false,"properties":{"account":{"type":"string"},"flow":{"type":"string"},"identity":{"$ref":"#/components/sch\#
emas/AccountIdentity"},"kind":{"type":"string"},"others":{"items":{"$ref":"#/components/schemas/AccountIdentit\#
y"},"type":"array"},"user":{"$ref":"#/components/schemas/AccountUser"}},"required":["account","flow","kind","u\#
ser"],"type":"object"},"SignInMethods.Result":{"additionalProperties":false,"properties":{"methods":{"items":{\#
"type":"string"},"type":"array"},"signUp":{"type":"boolean"}},"required":["methods","signUp"],"type":"object"}\#
,"SignInNonce.Result":{"additionalProperties":false,"properties":{"hashed":{"type":"string"},"nonce":{"type":"\#
string"}},"required":["hashed","nonce"],"type":"object"},"SignInResult":{"additionalProperties":false,"propert\#
ies":{"account":{"$ref":"#/components/schemas/AccountStatus"},"decision":{"$ref":"#/components/schemas/SignInD\#
ecision"},"mfa":{"$ref":"#/components/schemas/SecondFactorNeed"},"outcome":{"$ref":"#/components/schemas/SignI\#
nResult.Outcome"}},"required":["outcome"],"type":"object"},"SignInResult.Outcome":{"examples":["signedIn","con\#
firmationSent","decisionNeeded"],"type":"string"},"SignInSendCode.Result":{"additionalProperties":false,"prope\#
rties":{"account":{"$ref":"#/components/schemas/AccountStatus"},"flow":{"type":"string"},"resendAfter":{"type"\#
:"number"}},"required":["flow","resendAfter"],"type":"object"},"SignInStart.Result":{"additionalProperties":fa\#
lse,"properties":{"expiresAt":{"format":"date-time","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[\#
0-9]{2}Z$","type":"string"},"flow":{"type":"string"},"url":{"type":"string"},"warning":{"type":"string"}},"req\#
uired":["expiresAt","flow","url"],"type":"object"},"SignOutScope":{"enum":["local","global","others"],"type":"\#
string"},"SingleSignOn":{"additionalProperties":false,"properties":{"domain":{"type":"string"}},"required":["d\#
omain"],"type":"object"},"TelemetryRecord":{"additionalProperties":false,"properties":{"at":{"format":"date-ti\#
me","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","type":"string"},"event":{"type":"str\#
ing"},"properties":{"additionalProperties":{"type":"string"},"type":"object"}},"required":["at","event","prope\#
rties"],"type":"object"},"TelemetrySnapshot.Result":{"additionalProperties":false,"properties":{"events":{"ite\#
ms":{"$ref":"#/components/schemas/TelemetryRecord"},"type":"array"},"families":{"items":{"$ref":"#/components/\#
schemas/MetricFamily"},"type":"array"}},"required":["events","families"],"type":"object"},"VaultAddKey.Result"\#
:{"additionalProperties":false,"properties":{"key":{"$ref":"#/components/schemas/VaultKey"},"removed":{"items"\#
:{"$ref":"#/components/schemas/VaultKey"},"type":"array"}},"required":["key","removed"],"type":"object"},"Vaul\#
tAdopt.Result":{"additionalProperties":false,"properties":{"accounts":{"items":{"type":"string"},"type":"array\#
"}},"required":["accounts"],"type":"object"},"VaultFinding":{"additionalProperties":false,"properties":{"detai\#
l":{"type":"string"},"file":{"type":"string"},"state":{"type":"string"}},"required":["file","state"],"type":"o\#
bject"},"VaultKey":{"additionalProperties":false,"properties":{"id":{"pattern":"^[0-9a-f]{32}$","type":"string\#
"},"kind":{"$ref":"#/components/schemas/VaultKeyKind"},"memory":{"type":"integer"},"passes":{"type":"integer"}\#
},"required":["id","kind"],"type":"object"},"VaultKeyKind":{"examples":["keyFile","passphrase","credential"],"\#
type":"string"},"VaultLock.Result":{"additionalProperties":false,"properties":{"opensByFile":{"type":"boolean"\#
},"warning":{"type":"string"}},"required":["opensByFile"],"type":"object"},"VaultRekey.Result":{"additionalPro\#
perties":false,"properties":{"generation":{"minimum":0,"type":"integer"}},"required":["generation"],"type":"ob\#
ject"},"VaultStatus.Result":{"additionalProperties":false,"properties":{"damaged":{"items":{"$ref":"#/componen\#
ts/schemas/VaultFinding"},"type":"array"},"generation":{"minimum":0,"type":"integer"},"idleLock":{"type":"inte\#
ger"},"isAuthenticated":{"type":"boolean"},"isMemoryLocked":{"type":"boolean"},"isRekeying":{"type":"boolean"}\#
,"keys":{"items":{"$ref":"#/components/schemas/VaultKey"},"type":"array"},"lockedBy":{"type":"string"},"machin\#
e":{"type":"string"},"openedBy":{"$ref":"#/components/schemas/VaultKeyKind"},"protection":{"items":{"type":"st\#
ring"},"type":"array"},"state":{"enum":["open","copied","locked","unavailable"],"type":"string"}},"required":[\#
"damaged","generation","isAuthenticated","isMemoryLocked","isRekeying","keys","machine","protection","state"],\#
"type":"object"},"VaultSummary":{"additionalProperties":false,"properties":{"damaged":{"items":{"type":"string\#
"},"type":"array"},"error":{"$ref":"#/components/schemas/ErrorKind"},"openedBy":{"type":"string"},"protection"\#
:{"type":"string"},"state":{"type":"string"}},"required":["damaged","state"],"type":"object"},"VaultUnlock.Res\#
ult":{"additionalProperties":false,"properties":{"key":{"$ref":"#/components/schemas/VaultKey"}},"required":["\#
key"],"type":"object"},"VaultVerify.Result":{"additionalProperties":false,"properties":{"files":{"items":{"$re\#
f":"#/components/schemas/VaultFinding"},"type":"array"},"isWhole":{"type":"boolean"}},"required":["files","isW\#
hole"],"type":"object"}}},"info":{"title":"Ritual Agent","version":"
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
components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"events.subscribe","paramStructure\#
":"by-name","params":[{"name":"since","required":false,"schema":{"$ref":"#/components/schemas/EventsSubscribe.\#
Position"}},{"name":"tokens","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","require\#
d":true,"schema":{"$ref":"#/components/schemas/EventsSubscribe.Position"}},"summary":"Sends the current state,\#
 then every change, as `event` notifications."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref\#
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
"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/components/errors/flowUnknown"},{"$ref":"#/components\#
/errors/flowTimedOut"}],"name":"identity.decide","paramStructure":"by-name","params":[{"name":"accept","requir\#
ed":true,"schema":{"type":"boolean"}},{"name":"flow","required":true,"schema":{"type":"string"}}],"result":{"n\#
ame":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInResult"}},"summary":"Answers a sign\#
-in with the outcome `decisionNeeded`."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/co\#
mponents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"\#
},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/s\#
erviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref"\#
:"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/va\#
ultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"\#
#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/inv\#
alidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{\#
"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components\#
/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$re\#
f":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/e\#
rrors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":\#
"#/components/errors/captchaRequired"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/err\#
ors/signInNeeded"},{"$ref":"#/components/errors/linkingDisabled"}],"name":"identity.link","paramStructure":"by\#
-name","params":[{"name":"provider","required":true,"schema":{"type":"string"}},{"name":"account","required":f\#
alse,"schema":{"type":"string"}},{"name":"detach","required":false,"schema":{"type":"boolean"}},{"name":"port"\#
,"required":false,"schema":{"type":"integer"}},{"name":"redirect","required":false,"schema":{"type":"string"}}\#
,{"name":"scopes","required":false,"schema":{"type":"string"}},{"name":"timeout","required":false,"schema":{"t\#
ype":"number"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInStart.\#
Result"}},"summary":"Starts linking another provider; continues like a sign-in."},{"errors":[{"$ref":"#/compon\#
ents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady\#
"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors\#
/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$\#
ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/\#
offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref"\#
:"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vault\#
Copied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"\#
#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatT\#
ooNew"}],"name":"identity.list","paramStructure":"by-name","params":[{"name":"account","required":false,"schem\#
a":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Identi\#
tyList.Result"}},"summary":"Lists the linked sign-in methods."},{"errors":[{"$ref":"#/components/errors/invali\#
dParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/comp\#
onents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},\#
{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components\#
/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":\#
"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/err\#
ors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"\#
#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/error\#
s/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#\#
/components/errors/lastIdentity"},{"$ref":"#/components/errors/linkingDisabled"}],"name":"identity.unlink","pa\#
ramStructure":"by-name","params":[{"name":"identityID","required":true,"schema":{"type":"string"}},{"name":"ac\#
count","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref\#
":"#/components/schemas/IdentityList.Result"}},"summary":"Unlinks a sign-in method; the last one cannot be rem\#
oved."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{\#
"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/to\#
oMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/c\#
omponents/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNe\#
eded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/com\#
ponents/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"\#
},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components\#
/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},\#
{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/methodDisabled"}],"name":"mfa.challen\#
ge","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name\#
":"factor","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"\#
$ref":"#/components/schemas/MFAChallenge.Result"}},"summary":"Has the project send a code to a phone factor."}\#
,{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":\#
"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}\#
,{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/componen\#
ts/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},\#
{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components\#
/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$re\#
f":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors\#
/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref"\#
:"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/error\#
s/mfaNeeded"}],"name":"mfa.enroll","paramStructure":"by-name","params":[{"name":"type","required":true,"schema\#
":{"enum":["totp","phone"],"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"\#
name":"name","required":false,"schema":{"type":"string"}},{"name":"phone","required":false,"schema":{"type":"s\#
tring"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/MFAEnroll.Result"}}\#
,"summary":"Adds a second factor; mfa.verify completes it."},{"errors":[{"$ref":"#/components/errors/invalidPa\#
rams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/compone\#
nts/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$\#
ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/er\#
rors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/\#
components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors\#
/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/c\#
omponents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/w\#
rongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"mfa.\#
list","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"re\#
sult":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/MFAList.Result"}},"summary":"Lis\#
ts the user's second factors."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/\#
errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref"\#
:"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/sig\#
nInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/comp\#
onents/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnav\#
ailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/compon\#
ents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged\#
"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/componen\#
ts/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/mfaNeeded"}],\#
"name":"mfa.remove","paramStructure":"by-name","params":[{"name":"factor","required":true,"schema":{"type":"st\#
ring"}},{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":t\#
rue,"schema":{"$ref":"#/components/schemas/Empty"}},"summary":"Removes a second factor."},{"errors":[{"$ref":"\#
#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/\#
notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/component\#
s/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigur\#
ed"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components\#
/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"}\#
,{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/erro\#
rs/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{\#
"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors\#
/formatTooNew"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/methodDisabled"}],"name":\#
"mfa.start","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}\#
},{"name":"detach","required":false,"schema":{"type":"boolean"}},{"name":"timeout","required":false,"schema":{\#
"type":"number"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInStar\#
t.Result"}},"summary":"Opens the agent's page for a second factor."},{"errors":[{"$ref":"#/components/errors/i\#
nvalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#\#
/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccou\#
nt"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/compo\#
nents/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$\#
ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/component\#
s/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$r\#
ef":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/\#
errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$re\#
f":"#/components/errors/codeInvalid"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/met\#
hodDisabled"},{"$ref":"#/components/errors/mfaNeeded"}],"name":"mfa.verify","paramStructure":"by-name","params\#
":[{"name":"code","required":true,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"ty\#
pe":"string"}},{"name":"factor","required":false,"schema":{"type":"string"}}],"result":{"name":"result","requi\#
red":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Verifies a second factor; ends th\#
e user's other sessions without one."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/comp\#
onents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},\#
{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/err\#
ors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":\#
"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serv\#
iceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#\#
/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vault\#
Damaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/c\#
omponents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"profile.get","paramStructu\#
re":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"resu\#
lt","required":true,"schema":{"$ref":"#/components/schemas/ProfileResult"}},"summary":"Returns the user's prof\#
ile from the API."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inter\#
nalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/componen\#
ts/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},\#
{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/error\#
s/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"\#
$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/\#
vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"\#
#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/st\#
orageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"profile.update","paramStructure":"by-name","p\#
arams":[{"name":"set","required":true,"schema":{"additionalProperties":{},"type":"object"}},{"name":"account",\#
"required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/co\#
mponents/schemas/ProfileResult"}},"summary":"Updates fields of the profile."},{"errors":[{"$ref":"#/components\#
/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{\#
"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"rpc.discover","paramStr\#
ucture":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas\#
/OpenRPCDocument"}},"summary":"Returns this document."},{"errors":[{"$ref":"#/components/errors/invalidParams"\#
},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/e\#
rrors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":\#
"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/\#
denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/c\#
omponents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultU\#
navailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/com\#
ponents/errors/formatTooNew"}],"name":"session.explain","paramStructure":"by-name","params":[{"name":"account"\#
,"required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/c\#
omponents/schemas/SessionExplain.Result"}},"summary":"Explains the next refresh; lists recent attempts."},{"er\#
rors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/co\#
mponents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"na\#
me":"session.list","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{\#
"$ref":"#/components/schemas/SessionList.Result"}},"summary":"Lists all accounts."},{"errors":[{"$ref":"#/comp\#
onents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notRea\#
dy"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/erro\#
rs/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{\#
"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/error\#
s/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$re\#
f":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vau\#
ltCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref"\#
:"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/forma\#
tTooNew"}],"name":"session.refresh","paramStructure":"by-name","params":[{"name":"account","required":false,"s\#
chema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Ac\#
countStatus"}},"summary":"Refreshes now (at most once every 5 seconds)."},{"errors":[{"$ref":"#/components/err\#
ors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$re\#
f":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unknown\#
Account"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/\#
components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offline"\#
},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/comp\#
onents/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"}\#
,{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/compon\#
ents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},\#
{"$ref":"#/components/errors/flowBusy"}],"name":"session.remove","paramStructure":"by-name","params":[{"name":\#
"account","required":true,"schema":{"type":"string"}},{"name":"discard","required":false,"schema":{"type":"boo\#
lean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SessionRemove.Result\#
"}},"summary":"Signs an account out and deletes everything stored about it."},{"errors":[{"$ref":"#/components\#
/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{\#
"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unk\#
nownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref"\#
:"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/vaul\#
tLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/co\#
mponents/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storag\#
eFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/flowBusy"}],"name":"session.r\#
ename","paramStructure":"by-name","params":[{"name":"account","required":true,"schema":{"type":"string"}},{"na\#
me":"name","required":true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$\#
ref":"#/components/schemas/AccountStatus"}},"summary":"Renames an account."},{"errors":[{"$ref":"#/components/\#
errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"\#
$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/unkn\#
ownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconfigured"},{"$ref":\#
"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/offli\#
ne"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/c\#
omponents/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopie\#
d"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/com\#
ponents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew\#
"}],"name":"session.signOut","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":\#
{"type":"string"}},{"name":"all","required":false,"schema":{"type":"boolean"}},{"name":"discard","required":fa\#
lse,"schema":{"type":"boolean"}},{"name":"scope","required":false,"schema":{"$ref":"#/components/schemas/SignO\#
utScope"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SessionSignOut.Re\#
sult"}},"summary":"Ends a session here immediately, and on the server once it is reachable."},{"errors":[{"$re\#
f":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/err\#
ors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/compo\#
nents/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misconf\#
igured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"}],"name":"session.\#
status","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"\#
result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Re\#
turns one account."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inte\#
rnalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/compone\#
nts/errors/tooMany"},{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"}\#
,{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/erro\#
rs/approvalNeeded"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{\#
"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors\#
/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":\#
"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/s\#
torageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/mfaNeeded"}],"name":"ses\#
sion.token","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}\#
},{"name":"assurance","required":false,"schema":{"enum":["aal1","aal2"],"type":"string"}},{"name":"endpoints",\#
"required":false,"schema":{"type":"boolean"}},{"name":"minTTL","required":false,"schema":{"description":"The l\#
east remaining life, in seconds.","minimum":0,"type":"number"}},{"name":"reason","required":false,"schema":{"t\#
ype":"string"}},{"name":"rejected","required":false,"schema":{"description":"The SHA-256 of a token that a ser\#
ver refused.","pattern":"^[0-9a-f]{64}$","type":"string"}}],"result":{"name":"result","required":true,"schema"\#
:{"$ref":"#/components/schemas/SessionToken.Result"}},"summary":"Returns a valid access token."},{"errors":[{"\#
$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/\#
errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/co\#
mponents/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/misc\#
onfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/com\#
ponents/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDama\#
ged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/compo\#
nents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.use","paramStructure":\#
"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":{"name":"result",\#
"required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Sets the default account."}\#
,{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":\#
"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}\#
,{"$ref":"#/components/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/componen\#
ts/errors/misconfigured"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},\#
{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/er\#
rors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"\#
$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"session.useAPI",\#
"paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}],"result":\#
{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Allows the\#
 configured API to receive the account's token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$r\#
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
,{"$ref":"#/components/errors/captchaRequired"}],"name":"signIn.anonymous","paramStructure":"by-name","params"\#
:[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{\#
"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountSta\#
tus"}},"summary":"Creates an anonymous user and signs in as this user."},{"errors":[{"$ref":"#/components/erro\#
rs/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref\#
":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/flowUnkn\#
own"}],"name":"signIn.cancel","paramStructure":"by-name","params":[{"name":"flow","required":true,"schema":{"t\#
ype":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Empty"}},"su\#
mmary":"Cancels a running sign-in."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/compon\#
ents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"\#
$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/servi\#
ceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/\#
components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultD\#
amaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/co\#
mponents/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalid\#
Credentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$re\#
f":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/err\#
ors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"\#
#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/error\#
s/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/c\#
omponents/errors/captchaRequired"},{"$ref":"#/components/errors/flowUnknown"},{"$ref":"#/components/errors/flo\#
wTimedOut"},{"$ref":"#/components/errors/codeInvalid"}],"name":"signIn.complete","paramStructure":"by-name","p\#
arams":[{"name":"callback","required":true,"schema":{"type":"string"}},{"name":"canAsk","required":false,"sche\#
ma":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/Sign\#
InResult"}},"summary":"Finishes a sign-in with its redirect URL."},{"errors":[{"$ref":"#/components/errors/inv\#
alidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/c\#
omponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$r\#
ef":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components\#
/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$re\#
f":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/e\#
rrors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref\#
":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/compon\#
ents/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodDisabl\#
ed"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/components/er\#
rors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackInvalid\#
"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/errors\#
/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"}],"name":"signIn.idToken","paramStructure":"by\#
-name","params":[{"name":"idToken","required":true,"schema":{"type":"string"}},{"name":"provider","required":t\#
rue,"schema":{"type":"string"}},{"name":"acceptLink","required":false,"schema":{"type":"boolean"}},{"name":"ac\#
count","required":false,"schema":{"type":"string"}},{"name":"email","required":false,"schema":{"type":"string"\#
}},{"name":"name","required":false,"schema":{"type":"string"}},{"name":"nonce","required":false,"schema":{"typ\#
e":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"replace","required":fals\#
e,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schem\#
as/AccountStatus"}},"summary":"Exchanges a provider's identity token."},{"errors":[{"$ref":"#/components/error\#
s/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref"\#
:"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"}\#
,{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/compo\#
nents/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},\#
{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/compone\#
nts/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{\#
"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/components/errors/emailNotConfirmed"},{"$ref":"#/c\#
omponents/errors/userExists"},{"$ref":"#/components/errors/weakPassword"},{"$ref":"#/components/errors/methodD\#
isabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/components/errors/flowBusy"},{"$ref":"#/componen\#
ts/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"},{"$ref":"#/components/errors/callbackIn\#
valid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/components/errors/denied"},{"$ref":"#/components/e\#
rrors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/components/errors/signInNeede\#
d"}],"name":"signIn.importSession","paramStructure":"by-name","params":[{"name":"refreshToken","required":true\#
,"schema":{"type":"string"}},{"name":"account","required":false,"schema":{"type":"string"}},{"name":"project",\#
"required":false,"schema":{"type":"string"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],\#
"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"I\#
mports a session from its refresh token."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/\#
components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarg\#
e"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors\#
/serviceUnavailable"},{"$ref":"#/components/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$re\#
f":"#/components/errors/misconfigured"}],"name":"signIn.methods","paramStructure":"by-name","params":[{"name":\#
"project","required":false,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$\#
ref":"#/components/schemas/SignInMethods.Result"}},"summary":"Lists the project's enabled sign-in methods."},{\#
"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#\#
/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],\#
"name":"signIn.nonce","paramStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema\#
":{"$ref":"#/components/schemas/SignInNonce.Result"}},"summary":"Returns a single-use nonce for Apple's native\#
 sign-in."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError\#
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
equired"}],"name":"signIn.password","paramStructure":"by-name","params":[{"name":"email","required":true,"sche\#
ma":{"type":"string"}},{"name":"password","required":true,"schema":{"type":"string"}},{"name":"account","requi\#
red":false,"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":\#
"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"\#
$ref":"#/components/schemas/SignInResult"}},"summary":"Signs in with email and password."},{"errors":[{"$ref":\#
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
ef":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/components\#
/errors/unknownAccount"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/linkingDisab\#
led"}],"name":"signIn.sendCode","paramStructure":"by-name","params":[{"name":"account","required":false,"schem\#
a":{"type":"string"}},{"name":"createUser","required":false,"schema":{"type":"boolean"}},{"name":"email","requ\#
ired":false,"schema":{"type":"string"}},{"name":"phone","required":false,"schema":{"type":"string"}},{"name":"\#
project","required":false,"schema":{"type":"string"}},{"name":"purpose","required":false,"schema":{"$ref":"#/c\#
omponents/schemas/CodePurpose"}},{"name":"replace","required":false,"schema":{"type":"boolean"}},{"name":"reus\#
e","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"\#
#/components/schemas/SignInSendCode.Result"}},"summary":"Has the project send a code by email or text message.\#
"},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref\#
":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany\#
"},{"$ref":"#/components/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/compone\#
nts/errors/rateLimited"},{"$ref":"#/components/errors/timedOut"},{"$ref":"#/components/errors/vaultLocked"},{"\#
$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/err\#
ors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$r\#
ef":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/invalidCredentials"},{"$ref":"#/component\#
s/errors/emailNotConfirmed"},{"$ref":"#/components/errors/userExists"},{"$ref":"#/components/errors/weakPasswo\#
rd"},{"$ref":"#/components/errors/methodDisabled"},{"$ref":"#/components/errors/wrongUser"},{"$ref":"#/compone\#
nts/errors/flowBusy"},{"$ref":"#/components/errors/misconfigured"},{"$ref":"#/components/errors/identityTaken"\#
},{"$ref":"#/components/errors/callbackInvalid"},{"$ref":"#/components/errors/cancelled"},{"$ref":"#/component\#
s/errors/denied"},{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"}\#
],"name":"signIn.signUp","paramStructure":"by-name","params":[{"name":"email","required":true,"schema":{"type"\#
:"string"}},{"name":"password","required":true,"schema":{"type":"string"}},{"name":"account","required":false,\#
"schema":{"type":"string"}},{"name":"project","required":false,"schema":{"type":"string"}},{"name":"replace","\#
required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/co\#
mponents/schemas/SignInResult"}},"summary":"Creates a user with email and password."},{"errors":[{"$ref":"#/co\#
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
#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"}],"name":"signIn.start","pa\#
ramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}},{"name":"deta\#
ch","required":false,"schema":{"type":"boolean"}},{"name":"mfa","required":false,"schema":{"type":"string"}},{\#
"name":"port","required":false,"schema":{"maximum":65535,"minimum":0,"type":"integer"}},{"name":"project","req\#
uired":false,"schema":{"type":"string"}},{"name":"provider","required":false,"schema":{"type":"string"}},{"nam\#
e":"redirect","required":false,"schema":{"enum":["loopback","scheme","manual"],"type":"string"}},{"name":"repl\#
ace","required":false,"schema":{"type":"boolean"}},{"name":"scopes","required":false,"schema":{"type":"string"\#
}},{"name":"sso","required":false,"schema":{"$ref":"#/components/schemas/SingleSignOn"}},{"name":"takeOver","r\#
equired":false,"schema":{"type":"boolean"}},{"name":"timeout","required":false,"schema":{"type":"number"}}],"r\#
esult":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/SignInStart.Result"}},"summary"\#
:"Starts a sign-in in a browser. It is cancelled if the caller disconnects, unless `detach`."},{"errors":[{"$r\#
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
{"$ref":"#/components/errors/approvalNeeded"},{"$ref":"#/components/errors/captchaRequired"},{"$ref":"#/compon\#
ents/errors/flowUnknown"},{"$ref":"#/components/errors/flowTimedOut"},{"$ref":"#/components/errors/unknownAcco\#
unt"},{"$ref":"#/components/errors/signInNeeded"},{"$ref":"#/components/errors/codeInvalid"}],"name":"signIn.v\#
erifyCode","paramStructure":"by-name","params":[{"name":"account","required":false,"schema":{"type":"string"}}\#
,{"name":"code","required":false,"schema":{"type":"string"}},{"name":"email","required":false,"schema":{"type"\#
:"string"}},{"name":"flow","required":false,"schema":{"type":"string"}},{"name":"link","required":false,"schem\#
a":{"type":"string"}},{"name":"phone","required":false,"schema":{"type":"string"}},{"name":"project","required\#
":false,"schema":{"type":"string"}},{"name":"purpose","required":false,"schema":{"$ref":"#/components/schemas/\#
CodePurpose"}},{"name":"replace","required":false,"schema":{"type":"boolean"}}],"result":{"name":"result","req\#
uired":true,"schema":{"$ref":"#/components/schemas/AccountStatus"}},"summary":"Signs in with a code, or with a\#
 link from a mail."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inte\#
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
ef":"#/components/errors/signInNeeded"}],"name":"signIn.wait","paramStructure":"by-name","params":[{"name":"fl\#
ow","required":true,"schema":{"type":"string"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#\#
/components/schemas/SignInResult"}},"summary":"Waits until a sign-in ends."},{"errors":[{"$ref":"#/components/\#
errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"\#
$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"}],"name":"telemetry.snapshot","par\#
amStructure":"by-name","params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/sc\#
hemas/TelemetrySnapshot.Result"}},"summary":"Returns metrics since the agent started. No personal data."},{"er\#
rors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/co\#
mponents/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$r\#
ef":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors\#
/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref\#
":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/components/errors/\#
denied"}],"name":"vault.addKey","paramStructure":"by-name","params":[{"name":"kind","required":true,"schema":{\#
"$ref":"#/components/schemas/VaultKeyKind"}},{"name":"present","required":true,"schema":{"$ref":"#/components/\#
schemas/PresentKeys"}},{"name":"keepKeyFile","required":false,"schema":{"type":"boolean"}},{"name":"passphrase\#
","required":false,"schema":{"$ref":"#/components/schemas/SecretText"}},{"name":"path","required":false,"schem\#
a":{"type":"string"}},{"name":"replaces","required":false,"schema":{"type":"string"}}],"result":{"name":"resul\#
t","required":true,"schema":{"$ref":"#/components/schemas/VaultAddKey.Result"}},"summary":"Adds a key to the v\#
ault."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{\#
"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/to\#
oMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/compo\#
nents/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrong\#
Key"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooNew"},{"$ref":"#/compon\#
ents/errors/offline"},{"$ref":"#/components/errors/serviceUnavailable"},{"$ref":"#/components/errors/rateLimit\#
ed"},{"$ref":"#/components/errors/timedOut"}],"name":"vault.adopt","paramStructure":"by-name","params":[],"res\#
ult":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultAdopt.Result"}},"summary":"A\#
dopts a vault that was copied from another machine."},{"errors":[{"$ref":"#/components/errors/invalidParams"},\#
{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/err\#
ors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/co\#
mponents/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUn\#
available"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/comp\#
onents/errors/formatTooNew"}],"name":"vault.lock","paramStructure":"by-name","params":[],"result":{"name":"res\#
ult","required":true,"schema":{"$ref":"#/components/schemas/VaultLock.Result"}},"summary":"Locks the vault unt\#
il `vault.unlock`, across restarts."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/compo\#
nents/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{\#
"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/\#
vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$r\#
ef":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/fo\#
rmatTooNew"},{"$ref":"#/components/errors/denied"}],"name":"vault.rekey","paramStructure":"by-name","params":[\#
{"name":"present","required":true,"schema":{"$ref":"#/components/schemas/PresentKeys"}}],"result":{"name":"res\#
ult","required":true,"schema":{"$ref":"#/components/schemas/VaultRekey.Result"}},"summary":"Creates a new mast\#
er key; requires every key."},{"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/er\#
rors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"\#
#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref":"#/components/errors/vaultCop\#
ied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/vaultUnavailable"},{"$ref":"#/c\#
omponents/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":"#/components/errors/formatTooN\#
ew"},{"$ref":"#/components/errors/denied"}],"name":"vault.removeKey","paramStructure":"by-name","params":[{"na\#
me":"id","required":true,"schema":{"type":"string"}},{"name":"present","required":true,"schema":{"$ref":"#/com\#
ponents/schemas/PresentKeys"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schem\#
as/Empty"}},"summary":"Removes a key; older copies of the vault still open with it."},{"errors":[{"$ref":"#/co\#
mponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notR\#
eady"},{"$ref":"#/components/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/er\#
rors/vaultLocked"},{"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$r\#
ef":"#/components/errors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/erro\#
rs/storageFull"},{"$ref":"#/components/errors/formatTooNew"}],"name":"vault.status","paramStructure":"by-name"\#
,"params":[],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultStatus.Resu\#
lt"}},"summary":"Returns the vault's status, even while locked."},{"errors":[{"$ref":"#/components/errors/inva\#
lidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/co\#
mponents/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{\#
"$ref":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/er\#
rors/vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$\#
ref":"#/components/errors/formatTooNew"}],"name":"vault.unlock","paramStructure":"by-name","params":[{"name":"\#
keyFile","required":false,"schema":{"type":"string"}},{"name":"passphrase","required":false,"schema":{"$ref":"\#
#/components/schemas/SecretText"}}],"result":{"name":"result","required":true,"schema":{"$ref":"#/components/s\#
chemas/VaultUnlock.Result"}},"summary":"Unlocks the vault."},{"errors":[{"$ref":"#/components/errors/invalidPa\#
rams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/notReady"},{"$ref":"#/compone\#
nts/errors/tooLarge"},{"$ref":"#/components/errors/tooMany"},{"$ref":"#/components/errors/vaultLocked"},{"$ref\#
":"#/components/errors/vaultCopied"},{"$ref":"#/components/errors/vaultDamaged"},{"$ref":"#/components/errors/\#
vaultUnavailable"},{"$ref":"#/components/errors/wrongKey"},{"$ref":"#/components/errors/storageFull"},{"$ref":\#
"#/components/errors/formatTooNew"}],"name":"vault.verify","paramStructure":"by-name","params":[],"result":{"n\#
ame":"result","required":true,"schema":{"$ref":"#/components/schemas/VaultVerify.Result"}},"summary":"Verifies\#
 the vault's files with its keys."}],"openrpc":"1.3.2","x-notifications":[{"name":"event","required":true,"sch\#
ema":{"$ref":"#/components/schemas/AgentEvent"}}]}
"""#
}
