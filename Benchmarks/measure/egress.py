"""The cost of the egress socket: the agent and a bare C relay (Benchmarks/Sources/relay) in front of the same HTTP origin."""

import json
import pathlib
import socket
import statistics
import subprocess
import time

from figures import Figure, in_turns
from house import memory, one_core
from peers import are_installed, peer_figures

REQUESTS = 10_000
DOWNLOAD_MIB = 2_048
LARGE_DOWNLOAD_MIB = 10 * 1_024
GRANT_RUNS, GRANT_CONNECTIONS = 3, 50  # few: a socket is in TIME_WAIT for a minute
CLOSED_SOCKETS = 20_000
SAMPLE_S = 0.2
SETTLE_S = 5  # after a start: sessions are checked at the server, and memory is returned


def egress_figures(house):
    """The time that the agent and the relay add to a request that goes directly to the origin, and the throughput of a
    download."""
    with house.api() as agent:
        relay = house.start_relay()
        time.sleep(SETTLE_S)
        before = memory(agent)["Anonymous"]
        yield from request_figures(house, agent, relay)
        grant = json.loads(house.ctl("grant", "--json").stdout)
        port, token = grant["url"].strip("/").rpartition(":")[2], grant["token"]
        yield grant_figure(house, port, token)
        yield from download_figures(house, agent)
        if are_installed():
            yield from peer_figures(house, agent, port, token, lambda: close_sockets(CLOSED_SOCKETS))
        yield Figure("egress: growth of anonymous memory by this load", memory(agent)["Anonymous"] - before, "MiB")


def request_figures(house, agent, relay):
    """On one core: on two, the time that a sleeping core takes to wake up, tens of microseconds, hides what the relay
    adds."""
    addresses = {"origin": house.origin_port, "relay": house.relay_socket, "agent": house.egress_socket}
    with one_core(agent, relay, house.origin):
        times = in_turns({name: lambda address=address: house.tool("fetch", "times", address, "/todos", REQUESTS)
                          for name, address in addresses.items()})
    added = {name: times[name]["p50"] - times["origin"]["p50"] for name in ("agent", "relay")}
    yield Figure("egress: time added to a small GET, kept connection, p50", added["agent"], "µs", added["relay"], at_most=2,
                 of_ratio=True)
    yield Figure("egress: small GET, kept connection, p99", times["agent"]["p99"], "µs", times["relay"]["p99"])


def grant_figure(house, port, token):
    """A new connection to a grant, whose owner the agent determines, beside many other sockets and without."""
    connect = lambda: house.tool("fetch", "new", port, "/todos", GRANT_CONNECTIONS, token)["p50"]
    p50 = lambda: statistics.median(connect() for _ in range(GRANT_RUNS))
    alone = p50()
    close_sockets(CLOSED_SOCKETS)
    beside = p50()
    closed = sum(line.split()[3] == "06" for line in pathlib.Path("/proc/net/tcp").read_text().splitlines())
    if closed < CLOSED_SOCKETS / 2:  # the first ones end when a minute is over
        raise RuntimeError(f"only {closed} sockets were in TIME_WAIT at the end")
    return Figure(f"egress: new connection to a grant, {CLOSED_SOCKETS:,} sockets in TIME_WAIT, against none, p50", beside,
                  "µs", alone, at_most=1.2, of_ratio=True)


def close_sockets(count):
    """Leaves sockets in TIME_WAIT (tcp(7)): the ends that were closed first. One listener has too few ports for them all."""
    for _ in range(2):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            for _ in range(count // 2):
                client = socket.create_connection(listener.getsockname())
                client.close()
                listener.accept()[0].close()


def download_figures(house, agent):
    sockets = {"relay": house.relay_socket, "agent": house.egress_socket}
    downloads = in_turns({name: lambda path=path: house.tool("fetch", "download", path, f"/download/{DOWNLOAD_MIB}")
                          for name, path in sockets.items()})
    rates = {name: download["perSecond"] / 2**20 for name, download in downloads.items()}
    yield Figure(f"egress: download of {DOWNLOAD_MIB >> 10} GiB", rates["agent"], "MiB/s", rates["relay"], at_least=0.7,
                 of_ratio=True)
    # The buffers of a connection that the first downloads did not need. A proxy that gathers the body exceeds this.
    yield Figure(f"egress: growth of anonymous memory in a download of {LARGE_DOWNLOAD_MIB >> 10} GiB",
                 growth_in_download(house, agent), "MiB", at_most=1)


def growth_in_download(house, agent):
    """The highest anonymous memory of the agent during a large download, less that before it, in MiB."""
    before = memory(agent)["Anonymous"]
    highest = before
    client = subprocess.Popen([house.tools / "fetch", "download", house.egress_socket, f"/download/{LARGE_DOWNLOAD_MIB}"],
                              stdout=subprocess.DEVNULL)
    try:
        while client.poll() is None:
            highest = max(highest, memory(agent)["Anonymous"])
            time.sleep(SAMPLE_S)
    finally:
        client.kill()
    if client.returncode != 0:
        raise RuntimeError(f"fetch ended with {client.returncode}")
    return highest - before
