"""The installation of OpenGDB: its archive, a virtual environment installed once by name, every
file checked against its hash, and an empty database with its tables.

The pinned file is the checkout's (`requirements/opengdb.txt`); the cache is named after it and
after the archive, so that a new one of either makes a new one.
"""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from workspace_sandbox.patience import START_S
from workspace_sandbox.real import cache, parts_folder

PART = "OpenGDB"
ROOT = Path(__file__).resolve().parents[5]
PINNED = ROOT / "requirements" / "opengdb.txt"
SETTINGS = Path(__file__).with_name("loopback_settings.py")
DATABASE = "db.sqlite3"

_PIP = ("install", "--quiet", "--disable-pip-version-check", "--no-input")


def why_not() -> str | None:
    """Return why it is missing or cannot be installed here; None if it can."""
    if reason := parts_folder.why_not(PART):
        return reason
    if not PINNED.exists():
        return "its pinned packages are not here (requirements/opengdb.txt): run from a checkout"
    if not directory().exists():
        look = [sys.executable, "-c", "import ensurepip"]
        if subprocess.run(look, check=False, capture_output=True).returncode:
            return "ensurepip, to install it once (Debian: python3-venv) not found"
    return None


def version() -> str:
    """Return the beginning of its archive's digest, because it has no version numbers."""
    return parts_folder.version(PART)


def directory() -> Path:
    """Where it is kept: one for each archive, each set of pins and each Python."""
    pins = hashlib.sha256(PINNED.read_bytes())
    pins.update(SETTINGS.read_bytes())
    pins.update(f"{sys.base_prefix} {sys.version}".encode())
    unpacked = parts_folder.cache_directory(PART)
    return unpacked.with_name(f"{unpacked.name}-{pins.hexdigest()[:12]}")


def prepare() -> Path:
    """Install it once, in a quarter of a minute; gives the cache directory. Raises CommandFailed
    and NotThere.
    """
    return cache.make_once(directory(), _make)


def python(made: Path) -> Path:
    """Its Python. Programs are run by `-m`: scripts would hold the name the folder had while it was
    filled.
    """
    return made / "venv" / "bin" / "python"


def program(made: Path) -> Path:
    """The folder of its own code."""
    return made / parts_folder.ARCHIVES[PART] / "authproxy"


def build_variables(
    made: Path, home: Path, *, rdf4j_url: str, secret_key: str
) -> Mapping[str, str]:
    """The environment variables its Python is run with: `home` holds its database."""
    return {
        "PYTHONPATH": f"{program(made)}:{made / 'settings'}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "DJANGO_SETTINGS_MODULE": SETTINGS.stem,
        "SANDBOX_RDF4J_URL": rdf4j_url,
        "SANDBOX_DATABASE": str(home / DATABASE),
        "SANDBOX_SECRET_KEY": secret_key,
    }


def _make(draft: Path) -> None:
    parts_folder.unpack(PART, draft)
    (draft / "settings").mkdir()
    shutil.copy(SETTINGS, draft / "settings")
    environment = draft / "venv"
    command = [sys.executable, "-m", "venv", str(environment)]
    cache.run(command, draft, doing="making an environment for OpenGDB", limit_s=START_S)
    command = [str(python(draft)), "-m", "pip", *_PIP]
    command += ["--no-deps", "--require-hashes", "--requirement", str(PINNED)]
    cache.run(command, draft, doing="installing what OpenGDB needs", limit_s=START_S)
    command = [str(python(draft)), "-m", "django", "migrate", "--no-input", "--verbosity", "0"]
    cache.run(
        command,
        draft,
        doing="making OpenGDB's tables",
        limit_s=START_S,
        environment=build_variables(draft, draft, rdf4j_url="", secret_key="of no use"),
    )
