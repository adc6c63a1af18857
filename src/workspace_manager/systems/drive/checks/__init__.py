"""Findings about the drive: what is wrong there, as far as it can be seen from here, and what to do (specification, 5 and 7).

Nothing here counts as a failed sign-in: no wrong password is tried, and no page that the drive throttles is asked for.
"""

from collections.abc import Callable

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.systems.drive.checks.administrator import as_administrator
from workspace_manager.systems.drive.checks.finding import FAILING, OK, WARNING, finding
from workspace_manager.systems.drive.checks.pages import login, single_logout
from workspace_manager.systems.drive.client import DriveClient
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
        return [finding(error.doing, FAILING, error.detail, error.advice)]


def _reachable(client: DriveClient) -> tuple[Finding, bool]:
    try:
        status = client.status()
    except ConnectorError as error:
        return finding("reachable", FAILING, error.detail, error.advice), False
    version = str(status.get("versionstring", ""))
    if status.get("maintenance") or status.get("needsDbUpgrade"):
        what = "is in maintenance" if status.get("maintenance") else "needs an upgrade step"
        remedy = "Finish the maintenance (occ maintenance:mode --off) or the upgrade (occ upgrade)."
        return finding("reachable", FAILING, f"The drive answers, but {what}.", remedy), False
    if not status.get("installed"):
        return finding(
            "reachable", FAILING, "The drive is not installed yet.", "Install it."
        ), False
    return finding("reachable", OK, f"The drive answers, version {version}."), True


def _fallback(settings: Settings, containers: ContainerEngine | None) -> list[Finding]:
    name = "command-line tool"
    if not settings.container_name:
        return []
    if containers is None:
        return [
            finding(
                name,
                WARNING,
                "An application container is named, but no container manager is configured.",
                "Configure the container manager, or leave the name empty.",
            )
        ]
    state = containers.inspect(settings.container_name)
    if state.stopped:
        return [
            finding(name, WARNING, f"The application container is {state.status}.", "Start it.")
        ]
    return [finding(name, OK, "The application container runs.")]
