"""Maven fetches the Java programs of real parts, once, into a cache. A file with a wrong checksum
fails.
"""

import hashlib
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from workspace_sandbox.patience import START_S
from workspace_sandbox.real import cache

_MAVEN = ("mvn", "-B", "-q", "-C")
"""-C: a file with a wrong checksum fails."""
_DEPENDENCY = (
    "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>"
    "<version>{version}</version></dependency>"
)
_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><packaging>pom</packaging>
<groupId>sandbox</groupId><artifactId>libraries</artifactId><version>1</version>
<dependencies>{dependencies}</dependencies>
</project>
"""


@dataclass(frozen=True)
class JavaPart:
    """A part that Maven fetches once into a cache outside the repository, and Java runs.

    `make` fills the folder that it is given; `failed` is raised where that does not come about.
    """

    product: str
    version: str
    make: Callable[[Path], object]
    failed: type[RuntimeError]

    @property
    def folder(self) -> Path:
        """The folder of the cache."""
        return cache.directory(f"{self.product.lower()}-{self.version}")

    def why_not(self) -> str | None:
        """Return why it cannot run here; None if it can. Only the first run needs Maven."""
        missing = [] if shutil.which("java") else ["java (Debian: default-jre-headless)"]
        if not self.folder.exists() and not shutil.which("mvn"):
            missing.append("mvn, to fetch it once (Debian: maven)")
        if not missing:
            return None
        return f"{self.product} {self.version} cannot run: {' and '.join(missing)} not found"

    def prepare(self) -> Path:
        """Fetch it once. Return its folder. Raises `failed`."""
        if reason := self.why_not():
            raise self.failed(reason)
        try:
            return cache.make_once(self.folder, self.make)
        except cache.CommandFailed as failed:
            raise self.failed(str(failed)) from failed


def fetch(artifact: str, draft: Path, *, into: Path) -> None:
    """Fetch one file (group:name:version:type). Raises CommandFailed."""
    command = [*_MAVEN, "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={into}"]
    cache.run(command, draft, doing=f"fetching {artifact} by Maven", limit_s=START_S)


def fetch_libraries(
    group: str, names: Iterable[str], version: str, draft: Path, *, into: Path
) -> None:
    """Fetch these libraries of one group, and all that they need to run. Raises CommandFailed."""
    dependencies = "".join(
        _DEPENDENCY.format(group=group, name=name, version=version) for name in names
    )
    pom = draft / "pom.xml"
    pom.write_text(_POM.format(dependencies=dependencies))
    command = [*_MAVEN, "-f", str(pom), "dependency:copy-dependencies"]
    command += ["-DincludeScope=runtime", f"-DoutputDirectory={into}"]
    cache.run(command, draft, doing="fetching its libraries by Maven", limit_s=START_S)
    pom.unlink()


def verify(folder: Path, pinned: str) -> None:
    """Compare all files of a folder with what was fetched when their versions were chosen. Raises
    CommandFailed.
    """
    found = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        with file.open("rb") as content:
            found.update(
                f"{hashlib.file_digest(content, 'sha256').hexdigest()} {file.name}\n".encode()
            )
    if found.hexdigest() != pinned:
        raise cache.CommandFailed(
            f"Maven brought other files than before: {found.hexdigest()} instead of {pinned}"
        )
