"""oidc-agent (Debian package oidc-agent-cli), measured beside the agent where it is installed: with an account whose access
token it has in memory, and a server of its own."""

import contextlib
import http.server
import json
import shutil
import subprocess
import threading

REQUEST = '{"request":"access_token","account":"bench","min_valid_period":60}\n'
TOKEN_SIZE = 900  # bytes, as a Supabase token with its claims
TIMEOUT_S = 20


class Server(http.server.BaseHTTPRequestHandler):
    """An OpenID provider that has its discovery document and a token endpoint."""

    def log_message(self, *_):
        pass

    def send(self, document):
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        issuer = f"http://127.0.0.1:{self.server.server_address[1]}/"
        self.send({"issuer": issuer, "authorization_endpoint": issuer + "authorize", "token_endpoint": issuer + "token",
                   "scopes_supported": ["openid"], "grant_types_supported": ["refresh_token"],
                   "response_types_supported": ["code"]})

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send({"access_token": "x" * TOKEN_SIZE, "refresh_token": "refresh", "expires_in": 86400,
                   "token_type": "Bearer", "scope": "openid"})


def is_installed():
    return all(shutil.which(program) for program in ("oidc-agent", "oidc-gen", "oidc-token"))


@contextlib.contextmanager
def oidc_agent(house):
    """Runs oidc-agent with one account; gives the path of its socket and sets OIDC_SOCK in the house's environment."""
    with contextlib.ExitStack() as running:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        running.callback(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        (house.folder / "home/.oidc-agent").mkdir(mode=0o700)
        path = house.folder / "oidc.sock"
        agent = house.start("oidc-agent", "oidc-agent", "--console", "--quiet", f"--socket-path={path}")
        running.callback(house.stop, agent)
        house.wait_for(agent, "oidc-agent", path.exists)
        house.environment["OIDC_SOCK"] = str(path)
        subprocess.run(
            ["oidc-gen", "bench", "--manual", "--issuer", f"http://127.0.0.1:{server.server_address[1]}/",
             "--client-id=bench", "--client-secret=bench", "--scope=openid", "--flow=refresh", "--rt=refresh",
             "--redirect-uri=http://localhost:4242", "--pw-cmd=echo bench", "--prompt=none"],
            env=house.environment, check=True, capture_output=True, timeout=TIMEOUT_S)
        yield path
