"""Labels of kinds of plans and of steps, by the names that rows store.

Each is declared with its label by the story that plans it, or by its system (`SystemSpec`). Rooms
that show rows ask here: they do not know the stories.
"""

from typing import Any

from workspace_manager.contract.message import Catalogue, Message
from workspace_manager.contract.system import SystemSpec
from workspace_manager.core.messages import message
from workspace_manager.systems import registry

_plans: dict[str, Message] = {}
_steps: dict[str, Catalogue] = {}


def declare_plan(kind: str, label: Message) -> None:
    """Declare the label of a kind of plan."""
    _plans[kind] = label


def label_of_plan(kind: str) -> Message:
    """The label of a kind of plan; "Plan" for a kind of another version."""
    return _plans.get(kind) or message("plan")


def declare_step(name: str, words: Catalogue) -> str:
    """The name of a step, whose label is `step.<name>` in a room's catalogue. What is true when it
    is done is `step.<name>.ended`, where that can be said.
    """
    if f"step.{name}" not in words.english:
        raise KeyError(name)
    _steps[name] = words
    return name


def declared_steps() -> frozenset[str]:
    """The steps of the manager's own stories."""
    return frozenset(_steps)


def label_of_step(name: str, system: str) -> Message | None:
    """The label of a step; None for an unknown step."""
    words = _steps.get(name)
    if words:
        return words(f"step.{name}")
    spec = _spec(system)
    return spec.step_labels.get(name) if spec else None


def end_of_step(name: str, system: str) -> Message:
    """The result of a step that is done."""
    words, spec = _steps.get(name), _spec(system)
    if words and f"step.{name}.ended" in words.english:
        return words(f"step.{name}.ended")
    return (spec.step_ends.get(name) if spec else None) or message("step_ended")


def _spec(system: str) -> SystemSpec[Any] | None:
    return registry().specs.get(system)
