"""The error boundary: everything that a system gives the manager passes here, our own systems too.

A system may raise the five errors. Whatever else it raises, and whatever it gives that the contract
does not say, is a defect of that system: it becomes Invalid, so that a step is stuck, a check fails
and every other system goes on. The error's own text may quote what a system answered, so it is
neither shown nor logged: the type and the line are.
"""

import logging
import math
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter

from workspace_manager.contract.connector import CallPolicy, Facts
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.names import NameImpossible

log = logging.getLogger(__name__)
T = TypeVar("T")

FIVE: Final = (Unavailable, Denied, NotFound, Conflict, Invalid)
LONGEST_S: Final = 86_400
"""No wait and no call of a system is longer than a day, whatever its policy says."""


class Defect(Invalid):
    """Not a sixth reaction: what connects the system is at fault, so that asked again it says the
    same.
    """


def call(
    where: str,
    function: Callable[..., Any],
    *given: Any,
    made: Callable[[Any], T],
    passing: tuple[type[Exception], ...] = (),
    **named: Any,
) -> T:
    """Call what a system brings. `where`: the system's name, a dot and what is called. `made`:
    makes the result of what was given, and raises TypeError or ValueError for what does not fit.
    `passing`: errors that are not the system's. Raises the five errors.
    """
    try:
        found = function(*given, **named)
    except ConnectorError as error:
        if _is_one_of_five(error):
            raise
        raise defect(where, error) from None
    except passing:
        raise
    except NameImpossible as impossible:
        raise Invalid(
            impossible.message,
            kind=_system(where),
            doing=message("calling", what=where),
            advice=impossible.advice_message,
        ) from impossible
    except Exception as error:  # noqa: BLE001 - this is where everything that is not ours ends
        raise defect(where, error) from None
    try:
        return made(found)
    except Exception as unfit:  # noqa: BLE001 - what was given may raise whenever it is looked at
        raise defect(where, unfit, given=found) from None


def defect(where: str, error: Exception, *, given: object = None) -> Defect:
    """Log a defect of a system, and give the error that says so. `given`: what it gave, where it
    raised nothing.
    """
    frames = traceback.extract_tb(error.__traceback__)
    stack = "".join(traceback.format_list(frames))
    log.error("%s raised %s\n%s", where, type(error).__name__, stack)
    if isinstance(error, Unfit) or given is not None:
        said = message("unfit", what=where, type=type(given).__name__)
    else:
        last = frames[-1]
        line = f"{Path(last.filename).name}, line {last.lineno}"
        said = message("raised", what=where, error=type(error).__name__, line=line)
    return Defect(
        said,
        kind=_system(where),
        doing=message("calling", what=where),
        advice=message("defect_advice", system=_system(where)),
    )


class Unfit(TypeError):
    """Something that a system gave is not what the contract says."""


def a(kind: type[T]) -> Callable[[Any], T]:
    """Take only a value of this type."""

    def made(found: Any) -> T:
        if not isinstance(found, kind):
            raise Unfit
        return found

    return made


def tuple_of(kind: type[T]) -> Callable[[Any], tuple[T, ...]]:
    """Take only values of this type, from anything that gives them one by one."""
    one = a(kind)
    return lambda found: tuple(one(each) for each in found)


def none_or(of_one: Callable[[Any], T]) -> Callable[[Any], T | None]:
    return lambda found: None if found is None else of_one(found)


def expect_nothing(found: Any) -> None:
    """Ignore the result of a function that returns nothing."""


def accept_anything(found: Any) -> Any:
    return found


def calls(found: Any, *, local: bool = False) -> CallPolicy:
    """Take only times that a clock can count. Only our records are `local`: what is said to be is
    called in a transaction.
    """
    policy = a(CallPolicy)(found)
    times = (policy.connect_s, policy.answer_s, policy.first_wait_s, policy.longest_wait_s)
    if not all(math.isfinite(one) and 0 < one <= LONGEST_S for one in times):
        raise Unfit
    if not 0 <= policy.goes_on_s <= LONGEST_S:
        raise Unfit
    return policy if policy.local == local else policy.model_copy(update={"local": local})


def a_target(found: Any) -> Mapping[str, str]:
    if not isinstance(found, Mapping) or not found:
        raise Unfit
    if not all(isinstance(text, str) for pair in found.items() for text in pair):
        raise Unfit
    return dict(found)


def facts(found: Any) -> Facts:
    """Take only what survives JSON."""
    return TypeAdapter(Facts).validate_python(found)


def _is_one_of_five(error: ConnectorError) -> bool:
    """Return whether it can be shown and waited for as it is."""
    said = (error.message, error.doing_message, error.advice_message)
    wait = error.retry_after
    return (
        isinstance(error, FIVE)
        and all(isinstance(one, Message) for one in said)
        and isinstance(error.kind, str)
        and (wait is None or (isinstance(wait, int | float) and math.isfinite(wait)))
    )


def _system(where: str) -> str:
    return where.partition(".")[0]


keep_earlier_names(
    __name__, several="tuple_of", nothing="expect_nothing", anything="accept_anything"
)
