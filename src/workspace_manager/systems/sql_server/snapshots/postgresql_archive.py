"""Input of PostgreSQL's tools: the entries of an archive that are loaded, and a file of statements
without the lines that would end its restriction.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_LEFT_OUT: Final = re.compile(
    # Entries that belong to the administrator and exist in a new database.
    r"\d+; \d+ \d+ (COMMENT - EXTENSION|COMMENT - SCHEMA public|EVENT TRIGGER|SCHEMA - public) "
)
_OWN_LINE: Final = re.compile(rb"\\(un)?restrict [A-Za-z0-9]+\s*")
"""A dump itself begins and ends with these lines (PostgreSQL 15.14 and newer)."""
_LONGEST: Final = 256


def choose_entries(listed: bytes) -> str:
    """Return the lines of `pg_restore --list` to load."""
    lines = listed.decode(errors="replace").splitlines()
    return "\n".join(line for line in lines if not _LEFT_OUT.match(line)) + "\n"


def restrict(pieces: Iterable[bytes], word: str) -> Iterator[bytes]:
    """Yield statements under `\\restrict`, with which the client ignores its own commands in them.
    `word`: ends the restriction, and nobody can guess it.
    """
    yield f"\\restrict {word}\n".encode()
    begins, held = True, b""
    for piece in pieces:
        text, held = held + piece, b""
        given = []
        for line in text.splitlines(keepends=True):
            ends = line.endswith(b"\n")
            if begins and line.startswith(b"\\") and not ends and len(line) < _LONGEST:
                # Its end decides, and arrives with the next piece.
                held = line
                continue
            if not (begins and _OWN_LINE.fullmatch(line)):
                given.append(line)
            begins = ends
        if data := b"".join(given):
            yield data
    if held and not _OWN_LINE.fullmatch(held):
        yield held
