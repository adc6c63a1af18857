"""Find what is wrong with the settings of the notebook hub.

See docs/explanation/when-something-is-wrong.md#misconfigurations.
"""

import contextlib
from collections.abc import Iterator, Sequence

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.containers import ContainerEngine, ContainerState
from workspace_manager.contract.errors import ConnectorError, NotFound
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message
from workspace_manager.systems.notebook_hub import checks_identity, checks_servers
from workspace_manager.systems.notebook_hub.client import SYSTEM, Client
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import fits
from workspace_manager.systems.notebook_hub.settings import Settings

SAY = Findings(SYSTEM)
_MOST_LOOKS = 100
"""Each container is a call of its own."""


def check(settings: Settings, client: Client, containers: ContainerEngine | None) -> list[Finding]:
    """Look at everything that can be seen from here."""
    return [
        *_hub(client),
        *(_token(client) if settings.asks_hub else [checks_servers.not_asked(settings)]),
        *_containers(settings, containers),
    ]


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


def _token(client: Client) -> Iterator[Finding]:
    try:
        me = client.me()
    except ConnectorError as error:
        name = message("check_token")
        hidden = (checks_servers.SERVERS, checks_servers.USERS, checks_identity.NAME)
        yield _failing(name, error, name, *hidden)
        return
    yield from checks_servers.findings(client, me.get("scopes"))
    yield checks_identity.finding(client, me.get("info"))


def _containers(settings: Settings, containers: ContainerEngine | None) -> Iterator[Finding]:
    prefix = settings.container_name_prefix
    hidden = (
        message("check_container_names").code,
        message("check_kept_containers").code,
        checks_servers.WHOSE.code,
    )
    if containers is None:
        severity = Severity.WARNING if settings.asks_hub else Severity.FAILING
        key = "containers_not_seen" if settings.asks_hub else "notebooks_cannot_be_stopped"
        name = message("check_container_manager")
        yield SAY.of(severity, name, message(key), message("configure_containers"), hides=hidden)
        return
    try:
        names = containers.list_names(prefix)
    except ConnectorError as error:
        name = message("check_container_names")
        yield _failing(name, error, name, message("check_kept_containers"), checks_servers.WHOSE)
        return
    yield _named(settings, names)
    try:
        looked_at = _looked_at(containers, names[:_MOST_LOOKS])
    except ConnectorError as error:
        name = message("check_kept_containers")
        yield _failing(name, error, name, checks_servers.WHOSE)
        return
    yield _kept(looked_at, len(names))
    yield checks_servers.whose(looked_at, settings)


def _named(settings: Settings, names: Sequence[str]) -> Finding:
    prefix, escape = settings.container_name_prefix, settings.container_name_escape
    strange = [name for name in names if not fits(name, prefix=prefix, escape=escape)]
    if not strange:
        text = message("containers_fit", n=len(names), prefix=prefix)
        return SAY.of(Severity.OK, message("check_container_names"), text)
    return SAY.of(
        Severity.FAILING,
        message("check_container_names"),
        message(
            "containers_do_not_fit",
            strange=len(strange),
            all=len(names),
            escape=escape,
            example=strange[0],
        ),
        message("set_escape"),
    )


def _kept(looked_at: Sequence[ContainerState], all_there: int) -> Finding:
    """A stopped container keeps the environment of its last start: the drive's password, for
    whoever has that name next.

    See docs/systems/notebook-hub.md#after-an-outside-stop.
    """
    name = message("check_kept_containers")
    stopped = [one.name for one in looked_at if one.stopped]
    if stopped:
        text = message("some_kept", n=len(stopped), example=stopped[0])
        return SAY.warning(name, text, message("set_remove"))
    if all_there > _MOST_LOOKS:
        return SAY.ok(name, message("none_kept_of_some", n=_MOST_LOOKS, all=all_there))
    return SAY.ok(name, message("none_kept"))


def _looked_at(containers: ContainerEngine, names: Sequence[str]) -> list[ContainerState]:
    found: list[ContainerState] = []
    for name in names:
        with contextlib.suppress(NotFound):  # It went meanwhile.
            found.append(containers.inspect(name))
    return found
