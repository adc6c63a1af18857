"""Whether this process lives, and whether it can serve: for load balancers and supervisors."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse


def live(_request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"status": "live"})


def ready(_request: HttpRequest) -> JsonResponse:
    """The database answers and its schema is the one this code needs."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return JsonResponse({"status": "the database does not answer"}, status=503)
    if missing:
        return JsonResponse(
            {"status": "the schema is not migrated: run workspace-manager migrate"}, status=503
        )
    return JsonResponse({"status": "ready"})
