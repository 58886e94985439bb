"""EG-4 and EG-5 under load: many streams, an expiry, large bodies, a lock, a stop."""

import json
import os
import signal
import threading
import time

import websockets.sync.client

from stage import expect, require, wait
from wire import Wire

STREAMS = 1000
# One process gets a quarter of the 1,024 connections.
SHARE = 250
PARALLEL = 1000
EVENTS = b"GET /functions/v1/sse?interval=5 HTTP/1.1\r\nHost: localhost\r\n\r\n"
TODOS = b"GET /rest/v1/todos HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Load:
    def __init__(self, stage, table, gibibytes):
        self.stage, self.table, self.gibibytes = stage, table, gibibytes

    def run(self):
        self.table.heading("Under load (EG-4, EG-5)")
        self.idle = self.descriptors()
        size = f"{self.gibibytes} GiB"
        self.table.run(f"{PARALLEL} parallel requests across an expiry", self.parallel_expiry)
        self.table.run(f"{PARALLEL} parallel requests to a function that refuses", self.parallel_refusals)
        self.table.run(f"memory over a download of {size}", self.download)
        self.table.run(f"memory over an upload of {size}", self.upload)
        self.table.run("memory with slow clients and a slow server", self.slow_ends)
        self.table.run(f"{STREAMS} event streams: sign-in, refresh, requests", self.many_streams)
        self.table.run("more connections than the limit", self.too_many)
        self.table.run(f"a lock ends {STREAMS} streams", self.lock)
        self.table.run("a signed-out account", self.signed_out)
        self.table.run("no descriptor is left open", self.no_leak)
        self.table.run("an API that is gone", self.api_gone)
        self.table.run("no token in the agent's log", self.stage.no_secrets)
        self.table.run("a stop with open streams", self.stop)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.stage.agent.pid}/fd"))

    def connect(self, count, timeout=60):
        wires = []
        while len(wires) < count:
            wires += Wire.of_other_process(self.stage.egress, min(SHARE, count - len(wires)), timeout)
        return wires

    @staticmethod
    def close(wires):
        for wire in wires:
            wire.socket.close()

    @staticmethod
    def statuses(wires, data):
        """Sends on all connections at once; how often each status was the answer."""
        for wire in wires:
            wire.send(data)
        found = {}
        for wire in wires:
            answer = wire.answer()
            status = answer.status if answer else None
            found[status] = found.get(status, 0) + 1
        return found

    def parallel_expiry(self):
        wires = self.connect(PARALLEL)
        try:
            expect(self.statuses(wires, TODOS), {200: PARALLEL}, "before the expiry")
            self.stage.expire()
            before, start = self.stage.refreshes, time.monotonic()
            expect(self.statuses(wires, TODOS), {200: PARALLEL}, "across the expiry")
            seconds = time.monotonic() - start
            expect(self.stage.refreshes - before, 1, "refreshes")
        finally:
            self.close(wires)
        return f"1 refresh, no 401, {seconds:.1f} s"

    def parallel_refusals(self):
        wires = self.connect(PARALLEL)
        try:
            self.stage.settle()
            self.stage.ctl("refresh")
            time.sleep(self.stage.REFRESH_SPACING)
            before = self.stage.refreshes
            request = TODOS.replace(b"/rest/v1/todos", b"/functions/v1/unauthorized")
            expect(self.statuses(wires, request), {401: PARALLEL}, "the statuses")
            expect(self.stage.refreshes - before, 1, "refreshes")
            expect(self.statuses(wires, request), {401: PARALLEL}, "the statuses, again")
            expect(self.stage.refreshes - before, 1, "refreshes afterwards")
        finally:
            self.close(wires)

    # Memory

    def measured(self, body):
        """Runs `body`; the agent's memory before it, and the most while it runs."""
        samples, done = [self.stage.resident], threading.Event()

        def sample():
            while not done.wait(0.2):
                samples.append(self.stage.resident)

        thread = threading.Thread(target=sample)
        thread.start()
        start = time.monotonic()
        try:
            body()
        finally:
            done.set()
            thread.join()
        seconds = time.monotonic() - start
        growth = max(samples) - samples[0]
        require(growth < 32, f"{samples[0]:.0f} MiB, then {max(samples):.0f} MiB")
        return f"{samples[0]:.0f} MiB, at most {max(samples):.0f} MiB, {seconds:.0f} s"

    def download(self):
        count = self.gibibytes << 30

        def body():
            with Wire(self.stage.egress, 60) as wire:
                wire.send(f"GET /hostile/large?count={count} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                wire.head()
                got, buffer = len(wire.rest), bytearray(1 << 20)
                while got < count and (size := wire.socket.recv_into(buffer)):
                    got += size
                expect(got, count, "bytes")

        return self.measured(body)

    def upload(self):
        count = self.gibibytes << 30

        def body():
            with Wire(self.stage.egress, 60) as wire:
                wire.send(
                    f"POST /hostile/drain HTTP/1.1\r\nHost: localhost\r\nContent-Length: {count}\r\n\r\n".encode())
                piece = bytes(1 << 20)
                for _ in range(count >> 20):
                    wire.socket.sendall(piece)
                expect(wire.answer().body, str(count).encode(), "bytes at the server")

        return self.measured(body)

    def slow_ends(self):
        """20 clients that do not read, and 20 uploads to a server that does not read."""
        def body():
            readers, writers = self.connect(20), self.connect(20)
            for wire in readers:
                wire.send(b"GET /hostile/endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
            for wire in writers:
                wire.send(b"POST /hostile/silent HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n")
                wire.socket.settimeout(0.3)
                try:
                    for _ in range(64):
                        wire.socket.sendall(bytes(1 << 20))
                except TimeoutError:
                    pass
            time.sleep(1)
            self.close(readers + writers)

        return self.measured(body)

    # Streams

    def open_streams(self, count):
        wires = self.connect(count)
        for wire in wires:
            wire.send(EVENTS)
        for wire in wires:
            expect(wire.head()[0], 200, "the stream")
            while b"event: tick" not in wire.rest:
                require(wire.more(), "the stream ended early")
        return wires

    def many_streams(self):
        wires = self.open_streams(STREAMS)
        try:
            start = time.monotonic()
            self.stage.ctl("refresh")
            refresh = time.monotonic() - start
            start = time.monotonic()
            self.stage.sign_in("bob@example.org", "--account", "fourth")
            sign_in = time.monotonic() - start
            with Wire(self.stage.egress) as wire:
                start = time.monotonic()
                expect(wire.send(TODOS).answer().status, 200, "a request")
                request = time.monotonic() - start
            require(max(refresh, sign_in, request) < 10, "too slow")
            words = f"refresh {refresh:.1f} s, sign-in {sign_in:.1f} s, a request {request * 1000:.0f} ms"
        finally:
            self.close(wires)
        wait(lambda: self.descriptors() < self.idle + 50, "the streams are closed")
        return f"{words}, {self.stage.resident:.0f} MiB"

    def too_many(self):
        wires = self.open_streams(STREAMS) + self.connect(24)
        try:
            for wire in wires[STREAMS:]:
                expect(wire.send(TODOS).answer().status, 200, "a request within the limit")
            with Wire(self.stage.egress) as wire:
                answer = wire.answer()
                expect((answer.status, json.loads(answer.body)["kind"]), (503, "tooMany"), "one more")
                require(int(answer.value("retry-after")) > 0, "Retry-After")
            with Wire(self.stage.egress) as wire:
                expect(wire.send(TODOS.replace(b"GET", b"HEAD")).answer("HEAD").status, 503, "one more, HEAD")
                require(wire.is_closed(), "the answer to HEAD has a body")
        finally:
            self.close(wires)

    def lock(self):
        wait(lambda: self.descriptors() < self.idle + 50, "the former streams are closed")
        wires = self.open_streams(STREAMS - 3)
        wires += self.connect(3)
        wires[-1].send(b"GET /hostile/endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wires[-2].send(b"POST /hostile/silent HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf")
        wires[-3].send(b"GET /hostile/silent HTTP/1.1\r\nHost: localhost\r\n\r\n")
        socket = websockets.sync.client.unix_connect(
            self.stage.egress, "ws://localhost/realtime/v1/websocket?vsn=2.0.0", ping_interval=None)
        url, token, _ = self.stage.grant()
        port = int(url.rpartition(":")[2])
        granted = Wire(port, 60).send(
            EVENTS.replace(b"localhost\r\n", f"127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n".encode()))
        expect(granted.head()[0], 200, "the stream of the grant")
        start = time.monotonic()
        self.stage.ctl("lock")
        try:
            for wire in wires + [granted]:
                require(wire.ends(60) is not None, "a stream is open")
            seconds = time.monotonic() - start
            try:
                socket.recv(timeout=60)
            except websockets.exceptions.ConnectionClosed:
                pass
            with Wire(self.stage.egress) as wire:
                answer = wire.send(TODOS).answer()
                expect((answer.status, json.loads(answer.body)["kind"]), (403, "vaultLocked"), "a request while locked")
                require("unlock" in json.loads(answer.body)["hint"], "the hint names no command")
        finally:
            self.close(wires)
            self.stage.ctl("unlock")
        with Wire(self.stage.egress) as wire:
            expect(wire.send(TODOS).answer().status, 200, "a request after the unlock")
        return f"all {len(wires) + 2} within {seconds:.1f} s"

    def signed_out(self):
        self.stage.ctl("sign-out", "--account", "fourth")
        with Wire(self.stage.egress) as wire:
            answer = wire.send(b"GET / HTTP/1.1\r\nHost: fourth\r\n\r\n").answer()
        document = json.loads(answer.body)
        expect((answer.status, document["kind"], document.get("account")), (403, "signInNeeded", "fourth"), "the answer")
        require("ritualctl sign-in" in document["hint"], document["hint"])

    def no_leak(self):
        wait(lambda: self.descriptors() <= self.idle + 8, "the descriptors are closed", within=20)
        return f"{self.idle} before, {self.descriptors()} now"

    def api_gone(self):
        self.stage.hostile.terminate()
        self.stage.hostile.wait(10)
        with Wire(self.stage.egress) as wire:
            answer = wire.send(b"GET /hostile/echo HTTP/1.1\r\nHost: localhost\r\n\r\n").answer()
        expect((answer.status, json.loads(answer.body)["kind"]), (502, "offline"), "the answer")

    def stop(self):
        wires = self.connect(50)
        for wire in wires:
            wire.send(EVENTS)
            wire.head()
        start = time.monotonic()
        self.stage.agent.send_signal(signal.SIGTERM)
        expect(self.stage.agent.wait(60), 0, "the exit status")
        seconds = time.monotonic() - start
        self.close(wires)
        return f"{seconds:.1f} s"
