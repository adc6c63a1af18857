"""Checks of the drive: misconfigurations that can be seen from here, with their remedies.

No check counts as a failed sign-in: none tries a wrong password, and none opens a throttled page
while it would count. Only a drive that wants HTTPS and is not told of it counts the look, as it
counts everybody's.

See docs/explanation/when-something-is-wrong.md#misconfigurations.
"""

from collections.abc import Callable

from workspace_manager.contract.connector import ALL, Finding
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.known_people import KnownPeople, no_people
from workspace_manager.contract.realm import RealmNeeds
from workspace_manager.systems.drive.checks_administrator import as_administrator
from workspace_manager.systems.drive.checks_failed_sign_ins import failed_sign_ins
from workspace_manager.systems.drive.checks_finding import FAILING, OK, SAID, WARNING, finding
from workspace_manager.systems.drive.checks_inside import command_line_findings
from workspace_manager.systems.drive.checks_login_form import login_form
from workspace_manager.systems.drive.checks_pages import PASSED_ON, login, single_logout
from workspace_manager.systems.drive.checks_sign_in import sign_in_findings
from workspace_manager.systems.drive.client import DriveClient
from workspace_manager.systems.drive.members.status import STATUS
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.settings import Settings


def check(
    client: DriveClient,
    settings: Settings,
    containers: ContainerEngine | None,
    realm: RealmNeeds | None = None,
    people: KnownPeople = no_people,
) -> list[Finding]:
    """Run all checks. A drive that does not answer is the only finding then."""
    reachable, version = _reachable(client)
    if not version:
        return [reachable]
    findings = [reachable]
    tool = _safely(lambda: _fallback(settings, containers, version))
    fallback = bool(tool) and tool[0].severity is OK
    findings += _safely(lambda: as_administrator(client, settings, fallback, realm, people))
    out = _safely(lambda: [single_logout(client, settings, realm)])
    findings += _safely(lambda: _sign_in(client, settings, realm, [*findings, *out]))
    findings += out
    for look in (
        lambda: failed_sign_ins(client),
        lambda: login_form(client),
        lambda: _app_passwords(client, settings, fallback),
    ):
        findings += _safely(look)
    return [*findings, *tool]


def _sign_in(
    client: DriveClient, settings: Settings, realm: RealmNeeds | None, found: list[Finding]
) -> list[Finding]:
    """Check the sign-in page and, if the drive reaches the identity provider, the way to it. A
    sign-in that cannot begin counts at the identity provider.
    """
    page = client.page("/login")
    said = {one.message.code for one in found if one.message}
    if not said & PASSED_ON:
        return login(page, said)
    return [
        *login(page, said),
        *_safely(lambda: sign_in_findings(client, settings, realm, page, said)),
    ]


def _app_passwords(client: DriveClient, settings: Settings, fallback: bool) -> list[Finding]:
    """Check whether a server in front of the drive lets through the route that makes app passwords
    for tokens.
    """
    if not settings.use_bearer_token:
        return []
    name = message("check_app_passwords")
    other = client.before_app_passwords()
    if other is None:
        return [finding(name, OK, message("app_passwords_are_reached"))]
    text = message("app_passwords_are_not_reached", shape=other.shape)
    return [finding(name, WARNING if fallback else FAILING, text, message("let_ocs_pass"))]


def _safely(look: Callable[[], list[Finding]]) -> list[Finding]:
    try:
        return look()
    except ConnectorError as error:
        remedy = error.advice_message
        return [finding(error.doing_message, FAILING, error.message, remedy, ALL)]


def _reachable(client: DriveClient) -> tuple[Finding, str]:
    """Return a finding and the drive's version; "" if further checks are pointless."""
    name = message("check_reachable")
    try:
        status = client.status()
    except ConnectorError as error:
        return finding(name, FAILING, error.message, error.advice_message, ALL), ""
    wrong = next(STATUS.findings(status, SAID), None)
    if wrong is not None:
        return wrong.model_copy(update={"hides": ALL}), ""
    version = str(status.get("versionstring", ""))
    return finding(name, OK, message("answers_version", version=version)), version or "?"


def _fallback(
    settings: Settings, containers: ContainerEngine | None, version: str
) -> list[Finding]:
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
        stands = message("container_is", status=state.status)
        hides = (message("check_configuration").code,)
        return [finding(name, WARNING, stands, message("start_it"), hides)]
    runs = finding(name, OK, message("container_runs"))
    return [runs, *_safely(lambda: command_line_findings(containers, settings, version))]
