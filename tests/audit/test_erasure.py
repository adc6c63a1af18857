"""A person who left and whose name is kept no more stands in no entry of the audit, and it
verifies.
"""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from workspace_manager.audit import erasure, plan_notes
from workspace_manager.audit.erasure import erase_ended
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.audit.seals import seal_waiting, sign_again
from workspace_manager.audit.verify import verify
from workspace_manager.people import tombstones
from workspace_manager.records import audit as audit_rows
from workspace_manager.records.models import AuditEntry, Plan, Tombstone

pytestmark = pytest.mark.django_db
NAME, SUB = "zoë.b", "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90"


@pytest.fixture
def tombstone(ada: object) -> Tombstone:
    """Zoë was here, and what was noted is sealed but for the last."""
    plan = Plan.objects.create(kind="removal", person=NAME, state="done")
    plan_notes.note([plan.id])
    note("registration:received", NAME, actor=NAME, id="1")
    note("registration:approved", NAME, actor="ada", sub=SUB)
    note("project:handed_over", "bob", actor="bob", project="2", to=NAME)
    note("service_key:requested", NAME, actor=NAME, system="drive", account="ws-zoë")
    note("person:suspended", "zoë.bx", actor="ada", reason="a friend of zoë.b")
    seal_waiting()
    note("removal:finished", NAME, actor=MANAGER, plan=str(plan.id))
    return Tombstone.objects.create(
        username=NAME,
        sub=SUB,
        plan=plan.id,
        accounts=[{"system": "drive", "kind": "drive.user", "name": "ws-zoë"}],
        expires_at=timezone.now() + timedelta(days=1),
    )


def texts() -> str:
    rows = AuditEntry.objects.order_by("id").values_list("actor", "subject", "details")
    return "\n".join(map(str, rows))


def end(tombstone: Tombstone) -> None:
    Tombstone.objects.filter(id=tombstone.pk).update(expires_at=timezone.now())


def test_nobody_is_erased_while_the_name_is_kept(tombstone: Tombstone) -> None:
    assert erase_ended(timezone.now()) == 0
    assert NAME in texts()


def test_who_is_erased_is_in_no_entry_and_the_audit_verifies(tombstone: Tombstone) -> None:
    end(tombstone)
    assert erase_ended(timezone.now()) == 1
    seal_waiting()
    said = texts()
    assert NAME not in said.replace("zoë.bx", "")
    for one in (SUB, "ws-zoë"):
        assert one not in said
    # The plan is kept, and says whose it was: it is noted apart from where the pseudonym stands.
    (kept,) = [line for line in said.splitlines() if str(tombstone.plan) in line]
    assert kept.startswith(f"('manager', '{tombstone.plan}', ")
    assert "former-" not in said.partition(kept)[2]
    (pseudonym,) = {row.subject for row in AuditEntry.objects.filter(subject__startswith="former-")}
    assert AuditEntry.objects.get(event="project:handed_over").details["to"] == pseudonym
    found = verify()
    assert found.verifies
    assert (found.unsealed, found.erased, found.plans) == (0, 7, 1)
    tombstone.refresh_from_db()
    assert (tombstone.erased, tombstone.pseudonym) == (True, "")
    assert erase_ended(timezone.now()) == 0
    assert AuditEntry.objects.get(event="audit:erased").details == {"entries": 7}


def test_an_erased_entry_is_held_to_what_it_says_since(tombstone: Tombstone) -> None:
    end(tombstone)
    erase_ended(timezone.now())
    seal_waiting()
    row = AuditEntry.objects.get(event="registration:approved")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE records_auditentry SET actor = 'bob' WHERE id = %s", [row.pk])
    assert [one.entry for one in verify().problems] == [row.pk]
    sign_again()
    assert [one.entry for one in verify().problems] == [row.pk]


def test_erasing_makes_nothing_right_that_was_wrong(tombstone: Tombstone) -> None:
    row = AuditEntry.objects.get(event="registration:approved")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE records_auditentry SET actor = 'bob' WHERE id = %s", [row.pk])
    end(tombstone)
    erase_ended(timezone.now())
    assert [one.entry for one in verify().problems] == [row.pk]
    assert AuditEntry.objects.get(id=row.pk).subject.startswith("former-")


def test_whoever_has_the_name_since_keeps_it(tombstone: Tombstone) -> None:
    tombstones.release(NAME, actor="ada")
    note("registration:received", NAME, actor=NAME)
    erase_ended(timezone.now())
    (kept,) = AuditEntry.objects.filter(subject=NAME)
    assert kept.event == "registration:received"
    assert not AuditEntry.objects.filter(event="tombstone:released", subject=NAME).exists()


def test_a_second_try_goes_on_with_the_same_pseudonym(
    tombstone: Tombstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    end(tombstone)
    monkeypatch.setattr(erasure, "BATCH", 2)
    tries: list[int] = []

    def killed(rows: list[AuditEntry], *, wrong: set[int]) -> None:
        tries.append(len(rows))
        if len(tries) == 2:
            raise KeyboardInterrupt
        audit_rows.erase(rows, wrong=wrong)

    monkeypatch.setattr(erasure, "erase", killed)
    with pytest.raises(KeyboardInterrupt):
        erase_ended(timezone.now())
    assert NAME in texts()
    assert erase_ended(timezone.now()) == 1
    found = AuditEntry.objects.filter(subject__startswith="former-")
    assert len(set(found.values_list("subject", flat=True))) == 1
    assert verify().verifies
