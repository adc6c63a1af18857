"""Find what is wrong with the settings of the container manager (specification, sections 4.4, 5 and 7)."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.client.connection import SYSTEM
from workspace_manager.systems.container_manager.settings import Settings

SAY = Findings(SYSTEM)
OLDEST_API = (1, 24)
"""The oldest Docker Engine API that has everything that is called."""
_UP = 1


def check(settings: Settings, client: Client) -> list[Finding]:
    """Look at everything that can be seen from here; later lines are left out when an earlier one makes them pointless."""
    findings: list[Finding] = []
    for finding in _all(settings, client):
        findings.append(finding)
        if finding.severity is Severity.FAILING:
            break
    return findings


def _all(settings: Settings, client: Client) -> Iterator[Finding]:
    if not settings.direct:
        yield _try("reachable", client.portainer_version, _version_text)
        yield _clear_text(settings)
        yield _try("key", client.me, lambda me: f"the key is {me.get('Username', 'somebody')}'s")
        yield _administrator(client)
        yield _environment(client)
    yield _try("engine", client.engine_version, _engine_text)
    yield _api(client)
    yield _try(
        "containers", client.list_names, lambda names: f"{len(names)} containers can be listed"
    )


def _try(name: str, look: Callable[[], Any], say: Callable[[Any], str]) -> Finding:
    try:
        return SAY.ok(name, say(look()))
    except ConnectorError as error:
        return SAY.failing(name, error.detail, error.advice)


def _version_text(version: str) -> str:
    return f"Portainer {version or 'of unknown version'} answers"


def _engine_text(found: dict[str, Any]) -> str:
    return f"the engine answers: version {found.get('Version', '?')}, API {found.get('ApiVersion', '?')}"


def _clear_text(settings: Settings) -> Finding:
    parts = urlsplit(settings.url)
    host = parts.hostname or ""
    if parts.scheme == "http" and not (
        host == "localhost" or host.startswith("127.") or host == "::1"
    ):
        return SAY.warning(
            "encryption",
            "the API key travels unencrypted: the address begins with http://",
            "Use Portainer's https:// address, unless the network between is your own and closed.",
        )
    return SAY.ok("encryption", "the API key does not travel unencrypted through a network")


def _administrator(client: Client) -> Finding:
    try:
        role = client.me().get("Role")
    except ConnectorError as error:
        return SAY.failing("role", error.detail, error.advice)
    if role == 1:
        return SAY.ok("role", "the key's owner is an administrator")
    return SAY.failing(
        "role",
        "the key's owner is a regular user: other people's containers are hidden from it and stops are refused",
        "Make the access token as an administrator in Portainer and store it as api_key.",
    )


def _environment(client: Client) -> Finding:
    try:
        found = client.environment()
    except ConnectorError as error:
        return SAY.failing("environment", error.detail, error.advice)
    number, name = client.connection.environment_id, found.get("Name", "")
    if found.get("Type") not in {1, 2, 4}:
        return SAY.failing(
            "environment",
            f"environment {number} ({name}) is not a Docker environment",
            "Set environment_id to the number of a Docker environment.",
        )
    if found.get("Status") != _UP:
        return SAY.warning(
            "environment",
            f"Portainer holds environment {number} ({name}) for down; that may be out of date",
            "If the next line says that the engine answers, ignore this; else start the container engine.",
        )
    return SAY.ok("environment", f"environment {number} ({name}) exists and is up")


def _api(client: Client) -> Finding:
    try:
        text = str(client.engine_version().get("ApiVersion", ""))
        version = tuple(int(part) for part in text.split("."))
    except (ConnectorError, ValueError):
        version, text = (), "unknown"
    if version >= OLDEST_API:
        return SAY.ok("API version", f"the engine's API {text} is recent enough")
    return SAY.failing(
        "API version",
        f"the engine's API version is {text}; at least 1.24 is needed",
        "Upgrade the container engine.",
    )
