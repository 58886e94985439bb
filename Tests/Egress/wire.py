"""HTTP by hand: requests as bytes, answers as they arrive."""

import os
import socket
import time


class Answer:
    def __init__(self, status, fields, body, is_complete):
        self.status, self.fields, self.body, self.is_complete = status, fields, body, is_complete

    def values(self, name):
        return [value for known, value in self.fields if known == name]

    def value(self, name):
        return next(iter(self.values(name)), None)


class Wire:
    """A connection to a Unix socket (a path) or to a loopback port (a number)."""

    def __init__(self, address, timeout=60):
        self.socket = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
        # Blocking: with a timeout, a full backlog of a Unix socket is an error.
        self.socket.connect(address if isinstance(address, str) else ("127.0.0.1", address))
        self.socket.settimeout(timeout)
        self.rest = b""

    @classmethod
    def of_other_process(cls, path, count, timeout):
        """Connections of a process of their own: one message passes at most 253 descriptors (unix(7))."""
        here, there = socket.socketpair()
        child = os.fork()
        if child == 0:
            sockets = [cls(path, timeout).socket for _ in range(count)]
            socket.send_fds(there, [b"."], [connection.fileno() for connection in sockets])
            os._exit(0)
        wires = []
        for descriptor in socket.recv_fds(here, 1, count)[1]:
            wire = cls.__new__(cls)
            wire.socket, wire.rest = socket.socket(fileno=descriptor), b""
            wire.socket.settimeout(timeout)
            wires.append(wire)
        os.waitpid(child, 0)
        here.close()
        there.close()
        return wires

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """A server may answer and close before it has read everything."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return self

    def more(self):
        try:
            piece = self.socket.recv(1 << 20)
        except ConnectionResetError:
            piece = b""
        self.rest += piece
        return piece

    def head(self):
        """The next head; None if the connection ends before it."""
        while b"\r\n\r\n" not in self.rest:
            if not self.more():
                return None
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        fields = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:])]
        return int(lines[0].split(" ")[1]), fields

    def answer(self, method="GET"):
        """The next answer; None if the connection ends without one."""
        found = self.head()
        if found is None:
            return None
        status, fields = found
        values = dict(fields)
        if method == "HEAD" or status in (204, 304) or status < 200:
            return Answer(status, fields, b"", True)
        if values.get("transfer-encoding") == "chunked":
            return Answer(status, fields, *self.chunks())
        length = int(values["content-length"]) if "content-length" in values else None
        while length is None or len(self.rest) < length:
            if not self.more():
                break
        body, self.rest = (self.rest, b"") if length is None else (self.rest[:length], self.rest[length:])
        return Answer(status, fields, body, length is None or len(body) == length)

    def chunks(self):
        body = b""
        while True:
            while b"\r\n" not in self.rest:
                if not self.more():
                    return body, False
            line, _, self.rest = self.rest.partition(b"\r\n")
            size = int(line, 16)
            while len(self.rest) < size + 2:
                if not self.more():
                    return body + self.rest, False
            body, self.rest = body + self.rest[:size], self.rest[size + 2 :]
            if size == 0:
                return body, True

    def half_close(self):
        """Sends no more, and returns the statuses of the answers up to the end of the connection, each of which is
        complete."""
        self.socket.shutdown(socket.SHUT_WR)
        answers = list(iter(self.answer, None))
        if self.rest or not all(answer.is_complete for answer in answers):
            raise AssertionError(f"an answer is cut off: {self.rest[:80]}")
        return [answer.status for answer in answers]

    def is_closed(self, within=60):
        """True if the other end closes the connection, without another byte, in time: far longer than the
        proxy's own limits."""
        self.socket.settimeout(within)
        try:
            return self.rest == b"" and self.more() == b""
        except TimeoutError:
            return False

    def ends(self, within):
        """The seconds until the other end closes the connection; None if it does not in time."""
        start = time.monotonic()
        while (left := start + within - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                if not self.socket.recv(1 << 20):
                    return time.monotonic() - start
            except ConnectionResetError:
                return time.monotonic() - start
            except TimeoutError:
                return None
        return None
