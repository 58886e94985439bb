"""Servers behind TLS and behind a proxy."""

import asyncio
import contextlib
import json
import os
import socket
import ssl

import loopback
from loopback import forward, make_certificates, pump
from stage import expect, require, wait
from wire import Wire

NAME = "api.example.test"  # resolved by the proxy alone
LARGE = 64 << 20


class Servers(loopback.Servers):
    """An API behind TLS, a port that accepts and stays silent, and two proxies that lead to the API."""

    def __init__(self, folder):
        super().__init__(folder)
        self.connections, self.held, self.asked = 0, 0, []
        self.context.set_alpn_protocols(["h2", "http/1.1"])

    async def start(self):
        self.api, self.silent = await self.listen(self.serve, ssl=self.context), await self.listen(self.say_nothing)
        self.closing, self.closing_later = await self.listen(self.close), await self.listen(self.close_later)
        self.http_proxy, self.socks_proxy = await self.listen(self.connect), await self.listen(self.socks)

    async def serve(self, reader, writer):
        self.connections += 1
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            while True:
                lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
                if fields.get("upgrade") == "websocket":
                    writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhello ")
                    return await pump(reader, writer)
                target = lines[0].split(" ")[1]
                seen = {"target": target, "alpn": writer.get_extra_info("ssl_object").selected_alpn_protocol()}
                body = bytes(LARGE) if target == "/large" else json.dumps(fields | seen).encode()
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
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
        make_certificates(folder, ["DNS:localhost", f"DNS:{NAME}", "IP:127.0.0.1"])
        with Servers(folder) as self.servers:
            self.configure(folder / "ca.pem")
            self.table.run("tls: 100 first requests at once", self.first)
            for name in ("tls", "connect", "socks"):
                self.table.run(f"{name}: requests", lambda name=name: self.requests(name))
                self.table.run(f"{name}: a WebSocket", lambda name=name: self.upgrade(name))
                self.table.run(f"{name}: {LARGE >> 20} MiB", lambda name=name: self.large(name))
            self.table.run("an unknown authority", lambda: self.fails("unknown", 502, "offline", "certificate"))
            self.table.run("a proxy that is gone", lambda: self.fails("gone", 502, "offline"))
            for name in ("closing", "closing-later"):
                self.table.run(f"a proxy that closes after its 200: {name}", lambda name=name: self.closes(name))
            self.table.run("a handshake without an answer", lambda: self.fails("silent", 504, "timedOut"))
            self.table.run("a proxy without an answer", lambda: self.fails("mute", 504, "timedOut"))

    def configure(self, authority):
        servers, ports = self.servers, "http://127.0.0.1:%d"
        local, named = f"https://localhost:{servers.api}", f"https://{NAME}"
        with open(f"{self.stage.environment['XDG_CONFIG_HOME']}/ritual-agent/config.toml", "a", encoding="utf-8") as file:
            for name, api, proxy, is_trusted in [
                ("tls", local, None, True), ("connect", named, ports % servers.http_proxy, True),
                ("socks", named, f"socks5://127.0.0.1:{servers.socks_proxy}", True), ("unknown", local, None, False),
                ("gone", named, "http://127.0.0.1:1", True), ("silent", f"https://localhost:{servers.silent}", None, True),
                ("mute", named, ports % servers.silent, True), ("closing", named, ports % servers.closing, True),
                ("closing-later", named, ports % servers.closing_later, True),
            ]:
                file.write(f'\n[projects.{name}]\nurl = "{self.stage.url}"\nanon_key = "{self.stage.key}"\napi_url = "{api}"\n')
                file.write(f'ca_file = "{authority}"\n' if is_trusted else "")
                file.write(f'proxy = "{proxy}"\n' if proxy else "")
        self.stage.ctl("reload")
        for name in ("tls", "connect", "socks", "unknown", "gone", "silent", "mute", "closing", "closing-later"):
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
