"""The account at the drive is made before anybody gets there: two first requests would race."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tests.drive_credentials.both import TOKEN, Both
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.drive_credentials import after_sign_in, first_account, in_browser
from workspace_manager.records.models import Person


@pytest.mark.usefixtures("in_a_file", "patient")
def test_six_first_sign_ins_of_one_person_come_to_the_drive_one_by_one(
    both: Both, systems: ConnectedSystems, mira: Person
) -> None:
    at_once: list[int] = []
    inside = threading.Semaphore(6)

    def between() -> None:
        with inside:
            at_once.append(6 - inside._value)
            time.sleep(0.02)

    both.between = between
    start = threading.Barrier(6)

    def come(_number: int) -> None:
        try:
            start.wait()
            first_account.make(mira, systems, TOKEN)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(come, range(6)))
    assert at_once == [1] * 6


@pytest.mark.django_db
@pytest.mark.parametrize("waits", [True, False])
def test_a_sign_in_in_the_browser_begins_after_the_visit_that_would_race_with_it(
    both: Both, systems: ConnectedSystems, mira: Person, waits: bool
) -> None:
    if waits:
        after_sign_in.request_sync(mira, TOKEN, timezone.now() + timedelta(minutes=1))
    begun: list[int] = []
    both.between = lambda: begun.append(both.begun)
    in_browser.start(mira, systems)
    assert begun == ([0] if waits else [])
    assert both.begun == 1
