"""The effect of hostile clients on other processes: the time of session.token beside a hundred connections of each kind, and of
session.status beside each costly method from 40 and 230 connections.

By itself: `python3 Benchmarks/measure/hostile.py SOCKET PID` prints the second part for an agent that runs.
"""

import argparse
import contextlib
import json
import pathlib
import selectors
import socket
import statistics
import subprocess
import sys
import time

from figures import Figure, table

CONNECTIONS = 100
KINDS = {
    "silent": "that begin a request and fall silent",
    "drip": "that send a byte a second",
    "endless": "that send 100 MiB without a newline",
    "nested": "that send 5 000 brackets, over and over",
    "encoding": "that send what is not UTF-8",
    "subscribers": "that subscribe and never read",
    "unread": "that ask and never read",
    "flood": "that ask for tokens without a pause",
    "calls": "that ask for the status without a pause",
    "churn": "that connect, ask and go",
    "visits": "that connect, ask, read the answer and go",
}
# One request per millisecond: a normal client, not an additional flood.
REQUESTS, PAUSE_US = 1_000, 1_000
NEW_REQUESTS = 300
BEGUN_S = 1  # seconds after which all of their connections are at work
ROUNDS = 5  # measurements alone and with the clients alternate; medians are used

COSTLY = ["rpc.discover", "agent.diagnose", "vault.verify", "audit.list", "audit.verify", "telemetry.snapshot", "agent.status",
          "session.list", "events.subscribe", "agent.reload", "vault.status", "session.status"]
CROWDS = (40, 230)  # the median beside the second has no target (PR-4)
STATUS_S = 3  # seconds for each figure beside a costly method
MEMORY_MIB = 200


def beside(house, kind, measure):
    """Runs `measure()` while the clients of `kind` are active."""
    process = subprocess.Popen([house.tools / "hostile", kind, house.agent_socket, str(CONNECTIONS)],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        process.stdout.readline()
        time.sleep(BEGUN_S)
        return measure()
    finally:
        process.stdin.close()
        process.wait(20)


def hostile_p99(house, request):
    """Two figures for each kind: p99 on a kept connection and on new ones."""
    kept = lambda: house.tool("load", "paced", house.agent_socket, REQUESTS, PAUSE_US, stdin=request)["p99"]
    new = lambda: house.tool("load", "new", house.agent_socket, NEW_REQUESTS, stdin=request)["p99"]
    for kind, words in KINDS.items():
        for name, measure, limit in (("kept", kept, 10_000), ("new", new, 50_000)):
            rounds = [(measure(), beside(house, kind, measure)) for _ in range(ROUNDS)]
            alone, loaded = (statistics.median(times) for times in zip(*rounds))
            yield Figure(f"session.token p99, {name} connection, beside {CONNECTIONS} clients {words}", loaded, "µs", alone,
                         at_most=limit)


def connect(path):
    client = socket.socket(socket.AF_UNIX)
    # Before the timeout is set: without a timeout, connect(2) waits while the queue of the socket
    # is full.
    client.connect(str(path))
    client.settimeout(60)
    return client


def line(method):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}).encode()


def attack(path, method, connections, batch, reads):
    """Sends requests for `method` on all connections as fast as possible, until the process is
    killed."""
    request = line(method)
    piece = (b"[" + b",".join([request] * 32) + b"]\n") if batch else (request + b"\n") * 8
    selector, sent = selectors.DefaultSelector(), {}

    def open_one():
        client = connect(path)
        client.setblocking(False)
        sent[client] = 0
        selector.register(client, selectors.EVENT_WRITE | (selectors.EVENT_READ if reads else 0))

    for _ in range(connections):
        open_one()
    print("ready", flush=True)
    while True:
        for key, events in selector.select():
            client = key.fileobj
            try:
                if events & selectors.EVENT_READ and not client.recv(1 << 16):
                    raise ConnectionResetError
                if events & selectors.EVENT_WRITE:
                    sent[client] = (sent[client] + client.send(piece[sent[client]:])) % len(piece)
            except BlockingIOError:
                pass
            except OSError:
                selector.unregister(client)
                del sent[client]
                client.close()
                open_one()


@contextlib.contextmanager
def attacker(path, method, connections, batch, reads):
    command = [sys.executable, __file__, "--attack", method, str(connections), str(int(batch)), str(int(reads)), str(path), "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        process.stdout.readline()
        yield
    finally:
        process.kill()
        process.wait()


def ask(client, request):
    client.sendall(request)
    answer = b""
    while not answer.endswith(b"\n"):
        if not (part := client.recv(1 << 16)):
            raise RuntimeError("the connection ended")
        answer += part
    return answer


def status_times(path):
    """Returns milliseconds of session.status on new connections during STATUS_S, with a pause
    between two."""
    times, end = [], time.monotonic() + STATUS_S
    while time.monotonic() < end or len(times) < 5:
        begun = time.monotonic()
        with connect(path) as client:
            ask(client, line("session.status") + b"\n")
        times.append((time.monotonic() - begun) * 1000)
        time.sleep(0.01)
    return times


def resident(pid):
    fields = pathlib.Path(f"/proc/{pid}/status").read_text().split()
    return int(fields[fields.index("VmRSS:") + 1]) / 1024


def hostile_methods(path, pid):
    """Two figures for each method, number of connections and manner: the median of session.status
    of another process, and memory."""
    for method in COSTLY:
        for connections in CROWDS:
            for words, batch, reads in (("", False, True), (", unread", False, False), (", batches unread", True, False)):
                with attacker(path, method, connections, batch, reads):
                    time.sleep(BEGUN_S)
                    times, size = status_times(path), resident(pid)
                what = f"beside {method} on {connections} connections{words}"
                yield Figure(f"session.status, median, {what}", statistics.median(times), "ms",
                             at_most=60 if connections == CROWDS[0] else None)
                yield Figure(f"RSS, {what}", size, "MiB", at_most=MEMORY_MIB)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attack", nargs=4, metavar=("METHOD", "CONNECTIONS", "BATCH", "READS"), help=argparse.SUPPRESS)
    parser.add_argument("--methods", nargs="+", default=COSTLY)
    parser.add_argument("socket")
    parser.add_argument("pid", type=int)
    options = parser.parse_args()
    if options.attack:
        method, connections, batch, reads = options.attack
        attack(options.socket, method, int(connections), batch == "1", reads == "1")
    COSTLY[:] = options.methods
    print(table(list(hostile_methods(options.socket, options.pid))))


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
