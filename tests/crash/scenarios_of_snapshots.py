"""Scenarios of snapshots that are killed: see `scenarios`."""

from tests.crash.fake_systems import FakeSystems
from tests.crash.scenario import ACTOR, SUB, Scenario
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import Component, Plan, ServiceKey, Snapshot
from workspace_manager.snapshots import creation, deletion, restoration

ADDRESS = "mysql://127.0.0.1:3306/ws_alice"
PASSWORD = "the one"
TABLES = {"herbs": ["sage", "thyme"]}


class SnapshotComesAndGoes(Scenario):
    """Made, brought back as a new database, and deleted."""

    name = "a snapshot is made, brought back and deleted"
    slow = True
    plans = (creation.CREATION.name, restoration.RESTORATION.name, deletion.DELETION.name)

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
