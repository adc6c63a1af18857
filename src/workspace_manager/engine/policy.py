"""The policy of the systems that a plan calls: part of what is shown and approved.

Another wait is obeyed as it was shown. Where another setting would have a change do something else,
its step is stuck until somebody sets that back or finishes it by hand.
"""

from collections.abc import Iterable

from workspace_manager.contract.connector import CallPolicy, Change, Facts
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.messages import join_messages
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.engine.messages import message
from workspace_manager.engine.plan import PlannedStep, Policy
from workspace_manager.records.models import Plan
from workspace_manager.systems import registry


def with_policies(
    steps: Iterable[PlannedStep], systems: ConnectedSystems
) -> tuple[PlannedStep, ...]:
    """The steps with the policy of every system that they call."""
    return tuple(step.model_copy(update={"policy": _policy(step, systems)}) for step in steps)


def calls_of(plan: Plan, change: Change, now: CallPolicy) -> CallPolicy:
    """The times that a plan was shown with; those of today for a plan that has none."""
    for step in plan.document.get("steps", ()):
        shown = step.get("policy", {}).get("calls", {}).get(change.kind)
        if shown:
            return CallPolicy.model_validate(shown)
    return now


def refuse_other(plan: Plan, change: Change, systems: ConnectedSystems) -> None:
    """Raise Invalid where a setting decides otherwise now than when the plan was shown."""
    shown = {
        name: value
        for step in plan.document.get("steps", ())
        for name, value in step.get("policy", {}).get("decided", {}).items()
        if step["system"] == change.system
    }
    now = deciding_settings(change.system, systems)
    other = sorted(name for name, value in shown.items() if now.get(name) != value)
    if other:
        names = join_messages([quote_words(name) for name in other], by=", ")
        raise Invalid(
            message("decided_otherwise", system=label_of(change.system), names=names),
            kind=change.kind,
            doing=message("doing.verifying"),
            advice=message("decided_otherwise.advice", system=label_of(change.system)),
        )


def deciding_settings(system: str, systems: ConnectedSystems) -> Facts:
    """The current values of those settings of a system that decide what a change does."""
    spec, settings = registry().specs.get(system), systems.settings.get(system)
    return spec.decides(settings) if spec and settings else {}


def _policy(step: PlannedStep, systems: ConnectedSystems) -> Policy:
    changes = [planned.change for planned in step.changes]
    connectors = {change.kind: systems.connector(change.kind) for change in changes}
    names = {change.system for change in changes}
    return Policy(
        calls={kind: one.calls for kind, one in sorted(connectors.items()) if one is not None},
        decided={
            name: value
            for system in sorted(names & {step.system})
            for name, value in deciding_settings(system, systems).items()
        },
    )
