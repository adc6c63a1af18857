"""The REST API under `/api/v1`: every resource under its prefix. Access is denied by default."""

from typing import Any

from django.urls import URLPattern, URLResolver
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from workspace_manager.web.api import (
    administrators,
    audit,
    component_access,
    components,
    hold,
    inbox,
    invitations,
    letters,
    me,
    memberships,
    my_drive,
    notices,
    people,
    people_keys,
    people_letters,
    people_permissions,
    people_timeline,
    people_tokens,
    plans,
    problems,
    projects,
    reconcile,
    registrations,
    service_keys,
    snapshot_schedules,
    snapshots,
    stack_templates,
    stacks,
    strangers,
    strangers_relink_list,
    system_health,
    systems,
    take_over,
    tombstones,
    webhooks,
)
from workspace_manager.web.api.auth import signed_in
from workspace_manager.web.api.component_upload import accept_form
from workspace_manager.web.api.docs_page import DocsPage
from workspace_manager.web.api.gate import add_gate
from workspace_manager.web.api.inputs import StrictJson
from workspace_manager.web.api.openapi import DESCRIPTION, complete_document, operations
from workspace_manager.web.api.unknown import refuse_unknown


class WorkspaceAPI(NinjaAPI):
    """Ninja's API with a gate before each address, a refusal of unknown parameters, and a complete
    OpenAPI document.
    """

    _document: OpenAPISchema | None = None

    def _get_urls(self) -> list[URLPattern | URLResolver]:
        for operation in operations(self):
            accept_form(operation)
            refuse_unknown(operation)
        return add_gate(super()._get_urls())

    def get_openapi_schema(self, **where: Any) -> OpenAPISchema:
        """Return the document from which clients are generated. It is made once, because anybody
        may request it at any rate.
        """
        if self._document is None:
            self._document = super().get_openapi_schema(**where)
            complete_document(self, self._document)
        return self._document

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return file and function, such as `plans_approve`."""
        module = operation.view_func.__module__.rpartition(".")[2]
        return f"{module}_{operation.view_func.__name__}"


api = WorkspaceAPI(
    title="Workspace manager",
    version="1",
    description=DESCRIPTION,
    auth=signed_in,
    parser=StrictJson(),
    docs=DocsPage(),
)
problems.handle_all(api)
api.add_router("/inbox", inbox.router, tags=["inbox"])
api.add_router("/registrations", registrations.router, tags=["registrations"])
api.add_router("/people", people.router, tags=["people"])
api.add_router("/people", people_tokens.router, tags=["people"])
api.add_router("/people", people_keys.router, tags=["people"])
api.add_router("/people", people_letters.router, tags=["people"])
api.add_router("/people", people_permissions.router, tags=["people"])
api.add_router("/people", people_timeline.router, tags=["people"])
api.add_router("/administrators", administrators.router, tags=["people"])
# Before the resource's own router, whose addresses take any word for an id.
api.add_router("/strangers", strangers_relink_list.router, tags=["strangers"])
api.add_router("/strangers", strangers.router, tags=["strangers"])
api.add_router("/tombstones", tombstones.router, tags=["tombstones"])
api.add_router("/audit", audit.router, tags=["audit"])
api.add_router("/plans", plans.router, tags=["plans"])
api.add_router("/reconcile", reconcile.router, tags=["reconcile"])
api.add_router("/reconcile", take_over.router, tags=["reconcile"])
api.add_router("/take-overs", take_over.history, tags=["reconcile"])
api.add_router("/systems", systems.router, tags=["systems"])
api.add_router("/systems", system_health.router, tags=["systems"])
api.add_router("/hold", hold.router, tags=["systems"])
api.add_router("/letters", letters.router, tags=["letters"])
api.add_router("/webhooks", webhooks.router, tags=["webhooks"])
api.add_router("/me", me.router, tags=["me"])
api.add_router("/me/drive", my_drive.router, tags=["me"])
api.add_router("/me/notices", notices.router, tags=["me"])
api.add_router("/projects", projects.router, tags=["projects"])
api.add_router("/projects", memberships.router, tags=["projects"])
api.add_router("/projects", invitations.of_projects, tags=["projects"])
api.add_router("/me/invitations", invitations.mine, tags=["projects"])
api.add_router("/components", components.router, tags=["components"])
api.add_router("/components", component_access.router, tags=["components"])
api.add_router("/components", snapshot_schedules.router, tags=["components"])
api.add_router("/stacks", snapshot_schedules.stack_router, tags=["stacks"])
api.add_router("/stacks", stacks.router, tags=["stacks"])
api.add_router("/stack-templates", stack_templates.router, tags=["stacks"])
api.add_router("/snapshots", snapshots.router, tags=["snapshots"])
api.add_router("/service-keys", service_keys.router, tags=["service keys"])
