"""Servers behind TLS and behind a proxy."""

import asyncio
import base64
import contextlib
import json
import os
import pathlib
import socket
import ssl

import loopback
from loopback import forward, make_certificates, pump
from stage import expect, require, wait
from wire import Wire

NAME = "api.example.test"  # resolved by the proxy alone
LARGE = 64 << 20
AUTH = "auth.example.test"  # the project, reached through a proxy
PASSWORD = "user:se:cret"
# What a gate in front of a project demands.
GATE = ("cf-access-client-id", "id.access"), ("cf-access-client-secret", "s3cret")


class Servers(loopback.Servers):
    """An API behind TLS, a port that accepts and stays silent, proxies that lead to the API, and a gate in front of a
    project."""

    def __init__(self, folder, project):
        super().__init__(folder)
        self.project = project
        self.connections, self.held, self.asked, self.closed = 0, 0, [], 0
        self.context.set_alpn_protocols(["h2", "http/1.1"])

    async def start(self):
        self.api, self.silent = await self.listen(self.serve, ssl=self.context), await self.listen(self.say_nothing)
        self.closing, self.closing_later = await self.listen(self.close), await self.listen(self.close_later)
        self.http_proxy, self.socks_proxy = await self.listen(self.connect), await self.listen(self.socks)
        self.locked_proxy, self.locked_socks = await self.listen(self.locked), await self.listen(self.refuse_socks)
        self.auth = await self.listen(lambda reader, writer: forward(reader, writer, self.project), ssl=self.context)
        self.gate = await self.listen(self.guard)

    async def serve(self, reader, writer):
        self.connections += 1
        number = self.connections
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            while True:
                lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
                if fields.get("upgrade") == "websocket":
                    writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello ")
                    return await pump(reader, writer)
                target = lines[0].split(" ")[1]
                if target == "/ends" and self.closed < 2:
                    # The end of TCP without that of TLS.
                    self.closed += 1
                    return writer.transport.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
                received = await reader.readexactly(int(fields.get("content-length", 0)))
                seen = {"target": target, "connection": number, "received": len(received),
                        "alpn": writer.get_extra_info("ssl_object").selected_alpn_protocol()}
                body = bytes(LARGE) if target == "/large" else json.dumps(fields | seen).encode()
                limit = f"Keep-Alive: {target[6:].replace('%20', ' ')}\r\n" if target.startswith("/kept?") else ""
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s\r\n" % (len(body), limit.encode()) + body)
                await writer.drain()

    async def say_nothing(self, reader, writer):
        self.held += 1
        with contextlib.suppress(ConnectionError):
            await reader.read()
        self.held -= 1
        writer.close()

    async def connect(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.asked.append(head.split(" ")[1])
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await forward(reader, writer, self.api)

    async def locked(self, reader, writer):
        """A proxy that demands a password."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        if f"basic {base64.b64encode(PASSWORD.encode()).decode()}".lower() not in head.lower():
            writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=x\r\n"
                         b"Content-Length: 0\r\n\r\n")
            return writer.close()
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await forward(reader, writer, self.auth if AUTH in head else self.api)

    async def refuse_socks(self, reader, writer):
        """No method but a password (RFC 1928, section 3)."""
        _, count = await reader.readexactly(2)
        await reader.readexactly(count)
        writer.write(b"\x05\xff")
        writer.close()

    async def guard(self, reader, writer):
        """A gate that demands constant headers, as Cloudflare Access does; it judges each connection once."""
        head = await reader.readuntil(b"\r\n\r\n")
        if any(f"\r\n{name}: {value}\r\n".encode() not in head.lower() for name, value in GATE):
            page = b"<html>Forbidden</html>"
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\nConnection: close\r\n"
                         b"Content-Length: %d\r\n\r\n%s" % (len(page), page))
            return writer.close()
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self.project)
        other_writer.write(head)
        await asyncio.gather(pump(reader, other_writer), pump(other_reader, writer))

    async def close(self, reader, writer):
        """A proxy that agrees, and closes at once."""
        await reader.readuntil(b"\r\n\r\n")
        # Both arrive together.
        writer.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        writer.close()

    async def close_later(self, reader, writer):
        """A proxy that agrees, and closes when the first bytes have come."""
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await reader.read(1)
        writer.close()

    async def socks(self, reader, writer):
        """RFC 1928, with a domain name and without authentication."""
        _, count = await reader.readexactly(2)
        await reader.readexactly(count)
        writer.write(b"\x05\x00")
        *_, length = await reader.readexactly(5)
        name = (await reader.readexactly(length)).decode()
        self.asked.append(f"{name}:{int.from_bytes(await reader.readexactly(2), 'big')}")
        writer.write(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
        await forward(reader, writer, self.api)


class Rows:
    def __init__(self, stage, table):
        self.stage, self.table = stage, table

    def run(self):
        self.table.heading("Servers behind TLS and behind a proxy")
        folder = self.stage.folder / "tls"
        folder.mkdir()
        make_certificates(folder, ["DNS:localhost", f"DNS:{NAME}", f"DNS:{AUTH}", "IP:127.0.0.1"])
        with Servers(folder, int(self.stage.url.rpartition(":")[2])) as self.servers:
            self.configure(folder / "ca.pem")
            self.table.run("tls: 100 first requests at once", self.first)
            for name in ("connect", "socks"):
                self.table.run(f"{name}: an upload before there is a connection", lambda name=name: self.upload(name))
            for name in ("tls", "connect", "socks"):
                self.table.run(f"{name}: requests", lambda name=name: self.requests(name))
                self.table.run(f"{name}: a WebSocket", lambda name=name: self.upgrade(name))
                self.table.run(f"{name}: {LARGE >> 20} MiB", lambda name=name: self.large(name))
            self.table.run("an end without close_notify", self.ends)
            self.table.run("Keep-Alive", self.keeps)
            self.table.run("an unknown authority", lambda: self.fails("unknown", 502, "offline", "certificate"))
            self.table.run("a proxy that is gone", lambda: self.fails("gone", 502, "offline", "127.0.0.1:1: connection refused"))
            self.table.run("an API that is gone", lambda: self.fails("refusing", 502, "offline", "localhost:1: connection refused"))
            for name in ("closing", "closing-later"):
                self.table.run(f"a proxy that closes after its 200: {name}", lambda name=name: self.closes(name))
            self.table.run("a handshake without an answer", lambda: self.fails("silent", 504, "timedOut", "TLS"))
            self.table.run("a proxy without an answer", lambda: self.fails("mute", 504, "timedOut", "the proxy"))
            self.table.run("a SOCKS proxy that wants a password", lambda: self.fails("socks-locked", 502, "offline", "SOCKS"))
            self.table.run("a proxy with a password", self.password)
            self.table.run("a gate in front of the project", self.gate)

    def configure(self, authority):
        servers, ports = self.servers, "http://127.0.0.1:%d"
        local, named = f"https://localhost:{servers.api}", f"https://{NAME}"
        with open(f"{self.stage.environment['XDG_CONFIG_HOME']}/ritual-agent/config.toml", "a", encoding="utf-8") as file:
            for name, api, proxy, is_trusted in [
                ("tls", local, None, True), ("connect", named, ports % servers.http_proxy, True),
                ("socks", named, f"socks5h://127.0.0.1:{servers.socks_proxy}", True), ("unknown", local, None, False),
                ("gone", named, "http://127.0.0.1:1", True), ("silent", f"https://localhost:{servers.silent}", None, True),
                ("mute", named, ports % servers.silent, True), ("closing", named, ports % servers.closing, True),
                ("closing-later", named, ports % servers.closing_later, True),
                ("refusing", "https://localhost:1", None, True),
                ("socks-locked", named, f"socks5h://127.0.0.1:{servers.locked_socks}", True),
            ]:
                file.write(f'\n[projects.{name}]\nurl = "{self.stage.url}"\nanon_key = "{self.stage.key}"\napi_url = "{api}"\n')
                file.write(f'ca_file = "{authority}"\n' if is_trusted else "")
                file.write(f'proxy = "{proxy}"\n' if proxy else "")
        self.stage.ctl("reload")
        for name in ("tls", "connect", "socks", "unknown", "gone", "silent", "mute", "closing", "closing-later",
                     "refusing", "socks-locked"):
            self.stage.sign_in("anna@example.org", "--account", name, "--project", name)

    def wire(self):
        return Wire(self.stage.egress)

    @staticmethod
    def get(name, target="/items", *lines):
        return "\r\n".join([f"GET {target} HTTP/1.1", f"Host: {name}", *lines, "", ""]).encode()

    def first(self):
        """They load the root certificates once: a hundred times would take some hundred MiB."""
        before, wires = self.stage.resident, [self.wire() for _ in range(100)]
        for wire in wires:
            wire.send(self.get("tls"))
        for wire in wires:
            expect(wire.answer().status, 200, "the status")
            wire.socket.close()
        grown = round(self.stage.resident - before)
        require(grown < 64, f"{grown} MiB more")
        return f"{grown} MiB more"

    def upload(self, name):
        """It stops while the trust settings are loaded and the connection is made, and goes on then."""
        body = bytes(4 << 20)
        with self.wire() as wire:
            request = self.get(name, "/items", f"Content-Length: {len(body)}").replace(b"GET", b"POST")
            answer = wire.send(request + body).answer()
        expect((answer.status, json.loads(answer.body).get("received")), (200, len(body)), "the status, the received bytes")

    def requests(self, name):
        before = self.servers.connections
        with self.wire() as wire:
            for number in range(10):
                answer = wire.send(self.get(name, f"/items?{number}")).answer()
                expect(answer.status, 200, f"the status: {answer.body}")
                found = json.loads(answer.body)
                expect(found["target"], f"/items?{number}", "the target")
                expect(found["alpn"], "http/1.1", "the protocol")
                require(found["authorization"].startswith("Bearer ey"), "the token")
                expect(found["host"], f"localhost:{self.servers.api}" if name == "tls" else NAME, "the host")
        # The agent asks this API for the profile, too, on a connection of its own.
        require(self.servers.connections - before <= 2, f"{self.servers.connections - before} connections")
        if name != "tls":
            expect(set(self.servers.asked), {f"{NAME}:443"}, "what the proxy was asked for")

    def upgrade(self, name):
        with self.wire() as wire:
            wire.send(self.get(name, "/socket", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: k",
                               "Sec-WebSocket-Version: 13") + b"early ")
            expect(wire.head()[0], 101, "the status")
            while wire.rest != b"hello early ":
                require(wire.more(), f"the end after {wire.rest}")

    def large(self, name):
        found = self.stage.run("curl", "--silent", "--fail", "--output", os.devnull, "--write-out", "%{size_download}",
                               "--unix-socket", self.stage.egress, f"http://{name}/large")
        expect(found, str(LARGE), "the size")

    def ends(self):
        """The kept connection is replaced; what may have had an effect is not repeated."""
        with self.wire() as wire:
            expect(wire.send(self.get("tls")).answer().status, 200, "the status")
            answer = wire.send(self.get("tls", "/ends")).answer()
            # The first request on the new connection is closed as well.
            expect((answer.status, self.servers.closed), (502, 2), f"the status, the ends: {answer.body}")
            self.servers.closed = 1
            expect(wire.send(self.get("tls")).answer().status, 200, "the status")
            answer = wire.send(self.get("tls", "/ends")).answer()
            expect((answer.status, self.servers.closed), (200, 2), f"the status, the ends: {answer.body}")
            self.servers.closed = 0
            answer = wire.send(self.get("tls", "/ends", "Content-Length: 0").replace(b"GET", b"POST")).answer()
            expect((answer.status, self.servers.closed), (502, 1), f"the status, the ends: {answer.body}")
            require(b"It is not known whether the request was carried out." in answer.body, str(answer.body))
            self.servers.closed = 2

    def keeps(self):
        with self.wire() as wire:
            for limit, count in (("timeout=60,%20max=9", 1), ("timeout=1", 4), ("max=9,%20timeout=0", 4)):
                answers = [wire.send(self.get("tls", f"/kept?{limit}")).answer() for _ in range(4)]
                used = {json.loads(answer.body)["connection"] for answer in answers}
                expect(len(used), count, f"connections with {limit}")

    def add(self, name, *lines):
        with open(f"{self.stage.environment['XDG_CONFIG_HOME']}/ritual-agent/config.toml", "a", encoding="utf-8") as file:
            file.write("\n".join([f"\n[projects.{name}]", f'anon_key = "{self.stage.key}"', *lines, ""]))

    def write(self, name, text):
        """A file beside the configuration."""
        path = pathlib.Path(self.stage.environment["XDG_CONFIG_HOME"]) / "ritual-agent" / name
        path.write_text(text)
        path.chmod(0o600)
        return path

    def password(self):
        """With and without a password, and with a wrong one, for all that goes through the proxy."""
        stage, folder = self.stage, self.stage.folder
        path = self.write("proxy", PASSWORD + "\n")
        self.add("locked", f'url = "https://{AUTH}"', f'api_url = "https://{NAME}"', f'ca_file = "{folder}/tls/ca.pem"',
                 f'proxy = "http://127.0.0.1:{self.servers.locked_proxy}"', 'proxy_password_file = "proxy"')
        stage.ctl("reload")
        stage.sign_in("anna@example.org", "--account", "locked", "--project", "locked")
        with self.wire() as wire:
            expect(wire.send(self.get("locked")).answer().status, 200, "the status")
        path.chmod(0o640)
        words = stage.ctl("reload", check=False).stderr
        require("proxy: can be read by other users" in words, words)
        for text, cause in (("user:wrong\n", "proxy refuses the user name or the password"),
                            (None, "proxy requires a user name and a password")):
            self.write("proxy", text or "")
            if text is None:
                configuration = path.with_name("config.toml")
                configuration.write_text(configuration.read_text().replace('\nproxy_password_file = "proxy"', ""))
            stage.ctl("reload")
            stage.settle()
            self.fails("locked", 502, "offline", cause)
            for command in (("refresh", "--account", "locked"), ("doctor",)):
                done = stage.ctl(*command, check=False)
                require(cause in done.stdout + done.stderr, f"{command}: {done}")
                require("proxy_password_file" in done.stdout + done.stderr, f"{command}: {done}")

    def gate(self):
        stage = self.stage
        self.add("gated", f'url = "http://127.0.0.1:{self.servers.gate}"')
        stage.ctl("reload")
        words = ("sign-in", "email", "--email", "anna@example.org", "--password-stdin", "--account", "gated", "--project",
                 "gated")
        done = stage.ctl(*words, input="correct-horse-battery\n", check=False)
        require("gate" in done.stderr and "headers_file" in done.stderr and "key" not in done.stderr, str(done))
        found = stage.ctl("doctor", check=False).stdout
        require("a gate in front of it refuses the request" in found, found)
        self.write("gate", "# of the gate\n" + "".join(f"{name.title()}:  {value}\n" for name, value in GATE))
        self.add("gated-open", f'url = "http://127.0.0.1:{self.servers.gate}"', f'api_url = "https://localhost:{self.servers.api}"',
                 f'ca_file = "{stage.folder}/tls/ca.pem"', 'headers_file = "gate"')
        stage.ctl("reload")
        stage.sign_in("anna@example.org", "--account", "gated", "--project", "gated-open")
        with self.wire() as wire:
            answer = wire.send(self.get("gated", "/rest/v1/whoami", "CF-Access-Client-Secret: of-the-client")).answer()
            expect(answer.status, 200, f"the status: {answer.body}")
            found = json.loads(wire.send(self.get("gated")).answer().body)
            expect({name: found.get(name) for name, _ in GATE}, dict(GATE), "the headers at the API")
        stage.ctl("refresh", "--account", "gated")

    def closes(self, name):
        """In each order of the events."""
        for _ in range(20):
            self.fails(name, 502, "offline")

    def fails(self, name, status, kind, words=""):
        with self.wire() as wire:
            answer = wire.send(self.get(name)).answer()
            expect(answer.status, status, f"the status: {answer.body}")
            expect(json.loads(answer.body)["kind"], kind, f"the kind: {answer.body}")
            require(words in answer.body.decode(), f"{words} in {answer.body}")
        wait(lambda: self.servers.held == 0, "the connections to the silent server are closed")
