"""What others notice of clients that nobody wants: the time of session.token while a hundred of a kind are connected."""

import statistics
import subprocess
import time

from figures import Figure

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
# One request a millisecond: a client that does its own work, not one more flood.
REQUESTS, PAUSE_US = 1_000, 1_000
BEGUN_S = 1  # by then a process has used up the connections and the work that it has saved, which nobody is refused
ROUNDS = 5  # alone and beside them take turns; the medians count


def beside(house, kind, measure):
    """`measure()` while the clients of `kind` are there."""
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
    """One figure for each kind: p99 beside them, against p99 alone."""
    measure = lambda: house.tool("load", "paced", house.agent_socket, REQUESTS, PAUSE_US, stdin=request)["p99"]
    for kind, words in KINDS.items():
        rounds = [(measure(), beside(house, kind, measure)) for _ in range(ROUNDS)]
        alone, loaded = (statistics.median(times) for times in zip(*rounds))
        yield Figure(f"session.token p99 beside {CONNECTIONS} clients {words}", loaded, "µs", alone, at_most=2, of_ratio=True)
