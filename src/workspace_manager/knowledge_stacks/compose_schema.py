"""A compose file has the forms that compose_features allows, and those of the published schema.

The schema of the Compose Specification lets through what reaches the host, and texts that mean more
than they seem to (`name:/path:O,upperdir=/etc`): the allowed forms come first. What they let
through and the published schema does not is what compose programs refuse when a stack is started.
"""

import json
from collections.abc import Iterator
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft4Validator, Draft202012Validator, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from workspace_manager.contract.message import Message, fields
from workspace_manager.knowledge_stacks import compose_features as features
from workspace_manager.knowledge_stacks import compose_variables as variables
from workspace_manager.knowledge_stacks.compose_features import Schema
from workspace_manager.knowledge_stacks.compose_text import Values, compose_refusal
from workspace_manager.knowledge_stacks.messages import message

_PUBLISHED: Final = "check_jsonschema/builtin_schemas/vendor/compose-spec.json"
_FORMS: Final = ("shape", "repeated")
"""Said after what may not be there at all."""


def _unique(_validator: Validator, _wanted: bool, found: Any, _schema: Schema) -> Iterator[Any]:
    """`uniqueItems`; the library's own compares each with each, for seconds."""
    if isinstance(found, list):
        known = {json.dumps(one, sort_keys=True) for one in found}
        yield from [ValidationError("twice")] * (len(known) < len(found))


_Forms: Final[type[Validator]] = extend(  # type: ignore[no-untyped-call]  # not typed in its stubs
    Draft202012Validator,
    {"uniqueItems": _unique, "reaches_host": lambda *_: [ValidationError("reaches the host")]},
    # Those of draft 4, where 5.0 is no whole number.
    type_checker=Draft4Validator.TYPE_CHECKER,
)


@cache
def load_validator() -> Validator:
    """The schema of the Compose Specification, from the distribution that keeps a copy of it. Its
    package is not imported: that is a program, and it reaches the network.
    """
    file = Path(str(distribution("check-jsonschema").locate_file(_PUBLISHED)))
    return _Forms(json.loads(file.read_text(encoding="utf-8")))


def refuse_unfit(document: Values, *, privileged: bool) -> None:
    """Raises BadInput for what is not allowed: first for parts that may not be there, then for
    variables where there are none, then for a wrong form.
    """
    unfit = [(_code(error), error) for error in _Forms(features.FILE).iter_errors(document)]
    for code, error in unfit:
        if code not in _FORMS and not (code == "privileged" and privileged):
            raise compose_refusal(_said(code, error))
    for kind, things in document.items():
        for name, thing in things.items() if isinstance(things, dict) else ():
            if isinstance(thing, dict):
                variables.refuse_elsewhere(_place([kind, name, ""])[0], thing)
    for code, error in unfit:
        if code in _FORMS:
            raise compose_refusal(_said(code, error))
    # Of errors about the same thing, the innermost says where.
    against = sorted(
        load_validator().iter_errors(document), key=lambda one: -len(one.absolute_path)
    )
    for error in against:
        raise compose_refusal(_said("shape", error))


def _code(error: Any) -> str:
    """Return which message of the catalogue says it."""
    if error.validator == "additionalProperties":
        return "managed" if _path(error)[-1] in features.MANAGED else "not_carried_out"
    if error.validator == "reaches_host":
        return "privileged"
    return str(error.schema.get("refusal", {}).get(error.validator, "shape"))


def _path(error: Any) -> list[Any]:
    """Where it is, down to the name that is wrong, too much or missing."""
    path = list(error.absolute_path)
    if "propertyNames" in error.schema_path:
        return [*path, error.instance]
    match error.validator:
        case "required":
            return [*path, next(one for one in error.validator_value if one not in error.instance)]
        case "additionalProperties":
            known = error.schema.get("properties", ())
            return [*path, next(one for one in error.instance if one not in known)]
    return path


def _said(code: str, error: Any) -> Message:
    path = _path(error)
    where, inside = _place(path)
    asked = fields(message.english[code])
    if asked >= {"name", "feature"}:
        inside = inside[:-1]
    feature = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in inside)[1:]
    if code == "not_carried_out" and error.validator == "pattern":
        feature = f"{feature}: {error.instance}"
    known = {"where": where, "feature": feature, "name": path[-1], "most": error.validator_value}
    return message(code, **{name: known[name] for name in asked})


def _place(path: list[Any]) -> tuple[str, list[Any]]:
    """Return whose part it is, as a person calls it, and which part of that."""
    match path:
        case ["services", name, _, *_]:
            return name, path[2:]
        case [kind, name, _, *_]:
            return f"{kind}: {name}", path[2:]
        case [kind, name]:
            return kind, [name]
    return "compose.yaml", path
