"""Scenarios of repairs that are killed: see `scenarios`."""

from django.utils import timezone

from tests.crash.fake_systems import FakeSystems
from tests.crash.scenario import ACTOR, Scenario
from workspace_manager import worker
from workspace_manager.reconcile import repairs
from workspace_manager.reconcile.plan import REPAIR, SETTLE
from workspace_manager.records.models import Person, Plan, Project, ReconcileItem
from workspace_manager.work import memberships


class Repair(Scenario):
    """An account of nobody, removed after somebody said yes."""

    name = "an account of nobody is removed"
    plans: tuple[str, ...] = (REPAIR.name,)
    what = "remove"

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        self.begin()

    def begin(self) -> None:
        """What the comparison found."""
        now = timezone.now()
        ReconcileItem.objects.create(
            difference="unknown_account", system="sql_server", kind="sql_server.user",
            name="carl", target={"user": "carl"}, first_seen=now, last_seen=now,
        )  # fmt: skip
        self.fakes.things["sql_server.user:carl"] = {"exists": True}

    def ask(self) -> None:
        plan = self.plan(self.plans[0])
        if plan is None:
            n = ReconcileItem.objects.get().n
            plan = repairs.draft(n, self.what, actor=ACTOR, systems=self.fakes.systems())
        if plan.state == Plan.State.DRAFT:
            repairs.approve(plan.id, digest=plan.digest, actor=ACTOR)

    def done(self) -> bool:
        ended = ReconcileItem.objects.get().ended_at is not None
        return super().done() and ended and self.repaired()

    def repaired(self) -> bool:
        """Whether it is so there."""
        return "sql_server.user:carl" not in self.fakes.things


class RightGivenBack(Repair):
    """A right that a member has by the records, and has no more there."""

    name = "a right is given back"
    plans = (SETTLE.name,)
    what = "give_back"

    def begin(self) -> None:
        self.alice()
        self.bob(member=False)
        project, bob = Project.objects.get(), Person.objects.get(username="bob")
        memberships.add(project, bob, actor=ACTOR, systems=self.fakes.systems())
        worker.every_minute.call_local()
        Plan.objects.all().delete()
        del self.fakes.things["sql_server.grant:ws_alice bob"]
        now = timezone.now()
        ReconcileItem.objects.create(
            difference="holder_lacks", system="sql_server", kind="sql_server.database",
            name="ws_alice", holder="bob", username="bob", target={"database": "ws_alice"},
            first_seen=now, last_seen=now,
        )  # fmt: skip

    def repaired(self) -> bool:
        return "sql_server.grant:ws_alice bob" in self.fakes.things
