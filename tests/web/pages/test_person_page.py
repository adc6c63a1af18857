"""`/manage/people/{name}`: what can be done stands first, what was done last and in pages."""

import json
import uuid
from datetime import timedelta

from django.test import Client
from django.utils import timezone

from workspace_manager.audit.note import MANAGER, note
from workspace_manager.records.models import AuditEntry, Person, Plan, Tombstone


def grown(person: Person) -> None:
    for n in range(45):
        AuditEntry.objects.create(
            event=f"event:{n:02}",
            subject=person.username,
            actor="ada",
            at=timezone.now() - timedelta(minutes=n),
        )
        plan = Plan.objects.create(
            kind="component.create", person=person.username, subject=str(person.id), state="done"
        )
        Plan.objects.filter(id=plan.id).update(created_at=timezone.now() - timedelta(days=n))


def test_what_can_be_done_stands_before_what_was_done(as_ada: Client, anna: Person) -> None:
    grown(anna)
    page = as_ada.get("/manage/people/anna").content.decode()
    facts, history = page.index('class="facts"'), page.index("History")
    for deed in ("Preview the suspension of anna", "Preview the removal of anna"):
        assert page.index(deed) < facts < history
    Person.objects.filter(username="anna").update(state="suspended")
    page = as_ada.get("/manage/people/anna").content.decode()
    assert page.index("End the suspension of anna") < page.index('class="facts"')


def test_what_was_done_is_paged(as_ada: Client, anna: Person) -> None:
    grown(anna)
    first = as_ada.get("/manage/people/anna").content.decode()
    assert first.count('href="/manage/plans/') == 10 + 1, "one of today is in the timeline too"
    assert "event:00" in first
    assert "event:20" not in first
    assert 'href="?plans=2' in first
    assert 'href="?entries=2' in first
    later = as_ada.get("/manage/people/anna?entries=3").content.decode()
    assert "event:44" in later
    assert "event:00" not in later
    assert 'id="timeline"' in later
    assert as_ada.get("/manage/people/anna?plans=x&entries=-1").status_code == 200


def test_what_happened_is_shown_by_kind(as_ada: Client, anna: Person) -> None:
    note("permission:given", "anna", actor="ada", permission="view_stacks", until=None)
    note("person:suspended", "anna", actor="ada", until=None)
    page = as_ada.get("/manage/people/anna?kind=permission").content.decode()
    assert "ada granted anna the permission view_stacks." in page
    assert "ada suspended anna." not in page
    assert "ada suspended anna." in as_ada.get("/manage/people/anna?kind=none").content.decode()


def test_the_page_of_who_left_answers_as_long_as_the_name_is_kept(as_ada: Client) -> None:
    plan = Plan.objects.create(
        kind="removal",
        person="zora",
        subject=str(uuid.uuid4()),
        state="done",
        document_text=json.dumps({"steps": [], "sub": ""}),
    )
    note("removal:finished", "zora", actor=MANAGER, plan=str(plan.id))
    ends = timezone.now() + timedelta(days=1)
    left = Tombstone.objects.create(username="zora", plan=plan.id, expires_at=ends)
    assert 'href="/manage/people/zora"' in as_ada.get("/manage/people?former=true").content.decode()
    page = as_ada.get("/manage/people/zora").content.decode()
    assert "The manager finished the removal of zora." in page
    assert page.count(f'href="/manage/plans/{plan.id}"') == 3
    Tombstone.objects.filter(id=left.pk).update(erased=True)
    assert as_ada.get("/manage/people/zora").status_code == 404
    assert "/manage/people/zora" not in as_ada.get("/manage/people?former=true").content.decode()


def test_nobody_is_offered_what_cannot_be_done(as_ada: Client, ada: Person) -> None:
    page = as_ada.get("/manage/people/ada").content.decode()
    assert "Preview the removal" not in page
    assert "You cannot remove yourself." in page


def test_who_left_has_a_page_until_somebody_of_that_name_comes(as_ada: Client) -> None:
    assert as_ada.get("/manage/people/zora").status_code == 404
    plan = Plan.objects.create(kind="removal", person="zora", state="done")
    now = timezone.now()
    Tombstone.objects.create(
        username="zora",
        sub="sub-of-zora",
        plan=plan.id,
        expires_at=now + timedelta(days=1),
        accounts=[{"system": "sql_server", "kind": "sql.user", "name": "u_zora"}],
    )
    AuditEntry.objects.create(event="removal:drafted", subject="zora", actor="ada")
    page = as_ada.get("/manage/people/zora").content.decode()
    told = "ada previewed the removal of zora."
    for text in ("sub-of-zora", f"/manage/plans/{plan.id}", "u_zora", "reserved until", told):
        assert text in page, text
    plan.delete()
    Tombstone.objects.update(released_at=now, released_by="ada")
    page = as_ada.get("/manage/people/zora").content.decode()
    assert "no longer stored" in page
    assert "free since" in page
    assert "/manage/people/zora" in as_ada.get("/manage/people?former=true").content.decode()
    assert as_ada.post("/manage/people/zora/removal").status_code == 404
    Person.objects.create_user("zora", email="new@example.org")
    assert "new@example.org" in as_ada.get("/manage/people/zora").content.decode()
