"""Rows of lists, rendered without templates: Django renders a dozen nodes for each row, and a page
of them took longer than the database.
"""

from collections.abc import Iterable, Iterator, Mapping

from django import template
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from workspace_manager.inbox.item import Item
from workspace_manager.snapshots.snapshot_views import SnapshotView
from workspace_manager.web.pages import labels, plan_labels
from workspace_manager.web.pages.lines import Line
from workspace_manager.web.pages.project_names import ProjectName
from workspace_manager.web.pages.translate import translate
from workspace_manager.web.templatetags.badges import badge, when
from workspace_manager.web.templatetags.icons import icon
from workspace_manager.work.component_lists import Progress

register = template.Library()

BETWEEN = " · "
MADE = (
    '<li class="line"><span class="line-mark">{}</span><a class="line-title" href="{}/{}">{}</a>'
    '<span class="line-note">{}</span><span class="line-state">{}</span></li>'
)
PROJECT = (
    '<li class="line"><span class="line-mark">{}</span><a class="line-title" href="{}/{}">{}</a>'
    '<span class="line-note">{}{}</span></li>'
)


@register.simple_tag
def component_lines(lines: Iterable[Line], *, show_owner: bool = False) -> SafeString:
    """Return rows with kind, project, state and progress of components."""
    address = reverse("components")
    return format_html_join("", MADE, _components(lines, address, show_owner=show_owner))


def _components(
    lines: Iterable[Line], address: str, *, show_owner: bool
) -> Iterator[tuple[object, ...]]:
    kinds: dict[str, str] = {}
    for one in lines:
        if one.kind not in kinds:
            kinds[one.kind] = labels.kind(one.kind)
        owner = one.owner if show_owner else ""
        note = _note(kinds[one.kind], one.project, one.mark, owner)
        yield icon(one.kind), address, one.id, one.label, note, _state(one)


@register.simple_tag
def stack_lines(lines: Iterable[Line]) -> SafeString:
    """Return rows with owner, project, state and progress of stacks."""
    address, mark = reverse("stacks"), icon("components")
    rows = (
        (mark, address, one.id, one.label, _note(one.owner, one.project, one.mark), _state(one))
        for one in lines
    )
    return format_html_join("", MADE, rows)


@register.simple_tag
def snapshot_lines(snapshots: Iterable[SnapshotView], *, of_one: bool = False) -> SafeString:
    """Return rows with source, owner, date, size and state of snapshots. `of_one`: all of them are
    of the component whose page it is.
    """
    address, mark = reverse("snapshots"), icon("snapshots")
    rows = (
        (mark, address, one.id, one.label, _of_snapshot(one, of_one=of_one), badge(one.state))
        for one in snapshots
    )
    return format_html_join("", MADE, rows)


def _of_snapshot(one: SnapshotView, *, of_one: bool) -> SafeString:
    source = "" if of_one else _note(one.source.label, one.owner)
    size = filesizeformat(one.bytes) if one.bytes else ""
    parts = [part for part in (source, when(one.created_at, "list"), size) if part]
    return format_html_join(BETWEEN, "{}", ((part,) for part in parts))


@register.simple_tag
def project_lines(
    projects: Iterable[ProjectName], twins: Mapping[str, str], *, mine: bool = False
) -> SafeString:
    """Return rows with the owner of each project. `twins`: marks of projects with the same name;
    `mine`: all of them are the reader's own.
    """
    address, mark, yours, of = (
        reverse("projects"),
        icon("projects"),
        _("yours"),
        _("owned by %(name)s"),
    )
    rows = (
        (
            mark,
            address,
            one.id,
            one.label,
            yours if mine else of % {"name": one.owner},
            format_html(" · <code>{}</code>", twins[one.id]) if one.id in twins else "",
        )
        for one in projects
    )
    return format_html_join("", PROJECT, rows)


@register.simple_tag
def waiting_line(item: Item) -> SafeString:
    """Return the beginning of an inbox item's row: its text, its date and its mark."""
    mark = "stuck" if item.serious else "waiting"
    since = format_html("{} {}", _("since"), when(item.since, "list"))
    return format_html(
        '<span class="line-mark look-{}">{}</span><a class="line-title" href="{}">{}</a>'
        '<span class="line-note">{}</span>',
        mark,
        icon(mark),
        item.action.address,
        translate(item.what),
        since + format_html(" · {}", translate(item.why, whole=True)) if item.why else since,
    )


def _note(*parts: str | None) -> str:
    return BETWEEN.join(filter(None, parts))


def _state(one: Line) -> SafeString:
    """Return the badge, with a note below it for a public component or a plan."""
    state: SafeString = badge(one.state)
    if one.public_read:
        said = _("public, readable without signing in")
        state += format_html('<span class="line-extra">{}{}</span>', icon("world"), said)
    return state + _bar(one.progress) if one.progress else state


def _bar(progress: Progress) -> SafeString:
    steps = {"ended": progress.ended, "total": progress.total}
    return format_html(
        '<span class="line-progress"><progress max="{}" value="{}" aria-label="{}"></progress> {}'
        "</span>",
        progress.total,
        progress.ended,
        plan_labels.plan(progress.kind),
        _("%(ended)s of %(total)s steps") % steps,
    )
