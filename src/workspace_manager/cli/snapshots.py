"""`snapshots`: copies of what is in components and stacks, and the way back."""

import uuid
from pathlib import Path

import click

from workspace_manager.cli.example import example
from workspace_manager.cli.ids import IdOf
from workspace_manager.cli.list_options import asking
from workspace_manager.cli.output import JSON, NOTHING, actor, fail, print_json, say, show
from workspace_manager.core.lists import ListQuery
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import (
    Component,
    Plan,
    Project,
    Snapshot,
    Stack,
)
from workspace_manager.snapshots import (
    creation,
    deletion,
    disclosure,
    in_place_restoration,
    restoration,
    schedule,
    verification,
)
from workspace_manager.snapshots.download import measure_download, read_download
from workspace_manager.snapshots.listings import SNAPSHOTS
from workspace_manager.snapshots.snapshot_views import view_schedule, view_snapshots, view_verdict
from workspace_manager.snapshots.stack_restoration import restore_as_new_stack
from workspace_manager.snapshots.store.snapshot_writer import PIECE
from workspace_manager.snapshots.store_access import open_reader, refuse_unfinished
from workspace_manager.wiring import connected_systems


@click.group()
def snapshots() -> None:
    """Copies of what is in components and stacks, and the way back."""


WHICH = click.argument("snapshot_id", type=IdOf(Snapshot), metavar="ID")


@snapshots.command("list", epilog=example("snapshots list --owner alan"))
@asking(SNAPSHOTS)
@JSON
def list_(asked: ListQuery, as_json: bool) -> None:
    """List snapshots."""
    rows = SNAPSHOTS.found(Snapshot.objects.select_related("owner"), asked)
    show(
        view_snapshots(list(rows)),
        ("id", "label", "owner", "source", "state", "bytes", "created_at", "verified_at"),
        as_json=as_json,
        empty=NOTHING if asked != ListQuery() else "There is no snapshot.",
    )


@snapshots.command(epilog=example('snapshots create 4f6b81ce --label "Before the exam"'))
@click.argument("source_id", type=IdOf(Component, Stack), metavar="SOURCE")
@click.option("--label", default="", help="What it is called; as its source.")
@JSON
def create(source_id: uuid.UUID, label: str, as_json: bool) -> None:
    """Make a snapshot of SOURCE, a component or a whole stack, for its owner."""
    source, systems = _source(source_id), connected_systems()
    snapshot, plan = creation.create(source, actor=actor(), systems=systems, label=label)
    _say(plan, f"makes the snapshot {snapshot.id}", as_json)


@snapshots.command(epilog=example('snapshots restore dca16297 --label "Notes again"'))
@WHICH
@click.option("--label", default="", help="What the new one is called; as the snapshot.")
@click.option("--project", type=IdOf(Project), metavar="ID", help="The project it belongs to.")
@click.option(
    "--in-place", is_flag=True, help="Replace what is in its component now; that is kept first."
)
@JSON
def restore(
    snapshot_id: uuid.UUID, label: str, project: uuid.UUID | None, in_place: bool, as_json: bool
) -> None:
    """Restore a snapshot as a new component or stack of its owner, or in place."""
    if in_place:
        if label or project:
            raise click.UsageError("--in-place takes neither --label nor --project.")
        _, kept, plan = in_place_restoration.restore_in_place(
            _found(snapshot_id), actor=actor(), systems=connected_systems()
        )
        _say(plan, f"keeps the present content as {kept.id} and replaces it", as_json)
        return
    snapshot, by, systems = _found(snapshot_id), actor(), connected_systems()
    into = Project.objects.get(id=project) if project else None
    if snapshot.source_type == Snapshot.SourceType.STACK:
        stack, plan = restore_as_new_stack(
            snapshot, label=label, project=into, actor=by, systems=systems
        )
        _say(plan, f"brings it back as the stack {stack.id}", as_json)
        return
    component, plan = restoration.restore_as_new(
        snapshot, label=label, project=into, actor=by, systems=systems
    )
    _say(plan, f"brings it back as the component {component.id}", as_json)


@snapshots.command(epilog=example("snapshots verify dca16297"))
@WHICH
@JSON
def verify(snapshot_id: uuid.UUID, as_json: bool) -> None:
    """Read all of a snapshot; the exit code is 1 if it differs from what was written."""
    snapshot = _finished(snapshot_id)
    verdict = verification.verify(snapshot)
    if as_json:
        print_json(view_verdict(snapshot, verdict))
    elif verdict.ok:
        say(f"{verdict.objects} objects are as they were written.")
    else:
        say("\n".join(one.english for one in verdict.damage))
    if not verdict.ok:
        raise SystemExit(1)


@snapshots.command(epilog=example("snapshots download dca16297 notes.sql.zst"))
@WHICH
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def download(snapshot_id: uuid.UUID, file: Path) -> None:
    """Write what is in a snapshot into FILE, decrypted and in zstd's format; of a stack as a tar
    archive.
    """
    snapshot = _finished(snapshot_id)
    reader = open_reader(snapshot)
    try:
        written = file.open("xb", buffering=PIECE)
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}. Name another file.")
    disclosure.note_download(snapshot, actor=actor())
    with written:
        for piece in read_download(reader, 0, measure_download(reader)):
            written.write(piece)
    say(f"{file} holds {', '.join(part.name for part in reader.manifest.parts)}.")


@snapshots.command(epilog=example("snapshots delete dca16297"))
@WHICH
@JSON
def delete(snapshot_id: uuid.UUID, as_json: bool) -> None:
    """Delete a snapshot: its content first."""
    plan = deletion.delete(_found(snapshot_id), actor=actor(), systems=connected_systems())
    _say(plan, "deletes the snapshot", as_json)


@snapshots.command("schedule", epilog=example("snapshots schedule 4f6b81ce --every day --keep 7"))
@click.argument("source_id", type=IdOf(Component, Stack), metavar="SOURCE")
@click.option("--every", type=click.Choice(["day", "week"]), help="Create one each day or week.")
@click.option("--keep", type=int, default=7, show_default=True, help="How many are kept.")
@click.option("--off", is_flag=True, help="End the schedule; what is there stays.")
@JSON
def schedule_(source_id: uuid.UUID, every: str | None, keep: int, off: bool, as_json: bool) -> None:
    """Show, change or end the snapshot schedule of SOURCE, a component or a whole stack."""
    source = _source(source_id)
    if every and off:
        raise click.UsageError("--off takes no --every.")
    if off:
        schedule.end_schedule(source, actor=actor())
    elif every:
        schedule.set_schedule(
            source, every=every, keep=keep, actor=actor(), systems=connected_systems()
        )
    row = schedule.find_schedule(source)
    show(
        [view_schedule(row)] if row else [],
        ("every", "keep", "next_at", "late"),
        as_json=as_json,
        empty="There is no schedule.",
    )


@snapshots.command(epilog=example("snapshots key dca16297"))
@WHICH
@JSON
def key(snapshot_id: uuid.UUID, as_json: bool) -> None:
    """Print an age identity file that opens the objects of a snapshot, and says where they lie; the
    audit log notes it.
    """
    shown = disclosure.show_key(_found(snapshot_id), actor=actor())
    identity = shown.identity.reveal()
    if as_json:
        print_json({"identity": identity, "place": shown.place})
    else:
        # Never wrapped: age reads it, and takes a line with "#" for a comment.
        click.echo(f"# place: {shown.place}\n{identity}")


def _source(source_id: uuid.UUID) -> Component | Stack:
    stack = Stack.objects.select_related("owner").filter(id=source_id).first()
    return stack or Component.objects.select_related("owner").get(id=source_id)


def _found(snapshot_id: uuid.UUID) -> Snapshot:
    return Snapshot.objects.select_related("owner").get(id=snapshot_id)


def _finished(snapshot_id: uuid.UUID) -> Snapshot:
    snapshot = _found(snapshot_id)
    refuse_unfinished(snapshot)
    return snapshot


def _say(plan: Plan, does: str, as_json: bool) -> None:
    if as_json:
        print_json(view_plan(plan).model_dump(mode="json"))
    else:
        say(f"Plan {plan.id} {does}.")
