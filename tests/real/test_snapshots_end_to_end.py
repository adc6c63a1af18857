"""The life of a snapshot on real SQL servers: made, verified, downloaded and opened by the commands
of the documentation, restored in place and as a new component, and gone with its owner. The other
systems are in memory; the store is a folder for one server, and a bucket for the other.
"""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from django.conf import LazySettings

from tests.documentation.page import DOCS, shell_blocks
from tests.fake_world.people import here, make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.real.test_mariadb import reach_server as on_mariadb
from tests.real.test_postgresql import reach_server as on_postgresql
from tests.snapshots.s3_bucket import S3Bucket
from tests.systems.sql_server.database_server import DatabaseServer
from workspace_manager.contract import passwords
from workspace_manager.contract.connector import System
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.snapshots import SnapshotFacts
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.guarded_system import GuardedSystem
from workspace_manager.records.models import Component, Person, Plan, ServiceKey, Snapshot
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.snapshots import (
    creation,
    in_place_restoration,
    restoration,
    upload,
    verification,
)
from workspace_manager.snapshots.content import facts_of
from workspace_manager.snapshots.download import measure_download, read_download
from workspace_manager.snapshots.store_access import open_reader, open_snapshots
from workspace_manager.snapshots_settings import SnapshotsLocation
from workspace_manager.systems import registry
from workspace_manager.wiring import resolve
from workspace_manager.work import components

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.real]

OWNER = "snapshot.owner"
"""Nobody else has this name at the servers, which other tests use too."""


DOWNLOAD = "herbarium-2026-11-27"
"""As the page about opening a snapshot calls one."""


@dataclass(frozen=True)
class Product:
    server: DatabaseServer
    bytes_of: str
    """How a statement writes the bytes 00 ff, and of which type they are."""
    bytes_type: str
    ending: str
    """How the name of a download ends."""
    bucket: S3Bucket | None = None
    """The store, where it is not a folder."""

    def client_environment(self, folder: Path) -> dict[str, str]:
        """Return what the product's clients read about where the server is, and as whom."""
        settings = self.server.settings
        assert settings.admin_password
        password = settings.admin_password.reveal()
        (folder / "my.cnf").write_text(
            f"[client]\nhost={settings.host}\nport={settings.port}\n"
            f"user={settings.admin_username}\npassword={password}\n"
        )
        return {
            **os.environ,
            "MYSQL_HOME": str(folder),
            "PGHOST": settings.host,
            "PGPORT": str(settings.port),
            "PGUSER": settings.admin_username,
            "PGPASSWORD": password,
        }


def mariadb(request: pytest.FixtureRequest) -> Product:
    server = on_mariadb(request.getfixturevalue("real_mariadb"))
    return Product(server, "x'00ff'", "VARBINARY(20)", "sql")


def postgresql(request: pytest.FixtureRequest) -> Product:
    server = on_postgresql(request.getfixturevalue("real_postgresql"))
    bucket = S3Bucket(request.getfixturevalue("real_s3proxy"))
    return Product(server, r"'\x00ff'", "bytea", "dump", bucket)


@dataclass
class RealWorld(World):
    """A world in memory whose SQL server is real."""

    server: DatabaseServer | None = field(default=None, kw_only=True)

    def systems(self) -> ConnectedSystems:
        assert self.server
        found, spec = super().systems(), registry().specs["sql_server"]
        connected = spec.connector()(
            self.server.settings, resolve, passwords=passwords.new_password
        )
        # In place: the store of snapshots was lent these.
        cast(dict[str, System], found.by_name)["sql_server"] = GuardedSystem(spec, connected)
        cast(dict[str, SystemSettings], found.settings)["sql_server"] = self.server.settings
        return found


@pytest.fixture(
    params=[
        pytest.param(mariadb, id="mariadb", marks=pytest.mark.real("MariaDB")),
        pytest.param(postgresql, id="postgresql", marks=pytest.mark.real("PostgreSQL", "S3Proxy")),
    ]
)
def product(request: pytest.FixtureRequest) -> Iterator[Product]:
    made: Product = request.param(request)
    yield made
    if OWNER in made.server.names():
        made.server.drop_account(OWNER)


@pytest.fixture
def snapshot_folder(product: Product, settings: LazySettings, tmp_path: Path) -> Path:
    """The folder of what is in the store."""
    if product.bucket:
        settings.SNAPSHOTS = product.bucket.location
        return product.bucket.ours
    settings.SNAPSHOTS = SnapshotsLocation(folder=tmp_path / "kept")
    return tmp_path / "kept"


def as_owner(product: Product, component: Component, *said: str) -> list[tuple[Any, ...]]:
    """With the password that the manager made; gives the rows of the last statement."""
    secret = ServiceKey.objects.get(owner__username=OWNER, system="sql_server").secret
    assert secret
    server, rows = product.server, list[tuple[Any, ...]]()
    with contextlib.closing(server.sign_in(OWNER, secret.reveal(), component.name)) as session:
        for statement in said:
            rows = server.ask(session, statement)
    return rows


def finish(world: World, *rows: Component | Snapshot) -> None:
    """Work until nothing is left to do but the late looks, and see that nothing is stuck."""
    work(world)
    plans = Plan.objects.filter(belongs_to=None).exclude(
        state__in=(Plan.State.DONE, Plan.State.SUPERSEDED)
    )
    stuck = [
        (plan.kind, step.name, str(step.reason)) for plan in plans for step in plan.steps.all()
    ]
    assert not stuck
    for row in rows:
        row.refresh_from_db()
        assert row.state == "ready"


def flip_a_bit(kept: Path, snapshot: Snapshot) -> str:
    """Change one in the middle of the first object; gives the object's name."""
    file = next(one for one in sorted((kept / snapshot.place).rglob("*")) if one.name == "000001")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    return str(file.relative_to(kept))


def opened_by_its_owner(
    product: Product, snapshot: Snapshot, folder: Path, *asked: str
) -> list[list[tuple[Any, ...]]]:
    """Load what the owner downloads into an empty database, by the very commands of the page, and
    return what it answers.
    """
    reader, name = open_reader(snapshot), f"{DOWNLOAD}.{product.ending}"
    content = b"".join(read_download(reader, 0, measure_download(reader)))
    (folder / f"{name}.zst").write_bytes(content)
    page = (DOCS / "howto" / "open-a-snapshot.md").read_text()
    [block] = [one for one in shell_blocks(page) if f"{name}.zst" in one]
    product.server.make_database("herbarium")
    try:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            cwd=folder, env=product.client_environment(folder),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [product.server.run_in("herbarium", one) for one in asked]
    finally:
        product.server.drop_database("herbarium")


def _restore_in_place(
    product: Product, world: World, snapshot: Snapshot, component: Component
) -> SnapshotFacts:
    """Gives what was there before, as the snapshot of it says."""
    rights = product.server.users_of(component.name)
    _, first, _ = in_place_restoration.restore_in_place(
        snapshot, actor=OWNER, systems=world.systems()
    )
    finish(world, component, first)
    assert product.server.users_of(component.name) == rights
    return facts_of(open_reader(first).manifest)


def _upload(world: World, owner: Person, file: bytes) -> Component:
    order = upload.UploadOrder("sql_database", "Uploaded", None, "herbs.sql.zst")
    component, _ = upload.create_from_file(owner, order, [file], world.systems())
    return component


def _refuse_hostile(product: Product, world: World, owner: Person, made: Path) -> None:
    """A file that is a program does nothing, and its component is failed until it is deleted."""
    before = product.server.databases(), product.server.names()
    made.parent.chmod(0o777)
    file = f"CREATE TABLE loot (a TEXT);\n\\! touch {made}\nCREATE USER eve;\n"
    component = _upload(world, owner, file.encode())
    work(world)
    component.refresh_from_db()
    assert component.state == "failed"
    [plan] = Plan.objects.filter(about=str(component.id))
    reasons = [str(step.reason) for step in plan.steps.all()]
    assert "the dump contains a statement that is not allowed" in reasons[-1]
    assert not made.exists()
    components.delete(component, actor=OWNER, systems=world.systems())
    work(world)
    assert (product.server.databases(), product.server.names()) == before


def test_from_its_making_to_the_last_trace(
    product: Product, snapshot_folder: Path, tmp_path: Path
) -> None:
    world = RealWorld(server=product.server)
    make_person("root-admin", sub="admin-sub", role="administrator")
    owner = here(world, OWNER)
    databases = product.server.databases()
    herbarium, _ = components.create(
        owner, kind="sql_database", label="Herbarium", project=None, systems=world.systems()
    )
    finish(world, herbarium)
    asked = ("SELECT * FROM herbs ORDER BY id", "SELECT name FROM names ORDER BY name")
    as_owner(
        product,
        herbarium,
        f"CREATE TABLE herbs (id INT PRIMARY KEY, name VARCHAR(40), b {product.bytes_type})",
        f"INSERT INTO herbs VALUES (1, 'sage 🌿', {product.bytes_of}), (2, 'thyme', NULL)",
        "CREATE VIEW names AS SELECT name FROM herbs",
    )
    before = [as_owner(product, herbarium, one) for one in asked]

    snapshot, _ = creation.create(herbarium, actor=OWNER, systems=world.systems())
    finish(world, snapshot)
    assert snapshot.consistent
    assert verification.verify(snapshot).ok
    (download := tmp_path / "download").mkdir()
    assert opened_by_its_owner(product, snapshot, download, *asked) == before

    uploaded = _upload(world, owner, (download / f"{DOWNLOAD}.{product.ending}.zst").read_bytes())
    finish(world, uploaded)
    assert [as_owner(product, uploaded, one) for one in asked] == before
    _refuse_hostile(product, world, owner, tmp_path / "made")

    as_owner(product, herbarium, "DROP VIEW names", "DROP TABLE herbs")
    as_owner(product, herbarium, "CREATE TABLE mistake (a INT)")
    replaced = _restore_in_place(product, world, snapshot, herbarium)
    assert [as_owner(product, herbarium, one) for one in asked] == before
    assert [table.name.rpartition(".")[2] for table in replaced.tables] == ["mistake"]
    assert product.server.databases() == {*databases, herbarium.name, uploaded.name}

    as_owner(product, herbarium, "DROP VIEW names", "DROP TABLE herbs")
    again, _ = restoration.restore_as_new(
        snapshot, label="Again", project=None, actor=OWNER, systems=world.systems()
    )
    finish(world, again)
    assert again.name != herbarium.name
    assert [as_owner(product, again, one) for one in asked] == before
    as_owner(product, again, "INSERT INTO herbs (id) VALUES (3)", "DROP VIEW names")

    changed = flip_a_bit(snapshot_folder, snapshot)
    verdict = verification.verify(snapshot)
    assert [changed in one.english for one in verdict.damage] == [True]

    plan = draft_removal(OWNER, actor="root-admin", systems=world.systems())
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    finish(world)
    assert not Person.objects.filter(username=OWNER).exists()
    assert not Snapshot.objects.exists()
    assert list(open_snapshots().names()) == []
    assert [one for one in snapshot_folder.rglob("*") if one.is_file()] == []
    assert product.server.databases() == databases
    assert OWNER not in product.server.names()
