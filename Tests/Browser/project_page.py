"""The example of a project's own sign-in page (WS-7), with requests of the agent and of others."""

import functools
import pathlib
import urllib.parse

from axe_playwright_python.sync_playwright import Axe

from flows import consent, signed_in
from hosted import NAME
from strangers import foreign_site

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "sign-in-page.html"
PAGE = f"https://{NAME}/sign-in-page"
CALLBACK = "http://127.0.0.1:43117/callback?attempt=" + "s" * 43
START = f"A program on this computer wants to sign in to {NAME}"
NO_REQUEST = "Start the sign-in in the program"
# In place of the CAPTCHA service's script: a widget whose button gives the token that the sandbox accepts.
WIDGET = """
window.turnstile = {
  render(place, { callback }) {
    const solve = document.createElement("button");
    solve.textContent = "Solve";
    solve.onclick = () => callback("sandbox-captcha");
    place.append(solve);
  },
  reset() {},
};
captchaLoaded();
"""


def html(stage):
    """The example with the settings of the sandbox."""
    text = EXAMPLE.read_text().replace("https://PROJECT.supabase.co", f"https://{NAME}")
    return text.replace('"KEY"', f'"{stage.sandbox.key}"').replace('"singleSignOn": false', '"singleSignOn": true')


def fragment(challenge="c" * 43, method="s256", redirect=CALLBACK, more=""):
    there = urllib.parse.quote(redirect, safe="")
    return f"code_challenge={challenge}&code_challenge_method={method}&redirect_to={there}{more}"


def served(check):
    """Has the project serve the page during the check."""

    @functools.wraps(check)
    def checked(stage):
        names = {
            "signInPage": html(stage), "providers": ["github"], "ssoDomains": ["example.org"], "captcha": "off",
            "emailInterval": 0}
        before = stage.sandbox.control("GET", "settings")
        stage.sandbox.control("PATCH", "settings", names)
        try:
            check(stage)
        finally:
            stage.sandbox.control("PATCH", "settings", {name: before.get(name) for name in names})

    return checked


def opened(stage, request, look="light"):
    """The page with a request that no agent made."""
    person = stage.visitor(look)
    person.page.goto(f"{PAGE}#{request}")
    return person


def agent_page(stage, account):
    """An agent with this page, and a visitor on it."""
    agent = stage.another_agent(f"page-{account}", configuration=f'sign_in_page = "{PAGE}"\n')
    flow = agent.start(account)
    assert flow.url.startswith(f"{PAGE}#"), flow.url
    person = stage.visitor()
    person.page.goto(flow.url)
    person.sees(START)
    return person, flow


@served
def project_page_requests(stage):
    """Only the agent's callback and a whole challenge are accepted, and the fragment is cleared."""
    person = opened(stage, fragment())
    person.sees(START)
    assert person.page.url == PAGE
    person.close()
    refused = {
        "nothing": "",
        "another host": fragment(redirect=CALLBACK.replace("127.0.0.1", "evil.example")),
        "a name": fragment(redirect=CALLBACK.replace("127.0.0.1", "localhost")),
        "user information": fragment(redirect=CALLBACK.replace("43117", "43117@evil.example")),
        "https": fragment(redirect=CALLBACK.replace("http:", "https:")),
        "another path": fragment(redirect=CALLBACK.replace("/callback", "/callback/x")),
        "a longer state": fragment(redirect=CALLBACK + "s"),
        "a line after the state": fragment(redirect=CALLBACK + "\n"),
        "no port": fragment(redirect=CALLBACK.replace(":43117", "")),
        "a port of six digits": fragment(redirect=CALLBACK.replace("43117", "431170")),
        "IPv6": fragment(redirect=CALLBACK.replace("127.0.0.1", "[::1]")),
        "another parameter": fragment(redirect=CALLBACK + "&x=y"),
        "a script": fragment(redirect="javascript:alert(1)"),
        "a short challenge": fragment(challenge="c" * 42),
        "a plain challenge": fragment(method="plain"),
        "a second callback": fragment(more="&redirect_to=https%3A%2F%2Fevil.example"),
        "another key": fragment(more="&state=evil"),
    }
    for name, request in refused.items():
        person = opened(stage, request)
        person.sees(NO_REQUEST)
        assert person.page.url == PAGE, name
        assert person.page.get_by_role("button").count() == 0, name


@served
def project_page_click(stage):
    """A script's click starts nothing; a person's click sends exactly the five keys."""
    person = opened(stage, fragment())
    person.sees(START)
    person.page.evaluate("document.querySelectorAll('button').forEach(button => button.click())")
    person.page.wait_for_timeout(300)
    assert person.page.url == PAGE and not any("/auth/v1/" in path for path in person.paths), person.paths
    person.press("Continue with GitHub")
    person.page.get_by_label("Another account").wait_for()
    asked = next(path for path in person.paths if "/auth/v1/authorize" in path)
    assert urllib.parse.parse_qsl(urllib.parse.urlsplit(asked).query) == [
        ("provider", "github"), ("redirect_to", CALLBACK), ("code_challenge", "c" * 43), ("code_challenge_method", "s256")]


@served
def project_page_frame(stage):
    """The page refuses to run in a frame, also if its server does not forbid frames."""
    frame = f"<iframe src='/page#{fragment()}'></iframe>"
    with foreign_site({"/page": html(stage), "/frame": frame}) as port:
        person = stage.visitor()
        person.page.goto(f"http://127.0.0.1:{port}/frame")
        inside = person.page.frame_locator("iframe")
        inside.get_by_role("heading", name="This page cannot be shown inside another page").wait_for()
        assert inside.get_by_role("button").count() == 0


@served
def project_page_looks(stage):
    """Every look, with the keyboard only, without a finding of axe."""
    for look in ("light", "dark", "narrow"):
        for request, heading in ((fragment(), START), ("", NO_REQUEST)):
            person = opened(stage, request, look)
            person.sees(heading)
            person.check_fit()
            person.check_targets()
            person.check_large_text("project-page")
            if person.pictures and request and look != "narrow":
                person.picture(f"project-page-{look}")
            found = Axe().run(person.page, options={"resultTypes": ["violations"]}).response["violations"]
            assert not found, [(v["id"], [n["target"] for n in v["nodes"]]) for v in found]
    person = opened(stage, fragment())
    person.sees(START)
    names = []
    for _ in range(7):
        person.page.keyboard.press("Tab")
        names.append(person.page.evaluate("document.activeElement.id || document.activeElement.innerText"))
    assert names == [
        "Continue with Apple", "Continue with Google", "Continue with GitHub", "email", "Send the link", "domain",
        "Continue with single sign-on"], names


@served
def project_page_refusals(stage):
    """A refusal of the project is shown in words, and gets the focus."""
    person = opened(stage, fragment())
    person.page.get_by_label("Email address", exact=True).fill("nobody@example.org")
    person.press("Send the link")
    person.page.get_by_text("No account with this address, or it uses single sign-on.").wait_for()
    assert person.page.evaluate("document.activeElement.id") == "status"
    person.page.get_by_label("Work email address or domain").fill("anna@elsewhere.example")
    person.press("Continue with single sign-on")
    person.page.get_by_text("No organization with this domain uses single sign-on here.").wait_for()


@served
def project_page_captcha(stage):
    """A link by email carries the CAPTCHA's token, which works once."""
    page = html(stage).replace('"service": "none", "siteKey": ""', '"service": "turnstile", "siteKey": "1"')
    stage.sandbox.control("PATCH", "settings", {"signInPage": page, "captcha": "on"})
    person = stage.visitor()
    person.page.route(
        "https://challenges.cloudflare.com/**", lambda route: route.fulfill(content_type="text/javascript", body=WIDGET))
    person.page.goto(f"{PAGE}#{fragment()}")
    person.page.get_by_label("Email address", exact=True).fill("anna@example.org")
    person.press("Send the link")
    person.page.get_by_text("Solve the CAPTCHA first.").wait_for()
    assert not any("/auth/v1/" in path for path in person.paths), person.paths
    person.press("Solve")
    person.press("Send the link")
    person.page.get_by_text("Open it on this computer within 5 minutes.").wait_for()
    person.press("Send the link")
    person.page.get_by_text("Solve the CAPTCHA first.").wait_for()


@served
def project_page_provider(stage):
    person, flow = agent_page(stage, "github")
    person.press("Continue with GitHub")
    consent(person, "hub@example.org")
    signed_in(person, flow, "hub@example.org")


@served
def project_page_mail(stage):
    person, flow = agent_page(stage, "mail")
    person.page.get_by_label("Email address", exact=True).fill("anna@example.org")
    person.press("Send the link")
    person.page.get_by_text("Open it on this computer within 5 minutes.").wait_for()
    person.page.goto(stage.sandbox.control("GET", "mail")[-1]["link"])
    signed_in(person, flow, "anna@example.org")


@served
def project_page_organization(stage):
    person, flow = agent_page(stage, "organization")
    person.page.get_by_label("Work email address or domain").fill("Olga@Example.ORG")
    person.press("Continue with single sign-on")
    person.page.get_by_label("Email", exact=True).fill("olga@example.org")
    person.press("Continue")
    signed_in(person, flow, "olga@example.org")


ALL = (
    project_page_requests, project_page_click, project_page_frame, project_page_looks, project_page_refusals,
    project_page_captcha, project_page_provider, project_page_mail, project_page_organization,
)
