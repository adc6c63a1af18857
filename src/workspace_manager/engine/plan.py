"""The plan as a value: steps in order, each with its changes, what it needs, and why it is skipped.

Targets come from records and derived names alone, so a system that is down at preview changes
nothing. What was shown is stored once as canonical text with its SHA-256; looks and times are in
the journal, and not in the document.
"""

import hashlib
import json
from typing import Any

from pydantic import Field

from workspace_manager.contract.connector import Change, Frozen
from workspace_manager.contract.message import Words


class PlannedChange(Frozen):
    """One change of a step and the earlier ones of the same step (by position) that it
    waits for.
    """

    change: Change
    needs: tuple[int, ...] = ()
    name: str = ""
    """What it is about, for people."""


class PlannedStep(Frozen):
    """One step. `needs`: numbers of the steps whose end it waits for; `skip`: in words why nothing
    is to do.
    """

    n: int
    name: str
    system: str
    needs: tuple[int, ...] = ()
    skip: Words = ""
    changes: tuple[PlannedChange, ...] = ()


class PlanDocument(Frozen):
    """Everything that shall happen to one person's things, every identifier captured before
    anything is removed.
    """

    kind: str
    person: str
    subject: str
    sub: str = ""
    about: str = ""
    steps: tuple[PlannedStep, ...]
    by_hand: tuple[Words, ...] = ()
    """What no step can do: known when the plan is made."""
    remarks: tuple[Words, ...] = ()
    """What the reader of the preview should know: members and what they lose, what stays."""
    captured: dict[str, str] = Field(default_factory=dict)
    """Further identifiers that must outlive the rows they come from (e-mail for the letter at the
    end, …).
    """

    def canonical(self) -> str:
        """The document as it is stored and signed: the same text for the same document."""
        document = self.model_dump(mode="json")
        return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    def targets(self) -> frozenset[str]:
        """Every (step, kind, target, wish) as comparable text: a rebuilt plan may have fewer, never
        others.
        """
        return frozenset(
            json.dumps([step.name, essence(planned.change)], sort_keys=True)
            for step in self.steps
            for planned in step.changes
        )


def digest_of(text: str) -> str:
    """The SHA-256 of a document's text: opaque to readers."""
    return hashlib.sha256(text.encode()).hexdigest()


def parsed(text: str) -> PlanDocument:
    """The document of a stored text. What an earlier or later version wrote into it and this one
    does not know is passed over.
    """
    return PlanDocument.model_validate_json(text, extra="ignore")


def essence(change: Change) -> dict[str, Any]:
    """What makes a change this one. An id that a system assigned meanwhile makes no other thing of
    what carries our mark.
    """
    target = dict(change.target)
    if target.get("mark"):
        target.pop("project_id", None)
    return {"kind": change.kind, "target": target, "after": change.after}
