"""Changes to a removal since its preview, computed whenever the draft is opened.

New things of the person join the plan. Further losses of other people are shown apart, and the
confirmation has to echo their mark (`seen`).

See docs/explanation/removal.md#what-happens-between-preview-and-approval.
"""

import json
from collections import Counter
from typing import Annotated, Final

from workspace_manager.contract.connector import Change, FrozenModel
from workspace_manager.contract.member_description import describe
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.views import as_text
from workspace_manager.engine.extras import MessageView, all_said, message_view
from workspace_manager.engine.plan import PlanDocument, essence
from workspace_manager.engine.rows import read
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal import kept_accounts
from workspace_manager.removal.build import build
from workspace_manager.removal.losses import (
    OTHERS_LOSE,
    count_losses,
    find_losses,
    lost_since,
    mark,
    to_be_seen,
)

MADE: Final = {
    "sql_server.database": "sql_database",
    "triplestore.repository": "triplestore_repository",
    "records.project": "project",
    "records.stack": "stack",
    "records.snapshot": "snapshot",
}
"""Kinds of things that a plan removes, and the words that count them."""


class SinceView(FrozenModel):
    """Changes since a draft was made."""

    text: Annotated[
        str,
        describe(
            "How much was added; empty: nothing.", "Since this preview: 1 database, 1 member."
        ),
    ] = ""
    text_message: MessageView | None = None
    lost: Annotated[
        tuple[str, ...],
        describe(
            "What else other people lose.", ["Project “Herbarium” ends for its members: bela."]
        ),
    ] = ()
    lost_messages: tuple[MessageView, ...] = ()
    seen: Annotated[
        str,
        describe(
            "The mark of what else other people lose by it; empty: nothing. The approval echoes "
            "it.",
            "9f2c",
        ),
    ] = ""


def since_preview(plan: Plan, systems: ConnectedSystems) -> SinceView:
    """Compare the draft of a removal with now; nothing if the person is not here."""
    person = Person.objects.filter(id=plan.subject).first() if plan.subject else None
    if person is None:
        return SinceView()
    shown = read(plan)
    fresh = build(person, systems, remove_adopted=kept_accounts.deletes_existing(shown))
    lost = lost_since(shown, find_losses(person))
    before = {as_text(text) for text in shown.remarks}
    new = [one for one in fresh.remarks if isinstance(one, Message) and as_text(one) not in before]
    remarks = [one for one in new if lost and one.code in OTHERS_LOSE]
    text = count_losses(lost, _made(shown, fresh))
    return SinceView(
        text=as_text(text),
        text_message=message_view(text),
        lost=tuple(map(as_text, remarks)),
        lost_messages=all_said(remarks),
        seen=mark(to_be_seen(shown, lost)),
    )


def _made(shown: PlanDocument, fresh: PlanDocument) -> Counter[str]:
    """Count the things that the person made meanwhile, by their words."""
    known = {_text(change) for change in _changes(shown)}
    new = (change for change in _changes(fresh) if _text(change) not in known)
    return Counter(MADE[change.kind] for change in new if change.kind in MADE)


def _changes(document: PlanDocument) -> list[Change]:
    return [planned.change for step in document.steps for planned in step.changes]


def _text(change: Change) -> str:
    return json.dumps(essence(change), sort_keys=True)
