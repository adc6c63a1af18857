"""Remains of a check as a person, and their removal: everything is removed and checked, the user at
the identity provider last. While something remains the user stays, disabled and signed out, and
each check of the identity provider tries again.

Everything is recorded before it is made, so that a crash leaves nothing unknown.
"""

import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.connector import UNKNOWN, Facts, Finding
from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message
from workspace_manager.contract.person_trial import USERNAME, Trial
from workspace_manager.contract.system import IDENTITY, DesiredState, Holder
from workspace_manager.core.connected_systems import AS_PERSON, ConnectedSystems
from workspace_manager.core.locks import lock
from workspace_manager.operations.messages import message
from workspace_manager.records.models import SystemStatus
from workspace_manager.systems import Spec, registry
from workspace_manager.systems.identity_provider.names import user_target

LONGEST_S: Final = 40
"""Shorter than the lease of the lock, together with the sign-in before it."""
SHUT: Final[Facts] = {"enabled": False, "sessions": 0}
USER: Final = "identity_provider.user"


@dataclass(frozen=True)
class CheckTraces:
    """The record of a check as a person, kept until everything is gone."""

    sub: str = ""
    tried: tuple[str, ...] = ()
    """Systems that received the person's token."""
    accounts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Accounts that were made under unpredictable names, by kind."""

    def keep(self) -> "CheckTraces":
        accounts = {kind: list(names) for kind, names in self.accounts.items()}
        told = {"made": USERNAME, "sub": self.sub, "tried": [*self.tried], "accounts": accounts}
        SystemStatus.objects.update_or_create(system=AS_PERSON, defaults={"told": told})
        return self

    def forget(self) -> None:
        SystemStatus.objects.filter(system=AS_PERSON).update(told={})


def find_traces() -> CheckTraces | None:
    """Return the record of an unfinished check; None if everything is gone."""
    told = SystemStatus.objects.filter(system=AS_PERSON).values_list("told", flat=True).first()
    if not told:
        return None
    accounts = {kind: tuple(names) for kind, names in told.get("accounts", {}).items()}
    return CheckTraces(str(told.get("sub", "")), tuple(told.get("tried", ())), accounts)


def sub_under_way() -> str:
    """Return the `sub` of the check's person while it exists, so that comparisons ignore it; "" for
    none.
    """
    kept = find_traces()
    return kept.sub if kept else ""


def remove_traces(name: str, systems: ConnectedSystems) -> list[Finding]:
    """Remove what an earlier check left, and return findings about what remains. Does nothing while
    a check as a person runs.
    """
    if IDENTITY not in registry().specs[name].provides or not systems.has_identity_provider:
        return []
    if find_traces() is None:
        return []
    with lock(AS_PERSON, token=uuid.uuid4().hex) as held:
        kept = find_traces() if held else None
        return removed(kept, systems) if kept else []


def removed(kept: CheckTraces, systems: ConnectedSystems) -> list[Finding]:
    """Remove everything, check that it is gone, and return findings about the rest. The caller
    holds the lock.
    """
    identity = systems.identity_provider()
    with time_limit(LONGEST_S):
        try:
            sub = kept.sub or identity.find_person(Trial())
        except ConnectorError as error:
            return [_left(identity.name, error)]
        kept = replace(kept, sub=sub).keep()
        if sub:
            # Shut first: nobody can sign in as this person any more, so nothing comes back.
            shut = DesiredState(USER, user_target(sub, USERNAME), SHUT)
            left = [*_fulfilled(shut, systems), *_elsewhere(kept, systems)]
            gone = DesiredState(USER, user_target(sub, USERNAME, Trial().mark))
            left = left or list(_fulfilled(gone, systems))
            if left:
                return left
    kept.forget()
    note("as_person:removed", USERNAME, actor=MANAGER, sub=kept.sub)
    return []


def _elsewhere(kept: CheckTraces, systems: ConnectedSystems) -> Iterator[Finding]:
    """Remove accounts that sign-ins made, or may have made, in other systems."""
    for spec, settings in systems.specs():
        if spec.name not in systems.by_name or not _comes_by_itself(spec, kept):
            continue
        try:
            wishes = spec.accounts(settings, _holder(spec, kept))
        except ConnectorError as error:
            yield _left(spec.name, error)
            continue
        for wish in wishes:
            yield from _fulfilled(wish, systems, tried=spec.name in kept.tried)


def _comes_by_itself(spec: Spec, kept: CheckTraces) -> bool:
    return spec.name in kept.tried or any(kind.comes_by_itself for kind in spec.kinds)


def _holder(spec: Spec, kept: CheckTraces) -> Holder:
    """Return the person as a system knows them. Where the token was used, an account may have the
    reserved name.
    """
    recorded = {kind: (*names, USERNAME) for kind, names in kept.accounts.items()}
    if spec.name in kept.tried:
        for kind in spec.kinds:
            if kind.holds_account:
                recorded.setdefault(kind.kind, (USERNAME,))
    return Holder(USERNAME, kept.sub, recorded=recorded)


def _fulfilled(
    wish: DesiredState, systems: ConnectedSystems, *, tried: bool = True
) -> Iterator[Finding]:
    """Reach a state and check it; report what cannot be confirmed. Where nothing was tried, nothing
    exists, whether or not it can be seen.
    """
    found, system = systems.connector(wish.kind), wish.kind.partition(".")[0]
    if found is None:
        return
    try:
        change = found.plan(wish.target, wish.after)
        if change.before == UNKNOWN and not tried:
            return
        outcome = found.remove(change) if wish.after is None else found.apply(change)
        seen = found.verify(change)
    except ConnectorError as error:
        if tried:
            yield _left(system, error)
        return
    for one in outcome.by_hand:
        yield _left_because(system, one)
    if seen is None and not outcome.by_hand:
        yield _left_because(system, message("person_still_there"))


def _left(system: str, error: ConnectorError) -> Finding:
    return _left_because(system, error.in_full)


def _left_because(system: str, why: Message) -> Finding:
    name, advice = message("check_person_left"), message("person_left_advice")
    return Findings(system).failing(name, message("person_left", why=why), advice)
