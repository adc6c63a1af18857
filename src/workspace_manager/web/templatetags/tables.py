"""Tables that become cards where they do not fit."""

import re
from typing import Final

from django import template
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

ROLES: Final = {
    "table": "table", "thead": "rowgroup", "tbody": "rowgroup", "tr": "row",
    "th": "columnheader", "td": "cell",
}  # fmt: skip
TAG: Final = re.compile(rf"<({'|'.join(ROLES)})\b")
HEADING: Final = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
NOT_SAID: Final = re.compile(r'<span aria-hidden="true">.*?</span>|<[^>]+>', re.DOTALL)


@register.simple_block_tag
def cards(content: str) -> SafeString:
    """Return a table that becomes cards where it does not fit.

    Each cell carries the heading of its column, which the style sheet puts before it in a card.
    Each element carries its role, which a browser drops if it is not laid out as a table.
    """
    headings = (NOT_SAID.sub("", text).strip() for text in HEADING.findall(content))
    labels = [text.replace('"', "&quot;") for text in headings]
    column = -1

    def mark(found: re.Match[str]) -> str:
        nonlocal column
        tag = found[1]
        column = column + 1 if tag in {"th", "td"} else -1
        label = f' data-label="{labels[column]}"' if tag == "td" else ""
        return f'<{tag} role="{ROLES[tag]}"{label}'

    # Cells are escaped already, and the headings are the template's own.
    return mark_safe(f'<div class="table">{TAG.sub(mark, content)}</div>')  # noqa: S308
