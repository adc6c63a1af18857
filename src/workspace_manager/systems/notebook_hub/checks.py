"""Find what is wrong with the settings of the notebook hub.

See docs/explanation/when-something-is-wrong.md#misconfigurations.
"""

from collections.abc import Iterator, Sequence

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import ConnectorError, NotFound
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message
from workspace_manager.systems.notebook_hub import checks_identity
from workspace_manager.systems.notebook_hub.client import SYSTEM, Client
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import fits
from workspace_manager.systems.notebook_hub.settings import Settings

_STOP_SCOPES = {"delete:servers", "servers", "admin:servers"}
SAY = Findings(SYSTEM)
_MOST_LOOKS = 100
"""Each container is a call of its own."""


def check(settings: Settings, client: Client, containers: ContainerEngine | None) -> list[Finding]:
    """Look at everything that can be seen from here."""
    return [
        *_hub(client),
        *(_token(client) if settings.asks_hub else ()),
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
        yield _failing(name, error, name, checks_identity.NAME)
        return
    yield _stops(me.get("scopes"))
    yield checks_identity.finding(client, me.get("info"))


def _stops(scopes: object) -> Finding:
    granted = {
        str(scope).partition("!")[0] for scope in (scopes if isinstance(scopes, list) else ())
    }
    if granted & _STOP_SCOPES:
        return SAY.of(Severity.OK, message("check_token"), message("token_may_stop"))
    return SAY.of(
        Severity.FAILING,
        message("check_token"),
        message("token_may_not_stop"),
        message("give_scopes"),
    )


def _containers(settings: Settings, containers: ContainerEngine | None) -> Iterator[Finding]:
    prefix = settings.container_name_prefix
    if containers is None:
        yield SAY.of(
            Severity.FAILING,
            message("check_container_manager"),
            message("notebooks_cannot_be_stopped"),
            message("configure_containers"),
            hides=(message("check_container_names").code, message("check_kept_containers").code),
        )
        return
    try:
        names = containers.list_names(prefix)
    except ConnectorError as error:
        name = message("check_container_names")
        yield _failing(name, error, name, message("check_kept_containers"))
        return
    yield _named(settings, names)
    try:
        yield _kept(containers, names[:_MOST_LOOKS])
    except ConnectorError as error:
        name = message("check_kept_containers")
        yield _failing(name, error, name)


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


def _kept(containers: ContainerEngine, names: Sequence[str]) -> Finding:
    """A stopped container keeps the environment of its last start: the drive's password, for
    whoever has that name next.

    See docs/systems/notebook-hub.md#after-an-outside-stop.
    """
    stopped = [name for name in names if _stopped(containers, name)]
    if not stopped:
        return SAY.of(Severity.OK, message("check_kept_containers"), message("none_kept"))
    return SAY.of(
        Severity.WARNING,
        message("check_kept_containers"),
        message("some_kept", n=len(stopped), example=stopped[0]),
        message("set_remove"),
    )


def _stopped(containers: ContainerEngine, name: str) -> bool:
    try:
        return containers.inspect(name).stopped
    except NotFound:
        return False
