"""The check that a spec of another distribution fits the contract, made once when it is loaded."""

import re
import string
from collections.abc import Collection, Iterator
from typing import Final

from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.settings import SystemSettings, parse
from workspace_manager.contract.system import NAME, Credential, KindSpec, SystemSpec

LONGEST_STEP: Final = 50
LONGEST_KIND: Final = 60
"""A record keeps so much of a kind; of a step, with what is added where it is done twice."""
_TYPES: Final[dict[str, type]] = {
    "label": Message,
    **dict.fromkeys(("connect", "look", "inventory", "person_trial", "icon"), str),
    **dict.fromkeys(("snapshots", "messages", "sandbox", "shut_step", "open_step"), str),
    **dict.fromkeys(("kinds", "provides", "takes", "credentials"), tuple),
    **dict.fromkeys(("look_counts", "shut_first", "keeps_by_name"), bool),
    "order": int,
}
_FUNCTIONS: Final = (
    *("accounts", "lacks", "shut_by_hand", "goes_on", "own_names", "realm_client"),
    *("realm_attributes", "remarks", "decides"),
)
_OR_NONE: Final = ("shut", "open", "made_at_approval")


def find_misfit(name: str, spec: object, *, steps: Collection[str] = ()) -> Message | None:
    """Return why it cannot be used; None where it can. `steps`: names that steps of ours have.
    Raises whatever its own settings raise.
    """
    if not isinstance(spec, SystemSpec):
        return message("no_spec", type=type(spec).__name__)
    if spec.name != name:
        return message("other_name", own=str(spec.name), name=name)
    if not re.fullmatch(NAME, name):
        return message("bad_name")
    return next((wrong for wrong in _wrong(spec, steps)), None)


def _wrong(spec: SystemSpec[SystemSettings], steps: Collection[str]) -> Iterator[Message]:
    for member, kind in _TYPES.items():
        if not isinstance(getattr(spec, member), kind):
            yield message("bad_member", member=member, type=kind.__name__)
            return
    for member in (*_FUNCTIONS, *_OR_NONE):
        function = getattr(spec, member)
        if not callable(function) and not (function is None and member in _OR_NONE):
            yield message("bad_member", member=member, type="function")
    for member in ("step_labels", "step_ends"):
        if not all(isinstance(one, Message) for one in getattr(spec, member).values()):
            yield message("bad_member", member=member, type=Message.__name__)
    yield from _wrong_kinds(spec)
    for step in (spec.shut_step, spec.open_step):
        if step in steps or len(step) > LONGEST_STEP:
            yield message("step_of_ours", step=step)
    if not (isinstance(spec.settings, type) and issubclass(spec.settings, SystemSettings)):
        yield message("bad_member", member="settings", type=SystemSettings.__name__)
        return
    parse(spec.settings, {}, {})


def _wrong_kinds(spec: SystemSpec[SystemSettings]) -> Iterator[Message]:
    kinds = set()
    for one in spec.kinds:
        if not isinstance(one, KindSpec) or not isinstance(one.label, Message):
            yield message("bad_member", member="kinds", type=KindSpec.__name__)
            return
        own = isinstance(one.kind, str) and one.kind.startswith(f"{spec.name}.")
        if not own or len(one.kind) > LONGEST_KIND:
            yield message("bad_kind", kind=str(one.kind), name=spec.name)
            return
        if not _can_be_formatted(one.exclusive):
            yield message("bad_lock", kind=one.kind)
        kinds.add(one.kind)
    for credential in spec.credentials:
        if not isinstance(credential, Credential) or not isinstance(credential.label, Message):
            yield message("bad_member", member="credentials", type=Credential.__name__)
        elif credential.kind not in kinds:
            yield message("bad_credential", credential=credential.name, kind=credential.kind)


def _can_be_formatted(text: object) -> bool:
    try:
        parts = list(string.Formatter().parse(str(text)))
    except ValueError:
        return False
    return all(part is None or part.isidentifier() for _, part, _, _ in parts)


keep_earlier_names(__name__, misfit="find_misfit")
