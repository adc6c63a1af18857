"""The statements by which a request wrote into the database: a refused one writes nothing."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext

NO_MATTER = ("workspace_cache", "records_session", "records_tries")
"""Counting how often somebody asks, and the session itself, are no effects of a request."""

_WRITE = re.compile(r'(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) "?(\w+)"?')
_SAVEPOINT = re.compile(r'(SAVEPOINT|RELEASE SAVEPOINT|ROLLBACK TO SAVEPOINT) "?(\w+)"?')


@contextmanager
def record_writes() -> Iterator[list[str]]:
    """The statements that wrote something and were not taken back, complete when the block ends."""
    kept: list[str] = []
    with CaptureQueriesContext(connection) as queries:
        yield kept
    kept += _kept(query["sql"] for query in queries.captured_queries)


def _kept(statements: Iterator[str]) -> list[str]:
    found: list[str] = []
    marks: dict[str, int] = {}
    for sql in statements:
        if mark := _SAVEPOINT.match(sql):
            if mark[1] == "SAVEPOINT":
                marks[mark[2]] = len(found)
            elif mark[1] == "ROLLBACK TO SAVEPOINT":
                del found[marks.get(mark[2], 0) :]
        elif (write := _WRITE.match(sql)) and not write[1].startswith(NO_MATTER):
            found.append(sql[:300])
    return found
