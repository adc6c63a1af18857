"""Eighty tries of one address at the same moment, each on a connection of its own; prints how many
were let through. Run by test_rate.py, with WORKSPACE_DATABASE_URL set to a database that has
nothing in it yet.
"""

import sys
import threading
from collections.abc import Callable

from django.core.management import call_command
from django.db import connection, connections
from django.test import RequestFactory

import workspace_manager.bootstrap  # noqa: F401  sets Django up
from workspace_manager.records.models import Person, RateCounter
from workspace_manager.web import rate

TRIES = 80
SOMEBODY = Person(username="p")


def prepare() -> None:
    """The tables that counting needs, and no others: a whole schema takes seconds."""
    call_command("createcachetable", verbosity=0)
    with connection.schema_editor() as editor:
        editor.create_model(RateCounter)


def by_address(number: int) -> bool:
    """Eighty hosts of one IPv6 network."""
    request = RequestFactory().post("/register", REMOTE_ADDR=f"2001:db8:1:2::{number:x}")
    return rate.allow(request, "registrations", limit=10) is None


def by_person(_number: int) -> bool:
    try:
        rate.count_change(RequestFactory().post("/projects"), SOMEBODY)
    except rate.TooOften:
        return False
    return True


def main() -> None:
    prepare()
    count: Callable[[int], bool] = by_address if sys.argv[1] == "address" else by_person
    gate = threading.Barrier(TRIES)
    let_through: list[bool] = []

    def come(number: int) -> None:
        connection.ensure_connection()
        gate.wait()
        let_through.append(count(number))
        connections.close_all()

    threads = [threading.Thread(target=come, args=(n,)) for n in range(TRIES)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(let_through) == TRIES
    print(sum(let_through))


if __name__ == "__main__":
    main()
