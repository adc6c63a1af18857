"""One worker's turn on one plan: what the engine's parts share."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from workspace_manager.contract.connector import Evidence
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.lifecycle.driven import DrivenSystems
from workspace_manager.lifecycle.planning.claim import Claim
from workspace_manager.lifecycle.planning.plan import PlanDocument
from workspace_manager.records.models import Plan, PlanStep

Follower: TypeAlias = Callable[[Plan], None]
"""What a kind of plan does when its state is written, in the same transaction: set a component's state, close a removal."""

LateLook: TypeAlias = Callable[[Claim, Plan, DrivenSystems], None]

PlanId: TypeAlias = uuid.UUID


@dataclass
class Trouble:
    """Why a change could not be finished this time. `cause`: the error's name in lower case, or "paused"."""

    error: ConnectorError
    next_try: datetime | None
    cause: str

    @property
    def stuck(self) -> bool:
        return self.cause not in {"unavailable", "paused"}


@dataclass
class Turn:
    """A claimed plan, its document, the systems, and the rights proven in this turn."""

    claim: Claim
    plan: Plan
    document: PlanDocument
    driven: DrivenSystems
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
