"""The plan as a value: steps in order, each with its changes, what it needs, and why it is skipped.

Targets come from records and derived names alone, so a system that is down at preview changes
nothing. What was shown is stored once as canonical text with its SHA-256; looks and times are in
the journal, and not in the document.
"""

import hashlib
import json
from typing import Any

from pydantic import Field

from workspace_manager.contract.connector import CallPolicy, Change, Facts, FrozenModel
from workspace_manager.contract.message import Message, Words
from workspace_manager.systems import registry


class PlannedChange(FrozenModel):
    """One change of a step and the earlier ones of the same step (by position) that it
    waits for.
    """

    change: Change
    needs: tuple[int, ...] = ()
    name: str = ""
    """What it is about, for people."""
    goes_with: str = ""
    """The name of a later step that does the same, and more: that this is refused holds up
    nothing. "" for a change that its step needs.
    """


class PlannedCredential(FrozenModel):
    """Something a person can keep that a step ends: the look at things of `kind` shows it."""

    name: str
    label: Message
    kind: str


class Policy(FrozenModel):
    """The calls of a system: how it was to be called, and what of its settings decides what a
    change does, when the plan was shown.
    """

    calls: dict[str, CallPolicy] = Field(default_factory=dict)
    """By kind: how long a call may take and when it is made again."""
    decided: Facts = Field(default_factory=dict)


class PlannedStep(FrozenModel):
    """One step. `needs`: numbers of the steps whose end it waits for; `skip`: in words why nothing
    is to do.

    What its system says of it is kept here: the system may be gone when the plan is read.
    """

    n: int
    name: str
    system: str
    needs: tuple[int, ...] = ()
    skip: Words = ""
    changes: tuple[PlannedChange, ...] = ()
    label: Message | None = None
    """What it is called; None for a step that the manager itself has a name for."""
    credentials: tuple[PlannedCredential, ...] = ()
    policy: Policy = Policy()


class PlannedDoor(FrozenModel):
    """A change that takes access away at once, whatever the steps wait for: tried by itself on
    every wake, and kept so until the step `until` has ended.
    """

    change: Change
    until: str
    name: str = ""
    """What it is about, for people."""
    after: tuple[str, ...] = ()
    """Kinds of things whose doors have to be shut before: a credential that is needed to read
    another goes last.
    """


class PlanDocument(FrozenModel):
    """Everything that shall happen to one person's things, every identifier captured before
    anything is removed.
    """

    kind: str
    person: str
    subject: str
    sub: str = ""
    about: str = ""
    steps: tuple[PlannedStep, ...]
    doors: tuple[PlannedDoor, ...] = ()
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
    """The parts of a change that identify it. An id that a system assigned meanwhile makes no other
    thing of what carries our mark.
    """
    kind = registry().kinds.get(change.kind)
    by_looks = kind.recognized_by if kind else ()
    target = {part: value for part, value in change.target.items() if part not in by_looks}
    if target.get("mark"):
        target.pop("project_id", None)
    return {"kind": change.kind, "target": target, "after": change.after}
