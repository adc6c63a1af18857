"""The plan as a value: steps in order, each with its changes, what it needs, and why it is skipped.

Targets come from records and derived names alone, so a system that is down at preview changes nothing. The digest covers kinds,
targets, order, needs and skips; not looks and not times.
"""

import hashlib
import json
from typing import Any

from pydantic import Field

from workspace_manager.contract.connector import Change, Frozen


class PlannedChange(Frozen):
    """One change of a step and the earlier ones of the same step (by position) that it waits for."""

    change: Change
    needs: tuple[int, ...] = ()
    name: str = ""
    """What it is about, for people."""


class PlannedStep(Frozen):
    """One step. `needs`: numbers of the steps whose end it waits for; `skip`: in words why nothing is to do."""

    n: int
    name: str
    system: str
    needs: tuple[int, ...] = ()
    skip: str = ""
    changes: tuple[PlannedChange, ...] = ()


class PlanDocument(Frozen):
    """Everything that shall happen to one person's things, every identifier captured before anything is removed."""

    kind: str
    person: str
    subject: str
    sub: str = ""
    about: str = ""
    steps: tuple[PlannedStep, ...]
    by_hand: tuple[str, ...] = ()
    """What no step can do: known when the plan is made."""
    remarks: tuple[str, ...] = ()
    """What the reader of the preview should know: members and what they lose, what stays."""
    captured: dict[str, str] = Field(default_factory=dict)
    """Further identifiers that must outlive the rows they come from (e-mail for the letter at the end, …)."""

    def digest(self) -> str:
        """Sign what will be done: opaque to readers, equal for equal plans."""
        essence = {
            "kind": self.kind,
            "subject": self.subject,
            "sub": self.sub,
            "about": self.about,
            "steps": [_essence(step) for step in self.steps],
        }
        canonical = json.dumps(essence, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(canonical.encode()).hexdigest()

    def targets(self) -> frozenset[str]:
        """Every (step, kind, target, wish) as comparable text: a rebuilt plan may have fewer, never others."""
        return frozenset(
            json.dumps([step.name, _change(planned.change)], sort_keys=True)
            for step in self.steps
            for planned in step.changes
        )


def _essence(step: PlannedStep) -> dict[str, Any]:
    return {
        "n": step.n,
        "name": step.name,
        "needs": list(step.needs),
        "skip": step.skip,
        "changes": [[_change(p.change), list(p.needs)] for p in step.changes],
    }


def _change(change: Change) -> dict[str, Any]:
    """What makes a change this one. An id that a system assigned meanwhile makes no other thing of what carries our mark."""
    target = dict(change.target)
    if target.get("mark"):
        target.pop("project_id", None)
    return {"kind": change.kind, "target": target, "after": change.after}
