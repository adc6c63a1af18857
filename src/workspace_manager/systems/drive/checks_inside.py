"""Checks of the drive's own configuration file, which its command-line tool reads if its
application container is named.

Without them, each of these faults shows as the same refusal of every token, or not at all.
"""

import re
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.members import MemberTable
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.checks_finding import FAILING, OK, SAID, WARNING, finding
from workspace_manager.systems.drive.command_line import configuration
from workspace_manager.systems.drive.members.file import AUDIENCE, FILE, NAME, OF_THE_APP
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.settings import Settings

APP, ATTEMPTS = "user_oidc", "auth.bruteforce.max-attempts"
ENOUGH = 25
"""Failed sign-ins from one address before it is blocked: people behind one proxy share an
address.
"""
READS_ATTEMPTS = 31
"""The first version of the drive that reads that setting; older ones always block after 10."""

Wrong = tuple[Severity, Message, Message]


def command_line_findings(
    containers: ContainerEngine, settings: Settings, version: str
) -> list[Finding]:
    """Check the configuration. Raises the five errors if the tool cannot be run."""
    found = configuration(containers, settings.container_name)
    of_app = as_the_app_reads(found.get(APP))
    wrong = [*_validation(of_app, settings), *_attempts(found.get(ATTEMPTS), version)]
    said = [
        *_without_repeats(_of_app(of_app, settings).findings(of_app, SAID)),
        *(finding(NAME, *one) for one in wrong),
        *FILE.findings(found, SAID),
    ]
    return said or [finding(NAME, OK, message("configuration_as_needed"))]


def _without_repeats(findings: Iterator[Finding]) -> list[Finding]:
    """Return findings without repetitions: two switches may say the same."""
    return list({one.text: one for one in findings}.values())


def as_the_app_reads(options: JsonValue) -> dict[str, JsonValue]:
    """Return the app's switches as booleans. Some follow PHP's truth, where the text "false" is
    true; others list the values that mean no, or yes.
    """
    read = dict(options) if isinstance(options, dict) else {}
    for names, reads in ((BY_TRUTH, _true), (UNLESS_NO, _is_not_no), (IF_YES, _is_yes)):
        read |= {name: reads(read[name]) for name in names & read.keys()}
    return read


def _of_app(options: Mapping[str, JsonValue], settings: Settings) -> MemberTable:
    """Return the table, without rows that the app ignores if it gets no token."""
    if settings.use_bearer_token and options.get("selfencoded_bearer_validation", True):
        return OF_THE_APP
    rows = tuple(row for row in OF_THE_APP.rows if row.path != AUDIENCE)
    return MemberTable(OF_THE_APP.document, rows)


def _validation(options: Mapping[str, JsonValue], settings: Settings) -> Iterator[Wrong]:
    by_itself = options.get("selfencoded_bearer_validation", True)
    by_asking = options.get("userinfo_bearer_validation", False)
    if settings.use_bearer_token and not by_itself and not by_asking:
        yield FAILING, message("tokens_are_not_checked"), message("switch_validation_on")


def _attempts(most: object, version: str) -> Iterator[Wrong]:
    number = re.match(r"[0-9]{1,4}", version)
    if number is None or int(number[0]) < READS_ATTEMPTS:
        return
    if not re.fullmatch(r"[0-9]{1,9}", str(most)) or int(str(most)) < ENOUGH:
        yield WARNING, message("few_attempts"), message("set_attempts", n=ENOUGH)


BY_TRUTH = frozenset(
    {
        *("auto_provision", "selfencoded_bearer_validation", "userinfo_bearer_validation"),
        "single_logout",
    }
)
UNLESS_NO = frozenset(
    {
        *("selfencoded_bearer_validation_audience_check", "login_validation_audience_check"),
        "httpclient.allowselfsigned",
    }
)
IF_YES = frozenset({"disable_account_creation"})


def _true(value: JsonValue) -> bool:
    """Return whether PHP treats a value as true: every text except "" and "0"."""
    return bool(value) and value != "0"


def _is_not_no(value: JsonValue) -> bool:
    return value not in (False, "false", "0")


def _is_yes(value: JsonValue) -> bool:
    return value in (True, "true", "1")
