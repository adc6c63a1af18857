"""States as a mark and a word, labels of steps and systems, and times in the reader's zone."""

from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from django import template
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from workspace_manager.core.messages import StoredMessage
from workspace_manager.engine.extras import CredentialView
from workspace_manager.engine.headline import SETTLED
from workspace_manager.engine.view import ChangeView, PlanView, StepView
from workspace_manager.people.suspension_view import StepPreview
from workspace_manager.web.pages import labels, plan_labels
from workspace_manager.web.pages.days import calendar_day
from workspace_manager.web.pages.translate import as_text, translate
from workspace_manager.web.templatetags.icons import icon

register = template.Library()
register.filter("calendar_day", calendar_day)


@register.simple_tag
def badge(state: str, word: str = "") -> SafeString:
    """Return a state as a mark with a word, never as colour alone."""
    return _badge(state, word) if word else _badge_in(state, get_language())


@lru_cache(maxsize=256)
def _badge_in(state: str, _language: str | None) -> SafeString:
    """Return the badge, made once for each language: each row of a list has one."""
    return _badge(state, labels.state(state))


def _badge(state: str, word: str) -> SafeString:
    return format_html(
        '<span class="state state-{}">{}<span>{}</span></span>',
        labels.LOOKS.get(state, "quiet"),
        icon(labels.MARKS.get(state, "pending")),
        word,
    )


@register.filter
def state_label(state: str) -> str:
    return labels.state(state)


@register.filter
def look(state: str) -> str:
    """Return the colour of a state, one of a few."""
    return labels.LOOKS.get(state, "quiet")


@register.simple_tag
def plan_badge(plan: PlanView) -> SafeString:
    """Return the badge beside a plan's title. It is not green unless the headline is."""
    state = plan.headline.state
    if plan.state != "done" or state in SETTLED:
        return badge(plan.state)
    return badge("failing", pgettext("access", "open")) if state == "open" else badge(state)


@register.filter
def headline_look(state: str) -> str:
    """Return the colour of a headline: red for what is open, but not for what ends by itself."""
    return labels.HEADLINES.get(state, "") or look(state)


@register.filter
def headline_icon(state: str) -> str:
    return labels.HEADLINE_MARKS.get(state, "") or badge_icon(state)


@register.filter
def badge_icon(state: str) -> str:
    return labels.MARKS.get(state, "pending")


@register.filter
def system_label(name: str) -> str:
    return labels.system(name)


@register.filter
def kind_label(kind: str) -> str:
    return labels.kind(kind)


@register.filter
def role_label(role: str) -> str:
    """Return the label of a role in a project."""
    return labels.role(role)


@register.filter
def permission_label(name: str) -> str:
    """Return the label of a permission."""
    return labels.permission(name)


@register.filter
def credential_label(kept: CredentialView) -> str:
    """Return the label of a credential that somebody may have kept."""
    return labels.credential(kept.credential, kept.label_message)


@register.filter
def step_label(step: StepView | StepPreview) -> str:
    return plan_labels.step(step.name, step.label_message)


@register.filter
def plan_label(kind: str) -> str:
    return plan_labels.plan(kind)


@register.filter
def message_html(message: StoredMessage) -> SafeString:
    """Return a message in the reader's language; another system's own words are marked as
    English.
    """
    return translate(message)


@register.filter
def sentence(message: StoredMessage) -> SafeString:
    """Return a message as a sentence: a clause gets a capital and a full stop. Systems write
    clauses, and people read sentences.
    """
    return translate(message, whole=True)


@register.filter
def message_text(message: StoredMessage) -> str:
    """Return a message, or a person's own words, without marking a language, which is not known."""
    return as_text(message)


@register.filter
def lookup(mapping: Any, key: Any) -> Any:
    """Return a mapping's value; "" without one."""
    return mapping.get(key, "") if isinstance(mapping, Mapping) else ""


@register.filter
def moment(value: Any) -> datetime | None:
    """Return a time, also from its ISO text."""
    if isinstance(value, datetime) or value is None:
        return value
    return parse_datetime(str(value))


@register.simple_tag
def when(value: Any, style: str = "short") -> SafeString | str:
    """Return a time in the reader's zone: `short` leaves out today's date, `list` says "today",
    `long` does neither, and `day` is the date alone.
    """
    at = moment(value)
    if at is None:
        return ""
    local = timezone.localtime(at)
    whole = _format_time(local, "long")
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        local.isoformat(timespec="seconds"),
        f"{whole} ({local.tzname()})",
        whole if style == "long" else _format_time(local, style),
    )


def _format_time(local: datetime, style: str) -> str:
    clock = f"{local:%H:%M}"
    if style == "clock":
        return f"{local:%H:%M:%S}"
    if style in {"short", "list"} and local.date() == timezone.localdate():
        return clock if style == "short" else _("today, %(clock)s") % {"clock": clock}
    days = _day(local.date(), get_language())
    return days if style == "day" else f"{days}, {clock}"


@lru_cache(maxsize=1024)
def _day(day: date, _language: str | None) -> str:
    """Return a date, made once for each language: a list shows few days, each many times."""
    # Translators: a date as Django writes it, for example 3 Nov 2025
    return date_format(day, pgettext("date", "j M Y"))


@register.filter
def day_text(value: datetime) -> str:
    """Return a day (UTC) as plain text, where no element is possible."""
    return _format_time(value, "day")


@register.filter
def age(value: datetime) -> str:
    """Return how long ago a moment was, in its largest unit: "3 days"."""
    return (
        timesince(value, depth=1)
        if (timezone.now() - value).total_seconds() >= 60
        else _("less than a minute")
    )


@register.filter
def duration(seconds: float | None) -> str:
    """Return an approximate duration."""
    return plan_labels.duration(seconds)


@register.filter
def action_label(change: ChangeView) -> str:
    """Return the word for a change: Delete, Stop, Revoke …"""
    return plan_labels.action_label(change)


@register.filter
def target_name(change: ChangeView) -> str:
    """Return the name of a change's account or database."""
    return message_text(plan_labels.target_name(change))


@register.filter
def ended_label(step: StepView) -> str:
    """Return the sentence for a step that has ended."""
    return plan_labels.end_label(step)
