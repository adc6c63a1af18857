"""Checks of the container manager's settings.

See docs/explanation/when-something-is-wrong.md#misconfigurations.
"""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

from workspace_manager.contract.connector import ALL, Finding, Severity
from workspace_manager.contract.errors import ConnectorError, NotFound
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager import members
from workspace_manager.systems.container_manager.client import Client, compose
from workspace_manager.systems.container_manager.client.connection import SYSTEM
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import ports, stack_url
from workspace_manager.systems.container_manager.settings import Settings

SAY = Findings(SYSTEM)
OLDEST_API = (1, 24)
"""The oldest Docker Engine API with every call that we make."""
_UP = 1


def check(settings: Settings, client: Client) -> list[Finding]:
    """Return findings of everything that can be checked from here. Later checks are left out after
    a failure that makes them pointless.
    """
    findings: list[Finding] = []
    for finding in _all(settings, client):
        if finding.severity is Severity.FAILING:
            return [*findings, finding.model_copy(update={"hides": ALL})]
        findings.append(finding)
    return findings


def _all(settings: Settings, client: Client) -> Iterator[Finding]:
    if not settings.direct:
        yield _try(message("check_reachable"), client.status, _version_text)
        yield _try(
            message("check_key"),
            client.me,
            lambda me: message("key_belongs_to", owner=str(me.get("Username", "somebody"))),
        )
        yield from _owner(client)
        yield from _environment(client)
    yield _try(message("check_engine"), client.engine_version, _engine_text)
    yield from _version(client)
    yield _try(
        message("check_containers"),
        client.list_names,
        lambda names: message("containers_listed", n=len(names)),
    )
    if settings.direct:
        yield _compose()
    yield _stack_ports(settings)
    yield _stack_address(settings)
    yield _snapshot_image(settings, client)


def _try(name: Message, look: Callable[[], Any], say: Callable[[Any], Message]) -> Finding:
    try:
        return SAY.ok(name, say(look()))
    except ConnectorError as error:
        return SAY.failing(name, error.message, error.advice_message)


def _version_text(status: dict[str, Any]) -> Message:
    version = str(status.get("Version", ""))
    if not version:
        return message("portainer_answers_unknown")
    return message("portainer_answers", version=version)


def _engine_text(found: dict[str, Any]) -> Message:
    return message(
        "engine_answers",
        version=str(found.get("Version", "?")),
        api=str(found.get("ApiVersion", "?")),
    )


def _owner(client: Client) -> Iterator[Finding]:
    name = message("check_role")
    try:
        me = client.me()
    except ConnectorError as error:
        yield SAY.failing(name, error.message, error.advice_message)
        return
    found = [*members.OWNER.findings(me, SAY)]
    if name not in [one.name_message for one in found]:
        yield SAY.ok(name, message("owner_is_administrator"))
    yield from found


def _environment(client: Client) -> Iterator[Finding]:
    try:
        found = client.environment()
    except ConnectorError as error:
        yield SAY.failing(message("check_environment"), error.message, error.advice_message)
        return
    yield _of_environment(client, found)
    yield from members.ENVIRONMENT.findings(found, SAY)


def _of_environment(client: Client, found: dict[str, Any]) -> Finding:
    number, name = client.connection.environment_id, str(found.get("Name", ""))
    # A tuple, because a number of an unknown shape need not have a hash.
    if found.get("Type") not in (1, 2, 4):
        return SAY.failing(
            message("check_environment"),
            message("environment_not_docker", number=number, name=name),
            message("set_docker_environment"),
        )
    if found.get("Status") != _UP:
        return SAY.warning(
            message("check_environment"),
            message("environment_held_for_down", number=number, name=name),
            message("if_engine_answers"),
        )
    return SAY.ok(
        message("check_environment"), message("environment_is_up", number=number, name=name)
    )


def _version(client: Client) -> Iterator[Finding]:
    try:
        found = client.engine_version()
    except ConnectorError:
        found = {}
    yield _api(found)
    yield from members.VERSION.findings(found, SAY)


def _api(found: dict[str, Any]) -> Finding:
    try:
        text = str(found.get("ApiVersion", ""))
        version = tuple(int(part) for part in text.split("."))
    except ValueError:
        version, text = (), "unknown"
    if version >= OLDEST_API:
        return SAY.ok(message("check_api_version"), message("api_recent_enough", version=text))
    return SAY.failing(
        message("check_api_version"),
        message("api_too_old", version=text),
        message("upgrade_engine"),
    )


def _compose() -> Finding:
    """Check for a compose command. Containers are managed without it, so its absence is no
    failure.
    """
    name, command = message("check_compose"), compose.program()
    if not command:
        return SAY.warning(name, message("no_compose"), message("install_compose"))
    found = compose.program_name(command)
    if not compose.keeps_secrets(command):
        text = message("compose_without_secrets", program=found)
        return SAY.warning(name, text, message("install_other_compose"))
    return SAY.ok(name, message("compose_found", program=found))


def _stack_ports(settings: Settings) -> Finding:
    name, usable = message("check_stack_ports"), len(ports(settings))
    if usable:
        return SAY.ok(name, message("stack_ports_usable", n=usable))
    text = message("stack_ports_unusable", text=settings.stack_ports)
    return SAY.warning(name, text, message("set_stack_ports"))


def _stack_address(settings: Settings) -> Finding:
    """Check the addresses of stacks. Two stacks need two addresses, or one would be asked for the
    other.
    """
    one, other = stack_url(settings, "ws-one", 20001), stack_url(settings, "ws-other", 20002)
    name, parts = message("check_stack_address"), urlsplit(one)
    if one != other and parts.scheme in {"http", "https"} and parts.netloc:
        return SAY.ok(name, message("stack_address_used", url=one))
    text = message("stack_address_unusable", url=one)
    return SAY.warning(name, text, message("set_stack_address"))


def _snapshot_image(settings: Settings, client: Client) -> Finding:
    """Check whether volumes can be copied; everything else works without."""
    name, image = message("check_snapshots"), settings.snapshot_image
    try:
        client.image(image)
    except NotFound:
        text = message("helper_image_missing", image=image)
        return SAY.warning(name, text, message("set_helper_image"))
    except ConnectorError as error:
        return SAY.warning(name, error.message, error.advice_message)
    return SAY.ok(name, message("helper_image_there", image=image))
