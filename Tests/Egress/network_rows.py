"""Networks of their own (namespaces, needs root): name servers that are silent, and a link that is cut.

    network_rows.py PROGRAMS     run by main.py as `unshare --net --mount`
"""

import asyncio
import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import threading

from loopback import Servers, TLSFront, make_certificates
from stage import Stage, Table, expect, require, wait
from wire import Wire

# The host behind the link; this side has the address that ends in 1.
REMOTE = "10.77.0.2"
# The proxy's limit is 75 s without an answer, judged at the next question after it, which is 10 s later at most.
ENDS_WITHIN = 90


class NameServer(threading.Thread):
    """Answers for alive.test, denies nowhere.test, and is silent about all other names."""

    def __init__(self):
        super().__init__(daemon=True)
        # The number of queries without an answer.
        self.ignored = 0
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))

    def run(self):
        while True:
            query, sender = self.socket.recvfrom(4096)
            name = query[12 : query.index(0, 12)]
            question = query[12 : query.index(0, 12) + 5]
            if name == b"\x05alive\x04test":
                is_v4 = question[-4:-2] == b"\x00\x01"
                answer = b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\x7f\x00\x00\x01" if is_v4 else b""
                flags, count = b"\x85\x80", is_v4
            elif name == b"\x07nowhere\x04test":
                answer, flags, count = b"", b"\x85\x83", 0
            else:
                self.ignored += 1
                continue
            counts = b"\x00\x01" + count.to_bytes(2, "big") + bytes(4)
            self.socket.sendto(query[:2] + flags + counts + question + answer, sender)


class Remote(Servers):
    """The API behind the link: streams that stay open, and a port that takes no more than fits into its buffers."""

    async def start(self):
        server = await asyncio.start_server(self.serve, REMOTE, 0, ssl=self.context)
        self.port = server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"GET /stream"):
                writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n")
            elif head.startswith(b"GET"):
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
            elif await reader.read(1):
                (self.folder / "taken").touch()
            await asyncio.Event().wait()


def ip(*words, process=None):
    enter = ["nsenter", "--net", "--target", str(process)] if process else []
    subprocess.run([*enter, "ip", *words], check=True)


class Rows:
    # A name is looked up once, however many connections wait for it, so each row has another dead one.
    PROJECTS = ("dead1", "dead2", "dead3", "alive", "nowhere")

    def __init__(self, stage, table, folder, names):
        self.stage, self.table, self.folder, self.names = stage, table, folder, names

    def run(self):
        with TLSFront(self.folder, int(self.stage.url.rpartition(":")[2])) as front:
            self.configure(front.port)
            table = self.table
            table.run("a name that cannot be resolved delays no address", lambda: self.others("localhost", "dead1"))
            table.run("a name that cannot be resolved delays no other name", lambda: self.others("alive", "dead2"))
            table.run("the auth server is reached while the API's name hangs", self.refresh)
            table.run("a name that does not exist", self.nowhere)
            with self.link():
                stream, upload = self.begin()
                ip("link", "set", "here", "down")
                # This is resent until the limit; of the stream, only the questions get no answer.
                upload.send(bytes(100_000))
                table.run("a cut link ends a stream", lambda: self.stream_ends(stream))
                table.run("a cut link ends an upload", lambda: self.upload_ends(upload))

    def configure(self, port):
        with open(f"{self.stage.environment['XDG_CONFIG_HOME']}/ritual-agent/config.toml", "a", encoding="utf-8") as file:
            for name in self.PROJECTS:
                file.write(f'\n[projects.{name}]\nurl = "https://alive.test:{port}"\nanon_key = "{self.stage.key}"\n'
                           f'api_url = "https://{name}.test:{port}"\nca_file = "{self.folder}/ca.pem"\n')
        self.stage.ctl("reload")
        for name in self.PROJECTS:
            self.stage.sign_in("anna@example.org", "--account", name, "--project", name)
        # The agent has asked for the profiles, too: two attempts for each of both kinds of addresses.
        wait(lambda: self.names.ignored >= 3 * 4, "the end of the agent's own lookups")

    def ask(self, account, target="/api/v1/profile"):
        return Wire(self.stage.egress).send(f"GET {target} HTTP/1.1\r\nHost: {account}\r\n\r\n".encode())

    def others(self, account, dead_account):
        """Both requests begin in the other order than they end in."""
        before = self.names.ignored
        with self.ask(dead_account) as dead:
            wait(lambda: self.names.ignored > before, "the lookup of the dead name")
            with self.ask(account) as other:
                answer = other.answer()
            expect(answer.status, 200, f"the other request: {answer.body}")
            dead.socket.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                require(not dead.more(), f"the request to the dead name was answered before: {dead.rest}")
            dead.socket.settimeout(60)
            answer = dead.answer()
        expect(answer.status, 504, f"the request to the dead name: {answer.body}")
        words = answer.body.decode()
        require(f"{dead_account}.test" in words and "DNS" in words, f"the cause: {words}")

    def refresh(self):
        """The profile is at the API's origin."""
        self.stage.settle()
        before = self.names.ignored
        with subprocess.Popen([self.stage.programs / "ritualctl", "profile", "--account", "dead3"],
                              env=self.stage.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as profile:
            wait(lambda: self.names.ignored > before, "the lookup of the API's name")
            self.stage.ctl("refresh", "--account", "dead3")
            expect(profile.poll(), None, "the end of the request for the profile")
            _, words = profile.communicate(timeout=60)
            expect(profile.returncode, 7, f"the exit status: {words}")

    def nowhere(self):
        with self.ask("nowhere") as wire:
            answer = wire.answer()
        expect(answer.status, 502, f"the status: {answer.body}")
        require("nowhere.test: cannot resolve the host name (DNS)" in json.loads(answer.body)["detail"], str(answer.body))

    # The link

    @contextlib.contextmanager
    def link(self):
        """A second network with the API, which another process holds."""
        with subprocess.Popen(["unshare", "--net", sys.executable, "-B", __file__, "remote", self.folder],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as remote:
            remote.stdout.readline()
            ip("link", "add", "here", "type", "veth", "peer", "name", "there", "netns", str(remote.pid))
            ip("address", "add", "10.77.0.1/24", "dev", "here")
            ip("link", "set", "here", "up")
            ip("address", "add", f"{REMOTE}/24", "dev", "there", process=remote.pid)
            ip("link", "set", "there", "up", process=remote.pid)
            remote.stdin.write(b"\n")
            remote.stdin.flush()
            port = int(remote.stdout.readline())
            with open(f"{self.stage.environment['XDG_CONFIG_HOME']}/ritual-agent/config.toml", "a", encoding="utf-8") as file:
                file.write(f'\n[projects.remote]\nurl = "{self.stage.url}"\nanon_key = "{self.stage.key}"\n'
                           f'api_url = "https://{REMOTE}:{port}"\nca_file = "{self.folder}/ca.pem"\n')
            self.stage.ctl("reload")
            self.stage.sign_in("anna@example.org", "--account", "remote", "--project", "remote")
            yield
            remote.kill()

    def begin(self):
        """A stream, and an upload that the server has taken a part of."""
        stream = self.ask("remote", "/stream")
        while b"hi" not in stream.rest:
            require(stream.more(), f"the stream has ended: {stream.rest}")
        upload = Wire(self.stage.egress)
        upload.send(b"POST /upload HTTP/1.1\r\nHost: remote\r\nContent-Length: 1000000\r\n\r\n" + bytes(1000))
        # Not only connected: a cut during the TLS handshake is another failure.
        wait((self.folder / "taken").exists, "the first byte of the upload")
        return stream, upload

    def stream_ends(self, stream):
        require(stream.ends(ENDS_WITHIN) is not None, f"it is still open after {ENDS_WITHIN} s")

    def upload_ends(self, upload):
        upload.socket.settimeout(ENDS_WITHIN)
        answer = upload.answer("POST")
        expect(answer.status, 502, f"the status: {answer.body}")
        require("It is not known whether the request was carried out." in answer.body.decode(), str(answer.body))


async def serve_remote(folder):
    """The process that holds the second network: waits for its addresses, serves, and prints its port."""
    print("ready", flush=True)
    sys.stdin.readline()
    with Remote(folder) as remote:
        print(remote.port, flush=True)
        await asyncio.Event().wait()


def main(programs):
    """The exit status is that of the rows."""
    ip("link", "set", "lo", "up")
    table = Table([])
    with Stage(programs) as stage:
        folder = stage.folder / "network"
        folder.mkdir()
        for name, text in (("resolv.conf", "nameserver 127.0.0.1\noptions timeout:5 attempts:2\n"), ("nsswitch.conf", "hosts: files dns\n")):
            (folder / name).write_text(text)
            subprocess.run(["mount", "--bind", folder / name, f"/etc/{name}"], check=True)
        names = NameServer()
        names.start()
        make_certificates(folder, ["DNS:alive.test", f"IP:{REMOTE}"])
        Rows(stage, table, folder, names).run()
    sys.exit(1 if table.failed else 0)


if __name__ == "__main__":
    if sys.argv[1] == "remote":
        asyncio.run(serve_remote(pathlib.Path(sys.argv[2])))
    main(sys.argv[1])
