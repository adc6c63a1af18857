"""Fixtures of this room's tests."""

import pytest
from django.conf import LazySettings

from tests.reconcile.fakes import holding, walks
from workspace_manager.snapshots_settings import SnapshotsLocation

__all__ = ["holding", "walks"]


@pytest.fixture(autouse=True)
def no_store_of_snapshots(settings: LazySettings) -> None:
    """The comparison of the store has tests of its own (`tests/snapshots/test_compared.py`)."""
    settings.SNAPSHOTS = SnapshotsLocation()
