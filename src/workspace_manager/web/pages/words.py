"""What people call things: states, systems, kinds of things, steps and plans, in the reader's language."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

Words = Mapping[str, str | Promise]

STATES: Words = {
    # steps
    "pending": later("not yet"),
    "running": later("running"),
    "done": later("done"),
    "already_gone": later("already gone"),
    "waiting": later("waiting"),
    "stuck": later("stuck"),
    "skipped": later("skipped"),
    "by_hand": later("left by hand"),
    # plans
    "draft": later("preview"),
    "stale": later("out of date"),
    "superseded": later("replaced"),
    # components
    "creating": later("being made"),
    "ready": later("ready"),
    "failed": later("failed"),
    "deleting": later("being deleted"),
    # registrations
    "approved": later("approved"),
    "rejected": later("rejected"),
    "expired": later("expired"),
    "withdrawn": later("withdrawn"),
    # people
    "active": later("active"),
    "suspended": later("suspended"),
    "leaving": later("leaving"),
    # systems and findings
    "in_use": later("in use"),
    "paused": later("paused"),
    "not_set_up": later("not set up"),
    "ok": later("fine"),
    "warning": later("look at this"),
    "failing": later("failing"),
    # late look
    "clean": later("clean"),
    "removed": later("removed again"),
    # changes
    "already": later("already so"),
}

LOOKS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "done",
            "already_gone",
            "ready",
            "approved",
            "active",
            "in_use",
            "ok",
            "clean",
            "removed",
            "already",
        ),
        "done",
    ),
    **dict.fromkeys(("running", "creating", "deleting"), "running"),
    **dict.fromkeys(
        ("waiting", "paused", "leaving", "warning", "suspended", "not_set_up"), "waiting"
    ),
    **dict.fromkeys(("stuck", "failed", "failing"), "stuck"),
}
"""Four colours; whatever is not named is quiet."""

MARKS: Mapping[str, str] = {
    **{
        name: name
        for name in (
            "done",
            "already_gone",
            "running",
            "waiting",
            "stuck",
            "skipped",
            "by_hand",
            "pending",
            "paused",
            "warning",
        )
    },
    **dict.fromkeys(("ready", "approved", "active", "in_use", "ok", "clean", "removed"), "done"),
    **dict.fromkeys(("creating", "deleting"), "running"),
    **dict.fromkeys(("failed", "failing"), "stuck"),
    **dict.fromkeys(("stale", "superseded", "rejected", "expired", "withdrawn"), "skipped"),
    **dict.fromkeys(("suspended",), "paused"),
    **dict.fromkeys(("leaving",), "waiting"),
    **dict.fromkeys(("not_set_up",), "warning"),
    "already": "already_gone",
}

SYSTEMS: Words = {
    "identity_provider": later("Identity provider"),
    "drive": later("Drive"),
    "sql_server": later("SQL server"),
    "triplestore": later("Triplestore"),
    "ontology_editor": later("Ontology editor"),
    "notebook_hub": later("Notebook hub"),
    "container_manager": later("Container manager"),
    "records": later("Manager’s own records"),
    "sql_admin_tool": later("SQL admin tool"),
}

KINDS: Words = {
    "identity_provider.user": later("account at the identity provider"),
    "identity_provider.attributes": later("attributes at the identity provider"),
    "drive.app_password": later("app password of the drive"),
    "drive.account": later("drive account"),
    "sql_server.user": later("SQL user"),
    "sql_server.database": later("SQL database"),
    "triplestore.user": later("triplestore user"),
    "triplestore.repository": later("triplestore repository"),
    "ontology_editor.project": later("ontology project"),
    "ontology_editor.membership": later("membership in an ontology project"),
    "ontology_editor.user": later("user id in the ontology editor"),
    "notebook_hub.container": later("notebook container"),
    "container_manager.container": later("container"),
    "records.snapshot": later("snapshot"),
    "records.component": later("component"),
    "records.stack": later("stack"),
    "records.project": later("project"),
    "records.service_key": later("service key"),
    # kinds of components
    "sql_database": later("SQL database"),
    "triplestore_repository": later("Triplestore repository"),
    "knowledge_stack": later("Knowledge stack"),
}

STEPS: Words = {
    "stop_notebook": later("Stop the notebook"),
    "resolve_identity": later("Find the identity and lock it out"),
    "remove_drive_account": later("Delete the drive account"),
    "remove_identity": later("Delete the account at the identity provider"),
    "drop_sql_users": later("Drop the SQL users"),
    "remove_triplestore_user": later("Delete the triplestore user"),
    "delete_records": later("Delete projects, components, snapshots and keys"),
    "fence_identity": later("Lock out the identity"),
    "lock_sql_user": later("Lock the SQL user"),
    "release_identity": later("Let the identity back in"),
    "unlock_sql_user": later("Unlock the SQL user"),
    "create_sql_user": later("Make the SQL user"),
    "create_database": later("Make the database"),
    "store_sql_password": later("Keep the SQL password for single sign-on"),
    "create_triplestore_user": later("Make the triplestore user"),
    "create_repository": later("Make the repository"),
    "grant_repository": later("Give rights on the repository"),
    "drop_database": later("Drop the database"),
    "delete_repository": later("Delete the repository"),
    "delete_record": later("Delete the record"),
    "create_ontology_project": later("Make the ontology project"),
}

PLANS: Words = {
    "removal": later("Removal"),
    "suspension": later("Suspension"),
    "resumption": later("Letting back in"),
    "component.create": later("New component"),
    "component.delete": later("Deletion of a component"),
    "project.link": later("Ontology project of a project"),
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
        "accounts": ngettext("account", "accounts", count),
        "app passwords": ngettext("app password", "app passwords", count),
        "databases": ngettext("database", "databases", count),
        "repositories": ngettext("repository", "repositories", count),
        "ontology projects": ngettext("ontology project", "ontology projects", count),
        "projects": ngettext("project", "projects", count),
        "stacks": ngettext("stack", "stacks", count),
        "snapshots": ngettext("snapshot", "snapshots", count),
        "service keys": ngettext("service key", "service keys", count),
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


def deed(change: Mapping[str, object]) -> str:
    """What one change does, as one word: what is read before anybody confirms it."""
    kind, after = change["kind"], change["after"]
    if after is None:
        return _("Revoke") if kind == "drive.app_password" else _("Delete")
    match kind, after:
        case "notebook_hub.container", _:
            return _("Stop")
        case "identity_provider.user", {"enabled": False}:
            return _("Lock out")
        case "identity_provider.user", {"enabled": True, **more} if not more:
            return _("Let back in")
        case "sql_server.user", {"locked": locked}:
            return _("Lock") if locked else _("Unlock")
        case "identity_provider.attributes", dict(wishes) if not any(wishes.values()):
            return _("Clear")
        case "triplestore.user", {"authorities": [_first, _second, *_]}:
            return _("Give rights to")
    return _("Make")
