"""Labels of plans, steps and changes, in the reader's language."""

from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from workspace_manager.contract.message import Message, in_words
from workspace_manager.core.connected_systems import is_unsaid, kind_of
from workspace_manager.core.plan_names import end_of_step, label_of_plan
from workspace_manager.engine.view import ChangeView, StepView
from workspace_manager.people.suspension_view import ChangePreview
from workspace_manager.records.models import PlanStep
from workspace_manager.systems import registry


def step(name: str, label: Message | None) -> str:
    """Return a step's label; its name if unknown."""
    return in_words(label, get_language() or "en") if label else name.replace("_", " ")


def end_label(shown: StepView) -> str:
    """Return the sentence for a step that has ended."""
    if shown.state == PlanStep.State.BY_HAND:
        return _("Something is left for you to do by hand. See below.")
    return in_words(end_of_step(shown.name, shown.system), get_language() or "en")


def plan(kind: str) -> str:
    """Return the label of a kind of plan."""
    return in_words(label_of_plan(kind), get_language() or "en")


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
    return in_words(noun, get_language() or "en")


def target_name(change: ChangeView | ChangePreview) -> str:
    """Return the name of a change's target. An app password has no name, so its login name is
    used.
    """
    if change.kind == "drive.app_password":
        return change.target.get("login_name", change.id)
    return change.id


def action_label(change: ChangeView | ChangePreview) -> str:
    """Return the word for a change, which people read before they confirm."""
    kind, after = change.kind, change.after
    if is_unsaid(kind):
        return pgettext("deed", "Check for")
    if after is None:
        revoked = kind == "drive.app_password"
        return pgettext("deed", "Revoke") if revoked else pgettext("deed", "Delete")
    match kind, after:
        case "notebook_hub.container", _:
            return pgettext("deed", "Stop")
        case "identity_provider.user", {"enabled": False}:
            return pgettext("deed", "Disable")
        case "identity_provider.user", {"sessions": 0, **more} if not more:
            return pgettext("deed", "Sign out")
        case "identity_provider.user", {"enabled": True, **more} if not more:
            return pgettext("deed", "Enable")
        case "drive.account", {"enabled": enabled}:
            return pgettext("deed", "Enable") if enabled else pgettext("deed", "Disable")
        case "triplestore.user", {"shut": shut}:
            return (
                pgettext("deed", "Revoke the rights of")
                if shut
                else pgettext("deed", "Restore the rights of")
            )
        case "sql_server.user", {"locked": locked}:
            return pgettext("deed", "Lock") if locked else pgettext("deed", "Unlock")
        case "sql_server.user" | "triplestore.user", {"password": "renewed"}:
            return pgettext("deed", "Set a new password of")
        case "identity_provider.attributes", dict(wishes) if not any(wishes.values()):
            return pgettext("deed", "Clear")
        case "triplestore.public", {"read": read}:
            return pgettext("deed", "Make public") if read else pgettext("deed", "Make private")
        case "triplestore.user", {"authorities": [_first, _second, *_]}:
            return pgettext("deed", "Grant access to")
    return _shut_or_opened(kind, after) or pgettext("deed", "Create")


def _shut_or_opened(kind: str, after: object) -> str:
    """Return whether a change of another system's account shuts or opens it."""
    known = kind_of(kind)
    if known is None or not isinstance(after, dict):
        return ""
    takes = [after[name] for name in known.takes if name in after]
    if not takes or kind.partition(".")[0] not in registry().outside:
        return ""
    return pgettext("deed", "Disable") if any(takes) else pgettext("deed", "Enable")


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
