"""Leave nothing of what was erased beside the database's own file: SQLite's journal keeps a page's
earlier state until it is cut.
"""

from django.db import connection

PATIENCE_MS = 200
"""Writers wait while the journal is cut; somebody who reads for longer has it cut the next time."""


def forget_erased() -> None:
    """Cut SQLite's write-ahead journal. Does nothing inside a transaction, while somebody reads,
    and on another database.
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
