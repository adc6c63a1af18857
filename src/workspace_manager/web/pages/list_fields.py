"""Fields for the form of a list. They render themselves without templates: a page has many of
them.
"""

from html import escape
from typing import Any, Final, TypeAlias

from django import forms
from django.forms.utils import flatatt
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

Choices: TypeAlias = list[tuple[str, str | Promise]]
ANY: Final[tuple[str, str | Promise]] = ("", gettext_lazy("any"))


class PlainSelect(forms.Select):
    """A choice that renders itself. Django renders a template for each option: a list of many
    projects took longer than everything else on the page.
    """

    def render(
        self,
        name: str,
        value: Any,
        attrs: Any = None,  # noqa: ARG002  of Django's signature
        renderer: Any = None,  # noqa: ARG002  likewise
    ) -> SafeString:
        chosen = "" if value is None else str(value)
        options = "".join(  # Each is escaped here.
            f'<option value="{escape(key)}"{" selected" if key == chosen else ""}>'
            f"{escape(str(word))}</option>"
            for key, word in self.choices
        )
        return format_html(
            '<select name="{}" id="id_{}">{}</select>',
            name,
            name,
            mark_safe(options),  # noqa: S308
        )


class OneOf(forms.Field):
    """A choice among offered values. Django's field copies each choice, and walks through all of
    them to find the chosen one.
    """

    widget = PlainSelect
    _offered: frozenset[str] = frozenset()

    def offer(self, choices: Choices) -> None:
        """Offer these choices, each with its label, in their order."""
        if isinstance(self.widget, PlainSelect):
            self.widget.choices = choices
        self._offered = frozenset(key for key, _word in choices)

    def clean(self, value: Any) -> str:
        """Return the chosen value. Raises ValidationError for one that is not offered."""
        chosen = str(value or "")
        if chosen not in self._offered:
            raise forms.ValidationError("", code="not_offered")
        return chosen


class PlainText(forms.TextInput):
    """A text field that renders itself, too."""

    def render(
        self,
        name: str,
        value: Any,
        attrs: Any = None,
        renderer: Any = None,  # noqa: ARG002  of Django's signature
    ) -> SafeString:
        typed = {} if value in (None, "") else {"value": str(value)}
        all_of_it = {"type": "text", "name": name, **typed, **self.attrs, **(attrs or {})}
        return format_html("<input{}>", flatatt(all_of_it))
