"""Which schema a database has. The first one was rewritten as a whole: what was made with it
cannot be brought forward.
"""

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

FIRST = ("records", "0001_initial")


def made_by_an_earlier_version() -> bool:
    """Whether the database knows the schema that nothing leads on from."""
    return FIRST in MigrationRecorder(connection).applied_migrations()
