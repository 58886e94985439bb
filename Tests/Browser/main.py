"""Drives the sign-in page in a real browser. Run by script/browser-check."""

import contextlib
import os
import pathlib
import signal
import sys
import tempfile
import time

from playwright.sync_api import Error, sync_playwright

import codes
import content
import factors
import flows
import project_page
import shell
import states
import strangers
from hosted import NAME, HostedName
from programs import Agent, Sandbox, stop
from visitor import Visitor, publish

# The checks of strangers end with the journal of the checks before them.
CHECKS = flows.ALL + codes.ALL + factors.ALL + content.ALL + project_page.ALL + strangers.ALL + shell.ALL


class Stage:
    """A sandbox, an agent, a browser."""

    def __init__(self, programs, folder, playwright, pictures, cleanup):
        self.programs, self.folder, self.pictures, self.cleanup = programs, folder, pictures, cleanup
        self.sandbox = Sandbox(programs)
        cleanup.callback(stop, self.sandbox.process)
        self.hosted = HostedName(folder, self.sandbox.port)
        # The browser finds the project and this machine, and no other host.
        names = f"MAP {NAME}:443 127.0.0.1:{self.hosted.port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
        arguments = [f"--host-resolver-rules={names}"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        self.browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
        cleanup.callback(self.browser.close)
        self.visitors = []
        self.sandbox.control("POST", "users", {"email": "anna@example.org", "password": states.PASSWORD})
        self.agent = self.another_agent("home")

    def another_agent(self, name, clock=None, configuration=""):
        agent = Agent(self.programs, self.folder / name, self.sandbox, self.hosted, clock, configuration)
        self.cleanup.callback(stop, agent.process)
        return agent

    def local_agent(self, name):
        """An agent whose project `local` is the sandbox at its own address. For a project with another
        name, the agent accepts only https URLs of single sign-on and of linking, unlike the sandbox's."""
        project = f'\n[projects.local]\nurl = "{self.sandbox.url}"\nanon_key = "{self.sandbox.key}"\n'
        return self.another_agent(name, configuration=project)

    @contextlib.contextmanager
    def settings(self, **changes):
        """Changes settings of the sandbox, and restores them."""
        before = self.sandbox.control("GET", "settings")
        self.sandbox.control("PATCH", "settings", changes)
        try:
            yield
        finally:
            self.sandbox.control("PATCH", "settings", {name: before.get(name) for name in changes})

    def visitor(self, look="light", **more):
        self.visitors.append(Visitor(self.browser, look, self.pictures, **more))
        return self.visitors[-1]

    def opened(self, account, look="light", agent=None, scripts=True, **start):
        """Starts a sign-in and opens its page; returns the visitor and the flow."""
        flow = (agent or self.agent).start(account, **start)
        person = self.visitor(look, scripts=scripts)
        person.page.goto(flow.url)
        return person, flow

    def leave(self):
        """Closes the windows of a check, in which no script has failed."""
        while self.visitors:
            self.visitors.pop().close()


def main(programs, pictures, only):
    with contextlib.ExitStack() as cleanup:
        folder = pathlib.Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="ritual-browser-")))
        playwright = cleanup.enter_context(sync_playwright())
        stage = Stage(programs, folder, playwright, pictures, cleanup)
        try:
            if not only:
                states.run(stage)
            for check in only or CHECKS:
                begin = time.monotonic()
                check(stage)
                stage.leave()
                print(f"ok: {check.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
            if pictures and not only:
                publish()
        except BaseException:
            for context in stage.browser.contexts:
                for page in context.pages:
                    with contextlib.suppress(Error):
                        print(f"open: {page.url}\n{page.inner_text('body', timeout=2000)}", file=sys.stderr)
            print(stage.agent.log.read_text()[-3000:], file=sys.stderr)
            raise


# When timeout(1) ends this process, the programs that it started end as well.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
arguments = sys.argv[2:]
names = {check.__name__: check for check in CHECKS}
main(pathlib.Path(sys.argv[1]), "--screenshots" in arguments, [names[a] for a in arguments if a != "--screenshots"])
