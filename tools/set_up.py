"""Make the private .venv and install into it what `requirements/<name>.txt` pins, then both
distributions, editable.

Runs under the machine's own Python, before anything is installed: standard library only, and
nothing newer than Python 3.7 in its syntax, so that an old Python gets a sentence and not a
traceback. Where packages come from is the business of the machine's pip or uv configuration; none
is named here. Every file is checked against its hash.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
UV_CONFIGURED = ("UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_FIND_LINKS", "UV_CONFIG_FILE")

NO_VENV = """
This Python ({python}) cannot make virtual environments: its module
`ensurepip` is missing. Do one of these, then try again:
  - Debian, Ubuntu:  apt-get install python3-venv
  - name another Python:  make demo PYTHON=/path/to/python3
  - install uv (it then makes the environment)
"""
NOT_INSTALLED = """
The packages could not be installed. What went wrong is above; mostly it is one of these:
  - no package index can be reached: look at the machine's configuration
    (`pip config list`, or uv's)
  - the index does not have a version that requirements/{name}.txt pins, or has another file
    under its name (hash mismatch)
"""


def main(name: str) -> int:
    """Set up for `demo` (what runs) or `dev` (that and the checks). Gives the exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is what meets an old Python
        found = ".".join(map(str, sys.version_info[:3]))
        return complain(f"Python 3.11 or newer is needed; {sys.executable} is {found}.")
    started = time.monotonic()
    if not works(VENV) and not make_environment(VENV):
        return complain(NO_VENV.format(python=sys.executable))
    pinned = ROOT / "requirements" / f"{name}.txt"
    count = sum("==" in line for line in pinned.read_text().splitlines())
    say(f"Installing {count} packages into .venv, each checked against its hash ...")
    if not install(VENV, hashed(pinned), [*NO_INDEX, "--editable", ".", "--editable", "sandbox"]):
        return complain(NOT_INSTALLED.format(name=name))
    say(f"Ready after {time.monotonic() - started:.0f} s.")
    return 0


def works(environment: Path) -> bool:
    """Return whether its interpreter runs and is new enough: a .venv outlives the Python it was
    made from, or its folder's move.
    """
    python = environment / "bin" / "python"
    if not python.exists():
        return False
    look = "import sys; sys.exit(sys.version_info < (3, 11))"
    if subprocess.call([str(python), "-c", look], stderr=subprocess.DEVNULL):
        return False
    command = environment / "bin" / "workspace-manager"
    return not command.exists() or str(environment) in command.read_text(errors="replace")


def make_environment(environment: Path) -> bool:
    """Make it anew by the first way this machine has; False when it has none."""
    shutil.rmtree(environment, ignore_errors=True)
    if importlib.util.find_spec("ensurepip"):
        command = [sys.executable, "-m", "venv", str(environment)]
    elif shutil.which("uv"):
        command = ["uv", "venv", "--quiet", "--python", sys.executable, str(environment)]
    elif importlib.util.find_spec("pip"):
        command = [sys.executable, "-m", "venv", "--without-pip", str(environment)]
    else:
        return False
    say(f"Making {environment.name} ...")
    return subprocess.call(command) == 0


NO_INDEX = ["--no-deps", "--no-build-isolation"]
"""What is built here takes what builds it from the environment: it is pinned like the rest."""


def hashed(pinned: Path) -> list[str]:
    """Return the commands that install the packages of a pinned file."""
    return ["--no-deps", "--require-hashes", "--requirement", str(pinned)]


def install(environment: Path, *steps: list[str]) -> bool:
    """Install step by step, by uv where it may be used, else by pip."""
    python = environment / "bin" / "python"
    installers = [pip(python)]
    if shutil.which("uv") and not only_pip_is_configured(python):
        installers.insert(0, ["uv", "pip", "install", "--quiet", "--python", str(python)])
    for installer in filter(None, installers):
        if all(subprocess.call([*installer, *step], cwd=str(ROOT)) == 0 for step in steps):
            return True
        say(f"{'uv' if installer[0] == 'uv' else 'pip'} did not manage.")
    return False


def pip(python: Path) -> list[str] | None:
    """The command that installs by pip: the environment's, or that of the Python we run under; None
    when there is neither.
    """
    options = ["install", "--quiet", "--disable-pip-version-check", "--no-input"]
    if subprocess.call([str(python), "-c", "import pip"], stderr=subprocess.DEVNULL) == 0:
        return [str(python), "-m", "pip", *options]
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "--python", str(python), *options]
    return None


def only_pip_is_configured(python: Path) -> bool:
    """Return whether this machine tells pip where its packages are, and uv nothing: uv does not
    read pip's configuration.
    """
    command = pip(python)
    if command is None or any(os.environ.get(name) for name in UV_CONFIGURED):
        return False
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    if any(file.exists() for file in (config / "uv" / "uv.toml", Path("/etc/uv/uv.toml"))):
        return False
    listed = [*command[: command.index("install")], "config", "list"]
    answer = subprocess.run(listed, stdout=subprocess.PIPE, text=True, check=False)
    return any(option in answer.stdout for option in ("index-url", "find-links", "proxy"))


def say(text: str) -> None:
    """Tell at once what is going on: the packages take a while."""
    print(text, flush=True)


def complain(text: str) -> int:
    """Say why it ends here, and give the exit code for that."""
    print(text.strip(), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
