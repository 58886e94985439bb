"""Complete sign-ins, and common user actions during them."""

import json
import time

from hosted import NAME
from programs import until
from states import PASSWORD
from visitor import LOOKS


def consent(person, email, button="Continue"):
    """Fills in the sandbox's consent page of Apple or Google."""
    person.page.get_by_label("Another account").fill(email)
    person.page.get_by_role("button", name=button, exact=True).click()


def fill_in_email(person, password=PASSWORD):
    person.follow("Continue with Email")
    person.fill("anna@example.org", password)


def sign_in_by_email(person, password=PASSWORD):
    fill_in_email(person, password)
    person.press("Sign in")


def signed_in(person, flow, who):
    person.is_signed_in(who)
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
    person.is_signed_in("g@example.org")
    assert person.hosts == {f"127.0.0.1:{flow.port}", f"127.0.0.1:{stage.sandbox.port}", NAME}, person.hosts


def apple(stage):
    person, flow = open_page(stage, "apple")
    person.follow("Continue with Apple")
    consent(person, "a@example.org")
    signed_in(person, flow, "a@example.org")


def email(stage):
    person, flow = open_page(stage, "email")
    sign_in_by_email(person)
    signed_in(person, flow, "anna@example.org")
    before = stage.sandbox.requests("token.password")
    person.page.reload()
    person.is_signed_in("anna@example.org")
    person.page.go_back()
    person.is_signed_in("anna@example.org")
    assert stage.sandbox.requests("token.password") == before, "the way back sent the password again"


def sign_up(stage):
    person, flow = open_page(stage, "signup")
    person.follow("Continue with Email")
    person.follow("Create an account")
    person.fill("eve@example.org", PASSWORD)
    person.press("Sign up")
    signed_in(person, flow, "eve@example.org")


def wrong_password(stage):
    person, flow = open_page(stage, "wrong")
    sign_in_by_email(person, "wrong")
    alert = person.page.get_by_role("alert")
    alert.wait_for()
    message, hint = alert.locator("p").all_inner_texts()
    assert message == "Sign in failed. Please check your email and password.", message
    assert hint == "Sign in with a code instead", hint
    person.has_focus("password")
    assert person.page.get_by_label("Email").input_value() == "anna@example.org"
    assert person.page.get_by_label("Password", exact=True).input_value() == ""
    assert person.page.title().startswith("Not signed in")
    person.page.reload()
    person.page.get_by_label("Password", exact=True).fill(PASSWORD)
    person.page.keyboard.press("Enter")
    signed_in(person, flow, "anna@example.org")


def cancelled_at_provider(stage):
    for name in ("Apple", "Google"):
        person, flow = open_page(stage, "cancel")
        person.follow(f"Continue with {name}")
        person.page.get_by_role("button", name="Cancel").click()
        person.sees("Cancelled")
        assert person.page.get_by_role("alert").count() == 0
        assert flow.end() == "cancelled"


def provider_error(stage):
    person, flow = open_page(stage, "fails")
    person.follow("Continue with Google")
    consent(person, "g@example.org", "Fail the sign-in")
    person.sees("Sign-in failed")
    assert flow.end() == "serviceUnavailable"


def back_and_another_way(stage):
    """Back from the provider's page, then another sign-in method."""
    person, flow = open_page(stage, "back")
    person.follow("Continue with Google")
    person.page.get_by_role("heading", name="Sign in with Google (sandbox)").wait_for()
    person.page.go_back()
    sign_in_by_email(person)
    signed_in(person, flow, "anna@example.org")


def double_click(stage):
    for scripts in (True, False):
        person, flow = open_page(stage, "double", scripts=scripts)
        fill_in_email(person)
        before = stage.sandbox.requests("token.password")
        stage.sandbox.control("POST", "faults", {"endpoint": "token.password", "fault": "delay-before", "seconds": 1})
        person.page.get_by_role("button", name="Sign in", exact=True).dblclick(no_wait_after=True)
        signed_in(person, flow, "anna@example.org")
        person.worked()
        assert stage.sandbox.requests("token.password") == before + 1


def disabled_while_sent(stage):
    """With the script, the buttons are disabled from the click on."""
    person, flow = open_page(stage, "locked")
    fill_in_email(person)
    person.page.route("**/sign-in/email", lambda route: route.fulfill(status=204))  # no new page
    person.page.wait_for_load_state()  # the script has run
    person.page.get_by_role("button", name="Sign in", exact=True).click(no_wait_after=True)
    button = person.page.locator("button.primary")
    until_true(person, "document.querySelector('button.primary').disabled")
    assert button.inner_text() == "Signing in…"
    assert person.page.get_by_role("button", name="Cancel").is_enabled()
    flow.cancel()


def side_by_side(stage):
    """Two flows in two tabs of one browser, which stores the cookies of both under 127.0.0.1."""
    # Another account, so that the pages name theirs.
    stage.agent.call("signIn.password", account="side", email="anna@example.org", password=PASSWORD)
    person, one = open_page(stage, "one")
    two = stage.agent.start("two")
    other = person.tab()
    other.goto(two.url)
    person.page.reload()
    assert "the account name one," in person.page.inner_text("main")
    assert "the account name two," in other.inner_text("main")
    other.get_by_role("link", name="Continue with Google").click()
    sign_in_by_email(person)
    signed_in(person, one, "anna@example.org")
    other.get_by_label("Another account").fill("g@example.org")
    other.get_by_role("button", name="Continue", exact=True).click()
    other.get_by_text("You are signed in as g@example.org.").wait_for()
    assert two.end() == "signedIn"


def without_script(stage):
    person, flow = open_page(stage, "plain", scripts=False)
    sign_in_by_email(person, "wrong")
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


def keyboard_only(stage):
    person, flow = open_page(stage, "keys")
    keys = person.page.keyboard
    names = ["Continue with Apple", "Continue with Google", "Continue with Email", "Cancel"]
    assert tabs(person, 4) == names
    keys.press("Shift+Tab")
    keys.press("Enter")
    person.page.get_by_label("Email").wait_for()
    person.has_focus("email")
    names = ["Password", "Show password", "Sign in", "Email me a code", "Create an account", "I already have a code",
             "Other sign-in methods", "Cancel"]
    assert tabs(person, 8) == names
    for _ in range(8):
        keys.press("Shift+Tab")
    keys.type("anna@example.org")
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Enter")
    signed_in(person, flow, "anna@example.org")


def until_true(person, expression):
    """Polls from here: the page's policy forbids the eval() of Playwright's `wait_for_function`."""
    until(expression, lambda: person.page.evaluate(expression))


def moved(person):
    """Presses Tab; returns whether a control has the focus now."""
    person.page.keyboard.press("Tab")
    return person.page.evaluate("document.activeElement !== document.body")


def tabs(person, count):
    """Presses Tab `count` times; returns the names of the controls, each with a visible focus."""
    # Chromium drops keys until it has painted a page, and on a busy machine for a moment longer.
    until_true(person, "performance.getEntriesByType('paint').length > 0")
    until("the focus on the first control", lambda: moved(person))
    names = []
    for number in range(count):
        if number > 0:
            person.page.keyboard.press("Tab")
        names.append(person.page.evaluate(
            "(e => e.getAttribute('aria-label') ?? e.labels?.[0]?.innerText ?? e.innerText.trim())(document.activeElement)"))
        outline = person.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid", f"no focus to be seen on {names[-1]}"
    return names


def shown_password(stage):
    person, flow = open_page(stage, "shown")
    fill_in_email(person)
    field = person.page.get_by_label("Password", exact=True)
    button = person.page.get_by_role("button", name="Show password")
    for kind, pressed in (("text", "true"), ("password", "false"), ("text", "true")):
        button.press("Space")
        assert (field.get_attribute("type"), button.get_attribute("aria-pressed")) == (kind, pressed)
    assert field.input_value() == PASSWORD
    # A browser stores the values of text fields for later suggestions.
    person.page.evaluate(
        "addEventListener('submit', e => { window.name = e.target.querySelector('#password').type })")
    person.press("Sign in")
    signed_in(person, flow, "anna@example.org")
    assert person.page.evaluate("window.name") == "password"
    person.close()
    person, flow = open_page(stage, "shown", scripts=False)
    person.follow("Continue with Email")
    assert person.page.get_by_role("button", name="Show password").count() == 0, "it would do nothing"
    flow.cancel()


def minutes_left(stage):
    person, flow = open_page(stage, "minutes", has_clock=True)
    time_left = person.page.locator("#time")
    # Only the change to the last minute is announced.
    steps = ((0, "5 minutes left", None), (61, "4 minutes left", None), (60, "3 minutes left", None),
             (60, "2 minutes left", "polite"), (60, "Less than a minute left", "polite"))
    for seconds, text, live in steps:
        person.page.clock.fast_forward(seconds * 1000)
        assert (time_left.inner_text(), time_left.get_attribute("aria-live")) == (f"{text} to sign in", live)
    flow.cancel()


def no_answer(stage):
    """An agent that does not answer: the controls work again, and the page says what to do."""
    person, flow = open_page(stage, "stalled", has_clock=True)
    fill_in_email(person)
    # Playwright cannot inspect a page that waits for the next one, so this answer leads nowhere.
    person.page.route("**/sign-in/email", lambda route: route.fulfill(status=204))
    button, note = person.page.locator("button.primary"), person.page.locator("#stalled")
    button.click(no_wait_after=True)
    until("the button is disabled", button.is_disabled)
    person.page.clock.fast_forward(14_000)
    assert button.is_disabled() and note.is_hidden()
    person.page.clock.fast_forward(2_000)
    until("the button works again", lambda: button.is_enabled() and button.inner_text() == "Sign in")
    assert "ritualctl status" in note.inner_text()
    assert note.evaluate("e => e === document.activeElement")
    flow.cancel()


def cancelled_while_signing_in(stage):
    person, flow = open_page(stage, "stop")
    person.follow("Continue with Email")
    stage.sandbox.control("POST", "faults", {"endpoint": "token.password", "fault": "hang"})
    person.page.route("**/sign-in/wait", lambda route: route.fulfill(status=204))
    person.fill("anna@example.org", PASSWORD)
    person.press("Sign in")
    person.sees("Signing in…")
    person.cancel()
    assert flow.end() == "cancelled"
    stage.sandbox.control("POST", "release")


def many_methods(stage):
    """A long list, also of long names, fits the page in every look."""
    long = [f"custom:a-provider-of-a-long-name-{i}" for i in range(13)]
    for look in LOOKS:
        with stage.settings(providers=["github", "gitlab", "azure"]):
            person, flow = open_page(stage, "many", look=look)
        person.page.evaluate(
            "(names => { const list = document.querySelector('.methods'), last = list.lastElementChild;"
            " for (const name of names) { const more = last.cloneNode(true);"
            " more.querySelector('span').textContent = name; list.insertBefore(more, last) } })", long)
        assert person.page.locator(".method").count() == 6 + len(long)
        person.check_alignment()
        person.check_fit()
        person.check_targets()
        person.check_large_text("many")
        flow.cancel()


def reduced_motion(stage):
    for wish, moves in (("reduce", False), ("no-preference", True)):
        person, flow = open_page(stage, "still", reduced_motion=wish)
        person.page.route("**/sign-in/wait", lambda route: route.fulfill(status=204))
        stage.sandbox.control("POST", "faults", {"endpoint": "token.password", "fault": "delay-before", "seconds": 1})
        sign_in_by_email(person)
        person.sees("Signing in…")
        assert (person.page.evaluate("document.getAnimations().length") > 0) == moves, wish
        person.page.unroute_all()
        assert flow.end() == "signedIn"


def link_question(stage):
    """LK-2: the page asks before a sign-in that the server linked to an account takes effect; a
    refusal undoes it."""
    stage.sandbox.control("PATCH", "settings", {"manualLinking": True})
    stage.sandbox.control("POST", "users", {"email": "link@example.org", "password": PASSWORD})
    agent = stage.another_agent("confirming", configuration='\n[linking]\npolicy = "confirm"\n')
    signed = agent.call("signIn.password", account="linked", email="link@example.org", password=PASSWORD)
    assert signed.get("outcome") == "signedIn", signed
    for look, answer in (("light", "Undo the sign-in"), ("dark", "Undo the sign-in"), ("narrow", "Keep and sign in")):
        person, flow = stage.opened("linked", look, agent=agent)
        person.follow("Continue with Google")
        consent(person, "link@example.org")
        person.sees("Keep Google linked?")
        person.inspect("question")
        assert tabs(person, 2) == ["Undo the sign-in", "Keep and sign in"], "the safe answer is the first"
        assert flow.end() == "decisionNeeded"
        person.press(answer)
        keeps = answer.startswith("Keep")
        if keeps:
            person.is_signed_in("link@example.org")
        else:
            person.sees("Cancelled")
        assert flow.end() == ("signedIn" if keeps else "cancelled")
        listed = agent.call("identity.list", account="linked")["identities"]
        assert ("google" in json.dumps(listed)) == keeps, listed
    trail = agent.ctl("audit")
    assert "linked" in trail and "unlinked" in trail, trail


def quick(stage):
    """SI-9: the duration of a sign-in without the person's time, from the launch URL to the end."""
    person, flow = open_page(stage, "quick")
    begin = time.monotonic()
    sign_in_by_email(person)
    person.is_signed_in("anna@example.org")
    took = time.monotonic() - begin
    assert took < 10, f"{took:.1f} s"


def open_page(stage, account, has_clock=False, **more):
    """With `has_clock`, the test moves the page's clock."""
    flow = stage.agent.start(account)
    person = stage.visitor(**more)
    if has_clock:
        person.page.clock.install()
    person.page.goto(flow.url)
    person.page.locator(".methods").first.wait_for()
    return person, flow


ALL = (
    google, apple, email, sign_up, wrong_password, cancelled_at_provider, provider_error, back_and_another_way,
    double_click, disabled_while_sent, side_by_side, without_script, keyboard_only, shown_password, minutes_left, no_answer,
    cancelled_while_signing_in, many_methods, reduced_motion, link_question, quick,
)
