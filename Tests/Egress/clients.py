"""Real clients: curl, httpx, websockets, tuspy, supabase, the MCP SDK, Node's fetch, Go's net/http, and others that fit
into a line."""

import asyncio
import importlib.metadata
import json
import os
import pathlib
import shutil
import socket
import sys
import time

import httpx
import websockets.sync.client

from stage import EMAIL, Skipped, expect, require

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
# 3 MiB: more than is kept for a second attempt.
LARGE = bytes(range(256)) * 12288


# The supabase client of a year ago, in an environment of its own (script/egress-check).
OLD_PYTHON = str(ROOT / ".build-egress-old/bin/python")

# Clients that fit into a line: name, what has to be there, and a command that prints the answer to GET /rest/v1/whoami. It
# has SOCKET, URL and TOKEN; "-" stands for what a client cannot do.
RUBY = "require 'net/http'; require 'socket'; "
LINES = [
    ("wget, grant", "wget", ["wget", "-qO-", "--header=Authorization: Bearer {token}", "{url}/rest/v1/whoami"]),
    ("httpie, grant", f"{sys.prefix}/bin/http", [
        f"{sys.prefix}/bin/http", "--ignore-stdin", "--body", "--auth-type=bearer", "--auth={token}", "{url}/rest/v1/whoami"]),
    ("LWP, grant", "lwp-request", [
        "lwp-request", "-H", "apikey: {token}", "-H", "Authorization: Bearer {token}", "{url}/rest/v1/whoami"]),
    ("ruby, socket", "ruby", ["ruby", "-e", RUBY + """
        io = Net::BufferedIO.new(UNIXSocket.new('{socket}')); path = '/rest/v1/whoami'
        Net::HTTP::Get.new(path, 'Host' => 'localhost').exec(io, '1.1', path)
        answer = Net::HTTPResponse.read_new(io); answer.reading_body(io, true) {{}}; puts answer.body"""]),
    ("ruby, grant", "ruby", [
        "ruby", "-e", RUBY + "puts Net::HTTP.get(URI('{url}/rest/v1/whoami'), {{'Authorization' => 'Bearer {token}'}})"]),
    ("java.net.http, grant", "javac", ["java", str(HERE / "Client.java"), "{url}", "{token}"]),
    ("requests, grant", sys.executable, [
        sys.executable, "-c", "import requests; print(requests.get('{url}/rest/v1/whoami', "
        "headers={{'apikey': '{key}', 'Authorization': 'Bearer {token}'}}).text)"]),
    ("httpx, grant", sys.executable, [
        sys.executable, "-c", "import httpx; print(httpx.get('{url}/rest/v1/whoami', headers={{'apikey': '{token}'}}).text)"]),
    ("urllib3, grant", sys.executable, [
        sys.executable, "-c", "import urllib3; print(urllib3.request('GET', '{url}/rest/v1/whoami', "
        "headers={{'apikey': '{token}'}}).data.decode())"]),
    ("pycurl, socket", sys.executable, [
        sys.executable, "-c", "import pycurl; c = pycurl.Curl(); c.setopt(c.UNIX_SOCKET_PATH, '{socket}'); "
        "c.setopt(c.URL, 'http://localhost/rest/v1/whoami'); c.perform()"]),
    ("pycurl, grant", sys.executable, [
        sys.executable, "-c", "import pycurl; c = pycurl.Curl(); c.setopt(c.URL, '{url}/rest/v1/whoami'); "
        "c.setopt(c.HTTPHEADER, ['apikey: {token}']); c.perform()"]),
    ("curl, grant", "curl", ["curl", "-sS", "--oauth2-bearer", "{token}", "{url}/rest/v1/whoami"]),
]


def version(package):
    return f"{package} {importlib.metadata.version(package)}"


class Clients:
    def __init__(self, stage, table):
        self.stage, self.table = stage, table

    def run(self):
        groups = {
            "curl (EG-1, EG-4)": (
                "curl_get", "curl_post", "curl_put", "curl_chunked", "curl_expect", "curl_head", "curl_options",
                "curl_range", "curl_events", "curl_compressed", "curl_resumable", "curl_keeps_its_connection"),
            "Python over egress.sock": (
                "httpx_rest", "httpx_events", "httpx_upload", "httpx_cancels", "websockets_text", "websockets_binary",
                "websockets_private", "websockets_refused"),
            "Other clients over egress.sock": ("node_http", "go_http", "aiohttp_socket", "websocket_client_socket"),
            "Clients with a grant (EG-6)": (
                "aiohttp_grant", "websocket_client_grant", "supabase_rest", "supabase_storage", "supabase_functions", "supabase_realtime", "tuspy", "tuspy_at_another_port", "node_fetch",
                "websockets_grant", "exec_egress"),
            "Forms of the placeholder token (RC-5)": (
                "supabase_js_rule", "supabase_public_key", "supabase_old", "supabase_old_and_the_usual_form", "pyjwt"),
            "Examples (AD-3)": (
                "example_httpx", "example_requests", "example_node", "example_go", "example_mcp_program",
                "example_mcp_function"),
        }
        for words, names in groups.items():
            self.table.heading(words)
            self.table.run_all(self, *names)
        self.table.heading("Clients in a line (EG-1, EG-6)")
        for name, needed, command in LINES:
            self.table.run(name, lambda needed=needed, command=command: self.line(needed, command))

    @staticmethod
    def needs(program):
        if not shutil.which(program):
            raise Skipped(f"{program} is not on this machine")

    def line(self, needed, command):
        self.needs(needed)
        url, token, _ = self.stage.grant()
        values = {"socket": self.stage.egress, "url": url, "token": token, "key": self.stage.key}
        text = self.stage.run(*(word.format(**values) for word in command))
        expect(json.loads(text)["claims"]["email"], EMAIL, "the user")

    # curl

    def curl(self, *words, input=None, binary=False):
        command = ["curl", "--silent", "--show-error", "--max-time", "30", "--unix-socket", self.stage.egress, *words]
        if not binary:
            return self.stage.run(*command, input=input)
        import subprocess

        return subprocess.run(command, input=input, capture_output=True, check=True, env=self.stage.environment).stdout

    def echoed(self, *words, **options):
        return json.loads(self.curl(*words, "http://localhost/functions/v1/echo", **options))

    def curl_get(self):
        expect(json.loads(self.curl("http://default/rest/v1/whoami"))["claims"]["email"], EMAIL, "the user")
        return self.stage.run("curl", "--version").split("\n")[0].split(" (")[0]

    def curl_post(self):
        rows = json.loads(self.curl(
            "-H", "Prefer: return=representation", "--json", '{"title":"curl"}', "http://localhost/rest/v1/todos"))
        expect(rows[0]["title"], "curl", "the title")
        changed = json.loads(self.curl(
            "-X", "PATCH", "-H", "Prefer: return=representation", "--json", '{"is_done":true}',
            f"http://localhost/rest/v1/todos?id=eq.{rows[0]['id']}"))
        expect(changed[0]["is_done"], True, "is_done")
        self.curl("-X", "DELETE", f"http://localhost/rest/v1/todos?id=eq.{rows[0]['id']}")

    def curl_put(self):
        (self.stage.folder / "large").write_bytes(LARGE)
        self.curl("-T", str(self.stage.folder / "large"), "http://localhost/storage/v1/object/b/large")
        expect(self.curl("http://localhost/storage/v1/object/b/large", binary=True), LARGE, "the object")

    def curl_chunked(self):
        found = self.echoed("-T", "-", "-H", "Transfer-Encoding: chunked", input="chunked body")
        expect((found["method"], found["body"]), ("PUT", "chunked body"), "the request")

    def curl_expect(self):
        words = self.stage.run(
            "curl", "-sSv", "--unix-socket", self.stage.egress, "-H", "Expect: 100-continue", "--data-binary",
            f"@{self.stage.folder / 'large'}", "-o", "/dev/null", "http://localhost/hostile/drain", "--stderr", "-")
        require("HTTP/1.1 100 Continue" in words and "HTTP/1.1 200 OK" in words, words[-500:])

    def curl_head(self):
        head = self.curl("--head", "http://localhost/storage/v1/object/b/large").lower()
        require(f"content-length: {len(LARGE)}" in head, head)

    def curl_options(self):
        found = self.echoed("-X", "OPTIONS")
        expect(found["method"], "OPTIONS", "the method")

    def curl_range(self):
        body = self.curl("-r", "256-511", "http://localhost/storage/v1/object/b/large", binary=True)
        expect(body, bytes(range(256)), "the range")

    def curl_events(self):
        start = time.monotonic()
        text = self.curl("-N", "http://localhost/functions/v1/sse?events=3&interval=0.1")
        expect(text.count("event: tick"), 3, "events")
        return f"{time.monotonic() - start:.1f} s for 3 events"

    def curl_compressed(self):
        expect(self.curl("--compressed", "http://localhost/hostile/packed"), "packed" * 100, "the body")

    def curl_resumable(self):
        """An upload in two parts, as tus does it, with the Location that the server gave."""
        encoded = "bucketName Yg==,objectName cmVzdW1lZA=="
        head = self.curl(
            "-i", "-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "Upload-Length: 10", "-H",
            f"Upload-Metadata: {encoded}", "http://localhost/storage/v1/upload/resumable")
        location = next(line.split(": ", 1)[1] for line in head.splitlines() if line.lower().startswith("location"))
        require(location.startswith("http://localhost/storage/v1/upload/resumable/"), location)
        for offset, part in ((0, "01234"), (5, "56789")):
            state = self.curl("--head", "-H", "Tus-Resumable: 1.0.0", location).lower()
            require(f"upload-offset: {offset}\n" in state, state)
            self.curl(
                "-f", "-X", "PATCH", "-H", f"Upload-Offset: {offset}", "-H", "Content-Type: application/offset+octet-stream",
                "--data-binary", part, location)
        expect(self.curl("http://localhost/storage/v1/object/b/resumed"), "0123456789", "the object")

    def curl_keeps_its_connection(self):
        words = self.stage.run(
            "curl", "-sSv", "--unix-socket", self.stage.egress, "http://localhost/hostile/echo",
            "http://localhost/functions/v1/echo", "--stderr", "-")
        require("Re-using existing connection" in words, words[-1500:])

    # Python over the socket

    async def aiohttp(self, url, connector=None, **headers):
        import aiohttp

        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
            async with session.get(url + "/rest/v1/whoami") as answer:
                expect((await answer.json(content_type=None))["claims"]["email"], EMAIL, "the user")
            async with session.post(url + "/hostile/drain", data=LARGE) as answer:
                expect(await answer.text(), str(len(LARGE)), "the body")
            async with session.ws_connect(url + "/realtime/v1/websocket?vsn=2.0.0") as connection:
                await connection.send_json([None, "1", "phoenix", "heartbeat", {}])
                expect((await connection.receive_json())[4]["status"], "ok", "heartbeat")
        return version("aiohttp")

    def aiohttp_socket(self):
        import aiohttp

        async def run():
            return await self.aiohttp("http://localhost", aiohttp.UnixConnector(self.stage.egress))

        return asyncio.run(run())

    def aiohttp_grant(self):
        url, token, _ = self.stage.grant()
        return asyncio.run(self.aiohttp(url, Authorization=f"Bearer {token}"))

    def httpx(self, **options):
        return httpx.Client(
            transport=httpx.HTTPTransport(uds=self.stage.egress), base_url="http://localhost", timeout=30, **options)

    def httpx_rest(self):
        with self.httpx() as client:
            answer = client.post("/rest/v1/todos", json=[{"title": "a"}, {"title": "b"}], headers={
                "Prefer": "return=representation"})
            expect(answer.status_code, 201, "POST")
            counted = client.get("/rest/v1/todos", params={"title": "eq.a"}, headers={"Prefer": "count=exact"})
            require(counted.headers["content-range"].endswith("/1"), counted.headers["content-range"])
            expect(client.delete("/rest/v1/todos").status_code, 204, "DELETE")
        return version("httpx")

    def httpx_events(self):
        """Each event arrives when it is sent."""
        times = []
        with self.httpx() as client:
            with client.stream("GET", "/functions/v1/sse", params={"events": 3, "interval": 0.5}) as answer:
                expect(answer.headers["content-type"], "text/event-stream", "the type")
                times = [time.monotonic() for line in answer.iter_lines() if line.startswith("data:")]
        gaps = [later - earlier for earlier, later in zip(times, times[1:])]
        require(all(0.3 < gap < 2 for gap in gaps) and len(gaps) == 2, f"gaps: {gaps}")

    def httpx_upload(self):
        def pieces():
            for _ in range(64):
                yield LARGE[:65536]

        with self.httpx() as client:
            expect(client.post("/hostile/drain", content=pieces()).text, str(64 * 65536), "chunked")
            expect(client.post("/hostile/drain", content=LARGE).text, str(len(LARGE)), "with a length")
            expect(client.post("/hostile/slow-drain", content=LARGE).text, "done", "a slow server")

    def httpx_cancels(self):
        """A client that goes away during an answer ends the request at the server."""
        before = self.stage.counts.get("endless closed", 0)
        with self.httpx() as client:
            with client.stream("GET", "/hostile/endless") as answer:
                next(answer.iter_raw())
        from stage import wait

        wait(lambda: self.stage.counts.get("endless closed", 0) > before, "the server sees it")

    # WebSockets

    def socket(self, target="/realtime/v1/websocket?vsn=2.0.0", **options):
        return websockets.sync.client.unix_connect(self.stage.egress, "ws://localhost" + target, **options)

    @staticmethod
    def ask(socket, *message):
        socket.send(json.dumps(message))
        return json.loads(socket.recv(timeout=10))

    def websockets_text(self):
        with self.socket() as socket:
            config = {"config": {"broadcast": {"self": True, "ack": False}, "private": False}}
            joined = self.ask(socket, "1", "1", "realtime:room", "phx_join", config)
            expect(joined[4]["status"], "ok", "phx_join")
            expect(self.ask(socket, None, "2", "phoenix", "heartbeat", {})[4]["status"], "ok", "heartbeat")
            payload = {"type": "broadcast", "event": "e", "payload": {"text": "é" * 10000}}
            expect(self.ask(socket, "1", "3", "realtime:room", "broadcast", payload)[4], payload, "the broadcast")
        return version("websockets")

    def websockets_binary(self):
        with self.socket(max_size=None) as socket:
            for size in (0, 1, 125, 126, 65535, 65536, 900_000):
                socket.send(LARGE[:size])
                expect(socket.recv(timeout=10), LARGE[:size], f"{size} bytes")
            pong = socket.ping()
            require(pong.wait(10), "no pong")

    def websockets_private(self):
        """The connection is the user's, by the token in x-api-key; one in the join counts for it."""
        for token in ({}, {"access_token": "sb_publishable_of_the_client"}):
            with self.socket("/realtime/v1/websocket?vsn=2.0.0&apikey=anything") as socket:
                payload = {"config": {"private": True}, **token}
                expect(self.ask(socket, "1", "1", "realtime:own", "phx_join", payload)[4]["status"], "ok", str(token))
                expect(socket.response.headers["X-Tokens"], "1", "headers with the token")

        # Without the agent the token counts for nothing, so the answers above are due to the agent.
        address = self.stage.url.replace("http", "ws", 1) + f"/realtime/v1/websocket?vsn=2.0.0&apikey={self.stage.key}"
        with websockets.sync.client.connect(address, proxy=None) as socket:
            answer = self.ask(socket, "1", "1", "realtime:own", "phx_join", {"config": {"private": True}, **token})
            expect(answer[4]["status"], "error", "without the agent")

    def websockets_refused(self):
        try:
            self.socket("/realtime/v1/websocket", additional_headers={"Ritual-Account": "nobody"})
        except websockets.exceptions.InvalidStatus as error:
            expect(error.response.status_code, 421, "an unknown account")
        else:
            raise AssertionError("an unknown account was accepted")
        try:
            self.socket("/hostile/echo")
        except websockets.exceptions.InvalidStatus as error:
            expect(error.response.status_code, 200, "a server without WebSockets")
        else:
            raise AssertionError("a server without WebSockets was accepted")

    def websockets_grant(self):
        url, token, _ = self.stage.grant()
        address = url.replace("http", "ws", 1) + f"/realtime/v1/websocket?vsn=2.0.0&apikey={token}"
        with websockets.sync.client.connect(address, proxy=None) as socket:
            payload = {"config": {"private": True}, "access_token": token}
            expect(self.ask(socket, "1", "1", "realtime:own", "phx_join", payload)[4]["status"], "ok", "a private channel")
            # supabase-js sends its token again while the channel is open.
            socket.send(json.dumps(["1", "2", "realtime:own", "access_token", {"access_token": token}]))
            expect(self.ask(socket, None, "3", "phoenix", "heartbeat", {})[4]["status"], "ok", "heartbeat")

    def heartbeat(self, connection):
        try:
            connection.send(json.dumps([None, "1", "phoenix", "heartbeat", {}]))
            expect(json.loads(connection.recv())[4]["status"], "ok", "heartbeat")
        finally:
            connection.close()
        return f"websocket-client {importlib.metadata.version('websocket-client')}"

    def websocket_client_socket(self):
        import websocket

        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self.stage.egress)
        return self.heartbeat(websocket.create_connection(
            "ws://localhost/realtime/v1/websocket?vsn=2.0.0", socket=connection, timeout=10))

    def websocket_client_grant(self):
        """It names the URL as its Origin."""
        import websocket

        url, token, _ = self.stage.grant()
        address = url.replace("http", "ws", 1) + f"/realtime/v1/websocket?vsn=2.0.0&apikey={token}"
        return self.heartbeat(websocket.create_connection(address, timeout=10))

    # Node and Go

    def node_http(self):
        return self.stage.run("node", str(HERE / "client.mjs"), "socket", EGRESS_SOCKET=self.stage.egress).strip()

    def node_fetch(self):
        url, token, _ = self.stage.grant()
        return self.stage.run("node", str(HERE / "client.mjs"), "fetch", SUPABASE_URL=url, SUPABASE_KEY=token).strip()

    def go(self, source, *words, **environment):
        """Builds a program once, with a cache that outlives the run."""
        self.needs("go")
        cache = ROOT / ".build-go"
        program = cache / pathlib.Path(source).stem
        go = {"GOCACHE": str(cache), "GOPATH": str(cache / "path"), "GOFLAGS": "-mod=mod", "GO111MODULE": "off", "CGO_ENABLED": "0"}
        self.stage.run("go", "build", "-o", str(program), str(source), timeout=300, **go)
        return self.stage.run(str(program), *words, **environment)

    def go_http(self):
        return self.go(HERE / "client.go", EGRESS_SOCKET=self.stage.egress).strip()

    # supabase

    def supabase(self, *words):
        import supabase

        url, token, _ = self.stage.grant(*words)
        return supabase.create_client(url, token)

    def supabase_js_rule(self):
        """supabase-js 2.110.4 and 2.110.5 throw, and later releases warn, for a key of the family sb_ that is neither
        publishable nor secret. A publishable one it sends as apikey alone."""
        _, token, _ = self.stage.grant()
        require(not token.startswith("sb_") or token.startswith(("sb_publishable_", "sb_secret_")), "an unknown kind of key")

    def supabase_public_key(self):
        """The usual shape: the project's key as apikey, and the token as bearer."""
        import supabase

        for words in ((), ("--form", "jwt"), ("--prefix", "sk-")):
            url, token, _ = self.stage.grant(*words)
            options = supabase.ClientOptions(headers={"Authorization": f"Bearer {token}"})
            client = supabase.create_client(url, self.stage.key, options)
            expect(client.table("todos").select("id").limit(1).execute().data is not None, True, "the rows")
            client.storage.from_("pictures").upload("k", b"1", {"upsert": "true"})
            expect(json.loads(client.functions.invoke("echo", {"body": {}}))["method"], "POST", "the function")

    def supabase_old(self):
        """A client that takes nothing but a JWT for a key."""
        url, token, _ = self.stage.grant("--form", "jwt")
        program = "import importlib.metadata, os, supabase\n" \
            "client = supabase.create_client(os.environ['SUPABASE_URL'], os.environ['SUPABASE_KEY'])\n" \
            "rows = client.table('todos').insert({'title': 'old'}).execute().data\n" \
            "client.table('todos').delete().eq('id', rows[0]['id']).execute()\n" \
            "bucket = client.storage.from_('pictures')\n" \
            "bucket.upload('old', b'bytes', {'upsert': 'true'})\n" \
            "assert bucket.download('old') == b'bytes'\n" \
            "client.functions.invoke('echo', {'body': {}})\n" \
            "print('supabase', importlib.metadata.version('supabase'), rows[0]['title'])"
        words = self.stage.run(OLD_PYTHON, "-c", program, SUPABASE_URL=url, SUPABASE_KEY=token).strip()
        require(words.endswith(" old"), words)
        return words

    def supabase_old_and_the_usual_form(self):
        """The reason for the form jwt."""
        url, token, _ = self.stage.grant()
        done = self.stage.run(
            OLD_PYTHON, "-c", f"import supabase; supabase.create_client('{url}', '{token}')", check=False)
        require("Invalid API key" in done.stderr, done.stderr[-300:])

    def pyjwt(self):
        import jwt

        grant = json.loads(self.stage.ctl("grant", "--form", "jwt", "--for", "30m", "--json"))
        found = jwt.decode(grant["token"], options={"verify_signature": False, "require": ["exp", "sub"]}, audience="authenticated")
        own = jwt.decode(self.stage.ctl("token").strip(), options={"verify_signature": False})
        expect({name: found[name] for name in ("sub", "role", "aud")}, {name: own[name] for name in ("sub", "role", "aud")}, "claims")
        expect(set(found), {"sub", "role", "aud", "exp"}, "the names of the claims")
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(found["exp"]))
        expect(end, grant["expiresAt"], "the end")
        require(EMAIL not in str(found), "an address")
        # Its signature is of no key.
        try:
            jwt.decode(grant["token"], "super-secret-jwt-token-with-at-least-32-characters", ["HS256"], audience="authenticated")
        except jwt.InvalidSignatureError:
            return version("PyJWT")
        raise AssertionError("the signature is right")

    def supabase_rest(self):
        client = self.supabase()
        rows = client.table("todos").insert([{"title": "one"}, {"title": "two"}]).execute().data
        expect([row["title"] for row in rows], ["one", "two"], "insert")
        changed = client.table("todos").update({"is_done": True}).eq("id", rows[0]["id"]).execute().data
        expect(changed[0]["is_done"], True, "update")
        found = client.table("todos").select("*", count="exact").eq("title", "two").limit(1).execute()
        expect((found.count, found.data[0]["id"]), (1, rows[1]["id"]), "select")
        expect(len(client.table("todos").delete().eq("is_done", "false").execute().data), 1, "delete")
        self.stage.expire()
        expect(len(client.table("todos").select("id").execute().data), 1, "select after the expiry")
        client.table("todos").delete().eq("is_done", "true").execute()
        return version("supabase")

    def supabase_storage(self):
        bucket = self.supabase().storage.from_("pictures")
        bucket.upload("a/one.bin", LARGE, {"content-type": "image/png", "upsert": "true"})
        expect(bucket.download("a/one.bin"), LARGE, "download")
        expect([each["name"] for each in bucket.list("a")], ["a/one.bin"], "list")
        self.stage.expire()
        expect(bucket.download("a/one.bin"), LARGE, "download after the expiry")
        expect(len(bucket.remove(["a/one.bin"])), 1, "remove")

    def supabase_functions(self):
        found = json.loads(self.supabase().functions.invoke("echo", {"body": {"a": 1}}))
        expect((found["method"], json.loads(found["body"])), ("POST", {"a": 1}), "the request")
        try:
            self.supabase().functions.invoke("unauthorized")
        except Exception as error:
            require("401" in str(error), str(error))
        else:
            raise AssertionError("401 is no error")

    def supabase_realtime(self):
        return asyncio.run(self.realtime())

    async def realtime(self):
        import supabase

        url, token, _ = self.stage.grant()
        client = await supabase.acreate_client(url, token)
        outcome = {}
        for name, private in (("public", False), ("private", True)):
            states, broadcasts = asyncio.Queue(), asyncio.Queue()
            channel = client.channel(
                name, {"config": {"broadcast": {"self": True, "ack": False}, "presence": {"key": ""}, "private": private}})
            channel.on_broadcast("shout", broadcasts.put_nowait)
            await channel.subscribe(lambda state, error=None: states.put_nowait(state))
            state = await asyncio.wait_for(states.get(), 10)
            expect(str(getattr(state, "value", state)), "SUBSCRIBED", f"the {name} channel")
            await channel.send_broadcast("shout", {"text": name})
            message = await asyncio.wait_for(broadcasts.get(), 10)
            expect(message["payload"]["text"], name, "the broadcast")
            outcome[name] = "ok"
        await client.realtime.close()
        return f"{version('realtime')}, public and private channels"

    def tuspy(self):
        import io

        import tusclient.client

        url, token, _ = self.stage.grant()
        client = tusclient.client.TusClient(
            url + "/storage/v1/upload/resumable", headers={"Authorization": f"Bearer {token}", "x-upsert": "true"})
        metadata = {"bucketName": "b", "objectName": "tus", "contentType": "image/png"}
        uploader = client.uploader(file_stream=io.BytesIO(LARGE), chunk_size=1 << 20, metadata=metadata)
        uploader.upload_chunk()
        self.stage.expire()
        # A second client that continues, with the address only.
        rest = client.uploader(file_stream=io.BytesIO(LARGE), chunk_size=1 << 20, url=uploader.url)
        expect(rest.offset, 1 << 20, "the offset")
        rest.upload()
        with self.httpx() as direct:
            expect(direct.get("/storage/v1/object/b/tus").content, LARGE, "the object")
        return version("tuspy")

    def tuspy_at_another_port(self):
        """A server that gives the address of its own socket: the upload, and the token, stay with the agent."""
        import io

        import tusclient.client

        url, token, _ = self.stage.grant()
        client = tusclient.client.TusClient(
            url + "/storage/v1/upload/resumable?at=http%3A%2F%2F127.0.0.1%3A1", headers={"apikey": token, "x-upsert": "true"})
        uploader = client.uploader(
            file_stream=io.BytesIO(LARGE), chunk_size=1 << 20, metadata={"bucketName": "b", "objectName": "port"})
        uploader.upload()
        require(uploader.url.startswith(url + "/storage/v1/upload/"), uploader.url)
        with self.httpx() as direct:
            expect(direct.get("/storage/v1/object/b/port").content, LARGE, "the object")

    def exec_egress(self):
        words = "import os, urllib.request as r\n" \
            "q = r.Request(os.environ['SUPABASE_URL'] + '/rest/v1/whoami', " \
            "headers={'Authorization': 'Bearer ' + os.environ['RITUAL_ACCESS_TOKEN']})\n" \
            "print(r.urlopen(q).read().decode(), os.environ['SUPABASE_KEY'], os.environ['no_proxy'])"
        text = self.stage.ctl("exec", "--egress", "--", "python3", "-c", words)
        require(EMAIL in text and "sb_publishable_ritual_" in text and "eyJ" not in text and "127.0.0.1" in text, text)

    # Examples

    def example(self, name, *words, **environment):
        path = str(ROOT / "examples" / name)
        return self.stage.run(*([sys.executable, "-B"] if name.endswith(".py") else ["node"]), path, *words, **environment)

    def repeated(self, name):
        """The example gets a new token for one that has expired, and repeats a refused request once."""
        url = f"{self.stage.url}/api/v1/profile"
        expect(json.loads(self.example(name, url, "default"))["email"], EMAIL, "the user")
        self.stage.expire()
        before = self.stage.refreshes
        expect(json.loads(self.example(name, url))["email"], EMAIL, "the user after the expiry")
        expect(self.stage.refreshes - before, 1, "refreshes")
        path = "/functions/v1/unauthorized"
        before = self.stage.hits(path)
        require("answers 401" in self.example(name, self.stage.url + path), "no answer")
        require(1 <= self.stage.hits(path) - before <= 2, f"{self.stage.hits(path) - before} requests")

    def example_httpx(self):
        self.repeated("python/ritual_httpx.py")

    def example_requests(self):
        self.repeated("python/ritual_requests.py")
        return version("requests")

    def example_node(self):
        expect(self.example("node/access-token.mjs").strip(), "default: authenticated", "the account")
        before = self.stage.ctl("token").strip()
        program = f"import {{ accessToken, fetchWithToken }} from '{ROOT}/examples/node/access-token.mjs';" \
            f"const response = await fetchWithToken('{self.stage.url}/api/v1/profile', {{}}, process.env.STALE);" \
            "console.log(response.status, (await response.json()).email, (await accessToken()) !== process.env.STALE);"
        self.stage.expire()
        text = self.stage.run("node", "--input-type=module", "-e", program, STALE=before)
        expect(text.strip(), f"200 {EMAIL} true", "the answer")

    def example_go(self):
        text = self.go(ROOT / "examples/go/egress.go", "/rest/v1/whoami", "default")
        expect(json.loads(text)["claims"]["email"], EMAIL, "the user")

    def servers(self):
        return json.loads((ROOT / "examples/mcp/mcp.json").read_text())["mcpServers"]

    def example_mcp_program(self):
        """The configured command, with a server of the check in the place of the one to be named."""
        import mcp
        import mcp.client.stdio

        server = self.servers()["todos"]
        expect(server["args"][:3], ["exec", "--egress", "--"], "the arguments")
        parameters = mcp.StdioServerParameters(
            command=str(self.stage.programs / server["command"]),
            args=[*server["args"][:3], sys.executable, "-B", str(HERE / "mcp_server.py")], env=self.stage.environment)

        async def talk():
            async with mcp.client.stdio.stdio_client(parameters) as (reader, writer):
                return await self.whoami(mcp.ClientSession(reader, writer))

        expect(asyncio.run(asyncio.wait_for(talk(), 60)), EMAIL, "whoami")
        return version("mcp")

    def example_mcp_function(self):
        """The remote server, as a client that runs under `exec --egress` reaches it."""
        import string

        import httpx2
        import mcp
        from mcp.client.streamable_http import streamable_http_client

        url, token, _ = self.stage.grant("--path", "/functions/v1/mcp")
        values = {"SUPABASE_URL": url, "RITUAL_ACCESS_TOKEN": token}
        text = string.Template(json.dumps(self.servers()["functions"])).substitute(values)
        server = json.loads(text)

        async def talk():
            async with httpx2.AsyncClient(headers=server["headers"], trust_env=False) as http:
                async with streamable_http_client(server["url"], http_client=http) as streams:
                    return await self.whoami(mcp.ClientSession(*streams[:2]))

        expect(asyncio.run(asyncio.wait_for(talk(), 60)), EMAIL, "whoami")

    @staticmethod
    async def whoami(session):
        async with session:
            await session.initialize()
            expect([tool.name for tool in (await session.list_tools()).tools], ["whoami"], "the tools")
            return (await session.call_tool("whoami", {})).content[0].text
