"""Servers on loopback with a private certificate authority, for script/egress-check and script/bench."""

import asyncio
import contextlib
import ssl
import subprocess
import threading

PATIENCE = 10  # seconds after which servers that have not started count as broken


def make_certificates(folder, names):
    """Writes ca.pem, server.pem and server.key to `folder` (openssl(1ssl)), for these subject
    alternative names."""
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    (folder / "extensions").write_text(f"subjectAltName={','.join(names)}\n")
    openssl("req", "-x509", *new_key, "-days", "2", "-subj", "/CN=authority of a test",
            "-keyout", folder / "ca.key", "-out", folder / "ca.pem")
    openssl("req", *new_key, "-subj", "/CN=server of a test", "-keyout", folder / "server.key", "-out", folder / "request.pem")
    openssl("x509", "-req", "-days", "2", "-in", folder / "request.pem", "-CA", folder / "ca.pem", "-CAkey", folder / "ca.key",
            "-CAcreateserial", "-extfile", folder / "extensions", "-out", folder / "server.pem")


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


async def pump(reader, writer):
    """Passes on the bytes of one direction, and then closes."""
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def forward(reader, writer, port):
    """Connects the client with a port of 127.0.0.1."""
    other_reader, other_writer = await asyncio.open_connection("127.0.0.1", port)
    await asyncio.gather(pump(reader, other_writer), pump(other_reader, writer))


class Servers:
    """A context that runs an event loop in a separate thread. Subclasses open their ports in `start`."""

    def __init__(self, folder):
        self.folder = folder
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder / "server.pem", folder / "server.key")
        self.ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()), daemon=True)

    def __enter__(self):
        self.thread.start()
        if not self.ready.wait(PATIENCE):
            raise RuntimeError("the servers did not start")
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.stopped.set)
        self.thread.join(PATIENCE)

    async def run(self):
        self.loop, self.stopped = asyncio.get_running_loop(), asyncio.Event()
        await self.start()
        self.ready.set()
        await self.stopped.wait()

    async def listen(self, serve, **options):
        """Serves on a free port of 127.0.0.1, and returns it."""

        async def served(reader, writer):
            # The end of the servers cancels this task, which Python 3.11 would report as a failure.
            with contextlib.suppress(asyncio.CancelledError):
                await serve(reader, writer)

        server = await asyncio.start_server(served, "127.0.0.1", 0, **options)
        return server.sockets[0].getsockname()[1]


class TLSFront(Servers):
    """An https front for a port of 127.0.0.1."""

    def __init__(self, folder, target):
        super().__init__(folder)
        self.target = target

    async def start(self):
        self.port = await self.listen(lambda reader, writer: forward(reader, writer, self.target), ssl=self.context)
