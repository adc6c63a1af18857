"""Inventory of the ontology editor, as far as our key sees it: projects that our account made or
may use.

Those in the trash count as removed. No call lists other projects, members of a project, or people's
accounts, so they are in no inventory. The list is one document; its pages are ordered by id, so
that a deletion in between moves nothing.
"""

from typing import Final, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.inventory import InventoryEntry, Page, in_order
from workspace_manager.contract.message import Message
from workspace_manager.systems.ontology_editor import names, shapes
from workspace_manager.systems.ontology_editor.client.calls import KIND_PROJECT
from workspace_manager.systems.ontology_editor.connector import OntologyEditor
from workspace_manager.systems.ontology_editor.messages import message

MOST: Final = 500


def inventory(system: System, cursor: str) -> Page:
    """Return the page after the cursor."""
    projects = {}
    for one in cast(OntologyEditor, system).client.each_project():
        if isinstance(one, int):
            odd = _odd(one)
            projects[odd.name] = odd
        elif not one.in_trash:
            projects[one.id] = _project(one) if names.is_project_id(one.id) else _odd_id(one.id)
    page, following = in_order(projects, cursor, MOST)
    return Page(tuple(projects[id_] for id_ in page), following)


def _odd(place: int) -> InventoryEntry:
    """Return the entry of an item that is no project, named by its place; nothing can be done with
    it.
    """
    return _unread(f"#{place}", message("seen_odd_entry", place=place))


def _odd_id(project_id: str) -> InventoryEntry:
    """Return the entry of a project that no call can address."""
    return _unread(project_id, message("seen_odd_id"))


def _unread(name: str, text: Message) -> InventoryEntry:
    target = {"project_id": name}
    return InventoryEntry(KIND_PROJECT, target, name, seen=text, kept=text, unread=True)


def _project(one: shapes.ProjectEntry) -> InventoryEntry:
    mark = names.mark_in(one.description)
    return InventoryEntry(
        kind=KIND_PROJECT,
        target=names.existing_project(one.id, mark=mark, owner=one.owner),
        name=one.id,
        seen=(
            message("seen_project", title=names.title(one.title) or one.id, owner=one.owner)
            if one.owner
            else message("seen_project_of_nobody", title=names.title(one.title) or one.id)
        ),
        ours=bool(mark),
        kept=None if mark else message("kept_without_mark"),
        holders=(one.owner,) if one.owner else (),
    )
