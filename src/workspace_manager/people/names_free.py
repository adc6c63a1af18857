"""Whether a name may be given to somebody: the one place that decides, whoever registers, is
approved, adopted or let in.

A name is not free while it is somebody's or counts as the same as somebody's, while whoever had it
is leaving or not long gone, while what they left is just looked at, while a system uses it for
itself, and while something bears it in a system that knows people by name alone: whoever got the
name would inherit that.
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
    """A system in which a name alone says whose a thing is."""

    def left_of(self, username: str) -> tuple[Message, ...]:
        """What is there; nothing for a name it could not know. Raises the five errors."""
        ...


def applicant_name(text: str) -> str:
    """The name as it would be given to an applicant. Raises NameImpossible with a sentence for the
    applicant.

    Whether somebody has it is not said: only an administrator may know who is here.
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
    """Raise Refused while a name cannot be given. Asks systems: no transaction may be open.

    `registration`, `sub`: whose the name is to be; what is theirs already is no obstacle.
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
    """The part of `refuse` that is known here, to be asked again in the transaction that gives the
    name.
    """
    why = TakenNames(settings).why_not(name, registration=registration, sub=sub)
    if why:
        raise Refused(why)


class TakenNames:
    """Every name that is not free, read once: for one name, or for as many as are given at once.

    The people are read first: a removal ends in one transaction with the row gone and the tombstone
    there, so that one of the two is always seen.
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
        """Why this name cannot be given; None where it can."""
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
    """The system that uses a name for itself: its service accounts, administrators, guests and
    containers.
    """
    for one, spec in registry().specs.items():
        if one in settings and _is_one_of(spec.own_names(settings[one]), name):
            return spec.label
    return None


def _is_one_of(own: OwnNames, name: str) -> bool:
    """Also in other letters: a system that rewrites names would make one account of both."""
    alike = {name, counts_as(name)}
    return any(own.has(one) for one in alike) or any_same(name, own.exact)


def settings_now() -> dict[str, SystemSettings]:
    """The settings of all systems as they stand."""
    return {name: state.settings for name, state in every_configured().items()}


def bearer(name: str) -> str:
    """Who has this name, was approved or asks for it, or left with it; "" when nobody. For an
    administrator alone.
    """
    open_states = [Registration.Status.PENDING, Registration.Status.APPROVED]
    asked = Registration.objects.filter(status__in=open_states).order_by("created_at")
    # All of them whatever was found: how long it takes says nothing to whoever registers.
    found = [
        _alike(name, names.values_list("username", flat=True))
        for names in (Person.objects.all(), asked, standing_tombstones())
    ]
    return next((one for one in found if one), "")


def is_gone(name: str, sub: str) -> bool:
    """Whether somebody of this name or this account left not long ago."""
    standing = standing_tombstones()
    same_name = any_same(name, standing.values_list("username", flat=True))
    return same_name or standing.filter(sub=sub).exists()


def is_leaving(name: str) -> bool:
    """Whether somebody of this name, or of one that counts as the same, is being removed."""
    leaving = Plan.objects.filter(kind=REMOVAL.name, state__in=Plan.OPEN)
    return any_same(name, leaving.values_list("person", flat=True))


def standing_tombstones() -> QuerySet[Tombstone]:
    """Tombstones that still bar a name."""
    return Tombstone.objects.filter(released_at=None, expires_at__gt=hold.opens_by())


def _alike(name: str, names: Iterable[str]) -> str:
    """The first of the names that counts as this one; the very same before any other."""
    wanted = counts_as(name)
    found = [one for one in names if counts_as(one) == wanted]
    return name if name in found else next(iter(found), "")


def _refuse_left_behind(name: str, systems: ConnectedSystems) -> None:
    """A system that cannot be asked is believed to keep nothing of a name that nobody had here.

    Of a name that somebody had, its error is raised: the name waits until it can be asked.
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
