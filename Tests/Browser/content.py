"""What the page says and offers: headings, names, weights, focus, and what to do next."""

import re

from codes import enter, other, request_code, user
from flows import open_page
from hosted import NAME
from states import NUMBER_OF_PROVIDERS, PASSWORD, PROVIDERS, asked, authenticator
from terminal import Terminal

EVERY_METHOD = {"providers": PROVIDERS, "phoneEnabled": True, "anonymousEnabled": True, "ssoDomains": ["example.org"]}
CLOSE = "You can close this tab and return to your terminal."


def heading_names_the_host(stage):
    person, flow = open_page(stage, "heading")
    assert person.page.locator("h1").all_inner_texts() == [f"Sign in to {NAME}"], person.page.inner_text("main")
    assert person.page.locator("h2").count() == 0, "a second heading says nothing here"
    person.follow("Continue with Email")
    person.page.get_by_label("Email").wait_for()
    assert person.page.locator("h1, h2").all_inner_texts() == [f"Sign in to {NAME}"]
    person.follow("Create an account")
    person.sees(f"Create an account at {NAME}")
    assert person.page.locator("h1, h2").count() == 1
    flow.cancel()


def three_weights(stage):
    """Providers have a border, other ways a tint, and the user without an account is a link with its meaning."""
    with stage.settings(**EVERY_METHOD):
        person, flow = open_page(stage, "weights")
        groups = person.page.locator(".methods")
        assert groups.count() == 2, groups.count()
        names = groups.nth(1).locator("a").all_inner_texts()
        assert names == [f"Continue with {name}" for name in ("Email", "Phone", "single sign-on")], names
        looks = person.page.evaluate(
            "[...document.querySelectorAll('.methods')].map(g => [...g.querySelectorAll('a')].map(e => {"
            " const s = getComputedStyle(e), c = getComputedStyle(document.querySelector('main')).backgroundColor;"
            " return [s.borderTopColor !== 'rgba(0, 0, 0, 0)', s.backgroundColor !== c && s.backgroundColor !== 'rgba(0, 0, 0, 0)']"
            " }).join('|'))")
        assert set(looks[0].split("|")[1:]) == {"true,false"} and set(looks[1].split("|")) == {"false,true"}, looks
        guest = person.page.get_by_role("link", name="Continue without an account")
        assert "button" not in (guest.get_attribute("class") or ""), "it is as heavy as the others"
        meaning = person.page.inner_text("#" + guest.get_attribute("aria-describedby"))
        assert "A sign-out loses this user" in meaning, meaning
        tops = person.page.evaluate("[...document.querySelectorAll('.methods a, .links')].map(e => e.getBoundingClientRect())"
                                    ".map((b, i, all) => i ? b.top - all[i - 1].bottom : 0)")
        within, between = tops[1], tops[NUMBER_OF_PROVIDERS]
        assert between >= 1.5 * within and tops[-1] >= 1.5 * within, f"the groups have no space of their own: {tops}"
        flow.cancel()


def one_grammar(stage):
    with stage.settings(**EVERY_METHOD):
        person, flow = open_page(stage, "grammar")
        names = person.page.locator(".methods a").all_inner_texts()
        odd = [name for name in names if not name.startswith("Continue with ")]
        assert not odd and len(set(names)) == len(names) == NUMBER_OF_PROVIDERS + 3, odd or names
        flow.cancel()


def marks_are_real(stage):
    """Apple and Google have their logos, and nobody else has a sign."""
    with stage.settings(**EVERY_METHOD):
        person, flow = open_page(stage, "marks")
        marked = person.page.locator(".method:has(svg)").all_inner_texts()
        assert marked == ["Continue with Apple", "Continue with Google"], marked
        person.check_alignment()
        flow.cancel()


def email_is_one_page(stage):
    """The page for an email address takes a password, or sends a code without one."""
    email = user(stage, "one-page@example.org")
    for scripts in (True, False):
        person, flow = open_page(stage, "one-page", scripts=scripts)
        assert person.page.get_by_role("link", name=re.compile("mail|code", re.I)).count() == 1
        person.follow("Continue with Email")
        assert person.page.locator("form.fields").count() == 1
        names = person.page.locator("form.fields button:not(#show)").all_inner_texts()
        assert names == ["Sign in", "Email me a code"], names
        before = len(stage.sandbox.messages(email))
        person.fill(email, "a password that is dropped")
        person.press("Email me a code")
        enter(person, stage.sandbox.message(email, before)["code"])
        person.is_signed_in(email)
        assert flow.end() == "signedIn"
        stage.sandbox.control("POST", "clock", {"advance": 61})
    person, flow = open_page(stage, "one-page")
    person.page.goto(flow.origin + "/sign-in/code")
    assert person.page.url == flow.origin + "/sign-in/email", person.page.url
    flow.cancel()


def terminal_has_the_same_names(stage):
    with stage.settings(**EVERY_METHOD | {"providers": ["github", "gitlab"]}):
        person, flow = open_page(stage, "names")
        names = [name.removeprefix("Continue with ") for name in person.page.locator(".methods a").all_inner_texts()]
        names.append(person.page.locator(".methods ~ .links a").inner_text())
        flow.cancel()
        terminal = Terminal(stage.another_agent("names-terminal"))
        stage.cleanup.callback(terminal.close)
        terminal.types("ritualctl sign-in --no-browser\r")
        terminal.sees("Enter a number")
        assert re.findall(r"^ +\d  (.*)$", terminal.text(), re.MULTILINE) == names, terminal.text()
        assert "Continue with\n" in terminal.text()
        email = user(stage, "terminal@example.org")
        for answer, question in (("email", "Email: "), (email, "Password"), ("", "Code")):
            terminal.types(answer + "\r")
            terminal.sees(question)
        terminal.types(stage.sandbox.message(email)["code"] + "\r")
        terminal.sees("[Ss]igned in")


def wrong_code_says_what_works(stage):
    """The hint after a wrong code never names a button that is disabled."""
    clock = stage.folder / "hint-clock"
    clock.write_text("+0\n")
    agent = stage.another_agent("hint", clock)
    email = user(stage, "hint@example.org")
    person, flow = stage.opened("hint", agent=agent)
    request_code(person, email)
    wrong = other(stage.sandbox.message(email)["code"])
    for is_paused in (True, False):
        if not is_paused:
            clock.write_text("+61\n")
        enter(person, wrong)
        alert = person.page.get_by_role("alert")
        alert.wait_for()
        assert person.page.get_by_role("button", name="Send another code").is_disabled() == is_paused
        offers = re.search("new code|another code", alert.inner_text())
        assert bool(offers) != is_paused, alert.inner_text()
        person.has_focus("code")
    flow.cancel()


def wrong_password_leads_on(stage):
    """To the code method of this page, and to the project's page for a forgotten password if one is configured."""
    reset = "https://example.org/forgot?a=1&b=2"
    agent = stage.another_agent("reset", configuration=f'password_reset_page = "{reset}"\n')
    for started_by, has_page in ((stage.agent, False), (agent, True)):
        person, flow = stage.opened("reset", agent=started_by)
        person.follow("Continue with Email")
        person.fill("anna@example.org", "wrong")
        person.press("Sign in")
        alert = person.page.get_by_role("alert")
        alert.wait_for()
        assert "ritualctl" not in person.page.inner_text("main"), alert.inner_text()
        link = alert.get_by_role("link", name="Reset your password")
        assert link.count() == int(has_page)
        assert not has_page or link.get_attribute("href") == reset
        person.inspect("reset", has_picture=has_page)
        alert.get_by_role("link", name="Sign in with a code instead").click()
        button = person.page.get_by_role("button", name="Email me a code")
        assert button.evaluate("e => location.hash === '#' + e.id")
        person.page.keyboard.press("Tab")
        button.focus()
        person.page.keyboard.press("Enter")
        person.sees("Enter the code")
        person.press("Cancel")
        stage.sandbox.control("POST", "clock", {"advance": 61})


def focus_is_on_the_field(stage):
    """At first, and after each error: the error describes the field."""
    with stage.settings(phoneEnabled=True, ssoDomains=["example.org"]):
        for scripts in (True, False):
            person, flow = open_page(stage, "focus", scripts=scripts)

            def shows(path, field):
                person.page.goto(flow.origin + path)
                person.has_focus(field)

            def is_refused(field):
                alert = person.page.get_by_role("alert")
                alert.wait_for()
                person.has_focus(field)
                described = person.page.locator(f"#{field}").get_attribute("aria-describedby").split()
                assert described[0] == alert.get_attribute("id"), described

            shows("/sign-in/email", "email")
            person.fill("anna@example.org", "wrong")
            person.press("Sign in")
            is_refused("password")
            person.fill_in("Email", "anna")
            person.press("Email me a code")
            is_refused("email")
            shows("/sign-in/email/new", "password")  # the address is kept
            shows("/sign-in/phone", "phone")
            person.fill_in("Phone number", "0151")
            person.press("Text me a code")
            is_refused("phone")
            shows("/sign-in/sso", "organization")
            person.fill_in("Work email or domain", "exa mple")
            person.press("Continue")
            is_refused("organization")
            flow.cancel()


def used_link_says_it_once(stage):
    person, flow = open_page(stage, "used-once")
    stranger = stage.visitor()
    stranger.page.goto(flow.url)
    stranger.sees("Link already used")
    words = stranger.page.inner_text("main")
    assert len(re.findall("already|been used", words)) == 1, words
    assert "Sign in failed" not in words
    flow.cancel()


def success_says_where_to_go(stage):
    person, flow = open_page(stage, "success")
    person.follow("Continue with Email")
    person.fill("anna@example.org", PASSWORD)
    person.press("Sign in")
    person.page.get_by_text(CLOSE).wait_for()
    assert person.page.locator("h1, h2").all_inner_texts() == [f"Signed in to {NAME}"]
    assert "You are signed in as anna@example.org." in person.page.inner_text("main")
    assert flow.end() == "signedIn"


def time_left_says_for_what(stage):
    person, flow = open_page(stage, "aim", has_clock=True)
    assert person.page.inner_text("#time") == "5 minutes left to sign in"
    person.page.clock.fast_forward(61_000)
    assert person.page.inner_text("#time") == "4 minutes left to sign in"
    flow.cancel()
    authenticator(stage, "aim@example.org")
    person, _, _ = asked(stage, "aim", "aim@example.org")
    person.page.get_by_label("Code", exact=True).wait_for()
    assert person.page.inner_text("#time") == "5 minutes left to enter the code"
    person.press("Later")


def account_name_is_explained(stage):
    """Absent where there is one account, else explained."""
    agent = stage.another_agent("accounts")
    for name, text in (("first", None), ("second", "under the account name second")):
        person, flow = stage.opened(name, agent=agent)
        person.page.locator(".methods").first.wait_for()
        words = person.page.inner_text("main")
        assert text in words if text else name not in words, words
        person.follow("Continue with Email")
        person.fill("anna@example.org", PASSWORD)
        person.press("Sign in")
        person.is_signed_in("anna@example.org")
        words = person.page.inner_text("main")
        assert text in words if text else name not in words, words


def factor_says_who_is_signed_out(stage):
    email = "who@example.org"
    authenticator(stage, email)
    stage.agent.call("signIn.password", account="who-home", email=email, password=PASSWORD)
    person, _, _ = asked(stage, "who-work", email)
    person.page.get_by_label("Code", exact=True).wait_for()
    words = person.page.inner_text("main")
    assert f"signs {email} out on every other phone, browser and computer" in words, words
    assert "it also signs out the account who-home." in words, words
    person.press("Later")


ALL = (
    heading_names_the_host, three_weights, one_grammar, marks_are_real, email_is_one_page, terminal_has_the_same_names,
    wrong_code_says_what_works, wrong_password_leads_on, focus_is_on_the_field, used_link_says_it_once,
    success_says_where_to_go, time_left_says_for_what, account_name_is_explained, factor_says_who_is_signed_out,
)
