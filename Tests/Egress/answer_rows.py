"""EG-3, EG-5 and EG-7: answers of the API and of a hostile server."""

import contextlib
import gzip
import json
import time
import urllib.parse
import urllib.request

from stage import expect, require, wait
from wire import Wire

# A behaviour of the hostile server, and what the client gets: a status, a body (None for any), and
# whether the answer is complete.
HOSTILE = [
    ("slow-head", 200, b"ok", True),
    ("interim", 200, b"final", True),
    ("trailers", 200, b"body", True),
    ("old", 200, b"old body", True),
    ("long-body", 200, b"ok", True),
    ("short-body", 200, b"only this", False),
    ("close-in-chunk", 200, None, False),
    ("bad-chunk", 200, None, False),
    ("close-at-once", 502, None, True),
    ("close-in-head", 502, None, True),
    ("garbage", 502, None, True),
    ("two-lengths", 502, None, True),
    ("endless-head", 502, None, True),
    ("long-line", 502, None, True),
    ("nul", 502, None, True),
    ("unasked-upgrade", 502, None, True),
    ("zero-status", 502, None, True),
    ("two-digits", 502, None, True),
    ("gzip-coding", 502, None, True),
    ("gzip-and-chunks", 502, None, True),
    ("huge-length", 502, None, True),
    ("empty-length", 502, None, True),
    ("tiny?count=100000", 200, b"x" * 100_000, True),
]

# Not wrong enough for every parser: either answer is fine, but nothing may be smuggled.
LENIENT = ["bare-lf", "folded", "length-and-chunks", "odd-status", "many-interim"]


class Rows:
    def __init__(self, stage, table):
        self.stage, self.table = stage, table

    def run(self):
        table = self.table
        table.heading("Answers (EG-3)")
        table.run_all(
            self, "dropped_headers", "kept_headers", "location_of_the_api", "location_of_the_project",
            "location_elsewhere", "location_of_an_upload", "links", "redirects_are_not_followed", "compressed_body", "no_content", "not_modified",
            "api_401", "no_content_with_length")
        table.heading("A hostile server (EG-4)")
        for name, status, body, is_complete in HOSTILE:
            table.run(name.replace("-", " "), lambda row=(name, status, body, is_complete): self.hostile(*row))
        for name in LENIENT:
            table.run(name.replace("-", " "), lambda name=name: self.lenient(name))
        table.run_all(
            self, "nothing_poisoned", "endless_body", "silent_server", "refused_upload", "upload_in_one_go",
            "unread_answers", "small_pieces_for_a_client_that_does_not_read", "small_pieces_one_by_one",
            "small_pieces_of_an_upload", "small_pieces_in_a_tunnel", "small_pieces_for_a_client_that_reads",
            "bytes_behind_a_101", "clients_that_leave_a_101", "memory_after_hostile_answers")
        table.heading("Tokens (EG-5)")
        table.run_all(
            self, "expired_at_rest", "expired_at_storage", "expired_at_a_function", "expired_at_graphql",
            "expired_upload_is_repeated", "function_that_refuses", "session_that_has_ended",
            "refused_token_with_a_large_body", "doctor_names_large_tokens")

    def get(self, target, *fields, method="GET", body=b"", timeout=60):
        with Wire(self.stage.egress, timeout) as wire:
            return wire.send(self.request(target, *fields, method=method, body=body)).answer(method)

    @staticmethod
    def request(target, *fields, method="GET", body=b""):
        lines = [f"{method} {target} HTTP/1.1", "Host: localhost", *fields]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + body

    # Headers

    def dropped_headers(self):
        answer = self.get("/hostile/headers")
        names = {name for name, _ in answer.fields}
        found = {
            name for name in names
            if name in ("set-cookie", "set-cookie2", "www-authenticate", "authentication-info", "alt-svc", "x-hop",
                        "keep-alive", "trailer", "upgrade", "te")
            or name.startswith(("proxy-", "access-control-"))
        }
        expect(found, set(), "headers")
        expect(answer.values("connection"), [], "connection")

    def kept_headers(self):
        answer = self.get("/hostile/headers")
        for name, values in {
            "etag": ['"1"'], "content-range": ["0-1/*"], "x-kept": ["yes"], "cache-control": ["no-store"],
            "retry-after": ["3"], "vary": ["Accept"], "x-twice": ["1", "2"], "content-length": ["2"],
            "link": ["<https://a.test/>; rel=next"],
        }.items():
            expect(answer.values(name), values, name)

    def location(self, to, status=302):
        answer = self.get(f"/hostile/redirect?status={status}&to={urllib.parse.quote(to, safe='')}")
        expect((answer.status, answer.body), (status, b"moved"), "the answer")
        expect(answer.value("content-location"), answer.value("location"), "Content-Location")
        return answer.value("location")

    def location_of_the_api(self):
        expect(self.location(self.stage.api + "/a/b?c=d#e"), "http://localhost/a/b?c=d#e", "Location")
        expect(self.location(self.stage.api), "http://localhost", "Location")

    def location_of_the_project(self):
        expect(self.location(self.stage.url + "/storage/v1/x"), "http://localhost/storage/v1/x", "Location")
        with Wire(self.stage.egress) as wire:
            to = urllib.parse.quote(self.stage.url + "/rest/v1/x", safe="")
            wire.send(f"GET /hostile/redirect?to={to} HTTP/1.1\r\nHost: default:81\r\n\r\n".encode())
            expect(wire.answer().value("location"), "http://default:81/rest/v1/x", "Location")
        # The client's request with these would arrive at the other server.
        for to in (self.stage.url + "/x", self.stage.api + "/rest/v1/x", self.stage.url + "/rest/../x"):
            expect(self.location(to), to, "Location")
        expect(self.location("/rest/v1/x"), self.stage.api + "/rest/v1/x", "Location")

    def location_elsewhere(self):
        port = int(self.stage.api.rpartition(":")[2])
        for to in (
            "https://elsewhere.test/x", "/relative", "a", "//elsewhere.test/", f"http://127.0.0.1:{port}0/x",
            f"{self.stage.api}.elsewhere.test/", f"http://a@127.0.0.1:{port}/x", "http://",
        ):
            expect(self.location(to), to, "Location")

    def location_of_an_upload(self):
        """It leads to the agent, whatever socket the server means; an upload at another server does not begin."""
        for at, expected in (
            ("http://127.0.0.1:1", "http://localhost"), ("https://127.0.0.1", "http://localhost"),
            ("http://elsewhere.test", None), ("//elsewhere.test", None), ("", ""),
        ):
            answer = self.get(
                f"/storage/v1/upload/resumable?at={urllib.parse.quote(at, safe='')}", "Tus-Resumable: 1.0.0",
                "Upload-Length: 1", "Upload-Metadata: bucketName Yg==,objectName Yg==", method="POST")
            expect(answer.status, 201, "the status")
            found = answer.value("location")
            if expected is None:
                expect(found, None, f"the Location for {at}")
            else:
                require(found.startswith(expected + "/storage/v1/upload/resumable/"), f"{found} for {at}")

    def links(self):
        """The second page is asked of the agent, too."""
        to = urllib.parse.quote(f'<{self.stage.api}/hostile/echo?page=2>; rel="next"', safe="")
        answer = self.get(f"/hostile/pages?link={to}")
        expect(answer.values("link"), [
            '<http://localhost/hostile/echo?page=2>; rel="next"', "</hostile/echo?page=3>; rel=last"], "Link")

    def redirects_are_not_followed(self):
        for status in (301, 302, 303, 307, 308):
            self.location(self.stage.api + "/hostile/followed", status)
        expect(self.stage.counts.get("/hostile/followed", 0), 0, "followed redirects")

    def compressed_body(self):
        answer = self.get("/hostile/packed", "Accept-Encoding: gzip")
        expect(answer.value("content-encoding"), "gzip", "the encoding")
        expect(answer.body, gzip.compress(b"packed" * 100, mtime=0), "the body")

    def no_content(self):
        answer = self.get("/hostile/empty")
        expect((answer.status, answer.value("content-length"), answer.value("transfer-encoding")), (204, None, None), "204")

    def no_content_with_length(self):
        answer = self.get("/hostile/empty-with-length")
        expect((answer.status, answer.value("content-length"), answer.value("x-kept")), (204, None, "yes"), "204")

    def not_modified(self):
        answer = self.get("/hostile/unmodified", "If-None-Match: \"1\"")
        expect((answer.status, answer.value("etag")), (304, '"1"'), "304")

    def api_401(self):
        answer = self.get("/hostile/refuse")
        expect((answer.status, answer.body, answer.values("www-authenticate")), (401, b'{"error":"no"}', []), "the answer")
        expect(answer.value("proxy-status"), None, "Proxy-Status")

    # Hostile answers

    def hostile(self, name, status, body, is_complete):
        with Wire(self.stage.egress) as wire:
            answer = wire.send(self.request(f"/hostile/{name}")).answer()
            require(answer is not None, "no answer")
            # An answer that is no HTTP counts as an outage, too.
            expect(502 if answer.status == 503 else answer.status, status, "the status")
            if body is not None:
                expect(answer.body, body, "the body")
            expect(answer.is_complete, is_complete, "whether the answer is complete")
            require("smuggled" not in str(answer.fields), str(answer.fields))
            if status == 502:
                require((answer.value("proxy-status") or "").startswith("ritual-agent"), "no Proxy-Status")
            if name == "garbage":
                require(b"not HTTP" in answer.body, f"the cause: {answer.body}")
            if not is_complete:
                require(wire.is_closed(), "the connection stays open")

    def lenient(self, name):
        answer = self.get(f"/hostile/{name}")
        require(answer is not None, "no answer")
        require(not answer.values("set-cookie") and "smuggled" not in str(answer.fields), str(answer.fields))
        return str(answer.status)

    def nothing_poisoned(self):
        """What a server sends after its answer is not the answer to a later request."""
        for _ in range(5):
            self.get("/hostile/long-body")
            for _ in range(3):
                answer = self.get("/hostile/echo")
                require(answer.status in (200, 502) and b"poisoned" not in answer.body, str(answer.body))

    def endless_body(self):
        before = self.stage.counts.get("endless closed", 0)
        with Wire(self.stage.egress) as wire:
            wire.send(self.request("/hostile/endless"))
            wire.head()
            for _ in range(100):
                wire.rest = b""
                wire.more()
            # The client reads no more: the server must be held back.
            time.sleep(1)
            first = self.stage.counts["endless bytes"]
            time.sleep(1)
            expect(self.stage.counts["endless bytes"], first, "bytes while the client does not read")
        start = time.monotonic()
        wait(lambda: self.stage.counts.get("endless closed", 0) > before, "the server sees that the client has gone")
        return f"closed after {time.monotonic() - start:.2f} s"

    # Small pieces

    def beside_others(self, wires, reads=False):
        """Uses the proxy beside `wires` for some seconds: their memory is bounded."""
        before, most, delays, end = self.stage.anonymous, 0, [], time.monotonic() + 5
        for wire, data in wires:
            wire.socket.setblocking(False)
        pending = {wire: data for wire, data in wires}
        with Wire(self.stage.egress, 60) as other:
            while time.monotonic() < end:
                for wire, data in pending.items():
                    with contextlib.suppress(BlockingIOError):
                        pending[wire] = data[wire.socket.send(data):]
                    if reads:
                        with contextlib.suppress(BlockingIOError):
                            wire.socket.recv(1 << 20)
                start = time.monotonic()
                expect(other.send(self.request("/rest/v1/whoami")).answer().status, 200, "another request")
                delays.append((time.monotonic() - start) * 1000)
                most = max(most, self.stage.anonymous - before)
        for wire, _ in wires:
            wire.socket.close()
        require(most < len(wires), f"{most:.0f} MiB for {len(wires)} connections")
        delays.sort()
        return f"{most:.0f} MiB; others took {delays[len(delays) // 2]:.0f} ms, at most {delays[-1]:.0f} ms"

    def small_pieces_for_a_client_that_does_not_read(self):
        return self.beside_others([(Wire(self.stage.egress), self.request("/hostile/tiny")) for _ in range(32)])

    def small_pieces_for_a_client_that_reads(self):
        wires = [(Wire(self.stage.egress), self.request("/hostile/tiny")) for _ in range(4)]
        return self.beside_others(wires, reads=True)

    def small_pieces_one_by_one(self):
        return self.beside_others([(Wire(self.stage.egress), self.request("/hostile/trickle")) for _ in range(32)])

    def small_pieces_of_an_upload(self):
        head = self.request("/hostile/unread", "Transfer-Encoding: chunked", method="POST")
        pieces = b"1\r\nx\r\n" * 1_000_000
        return self.beside_others([(Wire(self.stage.egress), head + pieces) for _ in range(8)])

    def small_pieces_in_a_tunnel(self):
        """The server sends byte by byte after a 101, and the client does not read."""
        head = self.request("/hostile/bytes-in-a-tunnel", *self.UPGRADE)
        return self.beside_others([(Wire(self.stage.egress), head) for _ in range(8)])

    def silent_server(self):
        before = self.stage.counts.get("silent closed", 0)
        with Wire(self.stage.egress) as wire:
            wire.send(self.request("/hostile/silent"))
            wait(lambda: self.stage.counts.get("/hostile/silent", 0) > before, "the request")
        wait(lambda: self.stage.counts.get("silent closed", 0) > before, "the server sees that the client has gone")

    def refused_upload(self):
        with Wire(self.stage.egress) as wire:
            wire.send(b"POST /hostile/close-in-upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n")
            wire.send(b"x" * 10_000_000)
            answer = wire.answer()
        require(answer is not None and answer.status in (413, 502), f"{answer and answer.status}")
        return str(answer.status)

    def upload_in_one_go(self):
        """Some clients look for an answer only when they have sent everything."""
        with Wire(self.stage.egress, timeout=30) as wire:
            wire.socket.sendall(self.request("/auth/v1/user", method="POST", body=b"x" * 20_000_000))
            answer = wire.answer()
        expect(answer and answer.status, 403, "the status")

    def unread_answers(self):
        """A client that sends requests and reads no answers is held back."""
        request, before = self.request("/hostile/echo") * 1000, self.stage.resident
        with Wire(self.stage.egress) as wire:
            wire.socket.setblocking(False)
            sent, rest, last = 0, b"", time.monotonic()
            while time.monotonic() - last < 2 and sent < 20_000_000:
                try:
                    rest = rest or request
                    count = wire.socket.send(rest)
                    sent, rest, last = sent + count, rest[count:], time.monotonic()
                except BlockingIOError:
                    time.sleep(0.05)
            after = self.stage.resident
        require(sent < 10_000_000 and after - before < 16, f"{sent} bytes were taken; {before:.0f} MiB, then {after:.0f} MiB")
        return f"{sent >> 10} KiB were taken"

    UPGRADE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: k", "Sec-WebSocket-Version: 13")

    def bytes_behind_a_101(self):
        for number in range(40):
            with Wire(self.stage.egress) as wire:
                wire.send(self.request("/hostile/early-bytes?close=1", *self.UPGRADE))
                expect(wire.head()[0], 101, "the status")
                while wire.more():
                    pass
                expect(wire.rest, b"FIRST", f"the bytes of connection {number}")

    def clients_that_leave_a_101(self):
        for number in range(60):
            with Wire(self.stage.egress) as wire:
                wire.send(self.request("/hostile/early-bytes" + "?close=1" * (number % 3 == 0), *self.UPGRADE))
                if number % 2:
                    wire.send(b"z" * 100)
                wire.more()
        expect(self.get("/hostile/echo").status, 200, "the status of a later request")

    def memory_after_hostile_answers(self):
        before = self.stage.resident
        for name in ("endless-head", "long-line", "endless-head", "long-line"):
            self.get(f"/hostile/{name}")
        after = self.stage.resident
        require(after - before < 32, f"{before:.0f} MiB, then {after:.0f} MiB")
        return f"{before:.0f} MiB, then {after:.0f} MiB; {self.stage.counts['head bytes'] // 1024} KiB were read"

    # Tokens

    def once_after_expiry(self, send, what):
        """The client gets no refusal after the tokens have expired, and one refresh is made."""
        expect(send().status, 200, f"{what}, before")
        before = self.stage.refreshes
        self.stage.expire()
        answer = send()
        expect((answer.status, self.stage.refreshes - before), (200, 1), f"{what}: the status, the refreshes")

    def expired_at_rest(self):
        self.once_after_expiry(lambda: self.get("/rest/v1/todos"), "PostgREST")

    def expired_at_storage(self):
        body = b"object"
        self.get("/storage/v1/object/b/expiry", "x-upsert: true", method="POST", body=body)
        self.once_after_expiry(lambda: self.get("/storage/v1/object/b/expiry"), "Storage")

    def expired_at_a_function(self):
        self.once_after_expiry(lambda: self.get("/functions/v1/echo"), "the gateway")

    def expired_at_graphql(self):
        self.once_after_expiry(
            lambda: self.get("/graphql/v1", method="POST", body=b'{"query":"{ todosCollection { totalCount } }"}'), "GraphQL")

    def expired_upload_is_repeated(self):
        body = json.dumps({"title": "x" * 100_000}).encode()
        self.stage.expire()
        answer = self.get("/rest/v1/todos", "Prefer: return=representation", method="POST", body=body)
        expect((answer.status, len(json.loads(answer.body))), (201, 1), "the status, the rows")

    def refused_token_with_a_large_body(self):
        self.stage.settle()
        before, hits = self.stage.refreshes, self.stage.counts.get("/hostile/invalid-token-with-body", 0)
        answer = self.get("/hostile/invalid-token-with-body")
        require(answer is not None, "no answer")
        expect((answer.status, len(answer.body), answer.is_complete), (401, 3_000_000, True), "the answer")
        expect(self.stage.refreshes - before, 1, "refreshes")
        expect(self.stage.counts["/hostile/invalid-token-with-body"] - hits, 2, "requests at the API")

    def doctor_names_large_tokens(self):
        """A hook or metadata can make a token larger than the headers that common servers accept."""
        self.stage.sign_in("bob@example.org", "--account", "large")
        for size, words in ((3_500, "4 KiB"), (7_000, "8 KiB"), (0, None)):
            request = urllib.request.Request(
                self.stage.url + "/auth/v1/user", method="PUT", data=json.dumps({"data": {"notes": "x" * size}}).encode(),
                headers={"apikey": self.stage.key, "Content-Type": "application/json",
                         "Authorization": "Bearer " + self.stage.ctl("token", "--account", "second").strip()})
            urllib.request.urlopen(request, timeout=20).close()
            self.stage.ctl("sign-out", "--account", "large")
            self.stage.sign_in("bob@example.org", "--account", "large")
            done = self.stage.ctl("doctor", "--json", check=False)
            found = [check["words"] for check in json.loads(done.stdout)["checks"] if check["name"] == "tokens"]
            require(len(found) == (words is not None) and all("large: " in each and words in each for each in found), str(found))

    def session_that_has_ended(self):
        """The request that finds out gets the reason."""
        self.stage.settle()
        self.stage.control("POST", "revoke", {})
        answer = self.get("/hostile/invalid-token")
        require(answer is not None, "no answer")
        expect((answer.status, json.loads(answer.body).get("kind")), (403, "signInNeeded"), "the answer")
        self.stage.sign_in()
        self.stage.sign_in("bob@example.org", "--account", "second")

    def function_that_refuses(self):
        self.stage.settle()
        before, hits = self.stage.refreshes, self.stage.hits("/functions/v1/unauthorized")
        for _ in range(10):
            answer = self.get("/functions/v1/unauthorized")
            expect((answer.status, answer.body), (401, b'{"error":"This function answers 401 to everyone"}'), "the answer")
        expect(self.stage.refreshes - before, 1, "refreshes for the first token")
        expect(self.stage.hits("/functions/v1/unauthorized") - hits, 11, "requests at the function")
        self.stage.settle()
        self.stage.ctl("refresh")
        now = self.stage.refreshes
        for _ in range(10):
            self.get("/functions/v1/unauthorized")
        later = self.stage.refreshes - now
        require(later <= 1, f"{later} refreshes for the next token")
        return f"10 requests, 1 refresh; after `refresh` 10 requests, {later} more"
