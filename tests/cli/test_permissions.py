"""`people permissions`: shown, given and taken."""

import json

import pytest
from click.testing import CliRunner, Result

from tests.clock import noon
from workspace_manager.cli.__main__ import main
from workspace_manager.records.models import Person


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("people", "permissions", *arguments))


@pytest.mark.django_db
def test_they_are_shown_given_and_taken(bob: Person) -> None:
    assert run("bob").output == "bob has none.\n"
    day = f"{noon(60):%Y-%m-%d}"
    given = run("bob", "--give", "view_stacks", "--until", f"{day}T08:00+01:00", "--json")
    (one,) = json.loads(given.output)["items"]
    assert (one["name"], one["until"]) == ("view_stacks", f"{day}T07:00:00Z")
    run("bob", "--give", "approve_registrations")
    left = json.loads(run("bob", "--take", "view_stacks", "--json").output)
    assert [(row["name"], row["until"]) for row in left["items"]] == [
        ("approve_registrations", None)
    ]
    assert "approve_registrations" in run("bob").output


@pytest.mark.django_db
@pytest.mark.parametrize(
    "arguments", [("--give", "rule_all"), ("--until", "2036-01-31"), ("--take", "view_stacks", "x")]
)
def test_wrong_usage_is_said(bob: Person, arguments: tuple[str, ...]) -> None:
    assert run("bob", *arguments).exit_code == 2
