"""nginx and haproxy (Debian packages nginx-light, haproxy) in front of the same origin as the agent, adding the same header,
and wrk as the load: measured beside the agent where all three are installed."""

import contextlib
import os
import re
import shutil
import socket
import subprocess

from figures import Figure, in_turns
from house import one_core

TOKEN = "x" * 900  # bytes, as a Supabase token with its claims
REQUESTS, NEW_REQUESTS = 10_000, 2_000
CONNECTIONS = (1, 32, 256)  # 256 are what the agent grants one process
RATE_S = 3
PACED_CONNECTIONS, PACED_RATE, PACED_S = 32, 2_000, 5
DOWNLOAD_MIB = 1_024
ROUNDS = 5

NGINX = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx-error.log;
{user}
events {{ worker_connections 2048; }}
http {{
  access_log off;
  client_body_temp_path {folder}/nginx-temp; proxy_temp_path {folder}/nginx-temp; fastcgi_temp_path {folder}/nginx-temp;
  scgi_temp_path {folder}/nginx-temp; uwsgi_temp_path {folder}/nginx-temp;
  upstream origin {{ server 127.0.0.1:{origin}; keepalive 16; }}
  server {{
    listen unix:{folder}/nginx.sock;
    listen 127.0.0.1:{port};
    keepalive_requests 1000000000;
    location / {{
      proxy_pass http://origin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Authorization "Bearer {token}";
      proxy_buffering off;
    }}
  }}
}}
"""

HAPROXY = """
global
  nbthread 1
  maxconn 4096
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend front
  bind unix@{folder}/haproxy.sock
  bind 127.0.0.1:{port}
  http-request set-header Authorization "Bearer {token}"
  default_backend back
backend back
  server origin 127.0.0.1:{origin}
"""


def are_installed():
    return all(find(program) for program in ("nginx", "haproxy", "wrk"))


def find(program):
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin")


class Peer:
    """A proxy that listens on a Unix socket and on a port of 127.0.0.1."""

    def __init__(self, house, name, text, *command):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.socket = house.folder / f"{name}.sock"
        file = house.folder / f"{name}.conf"
        (house.folder / f"{name}-temp").mkdir()
        file.write_text(text.format(folder=house.folder, port=self.port, origin=house.origin_port, token=TOKEN,
                                    user="user root;" if os.geteuid() == 0 else ""))
        self.process = house.start(name, find(name), *command, file)
        house.wait_for(self.process, name, self.socket.exists)


@contextlib.contextmanager
def peers(house):
    started = {"nginx": Peer(house, "nginx", NGINX, "-c"), "haproxy": Peer(house, "haproxy", HAPROXY, "-db", "-f")}
    try:
        yield started
    finally:
        for peer in started.values():
            house.stop(peer.process)


def wrk(port, connections, token):
    """One thread of wrk for RATE_S seconds. A response with another status than 200 ends the measurement."""
    command = [find("wrk"), "--threads=1", f"--connections={connections}", f"--duration={RATE_S}s", "--latency",
               "--timeout=10s", f"--header=Authorization: Bearer {token}", f"http://127.0.0.1:{port}/todos"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        raise RuntimeError(text)
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    return {"perSecond": float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]),
            "p99": float(value) * {"us": 1, "ms": 1_000, "s": 1_000_000}[unit]}


def peer_figures(house, agent, grant_port, grant_token, close_sockets):
    """The agent against haproxy, on the same work. nginx is shown without a target."""
    with peers(house) as others:
        processes = [peer.process for peer in others.values()]
        ports = {"agent": (grant_port, grant_token)} | {name: (peer.port, "none") for name, peer in others.items()}
        sockets = {"agent": house.egress_socket} | {name: peer.socket for name, peer in others.items()}
        yield from added_figures(house, [agent, house.origin, *processes], sockets)
        for connections in CONNECTIONS:
            yield from rate_figures(connections, ports)
        with one_core(agent, house.origin, *processes):
            for connections in CONNECTIONS:
                yield from rate_figures(connections, ports, cores=1)
        yield from paced_figures(house, ports)
        for what, prepare in (("after 2,000 others", lambda: None), ("beside 20,000 sockets in TIME_WAIT", close_sockets)):
            prepare()
            new = in_turns({name: lambda at=at: house.tool("fetch", "new", at[0], "/todos", NEW_REQUESTS, at[1])
                            for name, at in ports.items()}, 1)
            yield against(f"egress: a new connection to a grant, {what}, p50", new, "p50", "µs", at_most=1.5)
        downloads = in_turns({name: lambda path=path: house.tool("fetch", "download", path, f"/download/{DOWNLOAD_MIB}")
                              for name, path in sockets.items()}, ROUNDS)
        rates = {name: {"rate": download["perSecond"] / 2**20} for name, download in downloads.items()}
        yield against("egress: download of 1 GiB", rates, "rate", "MiB/s", at_least=1)


def against(what, taken, key, unit, peer="haproxy", **target):
    return Figure(f"{what}, against {peer}", taken["agent"][key], unit, taken[peer][key], of_ratio=True, **target)


def added_figures(house, processes, sockets):
    """On one core: on two, the time that a sleeping core takes to wake up hides what a proxy adds."""
    addresses = {"origin": house.origin_port} | sockets
    with one_core(*processes):
        times = in_turns({name: lambda address=address: house.tool("fetch", "times", address, "/todos", REQUESTS)
                          for name, address in addresses.items()}, ROUNDS)
    added = {name: {"p50": times[name]["p50"] - times["origin"]["p50"]} for name in sockets}
    for peer, target in (("haproxy", {"at_most": 1}), ("nginx", {})):
        yield against("egress: time added to a small GET, kept connection, one core, p50", added, "p50", "µs", peer, **target)


def rate_figures(connections, ports, cores=2):
    """The targets are for two cores: on one, the load and the origin take most of it."""
    rates = in_turns({name: lambda at=at: wrk(at[0], connections, at[1]) for name, at in ports.items()}, ROUNDS)
    words = f"egress: requests a second through a grant, {connections} connection{'s' if connections > 1 else ''}"
    if cores == 1:
        yield against(f"{words}, one core", rates, "perSecond", "/s")
        yield against(f"{words}, one core, their p99", rates, "p99", "µs")
        return
    yield against(words, rates, "perSecond", "/s", at_least=0.8)
    yield against(words, rates, "perSecond", "/s", "nginx")
    yield against(f"{words}, their p99", rates, "p99", "µs", at_most=1.5)


def paced_figures(house, ports):
    paced = in_turns({name: lambda at=at: house.tool("fetch", "paced", at[0], "/todos", PACED_CONNECTIONS, PACED_RATE,
                                                     PACED_S, at[1])
                      for name, at in ports.items()}, ROUNDS)
    words = f"egress: {PACED_RATE:,} requests a second through a grant, {PACED_CONNECTIONS} connections"
    yield against(f"{words}, p50", paced, "p50", "µs")
    yield against(f"{words}, p99", paced, "p99", "µs", at_most=1.5)
