"""Tests of a run that begins at `AT` in `WHERE`. Run by test_clock.py, in processes of their
own.
"""

import os
import sqlite3
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from django.db import connection, transaction
from django.db.models.functions import Now
from django.test import override_settings

from workspace_manager.core.clock import database_now
from workspace_manager.records.models import Person

AT, WHERE = datetime(2041, 7, 1, 3, 4, tzinfo=UTC), "Pacific/Chatham"
"""A moment and a zone that no machine has by itself."""
AHEAD_OF_UTC = "+1245"
LOOK = """
import sqlite3, sys, time
from tests.child_clock import sitecustomize  # moves once, by whichever name it is found
print(int(time.time()))
print(sqlite3.connect(":memory:").execute("SELECT strftime('%s', 'now')").fetchone()[0])
print(time.strftime("%z"))
print("pytest" in sys.modules)
"""
ASK = "SELECT now(), statement_timestamp(), clock_timestamp()"


def soon_after(moment: datetime) -> bool:
    """A run that takes an hour hangs; the real time is years away."""
    return AT <= moment < AT + timedelta(hours=1)


def test_a_thread() -> None:
    seen: list[tuple[datetime, float, float]] = []

    def look() -> None:
        for _ in range(2):
            seen.append((datetime.now(UTC), time.time(), time.monotonic()))
            time.sleep(0.01)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    (first, stamp, waited), (then, _, later) = seen
    assert soon_after(first)
    assert soon_after(datetime.fromtimestamp(stamp, UTC))
    assert first < then
    assert timedelta(0) < timedelta(seconds=later - waited) < timedelta(hours=1)


@pytest.mark.django_db
def test_the_database(alice: Person) -> None:
    assert soon_after(database_now())
    assert soon_after(Person.objects.values_list(Now(), flat=True).get())
    assert not Person.objects.filter(created_at__gt=Now()).exists()


def test_another_connection_to_sqlite() -> None:
    ask = "SELECT strftime('%Y-%m-%d', 'NOW'), strftime('%Y', '2001-01-01')"
    assert sqlite3.connect(":memory:").execute(ask).fetchone() == ("2041-07-01", "2001")


@pytest.mark.parametrize("depth", ["child", "grandchild"])
def test_a_process(depth: str) -> None:
    again = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {LOOK!r}])"
    lines = LOOK if depth == "child" else again
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)
    python, database, zone, loaded = done.stdout.split()
    assert soon_after(datetime.fromtimestamp(int(python), UTC))
    assert soon_after(datetime.fromtimestamp(int(database), UTC))
    assert (zone, loaded) == (AHEAD_OF_UTC, "False")


def zone_is_that_of_the_run() -> None:
    assert (os.environ["TZ"], time.strftime("%z")) == (WHERE, AHEAD_OF_UTC)
    assert time.localtime(AT.timestamp()).tm_hour == 15


def test_the_zone() -> None:
    zone_is_that_of_the_run()


def test_the_zone_while_django_has_another() -> None:
    with override_settings(TIME_ZONE="Europe/Berlin"):
        assert time.strftime("%z") == "+0200"


def test_the_zone_after_django_had_another() -> None:
    zone_is_that_of_the_run()


@pytest.mark.real
@pytest.mark.django_db(transaction=True)
def test_postgresql_s_three_functions() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        first, then = (cursor.execute(ASK).fetchone() for _ in range(2))
    assert all(map(soon_after, first))
    assert (first[0], first[1] < then[1], first[2] < then[2]) == (then[0], True, True)


@pytest.mark.real
@pytest.mark.django_db
def test_another_connection_to_postgresql_and_a_table_made_later() -> None:
    with psycopg.connect(**connection.get_connection_params()) as other:
        assert all(map(soon_after, other.execute(ASK).fetchone() or ()))
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE made (at timestamptz DEFAULT now())")
        cursor.execute("INSERT INTO made DEFAULT VALUES RETURNING at")
        assert soon_after(cursor.fetchone()[0])
