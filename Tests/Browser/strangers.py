"""Attempts by other parties: other windows, other pages, other users, late requests."""

import contextlib
import http.server
import os
import re
import shutil
import subprocess
import threading

from flows import open_page
from programs import LIBRARY, until
from states import PASSWORD


@contextlib.contextmanager
def foreign_site(pages):
    """Runs a web server of another origin on this machine."""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = pages.get(self.path, "").encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def spent_address(stage):
    person, flow = open_page(stage, "spent")
    other = stage.visitor()
    answer = other.page.goto(flow.url)
    assert answer.status == 403
    other.sees("Link already used")
    assert other.page.goto(flow.origin + "/sign-in").status == 403
    other.sees("Wrong window")
    assert "spent" not in other.page.content()
    other.close()
    person.page.goto(flow.url)
    person.page.locator(".methods").first.wait_for()
    flow.cancel()


def foreign_page(stage):
    """A page of another origin posts to the page, frames it, loads it, and runs its script, in the
    browser that has the cookie."""
    person, flow = open_page(stage, "victim")
    target = flow.origin + "/sign-in"
    fields = "<input name=email value=evil@example.org><input name=password value=evil>"
    pages = {
        "/post": f"<form method=post action='{target}/email'>{fields}</form><script>document.forms[0].submit()</script>",
        "/cancel": f"<form method=post action='{target}/cancel'></form><script>document.forms[0].submit()</script>",
        "/choose": f"<script>location = '{target}/google'</script>",
        "/frame": f"<iframe src='{target}'></iframe>",
        "/load": f"<script src='{target}/page.js'></script><img src='{flow.origin}/callback?code=evil'>"
        f"<script>fetch('{target}/email', {{method: 'POST', mode: 'no-cors', credentials: 'include', "
        "headers: {'Content-Type': 'application/x-www-form-urlencoded'}, body: 'email=evil%40example.org&password=evil'})"
        ".finally(() => { document.title = 'done' })</script>",
    }
    before = stage.sandbox.requests("token.password")
    with foreign_site(pages) as port:
        for host in ("127.0.0.1", "localhost"):
            for path in ("/post", "/cancel", "/choose"):
                page = person.context.new_page()
                page.goto(f"http://{host}:{port}{path}")
                page.get_by_role("heading", name="Forbidden").wait_for()
                page.close()
            page = person.context.new_page()
            page.goto(f"http://{host}:{port}/frame")
            frame = page.frames[1]
            until("the frame has failed", lambda: frame.url.startswith("chrome-error") or "Forbidden" in frame.content())
            assert "Continue with" not in frame.content()
            page.goto(f"http://{host}:{port}/load")
            page.wait_for_function("document.title === 'done'")
            page.close()
    assert stage.sandbox.requests("token.password") == before
    person.page.reload()
    person.page.locator(".methods").first.wait_for()
    assert person.page.get_by_role("alert").count() == 0, "what was loaded in the background counts for nothing"
    person.follow("Continue with Email")
    person.fill("anna@example.org", PASSWORD)
    person.press("Sign in")
    person.is_signed_in("anna@example.org")


def other_name(stage):
    """DNS rebinding: another host name that resolves to this machine."""
    flow = stage.agent.start("rebound")
    person = stage.visitor()
    answer = person.page.goto(flow.url.replace("127.0.0.1", "localhost"))
    assert answer.status == 421, answer.status
    assert person.page.goto(flow.url).status == 200, "nothing was spent by it"
    flow.cancel()


def other_user(stage):
    if os.geteuid() != 0:
        print("skipped: other_user, only root can be another user", flush=True)
        return
    flow = stage.agent.start("foreign")
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    # Another user's connection is closed before it is read, so there is no status.
    for as_user, status in ((nobody, "000"), ([], "303")):
        answer = subprocess.run(
            [*as_user, shutil.which("curl"), "--silent", "--max-time", "10", "--noproxy", "*", "--output", "/dev/null",
             "--write-out", "%{http_code}", flow.url], capture_output=True, text=True, check=not as_user)
        assert answer.stdout == status, f"{as_user}: {answer.stdout}"
    flow.cancel()


def expired(stage):
    """An agent whose clock is advanced by more than the lifetime of a flow, while the page is
    open."""
    assert os.path.exists(LIBRARY), "libfaketime is missing: script/bootstrap faketime"
    clock = stage.folder / "clock"
    clock.write_text("+0\n")
    agent = stage.another_agent("late", clock)
    for look in ("light", "dark", "narrow"):
        clock.write_text("+0\n")
        person, flow = stage.opened(look, look, agent=agent)
        person.follow("Continue with Email")
        clock.write_text("+301s\n")
        before = stage.sandbox.requests("token.password")
        person.fill("anna@example.org", PASSWORD)
        person.press("Sign in")
        person.sees("Sign-in timed out")
        assert stage.sandbox.requests("token.password") == before
        assert person.page.get_by_role("alert").evaluate("e => e === document.activeElement")
        person.inspect("expired")
        assert flow.end() == "flowTimedOut"


def nothing_in_the_journal(stage):
    """Runs last: checks the agent's log of all other checks."""
    text = stage.agent.log.read_text()
    assert "sign-in started" in text
    for secret in (PASSWORD, "correct+horse", "anna@example.org", "anna%40example.org", "eve@example.org"):
        assert secret not in text, f"the journal holds {secret}"
    codes = {message["code"] for message in stage.sandbox.control("GET", "mail") if message.get("code")}
    found = [code for code in codes if re.search(rf"(?<!\d){code}(?!\d)", text)]
    assert not found, f"the journal holds codes: {found}"


ALL = (spent_address, foreign_page, other_name, other_user, expired, nothing_in_the_journal)
