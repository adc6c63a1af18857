"""A stack of a database, a repository and a knowledge stack, all of whose content is in memory."""

from dataclasses import replace

import pytest

from tests.fake_world.templates import make_stack_request, offer_template
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from workspace_manager.contract.guarded_spec import guard_spec
from workspace_manager.records.models import Component, Person, Stack
from workspace_manager.systems import registry
from workspace_manager.work import stacks
from workspace_manager.work.content_address import address_of

SOURCES = {
    "sql_server": source.connect,
    "triplestore": source.connect,
    "container_manager": source.connect_stacks,
}
HELD: dict[str, source.Tables] = {
    "sql_database": {"herbs": ["sage", "thyme"]},
    "triplestore_repository": {"ferns": ["maidenhair"]},
    "knowledge_stack": {"files": ["pages"]},
}
NEEDS = ("sql_database", "triplestore_repository")


def keep_everything(patch: pytest.MonkeyPatch) -> None:
    """Have the content of every kind of component be kept in memory."""
    for name, connect in SOURCES.items():
        brought = registry().specs[name].brought
        assert brought
        where = f"{source.__name__}:{connect.__name__}"
        patch.setitem(registry().specs, name, guard_spec(replace(brought, snapshots=where)))


def make_stack(world: World, owner: Person) -> Stack:
    """One that is ready, with something in each of its parts."""
    offer_template(world, needs=NEEDS)
    stack, _ = stacks.create(
        owner, label="Ferns", project=None, wanted=make_stack_request(), systems=world.systems()
    )
    work(world)
    stack.refresh_from_db()
    for part in stack.parts.all():
        content = {name: list(rows) for name, rows in HELD[part.kind].items()}
        source.CONTENT[address_of(part)] = content
    return stack


def part_of(stack: Stack, kind: str) -> Component:
    found = stack.parts.get(kind=kind)
    assert isinstance(found, Component)
    return found


def held_by(stack: Stack) -> dict[str, source.Tables]:
    """What is in its parts now."""
    return {part.kind: source.CONTENT.get(address_of(part), {}) for part in stack.parts.all()}
