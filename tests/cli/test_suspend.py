"""`people suspend`: looked at, ordered with a reason and an end, and changed."""

import json

import pytest
from click.testing import CliRunner, Result
from django.conf import LazySettings

from tests.clock import noon
from tests.fake_world.people import make_person
from workspace_manager.cli.__main__ import main
from workspace_manager.cli.local_time import ZONE
from workspace_manager.records.models import Person, Plan, Suspension

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def alice(settings: LazySettings) -> Person:
    settings.SECRET_KEYS = ["only-for-these-tests"]
    make_person("root-admin", sub="sub-root", role="administrator")
    return make_person("alice", sub="sub-1")


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("people", *arguments))


def test_it_is_looked_at_without_doing_anything(alice: Person) -> None:
    answer = typed("suspend", "alice", "--dry-run")
    assert answer.exit_code == 0, answer.output
    assert "Disable the account at the identity provider" in answer.output
    assert "Manager API tokens are revoked" in answer.output
    shown = json.loads(typed("suspend", "alice", "--dry-run", "--json").output)
    assert (shown["kind"], shown["state"]) == ("suspension", "active")
    assert not Plan.objects.exists()
    assert not Suspension.objects.exists()


@pytest.mark.parametrize("looking", [("--dry-run",), ()])
def test_what_is_shown_before_it_has_the_terms_of_the_order(looking: tuple[str, ...]) -> None:
    day = f"{noon(60):%Y-%m-%d}"
    answer = typed("suspend", "alice", "--reason", "On leave", "--until", day, *looking)
    assert answer.exit_code == 0, answer.output
    assert "has no end date" not in answer.output
    assert "The suspension ends automatically" in answer.output
    assert "On leave" in answer.output


def test_a_preview_refuses_an_end_that_is_none() -> None:
    assert typed("suspend", "alice", "--dry-run", "--until", "soon").exit_code == 2


def test_it_is_ordered_and_changed(alice: Person) -> None:
    later = noon(60).replace(hour=0, tzinfo=ZONE)
    day = f"{later:%Y-%m-%d}"
    answer = typed("suspend", "alice", "--reason", "On leave", "--until", day)
    assert answer.exit_code == 0, answer.output
    assert "alice is suspended; plan" in answer.output
    row = Suspension.objects.get()
    assert (row.reason, row.until) == ("On leave", later), "it begins where the terminal is"
    assert typed("suspend", "alice").exit_code == 1
    assert typed("suspend", "alice", "--until", "never").exit_code == 0
    assert Suspension.objects.get().until is None
    wrong = typed("suspend", "alice", "--until", "soon")
    assert wrong.exit_code == 2
    assert "Write a date" in wrong.stderr
    assert typed("suspend", "nobody").exit_code == 1
    assert typed("resume", "alice").exit_code == 0
    assert not Suspension.objects.exists()
