"""The page of what the systems hold otherwise than recorded."""

import pytest
from django.utils import timezone

from tests.visitors import Visitor
from workspace_manager.contract.message import quote_words
from workspace_manager.records.models import Account, Person, Plan, ReconcileItem, ReconcileRun

pytestmark = pytest.mark.django_db
PAGE = "/manage/reconcile"


@pytest.fixture
def item() -> ReconcileItem:
    now = timezone.now()
    return ReconcileItem.objects.create(
        difference="unknown_account", system="sql_server", kind="sql_server.user", name="gina_g",
        target={"user": "gina_g"}, first_seen=now, last_seen=now,
        evidence=quote_words("it is unlocked"), reason=quote_words("nobody has it"),
    )  # fmt: skip


def test_it_says_what_is_otherwise_and_what_can_be_done(
    as_administrator: Visitor, item: ReconcileItem
) -> None:
    page = as_administrator.get(PAGE).content.decode()
    for text in ("gina_g", "it is unlocked", "obody has it", f"items/{item.n}/plan/remove"):
        assert text in page
    assert "gina_g" not in as_administrator.get(f"{PAGE}?system=drive").content.decode()


def test_a_run_begins(as_administrator: Visitor, woken: list[object]) -> None:
    as_administrator.post(f"{PAGE}/begin")
    assert ReconcileRun.objects.get().started_by == "ada"
    assert woken == ["reconcile"]


def test_a_run_says_what_was_not_looked_at(as_administrator: Visitor) -> None:
    run = ReconcileRun.objects.create(started_by="ada")
    run.parts.create(system="drive", state="done", not_looked_at=3)
    assert (
        "3 items were not checked individually; the next comparison starts with them"
        in as_administrator.get(PAGE).content.decode()
    )


def test_an_account_is_connected_and_disconnected(
    as_administrator: Visitor, item: ReconcileItem, alice: Person
) -> None:
    address = f"{PAGE}/items/{item.n}"
    page = as_administrator.post(f"{address}/connect", {"username": "none"}, follow=True)
    assert "Nobody here has this user name." in page.content.decode()
    as_administrator.post(f"{address}/connect", {"username": "alice"})
    assert Account.objects.get(name="gina_g").person == alice
    as_administrator.post(f"{address}/disconnect")
    assert not Account.objects.filter(name="gina_g").exists()


def test_what_is_recorded_and_not_there_is_struck(
    as_administrator: Visitor, item: ReconcileItem, alice: Person
) -> None:
    Account.objects.create(
        system=item.system, kind=item.kind, name=item.name, username="alice", person=alice
    )
    ReconcileItem.objects.update(difference="missing", username="alice")
    assert "Remove from the records" in as_administrator.get(PAGE).content.decode()
    page = as_administrator.post(f"{PAGE}/items/{item.n}/disconnect", follow=True)
    assert "Removed from the records." in page.content.decode()
    assert not Account.objects.filter(name=item.name).exists()
    assert "Remove from the records" not in page.content.decode()


def test_a_removal_is_shown_before_it_begins(
    as_administrator: Visitor, item: ReconcileItem
) -> None:
    answer = as_administrator.post(f"{PAGE}/items/{item.n}/plan/remove", follow=True)
    plan, page = Plan.objects.get(), answer.content.decode()
    assert plan.state == "draft"
    assert "Remove gina_g" in page
    assert "It is deleted there permanently, with everything in it." in page
    as_administrator.post(f"{PAGE}/plans/{plan.id}/approve", {"digest": "another"})
    plan.refresh_from_db()
    assert plan.state == "draft"
    as_administrator.post(f"{PAGE}/plans/{plan.id}/approve", {"digest": plan.digest})
    plan.refresh_from_db()
    assert plan.state == "running"


def test_what_is_shown_of_a_repair_ends_with_its_difference(
    as_administrator: Visitor, item: ReconcileItem
) -> None:
    as_administrator.post(f"{PAGE}/items/{item.n}/plan/remove")
    plan = Plan.objects.get()
    ReconcileItem.objects.update(ended_at=timezone.now())
    page = as_administrator.get(f"/manage/plans/{plan.id}").content.decode()
    assert "This difference is resolved:" in page
    assert "/approve" not in page
    assert as_administrator.post(f"{PAGE}/items/{item.n}/plan/burn").status_code == 404


def test_several_are_put_off_at_once(as_administrator: Visitor, item: ReconcileItem) -> None:
    form = {"chosen": [str(item.n), "999"], "decision": "ignore", "reason": "known"}
    page = as_administrator.post(f"{PAGE}/several", form, follow=True)
    assert "Choose the day on which the item comes back." in page.content.decode()
    as_administrator.post(f"{PAGE}/several", {**form, "until": "2090-01-01"})
    item.refresh_from_db()
    assert (item.ignored_why, item.ignored_by) == ("known", "ada")
    assert "gina_g" not in as_administrator.get(PAGE).content.decode()
    assert "gina_g" in as_administrator.get(f"{PAGE}?ignored=1").content.decode()


def test_of_several_the_one_whose_person_has_gone_is_named_and_the_rest_is_done(
    as_administrator: Visitor, item: ReconcileItem, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []

    def adopt(n: int, **_: object) -> None:
        if n == item.n:
            raise Person.DoesNotExist
        done.append(n)

    monkeypatch.setattr("workspace_manager.reconcile.repairs.adopt", adopt)
    form = {"chosen": [str(item.n), str(item.n + 1)], "decision": "adopt"}
    page = as_administrator.post(f"{PAGE}/several", form, follow=True)
    assert page.status_code == 200
    assert f"{item.n}: Nobody here has this user name." in page.content.decode()
    assert done == [item.n + 1]


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "tomorrow", ""])
def test_a_day_that_cannot_be_puts_nothing_off(
    as_administrator: Visitor, item: ReconcileItem, ada: Person, day: str
) -> None:
    ada.timezone = "America/New_York"
    ada.save()
    form = {"chosen": [str(item.n)], "decision": "ignore", "reason": "known", "until": day}
    assert as_administrator.post(f"{PAGE}/several", form).status_code == 302
    item.refresh_from_db()
    assert item.ignored_until is None
