"""Calls of the ontology editor's interface, one method each. Calls are never repeated, and a
missing project is NotFound.
"""

from collections.abc import Mapping
from typing import Any

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Conflict, Invalid
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.ontology_editor import names, shapes
from workspace_manager.systems.ontology_editor.messages import message
from workspace_manager.systems.ontology_editor.refusals import refusal, require
from workspace_manager.systems.ontology_editor.settings import Settings
from workspace_manager.systems.ontology_editor.shapes import Project, ProjectEntry, parse

CALLS = CallPolicy(connect_s=5, answer_s=45)
"""The first creation after a start took 34 s, and without its database the editor answers after 30
s.

See docs/systems/ontology-editor.md#creating-a-project and
docs/systems/ontology-editor.md#when-the-editor-is-ill.
"""

PATCHED = "patched"
UPSTREAM = "upstream"

KIND_PROJECT = "ontology_editor.project"
KIND_MEMBERSHIP = "ontology_editor.membership"
PROJECTS = "/data/projects"
NIL = "00000000-0000-0000-0000-000000000000"


class OntologyEditorClient:
    """The client of one ontology editor, with a service account's key. Creating it makes no
    call.
    """

    def __init__(self, settings: Settings, *, policy: CallPolicy = CALLS) -> None:
        self.url = (settings.api_base_url or settings.host).rstrip("/")
        key = settings.api_key or Secret("", name="api_key")
        credential = Token("Authorization", key, scheme="apikey")
        self._http = HttpClient(
            self.url, system="ontology_editor", policy=policy, credential=credential
        )

    def projects(self) -> list[ProjectEntry]:
        """Return the projects that our account can see, including those in the trash."""
        answer = self._list()
        return parse(answer, shapes.LIST, answer.json())

    def each_project(self) -> list[ProjectEntry | int]:
        """Return the projects for a comparison. An entry of another shape becomes its place in the
        list, counted from 1, and hides no other one. Raises Invalid if the answer is no list.
        """
        answer = self._list()
        entries = answer.json()
        if not isinstance(entries, list):
            raise answer.error(Invalid, message("other_shape", shape=answer.shape))
        found = [shapes.parse_entry(entry) or place for place, entry in enumerate(entries, start=1)]
        if found and all(isinstance(one, int) for one in found):
            raise answer.error(Invalid, message("other_shape", shape=answer.shape))
        return found

    def _list(self) -> Answer:
        doing = message("listing_projects")
        return require(self._http.send("GET", PROJECTS, kind=KIND_PROJECT, doing=doing), 200)

    def project(self, project_id: str) -> Project:
        """Return a project, which needs no permission. Raises NotFound."""
        path = self._path(project_id, KIND_PROJECT)
        answer = self._http.send("GET", path, kind=KIND_PROJECT, doing=message("reading_project"))
        return parse(answer, shapes.PROJECT, require(answer, 200).json())

    def create_project(self, *, title: str, description: str, language: str, owner: str) -> Project:
        """Create a project. Every call makes another one, and one that timed out still happens, so
        look before and after.
        """
        body = {
            "projectOwner": owner,
            "displayName": title,
            "langTag": language,
            "description": description,
        }
        answer = self._http.send(
            "POST", PROJECTS, kind=KIND_PROJECT, doing=message("creating_project"), json_body=body
        )
        return parse(answer, shapes.PROJECT, require(answer, 201).json())

    def change_settings(self, project_id: str, changed: Mapping[str, str]) -> None:
        """Change `displayName` or `description` of a project; its other settings are sent back as
        they were read.

        Raises Denied without the permission, also for a missing project. The editor may answer 500
        after it has made the change: look afterwards
        (docs/systems/ontology-editor.md#settings-of-a-project).
        """
        path, doing = f"{self._path(project_id, KIND_PROJECT)}/settings", message("renaming")
        answer = self._http.send("GET", path, kind=KIND_PROJECT, doing=doing)
        document = require(answer, 200).json()
        settings = document.get("projectSettings") if isinstance(document, dict) else None
        if not isinstance(settings, dict):
            raise answer.error(Invalid, message("other_shape", shape=answer.shape))
        settings |= changed
        answer = self._http.send("POST", path, kind=KIND_PROJECT, doing=doing, json_body=document)
        error = refusal(answer)
        if error is not None:
            raise error

    def trash_project(self, project_id: str) -> None:
        """Move a project to the trash; a repetition gets the same answer. Raises NotFound."""
        path = self._path(project_id, KIND_PROJECT)
        doing = message("trashing_project")
        require(self._http.send("DELETE", path, kind=KIND_PROJECT, doing=doing), 204)

    def grant(self, project_id: str, account: str, permission: str) -> None:
        """Replace an account's permission in the project by this one. Raises NotFound."""
        self._member(
            "PUT", project_id, account, message("giving_access"), {"permission": permission}
        )

    def revoke(self, project_id: str, account: str) -> None:
        """Remove an account's permission in the project; without one, the answer is the same.
        Raises NotFound.
        """
        self._member("DELETE", project_id, account, message("taking_access"))

    def flavour(self) -> str:
        """Return whether deleting and sharing are patched in. It needs no key, because routing
        comes before the key there.

        See docs/systems/ontology-editor.md#three-flavours.
        """
        answer = self._http.send(
            "DELETE", f"{PROJECTS}/{NIL}", doing=message("asking_build"), anonymous=True
        )
        if answer.status == 401:
            return PATCHED
        if answer.status == 405:
            return UPSTREAM
        raise refusal(answer) or answer.error(Invalid, message("no_webprotege", shape=answer.shape))

    def has_sign_in(self) -> bool:
        """Return whether people can sign in through the identity provider: its page redirects
        there, or does not exist.
        """
        answer = self._http.send(
            "GET",
            "/webprotege/oidc/login",
            doing=message("looking_for_sign_in"),
            anonymous=True,
            headers={"Accept": "text/html"},
        )
        if answer.status == 404:
            return False
        if answer.status == 302:
            return True
        raise refusal(answer) or answer.error(
            Invalid, message("sign_in_answers_otherwise", shape=answer.shape)
        )

    def _member(
        self, method: str, project_id: str, account: str, doing: Message, body: Any = None
    ) -> Answer:
        project = self._path(project_id, KIND_MEMBERSHIP)
        name = segment(account, kind=KIND_MEMBERSHIP, doing=doing)
        answer = self._http.send(
            method,
            f"{project}/collaborators/{name}",
            kind=KIND_MEMBERSHIP,
            doing=doing,
            json_body=body,
        )
        return require(answer, 204)

    def _path(self, project_id: str, kind: str) -> str:
        """Return the path of a project. Raises Conflict for a malformed id, which the editor would
        answer like a wrong address.
        """
        if not names.is_project_id(project_id):
            raise Conflict(
                message("no_project_id"),
                kind=kind,
                doing=message("addressing_project"),
                advice=message("correct_record"),
            )
        return f"{PROJECTS}/{project_id}"
