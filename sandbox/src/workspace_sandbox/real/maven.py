"""Maven fetches the Java programs of real parts, once, into a cache. A file with a wrong checksum
fails.
"""

import hashlib
from collections.abc import Iterable
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
