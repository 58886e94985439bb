"""Measures the agent and a bare echo server. Run by script/bench, which builds everything
needed."""

import argparse
import contextlib
import json
import os
import pathlib
import platform
import struct
import subprocess
import sys
import tempfile
import time

from egress import egress_figures
from figures import Figure, in_turns, table
from fleet import fleet_figures
from hostile import hostile_methods, hostile_p99
from house import House, memory
from loopback import TLSFront, make_certificates
from oidc import REQUEST as OIDC_REQUEST, is_installed as has_oidc_agent, oidc_agent

REQUEST_SIZE = 100  # bytes, newline included: both servers read the same
ACCOUNTS = 1_000
KEPT_REQUESTS, NEW_REQUESTS, RATE_MS, TOKEN_RUNS, READY_RUNS = 10_000, 8_000, 1_000, 20, 20
FLEET_IMAGE = pathlib.Path("docs/images/refresh-after-outage.svg")
SETTLE_S = 5  # after a start: sessions are checked at the server, and memory is returned
SOAK_MS, SOAK_WARM_UP_MS = 60_000, 5_000  # after the warm-up, buffers must not grow any more


def request(params=""):
    """Returns a session.token request of exactly REQUEST_SIZE bytes: `reason` is free text for the
    journal."""
    empty = '{"jsonrpc":"2.0","id":1,"method":"session.token","params":{%s"reason":""}}\n' % params
    return empty.replace('""}}', '"' + "x" * (REQUEST_SIZE - len(empty)) + '"}}')


def load(house, *arguments, **others):
    """Applies the same load to the agent, the echo, and `others` (name → function)."""
    mode, *rest = arguments
    sockets = {"agent": house.agent_socket, "echo": house.echo_socket}
    return in_turns({name: lambda path=path: house.tool("load", mode, path, *rest, stdin=request())
                     for name, path in sockets.items()} | others)


def request_figures(house, oidc=None):
    """`oidc` is the socket of oidc-agent, where it is installed."""
    kept = load(house, "kept", KEPT_REQUESTS)
    others = {"oidc": lambda: house.tool("load", "ended", oidc, NEW_REQUESTS, stdin=OIDC_REQUEST)} if oidc else {}
    new = load(house, "new", NEW_REQUESTS, **others)
    yield Figure("session.token, kept connection, p50", kept["agent"]["p50"], "µs", kept["echo"]["p50"],
                 at_most=1.3, of_ratio=True)
    yield Figure("session.token, kept connection, p99", kept["agent"]["p99"], "µs", kept["echo"]["p99"])
    yield Figure("session.token, new connection, p50", new["agent"]["p50"], "µs", new["echo"]["p50"],
                 at_most=3, of_ratio=True)
    yield Figure("session.token, new connection, p99", new["agent"]["p99"], "µs", new["echo"]["p99"],
                 at_most=5, of_ratio=True)
    if oidc:
        yield Figure("session.token, new connection, p50, against oidc-agent", new["agent"]["p50"], "µs",
                     new["oidc"]["p50"], at_most=1, of_ratio=True)
    for connections in (1, 8, 64):
        rate = load(house, "rate", connections, RATE_MS)
        yield Figure(f"session.token, {connections} connections" if connections > 1 else "session.token, 1 connection",
                     rate["agent"]["perSecond"], "/s", rate["echo"]["perSecond"],
                     at_least=0.5 if connections == 64 else None, of_ratio=True)


def directory_figure(house):
    """A request without an account, from below a directory that has one."""
    house.ctl("use", "default", "--in", "/usr")
    times = in_turns({name: lambda text=request(params): house.tool("load", "kept", house.agent_socket, KEPT_REQUESTS, stdin=text)
                      for name, params in (("named", '"directory":"/usr/a",'), ("default", ""))})
    house.ctl("use", "--forget", "/usr")
    yield Figure("session.token from a directory with an account, p50, against the default account", times["named"]["p50"],
                 "µs", times["default"]["p50"], at_most=1.1, of_ratio=True)


def soak_figures(house, agent):
    """64 connections for a minute. The load program fails at the first error, or after a second
    without a response."""
    soak = lambda milliseconds: house.tool("load", "rate", house.agent_socket, 64, milliseconds, stdin=request())
    soak(SOAK_WARM_UP_MS)
    before = memory(agent)["Anonymous"]
    rate = soak(SOAK_MS)
    yield Figure("64 connections for 60 s: requests a second, none failed", rate["perSecond"], "/s")
    # Normal variation of the allocator; a leak of 1 byte for each request would exceed this.
    yield Figure("64 connections for 60 s: growth of anonymous memory", memory(agent)["Anonymous"] - before, "MiB", at_most=1)


def process_figures(house, oidc=None):
    ctl = house.programs / "ritualctl"
    commands = {"token": [ctl, "token"], "headers": [ctl, "token", "--format", "headers"], "status": [ctl, "status"], "exec": [ctl, "exec", "--", "/bin/true"],
                "true": ["/bin/true"]} | ({"oidc": ["oidc-token", "bench"]} if oidc else {})
    runs = in_turns({name: lambda command=command: house.tool("spawn", "exit", TOKEN_RUNS, "--", *command)
                     for name, command in commands.items()})
    milliseconds = {name: run["p50"] / 1000 for name, run in runs.items()}
    for name in ("token", "status"):
        yield Figure(f"ritualctl {name}, start to exit, p50", milliseconds[name], "ms", milliseconds["true"],
                     at_most=5, of_ratio=True)
    yield Figure("ritualctl token --format headers, start to exit, p50, against ritualctl token", milliseconds["headers"], "ms",
                 milliseconds["token"], at_most=1.1, of_ratio=True)
    yield Figure("ritualctl exec -- /bin/true, start to exit, p50", milliseconds["exec"], "ms", milliseconds["true"],
                 at_most=6, of_ratio=True)
    if oidc:
        yield Figure("ritualctl token, start to exit, p50, against oidc-token", milliseconds["token"], "ms",
                     milliseconds["oidc"], at_most=1, of_ratio=True)


def allocation_figures(house):
    """Heap allocations for each request, in an agent of its own that counts them."""
    file = house.folder / "allocations"
    plain = house.environment
    house.environment = plain | {"LD_PRELOAD": str(house.tools / "liballocations.so"), "ALLOCATIONS_FILE": str(file)}
    agent = house.start_agent()
    house.environment = plain
    time.sleep(SETTLE_S)
    count = lambda: struct.unpack("=Q", file.read_bytes())[0]
    for mode, requests, at_most in (("kept", KEPT_REQUESTS, 0.1), ("new", NEW_REQUESTS, None)):
        run = lambda number: house.tool("load", mode, house.agent_socket, number, stdin=request())
        run(100)
        before = count()
        run(requests)
        yield Figure(f"heap allocations for a session.token, {mode} connection", (count() - before) / requests, "",
                     at_most=at_most)
    house.stop(agent)


def ready_figure(house):
    ready = house.tool("spawn", "ready", READY_RUNS, "--", house.programs / "ritual-agentd")
    yield Figure("exec to READY=1, one account in the vault, p50", ready["p50"] / 1000, "ms", at_most=10)


def vault_cost(program):
    """The times of the vault alone. The files are in the repository's directory, because /tmp may
    have no disk."""
    pathlib.Path(".build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=".build", prefix="vault-bench-") as folder:
        return json.loads(subprocess.run([program, folder], check=True, capture_output=True, text=True).stdout)


def vault_figures(cost):
    """The vault's cost in addition to that of its disk and libsodium."""
    yield Figure("vault: one commit of 4 KiB, against the same file operations", cost["commit"], "µs", cost["files"],
                 at_most=1.3, of_ratio=True)
    yield Figure("vault: open with 1 000 records", cost["open"] / 1000, "ms", at_most=100)
    yield Figure("vault: unlock by passphrase, against its derivation", cost["unlock"] / 1000, "ms",
                 cost["derivation"] / 1000, at_most=1.1, of_ratio=True)


def many_accounts_figures(house, vault_opening):
    """The cost of each account: memory, and time at a start, for which `vault_opening` is the time
    in ms to open a vault of as many records."""
    one = house.tool("spawn", "ready", READY_RUNS, "--", house.programs / "ritual-agentd")
    agent = house.start_agent()
    time.sleep(SETTLE_S)
    before = memory(agent)["Anonymous"]
    house.sign_in_many(ACCOUNTS)
    house.stop(agent)
    # A new process, so that memory left behind by the sign-ins is not counted as a cost of the
    # accounts.
    agent = house.start_agent()
    time.sleep(SETTLE_S)
    yield Figure(f"anonymous memory for each of {ACCOUNTS:,} accounts", (memory(agent)["Anonymous"] - before) * 1024 / ACCOUNTS,
                 "KiB", at_most=8)
    house.stop(agent)
    many = house.tool("spawn", "ready", READY_RUNS, "--", house.programs / "ritual-agentd")
    yield Figure(f"exec to READY=1, {ACCOUNTS:,} accounts, p50, against one account + opening the vault",
                 many["p50"] / 1000, "ms", one["p50"] / 1000 + vault_opening, at_most=1.5, of_ratio=True)


def memory_figures(moment, process, at_most=None):
    sizes = memory(process)
    yield Figure(f"anonymous memory, {moment}", sizes["Anonymous"], "MiB", at_most=at_most)
    yield Figure(f"RSS, {moment}", sizes["Rss"], "MiB")


def measure(house, options):
    sandbox = house.start_sandbox()
    make_certificates(house.folder, ["IP:127.0.0.1"])
    with TLSFront(house.folder, int(sandbox["url"].rpartition(":")[2])) as front:
        house.configure(f"https://127.0.0.1:{front.port}", sandbox["anonKey"], house.folder / "ca.pem")
        agent = house.start_agent()
        yield from memory_figures("idle, before the first TLS request", agent, at_most=2.7)
        house.sign_in()
        yield from memory_figures("after the first TLS request", agent, at_most=5)
        if options.only == "hostile":
            yield from hostile_p99(house, request())
            yield from hostile_methods(house.agent_socket, agent.pid)
            return
        if options.only == "egress":
            house.stop(agent)
            yield from egress_figures(house)
            return
        house.start_echo()
        with oidc_agent(house) if has_oidc_agent() else contextlib.nullcontext() as oidc:
            yield from request_figures(house, oidc)
            yield from directory_figure(house)
            yield from process_figures(house, oidc)
        yield from soak_figures(house, agent)
        yield from memory_figures("after this load", agent)
        yield from hostile_p99(house, request())
        yield from hostile_methods(house.agent_socket, agent.pid)
        house.stop(agent)
        yield from ready_figure(house)
        yield from egress_figures(house)
        yield from allocation_figures(house)
        cost = vault_cost(options.vault)
        yield from many_accounts_figures(house, cost["open"] / 1000)
    yield from vault_figures(cost)
    yield from fleet_figures(options.fleet)


def describe_machine():
    model = next((line.partition(":")[2].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.machine())
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout.splitlines()[0]
    print(f"{os.cpu_count()} × {model}, Linux {platform.release()}, {swift}")
    print(f"load average before: {os.getloadavg()[0]:.2f} (other work on the machine blurs every figure)\n", flush=True)


def collect(figures):
    """Returns the figures as a list, and shows each as progress: a run takes half an hour."""
    taken = []
    for figure in figures:
        taken.append(figure)
        print(figure.what, *figure.cells()[1:], file=sys.stderr, flush=True)
    return taken


def main():
    parser = argparse.ArgumentParser(prog="script/bench")
    parser.add_argument("--programs", help="folder of the release programs")
    parser.add_argument("--sandbox", help="the built ritual-sandbox")
    parser.add_argument("--tools", help="folder of echo, load and the other programs in C")
    parser.add_argument("--vault", help="the built vault-cost")
    parser.add_argument("--fleet", required=True, help="the built fleet; --only fleet needs nothing else")
    parser.add_argument("--only", choices=["hostile", "egress", "fleet"], help="this part alone")
    parser.add_argument("--check", action="store_true", help="exit 1 where a target is missed")
    options = parser.parse_args()
    describe_machine()
    if options.only == "fleet":
        figures = collect(fleet_figures(options.fleet, image=FLEET_IMAGE))
    else:
        with House(options.programs, options.sandbox, options.tools) as house:
            figures = collect(measure(house, options))
    print(table(figures))
    if options.check and any(figure.reached is False for figure in figures):
        sys.exit("bench: a target is missed")


main()
