#!/usr/bin/env python3
"""A client of Ritual Agent that uses only the standard library.

    ritual.py token [ACCOUNT] | status | events
"""
import json
import os
import socket
import sys


class Agent:
    """A connection to the current user's agent. Not thread-safe."""

    def __init__(self):
        runtime = os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
        path = os.environ.get("RITUAL_AGENT_SOCKET") or runtime + "/ritual-agent/agent.sock"
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r", encoding="utf-8", newline="\n")
        self.last_id = 0

    def call(self, method, **params):
        """Returns the result of a method. Discards events that arrive before it."""
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        for line in self.lines:
            answer = json.loads(line)
            if answer.get("id") == self.last_id or "error" in answer:
                if "error" in answer:
                    error = answer["error"]
                    sys.exit(f"{error['message']} {error['data'].get('hint', '')}".strip())
                return answer["result"]
        sys.exit("the agent closed the connection")

    def events(self):
        """Yields the current state, then every change."""
        self.call("events.subscribe")
        for line in self.lines:
            yield json.loads(line)["params"]


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else "status"
    agent = Agent()
    agent.call("agent.hello", client="ritual.py 1", protocol=1)
    if command == "token":
        account = {"account": sys.argv[2]} if len(sys.argv) > 2 else {}
        print(agent.call("session.token", **account)["accessToken"])
    elif command == "status":
        for account in agent.call("session.list")["accounts"]:
            print(f"{account['name']}: {account['state']}")
    elif command == "events":
        for event in agent.events():
            print(event["at"], event["type"], event.get("account", ""), flush=True)


main()
