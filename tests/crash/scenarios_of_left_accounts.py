"""The account that a removal left at the identity provider is removed by a further plan."""

from tests.crash.fake_systems import FakeSystems
from tests.crash.scenario import ACTOR, Scenario
from tests.fake_world.people import make_person
from workspace_manager.people import approve
from workspace_manager.people.register import RegistrationInput, register
from workspace_manager.records.models import Account, Mail, Plan, Registration
from workspace_manager.removal import left_account
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.removal.kind import REMOVAL


class LeftAccount(Scenario):
    """Approved, known here and never signed in: removed, then what the approval made is."""

    name = "removal of an account that a removal left"
    slow = True
    plans = (REMOVAL.name, left_account.KIND)

    def __init__(self, fakes: FakeSystems) -> None:
        super().__init__(fakes)
        asked = RegistrationInput(
            "alice", "alice@example.org", "Alice", "Liddell", "lagoon-quartz-Ember-4711"
        )
        registration = register(asked)
        approve.approve(registration.id, actor=ACTOR, systems=fakes.systems())
        self.sub = Registration.objects.get(id=registration.id).sub
        made = Account.objects.filter(kind=left_account.USER, name=self.sub)
        made.update(person=make_person("alice"))
        # Whether the letters of the approval are out when the removal ends is not what is told
        # apart here.
        Mail.objects.all().delete()

    def ask(self) -> None:
        removal, further = self.plan(REMOVAL.name), self.plan(left_account.KIND)
        systems = self.fakes.systems()
        if removal is None:
            draft_removal("alice", actor=ACTOR, systems=systems)
        elif _is_shown(removal):
            approve_removal(removal.id, digest=removal.digest, actor=ACTOR, systems=systems)
        elif removal.state == Plan.State.DONE and further is None:
            left_account.draft_left(removal, actor=ACTOR, systems=systems)
        elif further is not None and _is_shown(further):
            left_account.approve_left(further, digest=further.digest, actor=ACTOR)

    def done(self) -> bool:
        return super().done() and f"{left_account.USER}:{self.sub}" not in self.fakes.things


def _is_shown(plan: Plan) -> bool:
    """Whether a draft was looked at: what stands there now is shown with it."""
    return plan.state == Plan.State.DRAFT and plan.due_at is None
