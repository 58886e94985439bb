"""An HTTP proxy as sandboxes for AI clients have: outside it listens on a Unix socket and connects to allowed
names, inside a relay listens on the port that HTTP_PROXY names.

    sandbox_proxy.py outside SOCKET NAME…     serves `GET http://NAME…` and `CONNECT NAME:PORT`
    sandbox_proxy.py inside SOCKET COMMAND…   runs the command with a relay and with HTTP_PROXY
    sandbox_proxy.py server SOCKET PORT COMMAND…   runs a server in a network namespace, with a socket that leads to its port
    sandbox_proxy.py connect SOCKET           connects standard input and output (`ProxyCommand`)
"""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
from urllib.parse import urlsplit


def pipe(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        target.close()


def join(left, right):
    threading.Thread(target=pipe, args=(left, right), daemon=True).start()
    pipe(right, left)


def listen(family, address, serve):
    server = socket.socket(family)
    server.bind(address)
    server.listen()

    def run():
        while True:
            threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=run, daemon=True).start()
    return server


def outside(names):
    def serve(client):
        head = b""
        while b"\r\n\r\n" not in head:
            if not (data := client.recv(65536)):
                return
            head += data
        line, rest = head.split(b"\r\n", 1)
        method, target, version = line.decode().split(" ")
        url = urlsplit(f"//{target}" if method == "CONNECT" else target)
        if url.hostname not in names:
            return client.sendall(b"HTTP/1.1 403 Not allowed by the sandbox\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        # A name below .localhost is this machine (RFC 6761, section 6.3).
        host = "127.0.0.1" if url.hostname.endswith(".localhost") else url.hostname
        server = socket.create_connection((host, url.port or 80))
        if method == "CONNECT":
            client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        else:
            path = url.path + ("?" + url.query if url.query else "")
            server.sendall(f"{method} {path} {version}\r\nConnection: close\r\n".encode() + rest)
        join(client, server)

    return serve


def inside(path, command):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)

    def serve(client):
        proxy = socket.socket(socket.AF_UNIX)
        proxy.connect(path)
        join(client, proxy)

    port = listen(socket.AF_INET, ("127.0.0.1", 0), serve).getsockname()[1]
    proxy = {"http_proxy": f"http://127.0.0.1:{port}", "HTTP_PROXY": f"http://127.0.0.1:{port}"}
    sys.exit(subprocess.run(command, env=os.environ | proxy, check=False).returncode)


def server(path, port, command):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    if os.fork():
        os.execv(command[0], command)
    ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)  # PR_SET_PDEATHSIG: it ends with the server.
    listen(socket.AF_UNIX, path, lambda client: join(client, socket.create_connection(("127.0.0.1", port))))
    threading.Event().wait()


def connect(path):
    there = socket.socket(socket.AF_UNIX)
    there.connect(path)

    def up():
        while data := os.read(0, 65536):
            there.sendall(data)

    threading.Thread(target=up, daemon=True).start()
    while data := there.recv(65536):
        os.write(1, data)
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1] == "server":
        server(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    if sys.argv[1] == "connect":
        connect(sys.argv[2])
    if sys.argv[1] == "inside":
        inside(sys.argv[2], sys.argv[3:])
    listen(socket.AF_UNIX, sys.argv[2], outside(sys.argv[3:]))
    print("ready", flush=True)
    threading.Event().wait()
