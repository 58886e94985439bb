"""Every state of the page, in each look: accessibility, size of targets, 320 px, 200 % text,
pictures."""

from visitor import LOOKS, Visitor

PASSWORD = "correct horse 9"


def choice_and_form(stage, look):
    flow = stage.agent.start("look")
    person = stage.visitor(look)
    person.page.goto(flow.url)
    person.sees("Sign in")
    names = person.page.locator(".ways a").all_inner_texts()
    assert names == ["Continue with Apple", "Continue with Google", "Continue with Email"], names
    person.inspect("choice")
    person.follow("Continue with Email")
    person.sees("Sign in with email")
    person.inspect("email")
    person.follow("Create an account")
    person.sees("Create an account")
    person.inspect("sign-up")
    person.page.goto(flow.origin + "/sign-in/email")
    person.fill("anna@example.org", "not the password")
    person.press("Sign in")
    person.page.get_by_role("alert").wait_for()
    person.inspect("error")
    person.page.goto(flow.origin + "/sign-in")
    person.press("Cancel")
    person.sees("Cancelled")
    person.inspect("cancelled")
    person.close()


def progress_and_end(stage, look):
    flow = stage.agent.start("look", replace=True)
    person = stage.visitor(look)
    person.page.goto(flow.url)
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
    person.sees("Signed in")
    person.inspect("signed-in")
    person.close()
    assert flow.end() == "signedIn"


def confirmation(stage, look):
    stage.sandbox.control("PATCH", "settings", {"autoconfirm": False})
    # An account without a user: a sign-up for another user's account is refused.
    flow = stage.agent.start("new")
    person = stage.visitor(look)
    person.page.goto(flow.url)
    person.page.goto(flow.origin + "/sign-in/email/new")
    person.fill(f"new-{look}@example.org", PASSWORD)
    person.press("Sign up")
    person.sees("Check your email")
    person.inspect("confirmation")
    person.close()
    stage.sandbox.control("PATCH", "settings", {"autoconfirm": True})
    assert flow.end() == "confirmationSent"


def failures(stage, look):
    flow = stage.agent.start("look")
    person = stage.visitor(look)
    person.page.goto(flow.url)
    person.follow("Continue with Google")
    person.page.get_by_label("Another account (e-mail)").fill("g@example.org")
    person.page.get_by_role("button", name="Let it fail").click()
    person.sees("Sign in failed")
    assert person.page.get_by_role("alert").evaluate("e => e === document.activeElement")
    person.inspect("failed")
    person.page.goto(flow.url)
    stranger = stage.visitor(look)
    stranger.page.goto(flow.url)
    stranger.sees("Link already used")
    stranger.inspect("used")
    stranger.page.goto(flow.origin + "/sign-in")
    stranger.sees("Wrong window")
    stranger.inspect("stranger")
    stranger.close()
    person.close()


def refused_callback(stage, look):
    flow = stage.agent.start("look", provider="google")
    person = stage.visitor(look)
    person.page.goto(flow.callback + "&code=1&code=2")
    person.sees("Not signed in yet")
    assert person.page.url == flow.origin + "/sign-in", "the address is clean"
    person.inspect("refused")
    person.press("Cancel")
    person.sees("Cancelled")
    assert flow.end() == "cancelled"
    person.close()


def run(stage):
    for look in LOOKS:
        for state in (choice_and_form, progress_and_end, confirmation, failures, refused_callback):
            state(stage, look)
            print(f"ok: {state.__name__}, {look}", flush=True)
