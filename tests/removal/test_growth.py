"""Changes between the preview of a removal and its approval: what the person makes joins the
plan, what the person is given goes back, and what an administrator changed is shown again.
"""

import dataclasses
import uuid
from datetime import timedelta
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.people import ROOT, administrator, make, remove, settle_person
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.housekeeping import TASKS
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import Component, Membership, Person, Plan, Project
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.preview_changes import since_preview
from workspace_manager.systems.notebook_hub.settings import Settings
from workspace_manager.work import components, memberships, projects

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


def draft(name: str, world: WorldWithIdentities) -> Plan:
    return draft_removal(name, actor=ROOT, systems=world.systems())


def approve(plan: Plan, world: WorldWithIdentities, **more: Any) -> Plan:
    return approve_removal(plan.id, digest=plan.digest, actor=ROOT, systems=world.systems(), **more)


def added(plan: Plan) -> list[str]:
    return [
        change.kind for step in view_plan(plan).steps for change in step.changes if change.added
    ]


def test_what_the_leaver_made_meanwhile_joins_the_plan_and_is_marked(
    world: WorldWithIdentities,
) -> None:
    alice = settle_person("alice", world)
    plan = draft("alice", world)
    text, digest = plan.document_text, plan.digest
    made = make(alice, "sql_database", world)
    make(alice, "triplestore_repository", world)
    project = projects.make(alice, world.systems(), label="Late")
    approved = approve(plan, world)
    assert (approved.document_text, approved.digest) == (text, digest)
    assert approved.state == Plan.State.RUNNING
    assert sorted(added(approved)) == [
        "ontology_editor.project",
        "records.component",
        "records.component",
        "records.project",
        "records.service_key",
        "records.service_key",
        "sql_server.database",
        "triplestore.repository",
    ]
    work(world)
    approved.refresh_from_db()
    assert approved.state == Plan.State.DONE
    assert not world.named("alice")
    assert not Component.objects.filter(id=made.id).exists()
    assert not Project.objects.filter(id=project.id).exists()


def test_added_records_wait_for_what_they_own(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    plan = draft("alice", world)
    component = make(alice, "sql_database", world)
    approve(plan, world)
    rows = {row.kind: row for row in plan.steps.get(name="delete_records").changes.all()}
    assert rows["records.component"].needs == [rows["sql_server.database"].position]
    assert rows["records.component"].change["target"]["id"] == str(component.id)


def test_what_was_made_while_the_worker_makes_it_is_found(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    plan = draft("alice", world)
    make(alice, "sql_database", world)
    work(world)
    approve(plan, world)
    work(world)
    assert not world.named("alice")


def test_a_membership_given_meanwhile_is_a_finding_and_ends(world: WorldWithIdentities) -> None:
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    project = Project.objects.get(owner=alice)
    plan = draft("bob", world)
    memberships.add(project, bob, actor="alice", systems=world.systems())
    work(world)
    assert [thing for thing in world.named("bob") if "membership" in thing]
    approved = approve(plan, world)
    assert added(approved) == []
    assert any("was granted after the preview" in text for text in view_plan(approved).findings)
    assert not Membership.objects.filter(person=bob).exists()
    work(world)
    assert not world.named("bob")
    assert Project.objects.get(id=project.id).owner == alice


def test_a_project_handed_over_meanwhile_goes_back_or_stays_with_an_administrator(
    world: WorldWithIdentities,
) -> None:
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    project = Project.objects.get(owner=alice)
    memberships.add(project, bob, actor="alice", systems=world.systems())
    work(world)
    plan = draft("bob", world)
    remove("alice", world, transfer={str(project.id): "bob"})
    project.refresh_from_db()
    assert project.owner == bob
    approved = approve(plan, world)
    project.refresh_from_db()
    assert project.owner.username == ROOT
    assert any("handed over after the preview" in text for text in view_plan(approved).findings)
    work(world)
    assert Project.objects.filter(id=project.id).exists()
    assert not world.named("bob")


def test_a_giver_who_is_here_has_it_back(world: WorldWithIdentities) -> None:
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    project = Project.objects.get(owner=alice)
    plan = draft("bob", world)
    Project.objects.filter(id=project.id).update(
        owner=bob, received_at=plan.created_at, received_from=alice
    )
    approve(plan, world)
    project.refresh_from_db()
    assert project.owner == alice
    work(world)
    assert Project.objects.filter(id=project.id).exists()


def test_a_leaver_is_handed_nothing(world: WorldWithIdentities) -> None:
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    project = Project.objects.get(owner=alice)
    memberships.add(project, bob, actor="alice", systems=world.systems())
    component = make(alice, "sql_database", world)
    theirs = Project.objects.get(owner=bob)
    memberships.add(theirs, alice, actor="bob", systems=world.systems())
    work(world)
    draft_of_alice = draft("alice", world)
    remove("bob", world)
    with pytest.raises(ValueError, match="is not an active member"):
        approve(draft_of_alice, world, transfer={str(project.id): "bob"})
    systems = world.systems()
    for attempt in (
        lambda: components.move(component, theirs, by=component.owner, systems=systems),
        lambda: make(alice, "sql_database", world, project=theirs),
        lambda: memberships.ask(theirs, Person.objects.get(username=ROOT)),
    ):
        with pytest.raises(Refused, match="being removed"):
            attempt()
    assert Person.objects.get(username="alice").state == Person.State.ACTIVE


@pytest.mark.parametrize("change", ["relinked", "settings"])
def test_what_an_administrator_changed_is_looked_at_again(
    world: WorldWithIdentities, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle_person("alice", world)
    plan = draft("alice", world)
    if change == "relinked":
        SocialAccount.objects.filter(user__username="alice").update(uid=str(uuid.uuid4()))
    else:
        before = world.systems()
        other = dataclasses.replace(before.settings_of(Settings), container_name_prefix="other-")
        changed = {**before.settings, "notebook_hub": other}

        def systems() -> ConnectedSystems:
            return dataclasses.replace(before, settings=changed)

        monkeypatch.setattr(world, "systems", systems)
    with pytest.raises(Refused, match="have changed since"):
        approve(plan, world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.STALE
    assert Person.objects.get(username="alice").state == Person.State.ACTIVE


# --- what other people lose by ----------------------------------------------------------------


def joined_since(world: WorldWithIdentities) -> tuple[Plan, Component, Person]:
    """The draft of alice, whose project had no member; then bob joined and uses her database."""
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    project = Project.objects.get(owner=alice)
    database = make(alice, "sql_database", world, project=project)
    work(world)
    plan = draft("alice", world)
    assert not [text for text in view_plan(plan).remarks if "bob" in text]
    memberships.add(project, bob, actor="alice", systems=world.systems())
    work(world)
    return plan, database, bob


def test_nobody_loses_anything_that_was_not_shown(world: WorldWithIdentities) -> None:
    plan, database, _ = joined_since(world)
    with pytest.raises(Refused, match=r"Other people lose more .* 1 database, 1 member"):
        approve(plan, world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DRAFT
    assert Person.objects.get(username="alice").state == Person.State.ACTIVE
    assert Component.objects.filter(id=database.id).exists()


def test_what_was_seen_since_the_preview_is_confirmed(world: WorldWithIdentities) -> None:
    plan, _, _ = joined_since(world)
    since = since_preview(plan, world.systems())
    assert since.text == "Since this preview: 1 database, 1 member."
    assert any("bob" in text for text in since.lost)
    approved = approve(plan, world, seen=since.seen)
    assert approved.state == Plan.State.RUNNING
    assert any("1 database, 1 member" in text for text in view_plan(approved).findings)


def test_who_joined_after_the_last_look_was_not_seen(world: WorldWithIdentities) -> None:
    plan, _, _ = joined_since(world)
    seen = since_preview(plan, world.systems()).seen
    project = Project.objects.get(owner__username="alice")
    memberships.add(project, settle_person("carol", world), actor="alice", systems=world.systems())
    with pytest.raises(Refused, match="1 database, 2 members"):
        approve(plan, world, seen=seen)


def test_a_project_that_is_handed_over_costs_its_members_nothing(
    world: WorldWithIdentities,
) -> None:
    plan, database, bob = joined_since(world)
    project = Project.objects.get(owner__username="alice")
    Component.objects.filter(id=database.id).delete()
    approved = approve(plan, world, transfer={str(project.id): bob.username})
    assert approved.state == Plan.State.RUNNING


def test_what_the_leaver_goes_on_making_holds_up_no_removal(world: WorldWithIdentities) -> None:
    alice, bob = settle_person("alice", world), settle_person("bob", world)
    project = Project.objects.get(owner=alice)
    memberships.add(project, bob, actor="alice", systems=world.systems())
    work(world)
    plan = draft("alice", world)
    make(alice, "sql_database", world, project=project)
    approved = approve(plan, world)
    assert approved.state == Plan.State.RUNNING
    assert any("Other people lose more" in text for text in view_plan(approved).findings)


def test_who_left_the_project_since_is_no_growth(world: WorldWithIdentities) -> None:
    alice, bob, carol = (settle_person(name, world) for name in ("alice", "bob", "carol"))
    project = Project.objects.get(owner=alice)
    for member in (bob, carol):
        memberships.add(project, member, actor="alice", systems=world.systems())
    work(world)
    plan = draft("alice", world)
    Membership.objects.filter(person=carol).delete()
    assert since_preview(plan, world.systems()).text == ""
    assert approve(plan, world).state == Plan.State.RUNNING


# --- how long a draft is good -----------------------------------------------------------------


def test_a_draft_that_is_too_old_is_not_approved_and_says_so(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    plan = draft("alice", world)
    Plan.objects.filter(id=plan.id).update(created_at=timezone.now() - timedelta(hours=25))
    with pytest.raises(Refused, match="This preview expired on"):
        approve(plan, world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.STALE
    assert Person.objects.get(username="alice").state == Person.State.ACTIVE


def test_the_housekeeping_ends_old_drafts_and_leaves_young_ones(
    world: WorldWithIdentities, settings: Any
) -> None:
    settings.DRAFT_HOURS = 2
    settle_person("alice", world), settle_person("bob", world)
    old, young = draft("alice", world), draft("bob", world)
    assert view_plan(young).ends_at
    Plan.objects.filter(id=old.id).update(created_at=timezone.now() - timedelta(hours=3))
    TASKS["end_drafts"].run(world.systems(), timezone.now())
    assert Plan.objects.get(id=old.id).state == Plan.State.STALE
    assert Plan.objects.get(id=young.id).state == Plan.State.DRAFT


def test_where_nobody_else_is_nobody_loses_anything(world: WorldWithIdentities) -> None:
    alice = settle_person("alice", world)
    make(alice, "sql_database", world, project=Project.objects.get(owner=alice))
    work(world)
    plan = draft("alice", world)
    assert not [text for text in view_plan(plan).remarks if "is deleted. It is shared" in text]
