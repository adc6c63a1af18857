"""What all tests share, the sandbox's too: settings that need no environment, people, and clients
that are signed in as them.

alice owns, bob is a member of what she shares, charlie is a stranger to it, ada administers, and
nobody is nobody. No system is configured: a test that needs one pins its settings, or starts a
stand-in.
"""

import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings

from tests import let_go
from tests.fake_world.world import World
from tests.visitors import BACKEND, Visitor
from workspace_manager.audit import teller
from workspace_manager.contract import wait_hooks
from workspace_manager.core import wake
from workspace_manager.records.models import Person
from workspace_manager.snapshots_settings import SnapshotsLocation
from workspace_manager.web.headers import identity_provider_origin

pytest_plugins = [
    "tests.causes",
    "tests.clock",
    "tests.chromium",
    "tests.real_parts",
    "tests.real_table",
    "tests.real_watch",
    "tests.real_running",
    "tests.real_demo",
    "workspace_sandbox.conformance.plugin",
    "tests.figures",
    "tests.lock_order",
    "tests.everyday",
    "tests.migrated",
    "tests.longest_first",
    "tests.files_of_a_run",
    "tests.client_patience",
]

# pytest-django reads the settings before any conftest: what the environment would say is set here
# instead, and only for this process.
settings.SECRET_KEYS = ["a key for tests only, and only for tests"]
# A slow machine draws values slowly: no verdict is one of speed.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("unhurried")
os.umask(0o022)  # real parts run as other accounts, which read what is made for them
settings.SECRET_KEY = settings.SECRET_KEYS[0]
settings.REGISTRATION_RATE = settings.PERSON_RATE = settings.TOKEN_RATE = 0
settings.PREVIEW_WAIT_SECONDS = 0
settings.RECONCILE_HOURS = 0
_scratch = tempfile.TemporaryDirectory(prefix="workspace-tests-", ignore_cleanup_errors=True)
settings.SNAPSHOTS = SnapshotsLocation(folder=Path(_scratch.name) / "snapshots")
settings.QUEUE_URL = f"sqlite:///{Path(_scratch.name) / 'queue.sqlite3'}"


@pytest.fixture
def alice(db: None) -> Person:
    """Owns things."""
    return _person("alice")


@pytest.fixture
def bob(db: None) -> Person:
    """Is a member of what alice shares."""
    return _person("bob")


@pytest.fixture
def charlie(db: None) -> Person:
    """Has nothing to do with it."""
    return _person("charlie")


@pytest.fixture
def ada(db: None) -> Person:
    """Administers."""
    return _person("ada", role=Person.Role.ADMINISTRATOR)


def _person(username: str, role: str = Person.Role.USER) -> Person:
    return Person.objects.create_user(
        username,
        email=f"{username}@example.org",
        email_confirmed=True,
        first_name=username.title(),
        role=role,
    )


@pytest.fixture(autouse=True)
def origin_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the headers of every answer read anew each half minute is not read, in no test that does
    not ask for it: whoever compares how many statements two answers take would count the clock.
    """
    monkeypatch.setattr(identity_provider_origin, "until", math.inf)


@pytest.fixture
def visitor_for(db: None) -> Callable[[Person | None], Visitor]:
    """Make a client that is signed in as somebody, or as nobody."""

    def make(person: Person | None) -> Visitor:
        visitor = Visitor(person)
        if person is not None:
            visitor.force_login(person, backend=BACKEND)
        return visitor

    return make


@pytest.fixture
def as_alice(visitor_for: Callable[[Person], Visitor], alice: Person) -> Visitor:
    return visitor_for(alice)


@pytest.fixture
def as_bob(visitor_for: Callable[[Person], Visitor], bob: Person) -> Visitor:
    return visitor_for(bob)


@pytest.fixture
def as_charlie(visitor_for: Callable[[Person], Visitor], charlie: Person) -> Visitor:
    return visitor_for(charlie)


@pytest.fixture
def as_administrator(visitor_for: Callable[[Person], Visitor], ada: Person) -> Visitor:
    return visitor_for(ada)


@pytest.fixture
def as_nobody(visitor_for: Callable[[None], Visitor]) -> Visitor:
    return visitor_for(None)


@pytest.fixture(autouse=True)
def nobody_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """No queue is known in tests, and nobody is told of what happens, whatever part of the manager
    was imported before.
    """
    monkeypatch.setattr(wake, "_queue", "")
    monkeypatch.setattr(teller, "_teller", "")


@pytest.fixture(autouse=True)
def nothing_is_held_while_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection to the database is given back before each call and each wait."""
    monkeypatch.setattr(wait_hooks, "_let_go", let_go.let_go)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What somebody would be woken for: ids of plans, "letters", "visits", "reconcile",
    "take-overs" and "webhooks"; looks at systems are left out. (That it waits for the commit:
    core/test_wake.)
    """
    found: list[Any] = []
    names = {
        "enqueue_letters": "letters",
        "enqueue_drive_visits": "visits",
        "enqueue_reconcile": "reconcile",
        "enqueue_take_overs": "take-overs",
        "enqueue_webhooks": "webhooks",
    }

    def note(ask: str, *what: Any) -> None:
        if ask != "enqueue_look":
            found.append(names.get(ask) or what[0])

    monkeypatch.setattr(wake, "_after_commit", note)
    return found


@pytest.fixture
def world() -> World:
    return World()
