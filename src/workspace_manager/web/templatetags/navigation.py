"""Navigation: the current place, and counts behind links."""

from typing import Any, Literal

from django import template
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from workspace_manager import __version__
from workspace_manager.access import permissions
from workspace_manager.records.models import (
    Permission,
    Person,
    Plan,
    Registration,
    UnapprovedSignIn,
)
from workspace_manager.web.templatetags.icons import icon

register = template.Library()
ABOVE_ALL = {"home", "overview"}
"""Places that contain other places of the navigation."""
QUIET = "quiet"
"""The mark in the context of a page that does not query the database."""


@register.simple_tag(takes_context=True)
def navigation(context: Context) -> SafeString:
    """Render all places. A page has them twice, at its side and in its menu; they are rendered, and
    their counts queried, once.
    """
    template = context.template
    assert template is not None
    with context.push():
        return template.engine.get_template("parts/navigation.html").render(context)


@register.simple_tag(takes_context=True)
def nav_link(
    context: dict[str, Any], name: str, label: str, count: int | Literal[""] | None = None
) -> SafeString:
    """Return a link of the navigation, marked if the page is there or below. `count`: the number of
    waiting things behind it, if known.
    """
    request: HttpRequest | None = context.get("request")
    address = reverse(name)
    here = request is not None and (
        request.path == address
        or (name not in ABOVE_ALL and request.path.startswith(f"{address}/"))
    )
    waiting = (
        ""
        if count is None or count == ""
        else format_html(' <span class="count" data-count="{}">{}</span>', name, count or "")
    )
    current = SafeString(' aria-current="page"') if here else ""
    return format_html(
        '<a href="{}"{}>{}<span>{}</span>{}</a>',
        address,
        current,
        icon(_ICONS.get(name, name)),
        label,
        waiting,
    )


_ICONS = {
    "service_keys": "keys",
    "stacks": "knowledge_stack",
    "templates": "ontology_editor",
    "webhooks": "open",
}


@register.simple_tag
def renewed_count(name: str, count: int) -> SafeString:
    """Return the count behind a link for an open page; it updates every navigation of the page."""
    return format_html(
        "<span hx-swap-oob=\"innerHTML:[data-count='{}']\">{}</span>", name, count or ""
    )


@register.simple_tag(takes_context=True)
def waiting_registrations(context: dict[str, Any]) -> int:
    """Return how many decisions wait: registrations, and for administrators refused sign-ins. Error
    pages do not count them.
    """
    if context.get(QUIET):
        return 0
    pending = Registration.objects.filter(status=Registration.Status.PENDING).count()
    person = member(context)
    if person is None or not person.is_administrator:
        return pending
    return pending + UnapprovedSignIn.objects.filter(state=UnapprovedSignIn.State.OPEN).count()


@register.simple_tag(takes_context=True)
def decides_registrations(context: dict[str, Any]) -> bool:
    """Return whether the reader, who is no administrator, may decide on registrations. Error pages
    do not ask.
    """
    person = member(context)
    if person is None or context.get(QUIET):
        return False
    return permissions.has(person, Permission.Name.APPROVE_REGISTRATIONS)


@register.simple_tag(takes_context=True)
def stuck_plans(context: dict[str, Any]) -> int:
    """Return how many plans need attention. Error pages do not count them."""
    if context.get(QUIET):
        return 0
    return Plan.objects.filter(state=Plan.State.STUCK, belongs_to=None).count()


@register.simple_tag
def version() -> str:
    """Return the version, for operators and for bug reports."""
    return __version__


@register.simple_tag(takes_context=True)
def member(context: dict[str, Any]) -> Person | None:
    """Return the signed-in person; None for a visitor. An error page has the person in its context,
    because it does not query the database.
    """
    if context.get(QUIET):
        known: Person | None = context["signed_in"]
        return known
    request: HttpRequest | None = context.get("request")
    person = getattr(request, "user", None)
    return person if isinstance(person, Person) else None
