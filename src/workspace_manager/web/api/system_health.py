"""`/systems/{name}/health`: how a system stands and stood, and what its checks find.

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
    """How it stands, since when and why; what its checks find; and how it stood. It is not asked:
    the worker does that.
    """
    if name not in registry().names():
        raise Http404
    return view_health(name)
