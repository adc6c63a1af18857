"""An upload that is cut off, or that nobody wants any more, leaves nothing; and a load that is cut
off is not taken for the whole file.
"""

from collections.abc import Callable, Iterator

import pytest
from django.conf import LazySettings
from django.core.cache import cache

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.conftest import TABLES
from tests.snapshots.test_upload import FILE, as_owner, nothing_is_left, send, sql_server
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.snapshots import UPLOAD_SEEN, SnapshotFacts
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Component, Person, Plan, Snapshot
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.snapshots import deletion, upkeep, upload
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots_settings import SnapshotsLocation

__all__ = ["as_owner", "sql_server"]

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_store_that_fails_leaves_nothing(
    as_owner: Visitor,
    snapshot_store: SnapshotStore,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_args: object, **_more: object) -> None:
        raise Unavailable(quote_words("away"), kind="snapshots.content", doing=quote_words("x"))

    with monkeypatch.context() as patched:
        patched.setattr(type(snapshot_store), "put", fail)
        problem(send(as_owner), 503)
    assert nothing_is_left(snapshot_store)
    settings.SNAPSHOTS = SnapshotsLocation()
    problem(send(as_owner), 409)


def test_one_whose_plan_cannot_begin_leaves_nothing(
    as_owner: Visitor, snapshot_store: SnapshotStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object, **_more: object) -> None:
        raise Refused(quote_words("too many"))

    monkeypatch.setattr(upload, "restore_as_new", refuse)
    problem(send(as_owner), 409)
    assert nothing_is_left(snapshot_store)


def interrupted(owner: Person, world: World, act: Callable[[], None]) -> BaseException:
    """Do something in the middle of an upload; gives how the upload ended."""

    def pieces() -> Iterator[bytes]:
        yield FILE[:-1] + b" " * UPLOAD_SEEN
        act()
        yield FILE[-1:]

    order = upload.UploadOrder("sql_database", "Herbarium", None, "herbs.sql")
    with pytest.raises(BaseException) as ended:  # noqa: PT011  it is what is asked for
        upload.create_from_file(owner, order, pieces(), world.systems())
    return ended.value


def test_a_second_one_of_the_same_person_is_refused(
    owner: Person, world: World, snapshot_store: SnapshotStore
) -> None:
    order = upload.UploadOrder("sql_database", "Herbarium", None, "herbs.sql")
    ended = interrupted(
        owner,
        world,
        lambda: upload.create_from_file(owner, order, [FILE], world.systems()) and None,
    )
    assert isinstance(ended, Refused)
    assert "still being uploaded" in ended.reason
    assert nothing_is_left(snapshot_store)


def test_a_visitor_who_hangs_up_leaves_nothing(
    owner: Person, world: World, snapshot_store: SnapshotStore
) -> None:
    def hang_up() -> None:
        raise ConnectionResetError

    assert isinstance(interrupted(owner, world, hang_up), ConnectionResetError)
    assert nothing_is_left(snapshot_store)


def test_a_snapshot_that_is_deleted_while_it_arrives_leaves_nothing(
    owner: Person, world: World, snapshot_store: SnapshotStore
) -> None:
    def delete() -> None:
        deletion.delete(Snapshot.objects.get(), actor="alice", systems=world.systems())
        work(world)

    ended = interrupted(owner, world, delete)
    assert isinstance(ended, Refused)
    assert nothing_is_left(snapshot_store)


def test_an_owner_who_leaves_while_it_arrives_leaves_nothing(
    owner: Person, world: World, snapshot_store: SnapshotStore
) -> None:
    def leave() -> None:
        plan = draft_removal("alice", actor="root-admin", systems=world.systems())
        approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
        work(world)

    assert isinstance(interrupted(owner, world, leave), Refused)
    assert nothing_is_left(snapshot_store)
    assert not Person.objects.filter(username="alice").exists()


def test_what_a_killed_process_left_is_deleted(
    owner: Person, world: World, snapshot_store: SnapshotStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stay(_row: Snapshot) -> None:
        """Nothing of ours goes on."""

    def kill() -> None:
        snapshot_store.put(f"{Snapshot.objects.get().place}/try/000001", b"a part of it")
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(upload, "_take_away", stay)
        assert isinstance(interrupted(owner, world, kill), KeyboardInterrupt)
    upkeep.look(world.systems())
    work(world)
    assert Snapshot.objects.get().state == Snapshot.State.CREATING, "it may go on"
    cache.clear()
    upkeep.look(world.systems())
    work(world)
    assert nothing_is_left(snapshot_store)


def test_a_load_that_is_cut_off_is_not_taken_for_the_file(
    as_owner: Visitor, world: World, content: dict[str, source.Tables]
) -> None:
    """Somebody wrote into the new database first: it is not what the file holds."""

    def write_first(verb: str) -> None:
        if verb == "restore":
            source.MEANWHILE.clear()
            raise Unavailable(quote_words("away"), kind="x", doing=quote_words("x"))

    source.MEANWHILE.append(write_first)
    send(as_owner)
    work(world)
    assert not Plan.objects.exclude(state=Plan.State.DONE).exists()

    def fill(verb: str) -> None:
        if verb == "restore":
            source.MEANWHILE.clear()
            content[Component.objects.get(label="Second").address] = {"mine": ["1"]}
            raise Unavailable(quote_words("away"), kind="x", doing=quote_words("x"))

    source.MEANWHILE.append(fill)
    send(as_owner, label="Second")
    work(world)
    assert list(Plan.objects.exclude(state=Plan.State.DONE).values_list("state", flat=True)) == [
        Plan.State.STUCK
    ]
    second = Component.objects.get(label="Second")
    assert (second.state, content[second.address]) == ("failed", {"mine": ["1"]})


def test_a_load_that_ended_is_not_begun_again(
    as_owner: Visitor,
    world: World,
    content: dict[str, source.Tables],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The worker died while it counted what it had loaded."""
    loads: list[str] = []
    source.MEANWHILE.append(loads.append)
    count = source.MemorySource.facts

    def die_once(self: source.MemorySource, address: str) -> SnapshotFacts:
        if loads == ["restore", "restored"]:
            loads.append("died")
            raise Unavailable(quote_words("away"), kind="x", doing=quote_words("x"))
        return count(self, address)

    monkeypatch.setattr(source.MemorySource, "facts", die_once)
    send(as_owner)
    work(world)
    component = Component.objects.get()
    assert loads == ["restore", "restored", "died"]
    assert (component.state, content[component.address]) == ("ready", TABLES)
    assert Snapshot.objects.get().loaded_into == component.id
