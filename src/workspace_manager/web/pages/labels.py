"""What people call things: states, systems, kinds of things, steps and plans, in the reader's
language.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from workspace_manager.contract.message import Message, in_words
from workspace_manager.core.connected_systems import is_unsaid, kind_of, label_of
from workspace_manager.systems import registry

Words = Mapping[str, str | Promise]

STATES: Words = {
    # steps
    "pending": gettext_lazy("not yet"),
    "running": gettext_lazy("running"),
    "done": gettext_lazy("done"),
    "already_gone": gettext_lazy("already gone"),
    "waiting": gettext_lazy("waiting"),
    "stuck": gettext_lazy("stuck"),
    "skipped": gettext_lazy("skipped"),
    "by_hand": gettext_lazy("left by hand"),
    # plans
    "draft": gettext_lazy("preview"),
    "stale": gettext_lazy("out of date"),
    "superseded": gettext_lazy("replaced"),
    # components
    "creating": gettext_lazy("being made"),
    "ready": gettext_lazy("ready"),
    "failed": gettext_lazy("failed"),
    "deleting": gettext_lazy("being deleted"),
    # registrations
    "approved": gettext_lazy("approved"),
    "rejected": gettext_lazy("rejected"),
    "expired": gettext_lazy("expired"),
    "withdrawn": gettext_lazy("withdrawn"),
    # strangers at the door
    "relinked": gettext_lazy("linked again"),
    "adopted": gettext_lazy("let in"),
    "refused": gettext_lazy("stays outside"),
    # people
    "active": gettext_lazy("active"),
    "suspended": gettext_lazy("suspended"),
    "leaving": gettext_lazy("leaving"),
    "former": gettext_lazy("former"),
    # systems and findings
    "paused": gettext_lazy("paused"),
    "not_set_up": gettext_lazy("not set up"),
    "up": gettext_lazy("answers"),
    "degraded": gettext_lazy("works in part"),
    "down": gettext_lazy("not available"),
    "not_asked": gettext_lazy("not asked"),
    "unread": gettext_lazy("not read"),
    "ok": gettext_lazy("fine"),
    "warning": gettext_lazy("look at this"),
    "failing": gettext_lazy("failing"),
    # follow-up check
    "clean": gettext_lazy("clean"),
    "removed": gettext_lazy("removed again"),
    # changes
    "already": gettext_lazy("already so"),
    # credentials of somebody who was removed
    "ended": gettext_lazy("no longer works"),
    "absent": gettext_lazy("not there"),
    "open": gettext_lazy("still works"),
    "nothing": gettext_lazy("there was none"),
    "not_shown": gettext_lazy("not shown"),
}

LOOKS: Mapping[str, str] = {
    state: look
    for look, states in {
        "done": (
            "done already_gone already ready approved active ok up clean removed "
            "relinked adopted ended absent"
        ),
        "running": "running creating deleting",
        "waiting": "waiting paused leaving warning suspended not_set_up open not_shown degraded",
        "stuck": "stuck failed failing down",
    }.items()
    for state in states.split()
}
"""Four colours; whatever is not named is quiet."""

MARKS: Mapping[str, str] = {
    state: mark
    for mark, states in {
        "done": "done ready approved active ok up clean removed relinked adopted ended",
        "already_gone": "already_gone already absent",
        "running": "running creating deleting",
        "waiting": "waiting leaving open",
        "stuck": "stuck failed failing down",
        "skipped": "skipped stale superseded rejected expired withdrawn refused",
        "by_hand": "by_hand",
        "paused": "paused suspended",
        "warning": "warning not_set_up not_shown degraded",
    }.items()
    for state in states.split()
}
"""Marks differ in shape, so that states are told apart without colour; whatever is not named is an
empty circle.
"""

HEADLINES: Mapping[str, str] = {
    "open": "stuck", "by_hand": "waiting", "not_shown": "waiting", "until": "waiting",
}  # fmt: skip
HEADLINE_MARKS: Mapping[str, str] = {"open": "warning", "until": "waiting"}
"""What a plan that has ended says first: never green while something is open."""

OTHER_SYSTEMS: Words = {
    "records": gettext_lazy("Manager’s own records"),
    "sql_admin_tool": gettext_lazy("SQL admin tool"),
}
"""What stands where a system would and is none that anybody connects."""

COMPONENTS: Words = {
    "sql_database": gettext_lazy("SQL database"),
    "triplestore_repository": gettext_lazy("Triplestore repository"),
    "knowledge_stack": gettext_lazy("Knowledge stack"),
}
"""Kinds of components; what they are made of are kinds of things in systems, which say themselves
what they are called.
"""

ROLES: Words = {
    "owner": gettext_lazy("owner"),
    "read": gettext_lazy("reads"),
    "write": gettext_lazy("works with it"),
    "manage": gettext_lazy("works with it and decides who is in"),
    "user": gettext_lazy("user"),
    "administrator": gettext_lazy("administrator"),
}
"""What somebody is in a project, or here."""
ROLES_OF_MEMBERS = ("read", "write", "manage")

DIFFERENCES: Words = {
    "unknown_account": gettext_lazy("account of nobody"),
    "unknown_thing": gettext_lazy("thing of nobody"),
    "missing": gettext_lazy("missing"),
    "identity_recreated": gettext_lazy("user made again"),
    "identity_gone": gettext_lazy("user gone"),
    "identity_disabled": gettext_lazy("user disabled"),
    "wrong_sub": gettext_lazy("account of another id"),
    "open_while_suspended": gettext_lazy("open while suspended"),
    "holder_not_shared": gettext_lazy("right that nobody shared"),
    "holder_lacks": gettext_lazy("right that is lacking"),
}
"""What is otherwise in a system than recorded."""

PERMISSIONS: Words = {
    "view_components": gettext_lazy("See all components"),
    "view_stacks": gettext_lazy("See all stacks"),
    "administer_projects": gettext_lazy("Change and delete all projects, and take people out"),
    "administer_components": gettext_lazy("Change, delete and snapshot all components"),
    "administer_stacks": gettext_lazy("Change, delete and snapshot all stacks"),
    "administer_snapshots": gettext_lazy("Change and delete all snapshots"),
    "approve_registrations": gettext_lazy("Decide who may join: approve and reject registrations"),
}

CREDENTIALS: Words = {
    "manager_session": gettext_lazy("Cookies of the manager"),
    "api_token": gettext_lazy("API tokens of the manager"),
    "password": gettext_lazy("Password"),
    "identity_session": gettext_lazy("Cookies of the identity provider"),
    "refresh_token": gettext_lazy("Refresh and offline tokens"),
    "authorization_code": gettext_lazy("Authorization codes not yet used"),
    "access_token": gettext_lazy("Access token that is already out"),
    "app_password": gettext_lazy("App password of the drive that the manager keeps"),
    "own_app_passwords": gettext_lazy("App passwords that the person made at the drive"),
    "drive_session": gettext_lazy("Cookies of the drive"),
    "sql_password": gettext_lazy("SQL password"),
    "sql_session": gettext_lazy("Open SQL sessions"),
    "triplestore_password": gettext_lazy("Triplestore password"),
    "notebook": gettext_lazy("Running notebook"),
    "hub_session": gettext_lazy("Cookies and tokens of the notebook hub: they start no notebook"),
    "service_key": gettext_lazy("Service keys kept here"),
    "left_account": gettext_lazy("Account at the identity provider that was never linked"),
    "machine_key": gettext_lazy("Machine keys of the person’s programs"),
}
"""What somebody may have kept, in the order of a plan's `end_of_access`."""


def credential(name: str, label: Message | None = None) -> str:
    """As we call it, else as the plan keeps what its system does (`label`), or as it does now."""
    if name in CREDENTIALS:
        return word(CREDENTIALS, name)
    known = (one for spec in registry().specs.values() for one in spec.credentials)
    label = label or next((one.label for one in known if one.name == name), None)
    return in_words(label, _language()) if label else word(CREDENTIALS, name)


def state(name: str) -> str:
    return word(STATES, name)


def system(name: str) -> str:
    """Its label, to stand alone."""
    if name in OTHER_SYSTEMS:
        return word(OTHER_SYSTEMS, name)
    label = in_words(label_of(name), _language())
    return label[:1].upper() + label[1:]


def kind(name: str) -> str:
    """Of a component, or of a thing in a system."""
    if is_unsaid(name):
        return _("whatever is there")
    known = kind_of(name)
    return in_words(known.label, _language()) if known else word(COMPONENTS, name)


def _language() -> str:
    return (get_language() or "en").partition("-")[0]


def word(words: Words, name: str) -> str:
    """A name nobody translated yet is shown as it is, with its underscores as spaces: better than
    nothing.
    """
    return str(words.get(name) or name.replace("_", " ").replace(".", " "))


def role(name: str) -> str:
    """What somebody is in a project, or here."""
    return word(ROLES, name)


def permission(name: str) -> str:
    """What a permission lets people do."""
    return word(PERMISSIONS, name)


def difference(name: str) -> str:
    """What is otherwise in a system than recorded."""
    return word(DIFFERENCES, name)
