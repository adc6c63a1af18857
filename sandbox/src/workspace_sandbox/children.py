"""Processes of real parts: each ends with us, and what a killed run left behind is found and
cleared by the next one.

A child is told by the kernel when the thread that started it ends (PR_SET_PDEATHSIG). If even that
fails, it is found again by a note in the runtime directory and a random mark in its own
environment: never by a process name, never by a number alone.
"""

import contextlib
import ctypes
import json
import os
import pwd
import random
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypedDict

MARK = "WORKSPACE_SANDBOX"
"""The environment variable by which a process of ours is known again."""

STOP_LIMIT_S = 20
FIRST_PORT = 21000
"""Above the ports of knowledge stacks (`container_manager.stack_ports`)."""
USUAL_FIRST_OUTGOING_PORT = 32768
OUTGOING_PORTS = Path("/proc/sys/net/ipv4/ip_local_port_range")
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


class _AsUser(TypedDict, total=False):
    user: str
    group: int
    extra_groups: list[str]


def start(
    command: Sequence[str],
    *,
    name: str,
    cwd: Path,
    log: Path,
    environment: Mapping[str, str],
    temporary: Path | None = None,
    user: str = "",
    asks_by: signal.Signals = signal.SIGTERM,
) -> "subprocess.Popen[bytes]":
    """Start a child in a session of its own. It gets `asks_by` when the calling thread ends,
    however that ends.

    `name`: the part it belongs to, for its note. `temporary`: a folder to remove with it. `user`:
    the account of this machine it runs as, for a program that refuses root. SIGTERM and not
    SIGKILL: a start script that runs its program as a child can pass on the one, and not the other.
    """
    mark = f"{name}:{secrets.token_hex(8)}"
    parent = os.getpid()

    def die_with_parent() -> None:
        # After the change of user, which would remove the tie.
        _libc.prctl(_PR_SET_PDEATHSIG, asks_by)
        if os.getppid() != parent:
            os._exit(1)

    # Readable only by its owner, whatever the umask: at DEBUG a log reveals much.
    with open(log, "ab", opener=private) as output:
        process = subprocess.Popen(
            list(command),
            cwd=cwd,
            env={**os.environ, **environment, MARK: mark},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=die_with_parent,
            **as_user(user),
        )
    note = {"mark": mark, "owner": parent, "owner_since": _born(parent)}
    note["temporary"] = str(temporary or "")
    _note(name, process.pid).write_text(json.dumps(note))
    return process


def private(file: str, flags: int) -> int:
    """Open a file as `open` does (its `opener`); a new file is readable only by its owner."""
    return os.open(file, flags, 0o600)


def as_user(user: str) -> _AsUser:
    """Return the arguments of `subprocess` for another account of this machine; {} for our own.
    Raises KeyError.
    """
    if not user or pwd.getpwnam(user).pw_uid == os.geteuid():
        return {}
    return {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}


def end(
    process: "subprocess.Popen[bytes]", *, name: str, asks_by: signal.Signals = signal.SIGTERM
) -> None:
    """End a child and everything in its session. It is asked first."""
    process.send_signal(asks_by)
    try:
        process.wait(STOP_LIMIT_S)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    _note(name, process.pid).unlink(missing_ok=True)


def clear(process: "subprocess.Popen[bytes]", *, name: str) -> None:
    """End what a child that has ended left behind: every process with its mark."""
    note = _note(name, process.pid)
    with contextlib.suppress(OSError, ValueError, KeyError):
        _kill_all(str(json.loads(note.read_text())["mark"]))
    note.unlink(missing_ok=True)


def remove_leftovers(name: str) -> int:
    """End and clear away what runs that no longer live left of this part; gives how many notes were
    cleared.

    Only processes that carry the very mark of a note are ended, and only when the run that wrote it
    is gone.
    """
    cleared = 0
    for file in _runtime_directory().glob(f"{name}-*.json"):
        try:
            note = json.loads(file.read_text())
            mark, owner, since = str(note["mark"]), int(note["owner"]), str(note["owner_since"])
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if _born(owner) == since:
            continue
        _kill_all(mark)
        if note.get("temporary"):
            shutil.rmtree(note["temporary"], ignore_errors=True)
        file.unlink(missing_ok=True)
        cleared += 1
    return cleared


def end_of_log(*logs: Path) -> str:
    """Return the end of a child's log, for the text of a failure."""
    text = "".join(log.read_text(errors="replace")[-2000:] for log in logs if log.exists())
    return f"the end of its log:\n{text or 'there is no log'}"


def free_port() -> int:
    """Return a loopback port that nobody listens on now."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Different loopback ports that nobody listens on just now: all are held until the last is
    known. They lie below those that the machine gives to outgoing connections, one of which would
    take a port before whoever was promised it listens there.
    """
    end, drawn = _first_outgoing_port(), random.SystemRandom()
    found: list[int] = []
    with contextlib.ExitStack() as held:
        while len(found) < count:
            probe = held.enter_context(socket.socket())
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", drawn.randrange(FIRST_PORT, end)))
                found.append(int(probe.getsockname()[1]))
    return found


def kept_port(kept: contextlib.ExitStack) -> int:
    """Return a free loopback port that nobody else gets until `kept` is closed. Nothing answers
    there, and the caller can listen there at once after closing it.
    """
    while True:
        port = free_port()
        with contextlib.suppress(OSError), contextlib.ExitStack() as bound:
            bound.enter_context(socket.socket()).bind(("127.0.0.1", port))
            kept.push(bound.pop_all())
            return port


def _first_outgoing_port() -> int:
    """Return Linux's first port for outgoing connections; elsewhere, and if no port is left below,
    the usual one on Linux.
    """
    try:
        first = int(OUTGOING_PORTS.read_text().split()[0])
    except OSError:
        return USUAL_FIRST_OUTGOING_PORT
    return first if first > FIRST_PORT + 1000 else USUAL_FIRST_OUTGOING_PORT


def _runtime_directory() -> Path:
    base = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    directory = Path(base) / f"workspace-manager-{os.getuid()}"
    directory.mkdir(mode=0o700, exist_ok=True)
    if directory.is_symlink() or directory.stat().st_uid != os.getuid():
        raise PermissionError(f"{directory} belongs to somebody else; remove it")
    return directory


def _note(name: str, pid: int) -> Path:
    return _runtime_directory() / f"{name}-{pid}.json"


def _born(pid: int) -> str:
    """Return when a process began, in clock ticks since boot ("" if it has ended), which tells it
    from a later one with its number.
    """
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def _kill_all(mark: str) -> None:
    for pid in _carrying(mark):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _carrying(mark: str) -> Iterator[int]:
    wanted = f"{MARK}={mark}".encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    yield int(entry.name)
