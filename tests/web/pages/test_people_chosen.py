"""One thing done with several people: asked once, done once, and told of each."""

import re
import uuid
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.web.pages import scenes
from workspace_manager.people import bulk_actions, bulk_orders
from workspace_manager.people.end_dates import today
from workspace_manager.records.models import AuditEntry, Mail, Person, Plan, Suspension
from workspace_manager.wiring import connected_systems

ADDRESS = "/manage/people-chosen"


@pytest.fixture(autouse=True)
def set_up(ada: Person, anna: Person, bela: Person) -> None:
    scenes.set_up_systems()
    Mail.objects.all().delete()


def post_order(browser: Client, act: str, names: Iterable[str] = (), **more: str) -> str:
    answer = browser.post(ADDRESS, {"act": act, "chosen": list(names), **more})
    assert answer.status_code == 200
    return answer.content.decode()


def form(page: str, act: str, **typed: str) -> dict[str, Any]:
    """What a browser sends from the page that asks."""
    order = re.search(r'name="order" value="([^"]+)"', page)
    assert order
    chosen = re.findall(r'name="chosen" value="([^"]+)"', page)
    return {"act": act, "order": order[1], "chosen": chosen, "confirmed": "yes", **typed}


def result(browser: Client, sent: dict[str, Any]) -> str:
    answer = browser.post(ADDRESS, sent, follow=True)
    assert answer.status_code == 200, answer.content.decode()
    return answer.content.decode()


def states() -> dict[str, str]:
    return dict(Person.objects.values_list("username", "state"))


def test_suspended_after_one_question_that_names_everybody(as_ada: Client) -> None:
    Person.objects.create_user("zora", state="leaving")
    page = post_order(as_ada, "suspend", ["anna", "bela", "zora", "ada"])
    assert "Suspend 2 people?" in page
    assert "2 people are left out" in page
    assert "You cannot do this to yourself." in page
    assert "zora is being removed" in page
    assert set(states().values()) == {"active", "leaving"}
    page = result(as_ada, form(page, "suspend", reason="The course is over"))
    assert "2 people are suspended" in page
    assert states() == {
        "anna": "suspended",
        "bela": "suspended",
        "ada": "active",
        "zora": "leaving",
    }
    assert {row.reason for row in Suspension.objects.all()} == {"The course is over"}
    assert page.count("/manage/plans/") == 2


def test_a_double_click_does_it_once(as_ada: Client) -> None:
    sent = form(
        post_order(as_ada, "letter", ["anna", "bela"]), "letter", subject="Hello", text="You"
    )
    first, second = result(as_ada, sent), result(as_ada, sent)
    assert "2 e-mails are on their way" in first
    assert "2 e-mails are on their way" in second
    assert Mail.objects.count() == 2
    assert AuditEntry.objects.filter(event="people:several").count() == 1


def test_who_is_pressed_for_meanwhile_is_told_so(as_ada: Client, monkeypatch: Any) -> None:
    sent = form(post_order(as_ada, "suspend", ["anna"]), "suspend")
    monkeypatch.setattr(bulk_orders, "note", lambda *_args, **_details: None)
    assert "In progress" in result(as_ada, sent)
    assert as_ada.get(f"{ADDRESS}/{uuid.uuid4()}").status_code == 404


def test_who_changed_since_the_look_is_left_alone(as_ada: Client) -> None:
    page = post_order(as_ada, "suspend", ["anna", "bela"])
    Person.objects.filter(username="anna").update(role="administrator")
    page = result(as_ada, form(page, "suspend"))
    assert "1 person is suspended" in page
    assert "anna changed after you looked" in page
    assert states()["anna"] == "active"
    page = post_order(as_ada, "suspend", ["anna"])
    Person.objects.filter(username="anna").delete()
    assert "Nobody called anna is here any more." in result(as_ada, form(page, "suspend"))


def test_nobody_is_their_own_and_no_last_administrator_goes(as_ada: Client, ada: Person) -> None:
    mark = bulk_actions.mark_of(ada)
    sent = {"act": "suspend", "order": str(uuid.uuid4()), "chosen": [f"{mark}:ada"]}
    page = result(as_ada, {**sent, "confirmed": "yes"})
    assert "You cannot do this to yourself." in page
    order = uuid.uuid4()
    wanted = bulk_orders.BulkAction(bulk_orders.Act.SUSPEND)
    bulk_actions.carry_out(order, wanted, {"ada": mark}, actor="shell", systems=connected_systems())
    found = bulk_orders.results(order)
    assert found is not None
    assert "last active administrator" in found.results[0].why.english  # type: ignore[union-attr]
    assert states()["ada"] == "active"


def test_removals_are_drafted_and_nothing_more(as_ada: Client) -> None:
    page = result(as_ada, form(post_order(as_ada, "removal", ["anna", "bela"]), "removal"))
    assert "2 removals are drafted" in page
    assert {(one.person, one.state) for one in Plan.objects.all()} == {
        ("anna", "draft"),
        ("bela", "draft"),
    }
    assert states()["anna"] == "active"


def test_end_dates_are_set_and_taken_back(as_ada: Client) -> None:
    day = str(today())
    page = post_order(as_ada, "end_date", ["anna", "bela"])
    wrong = as_ada.post(ADDRESS, form(page, "end_date", day="2001-01-01"))
    assert wrong.status_code == 422
    assert "today or later" in wrong.content.decode()
    again = form(wrong.content.decode(), "end_date", day=day)
    assert "2 end dates are set" in result(as_ada, again)
    assert Person.objects.filter(ends_at=today()).count() == 2
    page = post_order(as_ada, "no_end_date", ["anna"])
    assert "1 end date is removed" in result(as_ada, form(page, "no_end_date"))
    assert Person.objects.filter(ends_at=today()).count() == 1


def test_letters_are_of_each_alone_and_run_nothing(as_ada: Client) -> None:
    Person.objects.create_user("mute")
    page = post_order(as_ada, "letter", ["anna", "bela", "mute"])
    assert "No e-mail address of mute is known." in page
    text = "Dear all,\r\n\r\n<script>alert(1)</script>{{ secret }}"
    result(as_ada, form(page, "letter", subject="A & B <b>", text=text))
    letters = list(Mail.objects.order_by("to"))
    assert [one.to for one in letters] == ["anna@example.org", "bela@example.org"]
    for one in letters:
        assert one.subject == "A & B <b>"
        assert "<script>alert(1)</script>{{ secret }}" in one.text
        assert "<script>" not in one.html
        assert "&lt;script&gt;alert(1)" in one.html
    assert "alert" not in str([one.details for one in AuditEntry.objects.all()])


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("", "x"),
        ("x\nBcc: all", "x"),
        ("x" * 151, "x"),
        ("x", " "),
        ("x", "\u202eevil"),
        ("x", "\a"),
    ],
)
def test_letters_that_cannot_be_sent(as_ada: Client, subject: str, text: str) -> None:
    page = post_order(as_ada, "letter", ["anna"])
    answer = as_ada.post(ADDRESS, form(page, "letter", subject=subject, text=text))
    assert answer.status_code == 422
    assert not Mail.objects.exists()


@pytest.mark.parametrize("query", ["state=gone-away", "ends_before=soon", "q=%00"])
def test_a_filter_that_cannot_be_read_chooses_nobody(as_ada: Client, query: str) -> None:
    form = {"act": "suspend", "everybody": "yes", "query": query}
    page = as_ada.post(ADDRESS, form, follow=True).content.decode()
    assert "One of the filters is invalid." in page
    assert 'name="confirmed"' not in page


def test_all_that_a_filter_finds(as_ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(3):
        Person.objects.create_user(f"guest{n}", role="user")
    page = post_order(as_ada, "end_date", everybody="yes", query="q=guest&sort=-username&")
    assert re.findall(r'name="chosen" value="\w+:(\w+)"', page) == ["guest2", "guest1", "guest0"]
    monkeypatch.setattr(bulk_actions, "MOST", 2)
    answer = as_ada.post(ADDRESS, {"act": "letter", "everybody": "yes", "query": "q=guest"})
    assert answer.headers["Location"] == "/manage/people?q=guest"


def test_who_left_between_list_and_question_is_named(as_ada: Client) -> None:
    page = post_order(as_ada, "suspend", ["anna", "zora"])
    assert "Suspend 1 person?" in page
    assert "1 person is left out" in page
    assert "<code>zora</code> · no longer here" in page
    assert "1 person is left out" in post_order(as_ada, "suspend", ["zora"])


def test_two_hundred_at_once_and_not_one_more(as_ada: Client) -> None:
    Person.objects.bulk_create(
        [Person(username=f"guest{n}", email=f"g{n}@example.org") for n in range(250)]
    )
    names = [f"guest{n}" for n in range(250)]
    assert as_ada.post(ADDRESS, {"act": "letter", "chosen": names}).status_code == 302
    page = post_order(as_ada, "letter", names[:200])
    text = ("Dear all, " * 1000).strip()
    again = result(as_ada, form(page, "letter", subject="To all", text=text))
    assert "200 e-mails are on their way" in again
    assert set(Mail.objects.values_list("subject", flat=True)) == {"To all"}
    sent = form(page, "letter", subject="To all", text=text)
    sent |= {"order": str(uuid.uuid4()), "chosen": [f"x:{name}" for name in names]}
    answer = as_ada.post(ADDRESS, sent)
    assert answer.status_code == 422
    assert "Choose at most 200 people at once." in answer.content.decode()
    assert answer.content.decode().count('name="chosen"') == 250, "nobody is left out unsaid"


def test_the_question_in_two_tabs(as_ada: Client) -> None:
    one, other = post_order(as_ada, "suspend", ["anna"]), post_order(as_ada, "suspend", ["anna"])
    assert "1 person is suspended" in result(as_ada, form(one, "suspend", reason="Once"))
    assert "anna changed after you looked" in result(as_ada, form(other, "suspend", reason="Two"))
    assert [one.reason for one in Suspension.objects.all()] == ["Once"]


def test_nobody_ticked_and_nothing_to_do(as_ada: Client) -> None:
    for sent in ({"act": "suspend"}, {"act": "dance", "chosen": ["anna"]}, {}):
        assert as_ada.post(ADDRESS, sent).headers["Location"] == "/manage/people"


def test_the_question_costs_as_much_for_many_as_for_few(as_ada: Client) -> None:
    def cost(names: list[str]) -> int:
        with CaptureQueriesContext(connection) as queries:
            post_order(as_ada, "suspend", names)
        return len(queries)

    cost(["anna"])
    few = cost(["anna"])
    guests = [Person(username=f"guest{n}", role="administrator") for n in range(100)]
    Person.objects.bulk_create(guests)
    assert cost([one.username for one in guests]) == few
