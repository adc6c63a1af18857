"""Test whether a person can use a component: the system answers, their account exists and is not
locked, and has the expected rights.

Nothing is changed, and the password is not tried, since the manager does not know it once revealed.
The checks are those of plans, so a plan would correct what a test finds.

See docs/explanation/components.md#testing-the-connection.
"""

import contextlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from workspace_manager.access import policy
from workspace_manager.accounts import reader_access
from workspace_manager.accounts.messages import message
from workspace_manager.accounts.reader_access import ReaderAccess
from workspace_manager.audit.note import note
from workspace_manager.contract import slots
from workspace_manager.contract.connector import Connector, Facts, Finding, Severity, Target
from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message
from workspace_manager.core.account_link import sub_of
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.knowledge_stacks import kind as knowledge_stacks
from workspace_manager.records.models import Component, Person
from workspace_manager.systems.container_manager import names as container_names
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.systems.triplestore import names as triplestore_names
from workspace_manager.work import reservation

AT_ONCE: Final = 4
LONGEST_S: Final = 20
"""The time limit of a test; somebody waits in front of a page."""
UNTRIED: Final = message("test_password_untried")
"""The remark that every test carries."""
STACK, GROUP = knowledge_stacks.STACK, knowledge_stacks.GROUP

Found: TypeAlias = Iterator[Finding]


@dataclass(frozen=True)
class _Trial:
    """One test of a component for a person."""

    component: Component
    person: Person
    access: ReaderAccess
    systems: ConnectedSystems
    says: Findings

    def connector(self, kind: str) -> Connector:
        """Return the connector of a kind. Raises Refused if its system is not configured."""
        found = self.systems.connector(kind)
        if found is None:
            label = label_of(kind.partition(".")[0])
            raise Refused(message("test_not_configured", system=label))
        return found

    def before(self, kind: str, target: Target, want: Facts | None) -> Facts | None:
        """Return what a check shows; None if nothing is there."""
        seen = self.connector(kind).plan(target, want).before
        return seen if isinstance(seen, Mapping) else None

    def ok(self, name: str, found: Message) -> Finding:
        return self.says.ok(message(name), found)

    def failing(self, name: str, found: Message, remedy: str = "test_ask_administrator") -> Finding:
        return self.says.failing(message(name), found, message(remedy))


def test(component: Component, person: Person, systems: ConnectedSystems) -> list[Finding]:
    """Check everything that the person's use of a component needs. Raises Forbidden for a person
    who may neither use nor change it, Refused if it cannot be tested, Busy if too many tests run.
    No transaction is open meanwhile.
    """
    if not may_test(person, component):
        raise Forbidden(message("test_not_theirs"))
    system = reservation.SYSTEMS[Component.Kind(component.kind)]
    if not systems.configured(system):
        raise Refused(message("test_not_configured", system=label_of(system)))
    if component.state != Component.State.READY:
        raise Refused(message("access_not_ready"))
    access = reader_access.find_access(person, component)
    trial = _Trial(component, person, access, systems, Findings(system))
    with _apart(system):
        found = list(_all(trial))
    note("component:tested", person.username, actor=person.username, id=str(component.id))
    return found


def may_test(person: Person, component: Component) -> bool:
    """Return whether the person may test it: members of its project, and people who may
    change it.
    """
    shares = component.project is not None and policy.shares(person, component.project)
    return shares or policy.may_change(person, component)


def worst_severity(findings: Sequence[Finding]) -> Severity:
    """Return the worst severity of the findings."""
    found = {one.severity for one in findings}
    order = (Severity.FAILING, Severity.WARNING)
    return next((one for one in order if one in found), Severity.OK)


@contextlib.contextmanager
def _apart(system: str) -> Iterator[None]:
    """Run a test in limited time, without slots of plans and pages."""
    with slots.separate_slot("access tests", most=AT_ONCE) as free:
        if not free:
            raise slots.Busy(
                message("tests_busy", count=AT_ONCE),
                kind=system,
                doing=message("doing_test"),
                advice=message("tests_busy_advice"),
                retry_after=slots.RETRY_S,
            )
        with time_limit(LONGEST_S):
            yield


def _all(trial: _Trial) -> Found:
    """Yield the findings, the last when a system cannot be asked."""
    try:
        yield from TRIALS[Component.Kind(trial.component.kind)](trial)
    except ConnectorError as error:
        system = label_of(error.kind.partition(".")[0])
        found = message("test_no_answer", system=system, why=error.message)
        yield trial.failing("trial_answer", found, "test_try_again")


def _database(trial: _Trial) -> Found:
    name, account = trial.component.name, trial.access.account
    owner = reader_access.account_of(trial.component.owner, trial.component)
    seen = trial.before("sql_server.database", {"database": name}, {"grantees": [owner]})
    if seen is None or "exists" in seen:
        yield trial.failing("trial_answer", message("test_no_database", name=name))
        return
    yield trial.ok("trial_answer", message("test_database", name=name))
    if not (yield from _account(trial, {"exists": True, "locked": False})):
        return
    if trial.person == trial.component.owner:
        grantees = seen.get("grantees")
        granted = isinstance(grantees, list) and account in grantees
    else:
        target = dict(sql_names.grant_target(name, account))
        wish: Facts = {"use": trial.access.level}
        have = trial.before(sql_names.GRANT_KIND, target, wish)
        granted = have == wish or (wish["use"] == "write" and have == {"use": True})
    yield _rights(trial, granted=granted)


def _repository(trial: _Trial) -> Found:
    name = trial.component.name
    target = triplestore_names.repository(name)
    title = triplestore_names.title(trial.component.label)
    seen = trial.before("triplestore.repository", target, {"title": title})
    if seen is None or "half_made" in seen:
        yield trial.failing("trial_answer", message("test_no_repository", name=name))
        return
    yield trial.ok("trial_answer", message("test_repository", name=name))
    written = [name] if trial.access.level == "write" else []
    wanted = triplestore_names.authorities(read=[name], write=written)
    account = yield from _account(trial, {"authorities": [*wanted]})
    if not account:
        return
    found = account.get("authorities")
    yield _rights(trial, granted=isinstance(found, list) and set(wanted) <= set(found))


def _account(trial: _Trial, want: Facts) -> Generator[Finding, None, Facts]:
    """Check whether the person's own account exists and can sign in; {} ends the test."""
    if not trial.access.level:
        yield trial.ok("trial_account", message("test_no_access"))
        return {}
    kind = reader_access.USERS[Component.Kind(trial.component.kind)]
    name = trial.access.account
    if not name:
        yield trial.failing("trial_account", message("test_account_coming"), "test_try_again")
        return {}
    seen = trial.before(kind, {"user": name}, want)
    if seen is None:
        yield trial.failing("trial_account", message("test_no_account", name=name))
        return {}
    if seen.get("locked"):
        yield trial.failing("trial_account", message("test_locked", name=name))
        return {}
    yield trial.ok("trial_account", message("test_account", name=name))
    return seen


def _rights(trial: _Trial, *, granted: bool) -> Finding:
    level, name = trial.access.level, trial.access.account
    if granted:
        return trial.ok("trial_rights", message(f"test_may_{level}", name=name))
    return trial.failing("trial_rights", message("test_rights_lack", name=name))


def _knowledge_stack(trial: _Trial) -> Found:
    """Check a knowledge stack by its record: it matches its file, runs and answers, and the person
    is in one of its groups. No secret is needed.
    """
    # A stack from before its wanted state was recorded can only be checked for running.
    wish = trial.component.made_from.get("wished")
    target = container_names.stack_target(trial.component.name, str(trial.component.id))
    there = trial.before(STACK, target, wish) or {}
    if any(there.get(name) != value for name, value in (wish or {"running": True}).items()):
        yield trial.failing("trial_answer", message("test_no_stack"))
        return
    yield trial.ok("trial_answer", message("test_stack"))
    groups = knowledge_stacks.group_changes([trial.component], trial.person)
    if not groups or not trial.access.level:
        return
    sub = sub_of(trial.person)
    seen = [trial.before(GROUP, one.target, one.after) or {} for one in groups]
    if any(sub in members for one in seen if isinstance(members := one.get("members"), list)):
        yield trial.ok("trial_rights", message("test_in_group"))
    else:
        yield trial.failing("trial_rights", message("test_in_no_group"))


TRIALS: Final[Mapping[str, Callable[[_Trial], Found]]] = {
    Component.Kind.SQL_DATABASE: _database,
    Component.Kind.TRIPLESTORE_REPOSITORY: _repository,
    Component.Kind.KNOWLEDGE_STACK: _knowledge_stack,
}
