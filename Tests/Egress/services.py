"""A front of the sandbox that serves what only real clients need: Storage, resumable uploads, Realtime, GraphQL, and
Edge Functions, one of which is an MCP server. All else is passed on to the sandbox.

    services.py SANDBOX_URL PUBLIC_KEY     prints its port"""

import asyncio
import base64
import collections
import hashlib
import json
import sys
import uuid

import aiohttp
import yarl
from aiohttp import web

import mcp_server

TUS = {"Tus-Resumable": "1.0.0"}
# Headers of one connection (RFC 9110, section 7.6.1).
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade"}
MAXIMUM_BODY = 32 << 20  # bytes: more than any check uploads


class Refusal(Exception):
    """A token that is expired or invalid, in the words of the database's API."""


def storage_error(status, error, message):
    """Every error of Storage has status 400, with the real one in the body."""
    return web.json_response({"statusCode": status, "error": error, "message": message}, status=400)


class Services:
    def __init__(self, sandbox, key):
        self.sandbox, self.key = sandbox, key
        # Bodies and types by user and name; uploads with their length by their identifier.
        self.objects, self.uploads = {}, {}
        # Requests by the path of a function.
        self.hits = collections.Counter()

    def routes(self):
        yield web.post("/storage/v1/upload/resumable", self.guarded(self.begin_upload))
        yield web.route("*", "/storage/v1/upload/resumable/{id}", self.guarded(self.upload))
        yield web.post("/storage/v1/object/list/{bucket}", self.guarded(self.list))
        yield web.get("/storage/v1/object/authenticated/{name:.*}", self.guarded(self.download))
        yield web.get("/storage/v1/object/{name:.*}", self.guarded(self.download))
        yield web.delete("/storage/v1/object/{name:.*}", self.guarded(self.delete))
        yield web.route("*", "/storage/v1/object/{name:.*}", self.guarded(self.store))
        yield web.get("/realtime/v1/websocket", self.realtime)
        yield web.post("/graphql/v1", self.query)
        yield web.route("*", "/functions/v1/{name}", self.function)
        yield web.get("/hits", self.counts)
        yield web.route("*", "/{path:.*}", self.forward)

    async def claims(self, token):
        """The claims of a token that the sandbox accepts."""
        headers = {"apikey": self.key, "Authorization": f"Bearer {token}"}
        async with self.session.get(self.sandbox + "/rest/v1/whoami", headers=headers) as answer:
            found = await answer.json()
        if answer.status != 200:
            raise Refusal(found["message"])
        return found["claims"]

    async def caller(self, token):
        """The user of a token that the sandbox accepts; None for the public key."""
        return (await self.claims(token)).get("sub")

    # GraphQL: the number of the caller's todos, whatever the query

    async def query(self, request):
        headers = {name: request.headers.get(name, "") for name in ("apikey", "Authorization")}
        async with self.session.get(self.sandbox + "/rest/v1/todos", headers=headers) as answer:
            found = await answer.json()
        if answer.status != 200:
            return web.json_response(found, status=answer.status)
        return web.json_response({"data": {"todosCollection": {"totalCount": len(found)}}})

    # Edge Functions. Each checks the token alone, as on a hosted project (verify_jwt), which accepts the public key, too.

    async def counts(self, request):
        return web.json_response(self.hits)

    async def function(self, request):
        self.hits[request.path] += 1
        functions = {
            "echo": self.echo, "sse": self.events, "unauthorized": self.unauthorized, "mcp": self.model_context}
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not token:
            return web.json_response({"msg": "Error: Missing authorization header"}, status=401)
        try:
            claims = await self.claims(token)
        except Refusal:
            return web.json_response({"msg": "Invalid JWT"}, status=401)
        if request.match_info["name"] not in functions:
            words = {"code": "NOT_FOUND", "message": "Requested function was not found"}
            return web.json_response(words, status=404)
        return await functions[request.match_info["name"]](request, claims)

    async def unauthorized(self, request, claims):
        return web.Response(
            text='{"error":"This function answers 401 to everyone"}', content_type="application/json", status=401)

    async def echo(self, request, claims):
        """The method, target, headers in their order, and body that arrived. Keys and tokens are replaced by their
        SHA-256."""
        def shown(name, value):
            if name not in ("authorization", "apikey", "x-api-key", "cookie"):
                return value
            secret = value.removeprefix("Bearer ") if name == "authorization" else value
            return "sha256:" + hashlib.sha256(secret.encode()).hexdigest()

        body = await request.read()
        return web.json_response({
            "method": request.method, "target": request.raw_path,
            "headers": [(name.lower(), shown(name.lower(), value)) for name, value in request.headers.items()],
            "body": body.decode(errors="replace"), "body_length": len(body),
        })

    async def events(self, request, claims):
        """`sse?events=N&interval=SECONDS`: server-sent events; without `events` they never end."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
        await response.prepare(request)
        number = 0
        while number < int(request.query.get("events", sys.maxsize)):
            if number > 0:
                await asyncio.sleep(float(request.query.get("interval", 1)))
            await response.write(f'id: {number}\nevent: tick\ndata: {{"number":{number}}}\n\n'.encode())
            number += 1
        await response.write_eof()
        return response

    async def model_context(self, request, claims):
        """A server of the Model Context Protocol by streamable HTTP, without event streams."""
        # 405 tells a client that the server opens no stream and ends no session.
        if request.method != "POST":
            return web.Response(status=405)
        reply = mcp_server.answer(await request.json(), lambda: claims["email"])
        return web.Response(status=202) if reply is None else web.json_response(reply)

    # Storage

    def guarded(self, handler):
        async def checked(request):
            if (request.headers.get("apikey") or request.query.get("apikey")) != self.key:
                return web.json_response({"message": "Invalid API key"}, status=401)
            try:
                user = await self.caller(request.headers.get("Authorization", "").removeprefix("Bearer "))
            except Refusal as error:
                is_expired = "expired" in str(error)
                words = '"exp" claim timestamp check failed' if is_expired else "signature verification failed"
                return storage_error("403", "Unauthorized", words)
            if user is None:
                return storage_error("403", "Unauthorized", "new row violates row-level security policy")
            return await handler(request, user)

        return checked

    async def download(self, request, user):
        found = self.objects.get((user, request.match_info["name"]))
        if found is None:
            return storage_error("404", "not_found", "Object not found")
        body, kind = found
        headers, status = {"Content-Type": kind, "Accept-Ranges": "bytes"}, 200
        part = request.http_range
        if part.start is not None:
            headers["Content-Range"] = f"bytes {part.start}-{min(part.stop, len(body)) - 1}/{len(body)}"
            body, status = body[part], 206
        return web.Response(body=body, status=status, headers=headers)

    async def store(self, request, user):
        name, kind = request.match_info["name"], request.headers.get("Content-Type", "application/octet-stream")
        if kind.startswith("multipart/"):
            async for part in await request.multipart():
                if part.filename is not None:
                    body, kind = bytes(await part.read()), part.headers.get("Content-Type", "application/octet-stream")
        else:
            body = await request.read()
        replaces = request.method == "PUT" or request.headers.get("x-upsert") == "true"
        if (user, name) in self.objects and not replaces:
            return storage_error("409", "Duplicate", "The resource already exists")
        self.objects[user, name] = body, kind
        return web.json_response({"Key": name, "Id": str(uuid.uuid4())})

    async def delete(self, request, user):
        bucket = request.match_info["name"]
        names = [name for name in (await request.json())["prefixes"] if (user, f"{bucket}/{name}") in self.objects]
        for name in names:
            del self.objects[user, f"{bucket}/{name}"]
        return web.json_response([{"name": name} for name in names])

    async def list(self, request, user):
        start = request.match_info["bucket"] + "/"
        wanted = start + (await request.json()).get("prefix", "")
        own = {name: body for (owner, name), (body, _) in self.objects.items() if owner == user}
        return web.json_response([
            {"name": name.removeprefix(start), "id": str(uuid.uuid4()), "metadata": {"size": len(own[name])}}
            for name in sorted(own) if name.startswith(wanted)
        ])

    # Resumable uploads (tus 1.0.0). The Location is absolute, as on the real server.

    async def begin_upload(self, request, user):
        pairs = (pair.split() for pair in request.headers["Upload-Metadata"].split(","))
        metadata = {name: base64.b64decode(value).decode() for name, value in pairs}
        identifier = str(uuid.uuid4())
        self.uploads[identifier] = {
            "key": (user, f"{metadata['bucketName']}/{metadata['objectName']}"), "body": await request.read(),
            "length": int(request.headers["Upload-Length"]), "kind": metadata.get("contentType", "text/plain"),
        }
        location = f"http://{request.host}/storage/v1/upload/resumable/{identifier}"
        # A server behind a gateway gives the address of its own socket.
        if "at" in request.query:
            location = request.query["at"] + location.removeprefix(f"http://{request.host}")
        return web.Response(status=201, headers=TUS | {"Location": location, "Upload-Offset": "0"})

    async def upload(self, request, user):
        found = self.uploads.get(request.match_info["id"])
        if found is None or found["key"][0] != user:
            return web.Response(status=404, headers=TUS)
        if request.method == "PATCH":
            if request.headers.get("Upload-Offset") != str(len(found["body"])):
                return web.Response(status=409, headers=TUS)
            found["body"] += await request.read()
            if len(found["body"]) == found["length"]:
                self.objects[found["key"]] = found["body"], found["kind"]
        state = {"Upload-Offset": str(len(found["body"])), "Upload-Length": str(found["length"])}
        return web.Response(status=204 if request.method == "PATCH" else 200, headers=TUS | state)

    # Realtime: channels of Phoenix, as arrays (vsn=2.0.0) or objects

    async def realtime(self, request):
        """A channel runs as the user of its token: that of the join, or that of the connection if the join has none or
        one that starts with sb_ (assign_access_token of supabase/realtime)."""
        own = request.headers.get("x-api-key") or request.query.get("apikey") or request.headers.get("apikey")
        try:
            await self.caller(own)
        except Refusal:
            return web.Response(status=403)
        socket = web.WebSocketResponse(max_msg_size=1 << 20, compress=False)
        socket.headers["X-Tokens"] = str(sum(own in value for value in request.headers.values()))
        await socket.prepare(request)
        rooms = {}
        async for message in socket:
            if message.type == aiohttp.WSMsgType.BINARY:
                await socket.send_bytes(message.data)
            elif message.type == aiohttp.WSMsgType.TEXT:
                await self.receive(socket, json.loads(message.data), own, rooms)
        return socket

    async def receive(self, socket, message, own, rooms):
        is_array = isinstance(message, list)
        names = ("join_ref", "ref", "topic", "event", "payload")
        join, reference, topic, event, payload = message if is_array else (message.get(name) for name in names)

        async def send(reference, join, event, payload):
            parts = [join, reference, topic, event, payload]
            await socket.send_str(json.dumps(parts if is_array else dict(zip(names, parts))))

        async def reply(status, response):
            await send(reference, join, "phx_reply", {"status": status, "response": response})

        if event == "heartbeat":
            await reply("ok", {})
        elif event == "phx_join":
            config, token = payload.get("config", {}), payload.get("access_token")
            try:
                user = await self.caller(own if token is None or token.startswith("sb_") else token)
            except Refusal as error:
                return await reply("error", {"reason": str(error)})
            if user is None and config.get("private"):
                return await reply("error", {"reason": "Unauthorized: You do not have permissions to read from this Channel"})
            rooms[topic] = config.get("broadcast", {})
            await reply("ok", {"postgres_changes": []})
        elif event == "phx_leave":
            rooms.pop(topic, None)
            await reply("ok", {})
            await send(None, join, "phx_close", {})
        elif event == "broadcast" and topic in rooms:
            if rooms[topic].get("self"):
                await send(None, None, event, payload)
            if rooms[topic].get("ack"):
                await reply("ok", {})
        elif event == "access_token" and not payload["access_token"].startswith("sb_"):
            try:
                await self.caller(payload["access_token"])
            except Refusal:
                await send(None, join, "phx_close", {})

    # The sandbox

    async def forward(self, request):
        headers = [pair for pair in request.headers.items() if pair[0].lower() not in HOP_BY_HOP | {"content-length"}]
        url = yarl.URL(self.sandbox + request.raw_path, encoded=True)
        async with self.session.request(
            request.method, url, headers=headers, data=await request.read() if request.can_read_body else None,
            allow_redirects=False, skip_auto_headers=("Accept", "Accept-Encoding", "User-Agent", "Content-Type"),
        ) as answer:
            response = web.StreamResponse(status=answer.status, reason=answer.reason)
            for name, value in answer.headers.items():
                if name.lower() not in HOP_BY_HOP:
                    response.headers.add(name, value)
            await response.prepare(request)
            async for piece in answer.content.iter_any():
                await response.write(piece)
            await response.write_eof()
            return response

    async def serve(self):
        timeout = aiohttp.ClientTimeout(total=None)
        self.session = aiohttp.ClientSession(
            auto_decompress=False, timeout=timeout, connector=aiohttp.TCPConnector(limit=0))
        application = web.Application(client_max_size=MAXIMUM_BODY)
        application.add_routes(self.routes())
        runner = web.AppRunner(application, access_log=None, handler_cancellation=True)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
        print(runner.addresses[0][1], flush=True)
        await asyncio.Event().wait()


asyncio.run(Services(*sys.argv[1:]).serve())
