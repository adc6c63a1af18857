"""Bulk actions: one action on several people, previewed, done once, and reported for each.

Each person is handled by the function for a single one, so that the same rules hold. People who
changed since the preview are left alone and reported.

See docs/explanation/people.md#several-at-once.
"""

import hashlib
import logging
import time
import uuid
from collections.abc import Iterable, Mapping
from typing import Final

from django.db import Error, transaction

from workspace_manager.audit.note import note
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.states import state_of
from workspace_manager.core.text_safety import is_unshowable
from workspace_manager.letters import access_letters
from workspace_manager.people import bulk_orders, end_dates
from workspace_manager.people.bulk_orders import LONGEST_S, Act, BulkAction, Order, Result
from workspace_manager.people.messages import message
from workspace_manager.people.suspend import suspend
from workspace_manager.people.suspension_terms import refuse_terms
from workspace_manager.records.models import Person, Plan
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.kind import REMOVAL

log = logging.getLogger(__name__)

MOST: Final = 200
LONGEST_SUBJECT, LONGEST_TEXT = 150, 10_000


def refuse_wanted(wanted: BulkAction) -> None:
    """Raise BadInput for an action that is possible with nobody."""
    match wanted.act:
        case Act.SUSPEND:
            refuse_terms(wanted.terms)
        case Act.END_DATE:
            if wanted.day is None:
                raise BadInput({"day": message("end_format")})
            end_dates.refuse_day(wanted.day)
        case Act.LETTER:
            _refuse_letter(wanted)


def _refuse_letter(wanted: BulkAction) -> None:
    if not 0 < len(wanted.subject) <= LONGEST_SUBJECT or is_unshowable(wanted.subject):
        raise BadInput({"subject": message("letter_subject", count=LONGEST_SUBJECT)})
    lines = [line for line in wanted.text.splitlines() if line.strip()]
    if not lines or len(wanted.text) > LONGEST_TEXT or any(map(is_unshowable, lines)):
        raise BadInput({"text": message("letter_text", count=LONGEST_TEXT)})


def mark_of(person: Person) -> str:
    """Return a digest of the shown state of a person."""
    shown = (person.id, person.state, person.role, person.email, person.ends_at)
    return hashlib.sha256(repr([str(one) for one in shown]).encode()).hexdigest()[:16]


def preview(
    people: Iterable[Person], act: Act, *, actor: str
) -> list[tuple[Person, Message | None]]:
    """Return each person with the foreseeable reason why not; in one query."""
    rows = list(people)
    going = set(
        Plan.objects.filter(
            kind=REMOVAL.name, state__in=Plan.OPEN, subject__in=[str(one.id) for one in rows]
        ).values_list("subject", flat=True)
    )
    return [(one, _obstacle(one, act, actor, being_removed=str(one.id) in going)) for one in rows]


def _obstacle(person: Person, act: Act, actor: str, *, being_removed: bool) -> Message | None:
    name, state = person.username, Person.State(person.state)
    if name == actor:
        return message("not_with_yourself")
    if act == Act.LETTER:
        return None if person.email else message("no_address", name=name)
    if state == Person.State.LEAVING or being_removed:
        return message("not_here", name=name, state=state_of(Person.State.LEAVING))
    if act == Act.SUSPEND and state != Person.State.ACTIVE:
        return message("not_active", name=name, state=state_of(state))
    return None


def carry_out(
    order: uuid.UUID,
    wanted: BulkAction,
    chosen: Mapping[str, str],
    *,
    actor: str,
    systems: ConnectedSystems,
) -> None:
    """Do it for everybody chosen (user name: mark), unless the order was taken before. Results are
    saved in any case (`bulk_orders.results`). Raises BadInput.
    """
    refuse_wanted(wanted)
    if len(chosen) > MOST:
        raise BadInput({"chosen": message("too_many", count=MOST)})
    sent = Order(order, actor, wanted, dict(chosen))
    if not bulk_orders.take(sent):
        return
    until, results = time.monotonic() + LONGEST_S, dict[str, Result]()
    try:
        for username in chosen:
            if time.monotonic() >= until:
                break
            # Remains if an unexpected error ends the loop; a continuation starts behind it.
            results[username] = Result(username, message("failed", name=username))
            results[username] = _tried(username, sent, results, systems)
    finally:
        bulk_orders.write_down(sent, results)


def _tried(
    username: str, order: Order, before: Mapping[str, Result], systems: ConnectedSystems
) -> Result:
    """Return the result for one person, independent of the others."""
    try:
        return _done(username, order, before, systems)
    except Refused as no:
        return Result(username, no.message)
    except BadInput as no:
        return Result(username, join_messages(no.messages.values(), by=" "))
    except ConnectorError as error:
        return Result(username, error.message)
    except Person.DoesNotExist:
        return Result(username, message("not_here_any_more", name=username))
    except Error:
        log.exception("%s was not done with somebody", order.wanted.act)
        return Result(username, message("failed", name=username))


def _done(
    username: str, order: Order, before: Mapping[str, Result], systems: ConnectedSystems
) -> Result:
    with transaction.atomic():
        person = Person.objects.get(username=username)
        if mark_of(person) != order.chosen[username]:
            return Result(username, message("changed_since", name=username))
        ((_, why),) = preview([person], order.wanted.act, actor=order.actor)
        if why is not None:
            return Result(username, why)
        done = Result(username, plan=_do(person, order.wanted, order.actor, systems))
        bulk_orders.keep_done(order, [one for one in (*before.values(), done) if not one.why])
        return done


def _do(person: Person, wanted: BulkAction, actor: str, systems: ConnectedSystems) -> str:
    """Return the plan's id, or "" if there is none. Raises Refused."""
    name = person.username
    match wanted.act:
        case Act.SUSPEND:
            return str(suspend(name, actor=actor, systems=systems, terms=wanted.terms).id)
        case Act.REMOVAL:
            return str(draft_removal(name, actor=actor, systems=systems).id)
        case Act.END_DATE | Act.NO_END_DATE:
            end_dates.set_end(name, wanted.day, actor=actor)
        case Act.LETTER:
            access_letters.by_administrator(person, wanted.subject, wanted.text)
            note("person:letter", name, actor=actor)
    return ""
