"""A person who was deleted or disabled at the identity provider is found, shown and offered for
removal; and nothing follows from it by itself.
"""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.visitors import BACKEND, Visitor
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.engine import pause as pausing
from workspace_manager.operations import checks, who_is_there
from workspace_manager.records.models import Person, Plan, ProviderState

pytestmark = pytest.mark.django_db
NAMES = ("anna", "bert", "cleo")


@pytest.fixture
def people(world: World) -> list[Person]:
    world.things["identity_provider.user:sub-bert"] = {"enabled": False}
    world.things["identity_provider.user:sub-cleo"] = {"gone": True}
    return [make_person(name, sub=f"sub-{name}") for name in NAMES]


def states() -> dict[str, str]:
    return dict(ProviderState.objects.values_list("sub", "state"))


@pytest.fixture
def root() -> Visitor:
    person = make_person("root-admin", role="administrator")
    visitor = Visitor(person)
    visitor.force_login(person, backend=BACKEND)
    return visitor


def test_everybody_is_looked_for_and_not_again_at_once(world: World, people: list[Person]) -> None:
    assert who_is_there.look_again(world.systems()) == 3
    assert states() == {"sub-anna": "enabled", "sub-bert": "disabled", "sub-cleo": "gone"}
    assert who_is_there.look_again(world.systems()) == 0
    ProviderState.objects.update(answered_at=timezone.now() - timedelta(minutes=16))
    assert who_is_there.look_again(world.systems()) == 3
    assert not Plan.objects.exists()
    assert {one.state for one in Person.objects.all()} == {Person.State.ACTIVE}


def test_since_when_stays(world: World, people: list[Person]) -> None:
    who_is_there.look_again(world.systems())
    before = ProviderState.objects.get(sub="sub-cleo").since
    ProviderState.objects.update(answered_at=timezone.now() - timedelta(minutes=16))
    who_is_there.look_again(world.systems())
    assert ProviderState.objects.get(sub="sub-cleo").since == before


def test_one_that_is_silent_paused_or_not_to_be_asked_is_let_be(
    world: World, people: list[Person], settings: LazySettings
) -> None:
    world.broken["identity_provider"] = lambda verb: Unavailable(
        quote_words("down"), kind="identity_provider.user", doing=quote_words(verb)
    )
    assert who_is_there.look_again(world.systems()) == 0
    world.broken.clear()
    pausing.pause("identity_provider", actor="root-admin", reason="a move")
    assert who_is_there.look_again(world.systems()) == 0
    pausing.resume("identity_provider", actor="root-admin")
    settings.IDENTITY_LOOK_MINUTES = 0
    assert who_is_there.look_again(world.systems()) == 0


def test_what_was_said_of_nobody_of_ours_is_forgotten(world: World, people: list[Person]) -> None:
    ProviderState.objects.create(sub="an-older-link", state="gone")
    who_is_there.look_again(world.systems())
    assert "an-older-link" not in states()


def test_the_check_names_who_is_gone_and_what_to_do(world: World, people: list[Person]) -> None:
    (found,) = checks.findings("identity_provider", world.systems())
    assert (found.name, found.severity) == ("people who no longer exist", Severity.WARNING)
    assert found.message
    assert found.message.code == "operations.people_gone"
    assert found.text.endswith(": cleo")
    assert "Nothing is removed automatically." in found.remedy
    assert checks.findings("sql_server", world.systems()) == []


def test_administrators_see_it_on_the_pages_and_by_rest(
    world: World, people: list[Person], root: Visitor
) -> None:
    assert root.ask("GET", "/people/anna").json()["at_identity_provider"] is None
    who_is_there.look_again(world.systems())
    shown = root.ask("GET", "/people/cleo").json()["at_identity_provider"]
    assert shown["state"] == "gone"
    assert shown["since"] <= shown["asked_at"]
    page = root.get("/manage/people").content.decode()
    assert page.index("cleo") < page.index("anna"), "who was deleted there comes first"
    _, _, found = page.partition('id="found"')
    assert found.count("deleted at the identity provider") == 1
    assert found.count("disabled at the identity provider") == 1
    detail = root.get("/manage/people/cleo").content.decode()
    assert "was deleted at the identity provider" in detail
    assert 'href="#remove"' in detail
    assert "cannot sign in or get new access" in root.get("/manage/people/bert").content.decode()
    assert "may sign in" in root.get("/manage/people/anna").content.decode()
