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
    expect_error("bad_jwt", "a token that is none", lambda: client().get_user("garbage"))


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
