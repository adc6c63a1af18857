"""Scenarios of service keys that are killed: see `scenarios`."""

from tests.crash.fake_systems import FakeSystems
from tests.crash.scenario import ACTOR, SUB, Scenario
from workspace_manager.accounts import keys, public_read, renewal
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import Account, Component, Plan, ServiceKey


class Renewal(Scenario):
    """Another secret for an account that stands, and for what is stored beside it."""

    name = "renewal of a key"
    plans = (renewal.RENEWAL.name,)
    old = "the old one"

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        ServiceKey.objects.create(
            owner=self.alice(), system="sql_server", account="alice", label="SQL",
            secret=Secret(self.old),
        )  # fmt: skip
        fakes.things["sql_server.user:alice"]["secrets"] = {"password": self.old}
        fakes.things[f"identity_provider.attributes:{SUB}"]["secrets"] = {"sql_password": self.old}

    def ask(self) -> None:
        if not self.plan(renewal.RENEWAL.name):
            renewal.renew(ServiceKey.objects.get(), actor=ACTOR, systems=self.fakes.systems())

    def done(self) -> bool:
        """The secret its owner will be shown is the one in every place."""
        key = ServiceKey.objects.get()
        user = self.fakes.things["sql_server.user:alice"]["secrets"]
        stored = self.fakes.things[f"identity_provider.attributes:{SUB}"]["secrets"]
        assert key.secret is not None
        places = {key.secret.reveal(), user["password"], stored["sql_password"]}
        return super().done() and len(places) == 1 and places != {self.old}


class OpenedAndClosed(Scenario):
    """A repository that everybody may read for a while."""

    name = "a repository is opened to everybody and closed"
    slow = True
    plans = (public_read.PUBLISHING.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        Component.objects.create(
            owner=self.alice(), kind=public_read.KIND, label="Ferns", name="alice_ferns",
            state=Component.State.READY,
        )  # fmt: skip
        fakes.things["triplestore.repository:alice_ferns"] = {"title": "Ferns"}

    def ask(self) -> None:
        systems, plans = self.fakes.systems(), Plan.objects.filter(kind=self.plans[0])
        ended = not plans.exclude(state=Plan.State.DONE).exists()
        if ended and plans.count() < 2:
            repository = Component.objects.get(name="alice_ferns")
            public_read.switch(
                repository, on=not plans.exists(), by=repository.owner, systems=systems
            )

    def done(self) -> bool:
        repository = Component.objects.get(name="alice_ferns")
        seen = self.fakes.things.get("triplestore.public:alice_ferns") or {"read": False}
        twice = Plan.objects.filter(kind=self.plans[0]).count() == 2
        return super().done() and twice and not (repository.public_read or seen["read"])


class MachineKey(Scenario):
    """An account for a program is made, and goes again."""

    name = "a machine key comes and goes"
    plans = (keys.CREATION.name, keys.DELETION.name)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        self.alice()

    def ask(self) -> None:
        systems, made = self.fakes.systems(), self.plan(keys.CREATION.name)
        if made is None:
            database = Component.objects.get(kind="sql_database")
            keys.create(database, "Import", actor="alice", systems=systems)
        elif made.state == Plan.State.DONE and not self.plan(keys.DELETION.name):
            keys.delete(ServiceKey.objects.get(), actor="alice", systems=systems)

    def done(self) -> bool:
        left = [key for key in self.fakes.things if key.startswith("sql_server.user:wm_")]
        accounts = Account.objects.filter(machine=True).exists()
        return super().done() and not (left or accounts or ServiceKey.objects.exists())
