"""The `riot` of Apache Jena, which reads RDF without the manager: fetched once, 24 MB, into a cache
outside the repository.
"""

import shutil
import zipfile
from pathlib import Path

from workspace_sandbox.real import cache, maven

VERSION = "5.6.0"
"""The newest that runs on Java 17."""
PINNED = "078927c1d4a4cf807a3c5be012bed5c42e5ec6e022c105e238fcde14006cf8d9"

_FOLDER = f"apache-jena-{VERSION}"
_ARTIFACT = f"org.apache.jena:apache-jena:{VERSION}:zip"


class JenaFailed(RuntimeError):
    """It could not be fetched; the text names the reason."""


def why_not() -> str | None:
    """Return why Jena cannot run here; None if it can. Only the first run needs Maven."""
    missing = [] if shutil.which("java") else ["java (Debian: default-jre-headless)"]
    if not cache_directory().exists() and not shutil.which("mvn"):
        missing.append("mvn, to fetch it once (Debian: maven)")
    if not missing:
        return None
    return f"Jena {VERSION} cannot run: {' and '.join(missing)} not found"


def cache_directory() -> Path:
    """Return the folder of its programs."""
    return cache.directory(f"jena-{VERSION}")


def prepare() -> Path:
    """Fetch it once. Return the folder with `riot`. Raises JenaFailed."""
    if reason := why_not():
        raise JenaFailed(reason)
    try:
        return cache.make_once(cache_directory(), _make) / _FOLDER / "bin"
    except cache.CommandFailed as failed:
        raise JenaFailed(str(failed)) from failed


def _make(draft: Path) -> None:
    maven.fetch(_ARTIFACT, draft, into=draft)
    maven.verify(draft, PINNED)
    [archive] = draft.iterdir()
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(draft)
    archive.unlink()
    (draft / _FOLDER / "bin" / "riot").chmod(0o755)
