"""Checks ritual-sandbox with the official Python client of Supabase Auth. Run by
script/python-client-check."""

import hashlib
import json
import re
import sys
import urllib.parse

import httpx
from supabase_auth import SyncGoTrueClient
from supabase_auth.errors import AuthApiError, AuthError

SANDBOX = json.loads(sys.argv[1])
PASSWORD = "correct horse 9"
REDIRECT = "http://127.0.0.1:53682/callback"


def client():
    """Returns a new client without a session, with the PKCE flow."""
    return SyncGoTrueClient(
        url=SANDBOX["url"] + "/auth/v1",
        headers={"apikey": SANDBOX["anonKey"]},
        auto_refresh_token=False,
        flow_type="pkce",
    )


def expect(actual, expected, what):
    if actual != expected:
        raise AssertionError(f"{what}: {actual!r} instead of {expected!r}")


def expect_error(code, what, call):
    try:
        call()
    except AuthError as error:
        expect(error.code, code, what)
        return
    raise AssertionError(f"{what}: no error instead of {code}")


def control(method, path, body=None):
    answer = httpx.request(method, f"{SANDBOX['url']}/sandbox/{path}", json=body)
    answer.raise_for_status()
    return answer.json()


def sign_up():
    auth = client()
    answer = auth.sign_up(
        {"email": "py@example.org", "password": PASSWORD, "options": {"data": {"display_name": "Py"}}}
    )
    expect(answer.user.email, "py@example.org", "the address")
    expect(answer.user.user_metadata["display_name"], "Py", "the metadata")
    expect(answer.session.token_type, "bearer", "the token's type")
    expect_error(
        "user_already_exists",
        "a second sign-up",
        lambda: client().sign_up({"email": "py@example.org", "password": PASSWORD}),
    )
    expect_error(
        "weak_password", "a short password", lambda: client().sign_up({"email": "w@example.org", "password": "abc"})
    )


def sign_in():
    auth = client()
    answer = auth.sign_in_with_password({"email": "py@example.org", "password": PASSWORD})
    expect(answer.user.email, "py@example.org", "the address")
    expect(auth.get_session().access_token, answer.session.access_token, "the stored session")
    expect_error(
        "invalid_credentials",
        "a wrong password",
        lambda: client().sign_in_with_password({"email": "py@example.org", "password": "nope nope"}),
    )
    return auth


def verified_claims():
    """Lets the client fetch the key set and verify the signature."""
    auth = sign_in()
    claims = auth.get_claims()["claims"]
    expect(claims["email"], "py@example.org", "the verified claim")
    expect(claims["iss"], SANDBOX["url"] + "/auth/v1", "the issuer")


def refresh():
    auth = sign_in()
    before = auth.get_session()
    after = auth.refresh_session().session
    if after.refresh_token == before.refresh_token:
        raise AssertionError("the refresh token did not rotate")
    digest = hashlib.sha256(before.refresh_token.encode()).hexdigest()
    expect(control("GET", "counters")["refresh_presentations"][digest], 1, "the sandbox's count")
    expect_error(
        "refresh_token_not_found", "an unknown refresh token", lambda: client().refresh_session("aaaaaaaaaaaa")
    )


def counter_refresh():
    control("PATCH", "settings", {"refreshAlgorithm": "v2"})
    try:
        auth = sign_in()
        first = auth.get_session().refresh_token
        second = auth.refresh_session().session.refresh_token
        auth.refresh_session()
        control("POST", "clock", {"advance": 11})
        expect_error("refresh_token_already_used", "reuse of an old token", lambda: client().refresh_session(first))
        expect_error("refresh_token_not_found", "its session afterwards", lambda: client().refresh_session(second))
    finally:
        control("PATCH", "settings", {"refreshAlgorithm": "v1"})


def user():
    auth = sign_in()
    expect(auth.get_user().user.email, "py@example.org", "get_user")
    changed = auth.update_user({"data": {"display_name": "Changed"}}).user
    expect(changed.user_metadata["display_name"], "Changed", "update_user")
    expect([each.provider for each in auth.get_user_identities().identities], ["email"], "the identities")
    expect_error("bad_jwt", "a malformed token", lambda: client().get_user("garbage"))


def consent(address, fields):
    """Acts as a person with a browser: goes through the consent page and its redirects to the
    client's own URL, and returns the code."""
    page = httpx.get(address, follow_redirects=True)
    state = re.search(r'name="state" value="([^"]+)"', page.text).group(1)
    action = re.search(r'<form method="post" action="([^"]+)"', page.text).group(1)
    answer = httpx.post(SANDBOX["url"] + action, data={"state": state, "action": "allow", **fields})
    if answer.status_code == 200:  # Apple: a form that submits itself
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', answer.text))
        target = re.search(r'<form method="post" action="([^"]+)"', answer.text).group(1)
        answer = httpx.post(target, data={name: value.replace("&quot;", '"') for name, value in hidden.items()})
    else:
        answer = httpx.get(answer.headers["location"])
    location = answer.headers["location"]
    if not location.startswith(REDIRECT + "?"):
        raise AssertionError(f"the browser ended at {location}")
    return urllib.parse.parse_qs(urllib.parse.urlsplit(location).query)["code"][0]


def pkce(provider, account, name):
    auth = client()
    start = auth.sign_in_with_oauth({"provider": provider, "options": {"redirect_to": REDIRECT}})
    code = consent(start.url, {"account": account})
    expect_error(
        "bad_code_verifier",
        "a wrong verifier",
        lambda: client().exchange_code_for_session({"auth_code": code, "code_verifier": "x" * 43}),
    )
    answer = auth.exchange_code_for_session({"auth_code": code})
    expect(answer.user.email, account, "the address")
    expect(answer.user.user_metadata["full_name"], name, "the name")
    if not answer.session.provider_token:
        raise AssertionError("no provider token")
    expect(answer.user.app_metadata["provider"], provider, "the provider")


def id_token():
    nonce = hashlib.sha256(b"raw").hexdigest()
    token = control("POST", "id-token", {"provider": "apple", "email": "native@example.org", "nonce": nonce})["id_token"]
    request = {"provider": "apple", "token": token}
    answer = client().sign_in_with_id_token({**request, "nonce": "raw"})
    expect(answer.user.email, "native@example.org", "the address")
    try:
        client().sign_in_with_id_token({**request, "nonce": "other"})
    except AuthApiError as error:
        expect((error.status, error.message), (400, "Nonces mismatch"), "a wrong nonce")
    else:
        raise AssertionError("a wrong nonce was accepted")


def sign_out():
    auth = sign_in()
    session = auth.get_session()
    auth.sign_out({"scope": "local"})
    expect(auth.get_session(), None, "the stored session")
    expect_error("session_not_found", "the access token afterwards", lambda: client().get_user(session.access_token))
    expect_error(
        "refresh_token_not_found",
        "the refresh token afterwards",
        lambda: client().refresh_session(session.refresh_token),
    )


def gateway():
    auth = SyncGoTrueClient(url=SANDBOX["url"] + "/auth/v1", headers={}, auto_refresh_token=False)
    try:
        auth.sign_in_with_password({"email": "py@example.org", "password": PASSWORD})
    except AuthApiError as error:
        expect(error.status, 401, "the gateway's status")
    else:
        raise AssertionError("the gateway let a request without a key pass")


def with_settings(settings, check):
    """Runs the check with other settings of the project."""
    before = control("GET", "settings")
    control("PATCH", "settings", settings)
    try:
        check()
    finally:
        control("PATCH", "settings", {name: before.get(name) for name in settings})


def newest_message(to):
    messages = control("GET", "mail")
    expect(messages[-1]["to"], to, "the recipient of the newest message")
    return messages[-1]


def email_code():
    auth = client()
    request = {"email": "code@example.org", "options": {"data": {"display_name": "Code"}}}
    expect(auth.sign_in_with_otp(request).user, None, "a user before the code")
    code = newest_message("code@example.org")["code"]
    wrong = "000001" if code == "000000" else "000000"
    verification = {"email": "code@example.org", "type": "email"}
    expect_error("otp_expired", "a wrong code", lambda: auth.verify_otp({**verification, "token": wrong}))
    answer = auth.verify_otp({**verification, "token": code})
    expect(answer.user.email, "code@example.org", "the address")
    expect(answer.user.user_metadata["display_name"], "Code", "the metadata")
    expect(auth.get_session().access_token, answer.session.access_token, "the stored session")
    expect_error("otp_expired", "a used code", lambda: auth.verify_otp({**verification, "token": code}))
    unknown = {"email": "nobody@example.org", "options": {"should_create_user": False}}
    expect_error("otp_disabled", "an unknown address", lambda: client().sign_in_with_otp(unknown))


def token_hash():
    control("POST", "clock", {"advance": 61})
    client().sign_in_with_otp({"email": "code@example.org", "options": {"email_redirect_to": REDIRECT}})
    link = urllib.parse.parse_qs(urllib.parse.urlsplit(newest_message("code@example.org")["link"]).query)
    expect(link["redirect_to"], [REDIRECT], "the link's redirect_to")
    answer = client().verify_otp({"token_hash": link["token"][0], "type": "email"})
    expect(answer.user.email, "code@example.org", "the address")


def phone_code():
    auth = client()
    auth.sign_in_with_otp({"phone": "+4915112345688"})
    code = newest_message("4915112345688")["code"]
    answer = auth.verify_otp({"phone": "+4915112345688", "token": code, "type": "sms"})
    expect(answer.user.phone, "4915112345688", "the number")
    control("POST", "clock", {"advance": 61})
    if not client().sign_in_with_otp({"phone": "+4915112345688"}).message_id:
        raise AssertionError("no message ID for a known number")


def resend():
    auth = client()
    expect(auth.sign_up({"email": "again@example.org", "password": PASSWORD}).session, None, "the session")
    repeat = {"type": "signup", "email": "again@example.org"}
    expect_error("over_email_send_rate_limit", "a resend at once", lambda: client().resend(repeat))
    control("POST", "clock", {"advance": 61})
    client().resend(repeat)
    code = newest_message("again@example.org")["code"]
    answer = auth.verify_otp({"email": "again@example.org", "token": code, "type": "signup"})
    expect(answer.user.email, "again@example.org", "the address")


def anonymous():
    auth = client()
    guest = auth.sign_in_anonymously({"options": {"data": {"display_name": "Guest"}}}).user
    expect(guest.is_anonymous, True, "is_anonymous")
    expect(auth.update_user({"email": "guest@example.org"}).user.new_email, "guest@example.org", "the new address")
    code = newest_message("guest@example.org")["code"]
    answer = auth.verify_otp({"email": "guest@example.org", "token": code, "type": "email_change"})
    expect((answer.user.id, answer.user.is_anonymous), (guest.id, False), "the upgraded user")
    expect(answer.user.user_metadata["display_name"], "Guest", "the metadata")
    expect(auth.update_user({"password": PASSWORD}).user.id, guest.id, "a password afterwards")


def single_sign_on():
    url = client().sign_in_with_sso({"domain": "example.org", "options": {"redirect_to": REDIRECT}}).url
    page = httpx.get(url)
    relay = re.search(r'name="RelayState" value="([^"]+)"', page.text).group(1)
    action = re.search(r'<form method="post" action="([^"]+)"', page.text).group(1)
    form = {"RelayState": relay, "email": "anna@example.org", "action": "allow"}
    answer = httpx.post(SANDBOX["url"] + action, data=form)
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', answer.text))
    target = re.search(r'<form method="post" action="([^"]+)"', answer.text).group(1)
    location = httpx.post(target, data=hidden).headers["location"]
    if not location.startswith(REDIRECT):
        raise AssertionError(f"the browser ended at {location}")
    expect_error("sso_provider_not_found", "an unknown domain", lambda: client().sign_in_with_sso({"domain": "x.test"}))


def provider_with_scopes():
    auth = client()
    options = {"redirect_to": REDIRECT, "scopes": "repo gist"}
    start = auth.sign_in_with_oauth({"provider": "github", "options": options})
    page = httpx.get(start.url, follow_redirects=False).headers["location"]
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(page).query)
    expect(query["scope"], ["user:email repo gist"], "the scopes")
    answer = auth.exchange_code_for_session({"auth_code": consent(start.url, {"email": "kim@example.org"})})
    expect(answer.user.app_metadata["provider"], "github", "the provider")


def captcha():
    request = {"email": "py@example.org", "password": PASSWORD}
    expect_error("captcha_failed", "no token", lambda: client().sign_in_with_password(request))
    options = {"captcha_token": "sandbox-captcha"}
    answer = client().sign_in_with_password({**request, "options": options})
    expect(answer.user.email, "py@example.org", "the address")


def totp_code(factor):
    return control("GET", f"totp?factor={factor}")["code"]


def second_factor():
    auth = client()
    auth.sign_up({"email": "mfa@example.org", "password": PASSWORD})
    other = client()
    other.sign_in_with_password({"email": "mfa@example.org", "password": PASSWORD})
    enrolled = auth.mfa.enroll({"factor_type": "totp", "friendly_name": "App", "issuer": "Daily Ritual"})
    expect(control("GET", f"totp?factor={enrolled.id}")["secret"], enrolled.totp.secret, "the secret")
    level = auth.mfa.get_authenticator_assurance_level()
    expect((level.current_level, level.next_level), ("aal1", "aal1"), "the levels before")
    challenge = auth.mfa.challenge({"factor_id": enrolled.id})
    attempt = {"factor_id": enrolled.id, "challenge_id": challenge.id}
    expect_error("mfa_verification_failed", "a wrong code", lambda: auth.mfa.verify({**attempt, "code": "12345"}))
    before = auth.get_session()
    auth.mfa.verify({**attempt, "code": totp_code(enrolled.id)})
    if auth.get_session().refresh_token == before.refresh_token:
        raise AssertionError("the refresh token did not change")
    level = auth.mfa.get_authenticator_assurance_level()
    expect((level.current_level, level.next_level), ("aal2", "aal2"), "the levels afterwards")
    expect(sorted(each.method for each in level.current_authentication_methods), ["password", "totp"], "the methods")
    expect([each.id for each in auth.mfa.list_factors().totp], [enrolled.id], "the factors")
    expect_error("refresh_token_not_found", "a session at aal1", other.refresh_session)
    weaker = client()
    weaker.sign_in_with_password({"email": "mfa@example.org", "password": PASSWORD})
    level = weaker.mfa.get_authenticator_assurance_level()
    expect((level.current_level, level.next_level), ("aal1", "aal2"), "the levels of a new session")
    expect_error("insufficient_aal", "a removal", lambda: weaker.mfa.unenroll({"factor_id": enrolled.id}))
    auth.mfa.unenroll({"factor_id": enrolled.id})
    auth.refresh_session()
    expect(auth.mfa.get_authenticator_assurance_level().current_level, "aal1", "the level without a factor")
    expect(auth.mfa.list_factors().all, [], "the factors without one")


def phone_factor():
    auth = client()
    auth.sign_up({"email": "mfa-phone@example.org", "password": PASSWORD})
    enrolled = auth.mfa.enroll({"factor_type": "phone", "friendly_name": "mobile", "phone": "+4915112345677"})
    challenge = auth.mfa.challenge({"factor_id": enrolled.id, "channel": "sms"})
    code = newest_message("4915112345677")["code"]
    auth.mfa.verify({"factor_id": enrolled.id, "challenge_id": challenge.id, "code": code})
    expect([each.id for each in auth.mfa.list_factors().phone], [enrolled.id], "the factors")


BY_MAIL = {"autoconfirm": False}

CHECKS = {
    "sign-up": sign_up,
    "sign-in": sign_in,
    "claims verified against the key set": verified_claims,
    "refresh, v1": refresh,
    "refresh, v2": counter_refresh,
    "user": user,
    "PKCE with Google": lambda: pkce("google", "anna@example.org", "Anna Example"),
    "PKCE with Apple": lambda: pkce("apple", "alex@example.org", "Alex Example"),
    "identity token": id_token,
    "code by email": lambda: with_settings(BY_MAIL, email_code),
    "token_hash of a link": lambda: with_settings(BY_MAIL, token_hash),
    "code by text message": lambda: with_settings({**BY_MAIL, "phoneEnabled": True}, phone_code),
    "resend": lambda: with_settings(BY_MAIL, resend),
    "anonymous user": lambda: with_settings({**BY_MAIL, "anonymousEnabled": True}, anonymous),
    "single sign-on": lambda: with_settings({"ssoDomains": ["example.org"]}, single_sign_on),
    "provider with scopes": lambda: with_settings({"providers": ["github"]}, provider_with_scopes),
    "CAPTCHA": lambda: with_settings({"captcha": "on"}, captcha),
    "second factor by TOTP": second_factor,
    "second factor by text message": lambda: with_settings(
        {"mfaPhoneEnroll": True, "mfaPhoneVerify": True}, phone_factor
    ),
    "sign-out": sign_out,
    "gateway": gateway,
}


def main():
    failures = 0
    for name, check in CHECKS.items():
        try:
            check()
            print(f"ok      {name}")
        except Exception as error:  # each failure is printed and counted
            failures += 1
            print(f"FAILED  {name}: {type(error).__name__}: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
