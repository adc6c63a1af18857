"""A rule wherever a call or a wait begins: the thread has given back what it
had of the database.
"""

from django.db import connections as databases

from workspace_manager.core import connections


def let_go() -> None:
    """Give it back as the manager does. Fails where a transaction would be kept open all the
    while: of the test itself one may be, of what is tested none.
    """
    connections.let_go()
    for database in databases.all(initialized_only=True):
        ours = [
            block for block in database.atomic_blocks if not getattr(block, "_from_testcase", False)
        ]
        assert not ours, "A transaction is open while somebody outside is called or waited for."
        assert database.in_atomic_block or not connections.is_held(database)
