"""The folder of real parts that no registry has: each an archive, unpacked once into the cache.

`WORKSPACE_PARTS` names it (docs/howto/real-parts.md says what it holds, so that anybody can make
one). The archives are other people's programs; nothing of them is in this repository.
"""

import hashlib
import os
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path

from workspace_sandbox.real import cache

VARIABLE = "WORKSPACE_PARTS"

ARCHIVES: Mapping[str, str] = {
    "Nextcloud": "nextcloud",
    "OpenGDB": "opengdb",
    "Portainer": "portainer",
    "WebProtégé": "webprotege",
}
"""Each part that comes from there, and the one folder its archive holds; the archive is named
`FOLDER.tar.xz`, or `FOLDER-VERSION.tar.xz` with the version first of all.
"""

_NAMED = r"{folder}(?:-(?P<version>\d[\w.]*)[\w.-]*)?\.tar\.(?:xz|gz|bz2)"


class NotThere(RuntimeError):
    """The folder does not have the part; the text says so in words."""


def folder() -> Path | None:
    """Return the folder; None without the variable. A named folder that does not exist counts as a
    missing part.
    """
    named = os.environ.get(VARIABLE, "")
    return Path(named).expanduser().absolute() if named else None


def why_not(name: str) -> str | None:
    """Return why a part is missing; None if its archive exists."""
    place = folder()
    if place is None:
        return f"not there: {VARIABLE} names no folder that holds it"
    if not place.is_dir():
        return f"not there: {VARIABLE} names {place}, which is no folder"
    if _archive(name) is None:
        return f"not there: {place} holds no {ARCHIVES[name]}*.tar.xz"
    return None


def version(name: str) -> str:
    """The version, as the archive's name tells it, or the beginning of the archive's digest where
    it tells none; "" when the part is not there.
    """
    archive = _archive(name)
    if archive is None:
        return ""
    named = _named(name, archive)
    told = named["version"] if named else None
    return told or f"({_digest(archive)[:7]})"


def cache_directory(name: str) -> Path:
    """Where a part's files are kept: one for each archive. Raises NotThere."""
    return cache.directory(f"{ARCHIVES[name]}-{_digest(archive(name))[:12]}")


def prepare(name: str) -> Path:
    """Unpack a part's archive once; gives the one folder it holds. It is to be read and copied,
    never written to. Raises NotThere.
    """
    return (
        cache.make_once(cache_directory(name), lambda draft: unpack(name, draft)) / (ARCHIVES[name])
    )


def unpack(name: str, where: Path) -> Path:
    """Unpack a part's archive below a folder, for a part that lives in its own files; gives the one
    folder it holds. Raises NotThere.
    """
    with tarfile.open(archive(name)) as packed:
        packed.extractall(where, filter="data")
    made = where / ARCHIVES[name]
    if not made.is_dir():
        raise NotThere(f"{archive(name)} holds no folder {ARCHIVES[name]}")
    return made


def archive(name: str) -> Path:
    """The archive of a part. Raises NotThere."""
    found = _archive(name)
    if found is None:
        raise NotThere(f"{name} is {why_not(name)}")
    return found


def _archive(name: str) -> Path | None:
    """The last by name, where the folder has several."""
    place = folder()
    if place is None or not place.is_dir():
        return None
    found = [file for file in place.iterdir() if file.is_file() and _named(name, file)]
    return max(found, default=None)


def _named(name: str, archive: Path) -> re.Match[str] | None:
    return re.fullmatch(_NAMED.format(folder=re.escape(ARCHIVES[name])), archive.name)


def _digest(archive: Path) -> str:
    with archive.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
