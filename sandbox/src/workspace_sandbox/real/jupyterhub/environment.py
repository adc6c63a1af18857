"""The installation of JupyterHub: a virtual environment and its proxy, installed once by name,
every file checked against its hash.

The pinned files are those of the checkout (`requirements/notebook-hub*`); the cache is named after
them, so that a new pin makes a new one. Notebooks in containers run from the same environment, lent
to them read-only.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

from workspace_sandbox.patience import START_S
from workspace_sandbox.real import cache

ROOT = Path(__file__).resolve().parents[5]
PINNED = ROOT / "requirements" / "notebook-hub.txt"
PROXY = ROOT / "requirements" / "notebook-hub-proxy"
PROXY_FILES = ("package.json", "package-lock.json")
CONFIGURATION = ROOT / "deploy" / "notebook-hub" / "jupyterhub_config.py"

_PIP = ("install", "--quiet", "--disable-pip-version-check", "--no-input")
_NPM = ("ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund")


def why_not() -> str | None:
    """Return why it cannot be installed or run here; None if it can."""
    if not all(file.exists() for file in (PINNED, PROXY / PROXY_FILES[1], CONFIGURATION)):
        return (
            "its pinned packages are not here (requirements/notebook-hub.txt): run from a checkout"
        )
    missing = [] if shutil.which("node") else ["node (Debian: nodejs)"]
    if not directory().exists():
        missing += [] if shutil.which("npm") else ["npm, to fetch its proxy once (Debian: npm)"]
        look = [sys.executable, "-c", "import ensurepip"]
        if subprocess.run(look, check=False, capture_output=True).returncode:
            missing.append("ensurepip, to install it once (Debian: python3-venv)")
    return f"{' and '.join(missing)} not found" if missing else None


def version() -> str:
    """Return the pinned version, like "6.1.1"; "" outside a checkout."""
    text = PINNED.read_text() if PINNED.exists() else ""
    found = re.search(r"^jupyterhub==(\S+)", text, re.MULTILINE)
    return found[1] if found else ""


def directory() -> Path:
    """Return its folder: one for each set of pins and each Python."""
    pins = hashlib.sha256()
    for file in (PINNED, *(PROXY / name for name in PROXY_FILES)):
        pins.update(file.read_bytes())
    of = f"{sys.base_prefix} {sys.version}"
    pins.update(of.encode())
    return cache.directory(f"jupyterhub-{version()}-{pins.hexdigest()[:12]}")


def prepare() -> Path:
    """Install it once, in about a minute; gives the cache directory. Raises CommandFailed."""
    return cache.make_once(directory(), _install)


def python(made: Path) -> Path:
    """Its Python. Programs are run by `-m`: scripts would hold the name the folder had while it was
    filled.
    """
    return made / "venv" / "bin" / "python"


def proxy(made: Path) -> Path:
    """The proxy's program, for Node.js."""
    package = made / "proxy" / "node_modules" / "configurable-http-proxy"
    return package / "bin" / "configurable-http-proxy"


def _install(draft: Path) -> None:
    environment = draft / "venv"
    command = [sys.executable, "-m", "venv", str(environment)]
    cache.run(command, draft, doing="making an environment for JupyterHub", limit_s=START_S)
    command = [str(environment / "bin" / "python"), "-m", "pip", *_PIP]
    command += ["--no-deps", "--require-hashes", "--requirement", str(PINNED)]
    cache.run(command, draft, doing="installing JupyterHub", limit_s=START_S)
    proxy_home = draft / "proxy"
    proxy_home.mkdir()
    for name in PROXY_FILES:
        shutil.copy(PROXY / name, proxy_home / name)
    command = ["npm", *_NPM]
    cache.run(command, draft, doing="fetching its proxy by npm", limit_s=START_S, cwd=proxy_home)
