"""EG-1, EG-2 and EG-7 by raw requests: what is refused, what is dropped, what goes on."""

import json

from stage import expect, require
from wire import Wire

ECHO = b"/hostile/echo"
# Behind the body of a request whose framing is wrong: must never arrive as a request of its own.
NEXT = b"GET /hostile/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"


def request(line=b"GET /hostile/echo HTTP/1.1", *fields, host=b"localhost", body=b""):
    hosts = [b"Host: " + host] if host is not None else []
    return b"\r\n".join([line, *hosts, *fields]) + b"\r\n\r\n" + body


def post(*fields, body=b""):
    return request(b"POST /hostile/echo HTTP/1.1", *fields, body=body)


def get(target):
    return request(b"GET " + target + b" HTTP/1.1")


# Name, bytes, allowed statuses. None stands for a connection that is closed without an answer.
REFUSED = [
    ("CONNECT", request(b"CONNECT localhost:80 HTTP/1.1"), {405}),
    ("TRACE", request(b"TRACE /hostile/echo HTTP/1.1"), {405}),
    ("authority-form", get(b"localhost:80"), {400}),
    ("OPTIONS *", request(b"OPTIONS * HTTP/1.1"), {400}),
    ("absolute-form, another host", get(b"http://elsewhere/hostile/echo"), {400}),
    ("absolute-form, https", get(b"https://localhost/hostile/echo"), {400}),
    ("absolute-form, ftp", get(b"ftp://localhost/hostile/echo"), {400}),
    ("absolute-form, a user name", get(b"http://a@localhost/hostile/echo"), {400}),
    ("absolute-form, another port", get(b"http://localhost:1/hostile/echo"), {400}),
    ("no Host", request(host=None), {400}),
    ("two Hosts", request(b"GET /hostile/echo HTTP/1.1", b"Host: localhost"), {400}),
    ("two different Hosts", request(b"GET /hostile/echo HTTP/1.1", b"Host: other"), {400}),
    ("the path of a socket as the Host", request(host=b"/run/user/1000/ritual-agent/egress.sock"), {400}),
    ("the encoded path of a socket as the Host", request(host=b"%2Frun%2Fegress.sock"), {400}),
    ("an S3 signature", request(b"GET /hostile/echo HTTP/1.1", b"Authorization: AWS4-HMAC-SHA256 Credential=a/b"), {400}),
    ("a Host with a user name", request(host=b"a@localhost"), {400}),
    ("a Host with a space", request(host=b"local host"), {400}),
    ("a Host with a list", request(host=b"localhost, other"), {400}),
    ("a Host with a wrong port", request(host=b"localhost:8x"), {400}),
    ("an unknown Host", request(host=b"nobody"), {421}),
    ("a Host of the internet", request(host=b"example.org"), {421}),
    ("an address as the Host", request(host=b"127.0.0.1"), {421}),
    ("an unknown Ritual-Account", request(b"GET /hostile/echo HTTP/1.1", b"Ritual-Account: nobody"), {421}),
    ("two Ritual-Accounts", request(b"GET / HTTP/1.1", b"Ritual-Account: a", b"Ritual-Account: b"), {400}),
    ("HTTP/1.0", request(b"GET /hostile/echo HTTP/1.0"), {505}),
    ("HTTP/1.9", request(b"GET /hostile/echo HTTP/1.9"), {400}),
    ("HTTP/2.0", request(b"GET /hostile/echo HTTP/2.0"), {505, 400}),
    ("HTTP/2 by prior knowledge", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {505, 400, 405}),
    ("HTTP/0.9", b"GET /hostile/echo\r\n\r\n", {400, 505}),
    ("TLS", b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + bytes(160), {400}),
    ("a method in small letters", request(b"get /hostile/echo HTTP/1.1"), {400}),
    ("an unknown method", request(b"BR\xc3\x84W / HTTP/1.1"), {400}),
    ("no method", request(b"/hostile/echo HTTP/1.1"), {400}),
    ("a space in the target", request(b"GET /hostile/echo x HTTP/1.1"), {400}),
    ("a fragment", get(b"/hostile/echo#x"), {400}),
    ("a control character in the target", get(b"/hostile/\x01echo"), {400}),
    ("dot segments", get(b"/hostile/../hostile/echo"), {400}),
    ("encoded dot segments", get(b"/hostile/%2e%2E/hostile/echo"), {400}),
    ("an encoded slash", get(b"/hostile/a%2Fb"), {400}),
    ("two slashes", get(b"/hostile//echo"), {400}),
    ("a broken escape", get(b"/hostile/echo%2"), {400}),
    ("a backslash", get(b"/hostile\\..\\echo"), {400}),
    ("the auth server", get(b"/auth/v1/user"), {403}),
    ("the auth server, escaped", get(b"/%61uth/v1/user"), {403}),
    ("the auth server, two slashes", get(b"//auth/v1/user"), {403, 400}),
    ("the auth server below another path", get(b"/rest/v1/..;/auth/v1/user"), {403, 400}),
    ("a head of 40 KiB", request(b"GET / HTTP/1.1", *[b"X-%d: %s" % (n, b"x" * 1000) for n in range(40)]), {431, 400}),
    ("one header of 40 KiB", request(b"GET / HTTP/1.1", b"X-A: " + b"x" * 40000), {431, 400}),
    ("a target of 40 KiB", get(b"/" + b"x" * 40000), {431, 400, 414}),
    ("2,000 headers", request(b"GET / HTTP/1.1", *[b"X-%d: %s" % (n, b"x" * 9) for n in range(2000)]), {431, 400}),
    ("an unknown expectation", post(b"Expect: 200-ok", b"Content-Length: 0"), {417}),
    ("/.well-known/oauth-authorization-server", get(b"/.well-known/oauth-authorization-server"), {404}),
    ("/.well-known/oauth-protected-resource below a path", get(b"/.well-known/oauth-protected-resource/mcp"), {404}),
    ("a path before /.well-known/oauth-", get(b"/functions/v1/mcp/.well-known/oauth-protected-resource"), {404}),
    ("/.well-known/openid-configuration", get(b"/.well-known/openid-configuration"), {404}),
]

SMUGGLING = [
    ("length and chunks", post(b"Content-Length: 4", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n" + NEXT)),
    ("chunks and length", post(b"Transfer-Encoding: chunked", b"Content-Length: 6", body=b"0\r\n\r\n" + NEXT)),
    ("two lengths", post(b"Content-Length: 0", b"Content-Length: 60", body=NEXT)),
    ("two equal lengths", post(b"Content-Length: 0", b"Content-Length: 0", body=NEXT)),
    ("a list of lengths", post(b"Content-Length: 0, 60", body=NEXT)),
    ("a negative length", post(b"Content-Length: -1", body=NEXT)),
    ("a length with a plus", post(b"Content-Length: +0", body=NEXT)),
    ("a length with an exponent", post(b"Content-Length: 0e1", body=NEXT)),
    ("a hexadecimal length", post(b"Content-Length: 0x0", body=NEXT)),
    ("a length of 20 digits", post(b"Content-Length: 18446744073709551616", body=NEXT)),
    ("a length above Int.max", post(b"Content-Length: 9223372036854775808", body=NEXT)),
    ("an empty length", post(b"Content-Length:", body=NEXT)),
    ("a length with a space", post(b"Content-Length: 0 0", body=NEXT)),
    ("chunked, identity", post(b"Transfer-Encoding: chunked, identity", body=b"0\r\n\r\n" + NEXT)),
    ("identity", post(b"Transfer-Encoding: identity", body=NEXT)),
    ("gzip, chunked", post(b"Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n" + NEXT)),
    ("chunked twice in a list", post(b"Transfer-Encoding: chunked, chunked", body=b"0\r\n\r\n" + NEXT)),
    ("two codings", post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n" + NEXT)),
    ("chunked and x", post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: x", body=b"0\r\n\r\n" + NEXT)),
    ("xchunked", post(b"Transfer-Encoding: xchunked", body=b"0\r\n\r\n" + NEXT)),
    ("chunked;a=b", post(b"Transfer-Encoding: chunked;a=b", body=b"0\r\n\r\n" + NEXT)),
    ("an empty coding", post(b"Transfer-Encoding:", body=NEXT)),
    ("a space before the colon", post(b"Transfer-Encoding : chunked", body=b"0\r\n\r\n" + NEXT)),
    ("a space before the length's colon", post(b"Content-Length : 60", body=NEXT)),
    ("obs-fold", post(b"X-A: 1", b" Transfer-Encoding: chunked", body=NEXT)),
    ("obs-fold of the first field", b"GET /hostile/echo HTTP/1.1\r\n X: 1\r\nHost: localhost\r\n\r\n" + NEXT),
    ("obs-fold of a coding", post(b"Transfer-Encoding:", b" chunked", body=b"0\r\n\r\n" + NEXT)),
    ("bare LF between fields", b"GET /hostile/echo HTTP/1.1\nHost: localhost\n\n" + NEXT),
    ("a bare LF in a value", post(b"X-A: 1\nTransfer-Encoding: chunked", b"Content-Length: 0", body=NEXT)),
    ("a bare CR in a value", post(b"X-A: 1\rTransfer-Encoding: chunked", b"Content-Length: 0", body=NEXT)),
    ("NUL in a value", post(b"X-A: a\x00b", b"Content-Length: 0", body=NEXT)),
    ("a space in a name", post(b"X A: 1", b"Content-Length: 0", body=NEXT)),
    ("no colon", post(b"XA", b"Content-Length: 0", body=NEXT)),
    ("an empty name", post(b": 1", b"Content-Length: 0", body=NEXT)),
    ("HTTP/1.0 with chunks", request(
        b"POST /hostile/echo HTTP/1.0", b"Transfer-Encoding: chunked", body=b"0\r\n\r\n" + NEXT)),
    # The head of these is right and has gone on; the body is cut off.
    ("a space after the chunk size", post(b"Transfer-Encoding: chunked", body=b"0 \r\n\r\n" + NEXT)),
    ("a space before the chunk size", post(b"Transfer-Encoding: chunked", body=b" 0\r\n\r\n" + NEXT)),
    ("a negative chunk", post(b"Transfer-Encoding: chunked", body=b"-1\r\n" + NEXT)),
    ("a chunk size with a plus", post(b"Transfer-Encoding: chunked", body=b"+0\r\n\r\n" + NEXT)),
    ("a chunk size with 0x", post(b"Transfer-Encoding: chunked", body=b"0x0\r\n\r\n" + NEXT)),
    ("a chunk size with _", post(b"Transfer-Encoding: chunked", body=b"1_0\r\n0123456789abcdef\r\n0\r\n\r\n" + NEXT)),
    ("a chunk size of 17 digits", post(b"Transfer-Encoding: chunked", body=b"10000000000000000\r\n" + NEXT)),
    ("a chunk that is longer than its size", post(b"Transfer-Encoding: chunked", body=b"2\r\nabcd\r\n0\r\n\r\n" + NEXT)),
    ("an empty chunk size", post(b"Transfer-Encoding: chunked", body=b"\r\n0\r\n\r\n" + NEXT)),
    ("bare LF after the chunk size", post(b"Transfer-Encoding: chunked", body=b"2\nab\r\n0\r\n\r\n" + NEXT)),
    ("bare LF after a chunk", post(b"Transfer-Encoding: chunked", body=b"2\r\nab\n0\r\n\r\n" + NEXT)),
    ("a bare LF in a chunk extension", post(b"Transfer-Encoding: chunked", body=b"2;a\nb\r\nab\r\n0\r\n\r\n" + NEXT)),
    ("bare LF after the last chunk", post(b"Transfer-Encoding: chunked", body=b"0\n\n" + NEXT)),
]

# Name, and a header that must not arrive.
DROPPED = [
    b"apikey: secret", b"x-api-key: secret", b"Authorization: Bearer secret", b"Authorization: Basic secret",
    b"Cookie: a=secret", b"Forwarded: for=secret", b"X-Forwarded-For: secret", b"X-Forwarded-Host: secret",
    b"X-Forwarded-Proto: secret", b"X-Forwarded-Prefix: secret", b"X_Forwarded_For: secret", b"X-Real-IP: secret",
    b"X-HTTP-Method-Override: secret", b"X-HTTP-Method: secret", b"X-Method-Override: secret",
    b"X_HTTP_Method_Override: secret", b"Keep-Alive: secret", b"TE: secret", b"Trailer: secret",
    b"Proxy-Authorization: secret", b"Proxy-Connection: secret", b"Ritual-Account: ", b"HTTP2-Settings: secret",
    b"CF-Connecting-IP: secret", b"X-Original-URL: secret", b"X-Rewrite-URL: secret", b"API_KEY: kept",
    b"CF-Access-Client-Id: kept", b"CF-Access-Client-Secret: kept",
]


class Rows:
    def __init__(self, stage, table):
        self.stage, self.table = stage, table

    def run(self):
        table = self.table
        table.heading("Requests that are refused (EG-2, EG-7)")
        before = self.stage.counts.get("/hostile/echo", 0)
        for name, data, statuses in REFUSED:
            table.run(name, lambda data=data, statuses=statuses: self.refused(data, statuses))
        table.run("no refused request has arrived", lambda: self.nothing_refused(before))
        for name, data, statuses in REFUSED:
            if data.startswith(b"GET "):
                data = b"HEAD" + data[3:]
                table.run(f"HEAD: {name}", lambda data=data, statuses=statuses: self.refused_head(data, statuses))
        table.run("100 MiB of headers", self.head_flood)
        table.heading("Request smuggling (EG-2)")
        for name, data in SMUGGLING:
            table.run(name, lambda data=data: self.smuggling(data))
        table.run("no smuggled request has arrived", self.nothing_smuggled)
        table.run("a wrong chunk is answered", self.wrong_chunks)
        table.run("garbage behind a request is not taken for it", self.garbage_behind)
        table.heading("Request headers (EG-2)")
        for field in DROPPED:
            table.run(field.decode().split(":")[0] + " is dropped" if b"kept" not in field else field.decode().split(":")[0] + " goes on",
                      lambda field=field: self.dropped(field))
        table.run_all(self, "hop_by_hop", "keys", "project_keys", "unchanged_headers", "duplicates", "ways_out")
        table.heading("Request targets and framing (EG-1, EG-2)")
        table.run_all(
            self, "every_method", "byte_for_byte", "encoded_slashes", "absolute_form", "hosts", "accounts", "pipelined",
            "pipelined_bodies", "expect_continue", "expect_refused", "chunk_extensions", "request_trailers",
            "leading_line_break", "half_closed", "well_known_elsewhere", "problem_document")

    def wire(self):
        return Wire(self.stage.egress)

    def refused(self, data, statuses):
        with self.wire() as wire:
            answer = wire.send(data).answer()
        require(answer is not None, "no answer")
        require(answer.status in statuses, f"{answer.status} instead of {sorted(statuses)}")
        self.is_own(answer)

    def refused_head(self, data, statuses):
        """No body, so that the next answer on the connection begins where it should."""
        with self.wire() as wire:
            answer = wire.send(data).answer("HEAD")
            require(answer is not None, "no answer")
            require(answer.status in statuses, f"{answer.status} instead of {sorted(statuses)}")
            if answer.value("connection") != "close":
                expect(wire.send(get(b"/.well-known/oauth-x")).answer().status, 404, "the next answer")
                wire.socket.close()
                return
            require(wire.is_closed(), f"the connection stays open, or the answer has a body: {wire.rest[:80]}")

    def is_own(self, answer):
        expect(answer.value("content-type"), "application/problem+json", "the type")
        require((answer.value("proxy-status") or "").startswith("ritual-agent"), "no Proxy-Status")
        require(answer.is_complete, "the answer is not complete")
        document = json.loads(answer.body)
        expect(document["status"], answer.status, "the member status")
        require(document["kind"] and document["title"] and document["detail"], "a member is missing")
        return document

    def nothing_refused(self, before):
        expect(self.stage.counts.get("/hostile/echo", 0), before, "requests at the API")

    def head_flood(self):
        before, sent = self.stage.resident, 0
        with self.wire() as wire:
            wire.socket.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            try:
                for sent in range(100):
                    wire.socket.sendall((b"X: " + b"x" * 1000 + b"\r\n") * 1043)
            except (BrokenPipeError, ConnectionResetError):
                pass
            answer = wire.answer()
        require(answer is None or answer.status in (400, 431), f"{answer and answer.status}")
        require(sent < 99, "everything was read")
        require(self.stage.resident - before < 16, f"{before:.0f} MiB, then {self.stage.resident:.0f} MiB")
        return f"refused after {sent} MiB"

    def smuggling(self, data):
        before = self.stage.counts.get("/hostile/smuggled", 0)
        with self.wire() as wire:
            wire.send(data)
            answer = wire.answer()
            # 505: a version that does not end where it should.
            require(answer is None or answer.status in (400, 505), f"{answer and answer.status} instead of 400")
            if answer is not None:
                self.is_own(answer)
            require(wire.is_closed(), "the connection stays open, or has another answer")
        expect(self.stage.counts.get("/hostile/smuggled", 0), before, "smuggled requests")
        return "closed without an answer" if answer is None else None

    def wrong_chunks(self):
        for body in (b"zz\r\n", b"3\nabc\r\n", b"3\r\nabcd\r\n", b"0\r\nX: 1\nY: 2\r\n\r\n"):
            with self.wire() as wire:
                answer = wire.send(post(b"Transfer-Encoding: chunked", body=body)).answer()
                require(answer is not None, f"no answer to {body}")
                expect(answer.status, 400, f"the status for {body}")
                self.is_own(answer)
                require(wire.is_closed(), "the connection stays open")

    def garbage_behind(self):
        with self.wire() as wire:
            wire.send(get(b"/hostile/slow-head") + post(b"Content-Length: 2", body=b"hi") + b"\x00\x01garbage\r\n\r\n")
            expect([wire.answer().status for _ in range(3)], [200, 200, 400], "the statuses")
            require(wire.is_closed(), "the connection stays open")
        # An answer to HEAD has no body, wherever the request begins.
        bad = b"HEAD / HTTP/1.1\r\nHost : a\r\n\r\n"
        for parts in [[get(b"/.well-known/oauth-x") + bad], [get(b"/.well-known/oauth-x") + bad[:3], bad[3:]],
                      [get(b"/hostile/slow-head") + post(b"Content-Length: 2", body=b"hi") + bad]]:
            with self.wire() as wire:
                for part in parts:
                    wire.send(part)
                answers = [wire.answer().status for _ in range(1 if b"oauth" in parts[0] else 2)]
                expect(wire.answer("HEAD").status, 400, f"the status after {answers}")
                require(wire.is_closed(), f"the answer to HEAD has a body: {wire.rest[:80]}")
        # The head of the second request is right, and its body is not.
        with self.wire() as wire:
            wire.send(get(b"/hostile/slow-head") + post(b"Transfer-Encoding: chunked", body=b"1\r\na\r\nzz\r\n"))
            expect([wire.answer().status for _ in range(2)], [200, 400], "the statuses")
            require(wire.is_closed(), "the connection stays open")

    def nothing_smuggled(self):
        expect(self.stage.counts.get("/hostile/smuggled", 0), 0, "smuggled requests")

    def echo(self, *fields, line=b"GET /hostile/echo HTTP/1.1", host=b"localhost", body=b""):
        """What arrived at the API."""
        with self.wire() as wire:
            answer = wire.send(request(line, *fields, host=host, body=body)).answer()
        require(answer is not None and answer.status == 200, f"{answer and (answer.status, answer.body)}")
        return json.loads(answer.body)

    def fields(self, *fields, **options):
        lines = self.echo(*fields, **options)["head"].split("\r\n")[1:]
        return [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]

    def dropped(self, field):
        found = self.fields(field, b"X-Kept: yes")
        text = str(found)
        if b"kept" in field:
            require((field.decode().split(":")[0].lower(), "kept") in found, text)
            return
        require("secret" not in text, text)
        require(("x-kept", "yes") in found, "X-Kept did not arrive")
        expect([name for name, _ in found if name == "authorization"], ["authorization"], "authorization")
        require(not any(name == "ritual-account" for name, _ in found), "Ritual-Account arrived")

    def hop_by_hop(self):
        found = dict(self.fields(b"Connection: keep-alive, X-Hop", b"X-Hop: secret", b"Upgrade: h2c, secret"))
        require("secret" not in str(found) and "upgrade" not in found, str(found))
        # A header that is always sent cannot be removed by naming it as an option.
        found = dict(self.fields(b"Connection: authorization, host, content-length, x-kept", b"X-Kept: gone"))
        require(found.get("authorization", "").startswith("Bearer ey") and "x-kept" not in found, str(found.keys()))

    def keys(self):
        token = self.stage.ctl("token").strip()
        found = self.fields(b"apikey: mine")
        expect([value for name, value in found if name == "authorization"], [f"Bearer {token}"], "authorization")
        require(not any(name in ("apikey", "x-api-key") for name, _ in found), "a key went to the API's origin")
        host = self.stage.api.removeprefix("http://")
        expect([value for name, value in found if name == "host"], [host], "host")

    def project_keys(self):
        import hashlib

        line = b"GET /functions/v1/echo?a=b%2Fc HTTP/1.1"
        with self.wire() as wire:
            answer = wire.send(request(line, b"apikey: mine", b"Authorization: Bearer mine")).answer()
        found = json.loads(answer.body)
        digests = {name: value for name, value in found["headers"] if name in ("apikey", "authorization")}
        for name, secret in (("apikey", self.stage.key), ("authorization", self.stage.ctl("token").strip())):
            expect(digests[name], "sha256:" + hashlib.sha256(secret.encode()).hexdigest(), name)
        expect(sum(name in ("apikey", "authorization") for name, _ in found["headers"]), 2, "keys and tokens")
        expect(found["target"], "/functions/v1/echo?a=b%2Fc", "the target")

    def unchanged_headers(self):
        found = self.fields(
            b"Accept: a/b;q=0.5,  c/d", b"Prefer: return=representation", b"Range: bytes=0-1", b"If-None-Match: \"x\"",
            b"User-Agent: a b", b"X-Client-Info: x", b"Accept-Encoding: br", b"Origin: http://a.test", b"X-Latin: \xe9",
            b"Mcp-Session-Id: 1")
        for pair in [
            ("accept", "a/b;q=0.5,  c/d"), ("prefer", "return=representation"), ("range", "bytes=0-1"),
            ("if-none-match", '"x"'), ("user-agent", "a b"), ("x-client-info", "x"), ("accept-encoding", "br"),
            ("mcp-session-id", "1"),
        ]:
            require(pair in found, f"{pair} is missing: {found}")

    def duplicates(self):
        found = self.fields(b"X-Twice: 1", b"X-Other: a", b"X-Twice: 2")
        expect([value for name, value in found if name == "x-twice"], ["1", "2"], "X-Twice")

    def ways_out(self):
        """A refusal of what some clients send says what works instead."""
        for data, words in (
            (request(host=b"%2Frun%2Fegress.sock"), "http://localhost"),
            (request(b"PUT /storage/v1/s3/b/o HTTP/1.1", b"Authorization: AWS4-HMAC-SHA256 x"), "/storage/v1/object"),
            (get(b"/hostile/a%2Fb"), "api_encoded_slashes"),
        ):
            with self.wire() as wire:
                hint = json.loads(wire.send(data).answer().body).get("hint", "")
            require(words in hint, f"{words} in {hint}")

    def encoded_slashes(self):
        """A project can let them pass to its API; the project's own services, and other accounts, get none."""
        with open(self.stage.folder / "home/.config/ritual-agent/config.toml", "a") as file:
            file.write(f'\n[projects.slashes]\nurl = "{self.stage.url}"\nanon_key = "{self.stage.key}"\n'
                       f'api_url = "{self.stage.api}"\napi_encoded_slashes = true\n')
        self.stage.ctl("reload")
        self.stage.sign_in("anna@example.org", "--account", "slashes", "--project", "slashes")
        target = "/hostile/echo/group%2Frepo"
        expect(self.echo(line=f"GET {target} HTTP/1.1".encode(), host=b"slashes")["target"], target, "the target")
        for host, path in ((b"localhost", b"/hostile/echo/a%2Fb"), (b"slashes", b"/rest/v1/a%2Fb"),
                           (b"slashes", b"/hostile/a%2F..%2Fb")):
            with self.wire() as wire:
                expect(wire.send(request(b"GET " + path + b" HTTP/1.1", host=host)).answer().status, 400, str(path))

    def every_method(self):
        for method in (b"GET", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS", b"PROPFIND"):
            length = [] if method == b"GET" else [b"Content-Length: 2"]
            seen = self.echo(*length, line=method + b" /hostile/echo HTTP/1.1", body=b"" if method == b"GET" else b"hi")
            require(seen["head"].startswith(method.decode()), seen["head"])
        with self.wire() as wire:
            answer = wire.send(request(b"HEAD /hostile/length-of-head HTTP/1.1")).answer("HEAD")
            expect((answer.status, answer.value("content-length")), (200, "5"), "HEAD")
            expect(wire.send(request()).answer().status, 200, "the request after HEAD")

    def byte_for_byte(self):
        for target in (
            "/hostile/echo/a;x=1,2/%C3%A9?q=%2F&q=%20+&r=a/b?c&&d=", "/hostile/echo/", "/hostile/echo?",
            "/hostile/echo?a=%2e%2e/%2e%2e", "/hostile/echo/~!$&'()*+,;=:@", "/hostile/echo?select=*,b(c)&id=eq.1",
            "/hostile/echo/items[1]%7e?t=cs.{x,\"y\"}|^`",
        ):
            expect(self.echo(line=f"GET {target} HTTP/1.1".encode())["target"], target, "the target")

    def absolute_form(self):
        expect(self.echo(line=b"GET http://localhost/hostile/echo?a HTTP/1.1")["target"], "/hostile/echo?a", "the target")
        found = self.echo(line=b"GET HTTP://LOCALHOST:99/hostile/echo HTTP/1.1", host=b"localhost:99")
        expect(found["target"], "/hostile/echo", "the target")

    def hosts(self):
        # An empty one comes from a URL without a host.
        for host in (b"localhost", b"localhost:80", b"LocalHost", b"default", b"default:8000", b""):
            self.echo(host=host)

    def accounts(self):
        def subject(*fields, host=b"localhost"):
            with self.wire() as wire:
                answer = wire.send(request(b"GET /rest/v1/whoami HTTP/1.1", *fields, host=host)).answer()
            return json.loads(answer.body)["claims"]["email"]

        expect(subject(), "anna@example.org", "localhost")
        expect(subject(host=b"second"), "bob@example.org", "the host")
        expect(subject(b"Ritual-Account: second"), "bob@example.org", "Ritual-Account")
        with self.wire() as wire:
            answer = wire.send(request(b"GET / HTTP/1.1", b"Ritual-Account: second", host=b"default")).answer()
            expect(answer.status, 400, "a host and another account")

    def pipelined(self):
        with self.wire() as wire:
            wire.send(b"".join(get(b"/hostile/echo?%d" % number) for number in range(20)))
            for number in range(20):
                expect(json.loads(wire.answer().body)["target"], f"/hostile/echo?{number}", "the target")

    def pipelined_bodies(self):
        with self.wire() as wire:
            chunked = post(b"Transfer-Encoding: chunked", body=b"3\r\nabc\r\n0\r\n\r\n")
            wire.send(post(b"Content-Length: 2", body=b"hi") + chunked + get(b"/hostile/echo"))
            expect([json.loads(wire.answer().body)["body"] for _ in range(3)], ["hi", "abc", ""], "the bodies")

    def expect_continue(self):
        before = self.stage.counts.get("expect", 0)
        with self.wire() as wire:
            wire.send(post(b"Content-Length: 2", b"Expect: 100-continue"))
            expect(wire.head()[0], 100, "the interim answer")
            expect(json.loads(wire.send(b"hi").answer().body)["body"], "hi", "the body")
            # Without a body there is nothing to wait for.
            expect(wire.send(request(b"GET /hostile/echo HTTP/1.1", b"Expect: 100-continue")).answer().status, 200, "GET")
        expect(self.stage.counts.get("expect", 0), before, "Expect at the API")

    def expect_refused(self):
        data = request(b"POST / HTTP/1.1", b"Content-Length: 2", b"Expect: 100-continue", host=b"nobody")
        with self.wire() as wire:
            expect(wire.send(data).answer().status, 421, "the first answer")

    def chunk_extensions(self):
        body = b"2;a=b\r\nhi\r\n0;c\r\n\r\n"
        expect(self.echo(b"Transfer-Encoding: chunked", line=b"POST /hostile/echo HTTP/1.1", body=body)["body"], "hi", "body")

    def request_trailers(self):
        body = b"2\r\nhi\r\n0\r\nAuthorization: Bearer x\r\nX-T: 1\r\n\r\n"
        before = self.stage.counts.get("trailer", 0)
        found = self.echo(b"Transfer-Encoding: chunked", line=b"POST /hostile/echo HTTP/1.1", body=body)
        expect(found["body"], "hi", "the body")
        expect(self.stage.counts.get("trailer", 0), before, "trailers at the API")

    def leading_line_break(self):
        """RFC 9112, section 2.2: ignored."""
        with self.wire() as wire:
            expect(wire.send(b"\r\n" + request()).answer().status, 200, "the status")

    def half_closed(self):
        """A client that has sent everything (nc -N) gets its answers, and then the end of the connection."""
        upload = post(b"Content-Length: 1000000", body=b"x" * 1000000)
        for data, statuses in (
            (request(), [200]), (get(b"/hostile/slow-head"), [200]), (upload, [200]),
            (post(b"Transfer-Encoding: chunked", body=b"2\r\nhi\r\n0\r\n\r\n"), [200]),
            (get(b"/hostile/slow-head") * 3, [200, 200, 200]), (request(host=b"nobody"), [421]),
            # A body, and a head, that end early.
            (post(b"Content-Length: 100", body=b"half"), [400]),
            (post(b"Transfer-Encoding: chunked", body=b"2\r\nhi"), [400]),
            (get(b"/hostile/slow-head") + request()[:20], [200, 400]), (b"", []),
        ):
            with self.wire() as wire:
                expect(wire.send(data).half_close(), statuses, f"the statuses for {data[:60]}")

    def well_known_elsewhere(self):
        """Other well-known paths go on."""
        with self.wire() as wire:
            answer = wire.send(get(b"/.well-known/security.txt")).answer()
        expect((answer.status, answer.value("proxy-status")), (404, None), "the answer")

    def problem_document(self):
        with self.wire() as wire:
            answer = wire.send(request(host=b"nobody")).answer()
            document = self.is_own(answer)
            expect((document["kind"], document["type"]), ("unknownAccount", "about:blank"), "kind and type")
            expect(answer.value("cache-control"), "no-store", "cache-control")
            expect(wire.send(request()).answer().status, 200, "the next request on the connection")
