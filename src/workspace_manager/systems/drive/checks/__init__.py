"""Findings about the drive: what is wrong there, as far as it can be seen from here, and what to
do.

Nothing here counts as a failed sign-in: no wrong password is tried, and no page that the drive
throttles is asked for.

See docs/explanation/when-something-is-wrong.md#misconfigurations.
"""

from collections.abc import Callable

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.systems.drive.checks.administrator import as_administrator
from workspace_manager.systems.drive.checks.finding import FAILING, OK, WARNING, finding
from workspace_manager.systems.drive.checks.pages import login, single_logout
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.settings import Settings


def check(
    client: DriveClient, settings: Settings, containers: ContainerEngine | None
) -> list[Finding]:
    """Ask everything that can be asked; a drive that does not answer is one finding and the end."""
    reachable, usable = _reachable(client)
    if not usable:
        return [reachable]
    findings = [reachable]
    fallback = containers is not None and bool(settings.container_name)
    for look in (
        lambda: [login(client)],
        lambda: [single_logout(client, settings)],
        lambda: as_administrator(client, settings, fallback),
        lambda: _fallback(settings, containers),
    ):
        findings += _safely(look)
    return findings


def _safely(look: Callable[[], list[Finding]]) -> list[Finding]:
    try:
        return look()
    except ConnectorError as error:
        return [finding(error.doing_message, FAILING, error.message, error.advice_message)]


def _reachable(client: DriveClient) -> tuple[Finding, bool]:
    try:
        status = client.status()
    except ConnectorError as error:
        return finding(
            message("check_reachable"), FAILING, error.message, error.advice_message
        ), False
    version = str(status.get("versionstring", ""))
    if status.get("maintenance") or status.get("needsDbUpgrade"):
        what = message("in_maintenance_page" if status.get("maintenance") else "needs_upgrade")
        remedy = message("finish_maintenance")
        return finding(message("check_reachable"), FAILING, what, remedy), False
    if not status.get("installed"):
        return finding(
            message("check_reachable"), FAILING, message("not_installed"), message("install_it")
        ), False
    return finding(
        message("check_reachable"), OK, message("answers_version", version=version)
    ), True


def _fallback(settings: Settings, containers: ContainerEngine | None) -> list[Finding]:
    name = message("check_command_line")
    if not settings.container_name:
        return []
    if containers is None:
        return [
            finding(
                name,
                WARNING,
                message("container_without_manager"),
                message("configure_container_manager"),
            )
        ]
    state = containers.inspect(settings.container_name)
    if state.stopped:
        return [
            finding(
                name, WARNING, message("container_is", status=state.status), message("start_it")
            )
        ]
    return [finding(name, OK, message("container_runs"))]
