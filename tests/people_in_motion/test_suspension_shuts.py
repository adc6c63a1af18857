"""Every credential a suspended person kept opens nothing, and all of them work again afterwards:
asked from outside, at the stand-ins.
"""

from collections.abc import Iterator

import pymysql
import pytest

from tests.fake_world.work import work
from tests.people_in_motion import stand_ins
from tests.people_in_motion.people import ROOT, administrator, remove, settle_person
from tests.people_in_motion.stand_ins import Doors, Holder, settle_holder
from workspace_manager.operations import settings as system_settings
from workspace_manager.people import suspend
from workspace_manager.people.suspension_terms import Terms
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Account, Plan, Project
from workspace_manager.work import memberships

pytestmark = pytest.mark.django_db(transaction=True)
NOTHING = dict.fromkeys(("drive", "sql", "store reads", "store writes"), False)
EVERYTHING = dict.fromkeys(NOTHING, True)


@pytest.fixture
def doors() -> Iterator[Doors]:
    administrator()
    with stand_ins.doors() as found:
        yield found


def out(doors: Doors) -> Plan:
    plan = suspend.suspend("alice", actor=ROOT, systems=doors.world.systems())
    work(doors.world)
    plan.refresh_from_db()
    return plan


def back(doors: Doors) -> Plan:
    plan = suspend.resume("alice", actor=ROOT, systems=doors.world.systems())
    work(doors.world)
    plan.refresh_from_db()
    return plan


def test_every_secret_opens_nothing_and_then_everything_again(doors: Doors) -> None:
    alice = settle_holder("alice", doors)
    doors.store_as_admin("POST", "/rest/repositories", id="ts-by-hand", title="By hand")
    given = [*doors.rights("alice"), "READ_REPO_ts-by-hand"]
    doors.store_as_admin("PUT", "/rest/security/users/alice", grantedAuthorities=given)
    before, session = doors.rights("alice"), alice.sql()
    assert alice.opens() == EVERYTHING
    plan = out(doors)
    assert plan.state == Plan.State.DONE
    assert alice.opens() == NOTHING
    with pytest.raises(pymysql.err.Error):
        session.query("SELECT 1")
    assert view_plan(plan).by_hand == ()
    assert back(doors).state == Plan.State.DONE
    assert alice.opens() == EVERYTHING
    assert doors.rights("alice") == before
    assert not Account.objects.filter(locked_by_us=True).exists()


def test_the_plan_shows_what_ended_each_credential(doors: Doors) -> None:
    settle_holder("alice", doors)
    proof = {one.credential: one for one in view_plan(out(doors)).end_of_access}
    assert {name for name, one in proof.items() if one.state == "ended" and one.text} >= {
        *("manager_session", "api_token", "password", "identity_session", "refresh_token"),
        *("app_password", "drive_session", "sql_password", "sql_session"),
        "triplestore_password",
    }
    assert proof["notebook"].state == "absent", "none was started"
    assert "disabled" in proof["app_password"].text
    assert "no right" in proof["triplestore_password"].text


@pytest.mark.thorough
def test_what_was_shut_before_stays_shut(doors: Doors) -> None:
    alice = settle_holder("alice", doors)
    doors.drive_as_admin("PUT", f"/cloud/users/{alice.sub}/disable")
    body = {"grantedAuthorities": ["ROLE_REPO_MANAGER"]}
    doors.store_as_admin("PUT", "/rest/security/users/alice", **body)
    doors.store_as_admin("PUT", "/rest/security/users/alice", grantedAuthorities=["ROLE_USER"])
    out(doors)
    back(doors)
    assert alice.opens() == {**EVERYTHING, **dict.fromkeys(NOTHING, False), "sql": True}
    assert doors.rights("alice") == ["ROLE_USER"]


@pytest.mark.thorough
def test_suspended_twice_gives_back_what_the_first_took(doors: Doors) -> None:
    alice = settle_holder("alice", doors)
    before = doors.rights("alice")
    out(doors)
    # Somebody opens two doors by hand meanwhile.
    doors.drive_as_admin("PUT", f"/cloud/users/{alice.sub}/enable")
    right = f"READ_REPO_{alice.repository}"
    doors.store_as_admin(
        "PUT", "/rest/security/users/alice", grantedAuthorities=["ROLE_USER", right]
    )
    assert alice.drive_opens()
    assert alice.store_reads()
    terms = Terms(reason="still")
    suspend.suspend("alice", actor=ROOT, systems=doors.world.systems(), terms=terms)
    work(doors.world)
    assert alice.opens() == NOTHING
    back(doors)
    assert alice.opens() == EVERYTHING
    assert doors.rights("alice") == before


@pytest.mark.thorough
def test_a_right_that_ended_meanwhile_does_not_come_back(doors: Doors) -> None:
    bob = settle_person("bob", doors.world)
    shared = Project.objects.get(owner=bob)
    carla = settle_holder("carla", doors)
    alice = settle_holder("alice", doors)
    systems = doors.world.systems()
    carlas = Project.objects.get(owner=carla.person)
    memberships.add(carlas, alice.person, actor="carla", systems=systems)
    for one in carla.person.components.all():
        one.project = carlas
        one.save()
    memberships.add(shared, alice.person, actor="bob", systems=systems)
    work(doors.world)
    memberships.end(carlas, alice.person, actor="carla", systems=systems)
    memberships.add(carlas, alice.person, actor="carla", systems=systems)
    work(doors.world)
    assert f"READ_REPO_{carla.repository}" in doors.rights("alice")
    out(doors)
    assert doors.rights("alice") == ["ROLE_USER"]
    memberships.end(carlas, alice.person, actor="carla", systems=systems)
    work(doors.world)
    back(doors)
    assert f"READ_REPO_{carla.repository}" not in doors.rights("alice")
    assert alice.opens() == EVERYTHING, "the same secrets, the same rights on what is hers"


@pytest.mark.thorough
def test_what_a_suspended_owner_shares_goes_on_serving(doors: Doors) -> None:
    alice = settle_holder("alice", doors)
    project = Project.objects.get(owner=alice.person)
    for one in alice.person.components.all():
        one.project = project
        one.save()
    bob = settle_holder("bob", doors)
    systems = doors.world.systems()
    memberships.add(project, bob.person, actor="alice", systems=systems)
    work(doors.world)
    for_bob = Holder(**{**vars(bob), "database": alice.database, "repository": alice.repository})
    assert for_bob.opens() == EVERYTHING
    out(doors)
    assert for_bob.opens() == EVERYTHING
    # Also somebody who comes in now is served.
    carla = settle_holder("carla", doors)
    memberships.add(project, carla.person, actor=ROOT, systems=systems)
    work(doors.world)
    mine = {**vars(carla), "database": alice.database, "repository": alice.repository}
    assert Holder(**mine).opens() == EVERYTHING
    assert alice.opens() == NOTHING


@pytest.mark.thorough
def test_somebody_suspended_is_removed_from_every_door(doors: Doors) -> None:
    alice = settle_holder("alice", doors)
    out(doors)
    plan = remove("alice", doors.world)
    work(doors.world)
    ended = set(plan.steps.filter(state="done").values_list("name", flat=True))
    assert {"drop_sql_users", "remove_triplestore_user"} <= ended
    assert alice.opens() == NOTHING


@pytest.mark.thorough
def test_without_an_administrator_of_the_drive_it_is_left_by_hand_and_named(doors: Doors) -> None:
    alice = settle_holder("alice", doors)
    system_settings.save("drive", {"admin_username": ""}, actor=ROOT)
    plan = out(doors)
    assert plan.state == Plan.State.DONE
    step = plan.steps.get(name="disable_drive_account")
    assert step.state == "by_hand"
    (left,) = set(view_plan(plan).by_hand)
    assert "drive.admin_username" in left
    assert alice.sub in left
