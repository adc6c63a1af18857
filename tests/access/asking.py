"""One visitor asks one route, and the next finds the same scene."""

from django.db import transaction

from tests.access import example_objects, headers
from tests.access.table import Row
from tests.database_writes import record_writes
from tests.visitors import Visitor


def status_of(visitor: Visitor, row: Row, holes: dict[str, str]) -> int:
    """Ask, and undo what the answer did. Who is refused wrote nothing, and every answer says to
    browsers what it has to.
    """
    mark = transaction.savepoint()
    try:
        with record_writes() as writes:
            response = example_objects.ask(visitor, row, holes)
    finally:
        transaction.savepoint_rollback(mark)
    if response.status_code >= 400:
        assert writes == [], f"{row} refused with {response.status_code}, and wrote"
    assert headers.wrong(response) == [], str(row)
    return int(response.status_code)
