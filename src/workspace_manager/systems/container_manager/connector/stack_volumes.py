"""The volumes of a stack, which outlive it: they contain what was written in it."""

from typing import ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.systems.container_manager.client import Client, Part
from workspace_manager.systems.container_manager.client.connection import CALLS, SYSTEM
from workspace_manager.systems.container_manager.connector.helper_container import remove_helpers
from workspace_manager.systems.container_manager.connector.stack_state import is_ours
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import VOLUMES_KIND, stack_beside


class StackVolumesConnector:
    """The connector of volumes with a stack's name and our mark, and of those that a restore in
    place left beside; other volumes of that name stay.
    """

    kind: ClassVar[str] = VOLUMES_KIND
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: Client) -> None:
        self._client = client

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the volumes. `before`: their names."""
        names = [one.name for one in self._find_ours(target)]
        before: Facts | None = {"volumes": [*names]} if names else None
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:  # noqa: ARG002
        """Raise Invalid: volumes are not made here."""
        raise Invalid(
            message("volumes_not_made"),
            kind=self.kind,
            doing=message("making_volumes"),
            advice=message("make_the_stack"),
        )

    def remove(self, change: Change) -> Outcome:
        """Remove each volume. Raises Conflict while a container uses one."""
        remove_helpers(self._client, change.target)
        removed = False
        for one in self._find_ours(change.target):
            try:
                self._client.remove_volume(one.name)
                removed = True
            except NotFound:
                continue
        return CHANGED if removed else ALREADY

    def verify(self, change: Change) -> Evidence | None:
        """Look again."""
        if change.after is not None or self._find_ours(change.target):
            return None
        name = change.target["stack"]
        asked = message("looked_at_volumes", name=name)
        return Evidence.now(SYSTEM, asked, message("no_volumes_of_stack", name=name))

    def _find_ours(self, target: Target) -> list[Part]:
        self._client.require_everything()
        projects = (target["stack"], stack_beside(target["stack"]))
        found = (one for project in projects for one in self._client.volumes_of(project))
        ours = (one for one in found if is_ours(one, target["mark"]))
        return sorted(ours, key=lambda one: one.name)
