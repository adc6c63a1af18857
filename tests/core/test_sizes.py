"""Sizes in sentences are those of the pages."""

import pytest
from django.template.defaultfilters import filesizeformat
from django.utils import translation

from workspace_manager.contract.message import in_words
from workspace_manager.core.sizes import size_message

K = 1024
COUNTS = (0, 1, 2, 1023, K, 1075, 1076, 4301, K**2 - 1, K**2, 3 * K**3 // 2, 7 * K**4)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("count", COUNTS)
def test_a_size_is_written_as_on_the_pages(count: int, language: str) -> None:
    with translation.override(language):
        on_pages = filesizeformat(count).replace("\xa0", " ")
    assert in_words(size_message(count), language) == on_pages
