"""Complete sign-ins, and common user actions during them."""

import json
import time

from states import PASSWORD


def consent(person, email, button="Continue"):
    """Fills in the sandbox's consent page of Apple or Google."""
    person.page.get_by_label("Another account (e-mail)").fill(email)
    person.page.get_by_role("button", name=button, exact=True).click()


def signed_in(person, flow, who):
    person.sees("Signed in")
    assert who in person.page.inner_text("main"), person.page.inner_text("main")
    assert flow.end() == "signedIn"


def google(stage):
    person, flow = open_page(stage, "google")
    person.follow("Continue with Google")
    consent(person, "g@example.org")
    signed_in(person, flow, "g@example.org")
    account = json.loads(stage.agent.ctl("status", "--account", "google", "--json"))
    assert "g@example.org" in json.dumps(account), account
    # The address bar and the history contain no code; a reload shows the same page, and Back does
    # not sign in again.
    assert person.page.url == flow.origin + "/sign-in"
    person.page.reload()
    person.sees("Signed in")
    person.close()
    assert person.hosts == {f"127.0.0.1:{flow.port}", stage.sandbox.url.split("/")[2]}, person.hosts


def apple(stage):
    person, flow = open_page(stage, "apple")
    person.follow("Continue with Apple")
    consent(person, "a@example.org")
    signed_in(person, flow, "a@example.org")
    person.close()


def email(stage):
    person, flow = open_page(stage, "email")
    person.follow("Continue with Email")
    person.fill("anna@example.org", PASSWORD)
    person.press("Sign in")
    signed_in(person, flow, "anna@example.org")
    before = stage.sandbox.requests("token.password")
    person.page.reload()
    person.sees("Signed in")
    person.page.go_back()
    person.sees("Signed in")
    assert stage.sandbox.requests("token.password") == before, "the way back sent the password again"
    person.close()


def sign_up(stage):
    person, flow = open_page(stage, "signup")
    person.follow("Continue with Email")
    person.follow("Create an account")
    person.fill("eve@example.org", PASSWORD)
    person.press("Sign up")
    signed_in(person, flow, "eve@example.org")
    person.close()


def wrong_password(stage):
    person, flow = open_page(stage, "wrong")
    person.follow("Continue with Email")
    person.fill("anna@example.org", "wrong")
    person.press("Sign in")
    alert = person.page.get_by_role("alert")
    alert.wait_for()
    assert alert.inner_text().strip() == "Sign in failed. Please check your e-mail and password."
    assert alert.evaluate("e => e === document.activeElement"), "the focus is not on the error"
    assert person.page.get_by_label("Email").input_value() == "anna@example.org"
    assert person.page.get_by_label("Password").input_value() == ""
    assert person.page.title().startswith("Not signed in")
    person.page.reload()
    person.page.get_by_label("Password").fill(PASSWORD)
    person.page.keyboard.press("Enter")
    signed_in(person, flow, "anna@example.org")
    person.close()


def cancelled_at_provider(stage):
    for name in ("Apple", "Google"):
        person, flow = open_page(stage, "cancel")
        person.follow(f"Continue with {name}")
        person.page.get_by_role("button", name="Cancel").click()
        person.sees("Cancelled")
        assert person.page.get_by_role("alert").count() == 0
        assert flow.end() == "cancelled"
        person.close()


def provider_error(stage):
    person, flow = open_page(stage, "fails")
    person.follow("Continue with Google")
    consent(person, "g@example.org", "Let it fail")
    person.sees("Sign in failed")
    assert flow.end() == "serviceUnavailable"
    person.close()


def back_and_another_way(stage):
    """Back from the provider's page, then another sign-in method."""
    person, flow = open_page(stage, "back")
    person.follow("Continue with Google")
    person.page.get_by_role("heading", name="Sign in with Google (sandbox)").wait_for()
    person.page.go_back()
    person.sees("Sign in")
    person.follow("Continue with Email")
    person.fill("anna@example.org", PASSWORD)
    person.press("Sign in")
    signed_in(person, flow, "anna@example.org")
    person.close()


def double_click(stage):
    for scripts in (True, False):
        person, flow = open_page(stage, "double", scripts=scripts)
        person.follow("Continue with Email")
        person.fill("anna@example.org", PASSWORD)
        before = stage.sandbox.requests("token.password")
        stage.sandbox.control("POST", "faults", {"endpoint": "token.password", "fault": "delay-before", "seconds": 1})
        person.page.get_by_role("button", name="Sign in", exact=True).dblclick(no_wait_after=True)
        signed_in(person, flow, "anna@example.org")
        person.worked()
        assert stage.sandbox.requests("token.password") == before + 1
        person.close()


def disabled_while_sent(stage):
    """With the script, the buttons are disabled from the click on."""
    person, flow = open_page(stage, "locked")
    person.follow("Continue with Email")
    person.fill("anna@example.org", PASSWORD)
    person.page.route("**/sign-in/email", lambda route: route.fulfill(status=204))  # no new page
    person.page.get_by_role("button", name="Sign in", exact=True).click(no_wait_after=True)
    button = person.page.locator("button.main")
    person.page.wait_for_function("document.querySelector('button.main').disabled")
    assert button.inner_text() == "Signing in…"
    person.close()
    flow.cancel()


def side_by_side(stage):
    """Two flows in two tabs of one browser, which stores the cookies of both under 127.0.0.1."""
    person, one = open_page(stage, "one")
    two = stage.agent.start("two")
    other = person.tab()
    other.goto(two.url)
    person.page.reload()
    assert "account one" in person.page.inner_text("main")
    assert "account two" in other.inner_text("main")
    other.get_by_role("link", name="Continue with Google").click()
    person.follow("Continue with Email")
    person.fill("anna@example.org", PASSWORD)
    person.press("Sign in")
    signed_in(person, one, "anna@example.org")
    other.get_by_label("Another account (e-mail)").fill("g@example.org")
    other.get_by_role("button", name="Continue", exact=True).click()
    other.get_by_role("heading", name="Signed in").wait_for()
    assert two.end() == "signedIn"
    person.close()


def without_script(stage):
    person, flow = open_page(stage, "plain", scripts=False)
    person.follow("Continue with Email")
    person.fill("anna@example.org", "wrong")
    person.press("Sign in")
    person.page.get_by_role("alert").wait_for()
    stage.sandbox.control("POST", "faults", {"endpoint": "token.password", "fault": "delay-before", "seconds": 2})
    person.fill("anna@example.org", PASSWORD)
    person.press("Sign in")
    signed_in(person, flow, "anna@example.org")
    person.worked()
    person.close()
    person, flow = open_page(stage, "plain", scripts=False)
    person.follow("Continue with Google")
    stage.sandbox.control("POST", "faults", {"endpoint": "token.pkce", "fault": "delay-before", "seconds": 2})
    consent(person, "anna@example.org")
    signed_in(person, flow, "anna@example.org")
    person.worked()
    person.close()


def keyboard_only(stage):
    person, flow = open_page(stage, "keys")
    keys, seen = person.page.keyboard, []
    for _ in range(4):
        keys.press("Tab")
        seen.append(person.page.evaluate("document.activeElement.innerText.trim()"))
        outline = person.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid", f"no focus to be seen on {seen[-1]}"
    assert seen == ["Continue with Apple", "Continue with Google", "Continue with Email", "Cancel"], seen
    keys.press("Shift+Tab")
    keys.press("Enter")
    person.sees("Sign in with email")
    keys.press("Tab")
    keys.type("anna@example.org")
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Tab")
    keys.press("Enter")
    signed_in(person, flow, "anna@example.org")
    person.close()


def reduced_motion(stage):
    for wish, moves in (("reduce", False), ("no-preference", True)):
        person, flow = open_page(stage, "still", reduced_motion=wish)
        person.page.route("**/sign-in/wait", lambda route: route.fulfill(status=204))
        stage.sandbox.control("POST", "faults", {"endpoint": "token.password", "fault": "delay-before", "seconds": 1})
        person.follow("Continue with Email")
        person.fill("anna@example.org", PASSWORD)
        person.press("Sign in")
        person.sees("Signing in…")
        assert (person.page.evaluate("document.getAnimations().length") > 0) == moves, wish
        person.page.unroute_all()
        assert flow.end() == "signedIn"
        person.close()


def link_question(stage):
    """LK-2: the page asks before a sign-in that the server linked to an account takes effect; a
    refusal undoes it."""
    stage.sandbox.control("PATCH", "settings", {"manualLinking": True})
    stage.sandbox.control("POST", "users", {"email": "link@example.org", "password": PASSWORD})
    agent = stage.another_agent("confirming", configuration='\n[linking]\npolicy = "confirm"\n')
    signed = agent.call("signIn.password", account="linked", email="link@example.org", password=PASSWORD)
    assert signed.get("outcome") == "signedIn", signed
    for look, answer in (("light", "Undo the sign-in"), ("dark", "Undo the sign-in"), ("narrow", "Keep and sign in")):
        flow = agent.start("linked")
        person = stage.visitor(look)
        person.page.goto(flow.url)
        person.follow("Continue with Google")
        consent(person, "link@example.org")
        person.sees("Keep Google linked?")
        person.inspect("question")
        assert flow.end() == "decisionNeeded"
        person.press(answer)
        keeps = answer.startswith("Keep")
        person.sees("Signed in" if keeps else "Cancelled")
        assert flow.end() == ("signedIn" if keeps else "cancelled")
        listed = agent.call("identity.list", account="linked")["identities"]
        assert ("google" in json.dumps(listed)) == keeps, listed
        person.close()
    trail = agent.ctl("audit")
    assert "linked" in trail and "unlinked" in trail, trail


def quick(stage):
    """SI-9: the duration of a sign-in without the person's time, from the launch URL to the end."""
    person, flow = open_page(stage, "quick")
    begin = time.monotonic()
    person.follow("Continue with Email")
    person.fill("anna@example.org", PASSWORD)
    person.press("Sign in")
    person.sees("Signed in")
    took = time.monotonic() - begin
    assert took < 10, f"{took:.1f} s"
    person.close()


def open_page(stage, account, **more):
    flow = stage.agent.start(account)
    person = stage.visitor(**more)
    person.page.goto(flow.url)
    person.sees("Sign in")
    return person, flow


ALL = (
    google, apple, email, sign_up, wrong_password, cancelled_at_provider, provider_error, back_and_another_way,
    double_click, disabled_while_sent, side_by_side, without_script, keyboard_only, reduced_motion, link_question, quick,
)
