"""Compare one page of a system's inventory with the records.

A name alone identifies an owner only in systems that know people by name. Service accounts,
administrators' accounts, shared accounts and names that the system or the manager uses are left out
before the comparison.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.person_trial import USERNAME
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.system import IDENTITY, KindSpec, OwnNames, SystemSpec
from workspace_manager.operations import as_person_left
from workspace_manager.reconcile.by_id import with_ids
from workspace_manager.reconcile.found_difference import FoundDifference
from workspace_manager.reconcile.holders import HELD_BY, Holders, wrong_public
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.page_records import (
    PageRecords,
    PresentPerson,
    RecordedAccount,
    known_of,
)
from workspace_manager.reconcile.recorded_things import PUBLIC, Things, things_of
from workspace_manager.records.models import Person, ReconcileItem
from workspace_manager.systems import registry

Difference = ReconcileItem.Difference


@dataclass(frozen=True)
class Comparison:
    """`found`: the differences. `accounts` and `things`: records that were seen."""

    page: Sequence[InventoryEntry]
    found: list[FoundDifference]
    accounts: list[int]
    things: list[tuple[str, str]]
    own: list[tuple[InventoryEntry, PresentPerson]]
    """New accounts that a person's use made, with their person by `sub`; to be recorded."""


def compare(
    spec: SystemSpec[Any], settings: SystemSettings | None, page: Sequence[InventoryEntry]
) -> Comparison:
    """Compare a part of a system's inventory with the records. Writes nothing."""
    of_check = as_person_left.sub_under_way()
    page = with_ids(spec, settings, [one for one in page if not _is_of_check(one, of_check)])
    known = known_of(page)
    there = [known.accounts[key].id for key in map(_key, page) if key in known.accounts]
    kinds = {kind.kind: kind for kind in spec.kinds if kind.holds_account}
    things = things_of([one for one in page if one.kind not in kinds])
    own = ReservedNames(spec, settings)
    proposed = [
        one
        for one in page
        if not one.unread
        and (one.kept is None or _is_somebodys(one, known))
        and not (one.kind in kinds and own.has(one))
    ]
    found = [
        each
        for one in proposed
        for each in (
            _account(one, known, spec, kinds[one.kind])
            if one.kind in kinds
            else _thing(one, known, things)
        )
    ]
    own_accounts = [
        (one, known.by_sub[one.sub])
        for one in proposed
        if one.kind in kinds and _came_by_itself(one, known, spec, kinds[one.kind])
    ]
    found += Holders(spec, settings).wrong(list(things.ready(HELD_BY)))
    found += wrong_public(things.ready({PUBLIC}))
    return Comparison(page, found, there, list(things.recorded), own_accounts)


def _is_of_check(one: InventoryEntry, sub: str) -> bool:
    """Return whether it belongs to the temporary person of a check (`sub`, if there is one)."""
    return bool(sub) and (one.sub == sub or USERNAME in {one.name, one.username})


def _came_by_itself(
    one: InventoryEntry, known: PageRecords, spec: SystemSpec[Any], kind: KindSpec
) -> bool:
    """Return whether the person's use of an outside system made the account: only sign-ins with
    this `sub` can have. In built-in systems somebody decides whether it existed before
    (docs/decisions/0024-taken-over-accounts-are-kept.md).
    """
    strange = _key(one) not in known.accounts and spec.name in registry().outside
    return strange and kind.comes_by_itself and not one.kept and one.sub in known.by_sub


def _is_somebodys(one: InventoryEntry, known: PageRecords) -> bool:
    """Return whether the account is recorded for a person. An administrator's account is then
    compared, too.
    """
    row = known.accounts.get(_key(one))
    return row is not None and row.person is not None


def _key(one: InventoryEntry) -> tuple[str, str]:
    return one.kind, one.name


class ReservedNames:
    """Names that a system or the manager uses itself, loaded for many at once."""

    def __init__(self, spec: SystemSpec[Any], settings: SystemSettings | None) -> None:
        own = spec.own_names(settings) if settings is not None else OwnNames()
        self.exact = {name.lower() for name in own.exact}
        self.prefixes = tuple(one.lower() for one in own.prefixes if one)

    def has(self, one: InventoryEntry) -> bool:
        """Return whether the name is reserved. A name with a reserved prefix is not, if the system
        names its person or it has our mark.
        """
        name, username = one.name.lower(), one.username.lower()
        if name in self.exact or username in self.exact:
            return True
        if one.ours:
            return False
        if username:
            return username.startswith(self.prefixes)
        return not one.sub and name.startswith(self.prefixes)


def _account(
    one: InventoryEntry, known: PageRecords, spec: SystemSpec[Any], kind: KindSpec
) -> Iterator[FoundDifference]:
    row = known.accounts.get(_key(one))
    if row is None:
        yield from _not_recorded(one, known, spec, kind)
    elif row.person is not None and not row.machine:
        somebody = PresentPerson(row.person, row.username, row.state or "")
        yield from _standing(one, somebody, spec, kind, row)
        yield from _of_another(one, somebody, known, spec)


def _not_recorded(
    one: InventoryEntry, known: PageRecords, spec: SystemSpec[Any], kind: KindSpec
) -> Iterator[FoundDifference]:
    """Yield the difference of an unrecorded account. Its `sub` identifies the owner before its name
    does.
    """
    theirs, namesake = known.by_sub.get(one.sub), known.by_name.get(one.username)
    if theirs is not None and _came_by_itself(one, known, spec, kind):
        yield from _standing(one, theirs, spec, kind, None)
    elif theirs is not None:
        why = message("sub_is_theirs", person=Named(person=theirs.username))
        yield FoundDifference(Difference.UNKNOWN_ACCOUNT, one, why, theirs.username)
    elif namesake is not None and one.sub and known.subs[namesake.id]:
        here = Named(person=namesake.username)
        if IDENTITY in spec.provides:
            why = message("made_again", person=here)
            yield FoundDifference(Difference.IDENTITY_RECREATED, one, why, namesake.username)
        else:
            why = message("other_sub", person=here)
            yield FoundDifference(Difference.WRONG_SUB, one, why, namesake.username)
    elif namesake is not None and spec.keeps_by_name:
        yield from _standing(one, namesake, spec, kind, None)
    else:
        yield _unknown(one, known, namesake)


def _unknown(
    one: InventoryEntry, known: PageRecords, namesake: PresentPerson | None
) -> FoundDifference:
    """Build an unknown account. A former member's name is not assigned to anybody: nobody inherits
    by name.
    """
    left_at = known.left_at(one)
    if left_at is not None:
        return FoundDifference(Difference.UNKNOWN_ACCOUNT, one, message("left", at=left_at), "")
    if namesake is not None:
        why = message("name_is_theirs", person=Named(person=namesake.username))
        return FoundDifference(Difference.UNKNOWN_ACCOUNT, one, why, namesake.username)
    return FoundDifference(Difference.UNKNOWN_ACCOUNT, one, message("of_nobody"), "")


def _standing(
    one: InventoryEntry,
    somebody: PresentPerson,
    spec: SystemSpec[Any],
    kind: KindSpec,
    row: RecordedAccount | None,
) -> Iterator[FoundDifference]:
    """Yield differences between the access that the person should have and the access there."""
    here = Named(person=somebody.username)
    can_be_shut = spec.shut is not None and kind.not_shut is None
    if somebody.state == Person.State.SUSPENDED and one.open is True and can_be_shut:
        why = message("open_while_suspended", person=here)
        yield FoundDifference(Difference.OPEN_WHILE_SUSPENDED, one, why, somebody.username)
    disabled = IDENTITY in spec.provides and one.open is False and not (row and row.locked)
    if disabled and somebody.state == Person.State.ACTIVE:
        why = message("disabled", person=here)
        yield FoundDifference(Difference.IDENTITY_DISABLED, one, why, somebody.username)


def _of_another(
    one: InventoryEntry, somebody: PresentPerson, known: PageRecords, spec: SystemSpec[Any]
) -> Iterator[FoundDifference]:
    """Yield a difference if the account belongs to another `sub` than the person's."""
    subs = known.subs.get(somebody.id, set())
    if not one.sub or not subs or one.sub in subs or IDENTITY in spec.provides:
        return
    why = message("not_their_sub", person=Named(person=somebody.username))
    yield FoundDifference(Difference.WRONG_SUB, one, why, somebody.username)


def _thing(one: InventoryEntry, known: PageRecords, things: Things) -> Iterator[FoundDifference]:
    """Yield the difference of a thing. An unrecorded one needs an owner named by the system."""
    if things.is_recorded(one) or one.sub in known.by_sub or one.username in known.by_name:
        return
    if not things.can_be_recorded(one) and not (one.sub or one.username):
        return
    left_at = known.left_at(one)
    why = message("thing_left", at=left_at) if left_at else message("thing_of_nobody")
    yield FoundDifference(Difference.UNKNOWN_THING, one, why)
