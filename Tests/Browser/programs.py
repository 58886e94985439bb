"""The built programs, each started only for this run in a separate directory, and ended by its
pid."""

import json
import os
import pathlib
import socket
import subprocess
import time
import urllib.parse
import urllib.request

from hosted import NAME

PATIENCE = 60  # seconds: the maximum for each wait, on a slow machine
LIBRARY = f"/usr/lib/{os.uname().machine}-linux-gnu/faketime/libfaketime.so.1"


def until(what, check):
    """Polls until `check` returns a true value, and returns that value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := check():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {PATIENCE} s in vain: {what}")


class Sandbox:
    """ritual-sandbox, with its control API."""

    def __init__(self, programs):
        self.process = subprocess.Popen([programs / "ritual-sandbox", "--port", "0"], stdout=subprocess.PIPE, text=True)
        line = json.loads(self.process.stdout.readline())
        self.url, self.key = line["url"], line["anonKey"]
        self.port = int(self.url.rsplit(":", 1)[1])

    def control(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/sandbox/{path}", data=data, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def message(self, address, after=0):
        """Waits for a message to the address, after the first `after` ones; returns the newest."""
        return until(f"a message to {address}", lambda: self.messages(address)[after:])[-1]

    def messages(self, address):
        """The emails or text messages to the address, the newest last."""
        return [message for message in self.control("GET", "mail") if message["to"] == address]

    def requests(self, endpoint):
        return self.control("GET", "counters")["requests"].get(endpoint, 0)


class Agent:
    """ritual-agentd with a separate home directory, a connection to its socket, and ritualctl."""

    def __init__(self, programs, folder, sandbox, hosted, clock=None, configuration=""):
        self.programs, self.number, self.log = programs, 0, folder / "agent.log"
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("RITUAL_", "LISTEN_", "NOTIFY_"))}
        self.environment.update(
            HOME=str(folder), XDG_RUNTIME_DIR=str(folder / "run"), XDG_CONFIG_HOME=str(folder / "config"),
            XDG_STATE_HOME=str(folder / "state"), XDG_DATA_HOME=str(folder / "data"),
        )
        (folder / "run").mkdir(parents=True, mode=0o700)
        path = folder / "run" / "ritual-agent" / "agent.sock"
        # The configuration exists before the agent starts, because the agent reads it at its start.
        # It is not written by `ritualctl init`, which would try the name without the proxy.
        file = folder / "config" / "ritual-agent" / "config.toml"
        file.parent.mkdir(parents=True)
        file.write_text(
            f'[projects.default]\nurl = "https://{NAME}"\nanon_key = "{sandbox.key}"\nca_file = "{hosted.certificate}"\n'
            f'proxy = "http://127.0.0.1:{hosted.proxy_port}"\n{configuration}')
        faked = {} if clock is None else {
            "LD_PRELOAD": LIBRARY, "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1"}
        self.process = subprocess.Popen(
            [programs / "ritual-agentd", "--log-level", "debug"], env=self.environment | faked,
            stderr=open(self.log, "w"), stdout=subprocess.DEVNULL)
        until("the agent listens", path.exists)
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.settimeout(PATIENCE)
        until("the agent answers", lambda: self._connect(path))
        self.lines = self.connection.makefile("r")

    def _connect(self, path):
        try:
            self.connection.connect(str(path))
            return True
        except OSError:
            return False

    def ctl(self, *arguments, check=True):
        answer = subprocess.run(
            [self.programs / "ritualctl", *arguments], env=self.environment, capture_output=True, text=True,
            timeout=PATIENCE, stdin=subprocess.DEVNULL)
        if check and answer.returncode:
            raise AssertionError(f"ritualctl {arguments}: {answer.returncode}\n{answer.stderr}")
        return answer.stdout

    def call(self, method, **params):
        """Returns the result, or the whole error."""
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.connection.sendall(json.dumps(request).encode() + b"\n")
        while True:
            answer = json.loads(self.lines.readline())
            if answer.get("id") == self.number:
                return answer["result"] if "result" in answer else answer["error"]

    def link(self, account, provider):
        """Starts a flow that links a provider."""
        started = self.call("identity.link", account=account, provider=provider, redirect="loopback")
        if "flow" not in started:
            raise AssertionError(f"identity.link: {started}")
        return Flow(self, started)

    def start(self, account, **more):
        """Starts a flow with the sign-in page."""
        started = self.call("signIn.start", account=account, redirect="loopback", **more)
        if "flow" not in started:
            raise AssertionError(f"signIn.start: {started}")
        return Flow(self, started)


class Flow:
    def __init__(self, agent, started):
        self.agent, self.id, self.url = agent, started["flow"], started["url"]
        self.account = None
        # With a named provider the URL is the server's, and contains the URL that the browser
        # returns to.
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.url).query)
        self.callback = query.get("redirect_to", [self.url])[0]
        self.port = urllib.parse.urlsplit(self.callback).port
        self.origin = f"http://127.0.0.1:{self.port}"

    def end(self):
        """Waits for the end of the flow; returns its outcome, or the kind of the error."""
        answer = self.result()
        return answer.get("outcome") or answer["data"]["kind"]

    def result(self):
        """Waits for the end of the flow; returns its result, or the error."""
        return self.agent.call("signIn.wait", flow=self.id)

    def cancel(self):
        self.agent.call("signIn.cancel", flow=self.id)


def stop(process):
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
