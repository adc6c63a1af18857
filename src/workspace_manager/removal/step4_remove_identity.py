"""Step 4: delete the identity-provider user with all attributes. A user that a directory would
bring back is disabled instead, and the directory is left for manual work.

Needs step 3, since the app password to revoke is stored nowhere else. The notebook is stopped once
more afterwards: a hub cookie outlives a stop, and could have started the notebook again until the
identity was gone.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from django.db.models import Q

from workspace_manager.contract.connector import UNKNOWN, Change
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.engine.rows import change_of, plan_change
from workspace_manager.records.models import PlanChange, PlanStep
from workspace_manager.removal import step1_stop_notebook
from workspace_manager.removal.capture import CapturedPerson, no_link
from workspace_manager.removal.sign_in_block import END
from workspace_manager.systems.identity_provider.accounts import SHUT
from workspace_manager.systems.identity_provider.messages import message

KIND: Final = "identity_provider.user"
LEFT: Final = Q(kind=KIND, step__name=END, state=PlanChange.State.BY_HAND)
"""Users that are not gone, or whose name belongs to a directory; the follow-up check looks
again.
"""


def step(captured: CapturedPerson) -> PlannedStep:
    """Return the step; skipped without account link."""
    if not captured.sub:
        return PlannedStep(
            n=4,
            name=END,
            system="identity_provider",
            needs=(3,),
            skip=no_link(captured.username),
        )
    delete = Change(
        kind=KIND,
        subject=captured.subject,
        target={"sub": captured.sub, "username": captured.username},
    )
    changes: list[PlannedChange] = [plan_change(delete, name=captured.sub)]
    if not captured.not_configured("notebook_hub", step1_stop_notebook.KIND):
        changes += [plan_change(stop, 0) for stop in step1_stop_notebook.plan_stops(captured)]
    return PlannedStep(
        n=4, name=END, system="identity_provider", needs=(3,), changes=tuple(changes)
    )


def foreseen_remarks(steps: Sequence[PlanStep]) -> Iterator[Message]:
    """Return remarks on work that the preview already expects to be manual."""
    for step in steps:
        for row in step.changes.all():
            change = change_of(row)
            if step.name == END and row.kind == KIND and row.state not in PlanChange.ENDED:
                yield from _left_to_a_person(change)


def _left_to_a_person(change: Change) -> Iterator[Message]:
    seen = change.before if isinstance(change.before, dict) else {}
    person, directory = Named(person=change.target["username"]), str(seen.get("directory") or "")
    if seen.get("same_name"):
        sub = str(seen["same_name"])
        yield message("same_name_in_directory", person=person, directory=directory, sub=sub)
    elif directory:
        yield message("end_in_directory", person=person, directory=directory)


def shut_again(change: Change) -> Change:
    """Return the follow-up check of a remaining user: still shut, or shut now. The name tells
    whether the account was approved for somebody else since.
    """
    kept = {"subject": "", "before": UNKNOWN, "new": False, "note": change.target["username"]}
    return change.model_copy(update={**kept, "after": dict(SHUT)})
