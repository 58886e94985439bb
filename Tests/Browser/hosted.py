"""The sandbox under the host name of a hosted project, so that the pages, the tests and the pictures
show a real kind of name. Nothing leaves this machine: the agent reaches the name through a proxy of
this process, the browser by its own table of names, and both reach the sandbox."""

import asyncio
import contextlib
import ssl
import subprocess
import threading

NAME = "qwkzxjvmpfhrtnbdclsy.supabase.co"


class HostedName:
    """A TLS server for `NAME` in front of the sandbox, and a proxy (CONNECT) to this server only."""

    def __init__(self, folder, sandbox_port):
        self.certificate, self.sandbox_port = folder / "hosted.pem", sandbox_port
        key = folder / "hosted.key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, key)
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.port, self.proxy_port = asyncio.run_coroutine_threadsafe(self._listen(), self.loop).result()

    async def _listen(self):
        tls = await asyncio.start_server(self._to_sandbox, "127.0.0.1", 0, ssl=self.context)
        proxy = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        return tuple(server.sockets[0].getsockname()[1] for server in (tls, proxy))

    async def _to_sandbox(self, reader, writer):
        await splice(reader, writer, self.sandbox_port)

    async def _connect(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        if head.split()[:2] != [b"CONNECT", f"{NAME}:443".encode()]:
            writer.write(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            writer.close()
            return
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await splice(reader, writer, self.port)


async def splice(reader, writer, port):
    """Copies in both directions until either side ends."""
    try:
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        writer.close()
        return
    copies = [asyncio.ensure_future(copy(reader, to_writer)), asyncio.ensure_future(copy(to_reader, writer))]
    await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
    for task in copies:
        task.cancel()
    for end in (writer, to_writer):
        end.close()


async def copy(reader, writer):
    with contextlib.suppress(OSError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
