"""Every state of the page, in each look: accessibility, size of targets, 320 px, 200 % text,
pictures."""

from hosted import NAME
from programs import Flow
from visitor import LOOKS, Visitor

PASSWORD = "correct horse 9"
WRONG_CODE = "That code did not work."


def choice_and_form(stage, look):
    person, flow = stage.opened("personal", look)
    person.sees(f"Sign in to {NAME}")
    names = person.page.locator(".methods a").all_inner_texts()
    assert names == ["Continue with Apple", "Continue with Google", "Continue with Email"], names
    person.check_alignment()
    person.inspect("choice")
    person.follow("Continue with Email")
    person.page.get_by_label("Email").wait_for()
    person.inspect("email")
    person.follow("Create an account")
    person.sees(f"Create an account at {NAME}")
    person.inspect("sign-up")
    stage.sandbox.control("PATCH", "settings", {"minimumPasswordLength": 20})
    person.fill("new@example.org", PASSWORD)
    person.press("Sign up")
    assert "does not meet the project's rule: too short" in person.page.get_by_role("alert").inner_text()
    person.inspect("weak-password")
    stage.sandbox.control("PATCH", "settings", {"minimumPasswordLength": 6})
    person.page.goto(flow.origin + "/sign-in/email")
    person.fill("anna@example.org", "not the password")
    person.press("Sign in")
    person.is_refused("Sign in failed.")
    person.page.get_by_role("button", name="Show password").click()
    person.page.get_by_label("Password", exact=True).fill("a password")
    person.inspect("error")
    person.page.goto(flow.origin + "/sign-in")
    person.cancel()
    person.inspect("cancelled")


def progress_and_end(stage, look):
    person, flow = stage.opened("work", look, replace=True)
    person.follow("Continue with Email")
    stage.sandbox.control("POST", "faults", {"endpoint": "token.password", "fault": "hang"})
    # The progress page would continue to the next one; the response is held back, so that the page
    # can be inspected.
    person.page.route("**/sign-in/wait", lambda route: route.fulfill(status=204))
    person.fill("anna@example.org", PASSWORD)
    person.press("Sign in")
    person.sees("Signing in…")
    person.inspect("progress")
    person.page.unroute_all()
    stage.sandbox.control("POST", "release")
    person.page.goto(flow.origin + "/sign-in")
    person.is_signed_in("anna@example.org")
    person.inspect("signed-in")
    assert flow.end() == "signedIn"


def confirmation(stage, look):
    stage.sandbox.control("PATCH", "settings", {"autoconfirm": False})
    # An account without a user: a sign-up for another user's account is refused.
    person, flow = stage.opened("new", look)
    person.page.goto(flow.origin + "/sign-in/email/new")
    person.fill(f"new-{look}@example.org", PASSWORD)
    person.press("Sign up")
    person.sees("Enter the code")
    person.inspect("sign-up-code", has_picture=False)
    person.press("Confirm later")
    person.sees("Check your email")
    person.inspect("confirmation")
    person.close()
    stage.sandbox.control("PATCH", "settings", {"autoconfirm": True})
    assert flow.end() == "confirmationSent"


def failures(stage, look):
    person, flow = stage.opened("work", look)
    person.follow("Continue with Google")
    person.page.get_by_label("Another account").fill("g@example.org")
    person.page.get_by_role("button", name="Fail the sign-in").click()
    person.sees("Sign-in failed")
    assert person.page.get_by_role("alert").evaluate("e => e === document.activeElement")
    person.inspect("failed")
    # A new one: the port of a sign-in that has ended is soon closed.
    flow = stage.agent.start("work")
    person.page.goto(flow.url)
    stranger = stage.visitor(look)
    stranger.page.goto(flow.url)
    stranger.sees("Link already used")
    stranger.inspect("used")
    stranger.page.goto(flow.origin + "/sign-in")
    stranger.sees("Wrong window")
    stranger.inspect("stranger")
    stranger.page.goto(flow.url.replace("127.0.0.1", "localhost"))
    stranger.sees("Wrong address")
    stranger.inspect("wrong-host")
    stranger.close()
    person.cancel()


def refused_callback(stage, look):
    flow = stage.agent.start("work", provider="google")
    person = stage.visitor(look)
    person.page.goto(flow.callback + "&code=1&code=2")
    person.sees("Not signed in yet")
    assert person.page.url == flow.origin + "/sign-in", "the address is clean"
    person.inspect("refused")
    person.follow("Continue with Google")
    person.page.get_by_role("heading", name="Sign in with Google (sandbox)").wait_for()
    person.page.go_back()
    person.cancel()
    assert flow.end() == "cancelled"


def manual_link(stage, look):
    stage.sandbox.control("PATCH", "settings", {"manualLinking": True})
    agent = stage.local_agent(f"linking-{look}")
    signed = agent.call(
        "signIn.password", account="work", project="local", email="anna@example.org", password=PASSWORD)
    assert signed.get("outcome") == "signedIn", signed
    flow = agent.link("work", "google")
    person = stage.visitor(look)
    person.page.goto(flow.url)
    person.page.get_by_label("Another account").fill(f"link-{look}@example.org")
    person.page.get_by_role("button", name="Continue", exact=True).click()
    person.is_signed_in("anna@example.org")
    assert "Google is now linked." in person.page.inner_text("main")
    person.inspect("linked", has_picture=False, host=f"127.0.0.1:{stage.sandbox.port}")
    assert flow.end() == "signedIn"
    for identity in agent.call("identity.list", account="work")["identities"]:
        if identity["provider"] == "google":
            agent.call("identity.unlink", account="work", identityID=identity["identityID"])


def locked(stage, look):
    agent = stage.another_agent(f"locked-{look}")
    person, flow = stage.opened("work", look, agent=agent)
    person.sees(f"Sign in to {NAME}")
    agent.call("vault.lock")
    person.follow("Continue with Email")
    person.sees("Sign-in failed")
    assert person.page.locator(".command").all_inner_texts() == ["ritualctl unlock", "ritualctl sign-in --account work"]
    person.inspect("locked")


PROVIDERS = ["azure", "bitbucket", "discord", "github", "gitlab", "keycloak", "linkedin_oidc", "slack_oidc"]
# Apple, Google, and the others.
NUMBER_OF_PROVIDERS = 2 + len(PROVIDERS)


def methods(stage, look):
    """Fourteen sign-in methods."""
    with stage.settings(providers=PROVIDERS, phoneEnabled=True, anonymousEnabled=True, ssoDomains=["example.org"]):
        person, flow = stage.opened("personal", look)
        person.sees(f"Sign in to {NAME}")
        assert person.page.locator(".method").count() == NUMBER_OF_PROVIDERS + 3
        person.check_alignment()
        person.inspect("methods")
        person.follow("Continue with Phone")
        person.page.get_by_label("Phone number").wait_for()
        person.inspect("phone")
        person.page.get_by_label("Phone number").fill("0151 23456789")
        person.press("Text me a code")
        person.is_refused("This is not a valid phone number.")
        person.inspect("wrong-phone", has_picture=False)
        person.follow("Other sign-in methods")
        person.follow("Continue with single sign-on")
        person.page.get_by_label("Work email or domain").wait_for()
        person.inspect("organization")
        person.follow("Other sign-in methods")
        person.follow("Continue without an account")
        person.inspect("anonymous", has_picture=False)
        person.cancel()


def leaving(stage, look):
    with stage.settings(ssoDomains=["example.org"]):
        person, flow = stage.opened("personal", look, project="local", agent=stage.local_agent(f"leaving-{look}"))
        person.follow("Continue with single sign-on")
        person.page.get_by_label("Work email or domain").fill("anna@example.org")
        # The page would continue to the identity provider.
        person.page.route("**/sign-in/sso/go", lambda route: route.fulfill(status=204))
        person.press("Continue")
        person.sees("Sign in at your organization")
        person.inspect("leaving", has_picture=False, host=f"127.0.0.1:{stage.sandbox.port}")
        person.cancel()


def code(stage, look):
    stage.sandbox.control("POST", "clock", {"advance": 61})  # the pause of the look before
    person, flow = stage.opened("personal", look)
    person.follow("Continue with Email")
    person.fill_in("Email", "anna@example.org")
    person.press("Email me a code")
    person.sees("Enter the code")
    person.inspect("code")
    person.fill_in("Code", "000000")
    person.press("Sign in")
    person.is_refused(WRONG_CODE)
    person.inspect("wrong-code")
    person.follow("Other sign-in methods")
    person.sees(f"Sign in to {NAME}")
    person.inspect("code-and-choice", has_picture=False)
    person.follow("Enter the code sent to anna@example.org")
    person.sees("Enter the code")
    person.cancel()


def captcha(stage, look):
    with stage.settings(captcha="on"):
        person, flow = stage.opened("personal", look)
        person.follow("Continue with Email")
        person.fill_in("Email", "anna@example.org")
        person.press("Email me a code")
        person.is_refused("The project requires a CAPTCHA")
        person.inspect("captcha", has_picture=False)
        person.follow("I already have a code")
        person.sees("Use a code that you have")
        person.inspect("own-code", has_picture=False)
        person.cancel()


def user_with(stage, email, **factor):
    """Adds a user with a verified second factor; returns the email address."""
    stage.sandbox.control("POST", "users", {"email": email, "password": PASSWORD})
    stage.sandbox.control("POST", "factors", {"email": email} | factor)
    return email


def authenticator(stage, email, name="Work phone"):
    """Adds a user with an authenticator app; returns the factor's ID."""
    stage.sandbox.control("POST", "users", {"email": email, "password": PASSWORD})
    return stage.sandbox.control("POST", "factors", {"email": email, "name": name})["id"]


def current_code(stage, factor):
    return stage.sandbox.control("GET", f"totp?factor={factor}")["code"]


def asked(stage, account, email, look="light", agent=None, **more):
    """Signs in on the page, up to the question for the second factor; returns the visitor, the flow
    of the sign-in and the one of the question."""
    agent = agent or stage.agent
    flow = agent.start(account)
    flow.account = account
    person = stage.visitor(look, **more)
    person.page.goto(flow.url)
    person.follow("Continue with Email")
    person.fill(email, PASSWORD)
    person.press("Sign in")
    result = flow.result()
    assert result.get("mfa", {}).get("needed"), result
    return person, flow, Flow(agent, {"flow": result["mfa"]["flow"], "url": flow.url})


def second_factor(stage, look):
    email = f"factor-{look}@example.org"
    factor = authenticator(stage, email)
    with stage.settings(mfaPhoneVerify=True, lowAssuranceLimit=3600):
        # The session of another account ends with the verification, and the page says so.
        other = stage.agent.call("signIn.password", account=f"home-{look}", email=email, password=PASSWORD)
        assert other.get("outcome") == "signedIn", other
        person, _, _ = asked(stage, f"factor-{look}", email, look)
        person.sees("Enter the code from your authenticator app")
        person.inspect("factor")
        person.fill_in("Code", str((int(current_code(stage, factor)) + 500_000) % 1_000_000).zfill(6))
        person.press("Verify")
        person.is_refused("wrong")
        person.inspect("wrong-factor")
        # The progress page would continue to the next one.
        person.page.route("**/sign-in/wait", lambda route: route.fulfill(status=204))
        stage.sandbox.control("POST", "faults", {"endpoint": "factors.verify", "fault": "hang"})
        person.fill_in("Code", current_code(stage, factor))
        person.press("Verify")
        person.sees("Verifying the code…")
        person.inspect("verifying", has_picture=False)
        person.page.unroute_all()
        stage.sandbox.control("POST", "release")
        person.page.goto(person.page.url)
        person.is_signed_in(email)
        person.inspect("factor-verified", has_picture=False)


def factor_choice(stage, look):
    email = user_with(stage, f"choice-{look}@example.org", name="Work phone")
    stage.sandbox.control("POST", "factors", {"email": email, "name": "Private", "phone": "4915112345602"})
    with stage.settings(mfaPhoneVerify=True):
        person, _, _ = asked(stage, f"choice-{look}", email, look)
        person.sees("Choose a second factor")
        person.inspect("factor-choice")
        person.press("Phone Private")
        person.sees("Verify your phone")
        person.inspect("factor-phone", has_picture=False)
        # The progress page would continue to the next one.
        person.page.route("**/sign-in/wait", lambda route: route.fulfill(status=204))
        stage.sandbox.control("POST", "faults", {"endpoint": "factors.challenge", "fault": "hang"})
        person.press("Send code")
        person.sees("Sending the code…")
        person.inspect("factor-sending", has_picture=False)
        person.page.unroute_all()
        stage.sandbox.control("POST", "release")
        person.page.goto(person.page.url)
        person.sees("Enter the code")
        person.inspect("factor-phone-code", has_picture=False)
        person.press("Use another second factor")
        person.sees("Choose a second factor")
        person.press("Later")
        person.is_signed_in(email)
        person.inspect("factor-later")


def unsupported_factor(stage, look):
    email = user_with(stage, f"passkey-{look}@example.org", name="Key", passkey=True)
    person, flow, _ = asked(stage, f"passkey-{look}", email, look)
    person.sees("Second factor not supported")
    person.inspect("factor-unsupported", has_picture=False)
    # Another page takes over.
    stage.agent.call("mfa.start", account=flow.account)
    person.page.reload()
    person.sees("Cancelled")
    person.inspect("factor-elsewhere", has_picture=False)


def nothing(stage, look):
    with stage.settings(appleEnabled=False, googleEnabled=False, emailEnabled=False):
        person, flow = stage.opened("personal", look)
        person.sees(f"Sign in to {NAME}")
        assert "No sign-in method of this project is enabled." in person.page.inner_text("main")
        assert person.page.locator("main .command").first.inner_text() == "ritualctl doctor"
        person.inspect("nothing", has_picture=False)
        flow.cancel()


def run(stage):
    for look in LOOKS:
        for state in (
            choice_and_form, progress_and_end, confirmation, methods, leaving, code, captcha, nothing, failures,
            refused_callback, manual_link, locked, second_factor, factor_choice, unsupported_factor,
        ):
            state(stage, look)
            stage.leave()
            print(f"ok: {state.__name__}, {look}", flush=True)
