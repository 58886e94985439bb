"""What the unit's settings stop, tried from inside of them; and the same without them, so that a try that could not work
anyway is found out."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

from household import UNITS
from machine import HOME, PROGRAMS, RUNTIME, UID, install, owned

PYTHON = os.path.realpath("/usr/bin/python3")
ANSWER = HOME / ".local/state/ritual-agent/answer.json"
ELSEWHERE = pathlib.Path("/srv/elsewhere")
KEY = 0x52495455  # of the shared memory: any number that nobody else uses in this namespace


def probe_unit(home, name, text, extra):
    """Runs the probe in the unit `text` and returns what it saw."""
    ANSWER.unlink(missing_ok=True)
    environment = (
        f"Environment=HOME={HOME} XDG_RUNTIME_DIR={RUNTIME} PROBE_MANAGER={home.machine.manager.pid} PROBE_SHM={KEY}"
        f" PROBE_TMP={extra}\n")
    (UNITS / name).write_text(text.replace("[Service]\n", "[Service]\n" + environment))
    home.machine.systemctl("daemon-reload")
    home.machine.systemctl("start", name)
    return json.loads(ANSWER.read_text())


def confined(home, program):
    """The shipped settings; only what makes it a daemon is taken away, and the interpreter may be executed."""
    text = home.service_text(program)
    text = re.sub("(?m)^(Type|Restart|RestartSec|WatchdogSec|Requires|After)=.*\n", "", text)
    text = text.replace(f"ExecStart={program}", f"Type=oneshot\nExecStart={program} {ANSWER} {ELSEWHERE}")
    return re.sub("(?m)^(ExecPaths=.*)$", rf"\1 {PYTHON}", text)


def confinement_bites(home):
    program = PROGRAMS / "probe"
    install(home.sources / "Tests/Systemd/probe.py", program, 0o755)
    owned(ELSEWHERE)
    owned(pathlib.Path("/run/elsewhere"))
    owned(HOME.parent / "shared")
    home.machine.run("systemctl", "--user", "start", "ritual-agent-folders.service", "dbus.socket")
    listener = home.machine.begin(
        "/usr/bin/python3", "-c", f"import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind('{RUNTIME}/other.sock');"
        "s.listen(); print('ready', flush=True); sys.stdin.read()", stdin=subprocess.PIPE)
    listener.stdout.readline()
    shared = home.machine.run("/usr/bin/python3", "-c", f"import ctypes; print(ctypes.CDLL(None).shmget({KEY}, 4096, 0o1600))")
    assert int(shared) >= 0, "the shared memory could not be made"
    with tempfile.NamedTemporaryFile(dir="/tmp") as temporary:
        needed, forbidden = probe_unit(home, "ritual-probe.service", confined(home, program), temporary.name)
        bare = f"[Service]\nType=oneshot\nExecStart={program} {ANSWER} {ELSEWHERE}\n"
        without = probe_unit(home, "ritual-probe-bare.service", bare, temporary.name)
    listener.communicate()
    wrong = [f"{name}: should be allowed, is {found}" for name, found in needed.items() if found != "allowed"]
    wrong += [f"{name}: should be denied" for name, found in forbidden.items() if found == "allowed"]
    wrong += [
        f"{name}: cannot fail, for it is {found} without the settings, too"
        for group in without for name, found in group.items() if found != "allowed"]
    assert not wrong, "\n".join(wrong)
    print(f"    {len(forbidden)} things denied, {len(needed)} allowed")


ALL = [confinement_bites]
