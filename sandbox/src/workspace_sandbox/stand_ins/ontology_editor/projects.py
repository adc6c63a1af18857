"""Projects and members of the editor, as its interface under /data shows and changes them."""

import time
import uuid
from collections.abc import Callable
from typing import Any, Protocol

from aiohttp import web

from workspace_sandbox.stand_ins.ontology_editor import bodies, project_json
from workspace_sandbox.stand_ins.ontology_editor.pages import answer_error, document, unforeseen

MANAGE = ["CAN_MANAGE", "PROJECT_DOWNLOADER"]


class Database(Protocol):
    """The database of the parts: the stand-in's state and how to keep it."""

    state: dict[str, Any]

    def changed(self) -> None: ...


def is_guest(user: str) -> bool:
    return "guest".endswith(user)


class Projects:
    """Answer for somebody who is signed in; `patched` says whether deleting and sharing
    are there.
    """

    def __init__(self, database: Database, patched: Callable[[], bool]) -> None:
        self._db = database
        self._patched = patched

    @property
    def all(self) -> dict[str, Any]:
        found: dict[str, Any] = self._db.state["projects"]
        return found

    def keep(self) -> None:
        self._db.changed()

    def roles(self, project_id: str, user: str) -> set[str]:
        return set(self.all.get(project_id, {}).get("roles", {}).get(user, []))

    def holds(self, user: str, role: str) -> bool:
        return role in self._db.state["roles"].get(user, [])

    # --- the collection ---------------------------------------------------------------------------

    def visible(self, user: str) -> web.Response:
        """List what the user holds a role in, and what carries the user's name as owner; the trash
        too.
        """
        seen = [
            (key, one)
            for key, one in self.all.items()
            if self.roles(key, user) or one["owner"] == user
        ]
        return document([self._listed(key, one, user) for key, one in seen])

    def create(self, user: str, body: bytes, base: str) -> web.Response:
        values = bodies.new_project(body)
        if not self.holds(user, "ProjectCreator"):
            return answer_error(403, "You do not have permission for CreateEmptyProject")
        key, now, owner = str(uuid.uuid4()), int(time.time() * 1000), values["projectOwner"]
        roles = {user: list(MANAGE)}
        if self._patched() and owner != user and not is_guest(owner):
            roles[owner] = list(MANAGE)
        self.all[key] = {
            "displayName": values["displayName"],
            "description": values["description"],
            "owner": owner,
            "lang": values["langTag"].lower(),
            "inTrash": False,
            "createdAt": now,
            "modifiedAt": now,
            "modifiedBy": owner,
            "roles": roles,
        }
        self._db.changed()
        location = {"Location": f"{base}/data/projects/{key}"}
        return document(self._shown(key), status=201, headers=location)

    # --- one project ------------------------------------------------------------------------------

    def get(self, project_id: str) -> web.Response | None:
        """Show a project to whoever has a key; None: unknown."""
        return document(self._shown(project_id)) if project_id in self.all else None

    def trash(self, user: str, project_id: str) -> web.Response | None:
        """Move it to the trash; its people keep their access, and its times stay."""
        project = self.all.get(project_id)
        if project is None:
            return None
        may = "CAN_MANAGE" in self.roles(project_id, user) or project["owner"] == user
        if not may and not self.holds(user, "SystemAdmin"):
            return answer_error(403, "You do not have permission to move this project to trash")
        if not project["inTrash"]:
            project["inTrash"] = True
            self._db.changed()
        return web.Response(status=204)

    def settings(self, user: str, method: str, project_id: str, body: bytes) -> web.Response:
        """Show the settings, or take them. The real one takes them, and answers 500 for a project
        without tags.
        """
        if "CAN_MANAGE" not in self.roles(project_id, user):
            return answer_error(403, "Permission denied for EditProjectSettings")
        project = self.all[project_id]
        if method == "GET":
            return document(project_json.settings(project))
        found = bodies.first_document(body)
        wanted = found.get("projectSettings") if isinstance(found, dict) else None
        if not isinstance(wanted, dict):
            return unforeseen("java.lang.NullPointerException")
        project["displayName"] = str(wanted.get("displayName", ""))
        project["description"] = str(wanted.get("description", ""))
        project["modifiedAt"] = int(time.time() * 1000)
        project["modifiedBy"] = user
        self._db.changed()
        return unforeseen("java.lang.NullPointerException")

    def collaborator(
        self, user: str, method: str, project_id: str, name: str, body: bytes
    ) -> web.Response | None:
        """Give or take a permission. The order of refusals is the real one's: body, project, right,
        name, owner.
        """
        permission = bodies.permission(body) if method == "PUT" else ""
        project = self.all.get(project_id)
        if project is None:
            return None
        if "CAN_MANAGE" not in self.roles(project_id, user):
            return answer_error(403, "You do not have permission to edit sharing settings")
        name = name.strip()
        if not name:
            return answer_error(400, "Collaborator user name must not be empty")
        if is_guest(name):
            return answer_error(400, "The guest user cannot be a collaborator")
        if project["owner"] == name:
            return answer_error(400, "Cannot change sharing settings for the project owner")
        if method == "PUT":
            project["roles"][name] = [f"CAN_{permission}"]
        else:
            project["roles"].pop(name, None)
        self._db.changed()
        return web.Response(status=204)

    # --- how things are shown ---------------------------------------------------------------------

    def _listed(self, key: str, one: dict[str, Any], user: str) -> dict[str, Any]:
        return {
            "projectId": key,
            "displayName": one["displayName"],
            "description": one["description"],
            "owner": one["owner"],
            "createdAt": one["createdAt"],
            "createdBy": one["owner"],
            "lastModifiedAt": one["modifiedAt"],
            "lastModifiedBy": one["modifiedBy"],
            "inTrash": one["inTrash"],
            "trashable": one["owner"] == user,
            "downloadable": "PROJECT_DOWNLOADER" in self.roles(key, user),
            "lastOpenedAt": 0,
        }

    def _shown(self, key: str) -> dict[str, Any]:
        one = self.all[key]
        return {
            "_id": key,
            "displayName": one["displayName"],
            "description": one["description"],
            "owner": one["owner"],
            "inTrash": one["inTrash"],
            "defaultLanguage": project_json.language(one["lang"]),
            "defaultDisplayNameSettings": project_json.display(one["lang"]),
            "createdAt": project_json.instant(one["createdAt"]),
            "createdBy": one["owner"],
            "modifiedBy": one["modifiedBy"],
            "modifiedAt": project_json.instant(one["modifiedAt"]),
        }
