"""How the command lines of the documents are checked.

A command that no rule names is run if its first word is in RUN, and must succeed. A rule can have:

  skip      the reason for not running the command; its options are checked nevertheless
  status    the expected exit status; `statuses`: one of several
  before    shell lines that run first
  with      texts of the command that are replaced, such as the placeholder ID
  browser   the account that the browser signs in with
"""

from markdown import ROOT

PROJECT = "https://PROJECT.supabase.co"

# What runs before the first command of a page; "" is the default.
CONFIGURED = [
    f"ritualctl init --project-url {PROJECT} --anon-key KEY --api-url {PROJECT}",
    "printf 'correct horse 9\\n' > password.txt",
]
SIGNED_IN = [*CONFIGURED, "ritualctl sign-in email --email anna@example.org --password-stdin < password.txt"]
SANDBOX = f"curl -fsS -o /dev/null {PROJECT}/sandbox"
NOTHING = []


def settings(values):
    """Changes settings of the sandbox."""
    return f"{SANDBOX}/settings -X PATCH -d '{values}'"


SETUP = {
    "": SIGNED_IN,
    "docs/tutorial.md": NOTHING,
    "docs/how-to-set-up-supabase.md": NOTHING,
    "docs/how-to-install.md": NOTHING,
    "docs/how-to-use-a-server-on-your-network.md": NOTHING,
    "README.md": [*CONFIGURED, "ritualctl sign-in google"],
    "docs/how-to-set-up-apple.md": CONFIGURED,
    "docs/how-to-set-up-google.md": CONFIGURED,
    "docs/how-to-run-without-a-desktop.md": CONFIGURED,
    "docs/how-to-link-several-methods.md": [
        *SIGNED_IN,
        settings('{"manualLinking":true}'),
    ],
    "docs/how-to-sign-in-with-a-provider.md": [
        *CONFIGURED,
        settings('{"manualLinking":true,"providers":["github","custom:acme"]}'),
    ],
    "docs/how-to-sign-in-with-a-code.md": [*CONFIGURED, settings('{"phoneEnabled":true}')],
    "docs/how-to-sign-in-with-single-sign-on.md": [*CONFIGURED, settings('{"ssoDomains":["example.org"]}')],
    "docs/how-to-sign-in-anonymously.md": [
        *CONFIGURED,
        settings('{"manualLinking":true,"anonymousEnabled":true}'),
    ],
    "docs/how-to-use-second-factors.md": [
        *SIGNED_IN,
        settings('{"mfaPhoneEnroll":true,"mfaPhoneVerify":true}'),
        "ritualctl mfa enroll totp --name app --json | jq -r .factor > app.txt",
    ],
    "docs/how-to-give-a-tool-access-without-a-token.md": [
        *SIGNED_IN,
        "ritualctl sign-in email --account work --email anna@example.org --password-stdin < password.txt",
        "ritualctl sign-in email --account office --email anna@example.org --password-stdin < password.txt",
        """ritualctl api -X POST -H 'Content-Type: application/json' -d '{"title":"Water the plants"}' /rest/v1/todos""",
    ],
    "docs/how-to-use-several-accounts.md": [
        *SIGNED_IN,
        "ritualctl sign-in email --account work --email anna@example.org --password-stdin < password.txt",
    ],
    "docs/how-to-use-ai-tools-and-mcp.md": [
        *SIGNED_IN,
        "ritualctl sign-in email --account work --email anna@example.org --password-stdin < password.txt",
    ],
    "docs/how-to-control-access.md": [
        *SIGNED_IN,
        "ritualctl sign-in email --account work --email anna@example.org --password-stdin < password.txt",
        "printf '[[policy.rules]]\\naccount = \"work\"\\naction = \"ask\"\\n' >> .config/ritual-agent/config.toml",
    ],
}

# First words of commands that are run without a rule.
RUN = {"ritualctl", "printf", "umask", "head", "cat", "chmod", "kill", "rm"}

# The reason for not running a command, by its first word.
MACHINE = "need another machine"
SYSTEMD = "need a systemd user manager (script/systemd-check and script/package-check have one)"
NOT_RUN = {
    "sudo": "need root, and change the machine",
    "systemctl": SYSTEMD,
    "systemd-run": SYSTEMD,
    "journalctl": SYSTEMD,
    "loginctl": SYSTEMD,
    "ssh": MACHINE,
    "scp": MACHINE,
    "socat": MACHINE,
}

TERMINAL = "read from a terminal (Tests/Browser/terminal.py plays one)"
BUILD = "build or install the programs (.ci/run runs the scripts)"

# An identity token with a nonce of the agent, as a native program would have it.
IDENTITY_TOKEN = [
    "nonces=$(rpc signIn.nonce)",
    "nonce=$(jq -r .nonce <<< $nonces)",
    f"""curl -fsS {PROJECT}/sandbox/id-token -d '{{"provider":"google","email":"anna@example.org","nonce":"'"""
    """$(jq -r .hashed <<< $nonces)'"}' | jq -r .id_token > token.jwt""",
]


def request(*before):
    """A rule for a command that names an access request by its ID."""
    return {"before": before, "with": {"3f9c02ab71de": REQUEST}}


REQUEST = "$(ritualctl approvals --json | jq -r '.approvals[0].id')"
ASKED = "! ritualctl token --account work 2> /dev/null"


# The first token of the page is rejected, so that the tool goes through its handling of 401.
FAULT = f"""{SANDBOX}/faults -d '{{"endpoint":"api.profile","fault":"error","status":401,"code":"bad_jwt"}}'"""

# A sign-in whose browser ends on the URL in $callback.
PASTED = [
    """flow=$(rpc signIn.start '{"provider":"google","redirect":"manual","account":"x","detach":true}')""",
    """ends() { curl -sS -o /dev/null -w '%{redirect_url}' "$@"; }""",
    """state=$(ends "$(jq -r .url <<< "$flow")" | sed 's/.*[?&]state=\\([^&]*\\).*/\\1/')""",
    f"there=$(ends -d action=allow -d email=anna@example.org -d state=$state {PROJECT}/provider/google/consent)",
    """callback=$(ends "$there")""",
]
CALLBACK = "'http://127.0.0.1:1022/callback?attempt=…&code=…'"

# The code of the newest mail or text message.
CODE = f"""curl -fsS {PROJECT}/sandbox/mail | jq -r '.[-1].code' > code.txt"""

# The code of the authenticator app of the page's account.
APP = f"""curl -fsS "{PROJECT}/sandbox/totp?factor=$(cat app.txt)" | jq -r .code > code.txt"""
PHONE = "ritualctl mfa enroll phone --phone +15550100 --name phone --json | jq -r .factor > phone.txt"
# A new sign-in starts without the second factor.
ENDED = SIGNED_IN[-1]
VERIFIED = "ritualctl mfa verify --factor $(cat app.txt) --code-stdin < code.txt"

SECRET = """printf '%s' x.$(printf '{"exp":1810986720}' | base64 -w 0 | tr -d =).x > secret.jwt"""
IDENTITY = "$(ritualctl identities --json | jq -r .identities[0].identityID)"
RENEWED = ["ritualctl init --update --anon-key KEY", settings('{"autoconfirm":false}')]

# Page and command, both searched as regular expressions, and the rule. The first match counts.
RULES = [
    ("command-line", "", {"skip": "examples of the help (HelpEndToEndTests runs them)"}),
    ("README|how-to-install", r"^(git clone|script/|~/)", {"skip": BUILD}),
    ("README", r"^ritualctl (sign-in|init) *(#|$)", {"skip": TERMINAL}),
    ("how-to-install", r"^ritual-agentd", {"skip": "run until they are stopped"}),
    ("your-network", r"--project-url http://192", {"status": 64}),
    ("your-network", r"^(openssl|mkdir)", {}),
    ("your-network", r"^curl", {"skip": MACHINE}),
    ("your-network", r"^sed", {"before": ["cp server.crt .config/ritual-agent"]}),
    # The server does not exist.
    ("your-network", r"^ritualctl doctor", {"status": 1}),
    ("your-network", r"--project-url http://127", {"before": ["ritualctl reset --yes --config"]}),
    ("your-network", r"^ritualctl sign-in", {"skip": TERMINAL}),
    ("README", r"\./import\.sh", {"with": {"./import.sh": "true"}}),
    ("README", r"curl -K -", {"with": {"curl -K": "curl -fsS -K"}}),
    ("README", r"\./tool", {"with": {"./tool": "true"}}),
    ("tool-access", r"photo\.jpg", {"skip": "need Supabase Storage (script/egress-check has one)"}),
    ("tool-access", r"^curl -N", {"skip": "need Edge Functions (script/egress-check has some)"}),
    ("tool-access", r"^curl", {"with": {"curl -": "curl -fsS -"}}),
    ("tool-access", r"grants revoke", {"with": {"3f9c02ab71de": "$(ritualctl grants --json | jq -r .grants[0].id)"}}),
    ("several-accounts", r"^(mkdir|cd) ", {}),
    ("ai-tools", r"\./assistant", {"with": {"./assistant": "true"}}),
    (
        "use-(containers|sandboxes|grants)",
        r"podman|docker|bwrap|unshare|systemd-run|code --wait",
        {"skip": "need containers, namespaces or an editor (script/egress-check has containers and namespaces)"},
    ),
    ("use-(containers|sandboxes|grants)", r"^curl", {"skip": "run inside a container, a sandbox or another host (script/egress-check has each)"}),
    ("use-sandboxes", r"\./assistant", {"with": {"./assistant": "true"}}),
    ("unit-a-token", r"^ritualctl sink", {"skip": "run until they are stopped"}),
    ("control-access", r"^ritual-agentd --check", {}),
    ("control-access", r"^ritualctl approvals$", request(ASKED)),
    ("control-access", r"^ritualctl approvals deny", request(f"ritualctl approvals revoke {REQUEST}", ASKED)),
    ("control-access", r"^ritualctl approvals", request()),
    ("several-methods", r"unlink ID", {"with": {" ID": " " + IDENTITY}}),
    ("lock-the-vault", r"add-key --passphrase$", {"skip": TERMINAL}),
    ("without-a-desktop", r"--no-browser$", {"skip": TERMINAL}),
    ("without-a-desktop", r"--no-browser --json", {"status": 4}),
    ("without-a-desktop", r"complete-sign-in --yes", {"before": PASTED, "with": {CALLBACK: '"$callback"'}}),
    ("without-a-desktop", r"--redirect-port 8123", {"skip": "wait for a person at another machine's browser"}),
    ("without-a-desktop", r"^ritual-agentd -- sh", {"skip": "need a file of a container's image"}),
    ("set-up-apple", r"^payload=", {"before": [SECRET]}),
    ("set-up-apple", r"^date -d", {}),
    ("set-up-supabase", r"NEW-KEY", {"with": {"NEW-KEY": "sb_publishable_other"}}),
    ("set-up-supabase", r"^curl", {"before": RENEWED}),
    ("set-up-supabase", r"^xdg-mime", {}),
    (
        "with-a-provider",
        r"--id-token-stdin",
        {"before": IDENTITY_TOKEN, "with": {"RAW": "$nonce", "google": "google --account default"}},
    ),
    ("with-a-provider", r"--account work$", {"browser": "anna@company.example"}),
    (
        "with-a-credential",
        r"add-key --credential|remove-key ID|^(mkdir|mv|rm) ",
        {"skip": "need a credential of systemd (script/logind-check has one)"},
    ),
    ("write-a-tool", r"^sh tool\.sh", {}),
    # As in cron, which does not set XDG_RUNTIME_DIR.
    (
        "write-a-tool",
        r"^python3 egress\.py",
        {
            "before": [
                'RITUAL_AGENT_SOCKET="$XDG_RUNTIME_DIR/ritual-agent/agent.sock" env -u XDG_RUNTIME_DIR '
                "python3 egress.py /api/v1/profile"
            ]
        },
    ),
    # The second run has no session.
    (
        "write-a-tool",
        r"^python3 tool\.py",
        {"before": [f"cp {ROOT}/examples/python/ritual.py .", FAULT], "statuses": (0, 1)},
    ),
    (
        "status-in-your-prompt",
        r"--account old",
        {"before": [SIGNED_IN[-1] + " --account old", "ritualctl sign-out --account old"], "status": 4},
    ),
    ("json-output", r"^jq|check-jsonschema", {"skip": "need a validator (DocumentSchemaTests validate every document)"}),
    ("systemd", r"^ritualctl sign-in", {"skip": TERMINAL}),
    ("troubleshooting", r"^ritual-agentd --log-level", {"skip": "run until they are stopped"}),
    # The sample shows a directory that others can read.
    ("troubleshooting", r"^ritualctl doctor", {"before": ["chmod 755 .local/state/ritual-agent"], "status": 1}),
    ("with-a-code", r"^ritualctl (sign-in (code|phone)|link email) --(email|phone) \S+$", {"skip": TERMINAL}),
    (
        "with-a-code",
        r"--email anna@example.org --code-stdin",
        {"before": ["! ritualctl sign-in code --email anna@example.org", CODE]},
    ),
    (
        "with-a-code",
        r"--sign-up",
        {"before": [settings('{"autoconfirm":false}')], "status": 4, "with": {"email --": "email --account eve --"}},
    ),
    (
        "with-a-code",
        r"--email eve@example.org --code-stdin",
        {"before": [CODE], "with": {"sign-in code": "sign-in code --account eve"}},
    ),
    # Anna's address belongs to another user, so it cannot be linked.
    ("anonymously", r"^ritualctl link", {"browser": "guest@example.org"}),
    # The page's account belongs to Anna.
    (
        "with-a-code",
        r"--phone \S+ --code-stdin",
        {
            "before": ["! ritualctl sign-in phone --account phone --phone +15550100 --sign-up", CODE],
            "with": {"phone --phone": "phone --account phone --phone"},
        },
    ),
    ("second-factors", r"^ritualctl mfa (enroll totp --name \S+|verify)$", {"skip": TERMINAL}),
    ("second-factors", r"^ritualctl token --assurance aal2$", {"before": [APP, VERIFIED, ENDED], "status": 8}),
    ("second-factors", r"^ritualctl token --assurance aal2 >", {"status": 8}),
    ("second-factors", r"^case ", {}),
    ("second-factors", r"^ritualctl mfa verify --code-stdin", {"before": [APP]}),
    (
        "second-factors",
        r"--factor ID$",
        {"before": [PHONE], "status": 8, "with": {" ID": " $(cat phone.txt)"}},
    ),
    ("second-factors", r"--factor ID --code-stdin", {"before": [CODE], "with": {" ID": " $(cat phone.txt)"}}),
    ("second-factors", r"mfa remove ID", {"with": {" ID": " $(cat app.txt)"}}),
    ("with-a-captcha", r"--sent$", {"skip": TERMINAL}),
    ("your-own-sign-in-page", r"^sed ", {"with": {"sign-in-page.html": str(ROOT / "examples/sign-in-page.html")}}),
    ("your-own-sign-in-page", r"^ritualctl sign-in", {"skip": TERMINAL}),
    ("tutorial", r"^cat sandbox", {"before": ["for i in $(seq 600); do test -s sandbox.json && break; sleep 0.1; done"]}),
    ("tutorial", r"^(ritual-sandbox|url=|key=)", {}),
    # Without an account, `status` exits with 4, as `token` does after the sign-out.
    ("tutorial", r"^ritualctl status|^\./profile", {"statuses": (0, 4)}),
]
