"""Sign-ins with a code, a mailed link, a phone, single sign-on, other providers and anonymously."""

import json
import urllib.request

from flows import consent, open_page, signed_in, tabs
from states import PASSWORD, WRONG_CODE

NUMBER, NUMBER_CODE = "4915112345601", "123456"


def request_code(person, email, sign_up=False):
    person.follow("Continue with Email")
    if sign_up:
        person.follow("Create an account")
    person.fill_in("Email", email)
    person.press("Email me a code")


def enter(person, code):
    person.sees("Enter the code")
    person.fill_in("Code", code)
    person.press("Sign in")


def user(stage, email):
    """Adds a user of this check, so that the pause after another check's email does not matter."""
    stage.sandbox.control("POST", "users", {"email": email, "password": PASSWORD})
    return email


def other(code):
    """A code that is not `code`."""
    return f"{(int(code) + 1) % 10 ** len(code):0{len(code)}}"


def never_shown(person, code):
    assert not [path for path in person.paths if code in path], "the code is in a URL"
    assert code not in person.page.content(), "the code is in the page"


def code_by_email(stage):
    email = user(stage, "code@example.org")
    for scripts in (True, False):
        person, flow = open_page(stage, "code", scripts=scripts)
        before = len(stage.sandbox.messages(email))
        request_code(person, email.upper())
        code = stage.sandbox.message(email, before)["code"]
        enter(person, other(code))
        person.page.get_by_role("alert").filter(has_text=WRONG_CODE).wait_for()
        assert person.page.get_by_label("Code", exact=True).input_value() == ""
        assert person.page.title().startswith("Not signed in")
        verified = stage.sandbox.requests("verify")
        enter(person, f" {code[:3]} {code[3:]}")
        signed_in(person, flow, email)
        assert stage.sandbox.requests("verify") == verified + 1
        person.page.go_back()
        person.is_signed_in(email)
        never_shown(person, code)
        person.close()
        stage.sandbox.control("POST", "clock", {"advance": 61})


def code_twice(stage):
    """A double click sends one code, and verifies once."""
    email = user(stage, "twice@example.org")
    person, flow = open_page(stage, "twice", scripts=False)
    person.follow("Continue with Email")
    person.fill_in("Email", email)
    person.page.get_by_role("button", name="Email me a code").dblclick(no_wait_after=True)
    person.sees("Enter the code")
    code = stage.sandbox.message(email)["code"]
    assert len(stage.sandbox.messages(email)) == 1
    verified = stage.sandbox.requests("verify")
    stage.sandbox.control("POST", "faults", {"endpoint": "verify", "fault": "delay-before", "seconds": 1})
    person.fill_in("Code", code)
    person.page.get_by_role("button", name="Sign in", exact=True).dblclick(no_wait_after=True)
    signed_in(person, flow, email)
    assert stage.sandbox.requests("verify") == verified + 1


def mailed_link(stage):
    """The link of the mail in another tab of the browser, and in another browser on this computer."""
    for name, is_own in (("link-one", True), ("link-two", False)):
        email = user(stage, f"{name}@example.org")
        person, flow = open_page(stage, name)
        request_code(person, email)
        person.sees("Enter the code")
        link = stage.sandbox.message(email)["link"]
        reader = person if is_own else stage.visitor()
        page = reader.tab()
        page.goto(link)
        page.get_by_text(f"You are signed in as {email}.").wait_for()
        assert page.url == flow.origin + "/sign-in"
        assert flow.end() == "signedIn"
        enter(person, "123456")  # too late: the flow is over
        person.is_signed_in(email)


def code_for_a_new_user(stage):
    person, flow = open_page(stage, "fresh")
    before = len(stage.sandbox.control("GET", "mail"))
    request_code(person, "fresh@example.org")
    person.is_refused("No account with this address, or it uses single sign-on.")
    assert "--sign-up" not in person.page.inner_text("main")
    assert len(stage.sandbox.control("GET", "mail")) == before
    person.follow("Create an account")
    assert person.page.get_by_label("Email").input_value() == "fresh@example.org"
    person.press("Email me a code")
    person.sees("Enter the code")
    enter(person, stage.sandbox.message("fresh@example.org")["code"])
    signed_in(person, flow, "fresh@example.org")


def another_code(stage):
    """Another code, after the pause: the page counts it down, and the way without a script is to
    reload."""
    clock = stage.folder / "code-clock"
    clock.write_text("+0\n")
    agent = stage.another_agent("again", clock)
    for scripts in (True, False):
        clock.write_text("+0\n")
        name = f"again-{scripts}".lower()
        email = user(stage, f"{name}@example.org")
        flow = agent.start(name)
        person = stage.visitor(scripts=scripts)
        if scripts:
            person.page.clock.install()
        person.page.goto(flow.url)
        request_code(person, email)
        person.sees("Enter the code")
        first = stage.sandbox.message(email)["code"]
        button = person.page.get_by_role("button", name="Send another code")
        assert button.is_disabled()
        assert "You can request another code in" in person.page.inner_text("#pause")
        clock.write_text("+61\n")
        stage.sandbox.control("POST", "clock", {"advance": 61})
        if scripts:
            assert not person.page.locator("noscript").is_visible()
            person.page.clock.fast_forward(30_000)
            assert button.is_disabled()
            person.page.clock.fast_forward(31_000)
            assert person.page.inner_text("#pause") == "You can request another code now."
        else:
            assert person.page.locator("noscript").is_visible()
            person.page.reload()
        assert button.is_enabled()
        button.click()
        second = stage.sandbox.message(email, 1)["code"]
        person.page.locator("button[disabled]").wait_for()
        assert len(stage.sandbox.messages(email)) == 2
        if first != second:
            enter(person, first)
            person.page.get_by_role("alert").filter(has_text=WRONG_CODE).wait_for()
        enter(person, second)
        signed_in(person, flow, email)


def change_address(stage):
    wrong, email = user(stage, "typo@example.org"), user(stage, "right@example.org")
    person, flow = open_page(stage, "change")
    request_code(person, wrong)
    person.sees("Enter the code")
    person.follow("Change the address")
    assert person.page.get_by_label("Email").input_value() == wrong
    person.fill_in("Email", email)
    person.press("Email me a code")
    person.page.get_by_text(email).wait_for()
    enter(person, stage.sandbox.message(email)["code"])
    signed_in(person, flow, email)


def code_by_keyboard(stage):
    email = user(stage, "keys@example.org")
    person, flow = open_page(stage, "code-keys")
    keys = person.page.keyboard
    tabs(person, 3)
    keys.press("Enter")
    person.page.get_by_label("Email").wait_for()
    person.has_focus("email")
    keys.type(email)
    assert tabs(person, 4)[-1] == "Email me a code"
    keys.press("Enter")
    person.sees("Enter the code")
    person.has_focus("code")
    # The button for another code is disabled during the pause.
    names = tabs(person, 4)
    assert names == ["Sign in", "Change the address", "Other sign-in methods", "Cancel"], names
    for _ in range(4):
        keys.press("Shift+Tab")
    keys.type(stage.sandbox.message(email)["code"])
    keys.press("Enter")
    signed_in(person, flow, email)


def phone(stage):
    with stage.settings(phoneEnabled=True, testPhones={NUMBER: NUMBER_CODE}):
        person, flow = open_page(stage, "phone")
        person.follow("Continue with Phone")
        person.follow("Create an account")
        person.fill_in("Phone number", "+49 (151) 123-45601")
        person.press("Text me a code")
        person.sees("Enter the code")
        assert f"+{NUMBER}" in person.page.inner_text("main")
        person.follow("Other sign-in methods")
        person.follow(f"Enter the code sent to +{NUMBER}")
        enter(person, other(NUMBER_CODE))
        person.is_refused(WRONG_CODE)
        enter(person, NUMBER_CODE)
        person.page.get_by_text("You can close this tab and").wait_for()
        assert flow.end() == "signedIn"
        never_shown(person, NUMBER_CODE)


def confirmed_sign_up(stage):
    """A sign-up with a password goes on with the code that confirms it."""
    with stage.settings(autoconfirm=False):
        person, flow = open_page(stage, "confirmed")
        person.follow("Continue with Email")
        person.follow("Create an account")
        person.fill("confirmed@example.org", PASSWORD)
        person.press("Sign up")
        enter(person, stage.sandbox.message("confirmed@example.org")["code"])
        signed_in(person, flow, "confirmed@example.org")


def confirmed_by_link(stage):
    """The mailed link confirms a sign-up without a session here; then the password signs in."""
    with stage.settings(autoconfirm=False):
        person, flow = open_page(stage, "by-link")
        person.follow("Continue with Email")
        person.follow("Create an account")
        person.fill("by-link@example.org", PASSWORD)
        person.press("Sign up")
        person.sees("Enter the code")
        stage.sandbox.control("POST", "users/confirm", {"email": "by-link@example.org"})
        person.follow("Sign in with your password")
        assert person.page.get_by_label("Email").input_value() == "by-link@example.org"
        person.fill("by-link@example.org", PASSWORD)
        person.press("Sign in")
        signed_in(person, flow, "by-link@example.org")


def single_sign_on(stage):
    with stage.settings(ssoDomains=["example.org"]):
        agent = stage.local_agent("organization")
        for scripts in (True, False):
            person, flow = stage.opened("sso", scripts=scripts, project="local", agent=agent)
            person.follow("Continue with single sign-on")
            assert "Finish there within 2 minutes" in person.page.inner_text("main")
            field = person.page.get_by_label("Work email or domain")
            for text, refusal in (("exa mple", "This is not a domain."), ("example.com", "No single sign-on is registered")):
                field.fill(text)
                person.press("Continue")
                person.page.get_by_role("alert").filter(has_text=refusal).wait_for()
                assert field.input_value() == text
            field.fill("anna@Example.org")
            person.press("Continue")
            heading = person.page.get_by_role("heading", name="Single sign-on (sandbox)")
            heading.wait_for()
            # Back leads to the form, and not at once to the organization's page again.
            person.page.goto(flow.origin + "/sign-in/sso/leave")
            person.page.get_by_label("Work email or domain").wait_for()
            person.press("Continue")
            heading.wait_for()
            person.press("Continue")
            if not scripts:
                person.press("Back to the app")
            signed_in(person, flow, "anna@example.org")


def anonymous(stage):
    with stage.settings(anonymousEnabled=True):
        person, flow = open_page(stage, "nobody")
        person.follow("Continue without an account")
        assert "A sign-out loses this user" in person.page.inner_text("main")
        before = stage.sandbox.requests("signup")
        person.page.get_by_role("button", name="Continue", exact=True).dblclick(no_wait_after=True)
        person.page.get_by_text("You can close this tab and").wait_for()
        assert flow.end() == "signedIn"
        assert stage.sandbox.requests("signup") == before + 1
        assert stage.agent.call("session.status", account="nobody")["user"]["isAnonymous"]


def other_provider(stage):
    """A provider that this program does not know by name."""
    with stage.settings(providers=["github", "custom:acme"]):
        for name, label in (("github", "Continue with GitHub"),):
            person, flow = open_page(stage, "forge")
            person.follow(label)
            consent(person, "forge@example.org")
            signed_in(person, flow, "forge@example.org")
            assert person.page.url == flow.origin + "/sign-in"
            status = json.loads(stage.agent.ctl("status", "--account", "forge", "--json"))
            assert name in json.dumps(status), status


def with_captcha(stage):
    """A project with a CAPTCHA: every form says what works, and a code that was requested elsewhere
    signs in."""
    email = user(stage, "human@example.org")
    with stage.settings(captcha="on"):
        person, flow = open_page(stage, "captcha")
        person.follow("Continue with Email")
        person.fill(email, PASSWORD)
        person.press("Sign in")
        person.is_refused("a provider such as Google or GitHub")
        assert "ritualctl" not in person.page.inner_text(".alert")
        body = {"email": email, "create_user": False, "gotrue_meta_security": {"captcha_token": "sandbox-captcha"}}
        elsewhere = urllib.request.Request(
            stage.sandbox.url + "/auth/v1/otp", data=json.dumps(body).encode(), method="POST",
            headers={"apikey": stage.sandbox.key, "Content-Type": "application/json"})
        urllib.request.urlopen(elsewhere).close()
        person.follow("I already have a code")
        person.fill_in("Email", email)
        person.press("Continue")
        enter(person, stage.sandbox.message(email)["code"])
        signed_in(person, flow, email)


ALL = (
    code_by_email, code_twice, mailed_link, code_for_a_new_user, another_code, change_address, code_by_keyboard, phone,
    confirmed_sign_up, confirmed_by_link, single_sign_on, anonymous, other_provider, with_captcha,
)
