"""The first sign-in connects the drive, as each later one does: the real drive took the second."""

from collections.abc import Iterator

import pytest

from tests.access.sign_in_setup import SignInSetup, opened, pinned
from tests.visitors import Visitor
from workspace_manager.records.models import DriveConnection


@pytest.fixture(scope="module")
def open_door() -> Iterator[SignInSetup]:
    with opened("nele") as setup:
        yield setup


@pytest.mark.django_db
def test_the_first_sign_in_leaves_a_visit_to_the_drive(
    open_door: SignInSetup, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned(monkeypatch, open_door)
    assert open_door.sign_in(Visitor(), "nele").status_code == 302
    waiting = DriveConnection.objects.get()
    assert (waiting.person.username, waiting.sync_until is not None) == ("nele", True)
    assert waiting.token is not None
