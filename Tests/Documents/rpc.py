#!/usr/bin/env python3
"""rpc METHOD [PARAMS]: a call of the agent, for the preparation of a documented command."""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as agent:
    agent.connect(os.environ["XDG_RUNTIME_DIR"] + "/ritual-agent/agent.sock")
    params = json.loads(sys.argv[2]) if len(sys.argv) > 2 else {}
    request = {"jsonrpc": "2.0", "id": 1, "method": sys.argv[1], "params": params}
    agent.sendall(json.dumps(request).encode() + b"\n")
    answer = json.loads(agent.makefile().readline())
print(json.dumps(answer["result"]))
