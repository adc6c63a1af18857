"""The page that opens a snapshot from the store alone, followed word for word by its tools."""

import json
import os
import random
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from django.conf import LazySettings

from tests.documentation.page import DOCS, shell_blocks
from tests.fake_world.world import World
from tests.real_parts import Part
from tests.snapshots import source
from tests.snapshots.s3_bucket import S3Bucket
from tests.snapshots.test_plans import make
from tools.system_parts import OPEN_SNAPSHOTS
from workspace_manager.cli.__main__ import main
from workspace_manager.records.models import Component, Snapshot
from workspace_manager.snapshots.store import snapshot_writer
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.snapshots_settings import SnapshotsLocation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.real]

PAGE = (DOCS / "howto" / "open-a-snapshot.md").read_text()
_, _, SECTION = PAGE.partition("\n## From the store alone\n")
IDENTITY, FROM_FOLDER, FROM_BUCKET, MANIFEST, PART, REMOVAL = shell_blocks(
    SECTION.partition("\n## ")[0]
)
KEY = re.compile(r"^workspace-manager (snapshots key) (\S+) >", re.MULTILINE)
ENDPOINT = "https://s3.example.org"
PRINTED_BY_THE_TEST = '#!/bin/sh\n[ "$*" = {asked} ] && exec cat {printed}\n'
ROWS = random.Random(7)


@pytest.fixture(scope="session")
def tools(real_part: Callable[..., Part]) -> None:
    missing = [name for name in OPEN_SNAPSHOTS if not shutil.which(name)]
    why = f"{' and '.join(missing)} not found (Debian: packages of these names)"
    said = "" if missing else subprocess.check_output(["age", "--version"], text=True)
    real_part("age", version=said.strip(), why_not=why if missing else None)


@pytest.fixture(params=["folder", pytest.param("bucket", marks=pytest.mark.real("S3Proxy"))])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> SnapshotsLocation:
    if request.param == "folder":
        return SnapshotsLocation(folder=tmp_path / "kept here")
    return S3Bucket(request.getfixturevalue("real_s3proxy")).location


@pytest.fixture
def in_folder(tmp_path: Path) -> SnapshotsLocation:
    return SnapshotsLocation(folder=tmp_path / "kept here")


class Operator:
    """Types the page's blocks into one shell, in a folder of their own."""

    def __init__(self, home: Path, location: SnapshotsLocation) -> None:
        self.home, self.location = home, location
        self.bin = home / "bin"
        self.bin.mkdir(parents=True)

    def give_key(self, snapshot: Snapshot) -> None:
        """Let the page's command print what the manager prints for this snapshot."""
        found = KEY.search(IDENTITY)
        assert found
        typed = CliRunner().invoke(main, [*found[1].split(), str(snapshot.id)])
        assert typed.exit_code == 0, typed.output
        printed, program = self.bin / "printed", self.bin / "workspace-manager"
        printed.write_text(typed.output)
        asked = shlex.quote(f"{found[1]} {found[2]}")
        program.write_text(
            PRINTED_BY_THE_TEST.format(asked=asked, printed=shlex.quote(str(printed)))
        )
        program.chmod(0o755)

    def type(self, *blocks: str) -> "subprocess.CompletedProcess[str]":
        typed = "".join(blocks).replace(ENDPOINT, self.location.endpoint)
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", typed],
            cwd=self.home,
            env={
                "PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(self.home),
                "WORKSPACE_SNAPSHOTS_ACCESS_KEY": self.location.access_key,
                "WORKSPACE_SNAPSHOTS_SECRET_KEY": self.location.secret_key,
            },
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def copied(self) -> str:
        return FROM_FOLDER if self.location.folder else FROM_BUCKET


@pytest.fixture
def make_of(
    tools: None,
    database: Component,
    world: World,
    content: dict[str, source.Tables],
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[SnapshotsLocation], Snapshot]:
    """Make a snapshot whose part has several objects, as the manager does."""

    def made(location: SnapshotsLocation) -> Snapshot:
        settings.SNAPSHOTS = location
        monkeypatch.setattr(snapshot_writer, "OBJECT_BYTES", 1000)
        content[database.address] = {"herbs": [ROWS.randbytes(40).hex() for _ in range(100)]}
        snapshot = make(world, database)
        [part] = open_reader(snapshot).manifest.parts
        assert len(part.objects) > 3
        return snapshot

    return made


def test_the_page_opens_what_the_manager_made(
    make_of: Callable[[SnapshotsLocation], Snapshot],
    location: SnapshotsLocation,
    content: dict[str, source.Tables],
    tmp_path: Path,
) -> None:
    operator = Operator(tmp_path / "operator", location)
    operator.give_key(make_of(location))
    modes = "stat -c %a . identity.txt > ../modes\n"
    done = operator.type(IDENTITY, modes, operator.copied, MANIFEST, PART, REMOVAL)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["database.sql", "database.sql: OK"]
    assert (operator.home / "modes").read_text().split() == ["700", "600"]
    opened = operator.home / "opened"
    assert {path.name for path in opened.iterdir()} == {"database.sql", "database.sql.zst"}
    [tables] = content.values()
    assert json.loads((opened / "database.sql").read_text()) == tables


def test_another_key_opens_nothing(
    make_of: Callable[[SnapshotsLocation], Snapshot], in_folder: SnapshotsLocation, tmp_path: Path
) -> None:
    snapshot, other = make_of(in_folder), make_of(in_folder)
    other.place = snapshot.place
    other.save(update_fields=["place"])
    operator = Operator(tmp_path / "operator", in_folder)
    operator.give_key(other)
    begun = (IDENTITY, FROM_FOLDER)
    done = operator.type(*begun, MANIFEST)
    assert done.returncode != 0
    assert "no identity matched any of the recipients" in done.stderr
    assert (operator.home / "opened" / "manifest.json").read_bytes() == b""


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param("tac in-order.txt", id="backwards"),
        pytest.param("sed '2{h;d};3{G}' in-order.txt", id="two exchanged"),
        pytest.param("sed 2d in-order.txt", id="one left out"),
    ],
)
def test_objects_that_are_not_in_order_are_seen(
    make_of: Callable[[SnapshotsLocation], Snapshot],
    in_folder: SnapshotsLocation,
    tmp_path: Path,
    spoil: str,
) -> None:
    operator = Operator(tmp_path / "operator", in_folder)
    operator.give_key(make_of(in_folder))
    begin, decrypt, end = PART.partition("(cd objects")
    spoiled = f"{spoil} > spoiled\n! cmp -s spoiled in-order.txt\nmv spoiled in-order.txt\n"
    done = operator.type(IDENTITY, FROM_FOLDER, MANIFEST, begin, spoiled, decrypt, end)
    assert done.returncode != 0
    assert "database.sql.zst" in done.stderr
    assert "OK" not in done.stdout
