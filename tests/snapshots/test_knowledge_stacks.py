"""The life of a snapshot of a knowledge stack: its volumes are kept while nothing of it runs, and
come back under a new one. Stacks are those of the stand-in of the container manager.
"""

import base64
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import zstandard
from django.utils import timezone

from tests.fake_world.templates import TITLE, make_stack_request
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.systems.container_manager.content import CONTENT, OTHER
from workspace_manager.contract import slots
from workspace_manager.contract.connector import System
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.guarded_system import GuardedSystem
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.plan import parsed
from workspace_manager.knowledge_stacks import templates
from workspace_manager.knowledge_stacks.recipe import choose_again
from workspace_manager.records.models import Component, Person, Plan, Snapshot, StackTemplate
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.snapshots import (
    creation,
    deletion,
    in_place_restoration,
    restoration,
    source_deletion,
    verification,
)
from workspace_manager.snapshots.content import facts_of
from workspace_manager.snapshots.download import read_download
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store.snapshot_writer import SnapshotWriter
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.systems import registry
from workspace_manager.systems.container_manager.settings import Settings
from workspace_manager.systems.container_manager.snapshots.copy_container import CopyContainer
from workspace_manager.web.snapshot_download import file_name, open_download
from workspace_manager.wiring import resolve
from workspace_manager.work import components
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn, archives

pytestmark = pytest.mark.django_db(transaction=True)

KEY = "ptr_canary-31ab"
COMPOSE = """
services:
  web:
    image: sandbox/notebook
    environment: {TITLE: "${TITLE}"}
    volumes: [files:/data]
volumes: {files: }
"""


class Killed(BaseException):
    """Nothing of ours goes on."""


@dataclass
class StackWorld(World):
    """A world in memory whose container manager is the stand-in."""

    stand_in: ContainerManagerStandIn | None = field(default=None, kw_only=True)

    def systems(self) -> ConnectedSystems:
        assert self.stand_in
        found, spec = super().systems(), registry().specs["container_manager"]
        settings = Settings(url=self.stand_in.url, api_key=Secret(KEY), stack_ports="21000-21099")
        connected = spec.connector()(settings, resolve)
        cast(dict[str, System], found.by_name)["container_manager"] = GuardedSystem(spec, connected)
        cast(dict[str, SystemSettings], found.settings)["container_manager"] = settings
        return found

    def content(self, component: Component) -> list[tuple[Any, ...]]:
        """What is in its volume: names, owners, modes and content."""
        assert self.stand_in
        volume = self.stand_in.state["engine"]["volumes"][f"{component.name}_files"]
        entries = archives.read(base64.b64decode(volume["content"]))
        return [(one.name, one.uid, one.gid, one.mode, one.linkname, data) for one, data in entries]

    def fill(self, component: Component) -> None:
        assert self.stand_in
        volume = self.stand_in.state["engine"]["volumes"][f"{component.name}_files"]
        volume["content"] = base64.b64encode(archives.write(CONTENT)).decode()

    def spoil(self, component: Component) -> None:
        assert self.stand_in
        volume = self.stand_in.state["engine"]["volumes"][f"{component.name}_files"]
        volume["content"] = base64.b64encode(archives.write(OTHER)).decode()

    def states(self, component: Component) -> list[str]:
        assert self.stand_in
        records = self.stand_in.state["engine"]["containers"].values()
        return [one["status"] for one in records if one["name"].startswith(f"{component.name}-")]


@pytest.fixture
def world() -> Iterator[StackWorld]:
    made = ContainerManagerStandIn(api_key=KEY)
    with running(made):
        yield StackWorld(stand_in=made)
    slots.forget()


@pytest.fixture
def template(owner: Person, world: StackWorld) -> StackTemplate:
    draft = templates.Draft(
        name="sample", label="Sample", compose=COMPOSE, parameters=[TITLE], web_service="web",
        web_port=8080,
    )  # fmt: skip
    made = templates.add(draft, actor="root-admin", systems=world.systems())
    return templates.offer(made, actor="root-admin", systems=world.systems())


@pytest.fixture
def stack(template: StackTemplate, owner: Person, world: StackWorld) -> Component:
    component, _ = components.create(
        owner, kind="knowledge_stack", label="Ferns", project=None, wanted=make_stack_request(),
        systems=world.systems(),
    )  # fmt: skip
    finish(world, component)
    world.fill(component)
    return component


def finish(world: World, *rows: Component | Snapshot) -> None:
    work(world)
    ended = (Plan.State.DONE, Plan.State.SUPERSEDED)
    plans = Plan.objects.filter(belongs_to=None).exclude(state__in=ended)
    stuck = [
        (plan.kind, step.name, str(step.reason)) for plan in plans for step in plan.steps.all()
    ]
    assert not stuck
    for row in rows:
        row.refresh_from_db()
        assert row.state == "ready"


def take(world: StackWorld, stack: Component) -> Snapshot:
    snapshot, _ = creation.create(stack, actor="alice", systems=world.systems(), label="Monday")
    finish(world, snapshot)
    return snapshot


def test_from_its_making_to_the_last_trace(
    stack: Component, world: StackWorld, snapshot_store: SnapshotStore, template: StackTemplate
) -> None:
    before = world.content(stack)
    snapshot = take(world, stack)
    assert snapshot.consistent
    assert verification.verify(snapshot).ok
    assert world.states(stack) == ["running"]
    recipe = facts_of(open_reader(snapshot).manifest).recipe
    assert recipe["template"] == "sample"
    assert recipe["parameters"] == {"TITLE": "Ferns"}

    # What it is made of again is what it was made of, whatever became of the template.
    templates.withdraw(template, actor="root-admin")
    again, plan = restoration.restore_as_new(
        snapshot, label="Again", project=None, actor="alice", systems=world.systems()
    )
    finish(world, again)
    assert world.content(again) == before
    assert world.states(again) == ["running"]
    assert again.name != stack.name
    assert again.made_from["parameters"] == {"TITLE": "Ferns"}
    steps = [step.name for step in plan.steps.order_by("n")]
    assert steps[0] == "restore_content"
    assert steps[-1] == "create_stack"

    removal = draft_removal("alice", actor="root-admin", systems=world.systems())
    approve_removal(removal.id, digest=removal.digest, actor="root-admin", systems=world.systems())
    finish(world)
    assert not Snapshot.objects.exists()
    assert list(snapshot_store.names()) == []
    assert world.stand_in
    assert world.stand_in.state["engine"]["volumes"] == {}
    assert world.stand_in.state["engine"]["containers"] == {}


def test_what_a_killed_capture_stopped_runs_again_when_it_is_deleted(
    stack: Component,
    world: StackWorld,
    snapshot_store: SnapshotStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def kill(*_: object) -> None:
        raise Killed

    snapshot, _ = creation.create(stack, actor="alice", systems=world.systems())
    with monkeypatch.context() as patch:
        patch.setattr("workspace_manager.snapshots.content.SnapshotWriter.open_part", kill)
        with pytest.raises(Killed):
            work(world)
    assert sorted(world.states(stack)) == ["exited", "running"]
    deletion.delete(snapshot, actor="alice", systems=world.systems())
    finish(world)
    assert world.states(stack) == ["running"]
    assert not Snapshot.objects.exists()


def test_a_capture_that_was_killed_is_made_anew(
    stack: Component,
    world: StackWorld,
    snapshot_store: SnapshotStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kills = [1]

    def kill(self: Any, name: str) -> Any:
        if kills:
            kills.clear()
            raise Killed
        return opened(self, name)

    opened = SnapshotWriter.open_part
    monkeypatch.setattr(SnapshotWriter, "open_part", kill)
    snapshot, _ = creation.create(stack, actor="alice", systems=world.systems())
    with pytest.raises(Killed):
        work(world)
    Plan.objects.update(lease_until=None)
    finish(world, snapshot)
    assert world.states(stack) == ["running"]


def test_a_template_that_is_no_more_is_made_of_what_was_kept(
    stack: Component, world: StackWorld, snapshot_store: SnapshotStore, template: StackTemplate
) -> None:
    snapshot = take(world, stack)
    StackTemplate.objects.all().delete()
    again, _ = restoration.restore_as_new(
        snapshot, label="Again", project=None, actor="alice", systems=world.systems()
    )
    finish(world, again)
    assert again.template is None
    assert world.content(again) == world.content(stack)


def test_what_cannot_be_made_now_is_refused_before_anything_is(
    stack: Component, world: StackWorld, snapshot_store: SnapshotStore
) -> None:
    snapshot = take(world, stack)
    StackTemplate.objects.all().delete()
    facts = facts_of(open_reader(snapshot).manifest)
    broken = {**facts.recipe, "compose": "services: {web: {image: a, privileged: true}}"}
    with pytest.raises(Refused, match="sample"):
        choose_again(snapshot.owner, broken, world.systems())


def test_what_is_downloaded_is_opened_by_zstd_and_tar(
    stack: Component, world: StackWorld, snapshot_store: SnapshotStore, tmp_path: Path
) -> None:
    snapshot = take(world, stack)
    asked = open_download(snapshot, "")
    assert file_name(snapshot, asked.reader).endswith(".tar.zst")
    packed = b"".join(read_download(asked.reader, 0, asked.size))
    stream = zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True)
    command = ["tar", "--extract", "--ignore-zeros", "--no-same-owner"]
    subprocess.run(command, input=stream.read(), cwd=tmp_path, check=True)
    assert (tmp_path / "files" / "pages").read_bytes() == b"rows"


def order_in_place(snapshot: Snapshot, world: StackWorld) -> tuple[Snapshot, Plan]:
    _, first, plan = in_place_restoration.restore_in_place(
        snapshot, actor="alice", systems=world.systems()
    )
    return first, plan


def containers(world: StackWorld) -> set[str]:
    assert world.stand_in
    return set(world.stand_in.state["engine"]["containers"])


def test_it_is_restored_in_place(
    stack: Component, world: StackWorld, snapshot_store: SnapshotStore
) -> None:
    snapshot, before = take(world, stack), world.content(stack)
    address, programs = stack.address, containers(world)
    world.spoil(stack)
    spoiled = world.content(stack)
    assert in_place_restoration.find_target(snapshot, world.systems()) == stack
    first, plan = order_in_place(snapshot, world)
    remarks = parsed(plan.document_text).remarks
    said = [one.code for one in remarks if isinstance(one, Message)]
    assert said == ["snapshots.programs_stop_twice", "snapshots.copies_in_place"]
    finish(world, first, stack)
    assert world.content(stack) == before
    assert world.states(stack) == ["running"]
    assert (stack.address, containers(world)) == (address, programs)
    assert world.stand_in
    assert [*world.stand_in.state["engine"]["volumes"]] == [f"{stack.name}_files"]
    again, _ = order_in_place(first, world)
    finish(world, again, stack)
    assert world.content(stack) == spoiled


@pytest.fixture
def half_replaced(
    stack: Component,
    world: StackWorld,
    snapshot_store: SnapshotStore,
    monkeypatch: pytest.MonkeyPatch,
) -> Component:
    """A stack whose volume was emptied for a restore in place, and whose worker was killed then."""

    def kill(*_: object) -> None:
        raise Killed

    snapshot = take(world, stack)
    world.spoil(stack)
    order_in_place(snapshot, world)
    with monkeypatch.context() as patch:
        patch.setattr(CopyContainer, "_unpack", kill)
        with pytest.raises(Killed):
            work(world)
    Plan.objects.update(lease_until=None)
    assert world.content(stack) != []
    assert "exited" in world.states(stack)
    return stack


def test_a_killed_switch_goes_on(half_replaced: Component, world: StackWorld) -> None:
    stack = half_replaced
    with pytest.raises(Refused, match="restored in place"):
        creation.create(stack, actor="alice", systems=world.systems())
    finish(world, stack)
    assert [row[0] for row in world.content(stack)] == [one.name for one, _ in CONTENT]
    assert world.states(stack) == ["running"]


def test_volumes_that_are_half_replaced_are_not_kept(
    half_replaced: Component, owner: Person, world: StackWorld
) -> None:
    """Whoever deletes the stack with its volumes gets rid of those beside, too."""
    delete = partial(source_deletion.delete_component, by=owner, systems=world.systems())
    with pytest.raises(Refused, match="being replaced"):
        delete(half_replaced, keep_volumes=True)
    plan = delete(half_replaced)
    assert plan.steps.order_by("n").values_list("name", flat=True)[0] == "discard_restored_content"
    Plan.objects.filter(id=plan.id).update(due_at=timezone.now() - timedelta(days=1))
    plan.steps.update(next_try_at=None)
    finish(world)
    assert world.stand_in
    assert world.stand_in.state["engine"]["volumes"] == {}
    assert world.stand_in.state["engine"]["containers"] == {}


def test_other_volumes_replace_nothing(
    stack: Component, world: StackWorld, snapshot_store: SnapshotStore
) -> None:
    snapshot, before = take(world, stack), world.content(stack)
    assert world.stand_in
    volumes = world.stand_in.state["engine"]["volumes"]
    volumes["more"] = {**volumes[f"{stack.name}_files"], "name": "more"}
    volumes["more"]["labels"] = {**volumes["more"]["labels"], "com.docker.compose.volume": "more"}
    _, plan = order_in_place(snapshot, world)
    work(world)
    [load] = plan.steps.filter(name="load_content_beside")
    assert load.state == "stuck"
    assert "do not have the same volumes: more" in load.reason.english
    assert world.content(stack) == before
    assert world.states(stack) == ["running"]
