"""Commands of a host that a test cannot have, or must not run: `python -m
tests.documentation.imitated NAME FOLDER [ARGUMENT]...` is `NAME` in a host whose root is FOLDER.

Nothing outside FOLDER is touched: who installs for a test does not install on this machine.
"""

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from workspace_sandbox.patience import PATIENCE_S

STOP_WITHIN_S: Final = PATIENCE_S
NGINX = """
pid {root}/nginx.pid; error_log {root}/nginx.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {root}/body; proxy_temp_path {root}/proxy; fastcgi_temp_path {root}/fcgi;
    uwsgi_temp_path {root}/uwsgi; scgi_temp_path {root}/scgi;
    include {root}/etc/nginx/conf.d/*.conf;
}}
"""


def main() -> int:
    """One command."""
    name, root, *arguments = sys.argv[1:]
    return COMMANDS[name](Path(root), arguments)


def _nothing(_root: Path, _arguments: Sequence[str]) -> int:
    """Accounts and groups are the host's: there is one account here, ours."""
    return 0


def _install(root: Path, arguments: Sequence[str]) -> int:
    """`install -d` without its owner and group."""
    kept = list(arguments)
    for option in ("-o", "-g"):
        if option in kept:
            at = kept.index(option)
            del kept[at : at + 2]
    _inside(root, kept[-1:])
    return subprocess.run(["/usr/bin/install", *kept], check=False).returncode


def _rm(root: Path, arguments: Sequence[str]) -> int:
    _inside(root, [one for one in arguments if not one.startswith("-")])
    return subprocess.run(["/bin/rm", *arguments], check=False).returncode


def _inside(root: Path, names: Sequence[str]) -> None:
    for name in names:
        if not Path(name).resolve().is_relative_to(root.resolve()):
            sys.exit(f"{name} is not below {root}")


def _runuser(_root: Path, arguments: Sequence[str]) -> int:
    """As another account: as ourselves."""
    command = list(arguments[list(arguments).index("--") + 1 :])
    os.execve(command[0], command, _without_the_checkout())


def _python3(root: Path, arguments: Sequence[str]) -> int:
    """Python, which makes environments that see the packages their requirements name: unpacking
    them takes half a minute, and pip finds each there.
    """
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=_without_the_checkout(), check=False).returncode
    if arguments[:2] == ["-m", "venv"]:
        _inside(root, arguments[2:])
        packages = json.loads((root / "packages.json").read_text())[Path(arguments[2]).name]
        for folder in Path(arguments[2]).glob("lib/python*/site-packages"):
            beside = Path(packages) / folder.relative_to(arguments[2])
            (folder / "cached.pth").write_text(f"{beside}\n")
    return done


def _without_the_checkout() -> dict[str, str]:
    """What is installed is to be used, and none of what this file needs itself."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def _nginx(root: Path, arguments: Sequence[str]) -> int:
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    if program is None:
        return 0
    (root / "nginx.conf").write_text(NGINX.format(root=root))
    command = [program, "-q", "-e", str(root / "nginx.log"), "-c", str(root / "nginx.conf")]
    return subprocess.run([*command, *arguments], check=False).returncode


def nginx_runs(root: Path) -> bool:
    """Its test leaves an empty file."""
    file = root / "nginx.pid"
    return file.exists() and bool(file.read_text().strip())


def _systemctl(root: Path, arguments: Sequence[str]) -> int:
    """Run what a unit says; there is no service manager to ask."""
    verb, *units = [one for one in arguments if not one.startswith("-")]
    if verb == "reload":
        return _nginx(root, ["-s", "reload"] if nginx_runs(root) else [])
    for unit in units:
        if verb in {"start", "enable"}:
            _start(root, unit)
        elif verb in {"stop", "disable"}:
            _stop(root, unit)
    return 0


def _start(root: Path, unit: str) -> None:
    lines = (root / "etc/systemd/system" / f"{unit}.service").read_text().splitlines()
    said = dict(line.split("=", 1) for line in lines if "=" in line)
    settings = Path(said["EnvironmentFile"]).read_text().splitlines()
    with (root / f"{unit}.log").open("ab") as log:
        process = subprocess.Popen(
            shlex.split(said["ExecStart"]),
            cwd=said["WorkingDirectory"],
            env=dict(line.split("=", 1) for line in settings),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            umask=int(said["UMask"], 8),
            start_new_session=True,
        )
    (root / f"{unit}.pid").write_text(str(process.pid))


def _stop(root: Path, unit: str) -> None:
    file = root / f"{unit}.pid"
    if not file.exists():
        return
    number = int(file.read_text())
    until = time.monotonic() + STOP_WITHIN_S
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, signal.SIGTERM)
        while time.monotonic() < until and _runs(number):
            time.sleep(0.1)
        if _runs(number):
            os.kill(number, signal.SIGKILL)
            sys.exit(f"{unit} does not end")
    file.unlink()


def _runs(number: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


COMMANDS: Final[dict[str, Callable[[Path, Sequence[str]], int]]] = {
    "chgrp": _nothing,
    "useradd": _nothing,
    "userdel": _nothing,
    "install": _install,
    "rm": _rm,
    "runuser": _runuser,
    "python3": _python3,
    "nginx": _nginx,
    "systemctl": _systemctl,
}

if __name__ == "__main__":
    sys.exit(main())
