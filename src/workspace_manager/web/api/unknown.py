"""Refusal of unknown parameters by name, before anything is done: a misspelt parameter, or one of
another version, must not be ignored.

The router adds it to every operation. `inputs.Input` refuses unknown members of bodies; this module
covers routes without a body.
"""

import functools
import json
from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation

from workspace_manager.contract.message import Message
from workspace_manager.web.api.gate import BODIES
from workspace_manager.web.messages import message

MOST_NAMED = 20
"""The most parameters that an error names."""
VALUES = "_get_values"
"""The framework's method that reads a request: after authentication, before our function, and
inside its error handling.
"""

Reading = Callable[[HttpRequest, Any, HttpResponse], dict[str, Any]]


def refuse_unknown(operation: Operation) -> None:
    """Make an operation refuse unknown parameters, together with its other input errors."""
    reading: Reading = getattr(operation, VALUES)
    known = _names(operation, "query")
    takes_body = any(model.__ninja_param_source__ == "body" for model in operation.models)

    @functools.wraps(reading)
    def strictly(request: HttpRequest, path: Any, response: HttpResponse) -> dict[str, Any]:
        unknown = [*_parameters(request, known), *([] if takes_body else _members(request))]
        try:
            values = reading(request, path, response)
        except ValidationError as wrong:
            raise ValidationError([*wrong.errors, *unknown[:MOST_NAMED]]) from wrong
        if unknown:
            raise ValidationError(unknown[:MOST_NAMED])
        return values

    setattr(operation, VALUES, strictly)


def _names(operation: Operation, place: str) -> list[str]:
    """Return a route's parameters in documented order."""
    return [
        name
        for model in operation.models
        if model.__ninja_param_source__ == place
        for name in getattr(model, "__ninja_flatten_map__", {})
    ]


def _parameters(request: HttpRequest, known: list[str]) -> Iterator[dict[str, Any]]:
    why = message("parameters", names=", ".join(known)) if known else message("no_parameters")
    for name in request.GET:
        if name not in known:
            yield _error("query", name, why)


def _members(request: HttpRequest) -> Iterator[dict[str, Any]]:
    """Yield an error for each member sent to a route without a body; `{}` has none."""
    if request.method not in BODIES or not request.body:
        return
    try:
        document = json.loads(request.body)
    except (ValueError, RecursionError) as wrong:
        raise HttpError(400, "") from wrong
    if not isinstance(document, dict):
        yield _error("body", "body", message("no_body"))
        return
    for name in document:
        yield _error("body", name, message("no_body"))


def _error(place: str, name: str, why: Message) -> dict[str, Any]:
    """Build a field's error in the framework's form, in our words."""
    where = (place, "body", name) if place == "body" else (place, name)
    return {"type": "unknown", "loc": where, "msg": why.english, "message": why}
