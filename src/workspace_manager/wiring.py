"""Stored settings in, ready systems out: the one place where the systems, their settings and their
secrets meet.

One missing or wrong setting degrades its own system only: it is then not among the connected ones,
and `operations.checks` says why. Whichever systems are installed is asked from the registry; what
one of them lends to another is asked by capability.
"""

import threading
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django.conf import settings as django_settings

from workspace_manager.audit.note import note
from workspace_manager.contract import slots
from workspace_manager.contract.connector import System
from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.errors import ConnectorError, Invalid, NotFound
from workspace_manager.contract.message import Message, in_words
from workspace_manager.contract.passwords import new_password
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.contract.settings import SettingsInvalid, SystemSettings, parse
from workspace_manager.contract.system import PASSWORDS, PEOPLE, REALM, REFUSALS
from workspace_manager.core.connected_systems import RECORDS, SNAPSHOTS, ConnectedSystems
from workspace_manager.core.guarded_system import GuardedSystem
from workspace_manager.core.known_people import known_people
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.drive_credentials.refused_passwords import Shared
from workspace_manager.engine import pause
from workspace_manager.operations import checks, learnt_settings
from workspace_manager.operations.messages import message
from workspace_manager.operations.origins import refuse_another
from workspace_manager.operations.realm_requirements import wanted_realm
from workspace_manager.operations.settings import installed_spec, refuse_pinned
from workspace_manager.operations.system_configuration import (
    as_set,
    every_configured,
    read_settings,
)
from workspace_manager.records.models import Registration, SystemStatus, VaultEntry
from workspace_manager.systems import Spec, registry

SHARED_REFUSALS = Shared()
Capabilities = dict[str, Any]
"""What systems are given besides their settings, by capability."""

_connected: dict[str, tuple[SystemSettings, Capabilities, System]] = {}
_resumed: dict[str, datetime | None] = {}
_lock = threading.Lock()


def connected_systems() -> ConnectedSystems:
    """Every system as it is configured now. Makes no call to any of them."""
    states = every_configured()
    settings = {name: state.settings for name, state in states.items()}
    usable = [name for name, state in states.items() if state.usable]
    ready: dict[str, System] = {}
    unconnected: dict[str, Message] = {}
    systems = ConnectedSystems(by_name=ready, settings=settings, unconnected=unconnected)
    ready[RECORDS.name] = GuardedSystem(RECORDS, RECORDS.connector()(systems), local=True)
    ready[SNAPSHOTS.name] = GuardedSystem(SNAPSHOTS, SNAPSHOTS.connector()(systems))
    known = {
        name: (resumed_at, told)
        for name, resumed_at, told in SystemStatus.objects.values_list(
            "system", "resumed_at", "told"
        )
    }
    told = {name: of_it for name, (_, of_it) in known.items()}
    lent: Capabilities = _lent_by_us(learnt_settings.complete_settings(settings, told))
    for name, its in settings.items():
        slots.allow(name, its.calls_at_once)
    for name in sorted(usable, key=_lenders_first):
        try:
            found = _connect(name, settings[name], lent)
        except ConnectorError as error:
            unconnected[name] = _not_loaded(name, error)
            continue
        if isinstance(found, Message):
            unconnected[name] = found
            continue
        ready[name] = found
        lent |= {one: getattr(found, one) for one in _lends(name)}
    resumed = {name: resumed_at for name, (resumed_at, _) in known.items()}
    for name, system in ready.items():
        _forget_refusals(name, system, resumed)
    return systems


def told_anew(systems: ConnectedSystems, names: Iterable[str]) -> ConnectedSystems:
    """The systems for a check of these ones. Where it compares with what a system says of itself,
    that is asked first, and they are connected anew if it is another thing by now.
    """
    if not learnt_settings.compares(names):
        return systems
    with time_limit(checks.LONGEST_S):
        is_new = learnt_settings.learn(systems)
    return connected_systems() if is_new else systems


def _lenders_first(name: str) -> bool:
    """Return the sort key: a system that lends comes before those that may borrow from it."""
    return not _lends(name)


def _lends(name: str) -> set[str]:
    """The capabilities of a system that some system takes; what stories alone use is not lent."""
    taken = {one for spec in registry().specs.values() for one in spec.takes}
    return taken & {*registry().specs[name].provides}


def _lent_by_us(settings: Mapping[str, SystemSettings]) -> Capabilities:
    base_url = django_settings.BASE_URL
    return {
        REALM: wanted_realm(settings, base_url=base_url),
        REFUSALS: SHARED_REFUSALS,
        PASSWORDS: partial(new_password, django_settings.PASSWORD_LENGTH),
        PEOPLE: known_people,
    }


def _not_loaded(name: str, error: ConnectorError) -> Message:
    return message("not_loaded", system=registry().specs[name].label, why=error.message)


def _connect(name: str, settings: SystemSettings, lent: Capabilities) -> System | Message:
    """Connect, or reuse what is connected with equal settings: connections and tokens are kept
    warm. Or say what is missing.
    """
    spec = registry().specs[name]
    taken = {one: lent.get(one) for one in spec.takes}
    lacking = spec.lacks(settings, taken)
    if lacking is not None:
        return lacking
    with _lock:
        warm = _connected.get(name)
        if warm and warm[0] == settings and warm[1] == taken:
            return warm[2]
        system = GuardedSystem(spec, spec.connector()(settings, resolve, **taken))
        _connected[name] = (settings, taken, system)
        return system


def _forget_refusals(name: str, system: System, resumed: Mapping[str, datetime | None]) -> None:
    """Each process remembers refused credentials by itself; a resume by anybody is seen here by
    all.
    """
    if resumed.get(name) != _resumed.setdefault(name, resumed.get(name)):
        _resumed[name] = resumed.get(name)
        system.try_again()


def tried_out(
    system: str, typed: Mapping[str, str], *, actor: str, without: Collection[str] = ()
) -> System:
    """One system as it would be with these values, to be looked at; nothing is stored but who did
    it, and where what is stored or typed is sent.

    A blank secret is the stored one, `{empty}` none; `without` names settings whose stored value is
    left out. Raises BadInput, and Refused when a setting is pinned or missing.
    """
    spec = installed_spec(system)
    found = as_set(system)
    if found.unreadable:
        raise BadInput(found.unreadable)
    refuse_pinned(system, typed)
    origins = refuse_another(system, found, typed, without=without)
    found.forget(without)
    secret = {one.name for one in spec.settings.specs() if one.secret}
    for name, text in typed.items():
        if name not in secret or text:
            found.put(system, name, text, secret=name in secret)
    try:
        settings = parse(spec.settings, found.values, found.hidden)
    except SettingsInvalid as wrong:
        raise BadInput(wrong.messages) from wrong
    if held := pause.refuses(system, settings):
        raise Refused(checks.not_sent_again(system, held))
    try:
        taken = _taken_for_a_try(spec, settings)
        note(
            "settings:tested",
            system,
            actor=actor,
            names=" ".join(sorted(typed)),
            origin=" ".join(sorted(origins)),
        )
        # Never one that is warm: what it remembers of a refusal is of another try. The drive
        # remembers refused pairs for all.
        return GuardedSystem(spec, spec.connector()(settings, resolve, **taken))
    except ConnectorError as error:
        raise Refused(_not_loaded(system, error)) from error


def _taken_for_a_try(spec: Spec, settings: SystemSettings) -> Capabilities:
    """Return what the others lend it as they are connected now. Raises Refused while something is
    missing, and the five errors.
    """
    systems = connected_systems()
    lent = _lent_by_us(learnt_settings.complete_settings({**systems.settings, spec.name: settings}))
    for name in systems.by_name.keys() & registry().specs.keys():
        lent |= {one: getattr(systems.by_name[name], one) for one in _lends(name)}
    taken = {one: lent.get(one) for one in spec.takes}
    lacking = spec.lacks(settings, taken)
    if settings.missing or lacking is not None:
        missing = ", ".join(settings.missing) or in_words(lacking or message("set_if_any"))
        raise Refused(message("not_testable", missing=missing))
    return taken


def resolve(reference: SecretRef) -> Secret:
    """Turn a reference into its secret at the moment of use. Raises NotFound, or what the system
    that keeps it raises.
    """
    place, _, rest = reference.partition("/")
    found: Secret | None = None
    if place == "vault":
        entry = VaultEntry.objects.filter(id=rest).first()
        found = entry.secret if entry else None
    elif place == "registration":
        registration = Registration.objects.filter(id=rest).first()
        found = registration.password_hash if registration else None
    elif place == "settings":
        system, _, name = rest.partition("/")
        value = getattr(read_settings(system).settings, name, None)
        found = value if isinstance(value, Secret) else None
    elif place == "identity_provider.attributes":
        sub, _, name = rest.partition("/")
        return connected_systems().identity_provider().read_attribute(sub, name)
    else:
        raise Invalid(
            message("no_place", place=place), kind="records", doing=message("reading_secret")
        )
    if found is None:
        raise NotFound(message("secret_gone"), kind="records", doing=message("reading_secret"))
    return found
