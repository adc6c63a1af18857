"""Where `${NAME}` stands in a compose file, and whether it may."""

import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from workspace_manager.knowledge_stacks.compose_features import SECRET, SECRETS_IN, VARIABLES_IN
from workspace_manager.knowledge_stacks.compose_text import Values, compose_refusal
from workspace_manager.knowledge_stacks.messages import message

VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
DOLLAR: Final = re.compile(r"\$(?:\$|\{[A-Za-z_][A-Za-z0-9_]*\})?")
ITSELF: Final = "$$"


def refuse_elsewhere(where: str, part: Values) -> None:
    """Raises BadInput for a variable outside environment and labels, whatever stands there."""
    for feature, value in part.items():
        if feature not in VARIABLES_IN:
            for found in _dollars(value):
                _variable(found, where, feature)
                raise compose_refusal(
                    message("variable_place", name=found, where=where, feature=feature)
                )


def check(where: str, part: Values, known: Collection[str]) -> None:
    """Raises BadInput for what is no variable, for one that is not known, and for a secret where
    others read it. Environment and labels are mappings.
    """
    for feature in (one for one in VARIABLES_IN if one in part):
        if any("$" in key for key in part[feature]):
            raise compose_refusal(message("dollar", where=where, feature=feature))
        for found in _dollars(list(part[feature].values())):
            name = _variable(found, where, feature)
            if name not in known:
                raise compose_refusal(message("variable_unknown", name=found, where=where))
            if name in SECRET and feature != SECRETS_IN:
                raise compose_refusal(
                    message("secret_place", name=found, where=where, feature=feature)
                )


def named_in(part: Values) -> Iterator[str]:
    """The variables of a part that was checked."""
    for feature in (one for one in VARIABLES_IN if one in part):
        for found in _dollars(part[feature]):
            variable = VARIABLE.fullmatch(found)
            if variable is not None:
                yield variable[1]


def _variable(found: str, where: str, feature: str) -> str:
    variable = VARIABLE.fullmatch(found)
    if variable is None:
        raise compose_refusal(message("dollar", where=where, feature=feature))
    return variable[1]


def _dollars(value: Any) -> Iterator[str]:
    """Each `$` with what belongs to it, but those that stand for themselves."""
    for text in _texts(value):
        yield from (found[0] for found in DOLLAR.finditer(text) if found[0] != ITSELF)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
