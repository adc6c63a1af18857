"""The users of an ontology project; its trouble is nobody else's."""

from typing import Any

import pytest

from tests.fake_world.people import make_person
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Person, Plan, Project
from workspace_manager.wiring import connected_systems
from workspace_manager.work import memberships, projects
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

pytestmark = pytest.mark.django_db(transaction=True)
EDIT, MANAGE = {"CAN_EDIT"}, {"CAN_MANAGE", "PROJECT_DOWNLOADER"}


def work() -> None:
    for _ in range(2):
        for plan in Plan.objects.filter(state__in=Plan.OPEN).order_by("created_at"):
            run(plan.id, connected_systems(), kinds=PLAN_KINDS)


def roles(editor: OntologyEditorStandIn, user: str) -> set[str]:
    (project,) = editor.state["projects"].values()
    return set(project["roles"].get(user, []))


@pytest.fixture
def owner() -> Person:
    return make_person("mira", sub="sub-of-mira")


@pytest.fixture
def member() -> Person:
    return make_person("noor", sub="sub-of-noor")


@pytest.fixture
def project(editor: OntologyEditorStandIn, owner: Person) -> Project:
    made = projects.make(owner, connected_systems(), label="Birds")
    work()
    made.refresh_from_db()
    return made


def join_project(project: Project, member: Person) -> None:
    asked = memberships.ask(project, member)
    memberships.approve(asked.id, by=project.owner, systems=connected_systems())
    work()


class TestMembership:
    """State and trigger, next state, effect."""

    def test_none_project_create_becomes_linked_with_its_owner(
        self, project: Project, editor: OntologyEditorStandIn
    ) -> None:
        ((key, there),) = editor.state["projects"].items()
        assert project.ontology_project_id == key
        assert there["owner"] == "mira"
        assert roles(editor, "mira") == MANAGE

    def test_no_access_request_approved_becomes_member_with_edit(
        self, project: Project, editor: OntologyEditorStandIn, member: Person
    ) -> None:
        assert roles(editor, "noor") == set()
        join_project(project, member)
        assert roles(editor, "noor") == EDIT

    @pytest.mark.parametrize("who", ["noor", "mira"], ids=["leaves", "is removed"])
    def test_member_who_goes_has_no_access_and_the_owner_keeps_theirs(
        self, project: Project, editor: OntologyEditorStandIn, member: Person, who: str
    ) -> None:
        join_project(project, member)
        memberships.end(project, member, actor=who, systems=connected_systems())
        work()
        assert roles(editor, "noor") == set()
        assert roles(editor, "mira") == MANAGE

    def test_none_project_create_with_an_editor_that_fails_is_not_blocked(
        self, editor: OntologyEditorStandIn, owner: Person
    ) -> None:
        editor.database = "gone"
        made = projects.make(owner, connected_systems(), label="Birds")
        work()
        plan = Plan.objects.get(kind="project.link")
        step = plan.steps.get()
        assert (plan.state, made.ontology_project_id) == (Plan.State.WAITING, "")
        assert step.reason, "the page of the plan says why"


class TestWhatGoesWrong:
    """Making, deleting and sharing fail: kept, logged and shown, and the project goes on."""

    @pytest.mark.parametrize("what", ["create", "grant", "delete"])
    def test_ontology_project_create_delete_or_grant_fails(
        self,
        editor: OntologyEditorStandIn,
        owner: Person,
        member: Person,
        what: str,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        if what == "create":
            editor.database = "gone"
        made = projects.make(owner, connected_systems(), label="Birds")
        work()
        editor.database = "gone"
        if what == "grant":
            memberships.add(made, member, actor="mira", systems=connected_systems())
        if what == "delete":
            projects.delete(made, actor="mira", systems=connected_systems())
        work()
        plan = Plan.objects.filter(state=Plan.State.WAITING).get()
        waiting: Any = plan.steps.filter(state="waiting").get()
        assert waiting.reason
        assert waiting.advice
        logged = [
            one.getMessage() for one in caplog.records if str(plan.id) in getattr(one, "ids", "")
        ]
        assert len(logged) == 1, logged
        assert waiting.reason.english in logged[0]
        assert Project.objects.filter(id=made.id).exists()
        if what == "grant":
            assert made.members.filter(username="noor").exists()
