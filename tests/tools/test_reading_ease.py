"""`tools/reading_ease.py` counts the prose of a page and nothing else."""

from pathlib import Path

import pytest

from tools.reading_ease import Ease, main, measure


def test_prose_counts_and_the_rest_does_not() -> None:
    page = "# A heading.\n\nYou read. The worker reads `a file`.\n\n| a | b. c |\n\n```\nx. y.\n```"
    assert measure(page) == Ease(sentences=2, words=7, passive=0)


def test_a_list_item_is_a_sentence_of_its_own() -> None:
    assert measure("Two things:\n\n- the first one\n- the second one\n").sentences == 3


def test_a_link_counts_with_its_words_alone() -> None:
    assert measure("See [the audit log](../glossary.md#audit-log).\n").words == 4


@pytest.mark.parametrize(
    ("sentence", "passive"),
    [
        ("The plan is approved.", 1),
        ("The account is not yet deleted.", 0),
        ("The key was never shown.", 1),
        ("The worker deletes the account.", 0),
    ],
)
def test_the_passive_is_found_by_a_simple_rule(sentence: str, passive: int) -> None:
    assert measure(sentence).passive == passive


def test_it_prints_each_page_and_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text("One two. It was seen.\n")
    assert main([page]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].endswith("page.md")
    assert "2.5 words  50% passive" in printed[1]
