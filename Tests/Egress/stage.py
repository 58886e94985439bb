"""The programs of the check: sandbox, hostile server and agent, in a home of their own."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

PASSWORD = "correct-horse-battery"
EMAIL = "anna@example.org"


def wait(condition, words, within=20):
    """Polls until `condition()` is true, and returns its value."""
    end = time.monotonic() + within
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not in {within} s: {words}")
        time.sleep(0.02)
    return value


def expect(actual, wanted, what):
    if actual != wanted:
        raise AssertionError(f"{what}: {actual!r} instead of {wanted!r}")


def require(condition, words):
    if not condition:
        raise AssertionError(words)


class Skipped(Exception):
    """A check that this machine cannot make."""


class Table:
    """The results, one line each."""

    def __init__(self, names):
        self.names, self.failed, self.skipped, self.count = names, [], [], 0

    def heading(self, words):
        print(f"\n{words}", flush=True)

    def run(self, name, check):
        """Runs a check; text that it returns is shown behind its name."""
        if self.names and not any(each in name for each in self.names):
            return
        self.count += 1
        start = time.monotonic()
        try:
            words, outcome = check(), "ok"
        except Skipped as reason:
            words, outcome = str(reason), "skip"
            self.skipped.append(name)
        except Exception as error:  # a failure of one check must not end the run
            words, outcome = f"{type(error).__name__}: {error}"[:600], "FAILED"
            self.failed.append(name)
        seconds = time.monotonic() - start
        time_words = f" ({seconds:.1f} s)" if seconds >= 1 else ""
        print(f"{outcome:6} {name}{f': {words}' if words else ''}{time_words}", flush=True)

    def run_all(self, rows, *names):
        """Runs the methods of `rows` with these names."""
        for name in names:
            self.run(name.replace("_", " "), getattr(rows, name))


class Stage:
    """A context: starts everything, and ends it."""

    def __init__(self, programs, settings=()):
        self.programs, self.settings = pathlib.Path(programs), settings
        self.processes = []
        self.known_refreshes = 0

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ritual-egress-"))
        home, run = self.folder / "home", self.folder / "run"
        home.mkdir(mode=0o700)
        run.mkdir(mode=0o700)
        dropped = ("RITUAL_", "LISTEN_", "NOTIFY_SOCKET", "CREDENTIALS_DIRECTORY", "SUPABASE_", "http", "HTTP")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(dropped)} | {
            "HOME": str(home), "XDG_RUNTIME_DIR": str(run), "XDG_CONFIG_HOME": f"{home}/.config",
            "XDG_STATE_HOME": f"{home}/.local/state", "XDG_DATA_HOME": f"{home}/.local/share",
            "PATH": f"{self.programs}:{os.environ['PATH']}", "NO_COLOR": "1",
        }
        self.egress = str(run / "ritual-agent/egress.sock")
        self.socket = str(run / "ritual-agent/agent.sock")
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        users = [word for name in (EMAIL, "bob@example.org") for word in ("--user", f"{name}:{PASSWORD}")]
        self.sandbox = self.spawn("sandbox", ["ritual-sandbox", *users], stdout=subprocess.PIPE)
        line = json.loads(self.sandbox.stdout.readline())
        self.key = line["anonKey"]
        self.url = self.serve("services.py", line["url"], self.key)
        self.api = self.serve("hostile.py")
        self.hostile = self.processes[-1]
        self.ctl("init", "--project-url", self.url, "--anon-key", self.key, "--api-url", self.api)
        self.start_agent()
        self.sign_in()

    def start_agent(self):
        self.agent = self.spawn("agent", ["ritual-agentd"])
        wait(lambda: os.path.exists(self.egress) and os.path.exists(self.socket), "the agent's sockets")

    def restart_agent(self, kill=False):
        self.processes.remove(self.agent)
        self.agent.kill() if kill else self.agent.terminate()
        self.agent.wait(20)
        for path in (self.egress, self.socket):
            pathlib.Path(path).unlink(missing_ok=True)
        self.start_agent()
        wait(lambda: self.ctl("status", check=False).returncode == 0, "the account")

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        subprocess.run(["rm", "-rf", str(self.folder)], check=False)

    def spawn(self, name, command, **options):
        log = open(self.folder / f"{name}.log", "wb")
        program = str(self.programs / command[0]) if (self.programs / command[0]).exists() else command[0]
        process = subprocess.Popen(
            [program, *command[1:]], env=self.environment, stderr=log, stdin=subprocess.DEVNULL,
            **{"stdout": log, **options})
        self.processes.append(process)
        return process

    def serve(self, name, *words):
        """Starts a server of this directory, and returns its URL."""
        program = str(pathlib.Path(__file__).with_name(name))
        server = self.spawn(name, [sys.executable, "-B", program, *words], stdout=subprocess.PIPE)
        return f"http://127.0.0.1:{int(server.stdout.readline())}"

    def run(self, *command, input=None, check=True, timeout=60, **environment):
        """Runs a program to its end, and returns what it printed."""
        done = subprocess.run(
            command, env=self.environment | environment, input=input, capture_output=True, text=True, timeout=timeout,
            check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"{command[0]} ended with {done.returncode}: {(done.stderr + done.stdout)[-500:]}")
        return done if not check else done.stdout

    def ctl(self, *words, **options):
        return self.run(str(self.programs / "ritualctl"), *words, **options)

    def no_secrets(self):
        token = self.ctl("token").strip()
        logs = b"".join(path.read_bytes() for path in self.folder.glob("*.log"))
        state = b"".join(
            path.read_bytes() for path in (self.folder / "home").rglob("*") if path.is_file())
        for words in (b"sb_publishable_ritual_", token.split(".")[1].encode()[:40], b"/functions/v1/sse", b"/hostile/"):
            require(words not in logs + state, f"{words!r} is in a log or in the state")

    def sign_in(self, email=EMAIL, *words):
        return self.ctl("sign-in", "email", "--email", email, "--password-stdin", *words, input=PASSWORD + "\n")

    def grant(self, *words):
        """The URL and the placeholder token of a new grant."""
        grant = json.loads(self.ctl("grant", "--json", *words))
        return grant["url"], grant["token"], grant["id"]

    def control(self, method, path, body=None):
        request = urllib.request.Request(
            f"{self.url}/sandbox/{path}", method=method, data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    @property
    def refreshes(self):
        return self.control("GET", "counters")["requests"].get("token.refresh", 0)

    # A refresh that finished less than 5 s ago serves a rejected token, too (TK-4).
    REFRESH_SPACING = 5.3

    def settle(self):
        """Waits until the last refresh is old enough for another one."""
        if self.refreshes != self.known_refreshes:
            self.known_refreshes = self.refreshes
            time.sleep(self.REFRESH_SPACING)

    def expire(self):
        """Expires all tokens at the services, at a time when the agent gets a new one."""
        self.settle()
        self.control("POST", "expire-tokens")

    def hits(self, path):
        """The number of requests for the path of a function."""
        with urllib.request.urlopen(f"{self.url}/hits", timeout=20) as answer:
            return json.load(answer).get(path, 0)

    @property
    def counts(self):
        """What the hostile server has counted."""
        with urllib.request.urlopen(f"{self.api}/hostile/counts", timeout=20) as answer:
            return json.load(answer)

    @property
    def resident(self):
        """The agent's resident memory, in MiB."""
        for line in open(f"/proc/{self.agent.pid}/status"):
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise AssertionError("the agent has ended")

    @property
    def anonymous(self):
        """The agent's memory without mapped files, in MiB."""
        for line in open(f"/proc/{self.agent.pid}/smaps_rollup"):
            if line.startswith("Anonymous:"):
                return int(line.split()[1]) / 1024
        raise AssertionError("the agent has ended")
