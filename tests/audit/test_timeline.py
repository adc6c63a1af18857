"""The timeline of a person, from the registration to the removal, in sentences."""

import re
from datetime import timedelta
from typing import Any

import pytest
from click.testing import CliRunner
from django.conf import LazySettings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.clock import noon
from tests.test_stable_names import AUDIT_EVENTS
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.audit.messages import message
from workspace_manager.audit.note import note
from workspace_manager.audit.sentences import sentence_of
from workspace_manager.audit.timeline import Timeline
from workspace_manager.audit.timeline_list import KINDS
from workspace_manager.cli.__main__ import main
from workspace_manager.contract.message import in_words, quote_words
from workspace_manager.core.lists import ListQuery
from workspace_manager.people.everybody import find_subject
from workspace_manager.records.models import (
    AuditEntry,
    Mail,
    Permission,
    Person,
    Plan,
    PlanStep,
    Registration,
    Tombstone,
)
from workspace_manager.work.ontology_links import Action

pytestmark = pytest.mark.django_db
DAY = noon(30).replace(hour=8)
"""Later than whatever else is written down while a test runs."""
WEBHOOKS = ("added", "changed", "removed", "rotated", "revealed", "tested", "redelivered")
DECIDED = {
    "backfill:*": [f"backfill:{one}" for one in Action if one is not Action.NOTHING],
    "step:*": ["step:retried", "step:skipped", "step:done_by_hand"],
    "stranger:*": ["stranger:relinked", "stranger:adopted", "stranger:refused"],
    "webhook:*": [f"webhook:{done}" for done in WEBHOOKS],
}
DETAILS = {
    "permission": "view_stacks",
    "name": "notes",
    "names": "url",
    "system": "drive",
    "to": "b",
    "step": 3,
}


EARLIER = {"registration:user_left"}
"""Events that earlier versions noted: their rows stay, and so do their sentences."""


def events() -> list[str]:
    return sorted(one for name in AUDIT_EVENTS for one in DECIDED.get(name, [name]))


@pytest.mark.parametrize("event", events())
def test_every_event_is_a_sentence_in_both_languages(event: str) -> None:
    for more in ({}, {"until": "2030-01-31T08:00:00Z", "reason": "It was full.", "text": "Seen.",
                      "role": "user", "address": "127.0.0.1", "entries": 3}):  # fmt: skip
        entry = AuditEntry(event=event, actor="ada", subject="anna", details={**DETAILS, **more})
        said = sentence_of(entry)
        assert said.code.startswith(f"timeline.{event}")
        english, german = in_words(said), in_words(said, "de")
        assert english.startswith("ada ")
        assert german.startswith("ada ")
        assert english != german


def test_no_sentence_is_of_an_event_that_is_never_noted() -> None:
    named = {key.partition(".")[0] for key in message.english if ":" in key}
    assert named == {*events(), *EARLIER}


def test_who_did_it_is_a_person_the_manager_or_somebody() -> None:
    def said(actor: str, language: str = "en", **more: Any) -> str:
        values = {"event": "person:suspended", "subject": "anna", **more}
        return in_words(sentence_of(AuditEntry(actor=actor, **values)), language)

    assert said("manager") == "The manager suspended anna."
    assert said("manager", "de") == "Das System hat anna gesperrt."
    assert said("command line (root)") == "Somebody on the command line (root) suspended anna."
    assert said("", subject="", event="sign_in:emergency_refused", details={}).startswith("Some")
    assert said("ada", event="kiln:fired") == "ada recorded kiln:fired for anna."
    assert said("ada", event="kiln:fired", subject="") == "ada recorded kiln:fired."
    assert said("ada", details={"until": "soon"}) == "ada suspended anna, until soon."
    # A day is nobody's midnight.
    assert said("ada", details={"until": "2027-01-31"}) == "ada suspended anna, until 2027-01-31."
    assert said("ada", details=["odd"]) == "ada suspended anna."


@pytest.mark.parametrize(
    ("event", "details", "said"),
    [
        ("people:several", {"act": "suspend", "results": []}, "a bulk action: suspension"),
        ("take_over:confirmed", {"people": 2, "accounts": 9}, "New people: 2. Accounts: 9."),
        ("reconcile:settled", {"what": "give_back"}, "memberships: restored"),
        ("webhook:disabled", {"why": "failing"}, "its receiver accepted nothing for days"),
        ("webhook:disabled", {"why": "tired"}, "off: tired"),
        ("person:end_date", {"until": None}, "removed the end date of anna."),
    ],
)
def test_what_matters_besides_is_said(event: str, details: dict[str, Any], said: str) -> None:
    entry = AuditEntry(event=event, actor="ada", subject="anna", details=details)
    assert in_words(sentence_of(entry)).endswith(said)


def add_entry(hours: int, event: str, actor: str, **details: Any) -> None:
    moment = DAY + timedelta(hours=hours)
    AuditEntry.objects.create(at=moment, event=event, subject="anna", actor=actor, details=details)


@pytest.fixture
def life(db: None) -> Person:
    """Anna registers, is approved, comes in, may decide, is suspended, and is back."""
    anna = Person.objects.create_user("anna", email="anna@example.org")
    until = "2027-01-31T08:00:00Z"
    add_entry(0, "registration:received", "anna", id="1")
    add_entry(1, "registration:approved", "ada", sub="2")
    add_entry(3, "person:entered", "anna", sub="2", role="user")
    add_entry(4, "permission:given", "ada", permission="view_stacks", until=until)
    add_entry(6, "permission:ended", "manager", permission="view_stacks", until=until)
    add_entry(
        7, "person:suspended", "ada", plan="0b5c8a5e-6a44-4a5b-9a67-2f0d5f3c1f11", until=until
    )
    add_entry(8, "person:resumed", "ada", plan="none")
    Mail.objects.create(
        to="anna@example.org", person=anna, subject="Welcome", created_at=DAY + timedelta(hours=2),
        sent_at=timezone.now(),
    )  # fmt: skip
    plan = Plan.objects.create(
        kind="component.create", person="anna", subject=str(anna.id), created_by="anna",
        created_at=DAY + timedelta(hours=5), state=Plan.State.STUCK,
    )  # fmt: skip
    PlanStep.objects.create(
        plan=plan, n=1, name="create_database", state="stuck", reason=quote_words("no room"),
        since=DAY + timedelta(hours=5, minutes=1),
    )  # fmt: skip
    Plan.objects.create(
        kind="suspension", person="anna", subject=str(anna.id), created_by="ada",
        created_at=DAY + timedelta(hours=7), finished_at=DAY + timedelta(hours=7, minutes=2),
        state=Plan.State.DONE,
    )  # fmt: skip
    note("person:suspended", "bob", actor="anna")
    return anna


def sentences(language: str = "en", **filters: Any) -> list[str]:
    found = Timeline(find_subject("anna"), ListQuery(sort="at", filters=filters))
    assert len(found) == len(found[:100])
    return [in_words(one.text, language) for one in found[:100]]


def test_a_life_is_told(life: Person) -> None:
    assert sentences() == [
        "anna registered.",
        "ada approved the registration of anna.",
        "The manager sent anna an e-mail: Welcome",
        "anna signed in for the first time, with the role: user",
        "ada granted anna the permission view_stacks, until 31 Jan 2027, 08:00.",
        "anna started a plan for anna: New component",
        "The manager is stuck with a plan for anna (New component): no room",
        "The manager ended the expired permission view_stacks of anna.",
        "ada suspended anna, until 31 Jan 2027, 08:00.",
        "The manager finished a plan for anna: Suspension",
        "ada ended the suspension of anna.",
    ]
    assert sentences("de")[1:5] == [
        "ada hat die Registrierung von anna genehmigt.",
        "Das System hat anna eine E-Mail geschickt: Welcome",
        "anna hat sich zum ersten Mal angemeldet, mit der Rolle: Benutzer",
        "ada hat anna die Berechtigung view_stacks erteilt, bis 31. Jan. 2027, 08:00.",
    ]


def test_it_is_filtered_by_kind_and_time(life: Person) -> None:
    for kind in KINDS:
        found = Timeline(find_subject("anna"), ListQuery(filters={"kind": kind}))[:100]
        assert {one.kind for one in found} <= {kind}
    assert len(sentences(kind="plan")) == 3
    assert len(sentences(kind="permission")) == 2
    assert sentences(since=DAY + timedelta(hours=8)) == ["ada ended the suspension of anna."]
    assert sentences(until=DAY + timedelta(hours=1)) == ["anna registered."]


def test_who_left_is_told_of_until_the_name_is_not_kept(life: Person) -> None:
    removal = Plan.objects.create(
        kind="removal", person="anna", subject=str(life.id), state="done",
        created_at=DAY + timedelta(hours=9), finished_at=DAY + timedelta(hours=10),
    )  # fmt: skip
    add_entry(10, "removal:finished", "manager", plan=str(removal.id))
    life.delete()
    left = Tombstone.objects.create(
        username="anna", plan=removal.id, expires_at=timezone.now() + timedelta(days=1)
    )
    told = sentences()
    assert told[-1] == "The manager finished the removal of anna."
    assert "The manager finished a plan for anna: Suspension" in told
    assert Timeline(find_subject("anna"))[:1][0].plan == removal.id
    Tombstone.objects.filter(id=left.pk).update(erased=True)
    with pytest.raises(Person.DoesNotExist):
        find_subject("anna")


@pytest.mark.parametrize("status", ["approved", "pending"])
def test_who_never_signed_in_is_told_of(
    as_administrator: Visitor, settings: LazySettings, status: str
) -> None:
    """What is known: the registration, its approval, and the letters to it."""
    settings.SECRET_KEYS = ["only-for-these-tests"]
    row = Registration.objects.create(
        username="edsger", email="edsger@example.org", status=status, sub="7"
    )
    note("registration:received", "edsger", actor="edsger", id="1")
    Mail.objects.create(
        to="edsger@example.org", registration=row, subject="Welcome", sent_at=timezone.now()
    )
    address = "/people/edsger/timeline"
    found = as_administrator.ask("GET", address).json()
    told = {one["text"] for one in found["items"]}
    assert told == {"edsger registered.", "The manager sent edsger an e-mail: Welcome"}
    assert found["count"] == 2
    shown = CliRunner().invoke(main, ["people", "timeline", "edsger"])
    assert shown.exit_code == 0, shown.output
    assert "edsger registered." in shown.output
    page = as_administrator.get("/manage/people/edsger").content.decode()
    assert "an e-mail: Welcome" in page
    row.delete()
    problem(as_administrator.ask("GET", address), 404)


def test_by_rest_it_is_a_list(as_administrator: Visitor, life: Person) -> None:
    first, second = as_administrator.ask("GET", "/people/anna/timeline?limit=2").json()["items"]
    assert first["text"] == "ada ended the suspension of anna."
    assert (first["at"], first["kind"], first["plan"]) == (
        f"{DAY:%Y-%m-%d}T16:00:00Z",
        "suspension",
        None,
    )
    assert first["action"] == "person:resumed"
    assert second["action"] is None
    german = as_administrator.ask(
        "GET", "/people/anna/timeline?limit=1", headers={"Accept-Language": "de"}
    ).json()["items"][0]
    assert german["text"] == "ada hat die Sperre von anna aufgehoben."
    assert german["text_message"]["code"] == "timeline.person:resumed"
    problem(as_administrator.ask("GET", "/people/nobody/timeline"), 404)
    problem(as_administrator.ask("GET", "/people/anna/timeline?who=ada"), 422)


def test_a_long_life_costs_as_many_statements(
    life: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(7):
        Timeline(find_subject("anna"))[:100]
    for n in range(20):
        add_entry(20 + n, "person:signed_in", "anna")
        plan = Plan.objects.create(kind="removal", person="anna", subject=str(life.id))
        PlanStep.objects.create(plan=plan, n=1, name="x", state="stuck")
        Mail.objects.create(to="anna@example.org", person=life, subject="Again")
    with django_assert_num_queries(7):
        assert len(Timeline(find_subject("anna"))[:100]) == 51


def test_nothing_of_permissions_is_left_out() -> None:
    """Their names are said as they are; none has a space."""
    assert all(re.fullmatch(r"[a-z_]+", name) for name in Permission.Name.values)
