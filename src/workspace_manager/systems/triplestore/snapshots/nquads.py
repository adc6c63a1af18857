"""N-Quads, read by line: the terms of a statement, and its normal form.

A line counts as a statement only if every store and tool reads it (W3C, RDF 1.1 N-Quads). Two
stores may write one statement differently; the normal form is the same for all.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

LONGEST: Final = 16 * 1024 * 1024
"""The most bytes of a statement; a longer one would need more memory than a worker has."""
XSD_STRING: Final = b"^^<http://www.w3.org/2001/XMLSchema#string>"

# Possessive quantifiers: no backtracking makes it twice as fast.
_CODE = rb"\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"
_IRI = rb'<[a-zA-Z][a-zA-Z0-9+.-]*+:(?:[^\x00-\x20<>"{}|^`\\]++|' + _CODE + rb")*+>"
_NODE = rb"_:[^\s<>\"]*[^\s<>\".]"
_TEXT = rb'"(?:[^"\\\n\r]++|\\[tbnrf"\'\\]|' + _CODE + rb')*+"'
_LITERAL = _TEXT + rb"(?:@[a-zA-Z]++(?:-[a-zA-Z0-9]++)*+|\^\^" + _IRI + rb")?"
_STATEMENT: Final = re.compile(
    rb"^[ \t]*+(" + _IRI + rb"|" + _NODE + rb")[ \t]*+(" + _IRI + rb")[ \t]*+"
    rb"(" + _IRI + rb"|" + _NODE + rb"|" + _LITERAL + rb")"
    rb"[ \t]*+(" + _IRI + rb"|" + _NODE + rb"|)[ \t]*+\.[ \t]*+(?:\#[^\n\r]*)?\r?$",
    re.MULTILINE,
)
_NOTHING: Final = re.compile(rb"[ \t\r]*(?:\#.*)?\Z", re.DOTALL)
_ESCAPE: Final = re.compile(rb"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[tbnrf\"'\\])")
_SHORT: Final = {b"t": "\t", b"b": "\b", b"n": "\n", b"r": "\r", b"f": "\f"}
_WRITTEN: Final = {"\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


class NotQuads(ValueError):
    """A line is no statement. `line`: from 1; `reason`: "form", "length", or "end" if the last line
    is cut.
    """

    def __init__(self, line: int, reason: str = "form") -> None:
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


class Quad(NamedTuple):
    """The terms of a statement as written; `graph` is empty in the default graph."""

    subject: bytes
    predicate: bytes
    object: bytes
    graph: bytes


@dataclass
class LineReader:
    """A reader that cuts pieces of any size into numbered blocks of whole lines."""

    line: int = 0
    """Lines of the blocks returned before."""
    _rest: bytes = b""

    def take(self, piece: bytes) -> bytes:
        """Return the lines that are complete now. Raises NotQuads for one that is too long."""
        whole, newline, rest = piece.rpartition(b"\n")
        if not newline:
            self._rest += rest
            self._refuse_long()
            return b""
        block = self._rest + whole + newline
        self._rest = rest
        self._refuse_long()
        return block

    def end(self) -> bytes:
        """Return the last line, if no line break ends it."""
        rest, self._rest = self._rest, b""
        return rest

    def _refuse_long(self) -> None:
        if len(self._rest) > LONGEST:
            raise NotQuads(self.line + 1, "length")


def read_block(block: bytes, before: int = 0) -> list[Quad]:
    """Return the statements of whole lines. `before`: the number of earlier lines. Raises
    NotQuads.
    """
    found = _STATEMENT.findall(block)
    if len(found) != block.count(b"\n") + (not block.endswith(b"\n") and bool(block)):
        for number, line in enumerate(block.split(b"\n"), before + 1):
            if not _STATEMENT.match(line) and not _NOTHING.match(line):
                raise NotQuads(number)
    return found


def read_quads(pieces: Iterable[bytes]) -> Iterator[list[Quad]]:
    """Yield all statements, a block at a time. Raises NotQuads."""
    lines = LineReader()
    for piece in pieces:
        yield from _blocks(lines, lines.take(piece))
    last = lines.end()
    try:
        yield from _blocks(lines, last)
    except NotQuads as wrong:
        raise NotQuads(wrong.line, "end") from None


def _blocks(lines: LineReader, block: bytes) -> Iterator[list[Quad]]:
    if block:
        quads = read_block(block, lines.line)
        lines.line += block.count(b"\n")
        yield quads


def cut_blocks(pieces: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Yield the same bytes as blocks of whole lines, each of at most `most` bytes or of one longer
    line. Raises NotQuads.
    """
    lines = LineReader()
    waiting = bytearray()
    for piece in pieces:
        waiting += lines.take(piece)
        while len(waiting) > most:
            end = waiting.rfind(b"\n", 0, most) + 1 or waiting.find(b"\n") + 1
            yield bytes(waiting[:end])
            del waiting[:end]
    waiting += lines.end()
    if waiting.strip():
        yield bytes(waiting)


def normal_form(term: bytes) -> bytes:
    """Return the normal form of a term: escapes only if necessary, a language tag in lower case, no
    datatype of a plain string.
    """
    if b"\\" in term:
        term = _ESCAPE.sub(_unescape, term)
    if term[:1] != b'"' or term[-1:] == b'"':
        return term
    if term[-1:] != b">":
        text, _, tag = term.rpartition(b"@")
        return text + b"@" + tag.lower()
    return term.removesuffix(XSD_STRING)


def plain_text(text: bytes) -> str:
    """Return the unescaped text of an IRI or a literal."""
    if b"\\" not in text:
        return text.decode()
    return _ESCAPE.sub(_meaning, text).decode()


def _meaning(found: re.Match[bytes]) -> bytes:
    return _character(found[1]).encode() if _is_character(found[1]) else found[0]


def _unescape(found: re.Match[bytes]) -> bytes:
    if not _is_character(found[1]):
        return found[0]
    text = _character(found[1])
    return _WRITTEN.get(text, text).encode()


def _is_character(said: bytes) -> bool:
    """Return whether an escape names a character; half of a surrogate pair does not."""
    if len(said) == 1:
        return True
    code = int(said[1:], 16)
    return not 0xD800 <= code < 0xE000 and code <= 0x10FFFF


def _character(said: bytes) -> str:
    if len(said) > 1:
        return chr(int(said[1:], 16))
    return _SHORT.get(said) or said.decode()
