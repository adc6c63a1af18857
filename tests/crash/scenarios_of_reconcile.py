"""Scenarios of repairs that are killed: see `scenarios`."""

from django.utils import timezone

from tests.crash.fake_systems import FakeSystems
from tests.crash.scenario import ACTOR, Scenario
from workspace_manager.reconcile import repairs
from workspace_manager.reconcile.plan import REPAIR
from workspace_manager.records.models import Plan, ReconcileItem


class Repair(Scenario):
    """An account of nobody, removed after somebody said yes."""

    name = "an account of nobody is removed"
    plans = (REPAIR.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        now = timezone.now()
        ReconcileItem.objects.create(
            difference="unknown_account", system="sql_server", kind="sql_server.user",
            name="carl", target={"user": "carl"}, first_seen=now, last_seen=now,
        )  # fmt: skip
        fakes.things["sql_server.user:carl"] = {"exists": True}

    def ask(self) -> None:
        plan = self.plan(REPAIR.name)
        if plan is None:
            plan = repairs.draft_removal(ReconcileItem.objects.get().n, actor=ACTOR)
        if plan.state == Plan.State.DRAFT:
            repairs.approve(plan.id, digest=plan.digest, actor=ACTOR)

    def done(self) -> bool:
        gone = "sql_server.user:carl" not in self.fakes.things
        return super().done() and gone and ReconcileItem.objects.get().ended_at is not None
