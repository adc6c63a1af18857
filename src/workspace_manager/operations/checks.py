"""Check a system: the findings of its own check, misspelt variables, and why it cannot be asked at
all.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from workspace_manager.access import administrators
from workspace_manager.audit.note import note
from workspace_manager.contract import failure_reports, slots
from workspace_manager.contract.connector import ALL, Finding, System
from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.message import Person as Named
from workspace_manager.contract.messages import join_messages
from workspace_manager.core.connected_systems import NOT_LOADED, ConnectedSystems, is_own, label_of
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import pause
from workspace_manager.operations import (
    as_person_left,
    health_findings,
    unencrypted_addresses,
    who_is_there,
)
from workspace_manager.operations.learnt_settings import learn_of
from workspace_manager.operations.messages import message
from workspace_manager.operations.pinned_settings import misspelt_pins, pin_name
from workspace_manager.operations.sign_in_walk import walk_findings
from workspace_manager.operations.system_configuration import SystemConfiguration, read_settings
from workspace_manager.records.models import Person, Registration, SystemStatus
from workspace_manager.systems import registry

AT_ONCE: Final = 4
LONGEST_S: Final = 40
"""Below the usual timeout of proxies."""
ANYBODY_REGISTERS: Final = "identity_provider.anybody_registers"
"""The code of this finding."""


@contextlib.contextmanager
def separate_check(name: str) -> Iterator[None]:
    """Run a check in limited time and number, without slots of other calls. Raises Busy."""
    with slots.separate_slot("checks", most=AT_ONCE) as free:
        if not free:
            raise slots.Busy(
                message("checks_busy", count=AT_ONCE),
                kind=name,
                doing=message("doing_checking"),
                advice=message("checks_busy_advice"),
                retry_after=slots.RETRY_S,
            )
        with time_limit(LONGEST_S), failure_reports.suppress_reports():
            yield


def looked_at(system: System, *, asked: bool) -> list[Finding]:
    """Return the findings of a system's check and, if somebody asked for it, of its `trial`, which
    changes something there for a moment and leaves nothing.
    """
    found = list(system.check())
    trial: Callable[[], Sequence[Finding]] | None = getattr(system, "trial", None)
    if not asked or trial is None or any(ALL[0] in one.hides for one in found):
        return found
    tried = list(trial())
    names = {one.name for one in tried}
    return [*(one for one in found if one.name not in names), *tried]


def findings(name: str, systems: ConnectedSystems, *, asked: bool = False) -> list[Finding]:
    """Return everything that is known of a system now; a reason for no connection is a finding too.
    Stores only what was said about people, and what became of an earlier check's person. `asked`:
    somebody requested it, or its settings are new.
    """
    wrong = registry().wrong_with(name)
    if name not in registry().specs:
        return [one.model_copy(update={"hides": ALL}) for one in wrong]
    system = systems.by_name.get(name)
    held = pause.refuses(name, systems.settings.get(name)) if system else None
    if system is None:
        found: Sequence[Finding] = [_unconnected(name, systems)]
    else:
        found = (
            [_not_sent(name, held)]
            if held
            else walk_findings(name, system, systems, looked_at(system, asked=asked))
        )
    missing = who_is_there.findings(name, systems) if system and not held else ()
    left = as_person_left.remove_traces(name, systems) if system and not held else ()
    ours = [
        *_defects(name, systems),
        *misspelt_findings(name),
        *borne_by_people(name, systems),
        *unencrypted_addresses.findings(name),
    ]
    return [*wrong, *ours, *found, *first_by_name(name, found), *missing, *left]


def _defects(name: str, systems: ConnectedSystems) -> list[Finding]:
    """Return defects of the functions that the system's package brings; other systems work without
    them.
    """
    settings = systems.settings
    attributes = {
        one.purpose: one.name
        for spec, values in systems.specs()
        for one in spec.realm_attributes(values)
    }
    return [*registry().specs[name].defects(settings[name], attributes)] if name in settings else []


def check_and_keep(
    name: str,
    systems: ConnectedSystems,
    *,
    actor: str,
    asked: bool = False,
    now: Callable[[], datetime] = timezone.now,
) -> list[Finding]:
    """Run a system's whole check and keep its findings. `actor`: the requester; "" for the daily
    check. `asked`: its settings are new.

    Raises Refused if it cannot be asked, Busy if too many checks run. No transaction is open
    meanwhile.
    """
    if name not in systems.by_name and name in registry().specs:
        raise Refused(why_not(name, systems))
    with separate_check(name):
        found = findings(name, systems, asked=asked or bool(actor))
        learn_of(name, systems)
    with transaction.atomic():
        row, _ = SystemStatus.objects.select_for_update().get_or_create(system=name)
        row.findings = [finding.model_dump(mode="json") for finding in found]
        row.checked_at = now()
        row.save(update_fields=["findings", "checked_at"])
        health_findings.record_findings(name, found, row.checked_at)
        if actor:
            note("system:checked", name, actor=actor)
    return found


def is_just_set_up(name: str, systems: ConnectedSystems) -> bool:
    """Return whether its settings were stored after these systems were connected; the next
    connection has it.
    """
    absent = name in registry().specs and name not in systems.by_name
    return absent and name not in systems.unconnected and read_settings(name).usable


def why_not(name: str, systems: ConnectedSystems) -> Message:
    """Return why an installed system is not connected."""
    state, label = read_settings(name), label_of(name)
    if state.messages:
        return message("not_usable", system=label, wrong=_unusable(state))
    if state.missing:
        return message("not_configured", system=label, missing=", ".join(state.missing))
    why = systems.unconnected.get(name)
    if why is None or why.code == NOT_LOADED:
        return why or message("just_set_up", system=label)
    return message("not_configured", system=label, missing=why)


def _not_sent(name: str, held: SystemStatus) -> Finding:
    advice = message("not_sent_again_advice", system=label_of(name))
    return Findings(name).failing(
        message("check_credential"), not_sent_again(name, held), advice, hides=ALL
    )


def not_sent_again(name: str, held: SystemStatus) -> Message:
    """Return why no credential is sent: repeating a refused one may lock our account or address."""
    why = held.reason or quote_words("")
    return message("not_sent_again", system=label_of(name), why=why)


def _unconnected(name: str, systems: ConnectedSystems) -> Finding:
    state, said = read_settings(name), Findings(name)
    if state.messages:
        return said.failing(
            message("check_settings"),
            _unusable(state),
            message("correct_settings"),
            hides=ALL,
        )
    why = why_not(name, systems)
    if why.code == NOT_LOADED:
        advice = message("not_loaded_advice")
        return said.failing(message("check_connect"), why, advice, hides=ALL)
    return said.warning(message("check_configured"), why, message("set_if_any"))


def _unusable(state: SystemConfiguration) -> Message:
    """Name every unusable setting with its reason."""
    return join_messages(
        [
            message("setting_wrong", setting=setting, why=why)
            for setting, why in state.messages.items()
        ],
        by="; ",
    )


def borne_by_people(name: str, systems: ConnectedSystems) -> list[Finding]:
    """Return people with the name of an account that the system or the manager uses itself; they
    came before the rule, or before the setting.
    """
    people = Person.objects.order_by("username").values_list("username", flat=True)
    approved = Registration.objects.filter(status=Registration.Status.APPROVED)
    known = dict.fromkeys([*people, *approved.values_list("username", flat=True)])
    return [
        Findings(name).failing(
            message("check_own_names"),
            message("borne_by", person=Named(person=one), system=label_of(name)),
            message("borne_by_advice", person=Named(person=one)),
        )
        for one in known
        if is_own(name, one, systems)
    ]


def first_by_name(name: str, found: Sequence[Finding]) -> list[Finding]:
    """Warn that the first administrator is identified by name alone while anybody can register that
    name.
    """
    said = {finding.message.code for finding in found if finding.message}
    first = administrators.first_by_name()
    if first and ANYBODY_REGISTERS in said:
        return [
            Findings(name).failing(
                message("check_first_administrator"),
                message("first_by_name", person=Named(person=first)),
                message("first_by_name_advice"),
            )
        ]
    return []


def misspelt_findings(system: str) -> list[Finding]:
    """Report variables that look like pins of this system's settings and pin none."""
    names = {
        name: [one.name for one in spec.settings.specs()] for name, spec in registry().specs.items()
    }
    return [
        Findings(system).warning(
            message("check_environment"),
            message("ignored", variable=variable),
            message("did_you_mean", variable=right)
            if right
            else message("names_are", variable=pin_name(system, "<NAME>")),
        )
        for variable, (whose, right) in misspelt_pins(names).items()
        if whose == system
    ]
