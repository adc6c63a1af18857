"""Count what removals cost the engine on one database, with no wire: run as a file, in a process
of its own.

`python benchmarks/one_database.py CHECKOUT [PEOPLE]` reads code and tests of CHECKOUT, which may
be an earlier commit of ours, and takes the database that `WORKSPACE_DATABASE_URL` names. It
prints one line of JSON. The outside systems are the tests' world in memory, so that what is
measured is the engine and its database and nothing else.
"""

import contextlib
import importlib
import importlib.util
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

Approve = Callable[[str, Any], Any]
"""Draft and approve the removal of somebody in a world; gives the plan."""

Owned = Callable[[Any, str, Any], None]
"""Give a person one thing more of a name, in the records and in a world."""

FURTHER = 10
"""How many things more the larger cases own: each is one outside write more."""

IN_BETWEEN = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")
"""Not counted as statements: on PostgreSQL the driver sends some of them unseen."""

WRITES = ("INSERT", "UPDATE", "DELETE")
"""Outside a block each is committed by itself: counted as `lone_writes`."""


@dataclass
class Cost:
    """The worker's cost of removals of one size: the median of the people removed."""

    writes: float = 0
    changes: float = 0
    steps: float = 0
    statements: float = 0
    transactions: float = 0
    lone_writes: float = 0
    cpu_ms: float = 0


@dataclass
class Counter:
    """Counts while it is told to."""

    statements: int = 0
    transactions: int = 0
    lone_writes: int = 0

    def statement(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if not sql.lstrip().upper().startswith(IN_BETWEEN):
            self.statements += 1
        if sql.startswith(WRITES) and not connection.in_atomic_block:
            self.lone_writes += 1
        return execute(sql, *rest)


@contextlib.contextmanager
def counting() -> Iterator[Counter]:
    """Count statements, and transactions by their outermost block: the same on every database."""
    counter = Counter()
    enter = transaction.Atomic.__enter__

    def entering(self: transaction.Atomic) -> None:
        if not connection.in_atomic_block:
            counter.transactions += 1
        enter(self)

    transaction.Atomic.__enter__ = entering  # type: ignore[method-assign]
    try:
        with connection.execute_wrapper(counter.statement):
            yield counter
    finally:
        transaction.Atomic.__enter__ = enter  # type: ignore[method-assign]


def layout() -> tuple[str, Approve]:
    """Where the checkout has its world in memory, and how a removal is approved there."""
    if importlib.util.find_spec("workspace_manager.removal"):
        return "tests.fake_world", approve_removal
    return "tests.lifecycle", approved_in_the_first_house


def approve_removal(name: str, world: Any) -> Any:
    removal = "workspace_manager.removal"
    draft = importlib.import_module(f"{removal}.draft").draft_removal
    approve = importlib.import_module(f"{removal}.approve").approve_removal
    systems = world.systems()
    plan = draft(name, actor="root-admin", systems=systems)
    return approve(plan.id, digest=plan.digest, actor="root-admin", systems=systems)


def approved_in_the_first_house(name: str, world: Any) -> Any:
    """As commit 901658e and those before it do it."""
    start = importlib.import_module("workspace_manager.lifecycle.deprovision.start")
    driven = world.driven()
    plan = start.draft(name, actor="root-admin", driven=driven)
    return start.approve(plan.id, digest=plan.digest, actor="root-admin", driven=driven)


def account(person: Any, name: str, world: Any) -> None:
    """A recorded SQL account: an outside write, and no record that goes by itself."""
    accounts = importlib.import_module("workspace_manager.records.models").Account.objects
    kind, username = "sql_server.user", person.username
    accounts.create(system="sql_server", kind=kind, name=name, username=username, person=person)
    world.things[f"{kind}:{name}"] = {"exists": True}


def component(person: Any, name: str, world: Any) -> None:
    """A database of one's own: an outside write, and a record whose removal is a change too."""
    components = importlib.import_module("workspace_manager.records.models").Component.objects
    components.create(owner=person, kind="sql_database", label="D", name=name)
    world.things[f"sql_server.database:{name}"] = {"grantees": [person.username]}


LARGER: dict[str, Owned] = {"further_write": account, "further_component": component}
"""What people have `FURTHER` more of, by the case it is measured for."""


class Case:
    """One person after the other, each with one of everything and `FURTHER` more of something."""

    def __init__(self, tests: str, approve: Approve, more: Owned | None = None) -> None:
        self.people = importlib.import_module(f"{tests}.people")
        self.work = importlib.import_module(f"{tests}.work")
        self.world = importlib.import_module(f"{tests}.world").World()
        self.approve = approve
        self.more = more

    def removal(self, number: int) -> Cost:
        """Let one person leave: the approval is before, the tombstone after."""
        name = f"{self.more.__name__ if self.more else 'usual'}{number}"
        plan = self.approved(name)
        writes = len(self.world.writes)
        with counting() as counter:
            begin = time.process_time()
            self.work.work_now(self.world)
            spent = time.process_time() - begin
        plan.refresh_from_db()
        assert plan.state == "done", f"the removal of {name} is {plan.state}"
        steps = plan.steps.all()
        return Cost(
            writes=len(self.world.writes) - writes,
            changes=sum(step.changes.count() for step in steps),
            steps=len(steps),
            statements=counter.statements,
            transactions=counter.transactions,
            lone_writes=counter.lone_writes,
            cpu_ms=spent * 1000,
        )

    def approved(self, name: str) -> Any:
        """The removal of a new person, approved a moment ago."""
        person = self.people.make_person(name, sub=f"sub-{name}")
        self.people.settle_in(person, f"sub-{name}", self.world)
        if self.more:
            for n in range(FURTHER):
                self.more(person, f"ws_{name}_{n}", self.world)
        return self.approve(name, self.world)


def median_cost(costs: list[Cost]) -> Cost:
    """The median of each figure; of the CPU the least, since whatever else the machine does only
    adds to it.
    """
    middle = {
        name: statistics.median(asdict(cost)[name] for cost in costs) for name in asdict(Cost())
    }
    return Cost(**middle | {"cpu_ms": min(cost.cpu_ms for cost in costs)})


def measure(people: int) -> dict[str, dict[str, float]]:
    """Remove people of every size in turn; the first of each only warms up."""
    cases = {"removal": first_case()}
    cases |= {name: Case(*layout(), more) for name, more in LARGER.items()}
    seen = [{name: case.removal(n) for name, case in cases.items()} for n in range(people + 1)][1:]
    costs = {name: asdict(median_cost([one[name] for one in seen])) for name in cases}
    return {"removal": costs["removal"]} | {
        name: _each_further(costs["removal"], costs[name]) for name in LARGER
    }


def _each_further(usual: dict[str, float], larger: dict[str, float]) -> dict[str, float]:
    """Return the cost of each further outside write, and how many changes come with it."""
    writes = larger["writes"] - usual["writes"]
    return {
        name: (larger[name] - usual[name]) / writes
        for name in ("changes", "statements", "transactions", "cpu_ms")
    }


def begin(checkout: Path) -> None:
    """Take code and tests of a checkout, and bring the database to its schema."""
    sys.path[:0] = [str(checkout), str(checkout / "src"), str(checkout / "sandbox" / "src")]
    importlib.import_module("workspace_manager.bootstrap")
    wake = "workspace_manager.core.wake"
    if importlib.util.find_spec("workspace_manager.core") and importlib.util.find_spec(wake):
        importlib.import_module(wake).install("")  # nobody waits at a queue here
    settings.SECRET_KEYS = ["a key for measurements only"]
    call_command("migrate", verbosity=0)


def first_case() -> Case:
    """The usual case, with the administrator who approves."""
    tests, approve = layout()
    importlib.import_module(f"{tests}.people").make_person("root-admin", role="administrator")
    return Case(tests, approve)


def main(checkout: Path, people: int) -> None:
    begin(checkout)
    print(json.dumps(measure(people)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
