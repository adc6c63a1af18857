"""Every route there is, read from Django's URL configuration and from the OpenAPI document."""

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RegexPattern

from tests.openapi import operations


def routes() -> set[tuple[str, str]]:
    """(method, address with holes) of every operation of the API and of every page; both say their
    methods.
    """
    found = set(operations())
    for address, view in _addresses(get_resolver(), "/"):
        found |= {(method, address) for method in getattr(view, "methods", ())}
    return found


def addresses() -> set[str]:
    """Every address with holes, by Django's URL configuration alone."""
    return {address for address, _ in _addresses(get_resolver(), "/")}


def _addresses(resolver: URLResolver, before: str) -> Iterator[tuple[str, Any]]:
    for pattern in resolver.url_patterns:
        address = before + _text(pattern)
        if isinstance(pattern, URLPattern):
            yield address, pattern.callback
        else:
            yield from _addresses(pattern, address)


def _text(pattern: URLPattern | URLResolver) -> str:
    """A pattern as OpenAPI writes it: `{name}` for a hole."""
    if isinstance(pattern.pattern, RegexPattern):
        return "*" if str(pattern.pattern) == "^.*$" else str(pattern.pattern)
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
