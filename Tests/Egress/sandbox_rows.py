"""Grants in sandboxes and containers, and over SSH, with the tools that people use (RC-1, RC-2, RC-3)."""

import contextlib
import ctypes
import errno
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import sys

from stage import Skipped, expect, require, wait

HERE = pathlib.Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
# Any uid but ours and root's.
OTHER = 65534
NAME = "ritual.localhost"


def forbid(call, number):
    """Makes socket(2) for Unix sockets, or connect(2), fail with an errno, in this process (seccomp(2))."""
    nr = {"socket": (41, 198), "connect": (42, 203)}[call][os.uname().machine == "aarch64"]
    steps = [(0x20, 0, 0, 0), (0x15, 0, 3, nr), (0x20, 0, 0, 16), (0x15, 0, 1, socket.AF_UNIX)]
    if call == "connect":
        steps = [(0x20, 0, 0, 0), (0x15, 0, 1, nr)]
    steps += [(0x06, 0, 0, 0x50000 | number), (0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    libc = ctypes.CDLL(None)
    libc.prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    libc.prctl(22, 2, struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code)), 0, 0)  # PR_SET_SECCOMP


def needs(*programs):
    for name in programs:
        if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin"):
            raise Skipped(f"{name} is not installed")


def needs_root():
    if os.geteuid() != 0:
        raise Skipped("needs root")


class Rows:
    def __init__(self, stage, table):
        self.stage, self.table = stage, table

    def run(self):
        self.table.heading("Grants in sandboxes (RC-1, RC-2, RC-3)")
        self.table.run_all(
            self, "socket", "socket_in_a_network_namespace", "socket_for_another_uid", "socket_in_bubblewrap",
            "socket_of_exec", "socket_after_a_crash", "proxy_of_a_sandbox",
            "examples_in_a_sandbox", "ssh")

    def granted(self, *words):
        grant = json.loads(self.stage.ctl("grant", "--socket", "--json", *words))
        return pathlib.Path(grant["socket"]), grant["token"], grant["id"]

    def curl(self, path, token, *options, target="/rest/v1/whoami", url="http://localhost"):
        return [
            "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "20", "--unix-socket", str(path), *options,
            "-H", f"Authorization: Bearer {token}", url + target]

    def status(self, *command, check=True, **environment):
        return self.stage.run(*command, check=check, **environment)

    def socket(self):
        """The rules are those of the loopback URL; a token of another grant is worth nothing."""
        path, token, identifier = self.granted("--method", "GET", "--path", "/rest/v1/whoami")
        other, _, _ = self.granted()
        _, port_token, _ = self.stage.grant()
        for status, command in (
            ("200", self.curl(path, token)), ("403", self.curl(path, token, target="/rest/v1/todos")),
            ("403", self.curl(path, token, "-X", "DELETE")), ("401", self.curl(path, token + "A")),
            ("401", self.curl(other, token)), ("401", self.curl(path, port_token)),
            ("421", self.curl(path, token, url="http://elsewhere.test")), ("200", self.curl(path, token, url="http://127.0.0.1:9")),
            ("403", self.curl(path, token, "-H", "Origin: http://localhost:3000")),
            ("403", self.curl(path, token, "-H", "Sec-Fetch-Site: cross-site")),
        ):
            expect(self.status(*command), status, " ".join(command[9:]))
        expect([oct(each.stat().st_mode & 0o777) for each in (path.parents[1], path.parent, path)],
               ["0o700", "0o711", "0o666"], "the modes")
        self.stage.ctl("grants", "revoke", identifier)
        require(not path.parent.exists() and other.exists(), "the directory of the ended grant, or another")

    def socket_in_a_network_namespace(self):
        path, token, _ = self.granted()
        expect(self.status("unshare", "-Urn", *self.curl(path, token)), "200", "the status")

    def socket_for_another_uid(self):
        """It has the directory alone: what leads there is closed to it."""
        needs_root()
        path, token, _ = self.granted()
        as_other = ["setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups"]
        require(self.status(*as_other, *self.curl(path, token), check=False).returncode != 0, "served without the directory")
        bound = ["unshare", "-mn", "sh", "-c", 'mount --bind "$0" /mnt && exec "$@"', path.parent, *as_other]
        expect(self.status(*map(str, bound), *self.curl("/mnt/s", token)), "200", "the status")
        expect(self.status(*map(str, bound), *self.curl("/mnt/s", token + "A")), "401", "the status of a wrong token")

    def socket_in_bubblewrap(self):
        needs("bwrap")
        path, token, _ = self.granted()
        box = ["bwrap", "--unshare-net", "--unshare-user", "--uid", "1234", "--gid", "1234", "--ro-bind", "/usr", "/usr",
               "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--dev", "/dev",
               "--proc", "/proc", "--bind", str(path.parent), "/run/ritual"]
        expect(self.status(*box, *self.curl("/run/ritual/s", token)), "200", "the status")
        require(self.status(*box, "sh", "-c", "touch /run/ritual/x", check=False).returncode == 0, "the directory is the user's")

    def socket_of_exec(self):
        """The variables lead a tool to the socket, and its directory ends with the tool."""
        script = 'curl -sS --fail --unix-socket "$RITUAL_API_SOCKET" -H "apikey: $SUPABASE_KEY" "$SUPABASE_URL/rest/v1/whoami" && echo && ' \
            'echo "$RITUAL_API_SOCKET"'
        path = self.stage.ctl("exec", "--egress=socket", "--", "unshare", "-Urn", "sh", "-c", script).split()[-1]
        wait(lambda: not os.path.exists(os.path.dirname(path)), "the directory ends with its process")

    def socket_after_a_crash(self):
        path, token, _ = self.granted()
        self.stage.restart_agent(kill=True)
        require(not path.parent.exists(), "the directory of a killed agent is left")
        path, token, _ = self.granted()
        expect(self.status(*self.curl(path, token)), "200", "the status of a new grant")
        self.stage.restart_agent()
        require(not path.parent.exists(), "the directory of a stopped agent is left")

    def proxy_of_a_sandbox(self):
        """The only way out of the namespace is a proxy with an allow list: `--egress-host` names the grant there."""
        path = str(self.stage.folder / "proxy.sock")
        program = [sys.executable, "-B", str(HERE / "sandbox_proxy.py")]
        proxy = self.stage.spawn("proxy", [*program, "outside", path, NAME], stdout=subprocess.PIPE)
        require(proxy.stdout.readline(), "no proxy")
        curl = 'curl -sS -o /dev/null -w "%{http_code} " --max-time 20 -H "apikey: $SUPABASE_KEY"'
        script = f'{curl} "$SUPABASE_URL/rest/v1/whoami"; {curl} -p "$SUPABASE_URL/rest/v1/whoami"; {curl} http://elsewhere.test/'
        inside = ["unshare", "-Urn", *program, "inside", path, "sh", "-c", script]
        for form in ("--egress", "--egress=port"):
            expect(self.stage.ctl("exec", form, "--egress-host", NAME, "--", *inside), "200 200 403 ", "the statuses")
        # Without the name, no_proxy leads to the namespace's own loopback interface.
        done = self.stage.ctl("exec", "--egress", "--", *inside, check=False)
        expect(done.stdout.split()[:2], ["000", "000"], "the statuses without a name")
        url, token, _ = self.stage.grant()
        port = url.rpartition(":")[2]
        named = self.status("curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"apikey: {token}",
                            f"http://{NAME}:{port}/rest/v1/whoami")
        expect(named, "421", "another grant under the name")

    def examples_in_a_sandbox(self):
        needs("node", "go")
        go = str(self.stage.folder / "egress")
        cache = str(HERE.parents[1] / ".build-go")
        self.stage.run("go", "build", "-o", go, str(EXAMPLES / "go/egress.go"), timeout=300, GOCACHE=cache, GOFLAGS="-mod=mod")
        for command in ([sys.executable, "-B", str(EXAMPLES / "python/ritual.py")], ["node", str(EXAMPLES / "node/access-token.mjs")],
                        [go, "/rest/v1/whoami"]):
            for call in ("socket", "connect"):
                for number in (errno.EPERM, errno.EACCES, errno.EAFNOSUPPORT):
                    done = subprocess.run(
                        command, env=self.stage.environment, capture_output=True, text=True, timeout=60, check=False,
                        preexec_fn=lambda: forbid(call, number))
                    text = done.stdout + done.stderr
                    require(done.returncode != 0 and "this sandbox forbids the agent's socket" in text, f"{command} {call} {number}: {text}")
            gone = self.stage.run(*command, check=False, RITUAL_AGENT_SOCKET="/none/agent.sock", XDG_RUNTIME_DIR="/none")
            require(gone.returncode != 0 and "sandbox" not in gone.stdout + gone.stderr, f"{command}: {gone.stderr}")

    def ssh(self):
        """The two lines of the guide, with a server on loopback: a port and a socket."""
        needs_root()
        needs("sshd", "ssh", "ssh-keygen")
        folder = self.stage.folder / "ssh"
        folder.mkdir(mode=0o700)
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
        shutil.copy(folder / "user.pub", folder / "keys")
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = str(free.getsockname()[1])
        os.makedirs("/run/sshd", 0o755, exist_ok=True)
        settings = [f"HostKey={folder}/host", f"AuthorizedKeysFile={folder}/keys", "StrictModes=no", "PermitRootLogin=yes",
                    "ListenAddress=127.0.0.1", f"Port={port}", "PidFile=none", "UsePAM=no"]
        server = [shutil.which("sshd", path="/usr/sbin"), "-D", "-e", "-f", "/dev/null", *(word for each in settings for word in ("-o", each))]
        self.stage.spawn("sshd", server)
        wait(lambda: b"listening" in (self.stage.folder / "sshd.log").read_bytes(), "sshd")
        ssh = ["ssh", "-F", "none", "-p", port, "-i", str(folder / "user"), "-o", "BatchMode=yes", "-o", "UserKnownHostsFile=/dev/null",
               "-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR", "-o", "ExitOnForwardFailure=yes"]
        path, token, _ = self.granted()
        remote = str(folder / "remote.sock")
        expect(self.status(*ssh, "-R", f"{remote}:{path}", "127.0.0.1", *map(quoted, self.curl(remote, token))), "200", "a socket")
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
            number = free.getsockname()[1]
        plain = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"apikey: {token}", f"http://localhost:{number}/rest/v1/whoami"]
        expect(self.status(*ssh, "-R", f"127.0.0.1:{number}:{path}", "127.0.0.1", *map(quoted, plain)), "200", "a port for a socket")
        # On one machine both ends cannot have the same port, unless the server is in a network namespace: it is reached by a socket.
        url, token, _ = self.stage.grant()
        number = url.rpartition(":")[2]
        inside = [sys.executable, "-B", str(HERE / "sandbox_proxy.py"), "server", str(folder / "sshd.sock"), port]
        self.stage.spawn("sshd2", ["unshare", "-n", *inside, *server])
        wait(lambda: b"listening" in (self.stage.folder / "sshd2.log").read_bytes(), "sshd in a namespace")
        there = ["-o", f"ProxyCommand={sys.executable} -B {HERE / 'sandbox_proxy.py'} connect {folder}/sshd.sock"]
        plain = ["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "-H", f"apikey: {token}", f"{url}/rest/v1/whoami"]
        line = [*ssh, *there, "-R", f"127.0.0.1:{number}:127.0.0.1:{number}", "127.0.0.1", *map(quoted, plain)]
        expect(self.status(*line), "200", "the same port on both ends")


def quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"
