"""The `riot` of Apache Jena, which reads RDF without the manager: fetched once, 24 MB, into a cache
outside the repository.
"""

import zipfile
from pathlib import Path

from workspace_sandbox.real import maven

VERSION = "5.6.0"
"""The newest that runs on Java 17."""
PINNED = "078927c1d4a4cf807a3c5be012bed5c42e5ec6e022c105e238fcde14006cf8d9"

_FOLDER = f"apache-jena-{VERSION}"
_ARTIFACT = f"org.apache.jena:apache-jena:{VERSION}:zip"


class JenaFailed(RuntimeError):
    """It could not be fetched; the text names the reason."""


def why_not() -> str | None:
    """Return why Jena cannot run here; None if it can."""
    return _PART.why_not()


def prepare() -> Path:
    """Fetch it once. Return the folder with `riot`. Raises JenaFailed."""
    return _PART.prepare() / _FOLDER / "bin"


def _make(draft: Path) -> None:
    maven.fetch(_ARTIFACT, draft, into=draft)
    maven.verify(draft, PINNED)
    [archive] = draft.iterdir()
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(draft)
    archive.unlink()
    (draft / _FOLDER / "bin" / "riot").chmod(0o755)


_PART = maven.JavaPart("Jena", VERSION, _make, JenaFailed)
