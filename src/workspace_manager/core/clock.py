"""The database's clock: leases, locks, waits and what ends by its time go by it on every host."""

from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import connection

LEAP: Final = timedelta(hours=4)
"""What is further off than this is no clock that runs a little fast, nor one in another zone: it
was turned. Three hours either way change nothing.
"""


def database_now() -> datetime:
    """The database's clock: hosts may disagree, the database does not."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')")
            return datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC)
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
        return moment
