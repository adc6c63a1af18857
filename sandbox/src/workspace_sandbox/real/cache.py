"""Where real parts keep what is slow to fetch or build: outside the repository, made once, never
half-made.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path


class CommandFailed(RuntimeError):
    """A command of a preparation failed; the text says what was being done and which log to
    read.
    """


def directory(name: str) -> Path:
    """Return the folder of one part in one version (XDG base directories)."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "workspace-manager" / name


def make_once(cache: Path, make: Callable[[Path], object]) -> Path:
    """Have `make` fill the folder if it is not there yet; gives the folder. Raises what `make`
    raises.

    A lock keeps two runs from making it at once; a killed one leaves no half-made cache, because
    the folder gets its name only when it is complete.
    """
    cache.parent.mkdir(parents=True, exist_ok=True)
    with _locked(_beside(cache, "lock")):
        if not cache.exists():
            draft = _beside(cache, "draft")
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir(mode=0o700)
            make(draft)
            draft.rename(cache)
    return cache


def run(
    command: Sequence[str],
    draft: Path,
    *,
    doing: str,
    limit_s: float,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run one command of a preparation, its output in a log beside the draft.
    Raises CommandFailed.
    """
    log = _beside(draft, "log")
    with log.open("ab") as output:
        try:
            ended = subprocess.run(
                list(command),
                cwd=cwd or draft,
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=limit_s,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise CommandFailed(f"{doing} took over {limit_s:g} s; read {log}") from late
    if ended.returncode:
        raise CommandFailed(f"{doing} ended with exit code {ended.returncode}; read {log}")


def _beside(folder: Path, what: str) -> Path:
    return folder.with_name(f"{folder.name}.{what}")


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
