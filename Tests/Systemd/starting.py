"""An agent that cannot start: the messages for the user, and the recovery."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import time

import machine
from household import SERVICE, SOCKET, UNITS
from machine import HOME, PATIENCE, RUNTIME, until


def mistake_in_the_configuration(home):
    """Every client gets file, line and the error; the first request after the correction is
    served."""
    file = HOME / ".config/ritual-agent/config.toml"
    good = file.read_text()
    line = len(good.splitlines()) + 2
    home.machine.systemctl("stop", SERVICE)
    file.write_text(good + "[audit]\nkeep_day = 7\n")
    starts = set()

    def asked():
        answer = home.ctl("token", "--account", "work", check=False)
        assert answer.returncode == 1, f"{answer.returncode} {answer.stderr}"
        assert re.search(rf"config\.toml:{line}:1: unknown key keep_day in \[audit\]; did you mean keep_days", answer.stderr), answer.stderr
        starts.add(home.show("InvocationID"))
        return len(starts) >= 3

    begin = time.monotonic()
    until("three starts for clients who ask on and on", asked)
    # systemd gives up, on the socket as well, at the sixth start within ten seconds, manual starts
    # included.
    assert time.monotonic() - begin > 8, "a start lives 5 s while somebody asks"
    assert home.machine.show(SOCKET, "ActiveState") == "active"
    until("it has ended", lambda: home.show("ActiveState") == "failed")
    assert home.show("ExecMainStatus") == "78" and home.show("NRestarts") == "0"
    assert "keep_day" in home.status_text(), home.status_text()
    file.write_text(good)
    assert home.token("work")
    # The correction may also come while the process still reports the error: the same process
    # becomes the agent.
    home.machine.systemctl("stop", SERVICE)
    file.write_text(good + "[audit]\nkeep_day = 7\n")
    asked()
    file.write_text(good)
    before = home.pid
    assert home.token("work") and home.pid == before


def start_limit(home):
    """After systemd has given up, `ritualctl` and the doctor report it with the command that helps,
    and the command works."""
    drop_in = home.drop_in("broken", "[Service]\nRestartSec=100ms\nExecStart=\nExecStart=/bin/false\n")
    home.machine.systemctl("stop", SERVICE)
    client = home.machine.begin("ritualctl", "token", "--account", "work")
    until("systemd gives up on the socket", lambda: home.machine.show(SOCKET, "ActiveState") == "failed")
    client.communicate(timeout=30)
    refused = home.ctl("token", "--account", "work", check=False)
    assert refused.returncode == 3, refused.stderr
    remedy = re.search(r"(systemctl --user reset-failed .*; systemctl --user start .*)", refused.stderr)
    assert remedy and "journalctl --user -u ritual-agent.service" in refused.stderr, refused.stderr
    doctor = home.ctl("doctor", check=False)
    assert doctor.stdout.count(remedy[1]) == 2 and "ritual-agent.socket failed (service-start-limit-hit)" in doctor.stdout, doctor.stdout
    drop_in.unlink()
    home.machine.systemctl("daemon-reload")
    home.machine.run("sh", "-c", remedy[1])
    assert home.token("work")


def without_namespaces(home):
    """Where mounts in a user namespace are denied, as AppArmor does on Ubuntu, the unit fails; the
    doctor prints a command, after which the agent runs in the namespaces of its manager."""
    mounting = r"(?m)^(Private\w+|Protect\w+|\w+Paths|TemporaryFileSystem|CapabilityBoundingSet)="
    left = set(re.findall(mounting, home.shipped(SERVICE))) - set(re.findall(mounting, home.shipped("without-namespaces.conf")))
    # Newer versions of systemd make a user namespace for each of them.
    assert not left, f"without-namespaces.conf leaves {left}"
    home.machine.systemctl("stop", SERVICE)
    denier = subprocess.Popen(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-p", str(home.machine.manager.pid), "-e", "trace=mount",
         "-e", "inject=mount:error=EACCES"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        until("the tracer", lambda: traced(home.machine.manager.pid))
        with restricted():
            client = home.machine.begin("ritualctl", "token", "--account", "work")
            until("the unit fails", lambda: home.show("ExecMainStatus") == "226")
            client.communicate(timeout=PATIENCE)
            doctor = home.ctl("doctor", check=False)
            told = "cannot be confined (226/NAMESPACE): user namespaces are restricted (user.max_user_namespaces=0)"
            assert doctor.returncode == 1 and told in doctor.stdout, doctor.stdout
            command = re.search("install -D .*", doctor.stdout)[0]
            home.machine.run("sh", "-c", command)
            assert home.token("work")
            doctor = home.ctl("doctor", check=False)
            assert "confinement: reduced" in doctor.stdout, doctor.stdout
        for name in ["user", "mnt", "pid", "net", "uts", "ipc", "cgroup"]:
            spaces = [os.readlink(f"/proc/{pid}/ns/{name}") for pid in (home.pid, home.machine.manager.pid)]
            assert spaces[0] == spaces[1], (name, spaces)
        status = pathlib.Path(f"/proc/{home.pid}/status").read_text()
        assert "NoNewPrivs:\t1" in status and "Seccomp:\t2" in status, "the other settings remain"
    finally:
        denier.terminate()
        denier.wait(PATIENCE)
    shutil.rmtree(HOME / ".config/systemd/user/ritual-agent.service.d")
    home.machine.systemctl("daemon-reload")
    home.machine.systemctl("restart", SERVICE)
    assert home.token("work") and os.readlink(f"/proc/{home.pid}/ns/user") != os.readlink("/proc/self/ns/user")


def traced(pid):
    return "TracerPid:\t0\n" not in pathlib.Path(f"/proc/{pid}/status").read_text()


@contextlib.contextmanager
def restricted():
    """Shows programs a kernel that restricts user namespaces. The setting itself would apply to the
    whole machine."""
    setting = pathlib.Path("/proc/sys/user/max_user_namespaces")
    shown = pathlib.Path("/run/max_user_namespaces")
    shown.write_text("0\n")
    machine.mount("--bind", shown, setting)
    try:
        yield
    finally:
        subprocess.run(["umount", str(setting)], check=True)


def next_steps(home):
    """The command in the error for an agent that is not reached fits the state of the units, and starts the agent."""

    def follow(expected):
        refused = home.ctl("token", "--account", "work", check=False)
        assert refused.returncode == 3, refused.stderr
        command = refused.stderr.splitlines()[1].strip()
        assert command.startswith(expected), refused.stderr
        home.machine.run("sh", "-c", command)
        assert home.token("work")

    home.machine.systemctl("disable", "--now", SOCKET, SERVICE)
    follow(f"systemctl --user enable --now {SOCKET}")
    (RUNTIME / "ritual-agent/agent.sock").unlink()
    follow(f"systemctl --user restart {SOCKET}")
    # A changed unit file that the manager has not read.
    home.machine.systemctl("stop", SOCKET, SERVICE)
    unit = UNITS / SOCKET
    unit.write_text(unit.read_text() + "# changed\n")
    follow("systemctl --user daemon-reload && ")
    home.machine.systemctl("stop", SOCKET, SERVICE)
    text = unit.read_text()
    unit.unlink()
    home.machine.systemctl("daemon-reload")
    missing = home.ctl("token", "--account", "work", check=False)
    assert "\n  ritual-agentd &\n  its systemd units are not installed" in missing.stderr, missing.stderr
    unit.write_text(text)
    follow("systemctl --user ")
    home.machine.systemctl("enable", SERVICE)


ALL = [mistake_in_the_configuration, start_limit, without_namespaces, next_steps]
