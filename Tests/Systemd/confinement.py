"""Attempts the actions that the unit's settings forbid, inside a unit with these settings; then
repeats them without the settings, to detect attempts that would fail in any case."""

import json
import os
import pathlib
import re
import signal
import stat
import subprocess
import sysconfig
import tempfile

from household import UNITS
from machine import HOME, PROGRAMS, RUNTIME, UID, install, mount, owned

PYTHON = os.path.realpath("/usr/bin/python3")
ANSWER = HOME / ".local/state/ritual-agent/answer.json"
ELSEWHERE = pathlib.Path("/srv/elsewhere")
# Sockets that listen while the probe runs: three that the agent needs, and two that it does not.
SOCKETS = [
    pathlib.Path("/run/dbus/system_bus_socket"), pathlib.Path("/run/systemd/resolve/io.systemd.Resolve"),
    pathlib.Path("/run/nscd/socket"), pathlib.Path("/run/docker/docker.sock"), RUNTIME / "other.sock",
]
# The user's other process, which the probe tries to reach. It closes each connection at once,
# because the C library sends requests to the resolver's socket and waits for responses. It ends
# with its standard input.
LISTENER = """
import select, socket, sys
sockets = []
for path in sys.argv[1:]:
    sockets.append(socket.socket(socket.AF_UNIX))
    sockets[-1].bind(path)
    sockets[-1].listen()
print("ready", flush=True)
while sys.stdin not in (ready := select.select([sys.stdin, *sockets], [], [])[0]):
    for listening in ready:
        listening.accept()[0].close()
"""
DEVICES = ["/dev/fuse", "/dev/net/tun"]
KEY = 0x52495455  # of the shared memory: any number that is unused in this namespace


def probe_unit(home, name, text, variables):
    """Runs the probe in the unit `text` and returns its findings."""
    ANSWER.unlink(missing_ok=True)
    everything = {"HOME": HOME, "XDG_RUNTIME_DIR": RUNTIME, "PROBE_MANAGER": home.machine.manager.pid, "PROBE_SHM": KEY} | variables
    environment = "Environment=" + " ".join(f"{name}={value}" for name, value in everything.items()) + "\n"
    (UNITS / name).write_text(text.replace("[Service]\n", "[Service]\n" + environment))
    home.machine.systemctl("daemon-reload")
    home.machine.systemctl("start", name)
    return json.loads(ANSWER.read_text())


def confined(home, program):
    """Returns the shipped settings without those of a daemon, and with the interpreter as an
    executable path."""
    text = home.service_text(program)
    text = re.sub("(?m)^(Type|Restart|RestartSec|WatchdogSec|Requires|After)=.*\n", "", text)
    text = text.replace(f"ExecStart={program}", f"Type=oneshot\nExecStart={program} {ANSWER} {ELSEWHERE}")
    modules = sysconfig.get_path("platstdlib") + "/lib-dynload"
    return re.sub("(?m)^(ExecPaths=.*)$", rf"\1 {PYTHON} {modules}", text)


def open_device():
    """Lets everyone open the device that the probe tries, in this mount namespace: on some machines
    only root may open any device that the confinement hides."""
    device = next(path for path in map(pathlib.Path, DEVICES) if path.exists())
    node = PROGRAMS.parent / "device"
    os.mknod(node, stat.S_IFCHR, device.stat().st_rdev)
    node.chmod(0o666)
    mount("--bind", node, device)
    return device


def confinement_bites(home):
    program = PROGRAMS / "probe"
    install(home.sources / "Tests/Systemd/probe.py", program, 0o755)
    owned(ELSEWHERE)
    owned(pathlib.Path("/run/elsewhere"))
    owned(HOME.parent / "shared")
    home.machine.run("systemctl", "--user", "start", "ritual-agent-folders.service", "dbus.socket")
    for path in SOCKETS:
        owned(path.parent)
    listener = home.machine.begin("/usr/bin/python3", "-c", LISTENER, *SOCKETS, stdin=subprocess.PIPE)
    assert listener.stdout.readline(), listener.stderr.read()
    shared = home.machine.run("/usr/bin/python3", "-c", f"import ctypes; print(ctypes.CDLL(None).shmget({KEY}, 4096, 0o1600))")
    assert int(shared) >= 0, "the shared memory could not be made"
    with tempfile.NamedTemporaryFile(dir="/tmp") as temporary:
        variables = {"PROBE_DEVICE": open_device(), "PROBE_TMP": temporary.name, "PROBE_VICTIM": listener.pid}
        needed, forbidden = probe_unit(home, "ritual-probe.service", confined(home, program), variables)
        bare = f"[Service]\nType=oneshot\nExecStart={program} {ANSWER} {ELSEWHERE}\n"
        without = probe_unit(home, "ritual-probe-bare.service", bare, variables)
    os.kill(listener.pid, signal.SIGCONT)
    listener.communicate()
    wrong = [f"{name}: should be allowed, is {found}" for name, found in needed.items() if found != "allowed"]
    wrong += [f"{name}: should be denied" for name, found in forbidden.items() if found == "allowed"]
    wrong += [
        f"{name}: cannot fail, for it is {found} without the settings, too"
        for group in without for name, found in group.items() if found != "allowed"]
    assert not wrong, "\n".join(wrong)
    print(f"    {len(forbidden)} things denied, {len(needed)} allowed")


ALL = [confinement_bites]
