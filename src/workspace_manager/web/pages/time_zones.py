"""The choice of one of 430 time zones: a text field that suggests matching zones. It needs no
JavaScript, and a city is enough.
"""

import zoneinfo
from functools import lru_cache
from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from workspace_manager.people.messages import message
from workspace_manager.web.pages.translate import as_text

PARTS = (
    "Africa",
    "America",
    "Antarctica",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)
"""Parts of the world; old aliases are left out."""
LIST = "time-zones"


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """Return every zone that can be chosen, by part of the world."""
    known = zoneinfo.available_timezones()
    return ("UTC", *sorted(name for name in known if name.partition("/")[0] in PARTS))


@lru_cache(maxsize=1)
def _meant() -> dict[str, str]:
    """Return accepted texts, folded: the names, and cities that are unique."""
    cities: dict[str, list[str]] = {}
    for name in names():
        cities.setdefault(_normalize(name.rpartition("/")[2]), []).append(name)
    # Equal cities in one part of the world are one zone, under an older and a newer name.
    alone = {
        city: max(found, key=len)
        for city, found in cities.items()
        if len({name.partition("/")[0] for name in found}) == 1
    }
    return {**alone, **{_normalize(name): name for name in names()}}


def _normalize(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split()).replace(" / ", "/")


def meant(typed: str) -> str:
    """Return the zone of a typed text; "" if there is none, or more than one."""
    return _meant().get(_normalize(typed), "")


class TimeZoneInput(forms.TextInput):
    """A text field with its list of suggestions."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        field = super().render(name, value, {**(attrs or {}), "list": LIST}, renderer)
        options = format_html_join("", '<option value="{}">', ((zone,) for zone in names()))
        return format_html('{}<datalist id="{}">{}</datalist>', field, LIST, options)


class TimeZoneField(forms.CharField):
    """A time zone, typed as its name or as a city."""

    widget = TimeZoneInput

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=gettext_lazy("Time zone"),
            max_length=60,
            required=False,
            help_text=gettext_lazy("Clear the field and type the name of a city."),
            **options,
        )

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        plain = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        return {**super().widget_attrs(widget), **plain}

    def clean(self, value: Any) -> str:
        zone = meant(super().clean(value))
        if not zone:
            raise forms.ValidationError(as_text(message("time_zone")))
        return zone
