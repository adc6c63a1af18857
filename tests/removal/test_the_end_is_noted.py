"""Each text that somebody writes into a removal that has ended is found, at every door."""

from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result
from django.db import transaction
from django.test import Client
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
from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.visitors import BACKEND
from workspace_manager.audit import plan_notes
from workspace_manager.audit.verify import verify
from workspace_manager.cli.audit import audit as audit_commands
from workspace_manager.cli.plans import plans as plan_commands
from workspace_manager.engine.supersede import note_answer, supersede
from workspace_manager.people import make_accounts
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records import plan_content
from workspace_manager.records.models import (
    AuditEntry,
    Person,
    Plan,
    PlanChange,
    PlanNote,
    PlanStep,
    Registration,
)
from workspace_manager.records.plan_content import NOTED
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def plan(world: World) -> Plan:
    return ended_removal(world)


# --- somebody edits what ended --------------------------------------------------------------------


def of_change(columns: str) -> Callable[[Plan], None]:
    def edit(plan: Plan) -> None:
        row = PlanChange.objects.filter(step__plan=plan, step__n=3).order_by("position")[0]
        sql(f"UPDATE records_planchange SET {columns} WHERE id = %s", row.pk)

    return edit


def a_step_is_deleted(plan: Plan) -> None:
    PlanChange.objects.filter(step__plan=plan, step__n=3).delete()
    PlanStep.objects.filter(plan=plan, n=3).delete()


def a_step_is_added(plan: Plan) -> None:
    PlanStep.objects.create(plan=plan, n=9, name="look", system="drive", state="done")


def the_note_goes_too(plan: Plan) -> None:
    of_plan("approved_by = 'mallory'")(plan)
    PlanNote.objects.filter(plan=plan).delete()


def the_note_is_made_anew(plan: Plan) -> None:
    """As the manager would, but for the audit."""
    of_plan("approved_by = 'mallory'")(plan)
    salt = plan_content.new_salt()
    members = plan_content.make_commitment(salt, plan_content.contents(Plan, [plan.id])[plan.id])
    PlanNote.objects.filter(plan=plan).update(salt=salt, members=members)


def the_entry_is_changed_too(plan: Plan) -> None:
    the_note_is_made_anew(plan)
    note = PlanNote.objects.get(plan=plan)
    digest = plan_content.digest_of(plan.id, 1, note.salt, note.members)
    entry = AuditEntry.objects.get(event=NOTED, subject=str(plan.id))
    sql(
        "UPDATE records_auditentry SET details = %s WHERE id = %s",
        f'{{"n": 1, "form": 1, "digest": "{digest}"}}',
        entry.pk,
    )


def the_entry_is_gone(plan: Plan) -> None:
    sql("DELETE FROM records_auditentry WHERE subject = %s", str(plan.id))


EDITS: dict[str, tuple[Callable[[Plan], None], str]] = {
    "evidence of a step": (of_step("evidence = '[]'"), "evidence of step 3"),
    "evidence of a change": (of_change("evidence = '[]'"), "evidence of change 1 in step 3"),
    "outcome of a change": (of_change("outcome = NULL"), "result of change 1 in step 3"),
    "what a change is about": (of_change("name = 'bob'"), "subject of change 1 in step 3"),
    "end of a step": (of_step("state = 'skipped'"), "result of step 3"),
    "time of a step": (of_step("since = '2026-01-01 00:00:00'"), "result of step 3"),
    "approver": (of_plan("approved_by = 'mallory'"), "approver and time"),
    "time of the approval": (of_plan("approved_at = '2026-01-01 00:00:00'"), "approver and time"),
    "time of the end": (of_plan("finished_at = '2026-01-01 00:00:00'"), "result and time"),
    "state": (of_plan("state = 'superseded'"), "result and time"),
    "opened again": (of_plan("state = 'stuck'"), "result and time"),
    "whom it is about": (of_plan("person = 'bob'"), "subject"),
    "who made it": (of_plan("created_by = 'mallory'"), "creator and time"),
    "what was approved": (of_plan("removed = '[1]'"), "the approved preview"),
    "a step is deleted": (a_step_is_deleted, "result of step 3"),
    "a step is added": (a_step_is_added, "result of step 9"),
    "the note goes too": (the_note_goes_too, "The record of its end was changed"),
    "the note is made anew": (the_note_is_made_anew, "The record of its end was changed"),
    "the entry is changed too": (the_entry_is_changed_too, "The record of its end was changed"),
    "the entry is gone": (the_entry_is_gone, "The manager did not record the end of plan"),
}  # fmt: skip


def at_every_door(plan: Plan, client: Client) -> dict[str, str]:
    """What each says of the plan."""
    client.force_login(Person.objects.get(username="root-admin"), backend=BACKEND)
    noted = client.get(f"/api/v1/plans/{plan.id}").json()["noted"]
    found = client.get("/api/v1/audit/verify").json()["problems"]
    return {
        "page": client.get(f"/manage/plans/{plan.id}").content.decode(),
        "REST": noted["text"],
        "plans show": " ".join(typed(plan_commands, "show", str(plan.id)).stdout.split()),
        "audit verify": " ".join(typed(audit_commands, "verify").stdout.split()),
        "page of the audit": client.get("/manage/audit?verify=1").content.decode(),
        "verified by REST": " ".join(one["text"] for one in found if one["plan"] == str(plan.id)),
    }


def typed(commands: Any, *arguments: str) -> Result:
    return CliRunner().invoke(commands, arguments)


@pytest.mark.parametrize(("edit", "said"), EDITS.values(), ids=EDITS)
def test_what_somebody_edits_is_named_at_every_door(
    plan: Plan, client: Client, edit: Callable[[Plan], None], said: str
) -> None:
    edit(plan)
    for door, text in at_every_door(plan, client).items():
        assert said in text, door
    assert typed(audit_commands, "verify").exit_code == 1
    assert any(said in one and str(plan.id) in one for one in problems())


def test_what_nobody_edited_is_as_noted_at_every_door(plan: Plan, client: Client) -> None:
    doors = at_every_door(plan, client)
    assert doors["REST"] == doors["verified by REST"] == ""
    assert "not-as-noted" not in doors["page"]
    assert "changed after it ended" not in doors["plans show"]
    assert "Plans that ended, and are as they were noted then: 1." in doors["audit verify"]
    answer = client.get(f"/api/v1/plans/{plan.id}").json()
    assert answer["noted"]["state"] == "as_noted"
    assert client.get(f"/api/v1/plans/{plan.rechecks.get().id}").json()["noted"]["state"] == "open"
    (listed,) = client.get("/api/v1/plans?kind=removal").json()["items"]
    assert listed["noted"]["state"] == "not_compared"
    assert verify().verifies


def test_a_plan_that_is_written_in_or_deleted_is_found(plan: Plan) -> None:
    forged = Plan.objects.create(kind="removal", person="bob", state="done", approved_by="ada")
    (found,) = verify().problems
    assert (found.why.code, found.plan) == ("audit.plan_not_noted", forged.id)
    forged.delete()
    Plan.objects.filter(id=plan.id).delete()
    assert {(one.why.code, one.plan) for one in verify().problems} == {
        ("audit.plan_missing", plan.id)
    }


# --- what the manager itself writes later ---------------------------------------------------------


def test_a_late_look_is_noted_and_held_to(plan: Plan, world: World) -> None:
    look_again(plan, world)
    assert [row.details["n"] for row in noted(plan)] == [1, 2]
    assert (verify().verifies, verify().plans) == (True, 2)
    of_plan("recheck_state = 'removed'")(plan)
    (said,) = problems()
    assert said.endswith("Changed: result of the follow-up check.")


def test_a_late_look_vouches_for_nothing_that_somebody_edited_before(
    plan: Plan, world: World
) -> None:
    of_plan("approved_by = 'mallory'")(plan)
    look_again(plan, world)
    assert len(noted(plan)) == 1
    assert "approver and time" in " ".join(problems())


def test_a_plan_that_is_put_back_to_an_earlier_end_is_found(plan: Plan, world: World) -> None:
    """With the note of that time, which the audit once vouched for."""
    late = ("recheck_state", "recheck_found", "findings")
    before = Plan.objects.values(*late).get(id=plan.id)
    note = PlanNote.objects.values("salt", "members").get(plan=plan)
    look_again(plan, world)
    Plan.objects.filter(id=plan.id).update(**before)
    PlanNote.objects.filter(plan=plan).update(**note)
    assert [one.why.code for one in verify().problems] == ["audit.plan_note_differs"]
    sql("UPDATE records_auditentry SET mark = '' WHERE id = %s", noted(plan)[1].pk)
    assert [one.why.code for one in verify().problems] == ["audit.plan_note_differs"]
    copied = "at, actor, event, subject, details, salt, digest, mark"
    sql(
        f"INSERT INTO records_auditentry ({copied}) SELECT {copied} FROM records_auditentry "
        "WHERE id = %s",
        noted(plan)[0].pk,
    )
    assert "audit.plan_note_differs" in [one.why.code for one in verify().problems]


def test_an_end_that_is_rolled_back_is_not_noted(world: World) -> None:
    alice_with_everything(world)
    approved_removal(world)
    plans = Plan.objects.filter(kind="removal")

    with transaction.atomic():
        supersede(plans)
        assert noted(plans.get())
        transaction.set_rollback(True)
    assert not noted(plans.get())
    assert not PlanNote.objects.exists()
    assert view_plan(plans.get()).noted.state == "open"
    assert verify().verifies


def test_what_is_stopped_or_out_of_date_is_noted_too(world: World) -> None:
    """That a call of it was answered is written down after that."""
    alice_with_everything(world)
    stale = draft_removal("alice", actor="root-admin", systems=world.systems())
    plan = approved_removal(world)
    row = PlanChange.objects.filter(step__plan=plan)[0]
    PlanChange.objects.filter(id=row.pk).update(state="running", sent_at=timezone.now())
    with transaction.atomic():
        supersede(Plan.objects.filter(id=plan.id))
    row.refresh_from_db()
    note_answer(row)
    row.refresh_from_db()
    assert row.finished_at is not None
    assert (verify().verifies, verify().plans) == (True, 2)
    of_plan("approved_by = 'mallory'")(stale)
    assert "approver and time" in " ".join(problems())


def test_a_late_look_in_the_middle_of_comparing_is_no_difference(
    plan: Plan, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = plan_notes._noted

    def meanwhile(plans: Any) -> Any:
        found = ask(plans)
        monkeypatch.setattr(plan_notes, "_noted", ask)
        look_again(plan, world)
        return found

    monkeypatch.setattr(plan_notes, "_noted", meanwhile)
    assert view_plan(plan).noted.state == "as_noted"
    assert len(noted(plan)) == 2, "it came in between"


def test_whose_plan_it_is_once_somebody_came_is_noted_again() -> None:
    """Accounts are made when nobody has signed in: the plan is given to the person later."""
    registration = Registration.objects.create(username="bob", email="bob@example.org", sub="its")
    about = {"about": str(registration.id), "subject": str(registration.id)}
    plan = Plan.objects.create(kind=make_accounts.MAKING.name, person="bob", state="done", **about)
    plan_notes.note([plan.id])
    bob = make_person("bob", sub="its")
    make_accounts.belongs_to(bob, "its")
    plan.refresh_from_db()
    assert plan.subject == str(bob.id)
    assert (verify().verifies, verify().plans) == (True, 1)
    assert [row.details["n"] for row in noted(plan)] == [1, 2]
