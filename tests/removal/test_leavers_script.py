"""A script of somebody who is about to leave keeps making things, by token and by session, while an
administrator looks at the removal and approves it: it is accepted each time, and nothing is left.
"""

from typing import Any

import pytest

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.interleaving import Actor, Baton
from tests.people_in_motion.people import ROOT, administrator, settle_person
from tests.people_in_motion.races import worker
from tests.visitors import BACKEND, Visitor
from workspace_manager.access import tokens
from workspace_manager.records.models import ApiToken, Component, Person, Plan, Project
from workspace_manager.web.api import components, people, plans, projects

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 25
"""Rounds of a script that is never stopped: then something is wrong."""


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> WorldWithIdentities:
    world = WorldWithIdentities()
    for module in (components, people, plans, projects):
        monkeypatch.setattr(module, "connected_systems", world.systems)
    return world


def signed_in(person: Person) -> Visitor:
    visitor = Visitor(person)
    visitor.force_login(person, backend=BACKEND)
    return visitor


def script(person: Person) -> Actor:
    """Gives what was answered, until it is not let in any more."""
    session = signed_in(person)
    _, token = tokens.create(person, name="script", actor=person.username)
    program = {"HTTP_AUTHORIZATION": f"Bearer {token}"}

    def go() -> list[int]:
        found: list[int] = []
        for n in range(MOST):
            component = {"kind": "sql_database", "label": f"Notes {n}"}
            made = Visitor().ask("POST", "/components", component, **program)
            project = session.ask("POST", "/projects", {"label": f"Project {n}"})
            found += [made.status_code, project.status_code]
            if {made.status_code, project.status_code} == {401}:
                break
        return found

    return go


def removal(name: str, by: Person) -> Actor:
    """Look, and approve what was looked at: once."""
    visitor = signed_in(by)

    def go() -> Any:
        draft = visitor.ask("POST", f"/people/{name}/removal").json()
        visitor.ask("GET", f"/plans/{draft['id']}")
        where = f"/plans/{draft['id']}/approve"
        return visitor.ask("POST", where, {"digest": draft["digest"]})

    return go


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(10))
def test_every_approval_is_accepted_and_nothing_is_left(
    seed: int, world: WorldWithIdentities
) -> None:
    root = administrator()
    alice = settle_person("alice", world)
    baton = Baton(seed)
    actors = [script(alice), removal("alice", root), worker(world)]
    world.call = lambda system, verb: baton.point()  # type: ignore[method-assign]
    world.tick = baton.point  # type: ignore[method-assign]
    answered, approval, _ = baton.run(actors)
    assert not isinstance(answered, BaseException), answered
    assert approval.status_code == 202, approval.content
    # The script's last requests: shut out, or asked for while the approval was written down.
    assert set(answered) <= {201, 202, 401, 409}
    work(world, late_looks=True)
    plan = Plan.objects.get(kind="removal")
    assert plan.state == Plan.State.DONE
    assert not world.named("alice")
    assert not Person.objects.exclude(username=ROOT).exists()
    for rows in (Component, Project, ApiToken):
        assert not rows._default_manager.exists(), rows
