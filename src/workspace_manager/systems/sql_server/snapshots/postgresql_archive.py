"""What is given to PostgreSQL's tools: of an archive, which entries are loaded; of a file of
statements, everything but what would end the restriction that it is read under.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_LEFT_OUT: Final = re.compile(
    # What belongs to the administrator, and is there in the fresh database already.
    r"\d+; \d+ \d+ (COMMENT - EXTENSION|COMMENT - SCHEMA public|EVENT TRIGGER|SCHEMA - public) "
)
_OWN_LINE: Final = re.compile(rb"\\(un)?restrict [A-Za-z0-9]+\s*")
"""A dump begins and ends with these lines itself (PostgreSQL 15.14 and newer)."""
_LONGEST: Final = 256


def choose_entries(listed: bytes) -> str:
    """The lines of `pg_restore --list` that are loaded."""
    lines = listed.decode(errors="replace").splitlines()
    return "\n".join(line for line in lines if not _LEFT_OUT.match(line)) + "\n"


def restrict(pieces: Iterable[bytes], word: str) -> Iterator[bytes]:
    """Statements under `\\restrict`: the client obeys nothing in them. `word`: what ends it, which
    nobody can guess.
    """
    yield f"\\restrict {word}\n".encode()
    begins, held = True, b""
    for piece in pieces:
        text, held = held + piece, b""
        given = []
        for line in text.splitlines(keepends=True):
            ends = line.endswith(b"\n")
            if begins and line.startswith(b"\\") and not ends and len(line) < _LONGEST:
                # Its end decides, and comes with the next piece.
                held = line
                continue
            if not (begins and _OWN_LINE.fullmatch(line)):
                given.append(line)
            begins = ends
        if data := b"".join(given):
            yield data
    if held and not _OWN_LINE.fullmatch(held):
        yield held
