"""A real user manager: `systemd --user` in separate namespaces, with a separate journal.

Runs as root inside `unshare --mount --pid --cgroup --ipc --uts` (script/systemd-check). Everything
ends with these namespaces.
"""

import contextlib
import json
import os
import pathlib
import pwd
import subprocess
import time

PATIENCE = 60  # seconds: the maximum for each wait, on a slow machine
# Above the ranges of login.defs(5), and in systemd's range of dynamic users (61184 to 65519), which
# are assigned on demand only.
UID = 61234
NAME = "ritual-check"
HOME = pathlib.Path("/home") / NAME
RUNTIME = pathlib.Path(f"/run/user/{UID}")
PROGRAMS = pathlib.Path("/srv/ritual-check/bin")
RUN = f"ritualcheck{os.stat('/proc/self/ns/pid').st_ino}.slice"
JOURNALS = "/run/log/journal"


def until(what, check, patience=PATIENCE):
    """Polls until `check` returns a true value, and returns that value."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := check():
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {patience} s in vain: {what}")


def mount(*arguments):
    subprocess.run(["mount", *map(str, arguments)], check=True)


def owned(path, mode=0o700):
    path.mkdir(mode=mode, parents=True, exist_ok=True)
    os.chown(path, UID, UID)
    return path


class Machine:
    """The user manager. `run` runs a command as the user."""

    def __init__(self, install):
        """`install` puts the needed files into /run, before /home is hidden."""
        self._mounts(install)
        self._user()
        self.environment = {
            "HOME": str(HOME), "USER": NAME, "LOGNAME": NAME, "SHELL": "/bin/sh", "LANG": "C.UTF-8", "TZ": "UTC",
            "PATH": f"{PROGRAMS}:/usr/bin:/bin", "XDG_RUNTIME_DIR": str(RUNTIME),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={RUNTIME}/bus",
        }
        self.journald = subprocess.Popen(["/lib/systemd/systemd-journald"], stderr=subprocess.DEVNULL)
        until("the journal", pathlib.Path("/run/systemd/journal/socket").exists)
        self.group = self._delegated_group()
        self.manager = None

    @staticmethod
    def _mounts(install):
        mount("--make-rprivate", "/")
        mount("-t", "tmpfs", "-o", "mode=0755", "tmpfs", "/run")
        # A directory that packages do not use, for programs that the user can run.
        mount("-t", "tmpfs", "-o", "mode=0755", "tmpfs", "/srv")
        install()
        mount("-t", "tmpfs", "-o", "mode=0755", "tmpfs", "/home")
        # Mount sandboxing needs unit-root and credentials; the journal needs its directories.
        for name in ["systemd/system", "systemd/unit-root", "systemd/journal", "systemd/journald.conf.d", "credentials", "log/journal"]:
            pathlib.Path("/run", name).mkdir(parents=True)
        pathlib.Path("/run/systemd/journald.conf.d/check.conf").write_text(
            "[Journal]\nStorage=volatile\nReadKMsg=no\nAudit=no\nForwardToWall=no\nRateLimitIntervalSec=0\nSplitMode=none\n")
        RUNTIME.parent.mkdir()
        RUNTIME.mkdir(mode=0o700)
        mount("-t", "tmpfs", "-o", f"mode=0700,uid={UID},gid={UID}", "tmpfs", RUNTIME)
        while subprocess.run(["umount", "--recursive", "/sys/fs/cgroup"], stderr=subprocess.DEVNULL).returncode == 0:
            pass
        mount("-t", "cgroup2", "cgroup2", "/sys/fs/cgroup")

    def _user(self):
        lines = {"passwd": f"{NAME}:x:{UID}:{UID}::{HOME}:/bin/sh\n", "group": f"{NAME}:x:{UID}:\n"}
        if all(pathlib.Path("/etc", name).exists() for name in ("subuid", "subgid")):  # newuidmap(1) is installed
            lines |= dict.fromkeys(("subuid", "subgid"), f"{NAME}:{1 << 24}:65536\n")
        for name, line in lines.items():
            copy = pathlib.Path("/run", name)
            copy.write_text(pathlib.Path("/etc", name).read_text().rstrip("\n") + "\n" + line)
            mount("--bind", copy, f"/etc/{name}")
        assert pwd.getpwuid(UID).pw_name == NAME
        owned(HOME)

    @staticmethod
    def _delegated_group():
        """Creates what the system manager would create: a delegated user@UID.service. It is in a
        slice of this run, because control groups have no namespaces that hide other groups."""
        group = pathlib.Path("/sys/fs/cgroup", RUN, f"user-{UID}.slice", f"user@{UID}.service")
        # A group left behind by a killed run may have the same name.
        group.mkdir(parents=True, exist_ok=True)
        for path in [group, *(group / f for f in ["cgroup.procs", "cgroup.subtree_control", "cgroup.threads"])]:
            os.chown(path, UID, UID)
        return group

    def start(self):
        def enter():
            (self.group / "cgroup.procs").write_text("0")
            os.setsid()

        self.manager = subprocess.Popen(
            self._as_user(["/lib/systemd/systemd", "--user", "--log-target=journal"]), env=self.environment, preexec_fn=enter,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until("the user's manager", lambda: self.systemctl("is-system-running", check=False).strip() in ("running", "degraded"))

    def stop(self):
        """Stops the manager as a logout and a reboot do."""
        self.systemctl("exit", check=False)
        self.manager.wait(PATIENCE)

    @staticmethod
    def _as_user(command):
        return ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", "--", *map(str, command)]

    def begin(self, *command, **more):
        return subprocess.Popen(
            self._as_user(command), env=self.environment | more.pop("environment", {}), text=True, cwd="/",
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | more)

    def run(self, *command, input=None, check=True, environment={}):
        """Returns the command's standard output; with `check=False` the whole result."""
        result = subprocess.run(
            self._as_user(command), env=self.environment | environment, input=input, capture_output=True, text=True,
            timeout=PATIENCE, cwd="/", **({} if input is not None else {"stdin": subprocess.DEVNULL}))
        if check and result.returncode:
            raise AssertionError(f"{command}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout if check else result

    def systemctl(self, *arguments, check=True):
        result = self.run("systemctl", "--user", *arguments, check=check)
        return result if check else result.stdout

    def show(self, unit, name):
        return self.systemctl("show", "--value", f"--property={name}", unit).strip()

    @staticmethod
    def journal(*matches):
        """Returns the matching entries of the journal."""
        subprocess.run(["journalctl", f"--directory={JOURNALS}", "--sync"], stderr=subprocess.DEVNULL)
        answer = subprocess.run(
            ["journalctl", f"--directory={JOURNALS}", "--output=json", "--all", *matches], capture_output=True, text=True)
        return [json.loads(line) for line in answer.stdout.splitlines()]

    def close(self):
        if self.manager and self.manager.poll() is None:
            self.stop()
        self.journald.terminate()
        self.journald.wait(PATIENCE)
        # A cgroup outlives the namespace in which it was created.
        for folder, _, _ in os.walk(pathlib.Path("/sys/fs/cgroup", RUN), topdown=False):
            with contextlib.suppress(OSError):  # a process in it is still ending
                pathlib.Path(folder).rmdir()


def install(source, target, mode=0o644):
    """Copies a file with install(1): descriptors of this process could keep an executable busy
    (ETXTBSY)."""
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["install", "-m", oct(mode)[2:], str(source), str(target)], check=True)


def libraries(program):
    """Returns the directories of shared libraries outside the system's: those of a debug build's
    Swift."""
    said = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout
    paths = [line.split("=>")[1].split()[0] for line in said.splitlines() if "=>" in line and "not found" not in line]
    return sorted({os.path.dirname(path) for path in paths if not path.startswith(("/lib", "/usr/lib"))})
