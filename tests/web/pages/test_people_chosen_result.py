"""The result of a bulk action is written down for each person whatever happens, and can be gone on
with.
"""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client

from tests.clock import noon
from tests.web.pages import scenes
from tests.web.pages.test_people_chosen import ADDRESS, form, post_order, result, states
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.people import bulk_actions, bulk_orders, end_dates
from workspace_manager.people.bulk_orders import Act, BulkAction, Order
from workspace_manager.records.models import AuditEntry, Mail, Person, Suspension

Break = Callable[[BaseException], None]


@pytest.fixture(autouse=True)
def set_up(ada: Person, anna: Person, bela: Person) -> None:
    scenes.set_up_systems()
    Mail.objects.all().delete()


@pytest.fixture
def breaking(monkeypatch: pytest.MonkeyPatch) -> Break:
    """Setting the end date of bela breaks by this."""
    real = end_dates.set_end

    def broken(error: BaseException) -> None:
        def set_end(name: str, *words: Any, **more: Any) -> Person:
            person = real(name, *words, **more)
            if name == "bela":
                raise error
            return person

        monkeypatch.setattr(end_dates, "set_end", set_end)

    return broken


def goes_on(page: str) -> dict[str, Any]:
    """What the browser sends by the one click."""
    (found,) = re.findall(
        r'(?s)<form method="post" action="/manage/people-chosen">.*?</form>', page
    )
    sent: dict[str, Any] = {"confirmed": "yes", "chosen": []}
    for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', found):
        if name == "chosen":
            sent["chosen"].append(value)
        elif name != "csrfmiddlewaretoken":
            sent[name] = value
    return sent


def not_reached(browser: Client, monkeypatch: Any, act: str, **typed: str) -> str:
    sent = form(post_order(browser, act, ["anna", "bela"]), act, **typed)
    with monkeypatch.context() as patch:
        patch.setattr(bulk_actions, "LONGEST_S", 0)
        page = result(browser, sent)
    assert "2 were not processed in time" in page
    assert set(states().values()) == {"active"}
    return page


def test_one_click_goes_on_with_what_was_typed(as_ada: Client, monkeypatch: Any) -> None:
    later = noon(60)
    typed = f"{later:%Y-%m-%dT%H:%M}"
    page = not_reached(as_ada, monkeypatch, "suspend", reason="The course\r\nis over", until=typed)
    page = result(as_ada, goes_on(page))
    assert "2 people are suspended" in page
    assert {row.reason for row in Suspension.objects.all()} == {"The course\nis over"}
    berlin = later.replace(tzinfo=ZoneInfo("Europe/Berlin"))
    assert {row.until for row in Suspension.objects.all()} == {berlin}


def test_one_click_goes_on_with_letters_once(as_ada: Client, monkeypatch: Any) -> None:
    page = not_reached(as_ada, monkeypatch, "letter", subject="Hello", text="One\r\n\r\ntwo")
    for _ in range(2):
        assert "2 e-mails are on their way" in result(as_ada, goes_on(page))
    assert Mail.objects.count() == 2
    assert {one.subject for one in Mail.objects.all()} == {"Hello"}
    assert all("One\n\ntwo" in one.text for one in Mail.objects.all())


def test_one_click_goes_on_with_a_day(as_ada: Client, monkeypatch: Any) -> None:
    day = end_dates.today()
    page = not_reached(as_ada, monkeypatch, "end_date", day=day.isoformat())
    assert "2 end dates are set" in result(as_ada, goes_on(page))
    assert Person.objects.filter(ends_at=day).count() == 2


def test_who_changed_since_the_look_is_left_alone_then_too(
    as_ada: Client, monkeypatch: Any
) -> None:
    page = not_reached(as_ada, monkeypatch, "suspend", reason="x")
    Person.objects.filter(username="anna").update(role="administrator")
    page = result(as_ada, goes_on(page))
    assert "1 person is suspended" in page
    assert "anna changed after you looked" in page


def test_a_day_that_is_over_meanwhile_is_asked_for_again(as_ada: Client, monkeypatch: Any) -> None:
    page = not_reached(as_ada, monkeypatch, "end_date", day=end_dates.today().isoformat())
    tomorrow = end_dates.today() + timedelta(days=1)
    monkeypatch.setattr(end_dates, "today", lambda: tomorrow)
    answer = as_ada.post(ADDRESS, goes_on(page))
    assert answer.status_code == 422
    assert "Set the end date of 2 people?" in answer.content.decode()


def test_what_was_typed_is_for_whoever_typed_it(
    as_ada: Client, monkeypatch: Any, anna: Person
) -> None:
    not_reached(as_ada, monkeypatch, "letter", subject="Hello", text="Between us")
    order = AuditEntry.objects.get(event="people:several").subject
    assert "Between us" in as_ada.get(f"{ADDRESS}/{order}").content.decode()
    Person.objects.filter(username="anna").update(role="administrator")
    other = Client()
    other.force_login(Person.objects.get(username="anna"))
    page = other.get(f"{ADDRESS}/{order}").content.decode()
    assert "Between us" not in page
    assert "Only the person who started this action can continue it here, within a day." in page
    cache.clear()
    assert (
        "Only the person who started this action can continue it here, within a day."
    ) in as_ada.get(f"{ADDRESS}/{order}").content.decode()


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (OperationalError("database is locked"), "Something went wrong with bela"),
        (
            Unavailable(
                quote_words("No answer."), kind="drive.account", doing=quote_words("looking")
            ),
            "No answer.",
        ),
    ],
)
def test_one_failure_is_that_persons_alone(
    as_ada: Client, breaking: Break, error: Exception, why: str
) -> None:
    Person.objects.create_user("carla")
    page = post_order(as_ada, "end_date", ["anna", "bela", "carla"])
    breaking(error)
    page = result(as_ada, form(page, "end_date", day=end_dates.today().isoformat()))
    assert "2 end dates are set" in page
    assert why in page
    ends = dict(Person.objects.exclude(ends_at=None).values_list("username", "ends_at"))
    assert set(ends) == {"anna", "carla"}


def test_midnight_passes_meanwhile(as_ada: Client, monkeypatch: Any) -> None:
    page = post_order(as_ada, "end_date", ["anna", "bela"])
    day, real = end_dates.today(), end_dates.set_end

    def set_end(name: str, *words: Any, **more: Any) -> Person:
        if name == "bela":
            monkeypatch.setattr(end_dates, "today", lambda: day + timedelta(days=1))
        return real(name, *words, **more)

    monkeypatch.setattr(end_dates, "set_end", set_end)
    page = result(as_ada, form(page, "end_date", day=day.isoformat()))
    assert "1 end date is set" in page
    assert "The last day is today or later" in page


def test_what_nobody_expected_is_written_down(as_ada: Client, breaking: Break) -> None:
    Person.objects.create_user("carla")
    page = post_order(as_ada, "end_date", ["anna", "bela", "carla"])
    breaking(RuntimeError("a mistake of ours"))
    sent = form(page, "end_date", day=end_dates.today().isoformat())
    as_ada.raise_request_exception = False
    assert as_ada.post(ADDRESS, sent).status_code == 500
    page = result(as_ada, sent)
    assert "1 end date is set" in page
    assert "Something went wrong with bela" in page
    assert "1 was not processed in time" in page
    assert "1 end date is set" in result(as_ada, goes_on(page))
    assert Person.objects.get(username="carla").ends_at == end_dates.today()


class Killed(BaseException):
    """The process is ended where it stands."""


def test_a_process_that_was_ended_says_so_after_a_while(
    as_ada: Client, breaking: Break, monkeypatch: Any
) -> None:
    page = post_order(as_ada, "end_date", ["anna", "bela"])
    sent = form(page, "end_date", day=end_dates.today().isoformat())
    breaking(Killed())
    with monkeypatch.context() as patch:
        patch.setattr(bulk_orders, "write_down", lambda *_words: None)
        with pytest.raises(Killed):
            as_ada.post(ADDRESS, sent)
    assert "In progress" in result(as_ada, sent)
    monkeypatch.setattr(bulk_orders, "CUT_OFF", timedelta(0))
    page = result(as_ada, sent)
    assert "This action was interrupted." in page
    assert "1 end date is set" in page
    assert [one.partition(":")[2] for one in goes_on(page)["chosen"]] == ["bela"]


def test_an_order_is_taken_once() -> None:
    order = Order(uuid.uuid4(), "ada", BulkAction(Act.SUSPEND), {"anna": "x"})
    assert bulk_orders.take(order)
    assert not bulk_orders.take(order)
    assert bulk_orders.next_of(order.id) == bulk_orders.next_of(order.id) != order.id
