"""A page of the identity provider as a person reads it: its title, its words, and its form.

Themes differ; the ids that are read here are those that all of the provider's own themes share
(docs/systems/identity-provider.md#pages-of-a-sign-in).
"""

import re
from html.parser import HTMLParser
from typing import Final

FORM: Final = "kc-form-login"
LONGEST: Final = 200
"""Characters of a foreign text that a finding repeats."""
_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
_SAYS: Final = re.compile(r"kc-page-title|kc-error-message|input-error.*|kc-terms-text")
_UNSEEN: Final = {"script", "style", "template"}


class Page(HTMLParser):
    """A parsed page. Only its form is used, and texts, which are quoted."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.action = ""
        """The target of the sign-in form; "" if the page has none."""
        self.fields: dict[str, str] = {}
        self._open: list[tuple[str, str]] = []
        self._said: dict[str, list[str]] = {}
        self._in_form = False
        self.feed(text)
        self.close()

    @property
    def words(self) -> str:
        """Return the page's own words, as far as a finding repeats them."""
        said = [" ".join(" ".join(parts).split()) for parts in self._said.values()]
        text = ": ".join(dict.fromkeys(one for one in said if one))
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"

    @property
    def asks_for_password(self) -> bool:
        return bool(self.action) and {"username", "password"} <= self.fields.keys()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("id") == FORM:
            self.action, self._in_form = given.get("action", ""), True
        if tag == "input" and self._in_form and given.get("name"):
            self.fields[given["name"]] = given.get("value", "")
        if tag not in _VOID:
            self._open.append((tag, self._field(given)))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._in_form = False
        while any(name == tag for name, _ in self._open):
            if self._open.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        if any(name in _UNSEEN for name, _ in self._open):
            return
        place = next((one for _, one in self._open if one), "")
        if place:
            self._said.setdefault(place, []).append(data)

    def _field(self, given: dict[str, str]) -> str:
        """Return the part of the page's words that an element contains; "" for none."""
        name = given.get("id", "")
        if _SAYS.fullmatch(name):
            return name
        return "feedback" if "kc-feedback-text" in given.get("class", "").split() else ""
