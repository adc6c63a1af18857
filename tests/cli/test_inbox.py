"""`inbox` says what waits, for administrators or for somebody, and puts things off."""

import json
from datetime import timedelta

import pytest
from click.testing import CliRunner
from django.utils import timezone

from tests.web.pages import scenes
from workspace_manager.cli.inbox import inbox
from workspace_manager.inbox import put_off
from workspace_manager.records.models import AuditEntry, Person, Registration

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    done = CliRunner().invoke(inbox, [*arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_what_waits_for_administrators(alice: Person) -> None:
    assert "Nothing waits." in run()
    Registration.objects.create(username="dora", email="dora@example.org")
    scenes.database(alice, "Index", state="failed")
    said = json.loads(run("--json"))
    assert [one["what"] for one in said["items"]] == ["dora wants to join."]
    assert (said["count"], said["counts"]) == (1, {"registration": 1})
    assert "dora wants to join." in run("--kind", "registration")
    assert "Nothing waits." in run("--kind", "token")


def test_what_waits_for_one_person(alice: Person) -> None:
    Registration.objects.create(username="dora", email="dora@example.org")
    scenes.database(alice, "Index", state="failed")
    scenes.database(alice, "Letters", state="failed")
    said = run("--person", "alice", "--most", "1")
    assert "” could not be created." in said
    assert "These are 1 of 2" in said
    assert "dora" not in said


def test_putting_off_for_a_person(alice: Person) -> None:
    made = scenes.database(alice, "Index", state="failed")
    key, day = f"component_failed:{made.id}", (timezone.now() + timedelta(days=9)).date()
    run("snooze", key, "--until", day.isoformat(), "--person", "alice")
    assert "Nothing waits." in run("--person", "alice")
    assert AuditEntry.objects.get(event="inbox:put_off").actor.startswith("command line")
    run("unsnooze", key, "--person", "alice")
    assert "Index" in run("--person", "alice")
    done = CliRunner().invoke(inbox, ["unsnooze", key, "--person", "alice"])
    assert isinstance(done.exception, put_off.NotWaiting)
