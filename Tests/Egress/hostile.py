"""An HTTP server that misbehaves, as the API origin of the egress check.

Writes raw bytes, so that every answer can be wrong. The path selects the behaviour: /hostile/NAME
writes the answer NAME of the tables below, or calls the function NAME. Prints its port. GET /hostile/counts returns the number of requests by
path, and what became of streams.
"""

import asyncio
import collections
import gzip
import json
import sys
import urllib.parse

counts = collections.Counter()
PIECE = bytes(index % 251 for index in range(251 * 1044))  # 256 KiB; all pieces are equal


class Request:
    """The head of a request, as it arrived."""

    def __init__(self, head):
        lines = head.decode("latin-1").split("\r\n")
        self.raw = head
        self.method, self.target, _ = lines[0].split(" ", 2)
        self.fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:])]
        self.path, _, query = self.target.partition("?")
        self.query = dict(urllib.parse.parse_qsl(query))

    def value(self, name):
        return next((value for known, value in self.fields if known == name), None)


async def body_of(request, reader):
    """Yields the body, and checks its framing."""
    if request.value("expect"):
        counts["expect"] += 1
    if request.value("transfer-encoding"):
        while (size := int((await reader.readline()).strip().split(b";")[0], 16)) > 0:
            yield await reader.readexactly(size)
            await reader.readexactly(2)
        while (line := await reader.readline()) not in (b"\r\n", b""):
            counts["trailer"] += 1
            counts[line.decode("latin-1").strip()] += 1
    else:
        rest = int(request.value("content-length") or 0)
        while rest > 0:
            piece = await reader.read(min(rest, 1 << 20))
            if not piece:
                raise ConnectionError("the body ended early")
            rest -= len(piece)
            yield piece


def answer(writer, body=b"", status="200 OK", *fields):
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields]
    writer.write("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body)


# Ordinary behaviour


async def echo(request, reader, writer):
    body = b"".join([piece async for piece in body_of(request, reader)])
    text = {"head": request.raw.decode("latin-1"), "target": request.target, "body": body.decode("latin-1")}
    answer(writer, json.dumps(text).encode(), "200 OK", "Content-Type: application/json", "X-Kept: yes")


async def smuggled(request, reader, writer):
    answer(writer, b"smuggled")


async def drain(request, reader, writer):
    count = 0
    async for piece in body_of(request, reader):
        count += len(piece)
        if count > 1 << 30:
            await asyncio.sleep(0)
    answer(writer, str(count).encode())


async def slow_drain(request, reader, writer):
    """Reads a piece, and then nothing for a second."""
    pieces = body_of(request, reader)
    await anext(pieces)
    await asyncio.sleep(1)
    async for _ in pieces:
        pass
    answer(writer, b"done")


async def large(request, reader, writer):
    rest = int(request.query["count"])
    writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {rest}\r\n\r\n".encode())
    while rest > 0:
        writer.write(PIECE[:rest])
        rest -= len(PIECE)
        await writer.drain()


async def redirect(request, reader, writer):
    status = request.query.get("status", "302")
    to = request.query["to"]
    answer(writer, b"moved", f"{status} Moved", f"Location: {to}", f"Content-Location: {to}")


async def pages(request, reader, writer):
    answer(writer, b"[]", "200 OK", f"Link: {request.query['link']}", "Link: </hostile/echo?page=3>; rel=last")


async def headers(request, reader, writer):
    answer(
        writer, b"ok", "200 OK", "Set-Cookie: a=secret-1", "Set-Cookie2: b=secret-2", "WWW-Authenticate: Basic",
        "Authentication-Info: nextnonce=1", "Proxy-Authenticate: Basic", "Proxy-Authentication-Info: x=1",
        "Proxy-Status: other", "Alt-Svc: h3=\":443\"", "Access-Control-Allow-Origin: *",
        "Access-Control-Expose-Headers: x", "Access-Control-Allow-Credentials: true", "Connection: x-hop, keep-alive",
        "X-Hop: 1", "Keep-Alive: timeout=5", "Trailer: X-T", "Upgrade: h2c", "TE: trailers", "ETag: \"1\"",
        "Content-Range: 0-1/*", "X-Kept: yes", "Cache-Control: no-store", "Retry-After: 3", "Vary: Accept",
        "X-Twice: 1", "X-Twice: 2", "Link: <https://a.test/>; rel=next", "Server: hostile",
    )


async def refuse(request, reader, writer):
    await drain_quietly(request, reader)
    answer(writer, b'{"error":"no"}', "401 Unauthorized", "WWW-Authenticate: Bearer realm=\"x\"")


async def drain_quietly(request, reader):
    async for _ in body_of(request, reader):
        pass


async def packed(request, reader, writer):
    answer(writer, gzip.compress(b"packed" * 100, mtime=0), "200 OK", "Content-Encoding: gzip")


async def length_of_head(request, reader, writer):
    body = b"12345" if request.method != "HEAD" else b""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + body)


async def profile(request, reader, writer):
    answer(writer, b'{"onboarding_complete":true}', "200 OK", "Content-Type: application/json")


async def show_counts(request, reader, writer):
    answer(writer, json.dumps(counts).encode())


# Misbehaviour


def ok(*fields, body=b"", status=b"200 OK"):
    """A response, byte by byte: no length is added."""
    return b"\r\n".join([b"HTTP/1.1 " + status, *fields, b"", body])


# Responses that need no function, by name: bytes, after which the connection stays open …
LENGTH = b"Content-Length: 2"
CHUNKED = b"Transfer-Encoding: chunked"
PACKED = gzip.compress(b"ok")
KEEPING = {
    "empty": ok(b"X-Kept: yes", status=b"204 No Content"),
    # A 204 has no length (RFC 9110, section 8.6).
    "empty_with_length": ok(b"Content-Length: 5", b"X-Kept: yes", status=b"204 No Content"),
    "unmodified": ok(b'ETag: "1"', b"Content-Length: 5", status=b"304 Not Modified"),
    "odd_status": ok(LENGTH, body=b"ok", status=b"999 Odd"),
    "zero_status": ok(LENGTH, body=b"ok", status=b"000 None"),
    "two_digits": ok(LENGTH, body=b"ok", status=b"099 None"),
    "long_body": ok(LENGTH, body=b"ok" + ok(b"Content-Length: 8", body=b"poisoned")),
    "trailers": ok(CHUNKED, b"Trailer: X-T", body=b"4\r\nbody\r\n0\r\nX-T: 1\r\nSet-Cookie: a=trailer\r\n\r\n"),
    "gzip_and_chunks": ok(
        b"Transfer-Encoding: gzip, chunked", body=b"%x\r\n%s\r\n0\r\n\r\n" % (len(PACKED), PACKED)),
    # Above Int.max.
    "huge_length": ok(b"Content-Length: 9223372036854775808", body=b"ok"),
    "empty_length": ok(b"Content-Length: "),
}
# … or is closed.
CLOSING = {
    "close_at_once": b"",
    "close_in_head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "close_in_chunk": ok(CHUNKED, body=b"10\r\nhalf"),
    "short_body": ok(b"Content-Length: 100", body=b"only this"),
    "garbage": b"\x00\x01\x02 this is no HTTP\r\n\r\n",
    "bare_lf": ok(b"X-A: 1\nSet-Cookie: a=smuggled", LENGTH, body=b"ok"),
    "folded": ok(b"X-A: 1", b" Set-Cookie: a=smuggled", LENGTH, body=b"ok"),
    "two_lengths": ok(LENGTH, b"Content-Length: 5", body=b"okxyz"),
    "length_and_chunks": ok(LENGTH, CHUNKED, body=b"5\r\nhello\r\n0\r\n\r\n"),
    # HTTP/1.0: the end of the connection is the end of the body.
    "old": b"HTTP/1.0 200 OK\r\nX-Kept: yes\r\n\r\nold body",
    # A transfer coding that the proxy would have to undo.
    "gzip_coding": ok(b"Transfer-Encoding: gzip", body=PACKED),
    "nul": ok(b"X-A: a\x00b", LENGTH, body=b"ok"),
}


async def slow_head(request, reader, writer):
    for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok":
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.02)


async def silent(request, reader, writer):
    """Never answers; counts that the connection was closed."""
    await reader.read()
    counts["silent closed"] += 1
    raise ConnectionError


async def endless(request, reader, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    try:
        while True:
            writer.write(b"40000\r\n" + PIECE[:0x40000].ljust(0x40000) + b"\r\n")
            counts["endless bytes"] += 0x40000
            await writer.drain()
    finally:
        counts["endless closed"] += 1


async def endless_head(request, reader, writer):
    """100 MiB of headers."""
    writer.write(b"HTTP/1.1 200 OK\r\n")
    try:
        for number in range(100 * 1024):
            writer.write(f"X-{number}: {'x' * 1000}\r\n".encode())
            counts["head bytes"] += 1010
            await writer.drain()
        writer.write(b"Content-Length: 2\r\n\r\nok")
    finally:
        counts["endless head closed"] += 1


async def long_line(request, reader, writer):
    """One header of 100 MiB."""
    writer.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
    for _ in range(400):
        writer.write(b"x" * 262144)
        await writer.drain()
    writer.write(b"\r\nContent-Length: 2\r\n\r\nok")


async def close_in_upload(request, reader, writer):
    """Answers an upload before it is complete, and closes."""
    await reader.read(10)
    answer(writer, b"enough", "413 Payload Too Large", "Connection: close")
    raise ConnectionError


async def interim(request, reader, writer):
    for line in (b"100 Continue", b"102 Processing", b"103 Early Hints\r\nLink: </a.css>"):
        writer.write(b"HTTP/1.1 " + line + b"\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.05)
    answer(writer, b"final")


async def many_interim(request, reader, writer):
    for _ in range(5000):
        writer.write(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")
    await writer.drain()
    answer(writer, b"final")


async def bad_chunk(request, reader, writer):
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\nzz\r\ngarbage\r\n")
    await asyncio.sleep(30)


TINY = b"1\r\nx\r\n" * 10_000


async def tiny(request, reader, writer):
    """Chunks of one byte: without an end, or as many as the query says, and the end of the connection."""
    count = int(request.query.get("count", 0))
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while not count:
        writer.write(TINY)
        await writer.drain()
    writer.write(b"1\r\nx\r\n" * count + b"0\r\n\r\n")
    await writer.drain()
    raise ConnectionError


async def trickle(request, reader, writer):
    """Chunks of one byte, each in a segment of its own."""
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"1\r\nx\r\n")
        await writer.drain()
        await asyncio.sleep(0)


async def bytes_in_a_tunnel(request, reader, writer):
    """Switches protocols, and sends single bytes, each in a segment of its own."""
    writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0)


async def unread(request, reader, writer):
    """Reads no body, until the test is over."""
    await asyncio.sleep(60)


async def unasked_upgrade(request, reader, writer):
    writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
    await asyncio.sleep(30)


async def early_bytes(request, reader, writer):
    """Switches protocols, and sends the first bytes at once; closes then, or when the client does."""
    writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nFIRST")
    await writer.drain()
    if "close" not in request.query:
        await reader.read()
    raise ConnectionError


async def invalid_token(request, reader, writer):
    answer(writer, b"{}", "401 Unauthorized", 'WWW-Authenticate: Bearer error="invalid_token"')


async def invalid_token_with_body(request, reader, writer):
    """More than is examined."""
    answer(writer, bytes(3_000_000), "401 Unauthorized", 'WWW-Authenticate: Bearer error="invalid_token"')


NAMES = {"/hostile/counts": show_counts, "/api/v1/profile": profile}


async def serve(reader, writer):
    try:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                return
            request = Request(head[:-4])
            counts[request.path] += 1
            name = request.path.removeprefix("/hostile/").split("/")[0].replace("-", "_")
            behaviour = NAMES.get(request.path) or globals().get(name)
            if name in KEEPING or name in CLOSING:
                writer.write(KEEPING.get(name) or CLOSING[name])
            elif asyncio.iscoroutinefunction(behaviour):
                await behaviour(request, reader, writer)
            else:
                answer(writer, b"", "404 Not Found")
            if name in CLOSING:
                return
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError, ValueError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 20, backlog=2048)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        sys.exit(0)
