"""The progress of plans that work on what lists show."""

from collections.abc import Iterable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.fake_world.people import here, make_person
from tests.fake_world.templates import make_stack_request, offer_template, with_drive
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.work.test_stacks import broken
from workspace_manager.records.models import Component, Person
from workspace_manager.work import components, stacks
from workspace_manager.work.component_lists import progress_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alice(world: World) -> Person:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return with_drive(here(world, "alice"))


def queries(things: Iterable[Component]) -> int:
    with CaptureQueriesContext(connection) as asked:
        progress_of(things)
    return len(asked)


def test_parts_have_the_progress_of_their_stack(alice: Person, world: World) -> None:
    offer_template(world)
    made = [
        stacks.create(
            alice, label=label, project=None, wanted=make_stack_request(), systems=world.systems()
        )[0]
        for label in ("Ferns", "Mosses")
    ]
    alone, _ = components.create(
        alice, kind="sql_database", label="Alone", project=None, systems=world.systems()
    )
    parts = list(Component.objects.exclude(stack=None))
    found = progress_of([*parts, alone])
    for stack in made:
        of_stack = progress_of(made)[stack.id]
        assert [found[part.id] for part in stack.parts.all()] == [of_stack] * 3
    assert {found[part.id].kind for part in parts} == {"stack.create"}
    assert found[alone.id].kind == "component.create"
    assert queries([*parts, alone]) == queries(parts[:1]) == 2


def test_a_part_that_is_ready_has_none(alice: Person, world: World) -> None:
    """Until its stack is being deleted."""
    offer_template(world)
    world.broken["container_manager"] = broken
    stack, _ = stacks.create(
        alice, label="Ferns", project=None, wanted=make_stack_request(), systems=world.systems()
    )
    work(world)
    parts = list(stack.parts.all())
    shown = progress_of(parts)
    assert {part.kind for part in parts if part.id in shown} == {"knowledge_stack"}
    stacks.delete(stack, actor="alice", systems=world.systems())
    shown = progress_of(stack.parts.all())
    assert {one.kind for one in shown.values()} == {"stack.delete"}
    assert len(shown) == 3


def test_what_nothing_works_on_costs_one_statement(alice: Person, world: World) -> None:
    made, _ = components.create(
        alice, kind="sql_database", label="Notes", project=None, systems=world.systems()
    )
    work(world)
    made.refresh_from_db()
    assert made.state == Component.State.READY
    assert queries([made]) == 1
    assert progress_of([made]) == {}
