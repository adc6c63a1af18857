"""Labels of plans, steps and changes, in the reader's language."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import is_unsaid, kind_of
from workspace_manager.core.plan_names import end_of_step, label_of_plan
from workspace_manager.core.views import as_text
from workspace_manager.engine.view import ChangeView, StepView
from workspace_manager.people.suspension_view import ChangePreview
from workspace_manager.records.models import PlanStep


def step(name: str, label: Message | None) -> str:
    """Return a step's label; its name if unknown."""
    return as_text(label) or name.replace("_", " ")


def end_label(shown: StepView) -> str:
    """Return the sentence for a step that has ended."""
    if shown.state == PlanStep.State.BY_HAND:
        return _("Something is left for you to do by hand. See below.")
    return as_text(end_of_step(shown.name, shown.system))


def plan(kind: str) -> str:
    """Return the label of a kind of plan."""
    return as_text(label_of_plan(kind))


def count_label(kind: str, count: int) -> str:
    """Return the noun that things of this kind are counted by, for this number: "account",
    "accounts"; "" for what is not counted.
    """
    known = kind_of(kind)
    if known is None or known.counted_as is None:
        return ""
    noun = known.counted_as
    if "n" in noun.params:
        noun = noun.model_copy(update={"params": {"n": count}})
    return as_text(noun)


def target_name(change: ChangeView | ChangePreview) -> str:
    """Return the name of a change's target. An app password has no name, so its login name is
    used.
    """
    if change.kind == "drive.app_password":
        return change.target.get("login_name", change.id)
    return change.id


def action_label(change: ChangeView | ChangePreview) -> str:
    """Return what people read for a change before they confirm it, as its kind declares."""
    known = kind_of(change.kind)
    if is_unsaid(change.kind):
        return pgettext("action", "Check for")
    if change.after is None:
        removal = as_text(known.removal) if known else ""
        return removal or pgettext("action", "Delete")
    wished = change.after if isinstance(change.after, dict) else {}
    for name, (given, taken) in known.actions.items() if known else ():
        if name in wished:
            return as_text(given if wished[name] else taken)
    taking = [wished[name] for name in known.takes if name in wished] if known else []
    if taking:
        return pgettext("action", "Disable") if any(taking) else pgettext("action", "Enable")
    if wished and not any(wished.values()):
        return pgettext("action", "Clear")
    return pgettext("action", "Create")


def duration(seconds: float | None) -> str:
    """Return an approximate duration: "2 seconds", "1 minute"; "" without a measurement."""
    if seconds is None:
        return ""
    if seconds < 1:
        return _("less than a second")
    if seconds < 90:
        whole = round(seconds)
        return ngettext("%(count)d second", "%(count)d seconds", whole) % {"count": whole}
    minutes = round(seconds / 60)
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
