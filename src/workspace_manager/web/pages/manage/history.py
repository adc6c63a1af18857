"""What was done with somebody: plans and audit entries, in pages, so that a long stay makes no long
page.
"""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest

from workspace_manager.records.models import AuditEntry, Person, Plan

PLANS, ENTRIES = 10, 20


def history(request: HttpRequest, person: Person) -> dict[str, Any]:
    """Both lists, each at the page that was asked for."""
    plans = Plan.objects.filter(subject=str(person.id)).order_by("-created_at", "id")
    entries = AuditEntry.objects.filter(subject=person.username).order_by("-at", "-id")
    return {
        "plans": Paginator(plans, PLANS).get_page(request.GET.get("plans")),
        "entries": Paginator(entries, ENTRIES).get_page(request.GET.get("entries")),
        "reads_entries": "entries" in request.GET,
    }
