"""Lines of N-Quads, and the sum that does not depend on what blank nodes are called."""

import itertools
import random
from collections.abc import Iterable
from contextlib import closing

import pyoxigraph as ox
import pytest

from workspace_manager.contract.snapshots import TableFacts
from workspace_manager.systems.triplestore.snapshots import nquads, statement_count
from workspace_manager.systems.triplestore.snapshots.nquads import (
    NotQuads,
    Quad,
    cut_blocks,
    normal_form,
    plain_text,
    read_quads,
)
from workspace_manager.systems.triplestore.snapshots.statement_count import StatementCount

EVERYTHING = rb"""# a comment

<http://e/s> <http://e/p> <http://e/o> .
<http://e/s> <http://e/p> "plain" <http://e/g> .
_:a <http://e/p> "gr\u00fc\U0001F98Ae"@de-DE <http://e/g> . # behind it
	_:a-1.b   <http://e/p>	"1"^^<http://www.w3.org/2001/XMLSchema#integer> _:g .
<http://e/\u00e9> <http://e/p> "a\tb\n\"c\"\\ > . <x> \u0001" <http://e/g>.
<http://e/s> <http://e/p> "" .
"""


def pieces(data: bytes, size: int) -> Iterable[bytes]:
    return (data[begins : begins + size] for begins in range(0, len(data), size))


def tables(data: bytes) -> tuple[TableFacts, ...]:
    with closing(StatementCount()) as count:
        for quads in read_quads(pieces(data, 7)):
            count.take(quads)
        return count.tables()


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_every_kind_of_term_is_understood_as_others_do(size: int) -> None:
    read = [quad for quads in read_quads(pieces(EVERYTHING, size)) for quad in quads]
    again = b"".join(b" ".join(filter(None, quad)) + b" .\n" for quad in read)
    assert len(read) == 6
    known = [set(ox.parse(data, format=ox.RdfFormat.N_QUADS)) for data in (EVERYTHING, again)]
    assert known[0] == known[1]
    assert b"".join(cut_blocks(pieces(EVERYTHING, size), 50)) == EVERYTHING


def test_a_line_break_of_another_system_ends_a_line() -> None:
    assert tables(b"<a:a> <a:b> <a:c> .\r\n<a:a> <a:b> <a:d> .\r\n")[0].rows == 2


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'<a:a> <a:b> "cut', 1),
        (b"<a:a> <a:b> <a:c> .\n<a:a> <a:b> .\n", 2),
        (b"<a:a> <a:b> <a:c>\n", 1),
        (b"\n\n<a:a b> <a:b> <a:c> .\n", 3),
        (b'"a" <a:b> <a:c> .\n', 1),
        (b"<a:a> _:b <a:c> .\n", 1),
        (b'<a:a> <a:b> "c"@ .\n', 1),
        (b"<a:a> <a:b> <relative> .\n", 1),
        (b'<a:a> <a:b> "\\x" .\n', 1),
        (b"<a:a> <a:b> <a:c> <a:d> <a:e> .\n", 1),
        (b"<a:a> <a:b> <a:c> .\n<html>\n", 2),
    ],
)
def test_what_is_no_statement_is_named_by_its_line(data: bytes, line: int) -> None:
    for size in (1, 1000):
        with pytest.raises(NotQuads) as wrong:
            list(read_quads(pieces(data, size)))
        assert wrong.value.line == line


def test_a_statement_longer_than_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nquads, "LONGEST", 1000)
    long = b'<a:a> <a:b> "' + b"x" * 2000 + b'" .\n'
    with pytest.raises(NotQuads) as wrong:
        list(read_quads(pieces(b"<a:a> <a:b> <a:c> .\n" + long, 100)))
    assert (wrong.value.line, wrong.value.reason) == (2, "length")


def test_blocks_are_whole_lines() -> None:
    lines = [b'<a:a> <a:b> "%b" .\n' % (b"x" * random.Random(n).randrange(90)) for n in range(200)]
    data = b"".join(lines)
    for most, size in itertools.product((1, 50, 300), (1, 33, 5000)):
        blocks = list(cut_blocks(pieces(data, size), most))
        assert b"".join(blocks) == data
        assert all(block.endswith(b"\n") for block in blocks)
        assert all(len(block) <= max(most, 110) for block in blocks)


@pytest.mark.parametrize(
    "alike",
    [
        (rb'"a\u00e9"', '"aé"'.encode()),
        (rb'"a\tb"', b'"a\tb"'),
        (rb'"\"\\\n\r"', rb'"\u0022\u005c\u000a\u000D"'),
        (b'"a"^^<http://www.w3.org/2001/XMLSchema#string>', b'"a"'),
        (b'"a"@de-DE', b'"a"@DE-de'),
        (rb"<http://e/\u00e9>", "<http://e/é>".encode()),
    ],
)
def test_two_ways_to_write_a_term_have_one_normal_form(alike: tuple[bytes, bytes]) -> None:
    assert normal_form(alike[0]) == normal_form(alike[1])


@pytest.mark.parametrize(
    "other", [b'"a"@de', b'"a"^^<a:a>', b'"A"', b"<a:a>", b"_:a", rb'"\\u0061"']
)
def test_other_terms_have_another(other: bytes) -> None:
    assert normal_form(other) != normal_form(b'"a"')


def test_an_escape_of_half_a_character_stays_as_it_is() -> None:
    assert normal_form(rb'"\ud800"') == rb'"\ud800"'
    assert plain_text(rb"\ud800 \u0041\\") == "\\ud800 A\\"


# --- the sum --------------------------------------------------------------------------------------

CHAIN = b"""_:a <e:knows> _:b .
_:b <e:knows> _:c <e:g> .
_:c <e:name> "Carol" <e:g> .
<e:s> <e:p> "ground" <e:g> .
_:b <e:said> "x" _:k .
_:b <e:likes> _:b .
"""


def relabelled(data: bytes, seed: int) -> bytes:
    lines = data.splitlines(keepends=True)
    random.Random(seed).shuffle(lines)
    for number, label in enumerate((b"_:a", b"_:b", b"_:c", b"_:k")):
        lines = [line.replace(label + b" ", b"_:n%d%d " % (seed, number)) for line in lines]
    return b"".join(lines)


def test_labels_and_order_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tables(CHAIN)
    assert {one.name: one.rows for one in found} == {
        "default graph": 2,
        "e:g": 3,
        "graphs without a name": 1,
    }
    for seed in range(8):
        assert tables(relabelled(CHAIN, seed)) == found
    monkeypatch.setattr(statement_count, "_AT_ONCE", 1)
    assert tables(CHAIN) == found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"_:c <e:name>", b"_:new <e:name>"),  # one node became two
        (b"_:c", b"_:a"),  # two became one
        (b"_:a <e:knows> _:b", b"_:b <e:knows> _:a"),
        (b"_:b <e:likes> _:b", b"_:b <e:likes> _:new"),
        (b'"Carol"', b'"Karol"'),
        (b'"ground" <e:g>', b'"ground" <e:h>'),
        (b"_:c <e:g> .\n_:c", b"_:c .\n_:c"),
        (b'_:b <e:said> "x" _:k', b'_:b <e:said> "x" _:b'),
    ],
)
def test_another_content_has_another_sum(old: bytes, new: bytes) -> None:
    assert old in CHAIN
    assert tables(CHAIN.replace(old, new)) != tables(CHAIN)


def test_crossed_nodes_are_told_apart() -> None:
    """Each has the same number of each kind of statement."""
    names = b'_:x <e:name> "x" .\n_:y <e:name> "y" .\n_:a <e:age> "1" .\n_:b <e:age> "2" .\n'
    straight = names + b"_:a <e:has> _:x .\n_:b <e:has> _:y .\n"
    crossed = names + b"_:a <e:has> _:y .\n_:b <e:has> _:x .\n"
    assert tables(straight) != tables(crossed)


def test_many_nodes_are_counted_like_few() -> None:
    count = 3000
    quads = [Quad(b"_:n%d" % (n // 3), b"<e:p>", b'"%d"' % n, b"") for n in range(count)]
    with closing(StatementCount()) as first, closing(StatementCount()) as second:
        first.take(quads)
        second.take(Quad(b"_:z" + s[3:], p, o, g) for s, p, o, g in reversed(quads))
        assert first.tables() == second.tables()
        assert first.rows_by_term == {b"": count}
