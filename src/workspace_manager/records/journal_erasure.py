"""Erase deleted data from SQLite's write-ahead journal, which keeps earlier versions of pages until
it is truncated.
"""

from django.db import connection

PATIENCE_MS = 200
"""Milliseconds that writers wait for the truncation; during a longer read it is left to the next
time.
"""


def forget_erased() -> None:
    """Truncate SQLite's write-ahead journal. Does nothing inside a transaction, during a read, and
    on another database.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (before,) = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout={PATIENCE_MS}")
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            cursor.execute(f"PRAGMA busy_timeout={before}")
