"""Icons as inline SVG, drawn for this product on a grid of 20: strokes of 1.6, round ends, the
colour of the text around them.
"""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

SHAPES = {
    # --- marks of states: each has an outline of its own, so that they differ without colour ---
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
        '11.200a1.2 1.2 0 0 1 2-1.300L6 10.8"/>'
    ),
    "pending": '<circle cx="10" cy="10" r="7.2"/>',
    "paused": '<circle cx="10" cy="10" r="7.2"/><path d="M8 7.2v5.600M12 7.2v5.600"/>',
    "warning": (
        '<path d="M10 3.200 17.600 16.4H2.400z"/><path d="M10 8v3.800"/><circle cx="10" '
        'cy="14" r=".9" fill="currentColor" stroke="none"/>'
    ),
    # --- places and things ---
    "home": '<path d="m3 9.300 7-6 7 6M5 8v8.400h10V8M8.400 16.400v-4.600h3.200v4.600"/>',
    "inbox": (
        '<path d="M4.400 14.200h11.200l-1.400-2.400V8.600a4.200 4.200 0 0 0-8.400 0v3.200zM8.400 '
        '16.800h3.200"/>'
    ),
    "overview": '<path d="M3 16.800h14M5.400 16.800v-5M10 16.800V6.400M14.600 16.800V3.600"/>',
    "projects": '<path d="M2.800 5.400h5l1.600 2h7.800v8.400H2.800z"/>',
    "components": (
        '<path d="m10 2.800 6.400 3.600v7.200L10 17.200l-6.400-3.600V6.400zM3.600 6.400 10 '
        '10l6.400-3.600M10 10v7.200"/>'
    ),
    "keys": (
        '<circle cx="6.600" cy="13.400" r="3.600"/><path d="m9.200 10.800 7.600-7.600M13.600 '
        '6.400l2.400 2.400M11.600 8.400l1.600 1.600"/>'
    ),
    "registrations": (
        '<path d="M2.800 11.400 5 3.600h10l2.200 7.800v5H2.800zM2.800 11.400h4.400l1.200 '
        '2.200h3.200l1.200-2.200h4.400"/>'
    ),
    "people": (
        '<circle cx="7.600" cy="6.600" r="2.900"/><path d="M2 16.400c.3-3.300 2.400-5.200 '
        "5.600-5.200s5.300 1.900 5.600 5.200M12.800 3.900a2.900 2.900 0 0 1 0 5.400M14.600 "
        '11.700c2 .6 3.200 2.300 3.400 4.700"/>'
    ),
    "plans": (
        '<path d="M5 4.400v11.200M5 4.400a1.400 1.400 0 1 0 0-.1M5 17a1.400 1.400 0 1 0 '
        '0-2.800M9.400 4.400h7.800M9.400 10h7.800M9.400 15.600h7.800"/>'
    ),
    "systems": (
        '<rect x="3" y="3.400" width="14" height="5.200" rx="1.200"/><rect x="3" y="11.400" '
        'width="14" height="5.200" rx="1.200"/><path d="M6 6h.01M6 14h.01M9.400 '
        '6h4.600M9.400 14h4.600"/>'
    ),
    "sql_database": (
        '<ellipse cx="10" cy="5" rx="6.400" ry="2.400"/><path d="M3.600 5v10c0 1.300 2.900 '
        "2.400 6.400 2.400s6.400-1.100 6.400-2.400V5M3.600 10c0 1.300 2.900 2.400 6.400 "
        '2.400s6.400-1.100 6.400-2.400"/>'
    ),
    "triplestore_repository": (
        '<circle cx="5" cy="14.400" r="2.400"/><circle cx="15" cy="14.400" '
        'r="2.400"/><circle cx="10" cy="5" r="2.400"/><path d="m8.900 7.100-2.700 '
        '5.100M11.100 7.100l2.700 5.100M7.400 14.400h5.200"/>'
    ),
    "knowledge_stack": (
        '<path d="m10 3 7 3.500-7 3.500-7-3.500zM3 10l7 3.500 7-3.500M3 13.500 10 17l7-3.500"/>'
    ),
    "drive": (
        '<path d="M3 14.400V6.600L4.800 3.600h10.400L17 6.600v9.800H3zM3 11.400h14M14 14h.01"/>'
    ),
    "notebook_hub": (
        '<path d="M5.400 2.800h10.200v14.400H5.400zM5.400 2.800v14.400M3.600 6h3.200M3.600 '
        '10h3.200M3.600 14h3.200M9.200 6.600h4M9.200 9.600h4"/>'
    ),
    "ontology_editor": (
        '<circle cx="10" cy="4.200" r="1.800"/><circle cx="4.400" cy="15.800" '
        'r="1.800"/><circle cx="10" cy="15.800" r="1.800"/><circle cx="15.600" cy="15.800" '
        'r="1.800"/><path d="M10 6v8M10 10H4.400v4M10 10h5.600v4"/>'
    ),
    "sql_admin_tool": (
        '<rect x="2.800" y="4" width="14.400" height="12" rx="1.200"/><path d="M2.800 '
        '8h14.400M8 8v8M2.800 12h14.400"/>'
    ),
    "identity_provider": (
        '<path d="M10 2.600 16.400 5v4.600c0 3.800-2.600 6.500-6.400 '
        '7.800-3.800-1.300-6.400-4-6.400-7.800V5z"/><circle cx="10" cy="8.400" '
        'r="1.900"/><path d="M6.900 13.400c.5-1.600 1.600-2.300 3.100-2.300s2.600.7 3.100 '
        '2.300"/>'
    ),
    "container_manager": (
        '<path d="M2.800 8h14.400v8.400H2.800zM5 8V5h10v3M6.400 10.800v2.800M10 '
        '10.800v2.800M13.600 10.800v2.800"/>'
    ),
    "account": (
        '<circle cx="10" cy="7" r="3.200"/><path d="M3.800 17c.4-3.800 2.700-5.800 '
        '6.200-5.800s5.800 2 6.200 5.800"/>'
    ),
    "sign_out": (
        '<path d="M8 3.600H3.600v12.800H8M12.600 6.400 16.200 10l-3.600 3.600M16.200 10H7.600"/>'
    ),
    "settings": (
        '<path d="M3 6h8.200M15.600 6H17M3 14h1.400M8.800 14H17"/><circle cx="13.400" cy="6" '
        'r="2.200"/><circle cx="6.600" cy="14" r="2.200"/>'
    ),
    "menu": '<path d="M3 5.600h14M3 10h14M3 14.400h14"/>',
    "open": (
        '<path d="M11.600 3.600h4.800v4.800M16.200 3.800 9.400 10.600M8 '
        '4.800H3.600v11.600h11.600V12"/>'
    ),
    "arrow": '<path d="M4 10h12M11.400 5.400 16 10l-4.600 4.600"/>',
    "lock": (
        '<rect x="4" y="9" width="12" height="8" rx="1.400"/><path d="M6.600 9V6.400a3.400 '
        '3.400 0 0 1 6.800 0V9"/>'
    ),
    "plus": '<path d="M10 4v12M4 10h12"/>',
    "audit": ('<path d="M5 2.8h10v14.4H5z"/><path d="M7.6 6.6h4.8M7.6 10h4.8M7.6 13.4h2.6"/>'),
    "letters": (
        '<rect x="2.800" y="4.400" width="14.400" height="11.200" rx="1.200"/><path '
        'd="m3.200 5.400 6.800 5.400 6.800-5.400"/>'
    ),
    "world": (
        '<circle cx="10" cy="10" r="7"/><path d="M3 10h14M10 3c2.200 2 3.200 4.300 3.200 7s-1 '
        '5-3.200 7c-2.200-2-3.200-4.300-3.200-7s1-5 3.200-7z"/>'
    ),
    "search": '<circle cx="8.800" cy="8.800" r="5"/><path d="m12.600 12.600 4 4"/>',
    "print": (
        '<path d="M6 7.400V3.200h8v4.200M6 13.800H3.200V7.400h13.600v6.400H14M6 '
        '11.400h8v5.400H6z"/>'
    ),
}


SAME = {"sql_server": "sql_database", "triplestore": "triplestore_repository", "records": "plans"}
"""Other names of the same icons."""


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """An icon; with a label it speaks for itself, without one it is decoration beside a word."""
    shape = SHAPES.get(SAME.get(name, name), SHAPES["pending"])
    speak = (
        format_html('role="img" aria-label="{}"', label)
        if label
        else mark_safe('aria-hidden="true"')
    )
    return format_html(
        '<svg class="icon icon-{}" viewBox="0 0 20 20" width="20" height="20" '
        'fill="none" stroke="currentColor" '
        'stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" {}>{}</svg>',
        name,
        speak,
        mark_safe(shape),  # noqa: S308  ours, from the table above
    )
