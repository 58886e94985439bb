"""An MCP server on standard input and output, with the tool whoami. It knows SUPABASE_URL and
SUPABASE_KEY, as servers for Supabase do."""

import json
import os
import sys
import urllib.request


def whoami():
    request = urllib.request.Request(os.environ["SUPABASE_URL"] + "/rest/v1/whoami", headers={
        "apikey": os.environ["SUPABASE_KEY"], "Authorization": "Bearer " + os.environ["SUPABASE_KEY"]})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)["claims"]["email"]


def answer(message, whoami):
    """The answer to a message of the Model Context Protocol (2025-06-18); None to a notification."""
    if "id" not in message:
        return None
    result = {}
    match message["method"]:
        case "initialize":
            result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                      "serverInfo": {"name": "check", "version": "1"}}
        case "tools/list":
            result = {"tools": [{"name": "whoami", "inputSchema": {"type": "object"}}]}
        case "tools/call":
            result = {"content": [{"type": "text", "text": whoami()}], "isError": False}
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


if __name__ == "__main__":
    for line in sys.stdin:
        reply = answer(json.loads(line), whoami)
        if reply is not None:
            print(json.dumps(reply), flush=True)
