"""Checks of the units' behaviour. Each check starts with a running agent and two signed-in
accounts, independent of the other checks."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import subprocess

from household import CREDENTIALS, EGRESS, EMAIL, PASSWORD, SERVICE, SOCKET, SOCKETS, UNITS
from machine import HOME, PATIENCE, PROGRAMS, RUNTIME, UID, install, until

MODES = {HOME / ".config/ritual-agent": 0o700, HOME / ".local/state/ritual-agent": 0o700, HOME / ".local/share/ritual-agent": 0o700,
         RUNTIME / "ritual-agent": 0o700, RUNTIME / "ritual-agent/agent.sock": 0o600, RUNTIME / "ritual-agent/egress.sock": 0o600,
         RUNTIME / "ritual-agent/grants": 0o700,
         RUNTIME / "ritual-agent/credentials.sock": 0o600}


def prepare(home):
    """Creates the state after an installation without further steps; then the first sign-in, which
    is itself a check."""
    home.machine.systemctl("enable", "--now", SOCKET)
    for unit in SOCKETS:
        states = [home.machine.show(unit, name) for name in ["ActiveState", "UnitFileState"]]
        assert states == ["active", "enabled"], f"{unit}: {states}"
    assert not home.is_running(), "nothing runs before somebody asks"
    home.open_sandbox()
    lazy_start(home)
    declined_sign_in_enables_nothing(home)
    first_sign_in_enables(home)


def lazy_start(home):
    """`init` was the first use: it started the agent through the socket, which created the
    directories."""
    until("READY=1", home.is_running)
    assert home.show("Type") == "notify"
    for path, mode in MODES.items():
        status = path.lstat()
        found = (stat.S_IMODE(status.st_mode), status.st_uid)
        assert found == (mode, UID), f"{path}: {found}"
    for unit in SOCKETS:
        assert home.machine.show(unit, "Backlog") == "1024"
    assert [home.show("LimitNOFILE"), home.show("LimitNOFILESoft")] == ["8192", "8192"]
    until("the status text", lambda: home.status_text() == "no accounts")
    print("ok: lazy_start", flush=True)


def declined_sign_in_enables_nothing(home):
    """With `autostart = false`, the first sign-in leaves the service disabled and does not mention
    it."""
    file = HOME / ".config/ritual-agent/config.toml"
    good = file.read_text()
    file.write_text(good + "[agent]\nautostart = false\n")
    home.ctl("reload")
    declined = home.sign_in("work")
    assert declined.returncode == 0 and "enabled" not in declined.stderr, declined.stderr
    assert home.machine.systemctl("is-enabled", SERVICE, check=False).strip() == "disabled"
    home.ctl("sign-out", "--account", "work")
    file.write_text(good)
    home.ctl("reload")
    print("ok: declined_sign_in_enables_nothing", flush=True)


def first_sign_in_enables(home):
    """The first account's sign-in, and no other, reports the enabled service; the message is a note
    on standard error."""
    assert home.machine.systemctl("is-enabled", SERVICE, check=False).strip() == "disabled"
    first = home.sign_in("work")
    assert first.returncode == 0, first.stderr
    assert f"{SERVICE} is now enabled" in first.stderr, first.stderr
    assert "enabled" not in first.stdout
    assert home.machine.systemctl("is-enabled", SERVICE).strip() == "enabled"
    second = home.sign_in("home")
    assert second.returncode == 0 and "enabled" not in second.stderr, second.stderr
    print("ok: first_sign_in_enables", flush=True)


def disabled_stays_disabled(home):
    """The next account's sign-in does not re-enable a disabled service, and a sign-in does not fail
    if enabling is impossible."""
    home.machine.systemctl("disable", SERVICE)
    again = home.sign_in("home")
    assert again.returncode == 0 and "enabled" not in again.stderr, again.stderr
    assert home.machine.systemctl("is-enabled", SERVICE, check=False).strip() == "disabled"
    home.machine.systemctl("enable", SERVICE)


FAILURE = ["RITUAL_EVENT=token_refresh_failed", "RITUAL_ERROR_KIND=serviceUnavailable", "RITUAL_ACCOUNT=work"]


def failing_refresh(home):
    """Makes the server answer 503 from now on. A refresh that ended within 5 s serves later
    callers, so the request is repeated."""
    before = len(home.entries(*FAILURE))
    home.sandbox.control("POST", "faults", {"endpoint": "token.refresh", "fault": "error", "status": 503, "count": "forever"})

    def failed():
        home.ctl("refresh", "--account", "work", check=False)
        return len(home.entries(*FAILURE)) > before

    until("a failed refresh", failed)


def working_refresh(home):
    """Makes the server answer again, and causes the next attempt, which can be two minutes away."""
    home.sandbox.control("DELETE", "faults")
    until("a refresh", lambda: home.ctl("refresh", "--account", "work", check=False).returncode == 0)
    until("the account", lambda: "2 signed in" in home.status_text())


def status_text(home):
    """`systemctl --user status` shows the current state."""
    pattern = r'Status: "2 accounts: 2 signed in; next refresh (\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d"'
    until("both accounts", lambda: re.search(pattern, home.machine.systemctl("status", "--no-pager", SERVICE)))
    home.ctl("lock")
    until("the locked vault", lambda: home.status_text() == "vault locked, 2 accounts")
    home.ctl("unlock")
    until("the open vault", lambda: "2 signed in" in home.status_text())
    failing_refresh(home)
    until("the failing account", lambda: "1 refresh overdue (work)" in home.status_text())
    working_refresh(home)


def watchdog(home):
    """A stopped process is killed and restarted, and its sessions are restored."""
    drop_in = home.drop_in("watchdog", "[Service]\nWatchdogSec=2\n")
    home.machine.systemctl("restart", SERVICE)
    before = home.pid
    token = home.token("work")
    # A running agent pings for longer than the watchdog's timeout, as the time of its last ping
    # shows.
    first = home.show("WatchdogTimestampMonotonic")
    until("three feedings", lambda: int(home.show("WatchdogTimestampMonotonic")) > int(first) + 2_500_000)
    assert home.pid == before
    os.kill(before, signal.SIGSTOP)
    home.restarted(before)
    assert any("watchdog" in entry["MESSAGE"].lower() for entry in home.machine.journal("USER_UNIT=" + SERVICE)), "killed by the watchdog"
    assert home.token("work") == token
    drop_in.unlink()
    home.machine.systemctl("daemon-reload")
    home.machine.systemctl("restart", SERVICE)
    assert home.show("WatchdogUSec") == "1min"


def crash(home):
    """kill -9: the manager restarts the agent, with its sessions."""
    tokens = {name: home.token(name) for name in ["work", "home"]}
    before = home.pid
    os.kill(before, signal.SIGKILL)
    home.restarted(before)
    assert {name: home.token(name) for name in tokens} == tokens


def stop_during_refresh(home):
    """A stop waits for the response of a refresh that was sent, and the response is stored; nothing
    is lost."""
    old = home.token("work")
    refreshes = home.sandbox.requests("token.refresh")
    home.sandbox.control("POST", "faults", {"endpoint": "token.refresh", "fault": "delay-after", "seconds": 1.5, "count": 1})
    waiting = home.machine.begin("ritualctl", "refresh", "--account", "work")
    until("the refresh is at the server", lambda: home.sandbox.requests("token.refresh") > refreshes)
    home.machine.systemctl("stop", SERVICE)
    assert home.show("Result") == "success"
    waiting.communicate(timeout=PATIENCE)
    sent = home.sandbox.requests("token.refresh")
    new = home.token("work")
    assert new != old, "the new token was stored"
    assert home.sandbox.requests("token.refresh") == sent, "and no other refresh was needed"


def stops_each_time(home):
    """A stop signal is never lost. libdispatch would pass it to its own thread by tgkill(2), which
    the unit denies."""
    for _ in range(8):
        home.machine.systemctl("reset-failed", SERVICE, *SOCKETS)  # StartLimitBurst=
        home.token("work")
        home.machine.systemctl("stop", SERVICE)
        assert home.show("Result") == "success"


def others_are_refused(home):
    """In the agent's user namespace every other uid appears as nobody, not as the user."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(str(RUNTIME / "ritual-agent/agent.sock"))
        assert json.loads(client.makefile().readline())["error"]["data"]["kind"] == "denied", "root was served"
    assert home.entries("RITUAL_EVENT=connection_refused", "RITUAL_ERROR_KIND=denied")


def reload_of_the_units(home):
    """daemon-reload affects neither the agent nor its socket."""
    before = home.pid
    home.machine.systemctl("daemon-reload")
    assert home.is_running() and home.pid == before
    assert home.token("work")


def settings_read_again(home):
    """`systemctl reload` reports whether the file was accepted; an invalid file changes nothing,
    and the status reports it."""
    file = HOME / ".config/ritual-agent/config.toml"
    good = file.read_text()
    pid = home.pid
    for text, is_taken in [(good + "[audit]\nkeep_days = 7\n", True), (good + "[audit]\nkeep_day = 7\n", False), (good, True)]:
        file.write_text(text)
        result = home.machine.run("systemctl", "--user", "reload", SERVICE, check=False)
        assert (result.returncode == 0) == is_taken, f"{text}\n{result.stderr}"
        told = "keep_days" in home.ctl("status", "--account", "work", check=False).stdout
        assert told == (not is_taken), text
        assert home.is_running() and home.pid == pid and home.token("work")
        until("the status text", lambda: ("invalid configuration" in home.status_text()) == (not is_taken))


def is_replaced(home):
    return json.loads(home.ctl("status", "--json", check=False).stdout)["programReplaced"]


def upgrade(home):
    """The program is replaced, which the status reports, and the agent restarted while clients
    connect: each client is served."""
    assert not is_replaced(home)
    before, inode = home.pid, os.stat(PROGRAMS / "ritual-agentd").st_ino
    client = "for i in $(seq 12); do ritualctl token --account work --timeout 20 >/dev/null || exit $?; done"
    clients = [home.machine.begin("sh", "-c", client) for _ in range(4)]
    home.install_agent()
    assert is_replaced(home)
    restarts = 0
    while any(process.poll() is None for process in clients):
        # The start limit (StartLimitBurst=) is intended for crashes.
        home.machine.systemctl("reset-failed", SERVICE, *SOCKETS)
        home.machine.systemctl("restart", SERVICE)
        restarts += 1
    for process in clients:
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, errors
    assert restarts >= 2, "the clients were done before the restarts"
    assert home.pid != before and os.stat(f"/proc/{home.pid}/exe").st_ino != inode, "the new program runs"
    assert not is_replaced(home)


def in_the_home(home):
    """The agent is installed below ~/.local, as described in the README."""
    program = HOME / ".local/bin/ritual-agentd"
    install(PROGRAMS / "ritual-agentd", program, 0o755)
    (UNITS / SERVICE).write_text(home.service_text(program))
    home.machine.systemctl("daemon-reload")
    home.machine.systemctl("restart", SERVICE)
    assert home.token("work")
    assert os.stat(f"/proc/{home.pid}/exe").st_ino == program.stat().st_ino
    # In the agent's own view of the home, the old file stays where it was.
    assert not is_replaced(home)
    install(PROGRAMS / "ritual-agentd", program.with_name("new"), 0o755)
    program.with_name("new").rename(program)
    assert is_replaced(home)
    (UNITS / SERVICE).write_text(home.service_text())
    home.machine.systemctl("daemon-reload")
    home.machine.systemctl("restart", SERVICE)


def folders_come_back(home):
    """Directories that were removed while the agent was stopped are created again, with the
    required mode."""
    home.machine.systemctl("stop", SERVICE)
    folder = HOME / ".local/share/ritual-agent"
    aside = folder.with_name("aside")
    folder.rename(aside)
    home.ctl("accounts", check=False)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    home.machine.systemctl("stop", SERVICE)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    aside.rename(folder)
    assert home.token("work")


def journal_fields(home):
    """Journal entries have searchable fields, and no field contains a secret."""
    secrets = {PASSWORD} | {home.token(name) for name in ["work", "home"]}
    failing_refresh(home)
    working_refresh(home)
    secrets |= {home.token("work")}
    wrong = home.machine.run(
        "ritualctl", "sign-in", "email", "--account", "other", "--email", EMAIL, "--password-stdin", input="not the password", check=False)
    assert wrong.returncode == 1, wrong.stderr
    found = until("the entry", lambda: home.entries("RITUAL_EVENT=token_refresh", "RITUAL_ACCOUNT=work", "RITUAL_OUTCOME=refreshed"))
    assert found[-1]["PRIORITY"] == "6" and found[-1]["SYSLOG_IDENTIFIER"] == "ritual-agentd", found[-1]
    assert found[-1]["MESSAGE"].startswith("refresh account=work"), found[-1]
    failed = until("the failure", lambda: home.entries(*FAILURE))
    assert failed[-1]["PRIORITY"] == "4", failed[-1]
    assert until("the refusal", lambda: home.entries("RITUAL_EVENT=sign_in_refused", "RITUAL_ACCOUNT=other"))
    assert home.entries("RITUAL_EVENT=agent_ready")
    everything = [str(value) for entry in home.machine.journal() for value in entry.values()]
    assert len(everything) > 100
    # libdispatch's messages about threads that request more than a user's priority.
    noise = [(entry["_COMM"], entry["MESSAGE"]) for entry in home.machine.journal() if "thread priority" in str(entry["MESSAGE"])]
    assert not noise, noise
    for secret in secrets | {"not the password"}:
        pieces = {secret, secret[-24:]}
        assert not any(piece in value for piece in pieces for value in everything), "a secret in the journal"


def started_by_a_request(home):
    """A request at the socket of egress starts the agent, and waits for its answer."""

    def asked(host):
        return home.machine.run(
            "curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--max-time", "30", "--unix-socket",
            str(RUNTIME / "ritual-agent/egress.sock"), f"http://{host}/rest/v1/todos", check=False).stdout

    home.machine.systemctl("stop", SERVICE)
    assert not home.is_running()
    assert asked("nobody") == "421", "the answer of the agent"
    assert home.is_running()
    assert asked("work") == "200"
    home.ctl("lock")
    assert asked("work") == "403"
    home.ctl("unlock")


UNIT = """[Service]
Type=oneshot
{load}
ExecStart=/bin/sh -c 'cat %d/token* > %t/given; printf . >> %t/runs'
"""


def unit_with(home, name, load):
    """Installs a unit of the user with these lines, which copies its credentials to a file."""
    folder = HOME / ".config/systemd/user"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(UNIT.format(load=load))
    home.machine.systemctl("daemon-reload")


def given(home, name):
    """Starts the unit, and returns what it got."""
    (RUNTIME / "given").unlink(missing_ok=True)
    home.machine.systemctl("start", name)
    return (RUNTIME / "given").read_text()


def token_for_a_unit(home):
    """A unit gets the token of the account that the credential's name selects, also from an agent
    that is not running."""
    path = "%t/ritual-agent/credentials.sock"
    home.ctl("use", "home")
    unit_with(home, "export.service", f"LoadCredential=token:{path}")
    assert given(home, "export.service") == home.token("home")
    unit_with(home, "export.service", f"LoadCredential=token.work:{path}")
    assert given(home, "export.service") == home.token("work")
    home.machine.systemctl("stop", SERVICE)
    assert not home.is_running()
    assert given(home, "export.service") == home.token("work")
    # The unit of a template, whose name is escaped in no other way.
    unit_with(home, "export@.service", f"LoadCredential=token:{path}")
    assert given(home, "export@a-b.service") == home.token("home")
    used = json.loads(home.ctl("audit", "--json"))["entries"]
    assert any(entry.get("unit") == "export.service" and entry.get("way") == "credential" for entry in used), used
    home.ctl("use", "work")


def audit_names_processes(home):
    """The confined agent cannot read which program a process runs. Its entries have the name that
    the process gives itself, also for a command that ends as soon as it has its answer."""
    for _ in range(20):
        home.token("work")
    used = [entry for entry in json.loads(home.ctl("audit", "--json"))["entries"] if entry.get("way") == "token"][-20:]
    assert len(used) == 20 and all(entry.get("comm") == "ritualctl" for entry in used), used
    assert not any("executable" in entry for entry in used), used
    assert "calls itself ritualctl" in home.ctl("audit")


def refused_credentials(home):
    """An empty credential, and an entry in the journal: for a locked vault, an unknown account, a
    name that no unit of systemd made, another unit's name, and a rule. The unit of the guide then
    fails before its program starts."""
    path = "%t/ritual-agent/credentials.sock"
    guard = f"ExecStartPre=/usr/bin/test -s %d/token\nLoadCredential=token:{path}"
    home.ctl("lock")
    unit_with(home, "export.service", f"LoadCredential=token:{path}")
    assert given(home, "export.service") == ""
    assert until("the entry", lambda: refusals(home, "export.service", "vaultLocked"))
    unit_with(home, "export.service", guard)
    (RUNTIME / "given").unlink()
    failed = home.machine.run("systemctl", "--user", "start", "export.service", check=False)
    assert failed.returncode != 0, failed.stderr
    assert not (RUNTIME / "given").exists(), "the program ran without a token"
    home.machine.systemctl("reset-failed", "export.service")
    home.ctl("unlock")
    assert given(home, "export.service") == home.token("work")
    unit_with(home, "export.service", f"LoadCredential=token.nobody:{path}")
    assert given(home, "export.service") == ""
    assert refusals(home, "export.service", "unknownAccount")
    unit_with(home, "export.service", f"LoadCredential=token.work:{path}")
    for name in [b"", b"\0x", b"\0a1/unit/export.service/token", b"\0a1/unit/none.service/token.work"]:
        assert asked_as(home, name) == b"", name
    assert refusals(home, "export.service", "denied"), "a plain process with the name of a unit"
    assert home.entries("RITUAL_EVENT=credential_refused", "RITUAL_ERROR_KIND=invalidParams")
    configuration = HOME / ".config/ritual-agent/config.toml"
    good = configuration.read_text()
    configuration.write_text(good + '[[policy.rules]]\nunit = "export.service"\naccount = "work"\naction = "deny"\n')
    home.ctl("reload")
    assert given(home, "export.service") == "" and home.token("work")
    configuration.write_text(good)
    home.ctl("reload")
    assert given(home, "export.service") == home.token("work")


def sockets_of_grants(home):
    """A grant's socket works under the confinement, for processes in namespaces and of another uid; the agent's end
    removes it."""

    def made():
        grant = json.loads(home.ctl("grant", "--account", "work", "--socket", "--json"))
        path = pathlib.Path(grant["socket"])
        modes = [stat.S_IMODE(each.stat().st_mode) for each in (path.parents[1], path.parent, path)]
        assert path.parents[1] == RUNTIME / "ritual-agent/grants" and modes == [0o700, 0o711, 0o666], f"{path}: {modes}"
        for box in boxes:
            found = [home.machine.run(*box, *asked(path, token)) for token in (grant["token"], grant["token"] + "A")]
            assert found == ["200", "401"], f"{box}: {found}"
        bound = ["unshare", "-mn", "sh", "-c", 'mount --bind "$0" /mnt && exec "$@"', str(path.parent), "setpriv", "--reuid=65534",
                 "--regid=65534", "--clear-groups", *asked("/mnt/s", grant["token"])]
        other = subprocess.run(bound, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert other.stdout == "200", f"another uid: {other}"
        if podman:
            done = home.machine.run(
                *podman, "-v", f"{path.parent}:/run/ritual", "--rootfs", root, *asked("/run/ritual/s", grant["token"]), check=False)
            if done.returncode == 125:
                print("no rootless container starts here:", done.stderr.strip()[-200:])
            else:
                assert done.stdout == "200", f"a rootless container: {done}"
        return path

    def asked(path, token):
        return ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--max-time", "30", "--unix-socket",
                str(path), "-H", f"Authorization: Bearer {token}", "http://localhost/rest/v1/todos"]

    unit = ["systemd-run", "--user", "--pipe", "--wait", "--quiet", "-p", "PrivateNetwork=yes", "-p", "PrivateUsers=yes"]
    network = home.machine.run(*unit, "readlink", "/proc/self/ns/net").strip()
    assert network.startswith("net:") and network != os.readlink("/proc/self/ns/net"), network
    boxes = [["unshare", "-Urn"], unit]
    if shutil.which("bwrap"):
        boxes.append(["bwrap", "--unshare-net", "--unshare-user", "--uid", "1234", "--ro-bind", "/", "/", "--dev", "/dev"])
    podman = all(map(shutil.which, ("podman", "newuidmap"))) and [
        "podman", "run", "--rm", "--network=none", "--user=1000"]
    root = root_with_curl(HOME / "container/root") if podman else None

    for end in (lambda: home.machine.systemctl("restart", SERVICE), lambda: home.machine.systemctl("stop", SERVICE)):
        path = made()
        end()
        assert list(path.parents[1].iterdir()) == [], f"after the end of the agent: {list(path.parents[1].iterdir())}"
    path = made()
    before = home.pid
    os.kill(before, signal.SIGKILL)
    home.restarted(before)
    until("the agent has removed what the killed one left", lambda: list(path.parents[1].iterdir()) == [])


def root_with_curl(root):
    """The root directory of a container, without an image, which would come from a registry."""
    for folder in ("usr/bin", "etc", "proc", "dev", "sys", "tmp", "run"):
        (root / folder).mkdir(parents=True)
    curl = shutil.which("curl")
    libraries = subprocess.run(["ldd", curl], check=True, capture_output=True, text=True).stdout.split()
    for file in [curl, *(word for word in libraries if word.startswith("/"))]:
        (root / file[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, root / file[1:])
    subprocess.run(["chown", "-R", f"{UID}:{UID}", root.parent], check=True)
    return root


def refusals(home, unit, kind):
    return home.entries("RITUAL_EVENT=credential_refused", f"RITUAL_UNIT={unit}", f"RITUAL_ERROR_KIND={kind}")


def asked_as(home, name):
    """Connects as a process of the user, bound to an abstract name, and returns the answer."""
    script = (
        "import socket, sys\n"
        "client = socket.socket(socket.AF_UNIX)\n"
        "name = bytes.fromhex(sys.argv[1])\n"
        "name and client.bind(name)\n"
        "client.connect(sys.argv[2])\n"
        "try:\n  sys.stdout.buffer.write(client.makefile('rb').read())\n"
        "except ConnectionResetError: pass\n")
    said = home.machine.run("/usr/bin/python3", "-c", script, name.hex(), str(RUNTIME / "ritual-agent/credentials.sock"))
    return said.encode()


def sockets_of_an_older_version(home):
    """An agent whose manager has only its own socket serves that one, and says so once; a restart
    after the other units were installed brings the others."""
    # With `mask --now`, the manager has forgotten RemoveOnStop= at the stop.
    home.machine.systemctl("stop", EGRESS, CREDENTIALS)
    home.machine.systemctl("mask", EGRESS, CREDENTIALS)
    home.machine.systemctl("restart", SERVICE)
    assert home.token("work")
    assert until("the notice", lambda: [e for e in home.entries() if "systemd passed no socket for egress" in e["MESSAGE"]])
    assert not (RUNTIME / "ritual-agent/egress.sock").exists()
    home.machine.systemctl("unmask", EGRESS, CREDENTIALS)
    home.machine.systemctl("restart", SERVICE)
    token_for_a_unit(home)


def one_command_for_all_sockets(home):
    """Stopping, starting, disabling and enabling the agent's socket includes the others."""
    home.machine.systemctl("stop", SOCKET, SERVICE)
    assert [home.machine.show(unit, "ActiveState") for unit in SOCKETS] == ["inactive"] * 3
    home.machine.systemctl("disable", SOCKET)
    assert [home.machine.show(unit, "UnitFileState") for unit in SOCKETS] == ["disabled"] * 3
    home.machine.systemctl("enable", "--now", SOCKET)
    assert [home.machine.show(unit, "ActiveState") for unit in SOCKETS] == ["active"] * 3
    assert [home.machine.show(unit, "UnitFileState") for unit in SOCKETS] == ["enabled"] * 3
    home.machine.systemctl("enable", SERVICE)
    assert home.token("work")


def reboot(home):
    """After a logout of all sessions the agent starts with the manager, and refreshes without a
    request from a client."""
    home.machine.stop()
    refreshes = home.sandbox.requests("token.refresh")
    # Expires the access tokens in the sandbox.
    home.sandbox.control("POST", "expire-tokens")
    home.machine.start()
    until("the agent is up", home.is_running)
    until("what the agent asks by itself", lambda: home.sandbox.requests("token.refresh") > refreshes)


ALL = [
    disabled_stays_disabled, status_text, watchdog, crash, stop_during_refresh, stops_each_time, others_are_refused, reload_of_the_units,
    settings_read_again, started_by_a_request, token_for_a_unit, audit_names_processes, sockets_of_grants, refused_credentials, sockets_of_an_older_version, one_command_for_all_sockets, upgrade, in_the_home, folders_come_back, journal_fields, reboot,
]
