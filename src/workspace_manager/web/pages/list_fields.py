"""The fields of a form that looks through a list, written in one go: a page has many."""

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
    """A choice written in one go: Django renders a template for each option, and a list of many
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
        options = "".join(  # each is escaped here
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
    """One of what is offered. Django's field copies each choice and walks through all to find the
    one that was chosen.
    """

    widget = PlainSelect
    _offered: frozenset[str] = frozenset()

    def offer(self, choices: Choices) -> None:
        """`choices`: each with its word, in their order."""
        if isinstance(self.widget, PlainSelect):
            self.widget.choices = choices
        self._offered = frozenset(key for key, _word in choices)

    def clean(self, value: Any) -> str:
        """Raises ValidationError for what is not offered."""
        chosen = str(value or "")
        if chosen not in self._offered:
            raise forms.ValidationError("", code="not_offered")
        return chosen


class PlainText(forms.TextInput):
    """A line of text, written likewise."""

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
