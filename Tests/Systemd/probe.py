#!/usr/bin/python3 -IB
"""Attempts, from inside a unit, the actions that the agent's confinement forbids. Writes needed and
forbidden actions, each as {name: "allowed" or the reason}, as JSON into the state directory, which
the agent may also write. The arguments are that file, and another directory that the user owns."""

import ctypes
import json
import mmap
import os
import pathlib
import resource
import signal
import socket
import struct
import subprocess
import sys

libc = ctypes.CDLL(None, use_errno=True)
answer, elsewhere = map(pathlib.Path, sys.argv[1:3])
home, runtime = pathlib.Path.home(), pathlib.Path(os.environ["XDG_RUNTIME_DIR"])
state, data = answer.parent, home / ".local/share/ritual-agent"


def call(name, *arguments):
    """Calls a C function that returns -1 and sets errno on failure."""
    ctypes.set_errno(0)
    result = getattr(libc, name)(*arguments)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def in_child(body):
    """Runs `body`, which would change the process, in a child process. A program that the child
    executes closes the pipe."""
    reader, writer = os.pipe()
    if (pid := os.fork()) == 0:
        try:
            body()
            os.write(writer, b"0")
        except OSError as error:
            os.write(writer, str(error.errno).encode())
        finally:
            os._exit(0)
    os.close(writer)
    number = int(os.read(reader, 16) or b"0")
    os.waitpid(pid, 0)
    if number:
        raise OSError(number, os.strerror(number))


def write(folder):
    path = folder / "probe"
    path.write_text("x")
    path.unlink()


def connect(path):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))


def other_families():
    """Opens a socket of any other family that this kernel has; the available families differ."""
    error = OSError("none")
    for family, kind in [(socket.AF_ALG, socket.SOCK_SEQPACKET), (socket.AF_VSOCK, socket.SOCK_STREAM), (socket.AF_QIPCRTR, socket.SOCK_DGRAM)]:
        try:
            return socket.socket(family, kind).close()
        except OSError as caught:
            error = caught
    raise error


def write_and_run(folder):
    """Runs a copy of a program, not a script, because the refusal could be that of a script's
    interpreter."""
    path = folder / "program"
    path.write_bytes(pathlib.Path("/bin/true").read_bytes())
    path.chmod(0o700)
    try:
        in_child(lambda: os.execv(path, [path]))
    finally:
        path.unlink()


def writable_code():
    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()


def in_memory():
    """Returns a file that exists in memory only."""
    return os.memfd_create("probe", os.MFD_CLOEXEC)


def run_from_memory():
    descriptor = in_memory()
    os.write(descriptor, pathlib.Path("/bin/true").read_bytes())
    in_child(lambda: os.execve(descriptor, ["true"], {}))


def map_executable(descriptor):
    """Maps pages that were written through another mapping or by write(2)."""
    os.ftruncate(descriptor, 4096)
    mmap.mmap(descriptor, 4096, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ | mmap.PROT_EXEC).close()


def map_executable_file(folder):
    path = folder / "code"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o700)
    try:
        map_executable(descriptor)
    finally:
        os.close(descriptor)
        path.unlink()


def run(program, *arguments):
    subprocess.run([program, *arguments], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def loader():
    """Returns the dynamic loader, which runs any program that it can map."""
    return first(map(pathlib.Path, ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"]))


def victim():
    """Returns another process of the user, outside the unit."""
    return int(os.environ["PROBE_VICTIM"])


def signal_by_descriptor():
    descriptor = os.pidfd_open(victim())
    try:
        signal.pidfd_send_signal(descriptor, signal.SIGCONT)
    finally:
        os.close(descriptor)


def queue_signal():
    call("sigqueue", victim(), signal.SIGCONT, None)


def io_priority():
    which, best_effort = 1, (2 << 13) | 7
    call("syscall", 251 if os.uname().machine == "x86_64" else 30, which, victim(), best_effort)


def own_limit(which, limit):
    """Calls setrlimit(2) in a child process. The C library and Python use prlimit64 instead."""
    number = 160 if os.uname().machine == "x86_64" else 164
    in_child(lambda: call("syscall", number, which, (ctypes.c_ulong * 2)(limit, limit)))


def message_queue():
    rt = ctypes.CDLL("librt.so.1", use_errno=True)
    ctypes.set_errno(0)
    if rt.mq_open(b"/probe", os.O_RDWR | os.O_CREAT, 0o600, None) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    rt.mq_unlink(b"/probe")


def suid():
    path = state / "suid"
    path.write_text("")
    try:
        path.chmod(0o4755)
    finally:
        path.unlink()


def first(paths):
    return next(path for path in paths if path.exists())


def outsider():
    """Returns the user manager: a process of the same uid outside the unit."""
    return os.getppid() if os.environ.get("PROBE_MANAGER") is None else int(os.environ["PROBE_MANAGER"])


def descend():
    group = next(line[3:].strip() for line in open("/proc/self/cgroup") if line.startswith("0::"))
    (pathlib.Path("/sys/fs/cgroup" + group) / "mine.service").mkdir()


def owner_of_a_socket():
    """Asks the kernel for the owner of a listening socket (sock_diag(7))."""
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 4) as diagnosis:
        address = socket.inet_aton("127.0.0.1") + bytes(28)
        ends = struct.pack(">HH", listener.getsockname()[1], 0) + address
        request = struct.pack("=BBxxI", socket.AF_INET, socket.IPPROTO_TCP, 1 << 10) + ends + bytes(4) + b"\xff" * 8
        diagnosis.send(struct.pack("=IHHII", 16 + len(request), 20, 1, 1, 0) + request)
        answer = diagnosis.recv(4096)
        uid, = struct.unpack_from("=I", answer, 80)
        if struct.unpack_from("=H", answer, 4) != (20,) or uid != os.getuid():
            raise OSError("the kernel does not tell the owner")


PTRACE_TRACEME, CLONE_NEWUSER, ADDR_NO_RANDOMIZE, PER_LINUX32 = 0, 0x10000000, 0x0040000, 8

# Actions that the agent needs: must be allowed in both units.
NEEDED = {
    "write the state folder": lambda: write(state),
    "write the data folder": lambda: write(data),
    "write the directory of grants": lambda: write(runtime / "ritual-agent/grants"),
    "read the configuration": lambda: os.listdir(home / ".config/ritual-agent"),
    "a Unix socket": lambda: socket.socketpair(),
    "an internet socket": lambda: socket.socket(socket.AF_INET).close(),
    "a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close(),
    "the owner of a connection to a port": owner_of_a_socket,
    "the machine's id": lambda: open("/etc/machine-id").read(),
    "the boot's id": lambda: open("/proc/sys/kernel/random/boot_id").read(),
    "the table of loopback connections": lambda: open("/proc/net/tcp").read(),
    "the cgroup of another process of the user": lambda: open(f"/proc/{outsider()}/cgroup").read(),
    "locked memory": lambda: call("mlock", ctypes.create_string_buffer(4096), 4096),
    "certificates": lambda: os.listdir("/etc/ssl/certs"),
    "the journal's socket": lambda: os.stat("/run/systemd/journal/socket"),
    "the system bus": lambda: connect("/run/dbus/system_bus_socket"),
    "the resolver": lambda: connect("/run/systemd/resolve/io.systemd.Resolve"),
    "the name service cache": lambda: connect("/run/nscd/socket"),
    "its own directory in /run/user": lambda: os.stat(runtime / "ritual-agent"),
    "the service manager's notification socket": lambda: os.stat(runtime / "systemd/notify"),
    "its own limits": lambda: own_limit(resource.RLIMIT_NOFILE, 256),
}

FORBIDDEN = {
    "write the home": lambda: write(home),
    "write the configuration": lambda: write(home / ".config/ritual-agent"),
    "write elsewhere": lambda: write(elsewhere),
    "write elsewhere in /run": lambda: write(pathlib.Path("/run/elsewhere")),
    "write shared memory": lambda: write(pathlib.Path("/dev/shm")),
    "write another folder of /home": lambda: write(home.parent / "shared"),
    "write /run/user": lambda: write(runtime),
    "write beside the agent's socket": lambda: write(runtime / "ritual-agent"),
    "read ~/.ssh": lambda: (home / ".ssh/id_ed25519").read_text(),
    "see the home": lambda: next(home.glob(".bash*")),
    "see the others' /tmp": lambda: os.stat(os.environ["PROBE_TMP"]),
    "connect to the session bus": lambda: connect(runtime / "bus"),
    "connect to the manager": lambda: connect(runtime / "systemd/private"),
    "connect to another socket of the user": lambda: connect(runtime / "other.sock"),
    "connect to another socket in /run": lambda: connect("/run/docker/docker.sock"),
    "see another directory in /run": lambda: os.stat("/run/elsewhere"),
    "another address family": other_families,
    "ptrace": lambda: in_child(lambda: call("ptrace", PTRACE_TRACEME, 0, 0, 0)),
    "read another process's environment": lambda: open(f"/proc/{outsider()}/environ", "rb").read(),
    "a new user namespace": lambda: in_child(lambda: call("unshare", CLONE_NEWUSER)),
    "writable code": writable_code,
    "run another program": lambda: run("/bin/true"),
    "run a program in /usr/lib": lambda: run("/usr/lib/systemd/systemd", "--version"),
    "run another program by the loader": lambda: run(loader(), "/bin/true"),
    "run what it wrote to its state": lambda: write_and_run(state),
    "run what it wrote to its data": lambda: write_and_run(data),
    "run what it wrote to the directory of grants": lambda: write_and_run(runtime / "ritual-agent/grants"),
    "run what it wrote to /tmp": lambda: write_and_run(pathlib.Path("/tmp")),
    "run what it wrote to /var/tmp": lambda: write_and_run(pathlib.Path("/var/tmp")),
    "run a program in memory": run_from_memory,
    "executable memory that it wrote": lambda: map_executable(in_memory()),
    "executable pages of a file in its state": lambda: map_executable_file(state),
    "executable pages of a file in /tmp": lambda: map_executable_file(pathlib.Path("/tmp")),
    "stop another process": lambda: os.kill(victim(), signal.SIGSTOP),
    "continue another process": lambda: os.kill(victim(), signal.SIGCONT),
    "signal another thread": lambda: call("tgkill", victim(), victim(), signal.SIGCONT),
    "signal another process by a descriptor": signal_by_descriptor,
    "queue a signal for another process": queue_signal,
    "limit another process": lambda: resource.prlimit(victim(), resource.RLIMIT_NOFILE, (512, 512)),
    "lower another process's priority": lambda: os.setpriority(os.PRIO_PROCESS, victim(), 19),
    "lower another process's I/O priority": io_priority,
    "move another process to another processor": lambda: os.sched_setaffinity(victim(), {min(os.sched_getaffinity(0))}),
    "schedule another process": lambda: os.sched_setscheduler(victim(), os.SCHED_BATCH, os.sched_param(0)),
    "a POSIX message queue": message_queue,
    "a set-user-ID file": suid,
    "another personality": lambda: in_child(lambda: call("personality", ADDR_NO_RANDOMIZE | PER_LINUX32)),
    "a core dump": lambda: own_limit(resource.RLIMIT_CORE, 1),
    "a key in the kernel's keyring": lambda: call("syscall", 248 if os.uname().machine == "x86_64" else 217, b"user", b"probe", b"x", 1, -3),
    "a cgroup that it created": descend,
    "another's shared memory": lambda: call("shmget", int(os.environ["PROBE_SHM"]), 0, 0o600),
    "a device": lambda: os.close(os.open(os.environ["PROBE_DEVICE"], os.O_RDWR)),
}


def outcome(attempt):
    try:
        attempt()
        return "allowed"
    except StopIteration:
        return "denied: not there"
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        return f"denied: {error}"


if __name__ == "__main__":
    outcomes = [{name: outcome(attempt) for name, attempt in group.items()} for group in (NEEDED, FORBIDDEN)]
    answer.write_text(json.dumps(outcomes))
