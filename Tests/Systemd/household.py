"""The agent as installed by a package, with a project in the sandbox, managed by the user
manager."""

import json
import os
import pathlib
import re
import subprocess
import urllib.request

import machine
from machine import HOME, PATIENCE, PROGRAMS, RUNTIME, UID, Machine, install, until

EMAIL, PASSWORD = "anna@example.org", "correct horse battery"
SERVICE, SOCKET = "ritual-agent.service", "ritual-agent.socket"
EGRESS, CREDENTIALS = "ritual-agent-egress.socket", "ritual-agent-credentials.socket"
SOCKETS = [SOCKET, EGRESS, CREDENTIALS]
UNITS = pathlib.Path("/run/systemd/user")


class Household:
    def __init__(self, built, sources):
        self.built, self.sources = pathlib.Path(built), pathlib.Path(sources)
        self.libraries = machine.libraries(self.built / "ritual-agentd")
        # Bound before the machine hides /home, where the sources may be.
        self.machine = Machine(self._bind)
        self._units()
        self._files()
        self.sandbox = None

    # The files of a package

    def _bind(self):
        """Binds the built programs and Swift's libraries where the user can read them; /run is
        empty by now."""
        PROGRAMS.mkdir(mode=0o755, parents=True)
        for name in ["ritualctl", "ritual-notify", "ritual-sandbox"]:
            (PROGRAMS / name).touch()
            machine.mount("--bind", self.built / name, PROGRAMS / name)
        install(self.sources / "systemd/without-namespaces.conf", PROGRAMS.parent / "lib/ritual-agent/without-namespaces.conf")
        self.install_agent()
        for number, folder in enumerate(self.libraries):
            target = PROGRAMS / f"lib{number}"
            target.mkdir()
            machine.mount("--bind", folder, target)
        for name in ["systemd", "Tests/Systemd"]:
            target = PROGRAMS / "sources" / name
            target.mkdir(parents=True)
            machine.mount("--bind", self.sources / name, target)
        self.sources = PROGRAMS / "sources"

    def install_agent(self):
        """Replaces the program as dpkg does: writes a new file next to the old one, then renames
        it. The program is stripped, because nothing here needs its symbols."""
        if not (PROGRAMS / "stripped").exists():
            subprocess.run(["strip", "-o", str(PROGRAMS / "stripped"), str(self.built / "ritual-agentd")], check=True)
        install(PROGRAMS / "stripped", PROGRAMS / "ritual-agentd.new", 0o755)
        os.rename(PROGRAMS / "ritual-agentd.new", PROGRAMS / "ritual-agentd")

    @property
    def library_path(self):
        return ":".join(str(PROGRAMS / f"lib{number}") for number in range(len(self.libraries)))

    def shipped(self, name):
        return (self.sources / "systemd" / name).read_text()

    def service_text(self, program=PROGRAMS / "ritual-agentd"):
        """Returns the shipped unit with the program's path replaced; for a debug build also with
        the path of its libraries."""
        text = self.shipped(SERVICE).replace("/usr/bin/ritual-agentd", str(program))
        assert text.count(str(program)) == 3, "ExecStart=, ExecPaths= and BindReadOnlyPaths= name the program"
        text = text.replace("/usr/bin/ritualctl", str(PROGRAMS / "ritualctl"))
        if self.libraries:
            text = re.sub("(?m)^(ExecPaths=.*)$", rf"\1 {PROGRAMS}\nEnvironment=LD_LIBRARY_PATH={self.library_path}", text)
        return text

    def notify_text(self):
        text = self.shipped("ritual-notify.service").replace("/usr/bin/ritual-notify", str(PROGRAMS / "ritual-notify"))
        assert str(PROGRAMS) in text
        return text.replace("[Service]\n", f"[Service]\nEnvironment=LD_LIBRARY_PATH={self.library_path}\n") if self.libraries else text

    def _units(self):
        UNITS.mkdir(parents=True)
        for name in [*SOCKETS, "ritual-agent-folders.service"]:
            (UNITS / name).write_text(self.shipped(name))
        (UNITS / SERVICE).write_text(self.service_text())
        if self.libraries:
            self.machine.environment["LD_LIBRARY_PATH"] = self.library_path

    def _files(self):
        for path, text in {
            # The user's own directory for tmpfiles.d snippets, because /usr must not be written.
            ".config/user-tmpfiles.d/ritual-agent.conf": self.shipped("ritual-agent.tmpfiles"),
            ".ssh/id_ed25519": "a private key\n",
            ".bashrc": "",
        }.items():
            (HOME / path).parent.mkdir(parents=True, exist_ok=True)
            (HOME / path).write_text(text)
        subprocess.run(["chown", "-R", f"{UID}:{UID}", str(HOME)], check=True)

    # The user's commands

    def open_sandbox(self):
        self.sandbox = Sandbox(self.machine)
        self.ctl("init", "--project-url", self.sandbox.url, "--anon-key", self.sandbox.key)

    def ctl(self, *arguments, **more):
        return self.machine.run("ritualctl", *arguments, **more)

    def sign_in(self, account, email=EMAIL):
        return self.ctl(
            "sign-in", "email", "--account", account, "--email", email, "--password-stdin", input=PASSWORD, check=False)

    def token(self, account, *more):
        return json.loads(self.ctl("token", "--account", account, "--format", "json", *more))["accessToken"]

    # The manager's view

    def show(self, name, unit=SERVICE):
        return self.machine.show(unit, name)

    @property
    def pid(self):
        return int(self.show("MainPID"))

    def is_running(self):
        return self.show("ActiveState") == "active" and self.show("SubState") == "running"

    def status_text(self):
        return self.show("StatusText")

    def entries(self, *matches):
        return self.machine.journal("_SYSTEMD_USER_UNIT=" + SERVICE, *matches)

    def restarted(self, before):
        """Returns the pid after a restart by the manager itself."""
        return until("another process", lambda: self.is_running() and self.pid != before and self.pid)

    def drop_in(self, name, text):
        folder = UNITS / (SERVICE + ".d")
        folder.mkdir(exist_ok=True)
        path = folder / f"{name}.conf"
        path.write_text(text)
        self.machine.systemctl("daemon-reload")
        return path

    def close(self):
        if self.sandbox:
            self.sandbox.process.terminate()
            self.sandbox.process.wait(PATIENCE)
        self.machine.close()


class Sandbox:
    def __init__(self, machine_):
        self.process = machine_.begin("ritual-sandbox", "--port", "0", "--user", f"{EMAIL}:{PASSWORD}")
        line = json.loads(self.process.stdout.readline())
        self.url, self.key = line["url"], line["anonKey"]

    def control(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/sandbox/{path}", data=data, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def requests(self, endpoint):
        return self.control("GET", "counters")["requests"].get(endpoint, 0)
