"""What only the drive's own configuration file says, read by its command-line tool where its
application container is named.

Left out from outside: each of these shows as the same refusal of every token, or not at all.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.checks.finding import FAILING, OK, WARNING, finding
from workspace_manager.systems.drive.command_line import system_settings
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.settings import Settings

APP, ATTEMPTS = "user_oidc", "auth.bruteforce.max-attempts"
ENOUGH = 25
"""Failed sign-ins from one address before it is blocked: people behind one proxy share theirs."""
READS_ATTEMPTS = 31
"""The first version of the drive that reads that setting; older ones always block after 10."""
ON = (True, "true", 1, "1")
"""What the app takes for yes where it lists the values; elsewhere it goes by PHP's truth."""

Wrong = tuple[Severity, Message, Message]


def inside(containers: ContainerEngine, settings: Settings, version: str) -> list[Finding]:
    """Read and judge. Raises the five errors when the tool cannot be run."""
    name = message("check_configuration")
    found = system_settings(containers, settings.container_name, APP, ATTEMPTS)
    of_app = found.get(APP)
    wrong = list(_app(of_app if isinstance(of_app, dict) else {}, settings))
    wrong += _attempts(found.get(ATTEMPTS), version)
    if not wrong:
        return [finding(name, OK, message("configuration_as_needed"))]
    return [finding(name, *one) for one in wrong]


def _app(options: Mapping[str, Any], settings: Settings) -> Iterator[Wrong]:
    if (
        not _true(options.get("auto_provision", True))
        or options.get("disable_account_creation") in ON
    ):
        yield FAILING, message("accounts_are_not_made"), message("switch_auto_provision_on")
    if not settings.use_bearer_token:
        return
    by_itself = _true(options.get("selfencoded_bearer_validation", True))
    if not by_itself and not _true(options.get("userinfo_bearer_validation", False)):
        yield FAILING, message("tokens_are_not_checked"), message("switch_validation_on")
    if by_itself and not _true(options.get("selfencoded_bearer_validation_audience_check", True)):
        yield FAILING, message("tokens_of_any_client"), message("switch_audience_check_on")


def _attempts(most: object, version: str) -> Iterator[Wrong]:
    number = re.match(r"[0-9]{1,4}", version)
    if number is None or int(number[0]) < READS_ATTEMPTS:
        return
    if not re.fullmatch(r"[0-9]{1,9}", str(most)) or int(str(most)) < ENOUGH:
        yield WARNING, message("few_attempts"), message("set_attempts", n=ENOUGH)


def _true(value: object) -> bool:
    """What PHP takes for true: of texts, all but "" and "0"."""
    return bool(value) and value != "0"
