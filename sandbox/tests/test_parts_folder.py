"""A folder of archives: which are there, in which version, and each unpacked once."""

import io
import tarfile
from pathlib import Path

import pytest

from workspace_sandbox.real import parts_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty one, and a cache of its own."""
    place = tmp_path / "parts"
    place.mkdir()
    monkeypatch.setenv(parts_folder.VARIABLE, str(place))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return place


def put(folder: Path, name: str, *files: str) -> Path:
    archive = folder / name
    with tarfile.open(archive, "w:xz") as packed:
        for file in files:
            entry = tarfile.TarInfo(file)
            entry.size, entry.mode = len(file), 0o755
            packed.addfile(entry, io.BytesIO(file.encode()))
    return archive


def test_nobody_named_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(parts_folder.VARIABLE, raising=False)
    assert parts_folder.folder() is None
    assert parts_folder.why_not("OpenGDB") == (
        "not there: WORKSPACE_PARTS names no folder that holds it"
    )
    assert parts_folder.version("OpenGDB") == ""


def test_what_is_missing_is_said_by_name(folder: Path) -> None:
    put(folder, "opengdb.txt", "opengdb/a")
    assert parts_folder.why_not("OpenGDB") == f"not there: {folder} holds no opengdb*.tar.xz"
    with pytest.raises(parts_folder.NotThere, match="OpenGDB is not there"):
        parts_folder.prepare("OpenGDB")


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("portainer-2.23.0-linux-amd64.tar.xz", "2.23.0"),
        ("portainer-2.23.tar.xz", "2.23"),
        ("portainer.tar.xz", ""),
    ],
)
def test_the_version_is_in_the_name_or_the_digest_stands_for_it(
    folder: Path, name: str, version: str
) -> None:
    put(folder, name, "portainer/portainer")
    assert parts_folder.why_not("Portainer") is None
    told = parts_folder.version("Portainer")
    assert told == version if version else (told[0], len(told)) == ("(", 9)


def test_each_archive_is_unpacked_once_and_a_new_one_anew(folder: Path) -> None:
    put(folder, "portainer-2.23.0.tar.xz", "portainer/portainer")
    made = parts_folder.prepare("Portainer")
    assert (made / "portainer").stat().st_mode & 0o100
    (made / "kept").touch()
    assert (parts_folder.prepare("Portainer") / "kept").exists()
    put(folder, "portainer-2.24.0.tar.xz", "portainer/portainer", "portainer/more")
    assert parts_folder.version("Portainer") == "2.24.0"
    assert not (parts_folder.prepare("Portainer") / "kept").exists()


def test_an_archive_of_something_else_leaves_no_half_made_cache(folder: Path) -> None:
    put(folder, "opengdb.tar.xz", "elsewhere/a")
    for _ in range(2):
        with pytest.raises(parts_folder.NotThere, match="holds no folder opengdb"):
            parts_folder.prepare("OpenGDB")
