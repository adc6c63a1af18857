"""The audit's note of an ended plan fits the plan as long as there is one: when somebody is
erased, after a restore, with other keys, and for later versions.
"""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.conf import LazySettings
from django.db import connection
from django.utils import timezone

from tests.fake_world.ended_removal import (
    ended_removal,
    look_again,
    noted,
    of_plan,
    of_step,
    problems,
    sql,
)
from tests.fake_world.world import World
from workspace_manager.audit import plan_notes
from workspace_manager.audit.erasure import erase_ended
from workspace_manager.audit.seals import seal_waiting, sign_again
from workspace_manager.audit.verify import verify
from workspace_manager.engine.forget import forget_old_plans
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records import migrations, plan_content
from workspace_manager.records.models import (
    AuditEntry,
    Plan,
    PlanNote,
    Tombstone,
)
from workspace_manager.records.plan_content import FORMS, NOTED, digest_of

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "the key that was in use before 123456"
NEW = "the key that is in use from now on 78"


@pytest.fixture(autouse=True)
def key(settings: LazySettings) -> None:
    settings.SECRET_KEYS = [KEY]


@pytest.fixture
def plan(world: World) -> Plan:
    return ended_removal(world)


def test_who_is_erased_leaves_an_audit_and_a_plan_that_verify(plan: Plan, world: World) -> None:
    look_again(plan, world)
    Tombstone.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert erase_ended() == 1
    seal_waiting()
    assert (verify().verifies, verify().plans) == (True, 2)
    assert view_plan(plan).noted.state == "as_noted"
    of_step("evidence = '[]'")(plan)
    assert "evidence of step 3" in " ".join(problems())


def test_erasing_vouches_for_nothing_that_somebody_edited_before(plan: Plan) -> None:
    of_plan("approved_by = 'mallory'")(plan)
    Tombstone.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert erase_ended() == 1
    assert [(one.why.code, one.plan) for one in verify().problems] == [
        ("audit.plan_not_noted", plan.id)
    ]


def test_which_plan_an_earlier_entry_was_of_nobody_can_tell(plan: Plan) -> None:
    (before,) = noted(plan)
    Tombstone.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    erase_ended()
    (since,) = noted(plan)
    assert since.pk > before.pk
    erased = AuditEntry.objects.get(pk=before.pk)
    assert erased.subject.startswith("former-")
    note = PlanNote.objects.get(plan=plan)
    assert since.details["digest"] == digest_of(plan.id, 1, note.salt, note.members)
    assert erased.details["digest"] != since.details["digest"], "the key was another"


def test_what_a_plan_was_held_to_by_goes_with_it(
    plan: Plan, world: World, settings: LazySettings
) -> None:
    """The digest stays in the audit, and nobody can find by trying what it was of."""
    look_again(plan, world)
    settings.PLAN_RETENTION_DAYS = 1
    Plan.objects.update(finished_at=timezone.now() - timedelta(days=2))
    assert not verify().verifies, "the test turned the time back, as somebody might"
    assert forget_old_plans() == 2
    assert not PlanNote.objects.exists()
    assert noted(plan)
    seal_waiting()
    assert (verify().verifies, verify().plans) == (True, 0)


def test_keys_rotate(plan: Plan, world: World, settings: LazySettings) -> None:
    before = settings.SECRET_KEYS
    settings.SECRET_KEYS = [NEW, *before]
    assert view_plan(plan).noted.state == "as_noted"
    sign_again()
    settings.SECRET_KEYS = [NEW]
    assert view_plan(plan).noted.state == "as_noted"
    look_again(plan, world)
    assert (verify().verifies, verify().plans) == (True, 2)
    of_plan("approved_by = 'mallory'")(plan)
    assert not verify().verifies


def test_an_entry_that_the_manager_did_not_make_is_not_marked_anew(
    plan: Plan, settings: LazySettings
) -> None:
    sql("UPDATE records_auditentry SET mark = %s WHERE event = %s", "0" * 64, NOTED)
    settings.SECRET_KEYS = [NEW, *settings.SECRET_KEYS]
    sign_again()
    assert view_plan(plan).noted.state == "differs"


def test_a_backup_verifies_where_it_is_restored(
    plan: Plan, world: World, tmp_path: Path, settings: LazySettings
) -> None:
    look_again(plan, world)
    assert "plans that ended" in restored(tmp_path / "one.sqlite3", settings, code=0).lower()
    of_plan("approved_by = 'mallory'")(plan)
    said = restored(tmp_path / "two.sqlite3", settings, code=1)
    assert "approver and time" in said


def restored(file: Path, settings: LazySettings, *, code: int) -> str:
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        connection.connection.backup(copy)
    told = subprocess.run(
        [sys.executable, "-m", "workspace_manager.cli", "audit", "verify"],
        env={
            **os.environ,
            "WORKSPACE_DATABASE_URL": f"sqlite:///{file}",
            "WORKSPACE_SECRET_KEYS": ",".join(settings.SECRET_KEYS),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == code, told.stdout + told.stderr
    return " ".join(told.stdout.split())


def test_a_later_form_changes_nothing_that_was_noted(
    plan: Plan, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which columns it names, and what pages make of them, is of no matter to what is noted."""
    later = FORMS[1]._replace(plan={**FORMS[1].plan, "due": ("due_at",)})
    with monkeypatch.context() as patched:
        patched.setattr(plan_content, "FORMS", {**FORMS, 2: later})
        patched.setattr(plan_notes, "FORMS", {**FORMS, 2: later})
        patched.setattr(plan_notes, "FORM", 2)
        assert verify().verifies
        look_again(plan, world)
        assert [row.details["form"] for row in noted(plan)] == [1, 2]
        assert (verify().verifies, verify().plans) == (True, 2)
    assert {one.why.code for one in verify().problems} == {"audit.plan_in_later_form"}


def test_what_ended_before_is_noted_by_the_migration(
    plan: Plan, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_again(plan, world)
    PlanNote.objects.all().delete()
    sql("DELETE FROM records_auditentry")
    sql("DELETE FROM records_auditseal")
    assert len(problems()) == 2
    (file,) = Path(str(migrations.__file__)).parent.glob("*_plan_notes.py")
    migration = import_module(f"{migrations.__name__}.{file.stem}")
    monkeypatch.setattr(migration, "BATCH", 1)
    migration.note_what_has_ended(apps, SimpleNamespace(connection=connection))
    seal_waiting()
    assert (verify().verifies, verify().plans) == (True, 2)
    of_plan("approved_by = 'mallory'")(plan)
    assert "approver and time" in " ".join(problems())


# --- what it costs --------------------------------------------------------------------------------


def test_a_page_asks_as_much_however_much_was_noted(
    plan: Plan, world: World, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(5):
        assert plan_notes.compare_notes([plan.id]) == {plan.id: None}
    look_again(plan, world)
    with django_assert_num_queries(5):
        assert plan_notes.compare_notes([plan.id]) == {plan.id: None}
    both = [plan.id, plan.rechecks.get().id]
    with django_assert_num_queries(5):
        assert len(plan_notes.compare_notes(both)) == 2


def test_many_are_verified_some_at_a_time(
    plan: Plan, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_again(plan, world)
    gone = plan.rechecks.get()
    Plan.objects.filter(id=gone.id).delete()
    at_once: list[int] = []
    compare = plan_notes._compare

    def counted(noted: Any, plans: Any = ()) -> Any:
        at_once.append(len({*noted, *plans}))
        return compare(noted, plans)

    monkeypatch.setattr(plan_notes, "BATCH", 1)
    monkeypatch.setattr(plan_notes, "_compare", counted)
    found = verify()
    assert max(at_once) == 1
    assert found.plans == 1
    assert [(one.why.code, one.plan) for one in found.problems] == [("audit.plan_missing", gone.id)]
