"""Inventory of the ontology editor, as far as it tells our key: the projects that our account made
or may use.

Those in the trash are gone for us; projects of others, members of a project and the accounts of
people are shown by no call, so they are in no inventory. The list comes as one document; a page is
a part of it, in the order of ids, so that nothing moves when a project goes meanwhile.
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
    """Read the page of those that come after the cursor."""
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
    """An entry that is no project is named by its place; nothing can be done with it."""
    return _unread(f"#{place}", message("seen_odd_entry", place=place))


def _odd_id(project_id: str) -> InventoryEntry:
    """No call can address it."""
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
