"""Icons as inline SVG, drawn for this product on a grid of 20: strokes of 1.6, round ends, in the
colour of the text around them.
"""

from functools import lru_cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

SHAPES = {
    # Marks of states: each has an outline of its own, so that they differ without colour.
    "done": (
        '<circle cx="10" cy="10" r="7.2" fill="currentColor" stroke="none"/><path d="m6.6 '
        '10.2 2.4 2.4 4.4-5" stroke="var(--mark-hole)" stroke-width="1.9"/>'
    ),
    "already_gone": (
        '<circle cx="10" cy="10" r="7.2" stroke-dasharray="2.6 1.93"/><path d="m6.8 10.2 2.2 '
        '2.2 4.2-4.8"/>'
    ),
    "running": (
        '<circle cx="10" cy="10" r="7.2" opacity=".28"/><path d="M10 2.8a7.2 7.2 0 0 1 7.2 7.2"/>'
    ),
    "waiting": '<circle cx="10" cy="10" r="7.2"/><path d="M10 5.8V10l2.8 1.8"/>',
    "stuck": (
        '<path d="M7.1 2.8h5.8l4.3 4.3v5.8l-4.3 4.3H7.1l-4.3-4.3V7.1z" fill="currentColor" '
        'stroke="none"/><path d="M10 6.2v4.6" stroke="var(--mark-hole)" '
        'stroke-width="1.9"/><circle cx="10" cy="13.6" r="1.1" fill="var(--mark-hole)" '
        'stroke="none"/>'
    ),
    "skipped": '<path d="M3.5 5.5v9l6-4.5zM10.5 5.5v9l6-4.5z"/>',
    "by_hand": (
        '<path d="M6 10.8V5.4a1.2 1.2 0 0 1 2.4 0V9m0-4.8a1.2 1.2 0 0 1 2.4 0V9m0-4.2a1.2 '
        "1.2 0 0 1 2.4 0v5.4m0-3a1.2 1.2 0 0 1 2.4 0v4.4c0 3-2 5-4.8 5-2.6 0-3.8-1-5-3.2L3.6 "
        '11.2a1.2 1.2 0 0 1 2-1.3L6 10.8"/>'
    ),
    "pending": '<circle cx="10" cy="10" r="7.2"/>',
    "paused": '<circle cx="10" cy="10" r="7.2"/><path d="M8 7.2v5.6M12 7.2v5.6"/>',
    "warning": (
        '<path d="M10 3.2 17.6 16.4H2.4z"/><path d="M10 8v3.8"/><circle cx="10" '
        'cy="14" r=".9" fill="currentColor" stroke="none"/>'
    ),
    # Places and things.
    "home": '<path d="m3 9.3 7-6 7 6M5 8v8.4h10V8M8.4 16.4v-4.6h3.2v4.6"/>',
    "inbox": '<path d="M4.4 14.2h11.2l-1.4-2.4V8.6a4.2 4.2 0 0 0-8.4 0v3.2zM8.4 16.8h3.2"/>',
    "overview": '<path d="M3 16.8h14M5.4 16.8v-5M10 16.8V6.4M14.6 16.8V3.6"/>',
    "projects": '<path d="M2.8 5.4h5l1.6 2h7.8v8.4H2.8z"/>',
    "components": (
        '<path d="m10 2.8 6.4 3.6v7.2L10 17.2l-6.4-3.6V6.4zM3.6 6.4 10 10l6.4-3.6M10 10v7.2"/>'
    ),
    "snapshots": (
        '<path d="M2.8 6h3.4l1.4-2.4h4.8L13.8 6h3.4v10.2H2.8z"/><circle cx="10" cy="10.8" r="3"/>'
    ),
    "keys": (
        '<circle cx="6.6" cy="13.4" r="3.6"/><path d="m9.2 10.8 7.6-7.6M13.6 '
        '6.4l2.4 2.4M11.6 8.4l1.6 1.6"/>'
    ),
    "registrations": (
        '<path d="M2.8 11.4 5 3.6h10l2.2 7.8v5H2.8zM2.8 11.4h4.4l1.2 2.2h3.2l1.2-2.2h4.4"/>'
    ),
    "people": (
        '<circle cx="7.6" cy="6.6" r="2.9"/><path d="M2 16.4c.3-3.3 2.4-5.2 '
        "5.6-5.2s5.3 1.9 5.6 5.2M12.8 3.9a2.9 2.9 0 0 1 0 5.4M14.6 "
        '11.7c2 .6 3.2 2.3 3.4 4.7"/>'
    ),
    "plans": (
        '<path d="M5 4.4v11.2M5 4.4a1.4 1.4 0 1 0 0-.1M5 17a1.4 1.4 0 1 0 '
        '0-2.8M9.4 4.4h7.8M9.4 10h7.8M9.4 15.6h7.8"/>'
    ),
    "systems": (
        '<rect x="3" y="3.4" width="14" height="5.2" rx="1.2"/><rect x="3" y="11.4" '
        'width="14" height="5.2" rx="1.2"/><path d="M6 6h.01M6 14h.01M9.4 '
        '6h4.6M9.4 14h4.6"/>'
    ),
    "sql_database": (
        '<ellipse cx="10" cy="5" rx="6.4" ry="2.4"/><path d="M3.6 5v10c0 1.3 2.9 '
        "2.4 6.4 2.4s6.4-1.1 6.4-2.4V5M3.6 10c0 1.3 2.9 2.4 6.4 "
        '2.4s6.4-1.1 6.4-2.4"/>'
    ),
    "triplestore_repository": (
        '<circle cx="5" cy="14.4" r="2.4"/><circle cx="15" cy="14.4" '
        'r="2.4"/><circle cx="10" cy="5" r="2.4"/><path d="m8.9 7.1-2.7 '
        '5.1M11.1 7.1l2.7 5.1M7.4 14.4h5.2"/>'
    ),
    "knowledge_stack": '<path d="m10 3 7 3.5-7 3.5-7-3.5zM3 10l7 3.5 7-3.5M3 13.5 10 17l7-3.5"/>',
    "drive": '<path d="M3 14.4V6.6L4.8 3.6h10.4L17 6.6v9.8H3zM3 11.4h14M14 14h.01"/>',
    "notebook_hub": (
        '<path d="M5.4 2.8h10.2v14.4H5.4zM5.4 2.8v14.4M3.6 6h3.2M3.6 '
        '10h3.2M3.6 14h3.2M9.2 6.6h4M9.2 9.6h4"/>'
    ),
    "ontology_editor": (
        '<circle cx="10" cy="4.2" r="1.8"/><circle cx="4.4" cy="15.8" '
        'r="1.8"/><circle cx="10" cy="15.8" r="1.8"/><circle cx="15.6" cy="15.8" '
        'r="1.8"/><path d="M10 6v8M10 10H4.4v4M10 10h5.6v4"/>'
    ),
    "sql_admin_tool": (
        '<rect x="2.8" y="4" width="14.4" height="12" rx="1.2"/><path d="M2.8 '
        '8h14.4M8 8v8M2.8 12h14.4"/>'
    ),
    "identity_provider": (
        '<path d="M10 2.6 16.4 5v4.6c0 3.8-2.6 6.5-6.4 '
        '7.8-3.8-1.3-6.4-4-6.4-7.8V5z"/><circle cx="10" cy="8.4" '
        'r="1.9"/><path d="M6.9 13.4c.5-1.6 1.6-2.3 3.1-2.3s2.6.7 3.1 '
        '2.3"/>'
    ),
    "container_manager": (
        '<path d="M2.8 8h14.4v8.4H2.8zM5 8V5h10v3M6.4 10.8v2.8M10 10.8v2.8M13.6 10.8v2.8"/>'
    ),
    "account": (
        '<circle cx="10" cy="7" r="3.2"/><path d="M3.8 17c.4-3.8 2.7-5.8 6.2-5.8s5.8 2 6.2 5.8"/>'
    ),
    "sign_out": '<path d="M8 3.6H3.6v12.8H8M12.6 6.4 16.2 10l-3.6 3.6M16.2 10H7.6"/>',
    "settings": (
        '<path d="M3 6h8.2M15.6 6H17M3 14h1.4M8.8 14H17"/><circle cx="13.4" cy="6" '
        'r="2.2"/><circle cx="6.6" cy="14" r="2.2"/>'
    ),
    "menu": '<path d="M3 5.6h14M3 10h14M3 14.4h14"/>',
    "open": '<path d="M11.6 3.6h4.8v4.8M16.2 3.8 9.4 10.6M8 4.8H3.6v11.6h11.6V12"/>',
    "arrow": '<path d="M4 10h12M11.4 5.4 16 10l-4.6 4.6"/>',
    "lock": (
        '<rect x="4" y="9" width="12" height="8" rx="1.4"/><path d="M6.6 9V6.4a3.4 '
        '3.4 0 0 1 6.8 0V9"/>'
    ),
    "plus": '<path d="M10 4v12M4 10h12"/>',
    "audit": '<path d="M5 2.8h10v14.4H5z"/><path d="M7.6 6.6h4.8M7.6 10h4.8M7.6 13.4h2.6"/>',
    "letters": (
        '<rect x="2.8" y="4.4" width="14.4" height="11.2" rx="1.2"/><path '
        'd="m3.2 5.4 6.8 5.4 6.8-5.4"/>'
    ),
    "world": (
        '<circle cx="10" cy="10" r="7"/><path d="M3 10h14M10 3c2.2 2 3.2 4.3 3.2 7s-1 '
        '5-3.2 7c-2.2-2-3.2-4.3-3.2-7s1-5 3.2-7z"/>'
    ),
    "search": '<circle cx="8.8" cy="8.8" r="5"/><path d="m12.6 12.6 4 4"/>',
    "print": '<path d="M6 7.4V3.2h8v4.2M6 13.8H3.2V7.4h13.6v6.4H14M6 11.4h8v5.4H6z"/>',
}


SAME = {"sql_server": "sql_database", "triplestore": "triplestore_repository", "records": "plans"}
"""Other names of the same icons."""


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """Return an icon. With a label it stands alone; without one it is decoration beside a word."""
    if label:
        return _drawn(name, format_html('role="img" aria-label="{}"', label))
    return _beside_a_word(name)


@lru_cache(maxsize=256)
def _beside_a_word(name: str) -> SafeString:
    """Return the icon, drawn once: each row of a list has several."""
    return _drawn(name, mark_safe('aria-hidden="true"'))


def _drawn(name: str, speak: SafeString) -> SafeString:
    shape = SHAPES.get(SAME.get(name, name), SHAPES["pending"])
    return format_html(
        '<svg class="icon icon-{}" viewBox="0 0 20 20" width="20" height="20" '
        'fill="none" stroke="currentColor" '
        'stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" {}>{}</svg>',
        name,
        speak,
        mark_safe(shape),  # noqa: S308  ours, from the table above
    )
