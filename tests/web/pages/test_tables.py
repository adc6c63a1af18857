"""Tables become cards where they do not fit: each cell says which column it is of."""

import re
from pathlib import Path

import pytest
from django.template import engines

from workspace_manager import web

TEMPLATES = Path(str(web.__file__)).parent / "templates"


def cards(table: str) -> str:
    made = engines["django"].from_string(f"{{% load tables %}}{{% cards %}}{table}{{% endcards %}}")
    return str(made.render({"name": "<td>"}))


def test_each_cell_carries_the_heading_of_its_column() -> None:
    shown = cards(
        '<table><thead><tr><th scope="col"><a href="?">Who<span aria-hidden="true"> ↑</span></a>'
        "</th>"
        '<th scope="col">He said "no"</th></tr></thead><tbody><tr id="a"><td class="who">anna</td>'
        "<td></td></tr><tr><td>{{ name }}</td><td>yes</td></tr></tbody></table>"
    )
    labels = re.findall(r'<td role="cell" data-label="([^"]*)"', shown)
    assert labels == ["Who", "He said &quot;no&quot;"] * 2
    assert "&lt;td&gt;" in shown, "what stands in a cell is no cell"
    assert '<tr role="row" id="a">' in shown


def test_each_element_carries_the_role_that_a_card_loses() -> None:
    shown = cards(
        "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>"
    )
    roles = re.findall(r'<(\w+) role="(\w+)"', shown)
    assert roles == [
        ("table", "table"), ("thead", "rowgroup"), ("tr", "row"), ("th", "columnheader"),
        ("tbody", "rowgroup"), ("tr", "row"), ("td", "cell"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "template", [path for path in TEMPLATES.rglob("*.html") if "<table" in path.read_text()],
    ids=lambda path: path.name,
)  # fmt: skip
def test_every_table_can_become_cards(template: Path) -> None:
    """But the numbers behind a chart: three narrow columns."""
    text = template.read_text()
    assert text.count("<table") - text.count('<table class="numbers"') == text.count(
        "{% cards %}<table"
    )
