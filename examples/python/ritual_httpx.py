"""Ritual Agent with httpx: every request gets a valid token, and one that is rejected is replaced.

    client = httpx.Client(base_url="https://PROJECT.supabase.co", auth=RitualAuth(), headers={"apikey": KEY})
    client.get("/rest/v1/todos")

Needs httpx and ritual.py, next to this file. Or run: python3 ritual_httpx.py URL [ACCOUNT]

The token reaches this program. Where it need not, send requests through the egress socket instead, without
this class: httpx.Client(base_url="http://localhost", transport=httpx.HTTPTransport(uds=".../egress.sock"))
"""
import hashlib
import sys
from typing import Any, Generator

import httpx

from ritual import Agent


class RitualAuth(httpx.Auth):
    """Authorizes requests to one origin. A redirect to another one gets no token."""

    def __init__(self, **params: Any):
        """`params` go to session.token: `account`, `minTTL`, `assurance`."""
        self.params = params
        self.origin: Any = None

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        origin = (request.url.scheme, request.url.host, request.url.port)
        self.origin = self.origin or origin
        if origin != self.origin:
            yield request
            return
        token = self.token()
        request.headers["Authorization"] = f"Bearer {token}"
        response = yield request
        if response.status_code != 401 or not self.is_repeatable(request):
            return
        # Names the token by its hash: if the agent has a newer one already, it answers that.
        newer = self.token(rejected=hashlib.sha256(token.encode()).hexdigest())
        if newer != token:
            request.headers["Authorization"] = f"Bearer {newer}"
            yield request

    async def async_auth_flow(self, request: httpx.Request) -> Any:
        raise RuntimeError("use httpx.Client; the agent's client here blocks")

    def token(self, **more: str) -> str:
        # A connection for each call: an agent that was restarted meanwhile is no error.
        return Agent().call("session.token", **self.params, **more)["accessToken"]

    @staticmethod
    def is_repeatable(request: httpx.Request) -> bool:
        """False for a body that is an iterator, which can be sent only once."""
        return isinstance(request.stream, httpx.ByteStream)


if __name__ == "__main__":
    url, account = sys.argv[1], dict(zip(["account"], sys.argv[2:]))
    print(httpx.Client(auth=RitualAuth(**account)).get(url).text)
