"""The connector of ontology projects: created with our mark, found again by it, and moved to the
trash.
"""

from collections.abc import Mapping
from typing import ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Result,
    Target,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.names import NameImpossible
from workspace_manager.systems.ontology_editor import names
from workspace_manager.systems.ontology_editor.client.calls import (
    CALLS,
    KIND_PROJECT,
    OntologyEditorClient,
)
from workspace_manager.systems.ontology_editor.messages import message
from workspace_manager.systems.ontology_editor.shapes import Project

SYSTEM = "ontology_editor"


class ProjectConnector:
    """The connector of projects. Target of a creation: {"mark", "owner"}; of a removal:
    {"project_id"}, with mark and owner if known.

    State: {"title", "description", "language"} or None. A creation puts our mark into the
    description and is found again by it; a project in the trash counts as removed.
    """

    kind: ClassVar[str] = KIND_PROJECT
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: OntologyEditorClient) -> None:
        self._client = client

    def plan(self, target: Target, want: Facts | None) -> Change:
        found = self._find(target)
        before: Facts | None = None
        if found is not None:
            before = {
                "title": found.title,
                "description": names.without_mark(found.description, target.get("mark", "")),
                "language": found.language.lang,
                "project_id": found.id,
            }
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Create the project unless our mark exists. A project with a known id gets the wanted name
        and description; otherwise both belong to its people and stay.
        """
        target = change.target
        found = self._find(target)
        if found is not None and "project_id" in target:
            return self._rename(found, change)
        if found is not None:
            return Outcome(result=Result.ALREADY, facts={"project_id": found.id})
        if "project_id" in target:
            raise NotFound(
                message("not_made_under_old_id"),
                kind=self.kind,
                doing=message("creating_project"),
                advice=message("unlink_then_new"),
            )
        made = self._client.create_project(**self._new(target, change.after or {}))
        if made.owner != target["owner"]:
            raise Conflict(
                message("made_for_another", id=made.id, owner=made.owner, expected=target["owner"]),
                kind=self.kind,
                doing=message("creating_project"),
                advice=message("trash_and_check_owner"),
            )
        return Outcome(result=Result.CHANGED, facts={"project_id": made.id})

    def _rename(self, found: Project, change: Change) -> Outcome:
        """Set the owner's present name and description."""
        want, mark = change.after or {}, change.target.get("mark", "")
        wished = _wanted_settings(want, mark)
        if _has_settings(found, wished):
            return Outcome(result=Result.ALREADY, facts={"project_id": found.id})
        try:
            self._client.change_settings(found.id, wished)
        except Unavailable:
            # The editor answers 500 after it has made the change.
            if not _has_settings(self._client.project(found.id), wished):
                raise
        return Outcome(result=Result.CHANGED, facts={"project_id": found.id})

    def remove(self, change: Change) -> Outcome:
        found = self._find(change.target)
        if found is None:
            return ALREADY
        try:
            self._client.trash_project(found.id)
        except NotFound as gone:
            if self._find(change.target) is None:
                return ALREADY
            raise Conflict(
                message("readable_but_not_deletable"),
                kind=self.kind,
                doing=message("trashing_project"),
                advice=message("files_were_removed"),
            ) from gone
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        found = self._find(change.target)
        if (found is None) != (change.after is None):
            return None
        mark = change.target.get("mark", "")
        renamed = "project_id" in change.target and change.before is not None
        if (
            found
            and renamed
            and not _has_settings(found, _wanted_settings(change.after or {}, mark))
        ):
            return None
        if found is not None:
            text = message("shows_project", id=found.id, owner=found.owner)
            return Evidence.now(SYSTEM, message("read_project"), text)
        named = change.target.get("project_id")
        if named is None:
            text = message("none_carries_mark", owner=change.target["owner"])
            return Evidence.now(SYSTEM, message("list_projects"), text)
        text = message("in_trash_or_gone", id=named)
        return Evidence.now(SYSTEM, message("read_project"), text)

    # --- parts ------------------------------------------------------------------------------------

    def _find(self, target: Target) -> Project | None:
        """Return the project by id, or by mark and owner; None if it is deleted or in the trash.
        Raises Conflict for somebody else's project.
        """
        project_id = target.get("project_id") or self._find_marked(target)
        if project_id is None:
            return None
        try:
            found = self._client.project(project_id)
        except NotFound:
            return None
        if "owner" in target and found.owner != target["owner"]:
            raise self._conflict(found.owner, target["owner"])
        return None if found.in_trash else found

    def _find_marked(self, target: Target) -> str | None:
        """Return the id of the project with our mark. The list shows what our account made, and
        more.
        """
        ours = [
            one
            for one in self._client.projects()
            if names.carries_mark(one.description, target["mark"]) and not one.in_trash
        ]
        if len(ours) > 1:
            raise Conflict(
                message("several_with_mark", count=len(ours)),
                kind=self.kind,
                doing=message("looking_for_project"),
                advice=message("decide_which_stays", ids=", ".join(sorted(one.id for one in ours))),
            )
        return ours[0].id if ours else None

    def _new(self, target: Target, want: Facts) -> dict[str, str]:
        """Return the values of the body, checked by us, because the editor accepts anything.

        See docs/systems/ontology-editor.md#creating-a-project.
        """
        owner, title = target["owner"], names.title(str(want.get("title", "")))
        try:
            language = names.language(str(want.get("language", "")))
        except NameImpossible as wrong:
            raise self._invalid(wrong.message) from wrong
        if not title:
            raise self._invalid(message("needs_name"))
        if names.is_guest_like(owner) or owner != owner.strip():
            raise self._invalid(message("guest_cannot_own", owner=owner))
        description = names.with_mark(str(want.get("description", "")), target["mark"])
        return {"title": title, "description": description, "language": language, "owner": owner}

    def _conflict(self, found: str, expected: str) -> Conflict:
        return Conflict(
            message("belongs_to_another", found=found, expected=expected),
            kind=self.kind,
            doing=message("looking_for_project"),
            advice=message("check_linked_project"),
        )

    def _invalid(self, detail: Message) -> Invalid:
        return Invalid(detail, kind=self.kind, doing=message("creating_project"))


def _wanted_settings(want: Facts, mark: str) -> dict[str, str]:
    """Return the wanted settings of a project by the editor's names; our mark stays."""
    wished = {}
    if "title" in want:
        wished["displayName"] = names.title(str(want["title"]))
    if "description" in want:
        text = str(want["description"])
        wished["description"] = names.with_mark(text, mark) if mark else text
    return wished


def _has_settings(found: Project, wished: Mapping[str, str]) -> bool:
    told = {"displayName": found.title, "description": found.description}
    return all(told[name] == value for name, value in wished.items())
