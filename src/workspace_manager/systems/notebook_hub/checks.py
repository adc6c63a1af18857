"""Checks of the notebook hub's settings.

See docs/explanation/when-something-is-wrong.md#misconfigurations.
"""

import contextlib
from collections.abc import Iterator, Sequence

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.containers import ContainerEngine, ContainerState
from workspace_manager.contract.errors import ConnectorError, NotFound
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.known_people import KnownPeople, KnownPerson
from workspace_manager.contract.message import Message
from workspace_manager.systems.notebook_hub import (
    checks_identity,
    checks_names,
    checks_people,
    checks_servers,
    checks_sign_in,
)
from workspace_manager.systems.notebook_hub.client.calls import SYSTEM, Client, User
from workspace_manager.systems.notebook_hub.members import TOKEN
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.settings import Settings

SAY = Findings(SYSTEM)
_MOST_LOOKS = 100
"""The most containers looked at; each takes a call."""


def check(
    settings: Settings, client: Client, containers: ContainerEngine | None, people: KnownPeople
) -> list[Finding]:
    """Return findings of everything that can be checked from here."""
    return list(_all(settings, client, containers, people()))


def _all(
    settings: Settings,
    client: Client,
    containers: ContainerEngine | None,
    people: Sequence[KnownPerson],
) -> Iterator[Finding]:
    yield from _hub(client)
    users: list[User] = []
    if settings.asks_hub:
        found, users = _token(client)
        yield from found
    else:
        yield checks_servers.without_token(settings)
    looked_at: list[ContainerState] = []
    yield from _containers(settings, containers, users, people, looked_at)
    yield _people(settings, users, looked_at, people)
    yield checks_sign_in.finding(settings, policy=client.calls)


def _failing(name: Message, error: ConnectorError, *hides: Message) -> Finding:
    hidden = tuple(one.code for one in hides)
    return SAY.failing(name, error.message, error.advice_message, hides=hidden)


def _hub(client: Client) -> Iterator[Finding]:
    try:
        version = client.version()
    except ConnectorError as error:
        yield _failing(message("check_reachable"), error)
        return
    yield SAY.of(Severity.OK, message("check_reachable"), message("hub_answers", version=version))


def _token(client: Client) -> tuple[list[Finding], list[User]]:
    try:
        me = client.me()
    except ConnectorError as error:
        name = message("check_token")
        hidden = (checks_servers.SERVERS, checks_servers.USERS, checks_identity.NAME)
        return [_failing(name, error, name, *hidden, checks_people.NAME)], []
    held = checks_servers.unfiltered_scopes(me.get("scopes"))
    found = [*checks_servers.token_findings(held, me.get("scopes"))]
    of_users, users = checks_servers.check_user_list(client, held)
    identities = checks_identity.findings(client, me.get("info"))
    return [*found, *TOKEN.findings(me, SAY), of_users, *identities], users


def _containers(
    settings: Settings,
    containers: ContainerEngine | None,
    users: Sequence[User],
    people: Sequence[KnownPerson],
    looked_at: list[ContainerState],
) -> Iterator[Finding]:
    """Check the containers, and add those that were looked at to `looked_at`."""
    kept = message("check_kept_containers")
    unseen = (checks_names.NAME, kept, checks_servers.WHOSE, checks_people.NAME)
    if containers is None:
        severity = Severity.WARNING if settings.asks_hub else Severity.FAILING
        key = "containers_not_seen" if settings.asks_hub else "notebooks_cannot_be_stopped"
        name, hidden = message("check_container_manager"), tuple(one.code for one in unseen)
        yield SAY.of(severity, name, message(key), message("configure_containers"), hides=hidden)
        return
    prefix = settings.container_name_prefix
    try:
        every = containers.list_names()
    except ConnectorError as error:
        yield _failing(checks_names.NAME, error, *unseen)
        return
    names = [one for one in every if one.startswith(prefix)]
    strangers = [one for one in every if not one.startswith(prefix)]
    elsewhere = checks_names.names_of_users(strangers, users, people)
    try:
        looked_at += _inspect_each(containers, [*names, *elsewhere][:_MOST_LOOKS])
    except ConnectorError as error:
        yield _failing(kept, error, *unseen)
        return
    yield checks_names.finding(settings, names, checks_names.pairs_of(users, looked_at, settings))
    named = [one for one in looked_at if one.name.startswith(prefix)]
    yield _stopped_containers(named, len(names))
    yield checks_servers.check_ownership(named, settings)


def _people(
    settings: Settings,
    users: Sequence[User],
    looked_at: Sequence[ContainerState],
    people: Sequence[KnownPerson],
) -> Finding:
    said = {one.user for one in checks_names.pairs_of((), looked_at, settings)}
    working = {one.name for one in users if any(each.active for each in one.servers or ())} | said
    return checks_people.finding({one.name for one in users} | said, working, people)


def _stopped_containers(looked_at: Sequence[ContainerState], all_there: int) -> Finding:
    """Warn about stopped containers, which keep the environment of their last start with the
    drive's password, for the next holder of the name
    (docs/systems/notebook-hub.md#after-an-outside-stop).
    """
    name = message("check_kept_containers")
    stopped = [one.name for one in looked_at if one.stopped]
    if stopped:
        text = message("some_kept", n=len(stopped), example=stopped[0])
        return SAY.warning(name, text, message("set_remove"))
    if all_there > _MOST_LOOKS:
        return SAY.ok(name, message("none_kept_of_some", n=_MOST_LOOKS, all=all_there))
    return SAY.ok(name, message("none_kept"))


def _inspect_each(containers: ContainerEngine, names: Sequence[str]) -> list[ContainerState]:
    found: list[ContainerState] = []
    for name in names:
        with contextlib.suppress(NotFound):  # It was deleted meanwhile.
            found.append(containers.inspect(name))
    return found
