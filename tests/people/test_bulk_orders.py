"""A bulk order comes back from the cache as it was put there."""

import uuid
from datetime import date, timedelta

import pytest
from django.core.cache import caches
from django.utils import timezone

from workspace_manager.core.signed_cache import SignedCache
from workspace_manager.people.bulk_orders import (
    CUT_OFF,
    Act,
    BulkAction,
    Order,
    Result,
    keep_done,
    results,
    sent_by,
    take,
)
from workspace_manager.people.messages import message
from workspace_manager.people.suspension_terms import Terms

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "wanted",
    [
        BulkAction(Act.SUSPEND, terms=Terms('Away: "a"', timezone.now(), endless=False)),
        BulkAction(Act.END_DATE, day=date(2030, 2, 28)),
        BulkAction(Act.LETTER, subject="Grüße", text="Zwei\nZeilen 🙂"),
        BulkAction(Act.REMOVAL),
    ],
)
def test_an_order_is_the_same_afterwards(wanted: BulkAction) -> None:
    order = Order(uuid.uuid4(), "ada", wanted, {"zoë": "mark", "bob": "other"})
    assert isinstance(caches["default"], SignedCache)
    assert take(order)
    assert not take(order)
    assert sent_by("ada", order.id) == order
    assert sent_by("bob", order.id) is None


def test_what_was_done_before_it_was_cut_off_is_known() -> None:
    begun = timezone.now() - CUT_OFF - timedelta(seconds=1)
    chosen = {"bob": "1", "eva": "2", "max": "3"}
    order = Order(uuid.uuid4(), "ada", BulkAction(Act.REMOVAL), chosen, begun)
    assert take(order)
    done = [Result("bob", plan="7"), Result("eva", why=message("claimed"))]
    keep_done(order, done)
    found = results(order.id)
    assert found
    assert found.cut_off
    assert found.results == [*done, Result("max", reached=False)]
