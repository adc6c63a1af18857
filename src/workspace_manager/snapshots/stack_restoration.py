"""A snapshot of a stack is brought back as a new stack: each part is made as every component is,
and then its content. What runs programs comes last, and works with the new parts.
"""

from django.db import transaction

from workspace_manager.accounts.labels import checked_label
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import Vault
from workspace_manager.knowledge_stacks.recipe import choose_again
from workspace_manager.knowledge_stacks.stack_choice import StackChoice
from workspace_manager.records.models import Component, Plan, Project, Snapshot, Stack
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.restoration import (
    lock_restore,
    restore_step,
    store_restore,
)
from workspace_manager.snapshots.stack_content import StackPartFacts, stack_facts_of
from workspace_manager.snapshots.store.manifest import Manifest
from workspace_manager.snapshots.store_access import open_reader, refuse_unfinished
from workspace_manager.work import stacks
from workspace_manager.work.reservation import ComponentSpec, place_behind, reserve


def restore_as_new_stack(
    snapshot: Snapshot,
    *,
    label: str,
    project: Project | None,
    actor: str,
    systems: ConnectedSystems,
) -> tuple[Stack, Plan]:
    """Store the plan that makes another stack of the snapshot's owner and loads the content into
    its parts. Raises BadInput for a label that cannot be, and Refused.
    """
    label = checked_label(label or snapshot.label)
    refuse_unfinished(snapshot)
    manifest = open_reader(snapshot).manifest
    chosen = _choose_again(snapshot, manifest, systems)
    with transaction.atomic():
        owner, project, current = lock_restore(snapshot, project)
        stack = stacks.make_row(owner, label, project)
        vault = Vault()
        steps, parts = _make_parts(stack, current, manifest, chosen, systems, vault)
        plan = store_restore(
            current, stack, steps, remarks=_remarks(manifest), parts=parts, vault=vault, actor=actor
        )
    return stack, plan


def _runs_programs(part: StackPartFacts) -> bool:
    return part.kind == Component.Kind.KNOWLEDGE_STACK


def _choose_again(
    snapshot: Snapshot, manifest: Manifest, systems: ConnectedSystems
) -> StackChoice | None:
    """Return the choice for the knowledge stack in it; None where there is none. Raises Refused for
    one that cannot be made now.
    """
    parts = stack_facts_of(manifest).parts
    part = next(filter(_runs_programs, parts), None)
    if part is None:
        return None
    chosen = choose_again(snapshot.owner, part.facts.recipe, systems)
    missing = set(chosen.needed_parts()) - {one.kind for one in parts}
    if missing:
        raise Refused(message("part_missing", kinds=", ".join(sorted(missing))))
    return chosen


def _remarks(manifest: Manifest) -> tuple[Message, ...]:
    """Return how much room it needs besides, where there are volumes."""
    folders = [f"{one.folder}/" for one in stack_facts_of(manifest).parts if _runs_programs(one)]
    sizes = [part.bytes for part in manifest.parts if part.name.startswith(tuple(folders))]
    return (message("second_copy", bytes=max(sizes)),) if sizes else ()


def _make_parts(
    stack: Stack,
    snapshot: Snapshot,
    manifest: Manifest,
    chosen: StackChoice | None,
    systems: ConnectedSystems,
    vault: Vault,
) -> tuple[tuple[PlannedStep, ...], dict[str, str]]:
    """The steps of all parts, and which are whose."""
    spec = ComponentSpec(stack.owner, stack.label, stack.project, stack)
    steps: tuple[PlannedStep, ...] = ()
    mine: dict[str, tuple[PlannedStep, ...]] = {}
    made: dict[str, Component] = {}
    for held in sorted(stack_facts_of(manifest).parts, key=_runs_programs):
        first = len(steps) + 1
        if chosen and _runs_programs(held):
            uses = {kind: made[kind] for kind in chosen.needed_parts()}
            part, own = reserve(spec, held.kind, systems, vault, chosen=chosen.with_parts(uses))
            # Its content is there, and counted, before a program of it changes anything.
            before = tuple(step.n for step in steps)
            load = restore_step(snapshot, part, n=first, needs=before, folder=held.folder)
            own = (load, *place_behind(own, first + 1, (first,)))
            stack.address = part.address
            stack.save(update_fields=["address"])
        else:
            part, own = reserve(spec, held.kind, systems, vault)
            own = place_behind(own, first)
            last, needs = first + len(own), tuple(step.n for step in own)
            own = (
                *own,
                restore_step(snapshot, part, n=last, needs=needs, folder=held.folder),
            )
            made[held.kind] = part
        steps, mine[str(part.id)] = (*steps, *own), own
    return steps, stacks.number_steps(mine)
