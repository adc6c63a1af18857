"""What hangs below a project: axioms and revisions, settings, forms. The manager uses none of it; people's tools do."""

import time
from typing import Any

import pyoxigraph as ox
from aiohttp import web

from workspace_sandbox.stand_ins.ontology_editor import bodies, shown
from workspace_sandbox.stand_ins.ontology_editor.pages import (
    container_page,
    document,
    refused,
    unforeseen,
)
from workspace_sandbox.stand_ins.ontology_editor.projects import Projects

EDITING = {"CAN_EDIT", "CAN_MANAGE"}
NO_CHANGE = "You do not have permission to make changes to this project"


class Inside:
    """Answer for somebody who is signed in; an unknown project is one without permission."""

    def __init__(self, projects: Projects) -> None:
        self._projects = projects

    def revisions(self, user: str, project_id: str, number: str | None, base: str) -> web.Response:
        if not self._projects.roles(project_id, user):
            return refused(403, "Permission denied for ViewChanges")
        found: list[dict[str, Any]] = self._projects.all[project_id]["revisions"]
        if number is None:
            return document(found)
        if not 0 < int(number) <= len(found):
            there = {"Location": f"{base}/data/projects/{project_id}/revisions/{number}"}
            return container_page(404, headers=there)
        return document(found[int(number) - 1])

    def change_axioms(
        self, user: str, project_id: str, body: bytes, base: str, *, adding: bool
    ) -> web.Response:
        """Add or take axioms; the refusal is labelled JSON and is plain text."""
        if not self._projects.roles(project_id, user) & EDITING:
            headers = {"Content-Type": "application/json"}
            return web.Response(status=403, body=NO_CHANGE.encode(), headers=headers)
        project = self._projects.all[project_id]
        sent = _axioms(body)
        touched = [one for one in sent if (one in project["axioms"]) != adding]
        project["axioms"] = (
            project["axioms"] + touched
            if adding
            else [one for one in project["axioms"] if one not in touched]
        )
        if touched:
            self._record(project, user, touched, adding=adding)
        member = "addedAxiomsCount" if adding else "deletedAxiomsCount"
        route = "axioms" if adding else "delete-axioms"
        location = {"Location": f"{base}/data/projects/{project_id}/{route}"}
        return document(
            {"projectId": project_id, member: len(touched)}, status=201, headers=location
        )

    def settings(self, user: str, project_id: str, method: str, body: bytes) -> web.Response:
        """Show or change settings; a change without tags is made and answered with 500 (facts, ontology editor 3.0)."""
        if "CAN_MANAGE" not in self._projects.roles(project_id, user):
            return refused(403, "Permission denied for EditProjectSettings")
        project = self._projects.all[project_id]
        if method == "GET":
            return document(shown.settings(project))
        found = bodies.first_document(body)
        wanted = found.get("projectSettings") if isinstance(found, dict) else None
        if not isinstance(wanted, dict):
            return unforeseen("java.lang.NullPointerException")
        project["displayName"] = str(wanted.get("displayName", project["displayName"]))
        project["description"] = str(wanted.get("description", project["description"]))
        self._projects.keep()
        if not found.get("projectTags"):
            return unforeseen("java.lang.IllegalArgumentException")
        return web.Response(status=204)

    def forms(
        self, user: str, project_id: str, method: str, body: bytes, base: str
    ) -> web.Response:
        if "CAN_MANAGE" not in self._projects.roles(project_id, user):
            return refused(403, "Permission denied for EditForms")
        if method == "GET":
            return document([], status=202)
        if not isinstance(bodies.first_document(body), list):
            return unforeseen("java.lang.NullPointerException")
        return web.Response(
            status=201, headers={"Location": f"{base}/data/projects/{project_id}/forms"}
        )

    def _record(
        self, project: dict[str, Any], user: str, axioms: list[str], *, adding: bool
    ) -> None:
        now = int(time.time() * 1000)
        subjects = sorted({one.split(" ")[0].strip("<>") for one in axioms})
        operation = "ADD" if adding else "REMOVE"
        project["revisions"].append(
            {
                "rev": len(project["revisions"]) + 1,
                "timestamp": shown.instant(now),
                "userId": user,
                "msg": "Added external axioms" if adding else "Deleted external axioms",
                "subjects": subjects,
                "changes": [{"operation": operation, "axiom": one} for one in axioms],
            }
        )
        project |= {"modifiedAt": now, "modifiedBy": user}
        self._projects.keep()


def _axioms(body: bytes) -> list[str]:
    """Count one axiom per triple: near enough for what is sent here."""
    try:
        return sorted({str(one) for one in ox.parse(body, format=ox.RdfFormat.TURTLE)})
    except (SyntaxError, ValueError):
        return sorted(
            {line.strip() for line in body.decode(errors="replace").splitlines() if line.strip()}
        )
