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
"""Places below which other places of the navigation are."""
QUIET = "quiet"
"""In the context of a page that asks the database for nothing."""


@register.simple_tag(takes_context=True)
def navigation(context: Context) -> SafeString:
    """All places. A page has them twice, beside it and in its menu: they are made, and what waits
    behind them is counted, once.
    """
    template = context.template
    assert template is not None
    with context.push():
        return template.engine.get_template("parts/navigation.html").render(context)


@register.simple_tag(takes_context=True)
def nav_link(
    context: dict[str, Any], name: str, label: str, count: int | Literal[""] | None = None
) -> SafeString:
    """A link of the navigation, marked when the page is there or below; with how many things wait
    behind it, where that was counted.
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
    """How many things wait behind a link, for a page that is open already: it goes into every
    navigation of the page.
    """
    return format_html(
        "<span hx-swap-oob=\"innerHTML:[data-count='{}']\">{}</span>", name, count or ""
    )


@register.simple_tag(takes_context=True)
def waiting_registrations(context: dict[str, Any]) -> int:
    """How many people wait for a decision: those who asked to join, and for administrators
    strangers at the door. Not counted on the page of an error.
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
    """Whether the queue is open to the reader, who is no administrator. Not asked on the page of an
    error.
    """
    person = member(context)
    if person is None or context.get(QUIET):
        return False
    return permissions.has(person, Permission.Name.APPROVE_REGISTRATIONS)


@register.simple_tag(takes_context=True)
def stuck_plans(context: dict[str, Any]) -> int:
    """How many plans need a person. Not counted on the page of an error."""
    if context.get(QUIET):
        return 0
    return Plan.objects.filter(state=Plan.State.STUCK, belongs_to=None).count()


@register.simple_tag
def version() -> str:
    """Which version this is: for who runs it and for who reports something, not for everybody who
    comes by.
    """
    return __version__


@register.simple_tag(takes_context=True)
def member(context: dict[str, Any]) -> Person | None:
    """Whoever is signed in; None for a visitor. The page of an error says who it is, since nobody
    is looked for there.
    """
    if context.get(QUIET):
        known: Person | None = context["signed_in"]
        return known
    request: HttpRequest | None = context.get("request")
    person = getattr(request, "user", None)
    return person if isinstance(person, Person) else None
