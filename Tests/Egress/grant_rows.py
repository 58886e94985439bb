"""EG-6 and EG-7 by raw requests on the loopback listener."""

import json

from stage import expect, require, wait
from wire import Wire


class Rows:
    def __init__(self, stage, table):
        self.stage, self.table = stage, table

    def run(self):
        self.table.heading("Grants (EG-6, EG-7)")
        url, self.token, _ = self.stage.grant()
        self.port = int(url.rpartition(":")[2])
        other = self.token[:-1] + ("A" if self.token[-1] != "A" else "B")
        bearer = f"Authorization: Bearer {self.token}"
        rows = [
            ("a bearer token", 200, [bearer], {}),
            ("apikey", 200, [f"apikey: {self.token}"], {}),
            ("both", 200, [bearer, f"apikey: {self.token}"], {}),
            ("no placeholder token", 401, [], {}),
            ("a wrong placeholder token", 401, [f"Authorization: Bearer {other}"], {}),
            ("a placeholder token that is too short", 401, [f"Authorization: Bearer {self.token[:-1]}"], {}),
            ("two placeholder tokens", 401, [bearer, f"apikey: {other}"], {}),
            ("the project's key beside a bearer token", 200, [bearer, f"apikey: {self.stage.key}"], {}),
            ("an S3 signature", 400, ["Authorization: AWS4-HMAC-SHA256 x"], {}),
            ("an S3 signature beside the placeholder token", 400, ["Authorization: AWS4-HMAC-SHA256 x", f"apikey: {self.token}"], {}),
            ("another scheme", 401, [f"Authorization: Basic {self.token}"], {}),
            ("the project's key", 401, [f"apikey: {self.stage.key}"], {}),
            ("the placeholder token in a query", 401, [], {"target": f"/rest/v1/whoami?apikey={self.token}"}),
            ("the placeholder token in a path", 401, [bearer], {"target": f"/rest/v1/{self.token}"}),
            ("another Host", 421, [bearer], {"host": "elsewhere.test"}),
            ("a Host without the port", 421, [bearer], {"host": "localhost"}),
            ("a Host with another port", 421, [bearer], {"host": f"localhost:{self.port + 1}"}),
            ("localhost", 200, [bearer], {"host": f"localhost:{self.port}"}),
            ("LOCALHOST", 200, [bearer], {"host": f"LOCALHOST:{self.port}"}),
            ("an Origin", 403, [bearer, "Origin: http://127.0.0.1"], {}),
            ("a null Origin", 403, [bearer, "Origin: null"], {}),
            ("a page of the grant's own origin", 403, [bearer, f"Origin: {url}", "Sec-Fetch-Site: same-origin"], {}),
            ("a browser's extension", 403, [bearer, "Origin: chrome-extension://a"], {}),
            ("Sec-Fetch-Site", 403, [bearer, "Sec-Fetch-Site: cross-site"], {}),
            ("Electron", 200, [bearer, "Sec-Fetch-Site: none"], {}),
            ("the URL as the Origin", 200, [bearer, f"Origin: {url}"], {}),
            ("Tauri", 200, [bearer, "Origin: tauri://localhost"], {}),
            ("a webview", 200, [bearer, "Origin: vscode-webview://a", "Sec-Fetch-Site: cross-site"], {}),
            ("a webview without a placeholder token", 401, ["Origin: vscode-webview://a"], {}),
            ("a preflight", 403, ["Access-Control-Request-Method: GET"], {"method": "OPTIONS"}),
            ("HTTP/1.0", 505, [bearer], {"version": "1.0"}),
            ("the auth server", 403, [bearer], {"target": "/auth/v1/user"}),
            ("a slash behind the URL", 200, [bearer], {"target": "//rest/v1/whoami"}),
            ("two slashes behind the URL", 400, [bearer], {"target": "///rest/v1/whoami"}),
            ("two slashes in the path", 400, [bearer], {"target": "/rest//v1/whoami"}),
            ("the auth server, a slash behind the URL", 403, [bearer], {"target": "//auth/v1/user"}),
            ("a search for a sign-in", 404, [bearer], {"target": "/.well-known/oauth-protected-resource"}),
            ("a search for a sign-in without a placeholder token", 404, [], {"target": "/.well-known/oauth-protected-resource"}),
        ]
        for name, status, fields, options in rows:
            self.table.run(name, lambda row=(status, fields, options): self.row(*row))
            if status != 200 and "method" not in options:
                head = (status, fields, options | {"method": "HEAD"})
                self.table.run(f"HEAD: {name}", lambda row=head: self.row(*row))
        self.table.run_all(
            self, "forms", "two_valid", "realtime_behind_a_slash", "half_closed", "client_that_leaves", "placeholder_does_not_arrive",
            "narrowed", "revoked", "expired", "ended_with_sign_out")

    def send(self, *fields, target="/rest/v1/whoami", method="GET", host=None, version="1.1", port=None):
        port = port or self.port
        lines = [f"{method} {target} HTTP/{version}", f"Host: {host or f'127.0.0.1:{port}'}", *fields]
        if method == "HEAD":
            fields = (*fields, "Connection: close")
        lines[2:] = fields
        with Wire(port) as wire:
            answer = wire.send(("\r\n".join(lines) + "\r\n\r\n").encode()).answer(method)
            require(method != "HEAD" or wire.is_closed(), "an answer to HEAD has a body")
            return answer

    def row(self, status, fields, options):
        answer = self.send(*fields, **options)
        require(answer is not None, "no answer")
        expect(answer.status, status, "the status")
        if status != 200:
            expect(answer.value("content-type"), "application/problem+json", "the type")
            require((answer.value("proxy-status") or "").startswith("ritual-agent"), "no Proxy-Status")
            require(self.token not in str(answer.body), "the placeholder token is in the answer")
        if status == 401 and options.get("method") != "HEAD":
            require("$RITUAL_ACCESS_TOKEN" in str(answer.body), "no word about how to send the placeholder token")

    def forms(self):
        """Each form is served, found in a URL, and worth nothing at the server itself."""
        for words in ([], ["--form", "jwt"], ["--prefix", "sk-test-"], ["--prefix", ""]):
            url, token, _ = self.stage.grant(*words)
            port = int(url.rpartition(":")[2])
            for field in (f"Authorization: Bearer {token}", f"apikey: {token}"):
                expect(self.send(field, port=port).status, 200, f"the status for {words}")
                expect(self.send(field, port=port, target=f"/rest/v1/x?a={token}").status, 401, f"{words} in a URL")
            with Wire(int(self.stage.url.rpartition(":")[2])) as wire:
                head = f"GET /rest/v1/whoami HTTP/1.1\r\nHost: localhost\r\napikey: {self.stage.key}\r\n"
                answer = wire.send(f"{head}Authorization: Bearer {token}\r\n\r\n".encode()).answer()
                expect(answer.status, 401, f"the server's status for {words}")
        for words in (["--prefix", "a b"], ["--prefix", "é"], ["--form", "jwt", "--prefix", "a"], ["--form", "x"]):
            require(self.stage.ctl("grant", *words, check=False).returncode != 0, str(words))

    def two_valid(self):
        """A second placeholder token is refused in any form, because it is unclear whose request it is."""
        _, jwt, _ = self.stage.grant("--form", "jwt")
        for first, second in ((self.token, jwt), (jwt, self.token)):
            expect(self.send(f"Authorization: Bearer {first}", f"apikey: {second}").status, 401, "the status")

    def placeholder_does_not_arrive(self):
        for target in ("/hostile/echo", "/functions/v1/echo"):
            answer = self.send(f"Authorization: Bearer {self.token}", f"apikey: {self.token}", target=target)
            require(answer.status == 200 and b"_ritual_" not in answer.body, str(answer.body))

    def realtime_behind_a_slash(self):
        """The placeholder token in the query is found there, too."""
        fields = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                  "Sec-WebSocket-Version: 13")
        answer = self.send(*fields, target=f"//realtime/v1/websocket?apikey={self.token}&vsn=1.0.0")
        expect(answer.status, 101, f"the status: {answer.body}")

    def half_closed(self):
        port, bearer, _ = self.granted()
        head = f" HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{bearer}\r\n".encode()
        for data in (
            b"GET /hostile/slow-head" + head + b"\r\n",
            b"POST /hostile/echo" + head + b"Content-Length: 500000\r\n\r\n" + bytes(500_000),
        ):
            with Wire(port) as wire:
                expect(wire.send(data).half_close(), [200], "the statuses")

    def client_that_leaves(self):
        """The server sees it, though the end of a client looks like a half close."""
        port, bearer, _ = self.granted()
        before = self.stage.counts.get("silent closed", 0)
        with Wire(port) as wire:
            wire.send(f"GET /hostile/silent HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{bearer}\r\n\r\n".encode())
            wait(lambda: self.stage.counts.get("/hostile/silent", 0) > before, "the request")
        wait(lambda: self.stage.counts.get("silent closed", 0) > before, "the server sees it", within=60)

    def granted(self, *words):
        url, token, identifier = self.stage.grant(*words)
        port = int(url.rpartition(":")[2])
        return port, f"Authorization: Bearer {token}", identifier

    def narrowed(self):
        port, bearer, _ = self.granted("--method", "GET", "--path", "/rest/v1/todos")
        for status, options in (
            (200, {"target": "/rest/v1/todos?select=*"}), (403, {"target": "/rest/v1/todosx"}),
            (403, {"target": "/rest/v1/whoami"}), (403, {"target": "/rest/v1/todos", "method": "DELETE"}),
            (403, {"target": "/rest/v1/%74odos/../whoami"}), (200, {"target": "//rest/v1/todos"}),
            (403, {"target": "//rest/v1/whoami"}), (403, {"target": "///rest/v1/todos"}),
        ):
            answer = self.send(bearer, port=port, **options)
            require(answer.status == status or status == 403 and answer.status == 400, f"{answer.status} for {options}")

    def stream_ends(self, port, bearer, end, within=60):
        """A stream of the grant ends with it, and later requests are refused."""
        with Wire(port) as wire:
            wire.send(f"GET /functions/v1/sse?interval=60 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{bearer}\r\n\r\n".encode())
            expect(wire.head()[0], 200, "the stream")
            end()
            seconds = wire.ends(within)
            require(seconds is not None, f"the stream is open after {within} s")
        # A listener without grants is closed.
        try:
            answer = self.send(bearer, port=port)
            require(answer is None or answer.status == 401, f"{answer and answer.status} afterwards")
        except ConnectionRefusedError:
            pass
        return f"after {seconds:.2f} s"

    def revoked(self):
        port, bearer, identifier = self.granted()
        return self.stream_ends(port, bearer, lambda: self.stage.ctl("grants", "revoke", identifier))

    def expired(self):
        port, bearer, _ = self.granted("--for", "2s")
        return self.stream_ends(port, bearer, lambda: None)

    def ended_with_sign_out(self):
        self.stage.sign_in("bob@example.org", "--account", "third")
        port, bearer, _ = self.granted("--account", "third")
        return self.stream_ends(port, bearer, lambda: self.stage.ctl("sign-out", "--account", "third"))
