"""Everything a system lists, read to the end, and what must hold for each inventory."""

from typing import Any, Final

from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.inventory import LEVELS, OTHER, InventoryEntry
from workspace_manager.contract.message import in_words
from workspace_manager.contract.system import SystemSpec

NO_LIST: Final = (
    ({"fault": "html"}, Invalid),
    ({"fault": "garbage"}, Invalid),
    ({"fault": "status", "status": 503}, Unavailable),
    ({"fault": "reset"}, Unavailable),
)
"""Answers from which nothing may be taken for an empty list, and what is raised for each."""
Everything = dict[tuple[str, str], InventoryEntry]


def everything(spec: SystemSpec[Any], system: System, pages: list[int] | None = None) -> Everything:
    """By kind and name. `pages` gets how many each page held."""
    read = spec.lister()
    assert read
    found: Everything = {}
    cursor, cursors = "", set[str]()
    while cursor not in cursors:
        cursors.add(cursor)
        page = read(system, cursor)
        if pages is not None:
            pages.append(len(page.listed))
        for one in page.listed:
            right(spec, one)
            assert (one.kind, one.name) not in found, "listed twice"
            found[one.kind, one.name] = one
        cursor = page.next
        if not cursor:
            return found
    raise AssertionError(f"the page {cursor} comes twice")


def right(spec: SystemSpec[Any], one: InventoryEntry) -> None:
    kind = spec.kind(one.kind)
    assert kind, one.kind
    assert one.name
    assert one.name == kind.name_of(one.target)
    assert one.name == kind.name_of(dict(reversed(list(one.target.items()))))
    assert all(isinstance(part, str) for part in one.target.values())
    assert one.open is None or kind.holds_account
    for said in (one.seen, *([one.kept] if one.kept else [])):
        assert said.english
        assert in_words(said, "de") != in_words(said)
    assert sorted(one.holders) == list(one.holders)
    assert set(one.levels) <= set(one.holders)
    assert set(one.levels.values()) <= {*LEVELS, OTHER}
