"""The hold as administrators see and end it: on the page, by REST, and on the command line."""

import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from tests.clock import Clock, turned
from tests.fake_world.world import World
from tests.visitors import Visitor
from workspace_manager import housekeeping
from workspace_manager.cli.hold import hold as command
from workspace_manager.core import hold
from workspace_manager.operations.hold_orders import confirm
from workspace_manager.records.models import AuditEntry, Hold, Person

pytestmark = pytest.mark.django_db(transaction=True)
FORTY_DAYS = 40 * 24


@pytest.fixture
def held_clock(db: None, world: World) -> Iterator[Clock]:
    with turned() as clock:
        housekeeping.look_after(world.systems())
        clock.host = clock.database = FORTY_DAYS
        housekeeping.look_after(world.systems())
        yield clock


def test_the_page_says_why_and_ends_it(
    held_clock: Clock, as_administrator: Visitor, world: World
) -> None:
    page = as_administrator.get("/manage/systems").content.decode()
    assert "it was changed, or no worker ran." in page
    assert "/manage/hold/confirm" in page
    assert as_administrator.post("/manage/hold/confirm").status_code == 302
    page = as_administrator.get("/manage/systems").content.decode()
    assert "it was changed, or no worker ran." not in page
    assert "/manage/hold/confirm" not in page
    assert Hold.objects.get().confirmed_by == "ada"
    housekeeping.look_after(world.systems())
    assert hold.current_hold() is None


def test_rest_says_why_and_ends_it(held_clock: Clock, as_administrator: Visitor) -> None:
    told = as_administrator.ask("GET", "/hold").json()
    assert (told["stands"], told["reason"], told["begun_by"]) == (True, "clock", "manager")
    assert told["text_message"]["code"] == "operations.held_by_clock"
    ended = as_administrator.ask("POST", "/hold/confirm").json()
    assert (ended["stands"], ended["confirmed_by"]) == (False, "ada")
    again = as_administrator.ask("POST", "/hold/confirm")
    assert again.status_code == 409
    begun = as_administrator.ask("POST", "/hold").json()
    assert (begun["stands"], begun["reason"], begun["begun_by"]) == (True, "restore", "ada")


def test_rest_says_that_there_never_was_one(as_administrator: Visitor) -> None:
    told = as_administrator.ask("GET", "/hold").json()
    assert told["stands"] is False
    assert told["reason"] is None


def run(*words: str) -> str:
    ran = CliRunner().invoke(command, list(words), catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_the_command_line_says_why_and_ends_it(held_clock: Clock) -> None:
    assert json.loads(run("show", "--json"))["reason"] == "clock"
    assert "it was changed, or no worker ran." in " ".join(run("show").split())
    run("confirm")
    assert json.loads(run("show", "--json"))["stands"] is False
    run("begin")
    assert json.loads(run("show", "--json"))["reason"] == "restore"
    events = AuditEntry.objects.filter(event__startswith="hold:").order_by("id")
    assert [row.event for row in events] == ["hold:confirmed", "hold:begun"]
    assert all("command line" in row.actor for row in events)


def test_the_command_line_says_that_there_never_was_one(db: None) -> None:
    assert "Nothing is on hold, and nothing ever was." in run("show")


def test_who_administers_no_more_ends_nothing(held_clock: Clock, ada: Person) -> None:
    Person.objects.filter(pk=ada.pk).update(role=Person.Role.USER)
    with pytest.raises(Exception, match="ada"):
        confirm(actor="ada")
    assert hold.current_hold() is not None
