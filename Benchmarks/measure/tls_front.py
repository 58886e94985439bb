"""An https front for the sandbox, with a private certificate authority: for the agent's first TLS
request."""

import asyncio
import contextlib
import ssl
import subprocess
import threading


def make_certificates(folder):
    """Writes ca.pem, server.pem and server.key for 127.0.0.1 to `folder` (openssl(1ssl));
    returns the paths."""
    paths = {name: folder / name for name in ("ca.pem", "ca.key", "server.pem", "server.key", "request.pem", "extensions")}
    paths["extensions"].write_text("subjectAltName=IP:127.0.0.1\n")
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *new_key, "-days", "2", "-subj", "/CN=benchmark authority",
            "-keyout", paths["ca.key"], "-out", paths["ca.pem"])
    openssl("req", *new_key, "-subj", "/CN=127.0.0.1", "-keyout", paths["server.key"], "-out", paths["request.pem"])
    openssl("x509", "-req", "-days", "2", "-in", paths["request.pem"], "-CA", paths["ca.pem"], "-CAkey", paths["ca.key"],
            "-CAcreateserial", "-extfile", paths["extensions"], "-out", paths["server.pem"])
    return paths


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


async def pump(reader, writer):
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


class TLSFront:
    """Serves https on a free port of 127.0.0.1 and forwards the bytes to `port`, in a separate
    thread."""

    def __init__(self, certificates, port):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificates["server.pem"], certificates["server.key"])
        self.target = port
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.thread.start()
        if not self.ready.wait(10):
            raise RuntimeError("the https front did not come up")
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    def run(self):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0, ssl=self.context))
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        self.loop.run_forever()
        server.close()

    async def serve(self, reader, writer):
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self.target)
        await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))
