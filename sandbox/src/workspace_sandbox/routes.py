"""The addresses that a stand-in answers, as data, and who calls each of them; whatever is not there
is not imitated.

A caller is code (`module:name` or `module:Class.name`) or one of OTHERS.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from aiohttp import web

OTHERS: Final = {
    "demo person": "somebody in a browser of the demo",
    "outsider": "somebody with a credential that `demo --json` prints, reading or deleting",
    "sign-in": "the manager's own sign-in, through django-allauth",
    "notebook hub": "JupyterHub's authenticator and spawner",
}
"""Callers that are no code of this project, and who they are."""
NOT_SERVED: Final = "urn:workspace-sandbox:not-served"
_PART: Final = re.compile(r"\{\w+(\.\.\.)?\}")


@dataclass(frozen=True)
class Route:
    """One address. In `path`, `{name}` stands for one segment and `{name...}` for
    whatever follows.
    """

    method: str
    path: str
    callers: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        parts, at = [], 0
        for found in _PART.finditer(self.path):
            parts += [re.escape(self.path[at : found.start()]), ".*" if found[1] else "[^/]+"]
            at = found.end()
        return re.compile("".join([*parts, re.escape(self.path[at:])]), re.DOTALL)

    def takes(self, method: str, path: str) -> bool:
        """Return whether this is the route of a call; `path` as on the wire, without the query."""
        return method == self.method and self.pattern.fullmatch(path) is not None


def called(*callers: str, routes: Iterable[str]) -> tuple[Route, ...]:
    """Return routes with the same callers, each written `METHOD /path`."""
    split = (line.split(maxsplit=1) for line in routes)
    return tuple(Route(method, path, callers) for method, path in split)


def not_served(method: str, path: str, product: str) -> web.Response:
    """Say that this is a stand-in, and that nobody here was known to call this."""
    document = {
        "type": NOT_SERVED,
        "title": "Not served by this stand-in",
        "status": 501,
        "detail": f"{method} {path}: this is a stand-in of {product}, made for the sandbox. "
        "It answers what the workspace manager and the people of its demo call, and nothing else.",
    }
    return web.json_response(document, status=501, content_type="application/problem+json")
