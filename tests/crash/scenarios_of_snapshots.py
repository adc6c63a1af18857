"""Scenarios of snapshots that are killed: see `scenarios`."""

from tests.crash.fake_systems import FakeSystems
from tests.crash.scenario import ACTOR, SUB, Scenario
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import Component, Person, Plan, ServiceKey, Snapshot
from workspace_manager.snapshots import (
    creation,
    deletion,
    in_place_restoration,
    restoration,
    source_deletion,
)
from workspace_manager.work import components

ADDRESS = "mysql://127.0.0.1:3306/ws_alice"
PASSWORD = "the one"
TABLES = {"herbs": ["sage", "thyme"]}


class OneDatabase(Scenario):
    """Of a database with content, whose owner has an account there."""

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        ServiceKey.objects.create(
            owner=self.alice(), system="sql_server", account="alice", label="SQL",
            secret=Secret(PASSWORD),
        )  # fmt: skip
        # Set already: making one more database does nothing to the account.
        fakes.things["sql_server.user:alice"]["secrets"] = {"password": PASSWORD}
        stored = fakes.things[f"identity_provider.attributes:{SUB}"]
        stored |= {"sql_password": "set", "secrets": {"sql_password": PASSWORD}}
        Component.objects.filter(name="ws_alice").update(address=ADDRESS)
        fakes.databases[ADDRESS] = {name: list(rows) for name, rows in TABLES.items()}


class SnapshotComesAndGoes(OneDatabase):
    """Made, brought back as a new database, and deleted."""

    name = "a snapshot is made, brought back and deleted"
    slow = True
    plans = (creation.CREATION.name, restoration.RESTORATION.name, deletion.DELETION.name)

    def ask(self) -> None:
        """What comes next, once what was asked before is done."""
        if Plan.objects.filter(state__in=Plan.OPEN).exists():
            return
        systems = self.fakes.systems()
        if not self.plan(creation.CREATION.name):
            creation.create(Component.objects.get(name="ws_alice"), actor=ACTOR, systems=systems)
        elif not self.plan(restoration.RESTORATION.name):
            restoration.restore_as_new(
                Snapshot.objects.get(), label="Again", project=None, actor=ACTOR, systems=systems
            )
        elif not self.plan(deletion.DELETION.name):
            deletion.delete(Snapshot.objects.get(), actor=ACTOR, systems=systems)

    def done(self) -> bool:
        again = Component.objects.filter(label="Again", state=Component.State.READY).first()
        return (
            super().done()
            and again is not None
            and self.fakes.databases.get(again.address) == TABLES
            and not self.fakes.kept
            and not Snapshot.objects.exists()
        )


class DatabaseGoesWithSnapshots(OneDatabase):
    """A snapshot is made, and deleted with the database that it is of."""

    name = "a database is deleted with its snapshots"
    slow = True
    plans = (creation.CREATION.name, components.DELETION.name)

    def ask(self) -> None:
        if Plan.objects.filter(state__in=Plan.OPEN).exists():
            return
        systems = self.fakes.systems()
        if not self.plan(creation.CREATION.name):
            creation.create(Component.objects.get(name="ws_alice"), actor=ACTOR, systems=systems)
        elif not self.plan(components.DELETION.name):
            source_deletion.delete_component(
                Component.objects.get(name="ws_alice"),
                by=Person.objects.get(username="alice"),
                systems=systems,
                delete_snapshots=True,
            )

    def done(self) -> bool:
        return (
            super().done()
            and not self.fakes.kept
            and not Snapshot.objects.exists()
            and not Component.objects.filter(name="ws_alice").exists()
        )


class ContentReplaced(OneDatabase):
    """A snapshot is made, the content changes, and the snapshot is restored in place."""

    name = "a snapshot is restored in place"
    slow = True
    plans = (creation.CREATION.name, in_place_restoration.IN_PLACE_RESTORATION.name)

    def ask(self) -> None:
        if Plan.objects.filter(state__in=Plan.OPEN).exists():
            return
        systems = self.fakes.systems()
        if not self.plan(creation.CREATION.name):
            creation.create(Component.objects.get(name="ws_alice"), actor=ACTOR, systems=systems)
        elif not self.plan(in_place_restoration.IN_PLACE_RESTORATION.name):
            self.fakes.databases[ADDRESS] = {"herbs": ["sage"]}
            first = Snapshot.objects.earliest("created_at")
            in_place_restoration.restore_in_place(first, actor=ACTOR, systems=systems)

    def done(self) -> bool:
        return (
            super().done()
            and self.fakes.databases == {ADDRESS: TABLES}
            and Snapshot.objects.filter(state=Snapshot.State.READY).count() == 2
        )


OF_SNAPSHOTS = (SnapshotComesAndGoes, ContentReplaced, DatabaseGoesWithSnapshots)
