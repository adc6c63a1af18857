"""Many workers and web processes at once on one PostgreSQL. Run by test_manager_on_postgresql.py,
with WORKSPACE_DATABASE_URL set.

SQLite lets one writer in at a time; only here can two of them wait for each other.
"""

import contextlib
import threading
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test import RequestFactory

from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from workspace_manager.accounts.row_locks import lock_component
from workspace_manager.contract.connector import Change
from workspace_manager.core import connections as pools
from workspace_manager.core.clock import database_now
from workspace_manager.core.locks import lock
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import lease as claims
from workspace_manager.engine import rows
from workspace_manager.engine.lease import Lease, LeaseLost, claim
from workspace_manager.engine.run import run
from workspace_manager.engine.supersede import supersede
from workspace_manager.operations import realm
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Component, Lock, Person, Plan, Project, Tombstone
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.web import rate
from workspace_manager.work import components, memberships
from workspace_manager.work.local_records import ProjectRows
from workspace_sandbox.patience import PATIENCE_S

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 12


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """Run all at the same moment, each on its own connection; gives what they gave or raised."""
    pools.allow(90, wait_s=PATIENCE_S)  # a pool of few would keep most of them out
    gate = threading.Barrier(len(jobs))
    found: list[Any] = [None] * len(jobs)

    def work(place: int, job: Callable[[], Any]) -> None:
        try:
            _come_to(gate)
            found[place] = job()
        except BaseException as raised:  # noqa: BLE001  it is what the test wants to see
            found[place] = raised
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(n, job)) for n, job in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert not any(thread.is_alive() for thread in threads)
    return found


def _come_to(gate: threading.Barrier) -> None:
    """Wait for all of them, and for none that has no connection to come with."""
    try:
        connection.ensure_connection()
    except BaseException:
        gate.abort()
        raise
    gate.wait(PATIENCE_S)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def alice(world: World) -> Person:
    return alice_with_everything(world)


def make_due(plan_id: uuid.UUID, **also: Any) -> None:
    Plan.objects.filter(id=plan_id).update(due_at=database_now() - timedelta(seconds=1), **also)


def test_this_is_postgresql() -> None:
    assert connection.vendor == "postgresql"


def test_of_many_workers_one_gets_a_plan(alice: Person, world: World) -> None:
    plan = approved_removal(world)
    for _ in range(5):
        got = at_once(*[lambda: claim(plan.id)] * MANY)
        [mine] = [one for one in got if one is not None]
        assert isinstance(mine, Lease), got
        mine.release()


def test_two_plans_of_one_person_are_never_worked_on_together(alice: Person, world: World) -> None:
    ids = [make_component(alice, world, f"Notes {n}")[1].id for n in range(4)]
    for _ in range(5):
        got = at_once(*[lambda one=one: claim(one) for one in ids * 3])
        [mine] = [one for one in got if one is not None]
        assert isinstance(mine, Lease), got
        mine.release()


def make_component(owner: Person, world: World, label: str) -> tuple[Component, Plan]:
    return components.create(
        owner, kind="sql_database", label=label, project=None, systems=world.systems()
    )


def test_a_dead_worker_s_plan_is_taken_over_and_it_cannot_write_any_more(
    alice: Person, world: World
) -> None:
    plan = approved_removal(world)
    dead = claim(plan.id)
    assert dead
    assert claim(plan.id) is None
    assert plan.id not in claims.due_plans()
    # Its lease runs out: by the database's clock, whatever the hosts say.
    Plan.objects.filter(id=plan.id).update(lease_until=database_now() - timedelta(seconds=1))
    assert plan.id in claims.due_plans()
    got = at_once(*[lambda: claim(plan.id)] * MANY)
    [mine] = [one for one in got if one is not None]
    assert mine.number == dead.number + 1
    with pytest.raises(LeaseLost), dead.writing():
        pytest.fail("it wrote")
    dead.release()
    with mine.writing():
        pass


def test_many_workers_bring_one_removal_to_its_end_and_repeat_no_write(
    alice: Person, world: World
) -> None:
    plan = approved_removal(world)

    def worker() -> None:
        for _ in range(20):
            make_due(plan.id)
            run(plan.id, world.systems(), kinds=PLAN_KINDS)

    troubles = [raised for raised in at_once(*[worker] * 6) if raised]
    assert not troubles
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert len(world.writes) == len(set(world.writes))
    assert Tombstone.objects.count() == 1


def test_who_stops_the_plans_of_a_person_and_who_works_on_one_do_not_wait_for_each_other(
    alice: Person, world: World
) -> None:
    """The one locks the person and then the plans; the other writes to a plan, and the person is
    concerned.
    """
    plan = make_component(alice, world, "Notes")[1]
    mine = claim(plan.id)
    assert mine
    has_person, has_plan = threading.Event(), threading.Event()

    def stop() -> None:
        with transaction.atomic():
            list(Person.objects.select_for_update().filter(id=alice.id))
            has_person.set()
            has_plan.wait(1)
            supersede(Plan.objects.filter(id=plan.id))

    def work() -> None:
        has_person.wait(PATIENCE_S)
        with mine.writing():
            has_plan.set()
            list(Person.objects.select_for_update().filter(id=alice.id))

    stopped, worked = at_once(stop, work)
    assert stopped is None
    assert isinstance(worked, LeaseLost)


@pytest.mark.parametrize("time", range(3))
def test_a_removal_is_approved_while_workers_are_at_the_person_s_plans(
    alice: Person, world: World, time: int
) -> None:
    ids = [make_component(alice, world, f"Notes {n}")[1].id for n in range(3)]
    draft = draft_removal("alice", actor="root-admin", systems=world.systems())

    def approve() -> Any:
        return approve_removal(
            draft.id, digest=draft.digest, actor="root-admin", systems=world.systems()
        )

    def worker() -> None:
        for one in ids * 3:
            run(one, world.systems(), kinds=PLAN_KINDS)

    def maker() -> Any:
        try:
            return make_component(alice, world, "Late")
        except Refused:
            return None

    got = at_once(approve, worker, worker, worker, maker)
    assert not [raised for raised in got[1:] if isinstance(raised, BaseException)], got
    # What was made a moment before is a part of it.
    assert isinstance(got[0], Plan), got


def test_workers_of_people_who_share_things_do_not_wait_for_each_other(world: World) -> None:
    """Each closes a plan of one person and writes something down for another."""
    make_person("root-admin", sub="admin-sub", role="administrator")
    people = [make_person(f"p{n}", sub=f"sub-{n}") for n in range(6)]

    def both(one: Person, other: Person) -> Callable[[], None]:
        def job() -> None:
            with transaction.atomic():
                list(Person.objects.select_for_update().filter(id=one.id))
                meet.wait(PATIENCE_S)
                component = Component(
                    owner=other, kind="sql_database", label="x", name=f"ws_{one.username}"
                )
                component.save()

        return job

    for n in range(0, 6, 2):
        meet = threading.Barrier(2)
        got = at_once(both(people[n], people[n + 1]), both(people[n + 1], people[n]))
        assert got == [None, None]


def test_a_named_lock_is_held_by_one(db: None) -> None:
    inside = threading.Semaphore(0)
    done = threading.Event()

    def hold(token: str) -> bool:
        with lock("identity_provider:x", token=token) as mine:
            if mine:
                inside.release()
                done.wait(PATIENCE_S)
            return mine is not None

    def others() -> None:
        inside.acquire(timeout=PATIENCE_S)
        for n in range(20):
            with lock("identity_provider:x", token=f"other {n}") as mine:
                assert not mine
        done.set()

    got = at_once(lambda: hold("a"), others)
    assert got == [True, None]
    assert not Lock.objects.exists()

    def churn(token: str) -> int:
        held = 0
        for _ in range(60):
            with lock("identity_provider:y", token=token) as mine:
                held += mine is not None
        return held

    counts = at_once(*[lambda n=n: churn(str(n)) for n in range(6)])
    assert all(isinstance(count, int) for count in counts), counts
    assert sum(counts) > 0


@pytest.mark.parametrize("time", range(5))
def test_a_request_is_approved_while_the_same_person_is_added(
    alice: Person, world: World, time: int
) -> None:
    bob = make_person("bob", sub="sub-of-bob")
    project = Project.objects.get(owner=alice)
    asked = memberships.ask(project, bob)
    got = at_once(
        lambda: memberships.approve(asked.id, by=alice, systems=world.systems()),
        lambda: memberships.add(project, bob, actor="alice", systems=world.systems()),
    )
    wrong = [one for one in got if isinstance(one, BaseException) and not isinstance(one, Refused)]
    assert not wrong
    assert project.memberships.filter(person=bob).count() == 1


def met_after_the_first_lock(meet: threading.Barrier) -> AbstractContextManager[None]:
    """Once this connection has locked a project or a component, it waits for the others to have
    done so, or a moment.
    """

    def pause(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        answer = execute(sql, params, many, context)
        locks = "FOR UPDATE" in sql or sql.startswith("UPDATE")
        if locks and ("records_component" in sql or "records_project" in sql):
            with contextlib.suppress(threading.BrokenBarrierError):
                meet.wait(1)
        return answer

    return connection.execute_wrapper(pause)


@pytest.fixture
def bob_s_database(alice: Person, world: World) -> Component:
    """Bob's, in a project of alice's that he is a member of."""
    bob = make_person("bob", sub="sub-of-bob")
    project = Project.objects.get(owner=alice)
    memberships.add(project, bob, actor="alice", systems=world.systems())
    return components.create(
        bob, kind="sql_database", label="Finds", project=project, systems=world.systems()
    )[0]


@pytest.mark.parametrize("ends", ["membership", "project"])
@pytest.mark.parametrize("goes_on", ["follow", "move"])
def test_who_ends_something_and_who_is_at_a_component_in_it_do_not_wait_for_each_other(
    bob_s_database: Component, world: World, ends: str, goes_on: str
) -> None:
    database, project, systems = bob_s_database, bob_s_database.project, world.systems()
    assert project
    meet = threading.Barrier(2)

    def end() -> None:
        with met_after_the_first_lock(meet):
            if ends == "membership":
                memberships.end(project, database.owner, actor="bob", systems=systems)
            else:
                rows = ProjectRows(systems)
                rows.remove(rows.plan({"id": str(project.id)}, None))

    def go_on() -> None:
        with met_after_the_first_lock(meet), transaction.atomic():
            if goes_on == "follow":
                components.CREATION.on_saved(Plan.objects.get(about=str(database.id)), systems)
            else:
                components.move(database, None, by=database.owner, systems=systems)

    assert at_once(end, go_on) == [None, None]
    database.refresh_from_db()
    assert database.project is None


def test_a_component_that_moves_while_it_is_to_be_locked_is_locked_with_its_new_project(
    bob_s_database: Component, world: World
) -> None:
    """Whoever holds the old project moves it on; the other one waits for that and takes the new
    one.
    """
    database = bob_s_database
    other = Project.objects.create(owner=database.owner, label="Second", ontology_mark="second")
    looked, holds = threading.Event(), threading.Event()

    def move() -> None:
        with transaction.atomic():
            assert lock_component(database.id, other)
            holds.set()
            looked.wait(1)
            Component.objects.filter(id=database.id).update(project=other)

    def lock_it() -> Any:
        holds.wait(PATIENCE_S)
        with transaction.atomic():
            found = lock_component(database.id)
            looked.set()
            assert found
            return found.project

    assert at_once(move, lock_it) == [None, other]


def test_of_two_set_ups_of_a_realm_at_once_one_begins(
    db: None, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = Change(kind="identity_provider.realm", subject="", target={"part": "profile"})
    meet, stored = threading.Barrier(2), rows.store

    def store(*args: Any, **named: Any) -> Plan:
        with contextlib.suppress(threading.BrokenBarrierError):
            meet.wait(1)
        return stored(*args, **named)

    monkeypatch.setattr("workspace_manager.operations.realm.store", store)
    got = at_once(*[lambda: realm.start(world.systems(), [change], actor="cli")] * 2)
    assert {type(one) for one in got} == {Plan, Refused}
    assert Plan.objects.count() == 1


def test_of_eighty_tries_at_once_ten_come_through() -> None:
    request = RequestFactory().post("/register", REMOTE_ADDR="2001:db8::1")
    for what in ("first", "second"):
        found = at_once(*[partial(rate.allow, request, what, limit=10) for _ in range(80)])
        assert found.count(None) == 10
        assert all(0 < one <= 3600 for one in found if one is not None)
