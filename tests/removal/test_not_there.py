"""A thing that a plan's own look did not find is said to be so, in a word of its own: nobody
ended it, and nothing about it is unknown.
"""

import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.leaving import SUB, alice_with_everything, approved_removal
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.people_in_motion import stand_ins
from tests.people_in_motion.people import ROOT, administrator, remove, settle_person
from tests.people_in_motion.stand_ins import Doors, settle_holder
from tests.visitors import BACKEND, Visitor
from workspace_manager.cli.__main__ import main
from workspace_manager.engine.extras import CredentialView
from workspace_manager.people import suspend
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Account, Person, Plan

pytestmark = pytest.mark.django_db(transaction=True)
ON_STAND_INS = (
    "drive_session",
    "sql_password",
    "sql_session",
    "triplestore_password",
)
"""What is asked for on the stand-ins of their systems."""


@pytest.fixture
def doors() -> Iterator[Doors]:
    administrator()
    with stand_ins.doors() as found:
        yield found


def without_accounts(doors: Doors) -> Person:
    """Somebody whose accounts are recorded and were never made: nobody signed in at the drive, and
    the calls of an earlier plan came to nothing.
    """
    person = settle_person("alice", doors.world)
    for kind in ("sql_server.user", "triplestore.user"):
        system = kind.partition(".")[0]
        Account.objects.create(
            system=system, kind=kind, name="alice", username="alice", person=person
        )
    return person


def view_credentials(plan: Plan) -> dict[str, CredentialView]:
    return {one.credential: one for one in view_plan(plan).end_of_access}


def finish_plan(plan: Plan, world: World) -> Plan:
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    return plan


def suspended(doors: Doors) -> Plan:
    plan = suspend.suspend("alice", actor=ROOT, systems=doors.world.systems())
    return finish_plan(plan, doors.world)


def test_accounts_that_never_were_are_not_there(doors: Doors) -> None:
    without_accounts(doors)
    plan = suspended(doors)
    found = view_credentials(plan)
    assert {found[name].state for name in ON_STAND_INS} == {"absent"}, found
    assert all(found[name].text and found[name].at for name in ON_STAND_INS)
    assert found["notebook"].state == "absent"
    assert found["password"].state == "ended"
    assert view_plan(plan).headline.state == "done"


def test_accounts_that_were_there_are_ended(doors: Doors) -> None:
    settle_holder("alice", doors)
    found = view_credentials(suspended(doors))
    assert {found[name].state for name in (*ON_STAND_INS, "app_password")} == {"ended"}, found


def test_a_removal_says_it_of_each_system() -> None:
    world = World()
    alice_with_everything(world)
    for name in (f"drive.account:{SUB}", f"drive.app_password:{SUB}", "sql_server.user:alice"):
        del world.things[name]
    del world.things["notebook_hub.container:jupyter-alice"]
    plan = finish_plan(approved_removal(world), world)
    found = view_credentials(plan)
    of_drive, of_sql = ("drive_session", "own_app_passwords"), ("sql_password", "sql_session")
    assert {found[name].state for name in (*of_drive, *of_sql, "notebook")} == {"absent"}, found
    # A look at an app password tries it: what is refused may be there.
    assert {found[name].state for name in ("app_password", "password", "triplestore_password")} == {
        "ended"
    }
    assert view_plan(plan).headline.state in {"done", "until"}


def test_what_a_door_of_the_plan_took_is_ended() -> None:
    """The step that deals with it for good meets nothing any more, since the plan took it."""
    world = World()
    alice_with_everything(world)
    plan = approved_removal(world)
    del world.things[f"drive.account:{SUB}"]
    found = view_credentials(finish_plan(plan, world))
    assert found["app_password"].state == "ended"
    assert found["drive_session"].state == found["own_app_passwords"].state == "absent"
    assert found["sql_password"].state == found["notebook"].state == "ended"


def test_a_user_who_is_gone_already_is_not_there() -> None:
    administrator()
    world = WorldWithIdentities()
    settle_person("alice", world)
    (user,) = world.users("alice")
    del world.things[f"identity_provider.user:{user}"]
    found = view_credentials(finish_plan(remove("alice", world), world))
    names = ("password", "identity_session", "refresh_token", "authorization_code")
    assert {found[name].state for name in names} == {"absent"}, found


def test_every_door_says_it(doors: Doors) -> None:
    without_accounts(doors)
    plan = suspended(doors)
    root = Person.objects.get(username=ROOT)
    browser = Visitor(root)
    browser.force_login(root, backend=BACKEND)
    page = browser.get(f"/manage/plans/{plan.id}").content.decode()
    row = page.partition('id="kept-sql_password"')[2].partition("</tr>")[0]
    assert "not found" in row
    assert "state-done" in row
    assert "no longer works" not in row
    Person.objects.filter(pk=root.pk).update(locale="de")
    page = browser.get(f"/manage/plans/{plan.id}").content.decode()
    assert "nicht gefunden" in page.partition('id="kept-sql_password"')[2].partition("</tr>")[0]
    answer = CliRunner().invoke(main, ["plans", "show", str(plan.id)])
    line = next(one for one in answer.output.splitlines() if "SQL password" in one)
    assert "not found" in line
    asked = CliRunner().invoke(main, ["plans", "show", str(plan.id), "--json"])
    states = {one["credential"]: one["state"] for one in json.loads(asked.output)["end_of_access"]}
    assert states["sql_password"] == "absent"
    rest = browser.get(f"/api/v1/plans/{plan.id}").json()
    assert {one["credential"]: one["state"] for one in rest["end_of_access"]} == states
