"""What people call things: states, systems, kinds of things, steps and plans, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, npgettext, pgettext

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
    # systems and findings
    "in_use": gettext_lazy("in use"),
    "paused": gettext_lazy("paused"),
    "not_set_up": gettext_lazy("not set up"),
    "ok": gettext_lazy("fine"),
    "warning": gettext_lazy("look at this"),
    "failing": gettext_lazy("failing"),
    # late look
    "clean": gettext_lazy("clean"),
    "removed": gettext_lazy("removed again"),
    # changes
    "already": gettext_lazy("already so"),
}

LOOKS: Mapping[str, str] = {
    state: look
    for look, states in {
        "done": "done already_gone already ready approved active in_use ok clean removed relinked adopted",
        "running": "running creating deleting",
        "waiting": "waiting paused leaving warning suspended not_set_up",
        "stuck": "stuck failed failing",
    }.items()
    for state in states.split()
}
"""Four colours; whatever is not named is quiet."""

MARKS: Mapping[str, str] = {
    state: mark
    for mark, states in {
        "done": "done ready approved active in_use ok clean removed relinked adopted",
        "already_gone": "already_gone already",
        "running": "running creating deleting",
        "waiting": "waiting leaving",
        "stuck": "stuck failed failing",
        "skipped": "skipped stale superseded rejected expired withdrawn refused",
        "by_hand": "by_hand",
        "paused": "paused suspended",
        "warning": "warning not_set_up",
    }.items()
    for state in states.split()
}
"""Marks differ in shape, so that states are told apart without colour; whatever is not named is an empty circle."""

SYSTEMS: Words = {
    "identity_provider": gettext_lazy("Identity provider"),
    "drive": gettext_lazy("Drive"),
    "sql_server": gettext_lazy("SQL server"),
    "triplestore": gettext_lazy("Triplestore"),
    "ontology_editor": gettext_lazy("Ontology editor"),
    "notebook_hub": gettext_lazy("Notebook hub"),
    "container_manager": gettext_lazy("Container manager"),
    "records": gettext_lazy("Manager’s own records"),
    "sql_admin_tool": gettext_lazy("SQL admin tool"),
}

KINDS: Words = {
    "identity_provider.user": gettext_lazy("account at the identity provider"),
    "identity_provider.attributes": gettext_lazy("attributes at the identity provider"),
    "drive.app_password": gettext_lazy("app password of the drive"),
    "drive.account": gettext_lazy("drive account"),
    "sql_server.user": gettext_lazy("SQL user"),
    "sql_server.database": gettext_lazy("SQL database"),
    "triplestore.user": gettext_lazy("triplestore user"),
    "triplestore.repository": gettext_lazy("triplestore repository"),
    "ontology_editor.project": gettext_lazy("ontology project"),
    "ontology_editor.membership": gettext_lazy("membership in an ontology project"),
    "ontology_editor.user": gettext_lazy("user id in the ontology editor"),
    "notebook_hub.container": gettext_lazy("notebook container"),
    "container_manager.container": gettext_lazy("container"),
    "records.snapshot": gettext_lazy("snapshot"),
    "records.component": gettext_lazy("component"),
    "records.stack": gettext_lazy("stack"),
    "records.project": gettext_lazy("project"),
    "records.service_key": gettext_lazy("service key"),
    # kinds of components
    "sql_database": gettext_lazy("SQL database"),
    "triplestore_repository": gettext_lazy("Triplestore repository"),
    "knowledge_stack": gettext_lazy("Knowledge stack"),
}

STEPS: Words = {
    "stop_notebook": gettext_lazy("Stop the notebook"),
    "resolve_identity": gettext_lazy("Find the identity and lock it out"),
    "remove_drive_account": gettext_lazy("Delete the drive account"),
    "remove_identity": gettext_lazy("Delete the account at the identity provider"),
    "drop_sql_users": gettext_lazy("Drop the SQL users"),
    "remove_triplestore_user": gettext_lazy("Delete the triplestore user"),
    "delete_records": gettext_lazy("Delete projects, components, snapshots and keys"),
    "fence_identity": gettext_lazy("Lock out the identity"),
    "lock_sql_user": gettext_lazy("Lock the SQL user"),
    "release_identity": gettext_lazy("Let the identity back in"),
    "unlock_sql_user": gettext_lazy("Unlock the SQL user"),
    "create_sql_user": gettext_lazy("Make the SQL user"),
    "create_database": gettext_lazy("Make the database"),
    "store_sql_password": gettext_lazy("Keep the SQL password for single sign-on"),
    "create_triplestore_user": gettext_lazy("Make the triplestore user"),
    "create_repository": gettext_lazy("Make the repository"),
    "grant_repository": gettext_lazy("Give rights on the repository"),
    "drop_database": gettext_lazy("Drop the database"),
    "delete_repository": gettext_lazy("Delete the repository"),
    "delete_record": gettext_lazy("Delete the record"),
    "create_ontology_project": gettext_lazy("Make the ontology project"),
}

PLANS: Words = {
    "removal": gettext_lazy("Removal"),
    "suspension": gettext_lazy("Suspension"),
    "resumption": gettext_lazy("Letting back in"),
    "component.create": gettext_lazy("New component"),
    "component.delete": gettext_lazy("Deletion of a component"),
    "project.link": gettext_lazy("Ontology project of a project"),
}


COUNTED_AS: Mapping[str, str] = {
    **dict.fromkeys(
        ("identity_provider.user", "drive.account", "sql_server.user", "triplestore.user"),
        "accounts",
    ),
    "drive.app_password": "app passwords",
    "sql_server.database": "databases",
    "triplestore.repository": "repositories",
    "ontology_editor.project": "ontology projects",
    "records.project": "projects",
    "records.stack": "stacks",
    "records.snapshot": "snapshots",
    "records.service_key": "service keys",
}
"""What a removal takes away, in the few groups its summary counts. Component records are not counted beside their databases."""


def counted(group: str, count: int) -> str:
    """The word of a group in the number it has: "account", "accounts"."""
    return {
        "accounts": npgettext("count", "account", "accounts", count),
        "app passwords": npgettext("count", "app password", "app passwords", count),
        "databases": npgettext("count", "database", "databases", count),
        "repositories": npgettext("count", "repository", "repositories", count),
        "ontology projects": npgettext("count", "ontology project", "ontology projects", count),
        "projects": npgettext("count", "project", "projects", count),
        "stacks": npgettext("count", "stack", "stacks", count),
        "snapshots": npgettext("count", "snapshot", "snapshots", count),
        "service keys": npgettext("count", "service key", "service keys", count),
    }[group]


def state(name: str) -> str:
    return _word(STATES, name)


def system(name: str) -> str:
    return _word(SYSTEMS, name)


def kind(name: str) -> str:
    return _word(KINDS, name)


def step(name: str) -> str:
    return _word(STEPS, name)


def plan(name: str) -> str:
    return _word(PLANS, name)


def _word(words: Words, name: str) -> str:
    """A name nobody translated yet is shown as it is, with its underscores as spaces: better than nothing."""
    return str(words.get(name) or name.replace("_", " ").replace(".", " "))


def duration(seconds: float | None) -> str:
    """About how long: "2 seconds", "1 minute"; "" when it was never measured."""
    if seconds is None:
        return ""
    if seconds < 1:
        return _("less than a second")
    if seconds < 90:
        whole = round(seconds)
        return ngettext("%(count)d second", "%(count)d seconds", whole) % {"count": whole}
    minutes = round(seconds / 60)
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}


def thing(change: Mapping[str, Any]) -> str:
    """The name of what a change is about. An app password has none: it is named by whose it is."""
    if change["kind"] == "drive.app_password":
        return str(change["target"].get("login_name", change["id"]))
    return str(change["id"])


def deed(change: Mapping[str, object]) -> str:
    """What one change does, as one word: what is read before anybody confirms it."""
    kind, after = change["kind"], change["after"]
    if after is None:
        return (
            pgettext("deed", "Revoke")
            if kind == "drive.app_password"
            else pgettext("deed", "Delete")
        )
    match kind, after:
        case "notebook_hub.container", _:
            return pgettext("deed", "Stop")
        case "identity_provider.user", {"enabled": False}:
            return pgettext("deed", "Lock out")
        case "identity_provider.user", {"enabled": True, **more} if not more:
            return pgettext("deed", "Let back in")
        case "sql_server.user", {"locked": locked}:
            return pgettext("deed", "Lock") if locked else pgettext("deed", "Unlock")
        case "identity_provider.attributes", dict(wishes) if not any(wishes.values()):
            return pgettext("deed", "Clear")
        case "triplestore.user", {"authorities": [_first, _second, *_]}:
            return pgettext("deed", "Give rights to")
    return pgettext("deed", "Make")
