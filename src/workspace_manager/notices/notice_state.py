"""The state of people before anything is told: what they chose, had in the morning, and were told
of. Read for many people at once, so that a look costs as much for many as for one.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from workspace_manager.notices import choices
from workspace_manager.notices.choices import How
from workspace_manager.records.models import NoticeDigest, NoticeSent, Person


@dataclass(frozen=True)
class Reader:
    """Somebody for whom something of these kinds may wait."""

    person: Person
    how: Mapping[str, How]
    """How they are told of each of these kinds."""
    day: date | None
    """For which day they had the daily letter; None before the first one."""
    open: list[NoticeSent]
    """Of what they were told and what is not known to be over, without what it was."""

    def kinds(self, how: How) -> list[str]:
        return [kind for kind, one in self.how.items() if one == how]


def readers(people: Iterable[tuple[Person, Iterable[str]]]) -> list[Reader]:
    """The state of these people, in three statements."""
    some = list(people)
    ids = [person.pk for person, _ in some]
    chosen = choices.of_all(person for person, _ in some)
    days = dict(NoticeDigest.objects.filter(person__in=ids).values_list("person_id", "day"))
    open_: dict[UUID, list[NoticeSent]] = defaultdict(list)
    told = NoticeSent.objects.filter(person__in=ids, ended_at=None).defer("what")
    for row in told.order_by("sent_at", "id"):
        open_[row.person_id].append(row)
    return [
        Reader(
            person,
            {kind: choices.how_of(chosen[person.pk], kind) for kind in sorted(kinds)},
            days.get(person.pk),
            open_[person.pk],
        )
        for person, kinds in some
    ]
