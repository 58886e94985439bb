"""Ritual Agent with requests: every request gets a valid token, and one that is rejected is replaced.

    session = requests.Session()
    session.auth = RitualAuth("https://PROJECT.supabase.co")
    session.headers["apikey"] = KEY
    session.get("https://PROJECT.supabase.co/rest/v1/todos")

Needs requests and ritual.py, next to this file. Or run: python3 ritual_requests.py URL [ACCOUNT]

The token reaches this program. Where it need not, use a grant instead, without this class: `ritualctl grant`
prints a loopback URL and a placeholder token for the Authorization header.
"""
import hashlib
import sys
from typing import Any
from urllib.parse import urlsplit

import requests

from ritual import Agent


class RitualAuth(requests.auth.AuthBase):
    """Authorizes requests to one origin. requests drops the token where a redirect leaves the host."""

    def __init__(self, url: str, **params: Any):
        """`params` go to session.token: `account`, `minTTL`, `assurance`."""
        self.origin = urlsplit(url)[:2]
        self.params = params

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if urlsplit(request.url)[:2] == self.origin:
            request.headers["Authorization"] = f"Bearer {self.token()}"
            request.register_hook("response", self.repeat)
        return request

    def repeat(self, response: requests.Response, **options: Any) -> requests.Response:
        """Sends the request once more if its token was rejected and the agent has another one."""
        request = response.request
        # A body that is an iterator can be sent only once.
        if response.status_code != 401 or not isinstance(request.body, (str, bytes, type(None))):
            return response
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        # Names the token by its hash: if the agent has a newer one already, it answers that.
        newer = self.token(rejected=hashlib.sha256(token.encode()).hexdigest())
        if newer == token or urlsplit(request.url)[:2] != self.origin:
            return response
        response.close()
        again = request.copy()
        again.headers["Authorization"] = f"Bearer {newer}"
        again.deregister_hook("response", self.repeat)
        return response.connection.send(again, **options)

    def token(self, **more: str) -> str:
        # A connection for each call: an agent that was restarted meanwhile is no error.
        return Agent().call("session.token", **self.params, **more)["accessToken"]


if __name__ == "__main__":
    print(requests.get(sys.argv[1], auth=RitualAuth(sys.argv[1], **dict(zip(["account"], sys.argv[2:])))).text)
