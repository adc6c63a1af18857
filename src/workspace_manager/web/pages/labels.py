"""Labels of states, systems, kinds, steps and plans, in the reader's language."""

from collections.abc import Mapping

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.message import Message, in_words
from workspace_manager.core.connected_systems import is_unsaid, kind_of, label_of
from workspace_manager.engine.extras import CredentialState
from workspace_manager.people.filters import AbsentState
from workspace_manager.records.models import (
    Component,
    Health,
    Membership,
    Permission,
    Person,
    Plan,
    PlanChange,
    PlanStep,
    ReconcileItem,
    ReconcilePart,
    Registration,
    Snapshot,
    UnapprovedSignIn,
)

Words = Mapping[str, str | Promise | Message]

STATES: Words = {
    **{
        one.value: one.label
        for states in (
            Person.State,
            Registration.Status,
            UnapprovedSignIn.State,
            AbsentState,
            Snapshot.State,
            Component.State,
            Health.State,
            CredentialState,
            Plan.RecheckState,
            Plan.State,
            PlanStep.State,
            PlanChange.State,
            ReconcilePart.State,
        )
        for one in states
    },
    **{str(one): one.label for one in Severity},
    # States of tiles and cards, which only pages have.
    "not_set_up": gettext_lazy("not set up"),
}
"""States of rows, and states computed from several rows."""

LOOKS: Mapping[str, str] = {
    state: look
    for look, states in {
        "done": (
            "done already_gone already ready approved active ok up clean removed "
            "relinked adopted ended absent"
        ),
        "running": "running creating deleting restoring",
        "waiting": "waiting paused leaving warning suspended not_set_up open not_shown degraded",
        "stuck": "stuck failed failing down",
    }.items()
    for state in states.split()
}
"""Four colours by state; other states have no colour."""

MARKS: Mapping[str, str] = {
    state: mark
    for mark, states in {
        "done": "done ready approved active ok up clean removed relinked adopted ended",
        "already_gone": "already_gone already absent",
        "running": "running creating deleting restoring",
        "waiting": "waiting leaving open",
        "stuck": "stuck failed failing down",
        "skipped": "skipped stale superseded rejected expired withdrawn refused",
        "by_hand": "by_hand",
        "paused": "paused suspended",
        "warning": "warning not_set_up not_shown degraded",
    }.items()
    for state in states.split()
}
"""Marks by state. Their shapes differ, so that states can be told apart without colour; other
states get an empty circle.
"""

HEADLINES: Mapping[str, str] = {
    "open": "stuck", "by_hand": "waiting", "not_shown": "waiting", "until": "waiting",
}  # fmt: skip
HEADLINE_MARKS: Mapping[str, str] = {"open": "warning", "until": "waiting"}
"""Marks of a headline. None is green while something is open."""

OTHER_SYSTEMS: Words = {
    "records": gettext_lazy("Manager’s records"),
    "sql_admin_tool": gettext_lazy("SQL admin tool"),
}
"""Labels in place of a system, for things that are none."""

ROLES_OF_MEMBERS = ("read", "write", "manage")


def credential(name: str, label: Message | None) -> str:
    """Return the label of a credential; its name if unknown."""
    return in_words(label, _language()) if label else word({}, name)


def state(name: str) -> str:
    return word(STATES, name)


def system(name: str) -> str:
    """Return the label of a system, with a capital letter."""
    if name in OTHER_SYSTEMS:
        return word(OTHER_SYSTEMS, name)
    label = in_words(label_of(name), _language())
    return label[:1].upper() + label[1:]


def kind(name: str) -> str:
    """Return the label of a stack, of a kind of component, or of a thing in a system."""
    if is_unsaid(name):
        return _("everything there")
    if name == Snapshot.SourceType.STACK:
        return _("Stack")
    known = kind_of(name)
    return in_words(known.label, _language()) if known else _label(Component.Kind, name)


def _language() -> str:
    return (get_language() or "en").partition("-")[0]


def word(words: Words, name: str) -> str:
    """Return the label of a name. A name without a label is shown with spaces for its
    underscores.
    """
    said = words.get(name)
    if isinstance(said, Message):
        return in_words(said, _language())
    return str(said or name.replace("_", " ").replace(".", " "))


def _label(choices: type[TextChoices], name: str) -> str:
    """Return the label of a row's value; a value of another version is shown as it is."""
    return str(choices(name).label) if name in choices else word({}, name)


def role(name: str) -> str:
    """Return the label of a role, in a project or here."""
    if name == "owner":
        return _("owner")
    return _label(Membership.Role if name in Membership.Role else Person.Role, name)


def permission(name: str) -> str:
    """Return the label of a permission."""
    return _label(Permission.Name, name)


def difference(name: str) -> str:
    """Return the label of a difference."""
    return _label(ReconcileItem.Difference, name)
