"""A stack that the container manager makes for longer than anybody waits: any process knows of it,
since it stands in the plan's row.
"""

from datetime import timedelta

import pytest
from django.db.models import F

from tests.fake_world.identities import SlowConnector, WorldWithIdentities
from tests.fake_world.people import here, make_person
from tests.fake_world.templates import draft, make_stack_request, with_drive
from tests.fake_world.work import work, work_now
from tests.fake_world.world import FakeConnector
from workspace_manager.contract.connector import CallPolicy, Change, Evidence, Outcome
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.knowledge_stacks import templates
from workspace_manager.records.models import Component, Person, Plan, PlanChange, PlanStep
from workspace_manager.systems.container_manager.client.stacks import STACK_CALLS
from workspace_manager.work import components

pytestmark = pytest.mark.django_db(transaction=True)
STACK = "container_manager.stack"


class Stacks(SlowConnector):
    """As the real ones: what was not answered goes on."""

    calls = CallPolicy(answer_s=5, goes_on_s=600)

    def apply(self, change: Change) -> Outcome:
        world = self.world
        assert isinstance(world, World)
        world.sent += 1
        if world.refuses:
            raise Unavailable(quote_words("no image"), kind=STACK, doing=quote_words("making"))
        try:
            return super().apply(change)
        except Unavailable as late:
            raise Unavailable(
                late.message, kind=STACK, doing=quote_words("x"), goes_on=True
            ) from late

    def verify(self, change: Change) -> Evidence | None:
        assert isinstance(self.world, World)
        if self.world.ill:
            raise Unavailable(quote_words("not well"), kind=STACK, doing=quote_words("looking"))
        return super().verify(change)


class World(WorldWithIdentities):
    sent = 0
    refuses = False
    ill = False

    def connector(self, kind: str) -> FakeConnector:
        return Stacks(self, kind) if kind == STACK else super().connector(kind)

    @property
    def there(self) -> bool:
        return any(key.startswith(f"{STACK}:") for key in self.things)


@pytest.fixture
def world() -> World:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return World()


@pytest.fixture
def alice(world: World) -> Person:
    return with_drive(here(world, "alice"))


@pytest.fixture
def ordered(world: World, alice: Person) -> Component:
    systems = world.systems()
    made = templates.add(draft("plain", needs=("sign_in",)), actor="root-admin", systems=systems)
    templates.offer(made, actor="root-admin", systems=systems)
    component, _ = components.create(
        alice,
        kind="knowledge_stack",
        label="Ferns",
        project=None,
        systems=systems,
        wanted=make_stack_request("plain"),
    )
    return component


def pass_by(seconds: float) -> None:
    past = timedelta(seconds=seconds)
    Plan.objects.exclude(due_at=None).update(due_at=F("due_at") - past)
    PlanStep.objects.exclude(next_try_at=None).update(next_try_at=F("next_try_at") - past)
    PlanChange.objects.exclude(sent_at=None).update(sent_at=F("sent_at") - past)


def test_the_real_ones_go_on() -> None:
    assert STACK_CALLS.goes_on_s == 600


def test_it_is_not_shown_gone_while_it_is_being_made(world: World, ordered: Component) -> None:
    world.slow.add((STACK, "apply"))
    work_now(world)
    assert (world.sent, world.there) == (1, False)
    components.delete(ordered, actor="alice", systems=world.systems())
    for _ in range(4):
        pass_by(120)
        work_now(world)
        assert Component.objects.exists(), "what is being made is not gone"
    world.effects_come()
    assert world.there
    pass_by(600)
    work(world)
    assert not world.there
    assert not Component.objects.exists()


def test_even_when_the_deletion_itself_does_not_know_of_it(
    world: World, ordered: Component
) -> None:
    """Whichever plan deletes it: its own wait may be over, or another plan may have sent it."""
    world.slow.add((STACK, "apply"))
    work_now(world)
    components.delete(ordered, actor="alice", systems=world.systems())
    PlanStep.objects.filter(cause="under_way").update(state="pending", cause="", next_try_at=None)
    Plan.objects.filter(kind="component.delete").update(due_at=F("created_at"))
    pass_by(100)
    work_now(world)
    waiting = PlanStep.objects.get(plan__kind="component.delete", state="waiting")
    assert waiting.changes.filter(kind=STACK).exists()
    assert Component.objects.exists()


def test_it_is_taken_up_when_it_is_made_and_never_sent_twice(
    world: World, ordered: Component
) -> None:
    world.slow.add((STACK, "apply"))
    work_now(world)
    pass_by(120)
    work_now(world)
    world.slow.clear()
    pass_by(120)
    work_now(world)
    assert world.sent == 1
    world.effects_come()
    pass_by(120)
    work_now(world)
    ordered.refresh_from_db()
    assert (world.sent, ordered.state) == (1, "ready")


def test_when_its_time_is_over_it_is_sent_again(world: World, ordered: Component) -> None:
    world.slow.add((STACK, "apply"))
    work_now(world)
    world.slow.clear()
    pass_by(601)
    work_now(world)
    ordered.refresh_from_db()
    assert (world.sent, ordered.state) == (2, "ready")


def test_a_creation_that_was_answered_is_waited_for_by_nobody(
    world: World, ordered: Component
) -> None:
    world.refuses = True
    work_now(world)
    pass_by(60)
    work_now(world)
    assert world.sent == 2, "it failed, and is tried again in its turn"
    components.delete(ordered, actor="alice", systems=world.systems())
    work_now(world)
    assert not Component.objects.exists()


def test_one_that_is_not_well_yet_was_answered(world: World, ordered: Component) -> None:
    world.ill = True
    work_now(world)
    assert world.there
    world.ill = False
    world.things = {key: one for key, one in world.things.items() if STACK not in key}
    pass_by(60)
    work_now(world)
    ordered.refresh_from_db()
    assert (world.sent, ordered.state) == (2, "ready")
