"""Where a list ends that is read a page at a time."""

from collections.abc import Callable, Sequence

import pytest

from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.paging import Reading, read_all

EVERYBODY = [f"person{n}" for n in range(23)]
Page = Callable[[int, int], Sequence[str]]
Counts = Callable[[], int] | None


def hiding(hidden: set[str], *, forgets: bool) -> tuple[Page, Counts]:
    """A system that counts entries off, shows none of these, and may forget them once asked."""
    there = list(EVERYBODY)

    def page(first: int, size: int) -> Sequence[str]:
        window = there[first : first + size]
        if forgets:
            for one in hidden & set(window):
                there.remove(one)
        return [one for one in window if one not in hidden]

    return page, lambda: len(there)


def read_everything(
    page: Page, counts: Counts = lambda: len(EVERYBODY), *, size: int = 5
) -> list[str]:
    reading = Reading(size, counts)
    return read_all(reading, page, lambda one: one, kind="x.y", doing=quote_words("listing"))


@pytest.mark.parametrize("forgets", [False, True])
@pytest.mark.parametrize(
    "hidden",
    [set(), {"person3", "person4", "person9"}, {f"person{n}" for n in range(5, 15)}],
    ids=["none", "three", "two whole pages"],
)
@pytest.mark.parametrize("size", [1, 2, 5, 23, 100])
def test_a_short_or_empty_page_ends_nothing(hidden: set[str], forgets: bool, size: int) -> None:
    found = read_everything(*hiding(hidden, forgets=forgets), size=size)
    assert found == [one for one in EVERYBODY if one not in hidden]


def test_without_a_count_an_empty_page_ends_it_and_a_short_one_does_not() -> None:
    page, _ = hiding({"person3", "person4", "person9"}, forgets=True)
    assert len(read_everything(page, None)) == len(EVERYBODY) - 3


@pytest.mark.parametrize("size", [3, 5])
@pytest.mark.parametrize("counts", [None, lambda: 23], ids=["uncounted", "counted"])
def test_a_page_that_brings_nothing_new_is_a_failure(size: int, counts: Counts) -> None:
    with pytest.raises(Invalid, match="brings nothing new"):
        read_everything(lambda _first, _size: EVERYBODY[:size], counts)


def test_a_list_that_goes_on_behind_its_count_is_a_failure() -> None:
    asked: list[int] = []

    def page(first: int, size: int) -> Sequence[str]:
        asked.append(first)
        return [f"made up {n}" for n in range(first, first + size)]

    with pytest.raises(Invalid, match="more than 35 entries"):
        read_everything(page)
    assert len(asked) == 8


def test_a_list_whose_entries_are_made_by_being_listed_is_read_to_its_end() -> None:
    """A directory's people are imported when they are listed, and counted from then on."""
    imported: set[str] = set()

    def page(first: int, size: int) -> Sequence[str]:
        window = EVERYBODY[first : first + size]
        imported.update(window)
        return window

    assert read_everything(page, lambda: len(imported), size=2) == EVERYBODY


def test_a_list_may_grow_while_it_is_read() -> None:
    assert (
        len(read_everything(lambda first, size: EVERYBODY[first : first + size], lambda: 20)) == 23
    )
