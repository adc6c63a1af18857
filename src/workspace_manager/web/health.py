"""Health of this process, for load balancers and supervisors."""

from functools import cache

from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse

from workspace_manager.core import connections


def live(_request: HttpRequest) -> JsonResponse:
    """Answer that the process runs."""
    return JsonResponse({"status": "live"})


def ready(_request: HttpRequest) -> JsonResponse:
    """Answer whether the database answers and has the schema that this code needs."""
    try:
        is_migrated = _is_migrated()
    except DatabaseError:
        return JsonResponse({"status": "the database does not answer"}, status=503)
    if not is_migrated:
        return JsonResponse(
            {"status": "the schema is not migrated: run workspace-manager migrate"}, status=503
        )
    room = connections.room()
    few = {"database": "few connections are left"} if room and room.is_near else {}
    return JsonResponse({"status": "ready", **few})


def _is_migrated() -> bool:
    recorder, newest = MigrationRecorder(connection), _newest()
    if not recorder.has_table():
        return False
    rows = recorder.migration_qs.filter(name__in={name for _, name in newest})
    return newest <= set(rows.values_list("app", "name"))


@cache
def _newest() -> frozenset[tuple[str, str]]:
    """Return the last migration of each app. They are read once: they cannot change while the
    process runs, and anybody may request them.
    """
    return frozenset(MigrationLoader(None).graph.leaf_nodes())
