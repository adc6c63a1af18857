"""Things in the records: databases, repositories, stacks, ontology projects, groups and clients."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from workspace_manager.accounts import public_read, repositories
from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.knowledge_stacks import kind as knowledge_stacks
from workspace_manager.records.models import Component, Project
from workspace_manager.systems.container_manager import names as container_names
from workspace_manager.systems.identity_provider import names as identity_names
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.work import ontology_names

Key = tuple[str, str]

DATABASE: Final = sql_names.DATABASE_KIND
REPOSITORY: Final = repositories.REPOSITORY
PUBLIC: Final = public_read.PUBLIC
"""Public read access to a repository, which ends with the repository."""
ONTOLOGY: Final = ontology_names.KIND
STACK: Final = container_names.STACK_KIND
GROUP: Final = knowledge_stacks.GROUP
CLIENT: Final = knowledge_stacks.CLIENT
COMPONENTS: Final[Mapping[str, str]] = {
    DATABASE: Component.Kind.SQL_DATABASE,
    REPOSITORY: Component.Kind.TRIPLESTORE_REPOSITORY,
    STACK: Component.Kind.KNOWLEDGE_STACK,
    container_names.VOLUMES_KIND: Component.Kind.KNOWLEDGE_STACK,
    GROUP: Component.Kind.KNOWLEDGE_STACK,
    CLIENT: Component.Kind.KNOWLEDGE_STACK,
    PUBLIC: Component.Kind.TRIPLESTORE_REPOSITORY,
}
"""The kind of component of each kind of thing."""
MADE_OF_PARTS: Final = frozenset({GROUP, CLIENT})
"""Kinds that systems also have for themselves: only those with our mark can be left over."""
ALWAYS_THERE: Final = (DATABASE, REPOSITORY, STACK)
"""Kinds that every ready component has."""


@dataclass
class Things:
    """The records about a page's things."""

    page: Sequence[InventoryEntry]
    recorded: dict[Key, Component | Project] = field(default_factory=dict)

    def can_be_recorded(self, one: InventoryEntry) -> bool:
        if one.kind in MADE_OF_PARTS:
            return one.ours
        # An unrecorded repository is reported once, not again for its public access.
        return one.kind in COMPONENTS.keys() - {PUBLIC} or one.kind == ONTOLOGY

    def is_recorded(self, one: InventoryEntry) -> bool:
        return (one.kind, one.name) in self.recorded

    def ready(self, kinds: Collection[str]) -> Iterator[tuple[InventoryEntry, Component]]:
        """Yield recorded and finished things of some kinds, with their components."""
        for one in self.page:
            if one.kind not in kinds or one.kept is not None:
                continue
            if one.unread or one.holders_unread:
                continue
            thing = self.recorded.get((one.kind, one.name))
            if isinstance(thing, Component) and thing.state == Component.State.READY:
                yield one, thing


def things_of(page: Sequence[InventoryEntry]) -> Things:
    """Load the records about these entries."""
    found = Things(page)
    wanted: dict[str, dict[str, list[Key]]] = defaultdict(lambda: defaultdict(list))
    for one in page:
        if one.kind in COMPONENTS:
            wanted[COMPONENTS[one.kind]][_component_name(one.kind, one.name)].append(
                (one.kind, one.name)
            )
    for kind, names in wanted.items():
        rows = Component.objects.filter(kind=kind, name__in=names).select_related("owner")
        for row in rows.order_by():
            found.recorded |= dict.fromkeys(names[row.name], row)
    ids = {one.name for one in page if one.kind == ONTOLOGY}
    if ids:
        for project in Project.objects.filter(ontology_project_id__in=ids).order_by():
            found.recorded[ONTOLOGY, project.ontology_project_id] = project
    return found


def _component_name(kind: str, name: str) -> str:
    return identity_names.stack_of_group(name) if kind == GROUP else name


def component_of(kind: str, name: str) -> Component | None:
    """Return the component of a thing now."""
    rows = Component.objects.filter(kind=COMPONENTS.get(kind, ""))
    return rows.filter(name=_component_name(kind, name)).first()


def is_recorded_thing(kind: str, name: str) -> bool:
    """Return whether a thing is recorded now."""
    if kind == ONTOLOGY:
        return Project.objects.filter(ontology_project_id=name).exists()
    return component_of(kind, name) is not None
