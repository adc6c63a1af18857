"""An inventory is read page by page, in order, each thing once."""

from workspace_manager.contract.inventory import in_order


def test_all_names_are_on_one_page_each() -> None:
    names = ["d", "a", "c", "b", "a", "e"]
    pages, after = [], ""
    while True:
        page, after = in_order(names, after, 2)
        pages.append(page)
        if not after:
            break
    assert pages == [["a", "b"], ["c", "d"], ["e"]]
    assert in_order(names[:4], "b", 2) == (["c", "d"], "")
    assert in_order([], "", 2) == ([], "")
