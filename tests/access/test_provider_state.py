"""That the manager had no place to ask from is not the identity provider's silence."""

import pytest
from django.conf import LazySettings
from django.core.cache import cache

from workspace_manager.access import provider_state
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.slots import Busy

DOING = quote_words("asking")


@pytest.fixture(autouse=True)
def anew(settings: LazySettings) -> None:
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()


def ask(error: Unavailable | None = None) -> None:
    with provider_state.patience():
        if error:
            raise error


def test_who_found_no_place_keeps_nobody_from_asking() -> None:
    with pytest.raises(Busy):
        ask(Busy(quote_words("no place"), kind="identity_provider", doing=DOING))
    ask()


def test_one_that_gave_no_answer_is_not_asked_again_at_once() -> None:
    with pytest.raises(Unavailable):
        ask(Unavailable(quote_words("silent"), kind="identity_provider", doing=DOING))
    with pytest.raises(Unavailable, match="was not available"):
        ask()
