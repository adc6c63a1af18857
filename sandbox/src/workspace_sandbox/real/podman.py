"""A real podman on loopback, private to one run: its Docker API, its own store, and the notebook
image made offline.

Everything it has lies in one temporary folder, which says whose it is by a lock: a folder nobody
locks was left by a killed run. The next start ends its containers and removes it. Containers
outlive the service that started them, so ending the service is not enough.
"""

import contextlib
import fcntl
import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
from pathlib import Path
from typing import IO

import httpx

from workspace_sandbox import children
from workspace_sandbox.patience import PATIENCE_S, START_S

NAME = "podman"
IMAGE = "sandbox/notebook"
IMAGE_TAGS = (f"docker.io/{IMAGE}:latest", f"localhost/{IMAGE}:latest")
"""The Docker API looks a bare name up under docker.io; podman itself calls what is made here
localhost.
"""

TRIES = 3
"""Another process may take the free port between its choice and its use."""

_PREFIX = "workspace-podman-"
_PROGRAMS = {
    "podman": "podman",
    "runc": "runc",
    "conmon": "conmon",
    "netavark": "netavark",
    "iptables": "iptables",
    "busybox": "busybox-static",
}
_PLACES = ("/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/lib/podman", "/usr/libexec/podman")
_WAITS = ["/bin/sh", "-c", "trap 'exit 0' TERM; while :; do sleep 86400 & wait $!; done"]
_FILES = {
    "etc/passwd": "root:x:0:0:root:/root:/bin/sh\nwww-data:x:33:33:www-data:/var:/bin/sh\n",
    "etc/group": "root:x:0:\nwww-data:x:33:\n",
}
_CONF = """\
[containers]
default_ulimits = []
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
[network]
network_backend = "netavark"
"""
# default_ulimits: runc may not raise them inside another container. runc and not crun: crun 1.8
# refuses hybrid cgroups.


class PodmanFailed(RuntimeError):
    """It could not be prepared or started; the text names the reason or the end of its log."""


def why_not() -> str | None:
    """Return why a real podman cannot run here; None if it can."""
    missing = sorted(package for name, package in _PROGRAMS.items() if not _program(name))
    if missing:
        return f"not installed (Debian: {' '.join(missing)})"
    if os.geteuid() != 0:
        return "containers need root here; run as root"
    return None


def version() -> str:
    """Its version, like "4.3.1"; "" when it cannot be told."""
    program = _program("podman")
    if not program:
        return ""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"\d+(?:\.\d+)+", told.stdout)
    return found[0] if found else ""


class Podman:
    """One running podman service. Start it from a thread that lives as long as it shall run."""

    def __init__(self) -> None:
        self.url: str | None = None
        self.begun_again = 0
        self._at = 0
        self._home: Path | None = None
        self._lock: IO[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> str:
        """Start it; first clear away what killed runs left behind. Gives `docker://host:port`.
        Raises PodmanFailed.
        """
        if reason := why_not():
            raise PodmanFailed(reason)
        remove_leftovers()
        home = self._home = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._lock = _locked(home)
        try:
            (home / "containers.conf").write_text(_CONF)
            _import_image(home)
            for attempt in range(1, TRIES + 1):
                port = self._at = children.free_port()
                if self._launch(home, port):
                    break
                if attempt == TRIES:
                    raise PodmanFailed(
                        f"podman did not start; {children.end_of_log(home / 'podman.log')}"
                    )
        except BaseException:
            self.stop()
            raise
        self.url = f"docker://127.0.0.1:{port}"
        return self.url

    def stop(self) -> None:
        """End its containers, then itself, and remove everything. Harmless when it does not run."""
        home, self._home, self.url = self._home, None, None
        if home is None:
            return
        _end_containers(home)
        self._end()
        _remove(home)
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def has_ended(self) -> bool:
        """Return whether its service has ended although nobody stopped it."""
        return self._process is not None and self._process.poll() is not None

    def answers(self) -> bool:
        """Return whether it is ready, or becomes ready within the time limit of a start."""
        return self._process is not None and self._wait(self._process, self._at)

    def start_again(self) -> None:
        """Start its service at the same port; its containers outlived it. Raises PodmanFailed."""
        if self._home is None or self._process is None:
            raise PodmanFailed("podman was not started yet")
        self.begun_again += 1
        self._process.kill()
        self._end()
        if not self._launch(self._home, self._at):
            log = children.end_of_log(self._home / "podman.log")
            raise PodmanFailed(f"podman did not start again; {log}")

    def command(self, *arguments: str, limit_s: float = PATIENCE_S) -> str:
        """Run one podman command on this run's own store; gives what it printed. Raises
        PodmanFailed, also when it does not run.
        """
        if self._home is None:
            raise PodmanFailed("podman does not run")
        return _run(self._home, *arguments, limit_s=limit_s)

    def _launch(self, home: Path, port: int) -> bool:
        self._process = children.start(
            [*_podman(home), "system", "service", "--time=0", f"tcp://127.0.0.1:{port}"],
            name=NAME,
            cwd=home,
            log=home / "podman.log",
            environment=_environment(home),
        )
        if self._wait(self._process, port):
            return True
        self._end()
        return False

    @staticmethod
    def _wait(process: "subprocess.Popen[bytes]", port: int) -> bool:
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline and process.poll() is None:
            with contextlib.suppress(httpx.HTTPError):
                answer = httpx.get(f"http://127.0.0.1:{port}/_ping", timeout=5, trust_env=False)
                if answer.headers.get("server", "").startswith("Libpod"):
                    return True
            time.sleep(0.2)
        return False

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            children.end(process, name=NAME)


def remove_leftovers() -> int:
    """End the containers of runs that no longer live and remove their folders; gives how many there
    were.
    """
    children.remove_leftovers(NAME)
    cleared = 0
    for home in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        ours = not home.is_symlink() and home.stat().st_uid == os.geteuid()
        if not ours or not (home / "lock").exists():
            continue
        lock = _locked(home)
        if lock is None:
            continue
        with lock:
            _end_containers(home)
            _remove(home)
            cleared += 1
    return cleared


def _locked(home: Path) -> IO[str] | None:
    """Take the folder's lock for as long as we live; None when somebody lives who has it."""
    try:
        lock = (home / "lock").open("a")
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    return lock


def _podman(home: Path) -> list[str]:
    """Podman with nothing of the machine's own: store, run folder, networks and configuration are
    the run's.
    """
    return [
        _program("podman"),
        *("--root", str(home / "store"), "--runroot", str(home / "run")),
        *("--tmpdir", str(home / "tmp"), "--network-config-dir", str(home / "networks")),
        *("--storage-driver", "vfs", "--cgroup-manager", "cgroupfs"),
        *("--events-backend", "file", "--log-level", "error"),
    ]


def _environment(home: Path) -> dict[str, str]:
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *_PLACES])
    return {"CONTAINERS_CONF": str(home / "containers.conf"), "PATH": path}


def _run(home: Path, *arguments: str, check: bool = True, limit_s: float = PATIENCE_S) -> str:
    try:
        done = subprocess.run(
            [*_podman(home), *arguments],
            env={**os.environ, **_environment(home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        if check:
            raise PodmanFailed(f"{arguments[0]} took over {limit_s:g} s") from late
        return ""
    if check and done.returncode:
        raise PodmanFailed(f"{arguments[0]} ended with {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def _import_image(home: Path) -> None:
    """Make the notebook's image of busybox and nothing else; takes no network and a fifth of a
    second.
    """
    tree = home / "notebook.tar"
    _write_tree(tree)
    command = "CMD [" + ", ".join(f'"{part}"' for part in _WAITS) + "]"
    _run(home, "import", "-q", "-c", "ENV PATH=/bin", "-c", command, str(tree), IMAGE_TAGS[0])
    _run(home, "tag", *IMAGE_TAGS)
    tree.unlink()


def _write_tree(file: Path) -> None:
    busybox = _program("busybox")
    told = subprocess.run([busybox, "--list"], capture_output=True, text=True, check=True)
    with tarfile.open(file, "w") as tree:
        for folder in ("bin", "etc", "root", "tmp", "var"):
            entry = tarfile.TarInfo(folder)
            entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if folder == "tmp" else 0o755
            tree.addfile(entry)
        tree.add(busybox, "bin/busybox")
        for applet in told.stdout.split():
            entry = tarfile.TarInfo(f"bin/{applet}")
            entry.type, entry.linkname = tarfile.SYMTYPE, "busybox"
            if applet != "busybox":
                tree.addfile(entry)
        for name, text in _FILES.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o644
            tree.addfile(entry, io.BytesIO(text.encode()))


def _end_containers(home: Path) -> None:
    """Kill and remove every container of this store; its networks go with it."""
    if (home / "store").exists() and (home / "containers.conf").exists():
        _run(home, "rm", "--all", "--force", "--time", "0", check=False)
        _run(home, "network", "prune", "--force", check=False)


def _remove(home: Path) -> None:
    """Its lock goes last: of a removal that was killed half-way, a later run still knows what it
    is.
    """
    for line in reversed(Path("/proc/self/mounts").read_text().splitlines()):
        place = line.split()[1]
        if place.startswith(f"{home}/"):
            subprocess.run(["umount", "--lazy", place], check=False, capture_output=True)
    for inside in home.iterdir():
        if inside.is_dir() and not inside.is_symlink():
            shutil.rmtree(inside, ignore_errors=True)
    shutil.rmtree(home, ignore_errors=True)


def _program(name: str) -> str:
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *_PLACES])
    return shutil.which(name, path=path) or ""
