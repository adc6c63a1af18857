"""The page of members is what the tables of the systems say now."""

import re

from tools import member_tables


def test_it_is_as_the_tables_are() -> None:
    """`make member-tables` writes it anew."""
    assert member_tables.PAGE.read_text() == member_tables.render_page(member_tables.declared())


def test_it_counts_every_row_and_what_does_not_matter() -> None:
    text = member_tables.render_page(member_tables.declared())
    table, _, parts = text.partition("\n## ")
    counted = re.findall(r"\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", table, re.MULTILINE)
    *each, total = [tuple(map(int, row)) for row in counted]
    assert tuple(map(sum, zip(*each, strict=True))) == total
    assert all(rows == sum(kinds) for rows, *kinds in [*each, total])
    assert len(re.findall(r"^\| `/", parts, re.MULTILINE)) == total[0]
    assert len(re.findall(r"\| does not matter \|", parts)) == total[3]
