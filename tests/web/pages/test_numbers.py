"""Digits of any length are sent to pages that ask for a number."""

import pytest

from tests.visitors import Visitor
from workspace_manager.web.pages.numbers import numbers

pytestmark = pytest.mark.django_db
MANY = "9" * 5_000


def test_only_short_numbers_are_read() -> None:
    assert numbers(["17", MANY, "", "-1", "x", "\u0661", "9" * 15, "9" * 16]) == [17, 10**15 - 1]


@pytest.mark.parametrize("page", ["/manage/take-over/confirm", "/manage/reconcile/several"])
def test_a_number_that_is_too_long_is_none_that_was_ticked(
    page: str, as_administrator: Visitor
) -> None:
    told = as_administrator.post(page, {"chosen": MANY}, follow=True)
    assert "Nothing was selected." in told.content.decode()


def test_nor_is_it_the_number_of_a_page(as_administrator: Visitor) -> None:
    assert as_administrator.get(f"/inbox?page={MANY}").status_code == 200
