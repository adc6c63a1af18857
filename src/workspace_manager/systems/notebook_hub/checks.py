"""Find what is wrong with the settings of the notebook hub (specification, sections 2.5, 6 and 7)."""

from collections.abc import Iterator, Sequence

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import ConnectorError, NotFound
from workspace_manager.systems.notebook_hub import checks_identity
from workspace_manager.systems.notebook_hub.client import SYSTEM, Client
from workspace_manager.systems.notebook_hub.names import fits
from workspace_manager.systems.notebook_hub.settings import Settings

_STOP_SCOPES = {"delete:servers", "servers", "admin:servers"}
_MOST_LOOKS = 100
"""Each container is a call of its own."""


def check(settings: Settings, client: Client, containers: ContainerEngine | None) -> list[Finding]:
    """Look at everything that can be seen from here."""
    return [
        *_hub(client),
        *(_token(client) if settings.asks_hub else ()),
        *_containers(settings, containers),
    ]


def _finding(name: str, severity: Severity, text: str, remedy: str = "") -> Finding:
    return Finding(system=SYSTEM, name=name, severity=severity, text=text, remedy=remedy)


def _failing(name: str, error: ConnectorError) -> Finding:
    return _finding(name, Severity.FAILING, error.detail, error.advice)


def _hub(client: Client) -> Iterator[Finding]:
    try:
        version = client.version()
    except ConnectorError as error:
        yield _failing("reachable", error)
        return
    yield _finding("reachable", Severity.OK, f"JupyterHub {version} answers")


def _token(client: Client) -> Iterator[Finding]:
    try:
        me = client.me()
    except ConnectorError as error:
        yield _failing("token", error)
        return
    yield _stops(me.get("scopes"))
    yield checks_identity.finding(client, me.get("info"))


def _stops(scopes: object) -> Finding:
    granted = {
        str(scope).partition("!")[0] for scope in (scopes if isinstance(scopes, list) else ())
    }
    if granted & _STOP_SCOPES:
        return _finding("token", Severity.OK, "the token is accepted and may stop servers")
    return _finding(
        "token",
        Severity.FAILING,
        "the token is accepted, but may not stop servers",
        "Give its service a role with the scopes read:users:name, read:servers and delete:servers.",
    )


def _containers(settings: Settings, containers: ContainerEngine | None) -> Iterator[Finding]:
    prefix = settings.container_name_prefix
    if containers is None:
        yield _finding(
            "container manager",
            Severity.FAILING,
            "no container manager is configured: notebooks cannot be stopped",
            "Configure the container manager.",
        )
        return
    if not prefix:
        yield _finding(
            "container names",
            Severity.FAILING,
            "the container name prefix is empty: a user name could be a stranger's container",
            "Set container_name_prefix to DockerSpawner's prefix and a dash, like jupyter-.",
        )
        return
    try:
        names = containers.list_names(prefix)
    except ConnectorError as error:
        yield _failing("container names", error)
        return
    yield _named(settings, names)
    try:
        yield _kept(containers, names[:_MOST_LOOKS])
    except ConnectorError as error:
        yield _failing("kept containers", error)


def _named(settings: Settings, names: Sequence[str]) -> Finding:
    prefix, escape = settings.container_name_prefix, settings.container_name_escape
    strange = [name for name in names if not fits(name, prefix=prefix, escape=escape)]
    if not strange:
        text = f"{len(names)} containers begin with {prefix} and fit the escape rule"
        return _finding("container names", Severity.OK, text)
    return _finding(
        "container names",
        Severity.FAILING,
        f"{len(strange)} of {len(names)} notebook containers have names that the escape rule {escape!r} does not make, like "
        f"{strange[0]}",
        "Set container_name_escape to the rule of the hub's DockerSpawner; with a wrong one notebooks of removed people go on running.",
    )


def _kept(containers: ContainerEngine, names: Sequence[str]) -> Finding:
    """A stopped container keeps the environment of its last start: the drive's password, for whoever has that name next (facts 4.3)."""
    stopped = [name for name in names if _stopped(containers, name)]
    if not stopped:
        return _finding("kept containers", Severity.OK, "no stopped notebook container is kept")
    return _finding(
        "kept containers",
        Severity.WARNING,
        f"{len(stopped)} stopped notebook containers are kept, like {stopped[0]}: each holds the drive password of its last start, "
        "and its next start gets that one again, also for somebody new of the same name",
        "Set c.DockerSpawner.remove = True in the hub, and remove these containers.",
    )


def _stopped(containers: ContainerEngine, name: str) -> bool:
    try:
        return containers.inspect(name).stopped
    except NotFound:
        return False
