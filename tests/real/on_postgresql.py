"""A plugin for tests of the rooms on PostgreSQL (`pytest -p tests.real.on_postgresql`)."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def the_connection_of_the_test_stays() -> Iterator[None]:
    """A request closes connections that are in no state it knows, as that of a test is, which is in
    a transaction. SQLite in memory does not close.
    """
    # Not at the top: a plugin is loaded before there are settings.
    from django.core.signals import request_finished, request_started
    from django.db import close_old_connections

    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)
