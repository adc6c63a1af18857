"""Checks whether the server accepts the manager's passwords: by its variables each time, and with
an account of a reserved name on request.

See docs/systems/sql-server.md#password-policies.
"""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.errors import ConnectorError, NotFound
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.checks_findings import SAY
from workspace_manager.systems.sql_server.client import Client, Session
from workspace_manager.systems.sql_server.client.session import contents
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import TRIAL

NAME: Final = message("check_password_policy")
TRIED: Final = message("check_password_trial")


@dataclass(frozen=True)
class Rule:
    """A variable with the required number of characters of each kind in `counts`."""

    variable: str
    counts: tuple[str, ...]


RULES: Final = (
    Rule("simple_password_check_minimal_length", ("length",)),
    Rule("simple_password_check_digits", ("digits",)),
    Rule("simple_password_check_letters_same_case", ("lower", "upper")),
    Rule("simple_password_check_other_characters", ("signs",)),
    Rule("validate_password.length", ("length",)),
    Rule("validate_password.number_count", ("digits",)),
    Rule("validate_password.mixed_case_count", ("lower", "upper")),
    Rule("validate_password.special_char_count", ("signs",)),
    Rule("validate_password_length", ("length",)),
    Rule("validate_password_number_count", ("digits",)),
    Rule("validate_password_mixed_case_count", ("lower", "upper")),
    Rule("validate_password_special_char_count", ("signs",)),
    Rule("credcheck.password_min_length", ("length",)),
    Rule("credcheck.password_min_digit", ("digits",)),
    Rule("credcheck.password_min_lower", ("lower",)),
    Rule("credcheck.password_min_upper", ("upper",)),
    Rule("credcheck.password_min_special", ("signs",)),
)
"""Variables of MariaDB's simple_password_check, MySQL's validate_password (both spellings) and
PostgreSQL's credcheck.
"""
OTHERS: Final = ("cracklib_password_check_dictionary", "passwordcheck")
"""Signs of policies without numbers, which random passwords of our length satisfy."""


def variable_findings(variables: Mapping[str, str], password: Secret) -> Iterator[Finding]:
    """Compare the server's requirements with a password as the manager makes them."""
    asked = {one.variable: one for one in RULES if one.variable in variables}
    loaded = variables.get("shared_preload_libraries", "")
    others = {one for one in OTHERS if one in variables or one in loaded}
    found = sorted({*asked, *others})
    wrong = sorted(name for name in asked if not _enough(asked[name], variables, password))
    if wrong:
        said = ", ".join(f"{name} = {variables[name]}" for name in wrong)
        yield SAY.failing(
            NAME, message("policy_asks_for_more", variables=said), message("lower_the_policy")
        )
    elif found:
        yield SAY.ok(NAME, message("policy_satisfied", variables=", ".join(found)))
    else:
        yield SAY.ok(NAME, message("no_policy_seen"))
    # The result of a trial stays until the next one.
    yield SAY.ok(TRIED, message("trial_when_asked")).model_copy(update={"hides": (TRIED.code,)})


def _enough(rule: Rule, variables: Mapping[str, str], password: Secret) -> bool:
    asked = variables[rule.variable]
    have = contents(password)
    return not asked.isdigit() or all(have[one] >= int(asked) for one in rule.counts)


def try_policy(client: Client, password: Secret) -> Iterator[Finding]:
    """Make an account of a reserved name with a password as the manager makes them, and drop it
    again. A failure is a finding.
    """
    doing = message("trying_password_policy")
    try:
        with client.session(doing=doing) as session:
            _drop_trial_account(session)
            try:
                session.create_account(TRIAL, password)
                session.set_password(TRIAL, password)
            finally:
                _drop_trial_account(session)
    except ConnectorError as error:
        yield SAY.failing(
            TRIED,
            message("trial_failed", why=error.message),
            message("see_password_policy", account=TRIAL),
        )
    else:
        yield SAY.ok(TRIED, message("trial_succeeded"))


def _drop_trial_account(session: Session) -> None:
    """Drop the account of this trial, or of one whose process was killed."""
    for account in session.accounts(TRIAL):
        with contextlib.suppress(NotFound):
            session.drop_account(account)
