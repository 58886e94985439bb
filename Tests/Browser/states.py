"""Every state of the page, in each look: accessibility, size of targets, 320 px, 200 % text,
pictures."""

from visitor import LOOKS, Visitor

PASSWORD = "correct horse 9"


def choice_and_form(stage, look):
    flow = stage.agent.start("personal")
    person = stage.visitor(look)
    person.page.goto(flow.url)
    person.sees("Choose how to sign in")
    names = person.page.locator(".methods a").all_inner_texts()
    assert names == ["Continue with Apple", "Continue with Google", "Continue with Email"], names
    person.check_alignment()
    person.inspect("choice")
    person.follow("Continue with Email")
    person.sees("Sign in with email")
    person.inspect("email")
    person.follow("Create an account")
    person.sees("Create an account")
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
    alert = person.page.get_by_role("alert")
    alert.wait_for()
    assert alert.evaluate("e => e === document.activeElement && getComputedStyle(e).outlineStyle") == "none"
    person.page.get_by_role("button", name="Show password").click()
    person.page.get_by_label("Password", exact=True).fill("a password")
    alert.focus()
    person.inspect("error")
    person.page.goto(flow.origin + "/sign-in")
    person.press("Cancel")
    person.sees("Cancelled")
    person.inspect("cancelled")
    person.close()


def progress_and_end(stage, look):
    flow = stage.agent.start("work", replace=True)
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
    person.is_signed_in("anna@example.org")
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
    flow = stage.agent.start("work")
    person = stage.visitor(look)
    person.page.goto(flow.url)
    person.follow("Continue with Google")
    person.page.get_by_label("Another account").fill("g@example.org")
    person.page.get_by_role("button", name="Let it fail").click()
    person.sees("Sign-in failed")
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
    stranger.page.goto(flow.url.replace("127.0.0.1", "localhost"))
    stranger.sees("Wrong address")
    stranger.inspect("wrong-host")
    stranger.close()
    person.close()


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
    person.press("Cancel")
    person.sees("Cancelled")
    assert flow.end() == "cancelled"
    person.close()


def manual_link(stage, look):
    stage.sandbox.control("PATCH", "settings", {"manualLinking": True})
    flow = stage.agent.link("work", "google")
    person = stage.visitor(look)
    person.page.goto(flow.url)
    person.page.get_by_label("Another account").fill(f"link-{look}@example.org")
    person.page.get_by_role("button", name="Continue", exact=True).click()
    person.is_signed_in("anna@example.org")
    assert "Google is now linked." in person.page.inner_text("main")
    person.inspect("linked")
    person.close()
    assert flow.end() == "signedIn"
    for identity in stage.agent.call("identity.list", account="work")["identities"]:
        if identity["provider"] == "google":
            stage.agent.call("identity.unlink", account="work", identityID=identity["identityID"])


def locked(stage, look):
    agent = stage.another_agent(f"locked-{look}")
    flow = agent.start("work")
    person = stage.visitor(look)
    person.page.goto(flow.url)
    person.sees("Choose how to sign in")
    agent.call("vault.lock")
    person.follow("Continue with Email")
    person.sees("Sign-in failed")
    assert person.page.locator(".command").all_inner_texts() == ["ritualctl unlock", "ritualctl sign-in --account work"]
    person.inspect("locked")
    person.close()


def run(stage):
    for look in LOOKS:
        for state in (
            choice_and_form, progress_and_end, confirmation, failures, refused_callback, manual_link, locked,
        ):
            state(stage, look)
            print(f"ok: {state.__name__}, {look}", flush=True)
