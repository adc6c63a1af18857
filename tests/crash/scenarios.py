"""The scenarios that are killed: each knows what a person and a worker would do next, from whatever
was left.

Every kind of plan that the engine knows has to be in one of them
(`test_every_kind_of_plan_has_a_scenario`).
"""

import hashlib
from collections.abc import Mapping

import pytest

from tests.crash.fake_systems import REALM, FakeSystems
from tests.crash.scenario import ACTOR, SUB, Scenario
from tests.crash.scenarios_of_keys import MachineKey, OpenedAndClosed, Renewal
from tests.crash.scenarios_of_left_accounts import LeftAccount
from tests.crash.scenarios_of_reconcile import Repair, RightGivenBack
from tests.crash.scenarios_of_snapshots import OF_SNAPSHOTS
from tests.crash.scenarios_of_stacks import StackComesAndGoes
from tests.crash.scenarios_of_volumes import OF_VOLUMES
from tests.fake_world.people import make_person
from workspace_manager import worker
from workspace_manager.contract.connector import Change
from workspace_manager.contract.system import DesiredState
from workspace_manager.operations import realm
from workspace_manager.people import approve, confirm_email, make_accounts, suspend, undo_approval
from workspace_manager.people.register import RegistrationInput, register
from workspace_manager.people.withdraw import withdraw
from workspace_manager.records.models import (
    Account,
    Component,
    Membership,
    Person,
    Plan,
    Project,
    Registration,
    ServiceKey,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.kind import REMOVAL
from workspace_manager.removal.recheck import RECHECK
from workspace_manager.systems import registry
from workspace_manager.work import components, memberships, ontology_names, projects, sharing


class Removal(Scenario):
    """Drafted, looked at, approved, seven steps, recheck."""

    name = "removal of a person"
    slow = True
    plans = (REMOVAL.name, RECHECK.name)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        self.alice()

    def ask(self) -> None:
        plan = self.plan("removal")
        if plan is None:
            draft_removal("alice", actor=ACTOR, systems=self.fakes.systems())
        elif plan.state == Plan.State.DRAFT and plan.due_at is None:
            # It was looked at: what stands there now is shown with it.
            approve_removal(plan.id, digest=plan.digest, actor=ACTOR, systems=self.fakes.systems())

    def done(self) -> bool:
        return super().done() and not Person.objects.filter(username="alice").exists()


class Approval(Scenario):
    """One claimed call inside the request; no plan."""

    name = "approval of a registration"

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        asked = RegistrationInput(
            "alice", "alice@example.org", "Alice", "Liddell", "lagoon-quartz-Ember-4711"
        )
        self.id = register(asked).id

    def ask(self) -> None:
        if not self._is(Registration.Status.APPROVED):
            approve.approve(self.id, actor=ACTOR, systems=self.fakes.systems())

    def done(self) -> bool:
        return super().done() and self._is(Registration.Status.APPROVED)

    def _is(self, status: str) -> bool:
        return Registration.objects.get(id=self.id).status == status


class Withdrawal(Approval):
    """An approval is taken back before anybody signed in: a removal of somebody who never came."""

    name = "withdrawal of an approval"
    slow = True
    plans = (REMOVAL.name, RECHECK.name)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        approve.approve(self.id, actor=ACTOR, systems=fakes.systems())

    def ask(self) -> None:
        if not self._is(Registration.Status.WITHDRAWN):
            withdraw(self.id, actor=ACTOR, systems=self.fakes.systems())

    def done(self) -> bool:
        gone = not Person.objects.filter(username="alice").exists()
        return Scenario.done(self) and self._is(Registration.Status.WITHDRAWN) and gone


class Making(Approval):
    """Accounts are made for somebody who was approved, where none comes by itself."""

    name = "accounts of an approval"
    plans = (make_accounts.MAKING.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        approve.approve(self.id, actor=ACTOR, systems=fakes.systems())

    def ask(self) -> None:
        if self.plan(make_accounts.MAKING.name) is None:
            registration = Registration.objects.get(id=self.id)
            wish = DesiredState("triplestore.user", {"username": "alice"}, {"exists": True})
            spec = registry().specs["triplestore"]
            make_accounts.store_making(registration, [(spec, (wish,))], self.fakes.systems())

    def done(self) -> bool:
        recorded = Account.objects.filter(kind="triplestore.user", name="alice", made_by_us=True)
        return Scenario.done(self) and recorded.exists()


class Undoing(Approval):
    """A rejection after an approval that was tried and cut off: what it made there goes again."""

    name = "rejection after a tried approval"
    plans = (undo_approval.UNDOING.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        approve.approve(self.id, actor=ACTOR, systems=fakes.systems())
        Registration.objects.filter(id=self.id).update(status=Registration.Status.PENDING, sub="")

    def ask(self) -> None:
        if not self._is(Registration.Status.REJECTED):
            approve.reject(self.id, actor=ACTOR, reason="somebody else")

    def done(self) -> bool:
        users = [key for key in self.fakes.things if "alice" in str(self.fakes.things[key])]
        return Scenario.done(self) and self._is(Registration.Status.REJECTED) and not users


class Confirmation(Approval):
    """Somebody who was approved before follows the link of the letter: the identity provider is
    told.
    """

    name = "confirmation of an e-mail address"
    plans = (confirm_email.CONFIRMATION.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        link = hashlib.sha256(b"the link").hexdigest()
        Registration.objects.filter(id=self.id).update(confirmation=link)
        approve.approve(self.id, actor=ACTOR, systems=fakes.systems())

    def ask(self) -> None:
        if not Registration.objects.get(id=self.id).email_confirmed:
            assert confirm_email.confirm("the link")

    def done(self) -> bool:
        users = [user for user in self.fakes.things.values() if user.get("username") == "alice"]
        return super().done() and [user.get("email_verified") for user in users] == [True]


class RealmSetUp(Scenario):
    """Parts of the realm that are not there yet: a client, and what belongs to it."""

    name = "set-up of the realm"
    plans = (realm.SET_UP.name,)
    parts = ("profile", "client:drive", "mapper:drive:name")

    def ask(self) -> None:
        if not self.plan(realm.SET_UP.name):
            changes = [
                Change(kind=REALM, subject="", target={"part": part}, after={"declared": True})
                for part in self.parts
            ]
            realm.start(self.fakes.systems(), changes, actor=ACTOR)

    def done(self) -> bool:
        there = {key.partition(":")[2] for key in self.fakes.things if key.startswith(REALM)}
        return super().done() and there == {*self.parts}


class Creation(Scenario):
    """A first component: account with its secret, the thing, and what is stored beside it."""

    kind: str
    plans = (components.CREATION.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        self.owner = make_person("alice", sub=SUB)
        fakes.things[f"identity_provider.user:{SUB}"] = {"enabled": True, "sessions": 1}
        fakes.things[f"identity_provider.attributes:{SUB}"] = {}

    def ask(self) -> None:
        if not Component.objects.exists():
            components.create(
                Person.objects.get(username="alice"), kind=self.kind, label="Notes", project=None,
                systems=self.fakes.systems(),
            )  # fmt: skip

    def done(self) -> bool:
        return super().done() and self._key_opens()

    def _key_opens(self) -> bool:
        """The secret that its owner will be shown is the one that was set."""
        secrets = [thing.get("secrets", {}) for thing in self.fakes.things.values()]
        sent = {secret for kept in secrets for secret in kept.values()}
        key = ServiceKey.objects.get()
        assert key.secret is not None
        assert sent == {key.secret.reveal()}
        return bool(Component.objects.filter(state=Component.State.READY).exists())


class SqlDatabase(Creation):
    name = "creation of a SQL database"
    kind = "sql_database"


class Repository(Creation):
    name = "creation of a repository"
    kind = "triplestore_repository"


class Deletion(Scenario):
    """The last repository goes, and its owner's account with it."""

    name = "deletion of a repository"
    plans = (components.DELETION.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        self.alice()

    def ask(self) -> None:
        component = Component.objects.filter(kind="triplestore_repository").first()
        if component and component.state != Component.State.DELETING:
            components.delete(component, actor="alice", systems=self.fakes.systems())


class ProjectLink(Scenario):
    """A project, and its ontology project that carries our mark."""

    name = "creation of a project"
    plans = (projects.LINKING.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        make_person("alice", sub=SUB)

    def ask(self) -> None:
        if not Project.objects.exists():
            projects.make(Person.objects.get(username="alice"), self.fakes.systems(), label="Dig")

    def done(self) -> bool:
        return super().done() and Project.objects.get().ontology_project_id == "given-1"


class Renaming(Scenario):
    """A project gets another name, and so does its ontology project."""

    name = "renaming of a project"
    plans = (ontology_names.RENAMING.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        self.alice()

    def ask(self) -> None:
        project = Project.objects.get()
        if project.label != "Trench":
            systems = self.fakes.systems()
            projects.change(project, label="Trench", actor="alice", systems=systems)


class ProjectDeletion(Scenario):
    """A project ends, its ontology project goes to the trash, and its member loses what it gave."""

    name = "deletion of a project"
    plans = (projects.DELETION.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        self.alice()
        self.bob(member=True)

    def ask(self) -> None:
        project = Project.objects.first()
        if project and not self.plan(projects.DELETION.name):
            projects.delete(project, actor="alice", systems=self.fakes.systems())


class Joining(Scenario):
    """Somebody becomes a member, and gets accounts, grants and rights for the first time."""

    name = "beginning of a membership"
    plans = (sharing.SETTLING.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        self.alice()
        self.bob(member=False)

    def ask(self) -> None:
        bob, project = Person.objects.get(username="bob"), Project.objects.get()
        if not Membership.objects.exists():
            memberships.add(project, bob, actor="alice", systems=self.fakes.systems())


class Leaving(Joining):
    """And loses what it gave."""

    name = "end of a membership"

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        Joining.ask(self)
        worker.every_minute.call_local()
        Plan.objects.all().delete()

    def ask(self) -> None:
        bob, project = Person.objects.get(username="bob"), Project.objects.get()
        if Membership.objects.exists():
            memberships.end(project, bob, actor="alice", systems=self.fakes.systems())


RIGHTS = ["ROLE_USER", "READ_REPO_ts-alice", "WRITE_REPO_ts-alice"]
"""Of alice in the triplestore: a suspension writes them down, and gives back the same."""


class Suspension(Scenario):
    """Every credential is shut."""

    name = "suspension of a person"
    plans: tuple[str, ...] = (suspend.SUSPENSION.name,)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        self.alice()
        fakes.things["triplestore.user:alice"]["authorities"] = [*RIGHTS]

    def ask(self) -> None:
        if Person.objects.get(username="alice").state == Person.State.ACTIVE:
            suspend.suspend("alice", actor=ACTOR, systems=self.fakes.systems())


class Resumption(Suspension):
    """Its exact undoing."""

    name = "resumption of a person"
    plans = (suspend.SUSPENSION.name, suspend.RESUMPTION.name)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        suspend.suspend("alice", actor=ACTOR, systems=fakes.systems())
        worker.every_minute.call_local()

    def ask(self) -> None:
        if Person.objects.get(username="alice").state == Person.State.SUSPENDED:
            suspend.resume("alice", actor=ACTOR, systems=self.fakes.systems())


SCENARIOS: Mapping[str, type[Scenario]] = {
    scenario.__name__: scenario
    for scenario in (
        Removal, Approval, SqlDatabase, Repository, Withdrawal, Making, Undoing, Deletion,
        ProjectLink, Renaming, ProjectDeletion,
        Joining, Leaving, Suspension, Resumption, Confirmation, RealmSetUp, Renewal, MachineKey,
        OpenedAndClosed, *OF_SNAPSHOTS, *OF_VOLUMES, StackComesAndGoes, Repair, RightGivenBack,
        LeftAccount,
    )
}  # fmt: skip

FEW = (Removal, Approval, SqlDatabase, Joining)
"""One of each shape: many steps, a call in a request, something made, somebody given something."""

MORE = (Leaving, Suspension, Renewal, StackComesAndGoes)
"""What `make test` adds: access that is taken or shut, a new secret, several parts in one plan."""
RARE = {one: pytest.mark.thorough if one in MORE else pytest.mark.everything
        for one in SCENARIOS.values() if one not in FEW}  # fmt: skip
IN_TURN = [pytest.param(one, id=name, marks=RARE.get(one, ())) for name, one in SCENARIOS.items()]
"""Every scenario, by `make everything`. For what happens to the engine whatever is done."""
