"""Choices of how a person is told of each kind of thing that waits for them: at once, once a day,
or never.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from workspace_manager.audit.note import note
from workspace_manager.contract.member_description import describe
from workspace_manager.contract.message import Message
from workspace_manager.core.refusal import BadInput
from workspace_manager.core.views import SAID, CodedMessage, View, as_data
from workspace_manager.inbox import waiting_items
from workspace_manager.inbox.item_kinds import of_things
from workspace_manager.records.models import NoticeChoice, Person
from workspace_manager.webhooks.messages import message

How = NoticeChoice.How
HowName = Literal["at_once", "daily", "never"]
AT_ONCE: Final = frozenset(
    {
        "plan_stuck",
        "recheck_stuck",
        "recheck_found",
        "system_paused",
        "system_down",
        "system_degraded",
        "finding",
        "identity_gone",
        "request",
        "invitation",
        "token",
    }
)
"""What somebody is told of at once who chose nothing; of everything else once a day."""
TOLD_BY_ITSELF: Final = frozenset({"account"})
"""Whoever set the end date has a letter of its own about it (`people/end_dates.py`)."""
TOLD_WHEN_OVER: Final = frozenset(
    {
        "plan_stuck",
        "recheck_stuck",
        "plan_waiting",
        "system_paused",
        "system_down",
        "system_degraded",
        "finding",
        "identity_gone",
        "webhook_off",
    }
)
"""What ends without whoever was told of it: of the rest its end is their own click. All of it waits
for administrators.
"""


class NoticeView(View):
    """The way in which a person is told of one kind of thing."""

    kind: Annotated[str, describe("The kind of thing that waits, as in the inbox.", "system_down")]
    label: Annotated[str, SAID, describe("What it is called.", "Systems that do not answer")]
    label_message: Annotated[CodedMessage, as_data("label")]
    how: Annotated[HowName, describe("How the person is told of it.")]
    usual: Annotated[HowName, describe("How somebody is told who chose nothing.")]


class NoticesView(View):
    """The ways in which a person is told of each kind of thing that may wait for them."""

    notices: Annotated[list[NoticeView], describe("One for each kind.")]


def view_notices(person: Person) -> NoticesView:
    """Return how one person is told, for every door."""
    return NoticesView(
        notices=[
            NoticeView.model_validate(
                {"kind": kind, "label": of_things(kind), "how": how, "usual": default_choice(kind)}
            )
            for kind, how in read_choices(person).items()
        ]
    )


def default_choice(kind: str) -> How:
    """Return how somebody is told who chose nothing."""
    if kind in TOLD_BY_ITSELF:
        return How.NEVER
    return How.AT_ONCE if kind in AT_ONCE else How.DAILY


def kinds_of(person: Person, now: datetime) -> list[str]:
    """The kinds of things that may ever wait for this person."""
    found = waiting_items.SOURCES.items()
    return [kind for kind, source in found if source.waiting(person, now) is not None]


def read_choices(person: Person, now: datetime | None = None) -> dict[str, How]:
    """Return how this person is told of each kind that is for them."""
    chosen = of_all([person])[person.pk]
    return {kind: how_of(chosen, kind) for kind in kinds_of(person, now or timezone.now())}


def of_all(people: Iterable[Person]) -> dict[UUID, dict[str, str]]:
    """The choices of each of these people, by their ids, in one statement."""
    found: dict[UUID, dict[str, str]] = {person.pk: {} for person in people}
    rows = NoticeChoice.objects.filter(person__in=list(found))
    for id_, kind, how in rows.values_list("person_id", "kind", "how"):
        found[id_][kind] = how
    return found


def how_of(chosen: Mapping[str, str], kind: str) -> How:
    """Return how somebody is told of a kind who chose this."""
    return How(chosen.get(kind) or default_choice(kind))


def choose(person: Person, chosen: Mapping[str, str]) -> dict[str, How]:
    """Keep these; kinds that are not named stay. Raises BadInput naming what cannot be chosen."""
    known = kinds_of(person, timezone.now())
    errors: dict[str, Message] = {
        **{kind: message("no_kind") for kind in chosen if kind not in known},
        **{kind: message("how") for kind, how in chosen.items() if how not in How.values},
    }
    if errors:
        raise BadInput(errors)
    with transaction.atomic():
        # A removal that ended just now left no row, and none shall come back.
        current = Person.objects.select_for_update().filter(id=person.id).first()
        if current is not None and chosen:
            NoticeChoice.objects.filter(person=current, kind__in=chosen).delete()
            NoticeChoice.objects.bulk_create(
                NoticeChoice(person=current, kind=kind, how=how)
                for kind, how in chosen.items()
                if how != default_choice(kind)
            )
            note("person:notices", current.username, actor=current.username, **chosen)
    return read_choices(person)
