"""The environment of a measurement: a temporary directory with the programs' files, the sandbox,
the agent, the echo."""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

PATIENCE = 20  # seconds after which a program that has not started counts as broken
EMAIL, PASSWORD = "bench@example.org", "only-for-this-run"


class House:
    """A temporary home directory; `environment` directs every program to it."""

    def __init__(self, programs, sandbox, tools):
        self.programs, self.sandbox_program, self.tools = map(pathlib.Path, (programs, sandbox, tools))
        self.running = contextlib.ExitStack()

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ritual-bench-"))
        self.running.callback(shutil.rmtree, self.folder)
        folders = {"HOME": "home", "XDG_RUNTIME_DIR": "run", "XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state",
                   "XDG_DATA_HOME": "data"}
        for name in folders.values():
            (self.folder / name).mkdir(mode=0o700)
        self.environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        self.environment |= {variable: str(self.folder / name) for variable, name in folders.items()}
        self.agent_socket = self.folder / "run/ritual-agent/agent.sock"
        self.egress_socket = self.folder / "run/ritual-agent/egress.sock"
        self.echo_socket = self.folder / "echo.sock"
        self.relay_socket = self.folder / "relay.sock"
        return self

    def __exit__(self, *_):
        self.running.close()

    def start(self, name, *command):
        """Starts a program that runs until the end of the measurement; its output goes to
        NAME.log."""
        log = open(self.folder / f"{name}.log", "wb")
        process = subprocess.Popen(list(map(str, command)), env=self.environment, stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=log)
        log.close()
        self.running.callback(self.stop, process)
        return process

    @staticmethod
    def stop(process):
        """Sends SIGTERM and waits for the exit; does nothing if the process has ended."""
        if process.poll() is None:
            process.terminate()
            process.wait(PATIENCE)

    def wait_for(self, process, name, condition):
        """Polls until `condition()` returns a true value, and returns that value."""
        end = time.monotonic() + PATIENCE
        while not (found := condition()):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{name} did not come up:\n{(self.folder / f'{name}.log').read_text()}")
            time.sleep(0.02)
        return found

    def start_sandbox(self):
        """Starts the sandbox and returns its first line: url, anonKey, pid."""
        process = self.start("sandbox", self.sandbox_program, "--user", f"{EMAIL}:{PASSWORD}")
        log = self.folder / "sandbox.log"
        lines = lambda: [line for line in log.read_text().splitlines(keepends=True) if line.startswith("{") and line.endswith("\n")]
        return json.loads(self.wait_for(process, "sandbox", lines)[0])

    def start_echo(self):
        """Starts the baseline at `echo_socket`."""
        process = self.start("echo", self.tools / "echo", self.echo_socket)
        self.wait_for(process, "echo", self.echo_socket.exists)

    def start_origin(self):
        """Starts the API behind the egress socket, and returns its URL."""
        self.origin = self.start("origin", self.tools / "origin")
        log = self.folder / "origin.log"
        self.origin_port = self.wait_for(self.origin, "origin", lambda: log.read_text().strip())
        return f"http://127.0.0.1:{self.origin_port}"

    def start_relay(self):
        """Starts the baseline of the egress socket at `relay_socket`, in front of the origin."""
        process = self.start("relay", self.tools / "relay", self.relay_socket, self.origin_port)
        self.wait_for(process, "relay", self.relay_socket.exists)
        return process

    # Rules that each request is checked against, so that callers are looked up as on a machine with
    # a policy.
    RULES = """
[[policy.rules]]
account = "bench-0"
unit = "backup.service"
action = "deny"

[[policy.rules]]
account = "default"
executable = "/usr/bin/id"
action = "deny"
"""

    def configure(self, url, anon_key, ca_file):
        """Writes the configuration: one project behind the https front, and policy rules."""
        folder = self.folder / "config/ritual-agent"
        folder.mkdir(mode=0o700)
        file = folder / "config.toml"
        file.touch(mode=0o600)
        file.write_text(f'[projects.default]\nurl = "{url}"\nanon_key = "{anon_key}"\nca_file = "{ca_file}"\n' + self.RULES)

    @contextlib.contextmanager
    def api(self):
        """Runs the agent with the origin as the API of its project; gives its process. The account is signed in."""
        file = self.folder / "config/ritual-agent/config.toml"
        plain = file.read_text()
        file.write_text(plain.replace("\n\n", f'\napi_url = "{self.start_origin()}"\n\n', 1))
        agent = self.start_agent()
        self.sign_in()  # binds the session to the new origin
        yield agent
        self.stop(agent)
        file.write_text(plain)

    def start_agent(self):
        """Starts the agent; returns its process when the agent answers."""
        process = self.start("agent", self.programs / "ritual-agentd")
        self.wait_for(process, "agent", self.agent_socket.exists)
        # 4: sign-in needed. The agent has answered, which is enough.
        if (status := self.ctl("status", check=False).returncode) not in (0, 4):
            raise RuntimeError(f"ritualctl status ended with {status}")
        return process

    def ctl(self, *arguments, check=True, **options):
        """Runs ritualctl."""
        result = subprocess.run([str(self.programs / "ritualctl"), *arguments], env=self.environment, text=True,
                                capture_output=True, timeout=PATIENCE, **options)
        if check and result.returncode != 0:
            raise RuntimeError(f"ritualctl {' '.join(arguments)} ended with {result.returncode}: {result.stderr}")
        return result

    def sign_in(self):
        """Signs in with the password from standard input."""
        self.ctl("sign-in", "email", "--email", EMAIL, "--password-stdin", input=PASSWORD + "\n")

    def sign_in_many(self, count):
        """Signs in `count` accounts of the same user, one after another on one connection."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.agent_socket))
            answers = connection.makefile("rb")
            for number in range(count):
                params = {"account": f"bench-{number}", "email": EMAIL, "password": PASSWORD}
                request = {"jsonrpc": "2.0", "id": number, "method": "signIn.password", "params": params}
                answer = {}
                while "result" not in answer:
                    connection.sendall(json.dumps(request).encode() + b"\n")
                    answer = json.loads(answers.readline())
                    # The number of sign-ins per second is limited for each process.
                    if (pause := answer.get("error", {}).get("data", {}).get("retryAfter")) is None:
                        break
                    time.sleep(pause)
                if "result" not in answer:
                    raise RuntimeError(f"sign-in {number} failed: {answer['error']['message']}")

    def tool(self, name, *arguments, stdin=None):
        """Runs one of the measuring programs and returns what it printed."""
        command = [str(self.tools / name), *map(str, arguments)]
        result = subprocess.run(command, env=self.environment, input=stdin, text=True, capture_output=True)
        if result.returncode != 0:
            raise RuntimeError(f"{name} ended with {result.returncode}: {result.stderr}")
        return json.loads(result.stdout)


def memory(process):
    """Returns RSS, PSS and anonymous memory of a process in MiB, as reported by the kernel
    (proc_pid_smaps(5))."""
    fields = {}
    for line in pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, size, _ = line.split()
        fields[name.rstrip(":")] = int(size) / 1024
    return {name: fields[name] for name in ("Rss", "Pss", "Anonymous")}


@contextlib.contextmanager
def one_core(*processes):
    """Runs all threads of these processes, and what this process starts, on one core."""
    cores = os.sched_getaffinity(0)

    def move(to):
        for process in processes:
            for thread in os.listdir(f"/proc/{process.pid}/task"):
                os.sched_setaffinity(int(thread), to)
        os.sched_setaffinity(0, to)

    move({min(cores)})
    try:
        yield
    finally:
        move(cores)
