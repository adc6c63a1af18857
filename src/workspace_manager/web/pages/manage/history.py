"""A person's history: plans and a timeline, in pages."""

from typing import Any, Final, cast

from django.core.paginator import Paginator
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from workspace_manager.audit.timeline import Timeline, TimelineEvent, TimelineSubject
from workspace_manager.audit.timeline_list import KINDS
from workspace_manager.core.lists import ListQuery
from workspace_manager.plan_kinds import view_plans
from workspace_manager.records.models import Plan
from workspace_manager.web.pages.labels import Words
from workspace_manager.web.pages.manage.tombstones import kept_plans

PLANS, ENTRIES = 10, 20
CALLED: Final[Words] = {
    "registration": gettext_lazy("Registration"),
    "sign_in": gettext_lazy("Signing in"),
    "role": gettext_lazy("Role"),
    "permission": gettext_lazy("Permissions"),
    "suspension": gettext_lazy("Suspension"),
    "removal": gettext_lazy("Removal"),
    "access": gettext_lazy("Keys and accounts"),
    "work": gettext_lazy("Projects and components"),
    "plan": gettext_lazy("Plans"),
    "letter": gettext_lazy("E-mails"),
    "other": gettext_lazy("Other"),
}


def history(request: HttpRequest, of: TimelineSubject) -> dict[str, Any]:
    """Return both lists at the requested pages. An unknown kind is ignored."""
    plans = Plan.objects.filter(subject=of.subject) if of.subject else Plan.objects.none()
    kind = request.GET.get("kind")
    asked = ListQuery(filters={"kind": kind} if kind in KINDS else {})
    told: Paginator[TimelineEvent] = Paginator(cast(Any, Timeline(of, asked)), ENTRIES)
    happened = told.get_page(request.GET.get("entries"))
    listed = Paginator(plans.order_by("-created_at", "id"), PLANS).get_page(
        request.GET.get("plans")
    )
    return {
        "plans": listed,
        "lines": view_plans(list(listed.object_list)),
        "happened": happened,
        "kept": kept_plans(one.plan for one in happened.object_list if one.plan),
        "kinds": CALLED.items(),
        "kind": kind if kind in KINDS else "",
        "of": of,
    }
