"""The glossary defines each word once, in one sentence, in both languages."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

DOCS = Path(__file__).resolve().parents[2] / "docs"
ROW = re.compile(
    r'^\| <a id="(?P<id>[a-z-]+)"></a>(?P<term>[^|]+) \| (?P<german>[^|]+) \| (?P<says>[^|]+) \|$'
)
ROWS = [
    found for line in (DOCS / "glossary.md").read_text().splitlines() if (found := ROW.match(line))
]
NOT_ON_PAGES = {
    *("backoff", "erasure", "lease"),
}
"""What the German documentation alone would call so."""
LINK = re.compile(r"\]\((?:\.\./)*glossary\.md#([a-z-]+)\)")


def test_it_has_forty_terms_in_their_order() -> None:
    terms = [row["term"].lower() for row in ROWS]
    assert len(terms) >= 40
    assert terms == sorted(set(terms))
    assert len({row["german"] for row in ROWS}) == len(terms)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_term_is_defined_in_one_sentence(row: re.Match[str]) -> None:
    says = row["says"]
    assert says[0].isupper()
    assert says.endswith(".")
    assert ". " not in says
    assert len(says.split()) <= 25


def test_the_german_word_is_the_one_of_the_german_pages() -> None:
    package = DOCS.parent / "src/workspace_manager"
    said = "".join(
        str(one.string)
        for file in package.rglob("*.po")
        for one in read_po(file.open("rb"), locale="de")
    ).casefold()
    german = {row["id"]: row["german"].casefold() for row in ROWS}
    assert {term for term, word in german.items() if word not in said} == NOT_ON_PAGES


def test_every_link_to_a_term_finds_it() -> None:
    known = {row["id"] for row in ROWS}
    linked = {
        (page.name, term) for page in DOCS.rglob("*.md") for term in LINK.findall(page.read_text())
    }
    headings = {"words-that-are-not-used"}
    assert not {(page, term) for page, term in linked if term not in known | headings}


READ_WHOLE = [*DOCS.glob("explanation/*.md"), *DOCS.glob("howto/*.md"), *DOCS.glob("tutorial/*.md")]


@pytest.mark.parametrize("page", sorted(READ_WHOLE), ids=lambda page: page.stem)
def test_a_page_links_a_few_of_its_terms_once_each(page: Path) -> None:
    linked = LINK.findall(page.read_text(encoding="utf-8"))
    assert linked
    assert len(linked) <= 10
    assert len(linked) == len(set(linked))


def test_no_code_links_a_term() -> None:
    """A reader copies a command as it stands."""
    code = re.compile(r"```[\s\S]*?```|`[^`]*`")
    found = [
        (page.name, span)
        for page in DOCS.rglob("*.md")
        for span in code.findall(page.read_text(encoding="utf-8"))
        if LINK.search(span)
    ]
    assert found == []


@pytest.mark.parametrize(
    "page",
    sorted(page for page in READ_WHOLE if page.parent.name != "tutorial"),
    ids=lambda page: page.stem,
)
def test_a_page_opens_with_an_example(page: Path) -> None:
    opening = page.read_text(encoding="utf-8").partition("\n## ")[0]
    assert "\n\nFor example, " in opening


def test_no_heading_links_a_term() -> None:
    """The anchor of a heading is made of its words, so a link in it would change the anchor."""
    headings = [
        line
        for page in DOCS.rglob("*.md")
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("#") and LINK.search(line)
    ]
    assert headings == []
