"""The page that asks for a second factor, after a sign-in and for a signed-in account."""

from codes import NUMBER, NUMBER_CODE, never_shown, other
from flows import tabs
from programs import Flow
from states import PASSWORD, asked, authenticator, current_code, user_with

APP = "Enter the code from your authenticator app"
VERIFIED = "Your second factor is verified."


def enter(person, code):
    person.fill_in("Code", code)
    person.press("Verify")


def is_verified(person, email):
    person.is_signed_in(email)
    assert VERIFIED in person.page.inner_text("main")


def factor_after_sign_in(stage):
    """A wrong code, then the right one, with and without scripts."""
    for scripts in (True, False):
        email = f"factor-{scripts}@example.org".lower()
        factor = authenticator(stage, email)
        person, flow, mfa = asked(stage, f"factor-{scripts}".lower(), email, scripts=scripts)
        person.sees(APP)
        assert f"Verifying signs {email} out on every other phone" in person.page.inner_text("main")
        verified = stage.sandbox.requests("factors.verify")
        code = current_code(stage, factor)
        enter(person, other(code))
        person.page.get_by_role("alert").wait_for()
        assert person.page.get_by_label("Code", exact=True).input_value() == ""
        assert person.page.title().startswith("Not verified")
        code = current_code(stage, factor)
        enter(person, f" {code[:3]} {code[3:]}")
        is_verified(person, email)
        assert stage.sandbox.requests("factors.verify") == verified + 2
        assert mfa.end() == "signedIn"
        assert stage.agent.call("session.status", account=flow.account)["assurance"]["current"] == "aal2"
        person.page.reload()
        is_verified(person, email)
        person.page.go_back()
        is_verified(person, email)
        assert stage.sandbox.requests("factors.verify") == verified + 2
        never_shown(person, code)
        assert code not in stage.agent.log.read_text()


def factor_twice(stage):
    """A double click and a second tab verify once."""
    email = "factor-twice@example.org"
    factor = authenticator(stage, email)
    person, flow, mfa = asked(stage, "factor-twice", email, scripts=False)
    person.sees(APP)
    second = person.tab()
    second.goto(flow.origin + "/sign-in")
    verified = stage.sandbox.requests("factors.verify")
    stage.sandbox.control("POST", "faults", {"endpoint": "factors.verify", "fault": "delay-before", "seconds": 1})
    code = current_code(stage, factor)
    person.fill_in("Code", code)
    person.page.get_by_role("button", name="Verify", exact=True).dblclick(no_wait_after=True)
    second.get_by_label("Code", exact=True).fill(code)
    second.get_by_role("button", name="Verify", exact=True).click()
    is_verified(person, email)
    second.get_by_text(VERIFIED).wait_for()
    assert stage.sandbox.requests("factors.verify") == verified + 1
    assert mfa.end() == "signedIn"


def factor_later(stage):
    email = "factor-later@example.org"
    factor = authenticator(stage, email)
    person, flow, mfa = asked(stage, "factor-later", email)
    person.sees(APP)
    person.press("Later")
    person.is_signed_in(email)
    command = person.page.locator(".command").inner_text()
    assert command == "ritualctl mfa verify --account factor-later", command
    assert mfa.end() == "signedIn"
    assert stage.agent.call("session.status", account="factor-later")["assurance"]["current"] == "aal1"
    # The same page, for the account that is signed in.
    started = stage.agent.call("mfa.start", account="factor-later")
    again = Flow(stage.agent, started)
    person.page.goto(again.url)
    person.sees(APP)
    enter(person, current_code(stage, factor))
    is_verified(person, email)
    assert again.end() == "signedIn"


def factor_by_phone(stage):
    email = user_with(stage, "factor-phone@example.org", phone=NUMBER)
    with stage.settings(mfaPhoneVerify=True, testPhones={NUMBER: NUMBER_CODE}):
        person, flow, mfa = asked(stage, "factor-phone", email)
        person.sees("Verify your phone")
        person.press("Send code")
        person.sees("Enter the code")
        assert person.page.get_by_role("button", name="Send another code").is_disabled()
        assert stage.sandbox.requests("factors.challenge") > 0
        person.page.reload()
        enter(person, other(NUMBER_CODE))
        person.page.get_by_role("alert").wait_for()
        enter(person, NUMBER_CODE)
        is_verified(person, email)
        assert mfa.end() == "signedIn"
        never_shown(person, NUMBER_CODE)


def factor_by_keyboard(stage):
    email = "factor-keys@example.org"
    app = authenticator(stage, email, name="Phone")
    stage.sandbox.control("POST", "factors", {"email": email, "name": "Tablet"})
    person, flow, mfa = asked(stage, "factor-keys", email)
    person.sees("Choose a second factor")
    keys = person.page.keyboard
    assert tabs(person, 3) == ["Authenticator app Phone", "Authenticator app Tablet", "Later"]
    for _ in range(2):
        keys.press("Shift+Tab")
    keys.press("Enter")
    person.sees(APP)
    person.has_focus("code")
    assert tabs(person, 3) == ["Verify", "Use another second factor", "Later"]
    for _ in range(3):
        keys.press("Shift+Tab")
    keys.type(current_code(stage, app))
    keys.press("Enter")
    is_verified(person, email)


def factor_after_a_lost_answer(stage):
    """The answers to all attempts are lost: a new code is asked for, and the session is not lost."""
    email = "factor-lost@example.org"
    factor = authenticator(stage, email)
    person, flow, mfa = asked(stage, "factor-lost", email)
    person.sees(APP)
    for _ in range(3):
        stage.sandbox.control("POST", "faults", {"endpoint": "factors.verify", "fault": "drop-after"})
    enter(person, current_code(stage, factor))
    person.is_refused("its outcome is unknown")
    person.sees(APP)
    enter(person, current_code(stage, factor))
    is_verified(person, email)
    assert mfa.end() == "signedIn"


def factor_after_a_sign_out(stage):
    email = "factor-out@example.org"
    factor = authenticator(stage, email)
    person, flow, mfa = asked(stage, "factor-out", email)
    person.sees(APP)
    stage.agent.call("session.signOut", account="factor-out")
    enter(person, current_code(stage, factor))
    person.sees("Not verified")
    assert person.page.locator(".command").all_inner_texts() == ["ritualctl sign-in --account factor-out"]


def factor_in_the_terminal(stage):
    """A code that another program verifies ends the page."""
    email = "factor-terminal@example.org"
    factor = authenticator(stage, email)
    person, flow, mfa = asked(stage, "factor-terminal", email)
    person.sees(APP)
    done = stage.agent.call("mfa.verify", account="factor-terminal", code=current_code(stage, factor))
    assert done.get("name") == "factor-terminal", done
    assert mfa.end() == "signedIn"
    person.page.reload()
    is_verified(person, email)


def factor_while_the_agent_stops(stage):
    """A code that is entered after the agent has stopped is not lost in silence: the page says so."""
    email = "factor-stop@example.org"
    factor = authenticator(stage, email)
    agent = stage.another_agent("factor-stop")
    person, flow, mfa = asked(stage, "factor-stop", email, agent=agent)
    person.sees(APP)
    agent.process.terminate()
    agent.process.wait(10)
    person.fill_in("Code", current_code(stage, factor))
    verified = stage.sandbox.requests("factors.verify")
    person.page.get_by_role("button", name="Verify", exact=True).click(no_wait_after=True)
    person.page.get_by_text("ERR_CONNECTION_REFUSED").wait_for()
    assert stage.sandbox.requests("factors.verify") == verified


ALL = (
    factor_after_sign_in, factor_twice, factor_later, factor_by_phone, factor_by_keyboard, factor_after_a_lost_answer,
    factor_after_a_sign_out, factor_in_the_terminal, factor_while_the_agent_stops,
)
