"""Take over proposed accounts after a look, and undo it.

A confirmation is stored with its whole choice and then carried out in batches, each in its own
transaction: the first at once, the rest by the worker, which continues after a crash. Repeating a
confirmation continues the stored one. Each account is judged again when it is recorded.

See docs/howto/take-over.md.
"""

import hashlib
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django.db import IntegrityError, transaction

from workspace_manager.access.administrators import refuse_former
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.refusal import Refused
from workspace_manager.core.wake import wake_take_overs
from workspace_manager.people import import_people
from workspace_manager.people.import_people import ImportedAccount, ProviderUser
from workspace_manager.people.unlinked_sign_ins import KIND
from workspace_manager.reconcile.items import last_run
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.proposals import OwnerMatcher, Proposal, digest, proposals
from workspace_manager.records.models import (
    Account,
    Person,
    ReconcileItem,
    ReconcileRun,
    TakeOver,
)

AT_ONCE: Final = 250
"""The most accounts that one transaction records; sign-ins wait for no more."""
TRIES: Final = 3
"""Retries, if somebody gets the same name at the same moment."""


@dataclass(frozen=True)
class UndoOutcome:
    """`accounts`: how many belong to nobody again. `kept`: people who did something meanwhile."""

    accounts: int
    kept: tuple[str, ...]


def run_to_confirm() -> ReconcileRun:
    """Return the comparison whose proposals can be confirmed. Raises Refused if there is none."""
    run = last_run()
    if run is None:
        raise Refused(message("no_run"))
    return run


def shown_of(run: ReconcileRun, systems: ConnectedSystems, asked: ListQuery) -> list[Proposal]:
    """Return the proposals of the last comparison. Raises Refused for an older one."""
    if run.finished_at is None:
        raise Refused(message("take_over.not_ended"))
    last = last_run()
    if last is not None and last.id != run.id:
        raise Refused(message("old_run", run=str(last.id)))
    return proposals(systems, asked)


def confirm(
    run: ReconcileRun,
    *,
    digest_shown: str,
    asked: ListQuery,
    chosen: Collection[int] | None,
    actor: str,
    systems: ConnectedSystems,
) -> TakeOver:
    """Take over what was shown, or what was `chosen` of it: one batch now, the rest by the worker.
    A second call continues the same take-over or returns its result. Raises Refused before anything
    was taken over.
    """
    key = _key(run, digest_shown, chosen)
    row = TakeOver.objects.filter(key=key).first()
    if row is None:
        picked = _picked(shown_of(run, systems, asked), digest_shown, chosen)
        try:
            row = _stored(run, key, digest_shown, picked, actor)
        except IntegrityError:
            # Another window confirmed first; this call continues that take-over.
            row = TakeOver.objects.get(key=key)
    _next(row, systems)
    return row


def _stored(
    run: ReconcileRun, key: str, digest_shown: str, picked: Sequence[Proposal], actor: str
) -> TakeOver:
    with transaction.atomic():
        refuse_former(actor)
        row = TakeOver.objects.create(
            run=run.id,
            key=key,
            items=[[one.item.n, one.username] for one in picked],
            confirmed_by=actor,
            confirmed_at=database_now(),
        )
        note(
            "take_over:confirmed",
            str(row.id),
            actor=actor,
            digest=digest_shown,
            people=sum(one.new for one in picked),
            accounts=len(picked),
        )
        wake_take_overs()
    return row


def _key(run: ReconcileRun, digest_shown: str, chosen: Collection[int] | None) -> str:
    which = "all" if chosen is None else ",".join(map(str, sorted(chosen)))
    return hashlib.sha256(f"{run.id} {digest_shown} {which}".encode()).hexdigest()


def _picked(
    shown: Sequence[Proposal], digest_shown: str, chosen: Collection[int] | None
) -> list[Proposal]:
    """Return what to take over, people first, since other accounts are given to them."""
    if digest(shown) != digest_shown:
        raise Refused(message("take_over.not_as_shown"))
    proposed = {one.item.n: one for one in shown if one.username}
    for n in chosen or ():
        if n not in proposed:
            raise Refused(message("not_proposed", n=n))
    picked = [one for n, one in proposed.items() if chosen is None or n in chosen]
    if not picked:
        raise Refused(message("nothing"))
    return sorted(picked, key=lambda one: one.item.kind != KIND)


def go_on(row: TakeOver, systems: ConnectedSystems) -> None:
    """Carry out the rest of a confirmation."""
    while row.finished_at is None:
        _next(row, systems)


def go_on_with_all(systems: ConnectedSystems) -> None:
    """Carry out the rest of every confirmation, in the order of their making."""
    for row in TakeOver.objects.filter(finished_at=None).order_by("confirmed_at"):
        go_on(row, systems)


def _next(row: TakeOver, systems: ConnectedSystems) -> None:
    for left in range(TRIES - 1, -1, -1):
        if row.finished_at is not None:
            return
        try:
            with transaction.atomic():
                _some(row, systems)
            return
        except IntegrityError:
            if not left:
                raise


def _some(row: TakeOver, systems: ConnectedSystems) -> None:
    current = TakeOver.objects.select_for_update().get(id=row.id)
    batch = current.items[current.done : current.done + AT_ONCE]
    if batch and current.undone_at is None:
        refused = _taken(current, dict(batch), systems)
        current.refused += [[n, why.model_dump(mode="json")] for n, why in refused.items()]
        current.done += len(batch)
    if current.done >= len(current.items) or current.undone_at is not None:
        current.finished_at = database_now()
    current.save(update_fields=["refused", "done", "finished_at"])
    row.__dict__.update(current.__dict__)


def _taken(
    by: TakeOver, wanted: Mapping[int, str], systems: ConnectedSystems
) -> dict[int, Message]:
    """Record a batch in the caller's transaction, and return the reasons for those that no longer
    apply.
    """
    refused = {n: message("gone") for n in wanted}
    rows = ReconcileItem.objects.select_for_update().filter(n__in=wanted, ended_at=None)
    items = list(rows.order_by("n"))
    users = [item for item in items if item.kind == KIND]
    # People come first: other accounts of this batch may be theirs.
    for part in (users, [item for item in items if item.kind != KIND]):
        if not part:
            continue
        judge, recorded = OwnerMatcher(systems), _recorded(part)
        judged = {item.n: _judged(judge.of(item), wanted[item.n], recorded) for item in part}
        _write(by, [one for one in judged.values() if isinstance(one, Proposal)])
        refused |= {n: one for n, one in judged.items() if isinstance(one, Message)}
        for n, one in judged.items():
            if isinstance(one, Proposal):
                del refused[n]
    taken = wanted.keys() - refused.keys()
    ReconcileItem.objects.filter(n__in=taken).update(ended_at=database_now())
    return refused


def _judged(
    found: Proposal, username: str, recorded: Mapping[tuple[str, str], str]
) -> Proposal | Message:
    """Return the proposal if it is still as shown; else the reason."""
    owner = recorded.get((found.item.kind, found.item.name))
    if owner is not None:
        return message("recorded", person=Named(person=owner))
    if found.username == username:
        return found
    return message("changed", why=found.why) if found.username else found.why


def _write(by: TakeOver, good: Sequence[Proposal]) -> None:
    new = [(one.username, one.item) for one in good if one.new]
    import_people.take_in(
        [
            ProviderUser(one.name, name, one.email, one.email_confirmed, one.full_name)
            for name, one in new
        ],
        by,
    )
    old = [(one.username, one.item) for one in good if not one.new]
    people = Person.objects.in_bulk({name for name, _ in old}, field_name="username")
    import_people.give(
        [ImportedAccount(i.system, i.kind, i.name, people[name]) for name, i in old],
        by,
    )


def _recorded(items: Sequence[ReconcileItem]) -> dict[tuple[str, str], str]:
    names = {one.name for one in items}
    rows = Account.objects.filter(name__in=names, gone_at=None)
    return {(row.kind, row.name): row.username for row in rows}


def undo(take_over_id: uuid.UUID, *, actor: str) -> UndoOutcome:
    """Undo a confirmation: the people it made and the accounts it gave go back. People who did
    something meanwhile keep everything. Raises Refused, and TakeOver.DoesNotExist.
    """
    count, kept = 0, set[str]()
    with transaction.atomic():
        refuse_former(actor)
        row = TakeOver.objects.select_for_update().get(id=take_over_id)
        if row.undone_at is not None and not row.accounts.exists():
            raise Refused(message("undone_already"))
        row.undone_at, row.undone_by = database_now(), actor
        # Lets the same proposals be confirmed again.
        row.key = hashlib.sha256(f"{row.key} {row.id}".encode()).hexdigest()
        row.save(update_fields=["undone_at", "undone_by", "key"])
        note("take_over:undone", str(row.id), actor=actor)
    people = iter(sorted(set(row.accounts.values_list("person_id", flat=True))))
    while some := list(islice(people, AT_ONCE)):
        with transaction.atomic():
            gone = list(row.accounts.filter(person__in=some).values_list("kind", "name"))
            taken, stay = import_people.undo_import(row, some)
            left = set(row.accounts.filter(person__in=some).values_list("kind", "name"))
            _reopen([one for one in gone if one not in left])
        count, kept = count + taken, kept | stay
    return UndoOutcome(count, tuple(sorted(kept)))


def _reopen(accounts: Sequence[tuple[str, str]]) -> None:
    """Open differences for the returned accounts, until the next comparison."""
    names = [name for _, name in accounts]
    open_ = ReconcileItem.objects.filter(name__in=names, ended_at=None)
    there = set(open_.values_list("kind", "name", "difference"))
    last: dict[tuple[str, str], ReconcileItem] = {}
    unknown = ReconcileItem.Difference.UNKNOWN_ACCOUNT
    ended = ReconcileItem.objects.filter(name__in=names, difference=unknown)
    for row in ended.exclude(ended_at=None).order_by("n"):
        last[row.kind, row.name] = row
    again = [
        row.n for key, row in last.items() if key in set(accounts) and (*key, unknown) not in there
    ]
    ReconcileItem.objects.filter(n__in=again).update(ended_at=None)


def results(row: TakeOver) -> dict[str, Any]:
    """Return the numbers of a confirmation's results."""
    refused = {n for n, _ in row.refused}
    return {
        "chosen": len(row.items),
        "taken": row.done - len(refused),
        "refused": len(refused),
        "left": len(row.items) - row.done,
    }


def not_taken(row: TakeOver) -> list[tuple[int, Message]]:
    """Return the chosen ones that no longer applied, with reasons."""
    return [(n, Message.model_validate(why)) for n, why in row.refused]
