"""The environment in which the command lines of one page run: a home directory of its own with a
sandbox as the project, the built agent, and a browser that agrees to everything."""

import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import time

LIMIT = 60  # seconds: many times what any of the commands takes
EMAIL, PASSWORD = "anna@example.org", "correct horse 9"

# Runs each command of the first descriptor in one shell, so that variables and the directory are
# kept, and writes its exit status to the second one.
SHELL = r"""
set -o pipefail
while IFS= read -r -d '' ritual_line <&ORDERS; do
  eval "$ritual_line" < /dev/null > "$RITUAL_OUTPUT" 2>&1 ORDERS<&- STATUSES>&-
  printf '%s\n' $? >&STATUSES
done
"""


class Session:
    """One page's environment."""

    def __init__(self, programs):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ritual-docs-"))
        self.started = []
        self.home = self.folder / "home"
        for name in ("home", "run", "bin"):
            (self.folder / name).mkdir(mode=0o700)
        for name, script in (("xdg-open", "browser.py"), ("rpc", "rpc.py")):
            (self.folder / "bin" / name).symlink_to(pathlib.Path(__file__).parent / script)
        self.output = self.folder / "output"
        self.environment = {
            "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.folder / "run"), "DISPLAY": ":0", "TERM": "dumb",
            "USER": "anna", "RITUAL_OUTPUT": str(self.output), "RITUAL_BROWSER": str(self.folder / "browser"),
            "PATH": f"{self.folder}/bin:{programs}:/usr/bin:/bin", "LANG": "C.UTF-8",
        }
        if library := os.environ.get("LD_LIBRARY_PATH"):
            self.environment["LD_LIBRARY_PATH"] = library
        try:
            self.start(programs)
        except BaseException:
            self.end()
            raise

    def start(self, programs):
        line = self.folder / "sandbox.json"
        self.background([programs / "ritual-sandbox", "--user", f"{EMAIL}:{PASSWORD}"], line)
        self.await_("the sandbox", lambda: line.read_text().endswith("\n"))
        facts = json.loads(line.read_text())
        self.url, self.key = facts["url"], facts["anonKey"]
        self.background([programs / "ritual-agentd"], self.folder / "agent.log")
        self.await_("the agent", (self.folder / "run/ritual-agent/agent.sock").exists)
        orders, self.orders = os.pipe()
        self.statuses, statuses = os.pipe()
        self.shell = subprocess.Popen(
            ["bash", "-c", SHELL.replace("ORDERS", str(orders)).replace("STATUSES", str(statuses))],
            cwd=self.home, env=self.environment, pass_fds=(orders, statuses), start_new_session=True,
            stdin=subprocess.DEVNULL)
        self.started.append(self.shell)
        os.close(orders)
        os.close(statuses)

    def background(self, command, output):
        with open(output, "wb") as file:
            self.started.append(
                subprocess.Popen(
                    command, cwd=self.home, env=self.environment, stdout=file, stderr=file, stdin=subprocess.DEVNULL,
                    start_new_session=True))

    def await_(self, words, condition):
        end = time.monotonic() + LIMIT
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"waited in vain for {words}: {(self.folder / 'agent.log').read_text()[-2000:]}")
            time.sleep(0.02)

    def run(self, line):
        """Runs a command line. Returns its exit status and its output; the status is None if the
        command did not end."""
        os.write(self.orders, line.encode() + b"\0")
        if not select.select([self.statuses], [], [], LIMIT)[0]:
            return None, self.output.read_text(errors="replace")
        status = os.read(self.statuses, 16)
        return int(status) if status else None, self.output.read_text(errors="replace")

    def end(self):
        for process in reversed(self.started):
            # The group contains what a command left in the background.
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.killpg(process.pid, number)
                    process.wait(timeout=20)
                    break
                except ProcessLookupError:
                    break
                except subprocess.TimeoutExpired:
                    continue
        shutil.rmtree(self.folder)
