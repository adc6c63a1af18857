"""Follow a sign-in at a system as far as it comes without a password, and report what stops it in
the other side's own words.

Systems do not know one another: the system tells where its sign-in begins, and the identity
provider how it answers the resulting request (`contract/sign_in_walk.py`). Each cause is reported
once: the finding of the system's own check comes first, and consequences of a refusal at the
identity provider are left out.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, cast

from workspace_manager.contract.connector import ALL, Finding, Severity, System
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message
from workspace_manager.contract.sign_in_walk import (
    ProviderAnswer,
    SignInPath,
    SignInStart,
    origin_of,
    said_by,
    way_from,
)
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.system_protocols import IdentityProvider
from workspace_manager.operations.messages import message
from workspace_manager.systems import registry

Start = Callable[[], SignInStart | None]


class Provider(IdentityProvider, Protocol):
    """The identity provider, as the walk uses it."""

    def at_sign_in(self, address: str) -> ProviderAnswer: ...


def walk_findings(
    name: str, system: System, systems: ConnectedSystems, found: Sequence[Finding]
) -> list[Finding]:
    """Add to a check's findings how far a sign-in at the system comes."""
    begins: Start | None = getattr(system, "sign_in_start", None)
    if begins is None or any(ALL[0] in one.hides for one in found):
        return [*found]
    try:
        start = begins()
    except ConnectorError:
        return [*found]  # The check has reported why there is no page.
    if not isinstance(start, SignInStart) or not _may_begin(start, found) or _is_told(start, found):
        return [*found]
    one = _finding(name, start, systems)
    if one is None:
        return [*found]
    if one.severity is Severity.OK:
        is_said = any(other.name_message == start.name for other in found)
        return [*found] if is_said else [*found, one]
    return [*(other for other in found if not _follows(other, start)), one]


def _may_begin(start: SignInStart, found: Sequence[Finding]) -> bool:
    said = {one.message.code for one in found if one.message}
    return not start.once_said or bool(said & {*start.once_said})


def _is_told(start: SignInStart, found: Sequence[Finding]) -> bool:
    """Return whether the check reports what stops the sign-in."""
    names = {start.name, *start.told_by}
    return any(
        one.severity is Severity.FAILING
        and one.name_message in names
        and not _is_explained(one, start)
        for one in found
    )


def _follows(one: Finding, start: SignInStart) -> bool:
    return one.name_message == start.name or _is_explained(one, start)


def _is_explained(one: Finding, start: SignInStart) -> bool:
    return one.message is not None and one.message.code in start.explained


def _finding(name: str, start: SignInStart, systems: ConnectedSystems) -> Finding | None:
    """Return how far it comes; None without an identity provider to ask."""
    if not systems.has_identity_provider:
        return None
    provider = cast(Provider, systems.identity_provider())
    of_provider = name == provider.name
    try:
        way = None if of_provider else way_from(start, system=name)
        address = start.address if way is None else way.leads_to
        at = provider.at_sign_in(address) if address else ProviderAnswer(is_our_realm=False)
        issuer = provider.read_metadata().issuer
    except ConnectorError as error:
        # The finding about the side that does not answer has the reason.
        return Findings(name).warning(
            start.name, error.in_full, error.advice_message, hides=(start.name.code,)
        )
    return _judged(name, start, way, at, (issuer, _client_of(name, systems)))


def _judged(
    name: str, start: SignInStart, way: SignInPath | None, at: ProviderAnswer, here: tuple[str, str]
) -> Finding:
    """Judge the answer. `here`: the issuer and client id of our settings."""
    say, (issuer, client_id) = Findings(name), here
    if way is not None and not at.is_our_realm:
        found = _elsewhere(way, issuer)
        remedy = message("walk_name_issuer", system=label_of(name), issuer=issuer)
        return say.failing(start.name, found, remedy)
    if client_id and at.client_id != client_id:
        ids = {"there": at.client_id[:200], "here": client_id}
        remedy = message("walk_name_client", system=label_of(name), client_id=client_id)
        if at.said:
            found = message("walk_refused_another_client", **ids, said=at.said)
            return say.failing(start.name, found, remedy)
        # Somebody may have made the client by hand, and people sign in with it.
        return say.warning(start.name, message("walk_another_client", **ids), remedy)
    if at.said:
        remedy = at.remedy or message("correct_settings")
        return say.failing(start.name, message("walk_refused", said=at.said), remedy)
    return say.ok(start.name, message("walk_goes_on"))


def _elsewhere(way: SignInPath, issuer: str) -> Message:
    if way.leads_to:
        scheme, host = origin_of(way.leads_to)
        path = way.leads_to.partition(host)[2].partition("?")[0]
        return message("walk_leads_elsewhere", there=f"{scheme}://{host}{path}"[:200], here=issuer)
    said = said_by(way.answer)
    if said:
        return message("walk_stays_saying", shape=way.answer.shape, said=said)
    return message("walk_stays", shape=way.answer.shape)


def _client_of(name: str, systems: ConnectedSystems) -> str:
    """Return the client id that the set-up makes for a system; "" if it needs none."""
    attributes = {
        one.purpose: one.name
        for spec, values in systems.specs()
        for one in spec.realm_attributes(values)
    }
    want = registry().specs[name].realm_client(systems.settings[name], attributes)
    return want.client_id if want else ""
