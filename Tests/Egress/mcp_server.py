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


def result(message):
    match message["method"]:
        case "initialize":
            return {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                    "serverInfo": {"name": "check", "version": "1"}}
        case "tools/list":
            return {"tools": [{"name": "whoami", "inputSchema": {"type": "object"}}]}
        case "tools/call":
            return {"content": [{"type": "text", "text": whoami()}], "isError": False}
    return {}


for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result(message)}), flush=True)
