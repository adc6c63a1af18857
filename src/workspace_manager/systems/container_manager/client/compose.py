"""The compose command of this machine, run against an engine without Portainer.

It is `docker compose`, `docker-compose` or `podman-compose`, whichever is on the PATH. It reads
file and values from a folder of ours, gets nothing of our environment, and is ended at the deadline
with everything it started. Its output is read to the end and never shown, because it may contain a
secret. podman-compose gets no secrets: it would pass them to podman as arguments, which everybody
on the machine can read.
"""

import contextlib
import fcntl
import os
import selectors
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Final

from workspace_manager.contract import wait_hooks
from workspace_manager.contract.deadline import moment, seconds_left
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.client.compose_output import failure_reason
from workspace_manager.systems.container_manager.client.values import reveal_values
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import STACK_KIND, is_stack_name

FILE: Final = "docker-compose.yml"
_PREFIX: Final = "workspace-compose-"
_KEPT_BYTES: Final = 65_536
_ASK_S: Final = 20.0
"""Seconds `docker compose version` may take."""
_LOOK_S: Final = 0.2
"""Seconds between two checks whether it ended without closing its output."""
_IN_ARGUMENTS: Final = "podman-compose"
_PROGRAMS: Final = (("docker", "compose"), ("docker-compose",), ("podman-compose",))


def program() -> tuple[str, ...]:
    """Return the available compose command; () for none. It is looked for each time, because it may
    be installed meanwhile.
    """
    for name, *more in _PROGRAMS:
        found = shutil.which(name)
        # Docker's own command may lack its compose plugin.
        if found and (not more or _answers(found, *more, "version")):
            return (found, *more)
    return ()


def program_name(command: tuple[str, ...]) -> str:
    """Return the program's name for people."""
    return " ".join([Path(command[0]).name, *command[1:]]) if command else ""


def keeps_secrets(command: tuple[str, ...]) -> bool:
    """Return whether a compose command keeps values secret from other users of the machine."""
    return program_name(command) != _IN_ARGUMENTS


def start_project(
    url: str, project: str, file: str, values: Mapping[str, Secret], *, most_s: float
) -> None:
    """Make and start a project from a compose file. Raises Invalid for an impossible name, or for a
    value that would not be taken literally. Raises Unavailable without a compose command, without
    one that keeps secrets if there are any, and if the command fails or takes too long.
    """
    doing = message("running_compose")
    if not is_stack_name(project):
        raise Invalid(message("impossible_stack_name"), kind=STACK_KIND, doing=doing)
    clear = reveal_values(values)
    command = program()
    if not command:
        advice = message("install_compose")
        raise Unavailable(message("no_compose"), kind=STACK_KIND, doing=doing, advice=advice)
    if values and not keeps_secrets(command):
        shows, advice = message("compose_shows_secrets"), message("install_other_compose")
        raise Unavailable(shows, kind=STACK_KIND, doing=doing, advice=advice)
    seconds = seconds_left(most_s, kind=STACK_KIND, doing=doing)
    with _folder() as folder:
        _write_private(folder / FILE, file)
        _write_private(
            folder / ".env", "".join(f"{name}={value}\n" for name, value in clear.items())
        )
        asked = [*command, "-p", project, "-f", FILE, "up", "-d"]
        status, printed = _run(asked, folder, _environment(url, folder), seconds)
    if status == 0:
        return
    name = program_name(command)
    if status is None:
        failed = message("compose_took_too_long", program=name, seconds=f"{seconds:.0f}")
    else:
        failed = message("compose_failed", program=name, status=status, why=failure_reason(printed))
    advice = message("look_at_template")
    raise Unavailable(failed, kind=STACK_KIND, doing=doing, advice=advice)


def _answers(*command: str) -> bool:
    environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": tempfile.gettempdir()}
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603  # found by a name of ours
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_ASK_S,
            check=False,
        )
        return done.returncode == 0
    return False


def _environment(url: str, folder: Path) -> dict[str, str]:
    """Return an environment with only the PATH of ours: Compose would put our secrets into a file
    that asks for them.
    """
    engine = url.replace("docker://", "tcp://", 1)
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "DOCKER_HOST": engine,
        "CONTAINER_HOST": engine,
        "COMPOSE_HTTP_TIMEOUT": "100",
    }


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """Hold a folder of our own (mode 0700) during the block, after folders of killed workers were
    deleted.
    """
    _remove_leftovers()
    with tempfile.TemporaryDirectory(prefix=_PREFIX) as name:
        folder = Path(name)
        lock = _lock(folder)
        try:
            yield folder
        finally:
            if lock is not None:
                lock.close()


def _remove_leftovers() -> None:
    """Delete the files of killed workers, which nobody locks any more: they contain secrets."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            found = folder.lstat()
            if (
                folder.is_symlink()
                or found.st_uid != os.geteuid()
                or not (folder / "lock").exists()
            ):
                continue
            lock = _lock(folder)
            if lock is not None:
                with lock:
                    shutil.rmtree(folder, ignore_errors=True)


def _lock(folder: Path) -> IO[str] | None:
    lock = (folder / "lock").open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    return lock


def _write_private(file: Path, text: str) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(text)


def _run(
    command: list[str], folder: Path, environment: dict[str, str], seconds: float
) -> tuple[int | None, str]:
    """Run a command; return its exit code (None if it was killed) and the end of its output."""
    wait_hooks.begin()
    process = subprocess.Popen(  # noqa: S603  # found by a name of ours, and no shell
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        printed, in_time = _read_output(process, moment() + seconds)
        return (process.wait(timeout=5) if in_time else None), printed
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _read_output(process: "subprocess.Popen[bytes]", end: float) -> tuple[str, bool]:
    """Read the output until it ends; return its last part, and whether it ended in time."""
    assert process.stdout is not None
    kept = b""
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ)
        while (left := end - moment()) > 0:
            if not ready.select(min(left, _LOOK_S)):
                if process.poll() is not None:
                    # A process that it started may keep the output open for ever.
                    return kept.decode("utf-8", errors="replace"), True
                continue
            piece = os.read(process.stdout.fileno(), 65_536)
            if not piece:
                return kept.decode("utf-8", errors="replace"), True
            kept = (kept + piece)[-_KEPT_BYTES:]
    return kept.decode("utf-8", errors="replace"), False
