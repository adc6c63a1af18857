"""Reading for everybody: opened and closed by plans, and true in the records only as far as it was
seen from outside.
"""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import FakeSystem, World
from tests.work.shared_project import make
from workspace_manager.accounts import public_read
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import AuditEntry, Component, Person, Plan
from workspace_manager.work import components

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass
class Store(FakeSystem):
    """A store that counts, or says that it cannot open a single repository."""

    world: World
    name: str = "triplestore"
    found: Any = None

    def __post_init__(self) -> None:
        super().__init__(self.world, self.name)

    def extent(self, repository: str) -> Any:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@dataclass(frozen=True)
class Extent:
    statements: int | None
    graphs: int | None


def counting(world: World, found: Any) -> ConnectedSystems:
    systems = world.systems()
    store = Store(world, found=found)
    return ConnectedSystems(
        by_name={**systems.by_name, "triplestore": store}, settings=systems.settings
    )


@pytest.fixture
def alice() -> Person:
    return make_person("alice", sub="sub-of-alice")


@pytest.fixture
def repository(alice: Person, world: World) -> Component:
    return make(world, alice, "triplestore_repository", None)


def switch(component: Component, world: World, *, on: bool) -> Plan | None:
    return public_read.switch(component, on=on, by=component.owner, systems=world.systems())


def find_public_access(world: World, component: Component) -> Any:
    return world.things.get(f"triplestore.public:{component.name}")


def test_opening_and_closing(repository: Component, world: World) -> None:
    assert switch(repository, world, on=False) is None
    plan = switch(repository, world, on=True)
    repository.refresh_from_db()
    assert repository.public_read
    work(world)
    assert find_public_access(world, repository) == {"read": True}
    assert switch(repository, world, on=True) is None
    assert plan
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    switch(repository, world, on=False)
    repository.refresh_from_db()
    assert repository.public_read, "until a look from outside showed that it is closed"
    work(world)
    repository.refresh_from_db()
    assert not repository.public_read
    assert find_public_access(world, repository) == {"read": False}
    events = AuditEntry.objects.filter(event__endswith="to_everybody").order_by("pk")
    assert [one.event for one in events] == [
        "component:opened_to_everybody",
        "component:closed_to_everybody",
    ]


def test_closing_overtakes_an_opening_that_waits(repository: Component, world: World) -> None:
    world.broken["triplestore"] = lambda verb: Unavailable(
        quote_words("down"), kind="triplestore.public", doing=quote_words(verb)
    )
    switch(repository, world, on=True)
    work(world)
    switch(repository, world, on=False)
    world.broken.clear()
    work(world)
    assert find_public_access(world, repository) == {"read": False}
    repository.refresh_from_db()
    assert not repository.public_read
    states = Plan.objects.filter(kind="component.public").order_by("created_at")
    assert [one.state for one in states] == [Plan.State.SUPERSEDED, Plan.State.DONE]


def test_what_is_being_deleted_is_not_opened_any_more(repository: Component, world: World) -> None:
    switch(repository, world, on=True)
    components.delete(repository, actor="alice", systems=world.systems())
    work(world)
    assert find_public_access(world, repository) is None
    assert not Component.objects.exists()
    assert not Plan.objects.filter(state__in=Plan.OPEN).exists()


def test_a_leaver_opens_nothing(repository: Component, alice: Person, world: World) -> None:
    switch(repository, world, on=True)
    Person.objects.filter(id=alice.id).update(state=Person.State.LEAVING)
    work(world)
    assert find_public_access(world, repository) in (None, {"read": False})
    Component.objects.update(public_read=False)
    Plan.objects.update(state="done")
    with pytest.raises(Refused, match="alice is not active"):
        switch(repository, world, on=True)


def test_only_a_repository_that_is_ready_can_be_opened(
    alice: Person, repository: Component, world: World
) -> None:
    database = make(world, alice, "sql_database", None)
    with pytest.raises(Refused, match="Only a triplestore repository"):
        switch(database, world, on=True)
    Component.objects.update(state="waiting")
    with pytest.raises(Refused, match=r"Not ready yet\. Nobody can use it before\."):
        switch(repository, world, on=True)


def test_a_store_that_cannot_is_refused_with_its_reason(
    repository: Component, world: World
) -> None:
    cannot = Invalid(
        quote_words("all or none"), kind="triplestore.public", doing=quote_words("looking")
    )
    systems = counting(world, cannot)
    with pytest.raises(Refused, match="This repository cannot be made public: all or none"):
        public_read.switch(repository, on=True, by=repository.owner, systems=systems)
    assert public_read.preview(repository, systems).impossible
    assert not Plan.objects.filter(kind="component.public").exists()


@pytest.mark.parametrize(
    ("found", "code"),
    [
        (Extent(12, 3), "public_warning"),
        (Extent(12, None), "public_warning_statements"),
        (Extent(0, 0), "public_warning_empty"),
        (Extent(None, None), "public_warning_uncounted"),
    ],
)
def test_the_warning_says_what_the_world_would_see(
    repository: Component, world: World, found: Extent, code: str
) -> None:
    preview = public_read.preview(repository, counting(world, found))
    warning = public_read.warning(preview)
    assert warning.code == f"work.{code}"
    assert all(str(n) in warning.english for n in (found.statements, found.graphs) if n)
