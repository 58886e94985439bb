"""The output of `ritualctl setup CLIENT`, compared with an example from the documentation of each AI client.

Every member that the text has must be in the example at the same place, with the same type: names of servers,
headers and variables are free. A changed format is a new example with its source and the day of reading."""

import json
import re
import subprocess
import tomllib

READ = "2026-11-27"

# Client, source, and the examples: a server that is started, and one that is reached by its URL. Where the
# documentation shows a member only in its table of members, it is added to the example beside it.
CLIENTS = {
    "claude-code": (
        "https://code.claude.com/docs/en/mcp",
        '{"mcpServers": {"shared-server": {"command": "/path/to/server", "args": [], "env": {}}}}',
        '{"mcpServers": {"internal-api": {"type": "http", "url": "https://mcp.internal.example.com",'
        ' "headersHelper": "/opt/bin/get-mcp-auth-headers.sh"}}}',
    ),
    "opencode": (
        "https://opencode.ai/docs/mcp-servers/",
        '{"mcp": {"my-local-mcp-server": {"type": "local", "command": ["npx", "-y", "my-mcp-command"],'
        ' "enabled": true, "environment": {"MY_ENV_VAR": "my_env_var_value"}}}}',
        '{"mcp": {"my-api-key-server": {"type": "remote", "url": "https://mcp.example.com/mcp", "oauth": false,'
        ' "headers": {"Authorization": "Bearer {env:MY_API_KEY}"}}}}',
    ),
    "vscode": (
        "https://code.visualstudio.com/docs/agents/reference/mcp-configuration",
        '{"servers": {"perplexity": {"type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask"]}}}',
        '{"inputs": [{"type": "promptString", "id": "api-token", "description": "API token", "password": true}],'
        ' "servers": {"context7": {"type": "http", "url": "https://mcp.context7.com/mcp",'
        ' "headers": {"Authorization": "Bearer ${input:api-token}"}}}}',
    ),
    "cursor": (
        "https://cursor.com/docs/mcp",
        '{"mcpServers": {"server-name": {"command": "npx", "args": ["-y", "mcp-server"], "env": {"API_KEY": "value"}}}}',
        '{"mcpServers": {"server-name": {"url": "http://localhost:3000/mcp", "headers": {"API_KEY": "${env:API_KEY}"}}}}',
    ),
    "gemini": (
        "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
        '{"mcpServers": {"pythonTools": {"command": "python", "args": ["-m", "my_mcp_server", "--port", "8080"],'
        ' "env": {"API_KEY": "${EXTERNAL_API_KEY}"}, "timeout": 15000}}}',
        '{"mcpServers": {"httpServerWithAuth": {"httpUrl": "http://localhost:3000/mcp",'
        ' "headers": {"Authorization": "Bearer your-api-token"}, "timeout": 5000}}}',
    ),
    "codex": (
        "https://developers.openai.com/codex/mcp",
        '[mcp_servers.context7]\ncommand = "npx"\nargs = ["-y", "@upstash/context7-mcp"]\n',
        '[mcp_servers.figma]\nurl = "https://mcp.figma.com/mcp"\nbearer_token_env_var = "FIGMA_OAUTH_TOKEN"\n',
    ),
}

# The members whose names are the user's, by the name of the member above them.
FREE = {"mcpServers", "servers", "mcp", "mcp_servers", "headers", "env", "environment"}


def check(programs):
    """The faults, each a line."""
    return [fault for name in CLIENTS for fault in faults(name, programs / "ritualctl")]


def faults(name, ritualctl):
    source, *examples = CLIENTS[name]
    command = [ritualctl, "setup", name, "--json"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "XDG_RUNTIME_DIR": "/run/user/1000"}
    output = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    steps = json.loads(output.stdout)["steps"]
    for step, example in zip(steps, examples):
        for member in sorted(shape(parsed(step["text"])) - shape(parsed(example))):
            yield f"setup {name}: {member} is not in the example of {source}, read on {READ}"
        if not re.search(r"[~.]\S*/|\.mcp\.json", step["where"]):
            yield f"setup {name}: names no file: {step['where']}"
    if len(steps) < len(examples):
        yield f"setup {name}: fewer texts than examples"


def parsed(text):
    return json.loads(text) if text.startswith("{") else tomllib.loads(text)


def shape(value, path="", parent=None):
    """The paths of all members, each with its type."""
    if isinstance(value, dict):
        pairs = [("*" if parent in FREE else key, key, member) for key, member in value.items()]
        return set().union(*(shape(member, f"{path}.{shown}", key) for shown, key, member in pairs), set())
    if isinstance(value, list):
        if not value:  # as in an example of a command without arguments
            return {f"{path}[]: str"}
        return set().union(*(shape(item, f"{path}[]") for item in value), set())
    return {f"{path}: {type(value).__name__}"}
