"""`/systems/{name}/health`: the health of a system, its history, and the findings of its checks.

See docs/explanation/health.md.
"""

from django.http import Http404, HttpRequest
from ninja import Router

from workspace_manager.operations.health_views import HealthView, view_health
from workspace_manager.systems import registry
from workspace_manager.web.api.auth import administrator

router = Router(auth=administrator)


@router.get("/{name}/health", response=HealthView, summary="Show the health of a system")
def health(request: HttpRequest, name: str) -> HealthView:  # noqa: ARG001
    """The present state with its start and reason, the findings of checks, and the history. It
    makes no call; the worker does.
    """
    if name not in registry().names():
        raise Http404
    return view_health(name)
