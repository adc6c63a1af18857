"""One worker's turn on one plan: what the engine's parts share."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from workspace_manager.contract.connector import Change, Evidence
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.lease import Claim
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.records.models import Plan, PlanStep

Follower: TypeAlias = Callable[[Plan, ConnectedSystems], None]
"""What a kind of plan does when its state is written, in the same transaction: set a component's state, close a removal."""

Wish: TypeAlias = Callable[[Change], Change]
"""What a change shall bring about at the moment of acting, where that follows from more than the plan."""


def _nothing(_plan: Plan, _driven: ConnectedSystems) -> None:
    return None


def _as_written(change: Change) -> Change:
    return change


@dataclass(frozen=True)
class Customs:
    """What the stories add to the engine for one kind of plan."""

    follow: Follower = _nothing
    wish: Wish = _as_written


PlanId: TypeAlias = uuid.UUID


@dataclass
class Trouble:
    """Why a change could not be finished this time. `cause`: the error's name in lower case, "paused" or "suspended"."""

    error: ConnectorError
    next_try: datetime | None
    cause: str

    @property
    def stuck(self) -> bool:
        return self.cause not in {"unavailable", "paused", "suspended"}


@dataclass
class Turn:
    """A claimed plan, its document, the systems, and the rights proven in this turn."""

    claim: Claim
    plan: Plan
    document: PlanDocument
    systems: ConnectedSystems
    customs: Customs = Customs()
    proven: dict[str, Evidence] = field(default_factory=dict)

    def steps(self) -> list[PlanStep]:
        """The steps as they are in the database now."""
        return list(self.plan.steps.order_by("n"))

    def find(self, text: str) -> None:
        """Note something extra for people on the plan, once."""
        if text not in self.plan.findings:
            self.plan.findings.append(text)
            with self.claim.writing():
                Plan.objects.filter(id=self.plan.id).update(findings=self.plan.findings)
