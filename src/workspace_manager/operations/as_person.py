"""Check as a person: a temporary user is made, signs in like everybody else, and is removed again.

It shows what no configuration document shows: the final content of tokens, and whether the systems
accept them. The password is made here and exists in memory alone. Nothing is started in that
person's name.

See docs/explanation/when-something-is-wrong.md#a-check-as-a-person.
"""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from django.db import transaction
from django.utils import timezone

from workspace_manager.audit.note import note
from workspace_manager.contract import failure_reports, slots
from workspace_manager.contract.connector import UNKNOWN, Finding
from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.passwords import new_password
from workspace_manager.contract.person_trial import USERNAME, Trial, TrialResult, Visitor, Walk
from workspace_manager.contract.system import Holder
from workspace_manager.core import wake
from workspace_manager.core.connected_systems import AS_PERSON, ConnectedSystems, label_of
from workspace_manager.core.locks import lock
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import pause
from workspace_manager.operations import as_person_left, checks, health, health_findings
from workspace_manager.operations.as_person_left import CheckTraces
from workspace_manager.operations.messages import message
from workspace_manager.records.models import SystemStatus
from workspace_manager.systems.identity_provider.settings import Settings

LONGEST_S: Final = 40
"""For the sign-ins and the systems' work; removing the user has time of its own."""


def is_on(systems: ConnectedSystems) -> bool:
    """Return whether regular checks and the set-up include it."""
    return systems.has_identity_provider and systems.settings_of(Settings).check_as_person


def check(systems: ConnectedSystems, *, actor: str) -> list[Finding]:
    """Make a user, sign in as that user and remove the user; return and keep the findings. Raises
    Refused if it cannot run now, Busy while another one runs.

    Remains of an earlier check are removed first; no user is made while any are left.
    """
    identity = _ready(systems)
    with lock(AS_PERSON, token=uuid.uuid4().hex) as held, failure_reports.suppress_reports():
        if held is None:
            raise slots.Busy(
                message("as_person_under_way"),
                kind=identity,
                doing=message("doing_checking"),
                advice=message("as_person_under_way_advice"),
                retry_after=slots.RETRY_S,
            )
        found = _left_before(systems) or _found(systems, actor=actor)
    _keep(found)
    if as_person_left.find_traces() is not None:
        health.bring_forward(identity, why=wake.SETTINGS)
    return found


def _ready(systems: ConnectedSystems) -> str:
    """Return the name of the identity provider. Raises Refused while it cannot be asked."""
    if not systems.has_identity_provider:
        name = "identity_provider"
        raise Refused(checks.why_not(name, systems))
    name = systems.identity_provider().name
    if held := pause.refuses(name, systems.settings.get(name)):
        raise Refused(checks.not_sent_again(name, held))
    return name


def _left_before(systems: ConnectedSystems) -> list[Finding]:
    """Remove what an earlier check left, even if this database has no record of it; return findings
    about what remains.
    """
    before = as_person_left.find_traces()
    try:
        if before is None and systems.identity_provider().find_person(Trial()):
            before = CheckTraces()
    except ConnectorError:
        return []  # Making the user will report the reason.
    return as_person_left.removed(before, systems) if before else []


def _found(systems: ConnectedSystems, *, actor: str) -> list[Finding]:
    kept = CheckTraces().keep()
    note("as_person:made", USERNAME, actor=actor)
    try:
        with time_limit(LONGEST_S):
            found = list(_tried(kept, systems))
    finally:
        left = as_person_left.removed(as_person_left.find_traces() or kept, systems)
    if not left:
        name = message("check_person_left")
        found.append(Findings(AS_PERSON).ok(name, message("person_gone")))
    return [*found, *left]


def _tried(kept: CheckTraces, systems: ConnectedSystems) -> Iterator[Finding]:
    identity, password = systems.identity_provider(), new_password()
    try:
        sub = identity.make_person(Trial(), password)
    except ConnectorError as error:
        name = message("check_person_made")
        yield Findings(identity.name).failing(name, error.in_full, error.advice_message)
        return
    kept = CheckTraces(sub).keep()
    try:
        walk = identity.walk_as_person(Trial(), sub, password)
    except ConnectorError as error:
        name = message("check_person_walk")
        yield Findings(identity.name).failing(name, error.in_full, error.advice_message)
        return
    yield from walk.findings
    yield from _at_systems(kept, walk, systems)


def _at_systems(kept: CheckTraces, walk: Walk, systems: ConnectedSystems) -> Iterator[Finding]:
    """Yield what each system does with the token, independently of the others."""
    if walk.token is None:
        return
    visitor = Visitor(USERNAME, kept.sub, walk.token)
    for spec, _ in systems.specs():
        system = systems.by_name.get(spec.name)
        if system is None or not spec.person_trial:
            continue
        if not _removable(spec.name, kept, systems):
            name, advice = message("check_person_tried"), message("person_not_tried_advice")
            text = message("person_not_tried", system=label_of(spec.name))
            yield Findings(spec.name).warning(name, text, advice)
            continue
        kept = replace(kept, tried=(*kept.tried, spec.name)).keep()
        try:
            trier = spec.trier()
            tried = trier(system, visitor) if trier else TrialResult()
        except ConnectorError as error:
            name = message("check_person_tried")
            yield Findings(spec.name).failing(name, error.in_full, error.advice_message)
            continue
        kept = replace(kept, accounts={**kept.accounts, **tried.accounts}).keep()
        yield from tried.findings


def _removable(name: str, kept: CheckTraces, systems: ConnectedSystems) -> bool:
    """Return whether the manager could see and remove an account that the sign-in makes there."""
    spec = next(spec for spec, _ in systems.specs() if spec.name == name)
    try:
        wishes = spec.accounts(systems.settings[name], Holder(USERNAME, kept.sub))
        for wish in wishes:
            connector = systems.connector(wish.kind)
            if connector and connector.plan(wish.target, wish.after).before == UNKNOWN:
                return False
    except ConnectorError:
        return False
    return True


def _keep(found: list[Finding]) -> None:
    """Keep the findings for the page until the next check as a person; remains are found by the
    checks of their systems.
    """
    now = timezone.now()
    left = message("check_person_left").code
    lasting = [one for one in found if not one.name_message or one.name_message.code != left]
    with transaction.atomic():
        row, _ = SystemStatus.objects.select_for_update().get_or_create(system=AS_PERSON)
        row.findings = [one.model_dump(mode="json") for one in found]
        row.checked_at = now
        row.save(update_fields=["findings", "checked_at"])
        health_findings.record_findings(AS_PERSON, lasting, now)
