"""The database's clock: leases, locks and waits go by it on every host."""

from datetime import UTC, datetime

from django.db import connection


def database_now() -> datetime:
    """The database's clock: hosts may disagree, the database does not."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')")
            return datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC)
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
        return moment
