"""Decide whether a name is free, for registration, approval, adoption and sign-in alike.

A name is not free while it belongs to somebody or counts as equal to such a name, while its former
holder is leaving or left lately, while their remains are being checked, while a system uses it for
itself, and while something has it in a system that knows people by name alone: a new holder would
inherit that.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Protocol, cast

from django.db.models import QuerySet

from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.system import OwnNames
from workspace_manager.core import hold
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.locks import lease
from workspace_manager.core.refusal import Refused
from workspace_manager.core.same_names import any_same, counts_as
from workspace_manager.engine import pause
from workspace_manager.operations.system_configuration import every_configured
from workspace_manager.people.messages import message
from workspace_manager.records.models import Lock, Person, Plan, Registration, Tombstone
from workspace_manager.removal.kind import REMOVAL
from workspace_manager.removal.recheck import being_looked_at
from workspace_manager.systems import registry
from workspace_manager.systems.identity_provider.names import check_username


class NameKeeper(System, Protocol):
    """A system in which only a name identifies an owner."""

    def left_of(self, username: str) -> tuple[Message, ...]:
        """Return what exists under a name; empty for an impossible name. Raises the five errors."""
        ...


def applicant_name(text: str) -> str:
    """Return the name as an applicant would get it. Raises NameImpossible with a sentence for the
    applicant.

    Does not tell whether it is taken: only administrators may know who is here.
    """
    name = check_username(text)
    if own_name(name, settings_now()):
        raise NameImpossible(message("name_reserved"))
    return name


def refuse(
    name: str,
    systems: ConnectedSystems,
    *,
    registration: uuid.UUID | None = None,
    sub: str = "",
) -> None:
    """Raise Refused if a name is not free. Asks systems: no transaction may be open.

    `registration`, `sub`: the intended holder, whose own things are no obstacle.
    """
    refuse_taken(name, systems.settings, registration=registration, sub=sub)
    _refuse_left_behind(name, systems)


def refuse_taken(
    name: str,
    settings: Mapping[str, SystemSettings],
    *,
    registration: uuid.UUID | None = None,
    sub: str = "",
) -> None:
    """Repeat the local part of `refuse` in the transaction that gives the name."""
    why = TakenNames(settings).why_not(name, registration=registration, sub=sub)
    if why:
        raise Refused(why)


class TakenNames:
    """Names that are not free, loaded once for any number of names.

    People are read first: a removal ends with the row gone and the tombstone there in one
    transaction, so one of the two is always seen.
    """

    def __init__(self, settings: Mapping[str, SystemSettings]) -> None:
        self.settings = settings
        self.here: dict[str, list[str]] = defaultdict(list)
        for one in Person.objects.order_by().values_list("username", flat=True):
            self.here[counts_as(one)].append(one)
        self._given: dict[str, list[tuple[str, uuid.UUID, str]]] = defaultdict(list)
        approved = Registration.objects.filter(status=Registration.Status.APPROVED)
        for row in approved.order_by("created_at").values_list("username", "id", "sub"):
            self._given[counts_as(row[0])].append(row)
        leaving = Plan.objects.filter(kind=REMOVAL.name, state__in=Plan.OPEN)
        self._leaving = {counts_as(one) for one in leaving.values_list("person", flat=True)}
        self._left: dict[str, list[Tombstone]] = defaultdict(list)
        for left in standing_tombstones():
            self._left[counts_as(left.username)].append(left)
        now = database_now()
        held = Lock.objects.filter(until__gt=now, until__lte=now + lease())
        self._looked_at = set(held.values_list("name", flat=True))

    def why_not(
        self, name: str, *, registration: uuid.UUID | None = None, sub: str = ""
    ) -> Message | None:
        """Return why this name cannot be given; None if it can."""
        system = own_name(name, self.settings)
        if system:
            return message("name_of_system", name=name, system=system)
        wanted = counts_as(name)
        others = [
            one
            for one, its, its_sub in self._given.get(wanted, ())
            if its != registration and not (sub and its_sub == sub)
        ]
        for found, key in ((self.here.get(wanted, []), "taken"), (others, "approved_already")):
            if found:
                if name in found:
                    return message(key, name=name)
                return message("name_alike", name=name, other=found[0])
        if wanted in self._leaving:
            return message("being_removed", name=name)
        return self._why_left(name, wanted)

    def _why_left(self, name: str, wanted: str) -> Message | None:
        gone = self._left.get(wanted, [])
        tombstone = next((one for one in gone if one.username == name), next(iter(gone), None))
        if tombstone:
            left, until = (f"{at:%Y-%m-%d}" for at in (tombstone.created_at, tombstone.expires_at))
            return message("kept", name=tombstone.username, left=left, until=until)
        return message("looked_at", name=name) if being_looked_at(name) in self._looked_at else None


def own_name(name: str, settings: Mapping[str, SystemSettings]) -> Message | None:
    """Return a message about the system that uses a name for its service accounts, administrators,
    guests or containers.
    """
    for one, spec in registry().specs.items():
        if one in settings and _is_one_of(spec.own_names(settings[one]), name):
            return spec.label
    return None


def _is_one_of(own: OwnNames, name: str) -> bool:
    """Compare in all spellings: a system that rewrites names would join both accounts."""
    alike = {name, counts_as(name)}
    return any(own.has(one) for one in alike) or any_same(name, own.exact)


def settings_now() -> dict[str, SystemSettings]:
    """Return the current settings of all systems."""
    return {name: state.settings for name, state in every_configured().items()}


def bearer(name: str) -> str:
    """Return the description of a name's present, approved, applying or former holder; "" for none.
    For administrators only.
    """
    open_states = [Registration.Status.PENDING, Registration.Status.APPROVED]
    asked = Registration.objects.filter(status__in=open_states).order_by("created_at")
    # All are queried whatever was found, so that the duration tells an applicant nothing.
    found = [
        _alike(name, names.values_list("username", flat=True))
        for names in (Person.objects.all(), asked, standing_tombstones())
    ]
    return next((one for one in found if one), "")


def is_gone(name: str, sub: str) -> bool:
    """Return whether somebody with this name or account left lately."""
    standing = standing_tombstones()
    same_name = any_same(name, standing.values_list("username", flat=True))
    return same_name or standing.filter(sub=sub).exists()


def is_leaving(name: str) -> bool:
    """Return whether the holder of this name, or an equal one, is being removed."""
    leaving = Plan.objects.filter(kind=REMOVAL.name, state__in=Plan.OPEN)
    return any_same(name, leaving.values_list("person", flat=True))


def standing_tombstones() -> QuerySet[Tombstone]:
    """Return tombstones that still keep a name."""
    return Tombstone.objects.filter(released_at=None, expires_at__gt=hold.opens_by())


def _alike(name: str, names: Iterable[str]) -> str:
    """Return the first name that counts as equal, an identical one before all others."""
    wanted = counts_as(name)
    found = [one for one in names if counts_as(one) == wanted]
    return name if name in found else next(iter(found), "")


def _refuse_left_behind(name: str, systems: ConnectedSystems) -> None:
    """Refuse a name that something still has. A system that cannot be asked is assumed to keep
    nothing of a name without former holder; otherwise its error is raised.
    """
    had = any_same(name, Tombstone.objects.values_list("username", flat=True))
    found: list[Message] = []
    for system, spec in registry().specs.items():
        if not spec.keeps_by_name or system not in systems.by_name:
            continue
        try:
            pause.refuse_paused(system)
            found += cast(NameKeeper, systems.by_name[system]).left_of(name)
        except ConnectorError:
            if had:
                raise
    if found:
        raise Refused(message("leftovers", name=name, things=join_messages(found, by="; ")))
