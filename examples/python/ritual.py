"""A client of Ritual Agent. Import it, or run: python3 ritual.py token [ACCOUNT] | status | events"""
import errno, hashlib, http.client, json, os, socket, sys
from typing import Any, Callable, Iterator

class AgentError(Exception):
    """An error of the agent. `kind` is its stable name, such as "signInNeeded" or "mfaNeeded"."""
    def __init__(self, message: str, kind: str, retryable: bool, retryAfter: float = 0, hint: str = "", **_: Any):
        super().__init__(f"{message} {hint}".strip())
        self.kind, self.retryable, self.retry_after, self.hint = kind, retryable, retryAfter, hint

def socket_path() -> str:
    """The socket of the current user's agent. A relative path in an XDG variable is ignored."""
    runtime, state = (os.environ.get(name, "") for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME"))
    if not runtime.startswith("/") and os.path.isdir(usual := f"/run/user/{os.getuid()}"):
        runtime = usual if os.lstat(usual)[:5:4] == (0o40700, os.getuid()) else ""  # Mode and owner.
    state = state if state.startswith("/") else os.path.expanduser("~/.local/state")
    folder = f"{runtime}/ritual-agent" if runtime.startswith("/") else f"{state}/ritual-agent/run"
    return os.environ.get("RITUAL_AGENT_SOCKET") or f"{folder}/agent.sock"

def connected(path: str) -> socket.socket:
    """A connection to a Unix socket. A sandbox that forbids it is not an agent that does not run."""
    try:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        return connection
    except OSError as error:
        # EACCES can also mean that this user has no permission for the socket.
        if error.errno in (errno.EPERM, errno.EAFNOSUPPORT) or error.errno == errno.EACCES and os.access(path, os.W_OK):
            words = "this sandbox forbids the agent's socket; outside the sandbox: ritualctl exec --egress --egress-host NAME -- COMMAND"
            raise PermissionError(error.errno, words) from error
        raise

class Agent:
    """A connection to the current user's agent. Not thread-safe."""
    def __init__(self) -> None:
        self.socket, self.last_id = connected(socket_path()), 0
        self.lines = self.socket.makefile("r", encoding="utf-8", newline="\n")
    def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        """Returns the result of a method. Discards events that arrive before it."""
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        for answer in map(json.loads, self.lines):
            if "error" in answer: raise AgentError(answer["error"]["message"], **answer["error"]["data"])
            if answer.get("id") == self.last_id: return answer["result"]
        raise ConnectionError("the agent closed the connection")
    def api(self, path: str, method: str = "GET", body: bytes = b"", account: str = "") -> tuple[int, bytes]:
        """Sends an API request through egress.sock: the token stays in the agent. Returns the status and the body."""
        web = http.client.HTTPConnection("localhost")
        web.sock = connected(os.path.join(os.path.dirname(socket_path()), "egress.sock"))
        web.request(method, path, body or None, {"Ritual-Account": account} if account else {})
        answer = web.getresponse()
        content = answer.read()
        if answer.getheader("Proxy-Status") is None: return answer.status, content
        problem = json.loads(content)  # A response of the agent itself.
        raise AgentError(problem["detail"], problem["kind"], answer.status >= 500, hint=problem.get("hint", ""))
    def with_token(self, send: Callable[[str], Any], **params: Any) -> Any:
        """Returns send(token). If its `status` is 401, calls it once more, with a newer token."""
        response = send(token := self.call("session.token", **params)["accessToken"])
        if response.status != 401: return response
        newer = self.call("session.token", rejected=hashlib.sha256(token.encode()).hexdigest(), **params)
        return response if newer.get("unchanged") else send(newer["accessToken"])
    def events(self) -> Iterator[dict[str, Any]]:
        """Yields the current state, then every change."""
        self.call("events.subscribe")
        for line in self.lines: yield json.loads(line)["params"]

def main(command: str = "status", *words: str) -> None:
    agent = Agent()
    if command == "token": print(agent.call("session.token", **dict(zip(["account"], words)))["accessToken"])
    elif command == "events":
        for event in agent.events(): print(event["at"], event["type"], event.get("account", ""), flush=True)
    else: print(*(f"{each['name']}: {each['state']}" for each in agent.call("session.list")["accounts"]), sep="\n")

if __name__ == "__main__":
    try: main(*sys.argv[1:])
    except (AgentError, OSError) as error: sys.exit(str(error))
