"""What plans, their steps and their changes are called, and what is true when a step has ended."""

from collections.abc import Mapping

from django.utils.translation import get_language, gettext_lazy, ngettext, npgettext, pgettext
from django.utils.translation import gettext as _

from workspace_manager.contract.message import Message, in_words
from workspace_manager.core.connected_systems import is_unsaid, kind_of
from workspace_manager.engine.view import ChangeView
from workspace_manager.inbox.called import of_kind
from workspace_manager.people.suspension_view import ChangePreview
from workspace_manager.systems import registry
from workspace_manager.web.pages.labels import Words, word

STEPS: Words = {
    "stop_notebook": gettext_lazy("Stop the notebook"),
    "resolve_identity": gettext_lazy("Find the identity and end its sessions"),
    "remove_drive_account": gettext_lazy("Delete the drive account"),
    "remove_identity": gettext_lazy("Delete the account at the identity provider"),
    "drop_sql_users": gettext_lazy("Drop the SQL users"),
    "remove_triplestore_user": gettext_lazy("Delete the triplestore user"),
    "delete_records": gettext_lazy("Delete projects, components, snapshots and keys"),
    "fence_identity": gettext_lazy("Lock out the identity"),
    "lock_sql_user": gettext_lazy("Lock the SQL user"),
    "disable_drive_account": gettext_lazy("Disable the drive account"),
    "take_triplestore_rights": gettext_lazy("Take the rights in the triplestore"),
    "take_ontology_memberships": gettext_lazy("Take the memberships in ontology projects"),
    "stop_notebook_again": gettext_lazy("See that no notebook was started meanwhile"),
    "release_identity": gettext_lazy("Let the identity back in"),
    "unlock_sql_user": gettext_lazy("Unlock the SQL user"),
    "enable_drive_account": gettext_lazy("Enable the drive account"),
    "give_triplestore_rights": gettext_lazy("Give the rights in the triplestore back"),
    "give_ontology_memberships": gettext_lazy("Give the memberships in ontology projects back"),
    "create_sql_user": gettext_lazy("Make the SQL user"),
    "create_database": gettext_lazy("Make the database"),
    "store_sql_password": gettext_lazy("Keep the SQL password for single sign-on"),
    "create_machine_account": gettext_lazy("Make the account of the program"),
    "remove_machine_account": gettext_lazy("Delete the account of the program"),
    "remove_machine_accounts": gettext_lazy("Delete the accounts of programs"),
    "settle_machine_accounts": gettext_lazy("Settle what programs may do"),
    "renew_sql_password": gettext_lazy("Set the new SQL password and end the sessions"),
    "renew_triplestore_password": gettext_lazy(
        "Set the new triplestore password and end the tokens"
    ),
    "create_triplestore_user": gettext_lazy("Make the triplestore user"),
    "create_repository": gettext_lazy("Make the repository"),
    "grant_repository": gettext_lazy("Give rights on the repository"),
    "drop_database": gettext_lazy("Drop the database"),
    "open_to_everybody": gettext_lazy("Let everybody read the repository"),
    "close_to_everybody": gettext_lazy("Let nobody read the repository without signing in"),
    "delete_repository": gettext_lazy("Delete the repository"),
    "delete_ontology_project": gettext_lazy("Move the ontology project to the trash"),
    "share_ontology_project": gettext_lazy("Settle access to the ontology project"),
    "share_databases": gettext_lazy("Settle access to shared databases"),
    "share_repositories": gettext_lazy("Settle access to shared repositories"),
    "create_machine_accounts": gettext_lazy("Make the accounts it has of its own"),
    "create_groups": gettext_lazy("Make its groups at the identity provider"),
    "create_client": gettext_lazy("Make its client at the identity provider"),
    "create_stack": gettext_lazy("Start its containers"),
    "delete_stack": gettext_lazy("Stop and remove its containers and networks"),
    "delete_volumes": gettext_lazy("Remove its volumes"),
    "delete_client": gettext_lazy("Delete its client at the identity provider"),
    "delete_groups": gettext_lazy("Delete its groups at the identity provider"),
    "delete_stack_record": gettext_lazy("Delete the record of the stack"),
    "share_knowledge_stacks": gettext_lazy("Settle the groups of knowledge stacks"),
    "verify_email": gettext_lazy("Mark the e-mail address as confirmed"),
    "delete_record": gettext_lazy("Delete the record"),
    "create_ontology_project": gettext_lazy("Make the ontology project"),
    "rename_ontology_project": gettext_lazy("Rename the ontology project"),
    "remove_unknown": gettext_lazy("Delete what is nobody’s"),
    "shut_account": gettext_lazy("Shut the account"),
    "take_unknown_right": gettext_lazy("Take a right that nobody shared"),
    "declare_attributes": gettext_lazy("Declare the attributes of people"),
    "set_up_clients": gettext_lazy("Set up the clients of the workspace"),
    "set_up_mappers": gettext_lazy("Set up what tokens and userinfo carry"),
    "give_service_roles": gettext_lazy("Give the service account its roles"),
    "close_realm": gettext_lazy("Leave registration and user names to the manager"),
}

ENDED: Words = {
    "stop_notebook": gettext_lazy("No notebook of this person runs."),
    "resolve_identity": gettext_lazy("The identity is known, and no session is open."),
    "remove_drive_account": gettext_lazy(
        "No drive account, no working app password and no stored credentials are left."
    ),
    "remove_identity": gettext_lazy(
        "The account at the identity provider is gone, and no notebook was started meanwhile."
    ),
    "drop_sql_users": gettext_lazy(
        "No SQL user of this person is left on any host, and no session of one."
    ),
    "remove_triplestore_user": gettext_lazy("No triplestore user of this person is left."),
    "delete_records": gettext_lazy(
        "Nothing this person owned is left, neither here nor in its system."
    ),
    "fence_identity": gettext_lazy("The identity is locked out, and no session is open."),
    "lock_sql_user": gettext_lazy("The SQL user is locked, and no session of it is open."),
    "disable_drive_account": gettext_lazy(
        "The drive account is disabled: neither an app password nor a session opens it."
    ),
    "take_triplestore_rights": gettext_lazy(
        "The triplestore account has no right: it reads and writes nothing."
    ),
    "take_ontology_memberships": gettext_lazy("No membership in an ontology project is left."),
    "stop_notebook_again": gettext_lazy("No notebook of this person runs."),
    "enable_drive_account": gettext_lazy(
        "The drive account is enabled, with everything that was in it."
    ),
    "give_triplestore_rights": gettext_lazy("The triplestore account has its rights again."),
    "give_ontology_memberships": gettext_lazy("The memberships in ontology projects are back."),
    "release_identity": gettext_lazy("The identity can sign in again."),
    "unlock_sql_user": gettext_lazy("The SQL user is unlocked."),
    "create_sql_user": gettext_lazy("The SQL user is there."),
    "create_machine_account": gettext_lazy("The account is there and opens its component."),
    "remove_machine_account": gettext_lazy("The account is gone."),
    "remove_machine_accounts": gettext_lazy("No account of a program is left."),
    "renew_sql_password": gettext_lazy("The new password is right, and the old one opens nothing."),
    "renew_triplestore_password": gettext_lazy(
        "The new password is right, and the old one opens nothing."
    ),
    "create_database": gettext_lazy("The database is there, and its owner may use it."),
    "create_triplestore_user": gettext_lazy("The triplestore user is there."),
    "create_repository": gettext_lazy("The repository is there."),
    "open_to_everybody": gettext_lazy("Without signing in, the repository was read."),
    "close_to_everybody": gettext_lazy("Without signing in, the repository cannot be read."),
    "drop_database": gettext_lazy("The database is gone."),
    "create_stack": gettext_lazy("Its containers run, and it answers."),
    "delete_stack": gettext_lazy("No container and no network of it is left."),
    "delete_volumes": gettext_lazy("No volume of it is left."),
    "delete_client": gettext_lazy("Its client is gone."),
    "delete_groups": gettext_lazy("Its groups are gone."),
    "delete_repository": gettext_lazy("The repository is gone."),
    "remove_unknown": gettext_lazy("It is gone."),
    "shut_account": gettext_lazy("Its person cannot get in with it."),
    "take_unknown_right": gettext_lazy("The right is gone."),
}
"""What is true when a step is done: said only then, since each of its changes was looked
at afresh.
"""

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
"""What a removal takes away, in the few groups its summary counts. Component records are not
counted beside their databases.
"""


def step(name: str, label: Message | None = None) -> str:
    """What a step is called: as we say it, else as its system does (`label`)."""
    if label is not None and name not in STEPS:
        return in_words(label, get_language() or "en")
    return word(STEPS, name)


def ended(step_name: str, step_state: str) -> str:
    """What is true now that a step has ended."""
    if step_state == "by_hand":
        return _("Something here is left for you to do by hand; it stands below.")
    return str(ENDED.get(step_name) or _("Done; a fresh look confirmed it."))


def plan(name: str) -> str:
    """What a kind of plan is called, as the inbox calls it."""
    return in_words(of_kind(name), get_language() or "en")


def counted(group: str, count: int) -> str:
    """The word of a group in the number it has: "account", "accounts"; that of another system as it
    says it.
    """
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
    }.get(group, group)


def group(kind: str) -> str:
    """The group that a thing is counted in where a removal is summed up; "" for none."""
    known = kind_of(kind)
    own = in_words(known.counted_as, get_language() or "en") if known and known.counted_as else ""
    return COUNTED_AS.get(kind, own)


def target_name(change: ChangeView | ChangePreview) -> str:
    """The name of what a change is about. An app password has none: it is named by whose it is."""
    if change.kind == "drive.app_password":
        return change.target.get("login_name", change.id)
    return change.id


def action_label(change: ChangeView | ChangePreview) -> str:
    """What one change does, as one word: what is read before anybody confirms it."""
    kind, after = change.kind, change.after
    if is_unsaid(kind):
        return pgettext("deed", "Look for")
    if after is None:
        revoked = kind == "drive.app_password"
        return pgettext("deed", "Revoke") if revoked else pgettext("deed", "Delete")
    match kind, after:
        case "notebook_hub.container", _:
            return pgettext("deed", "Stop")
        case "identity_provider.user", {"enabled": False}:
            return pgettext("deed", "Lock out")
        case "identity_provider.user", {"sessions": 0, **more} if not more:
            return pgettext("deed", "Sign out")
        case "identity_provider.user", {"enabled": True, **more} if not more:
            return pgettext("deed", "Let back in")
        case "drive.account", {"enabled": enabled}:
            return pgettext("deed", "Enable") if enabled else pgettext("deed", "Disable")
        case "triplestore.user", {"shut": shut}:
            return (
                pgettext("deed", "Take the rights of")
                if shut
                else pgettext("deed", "Give the rights back to")
            )
        case "sql_server.user", {"locked": locked}:
            return pgettext("deed", "Lock") if locked else pgettext("deed", "Unlock")
        case "sql_server.user" | "triplestore.user", {"password": "renewed"}:
            return pgettext("deed", "Set a new password of")
        case "identity_provider.attributes", dict(wishes) if not any(wishes.values()):
            return pgettext("deed", "Clear")
        case "triplestore.public", {"read": read}:
            return (
                pgettext("deed", "Let everybody read")
                if read
                else pgettext("deed", "Let only members read")
            )
        case "triplestore.user", {"authorities": [_first, _second, *_]}:
            return pgettext("deed", "Give rights to")
    return _shut_or_opened(kind, after) or pgettext("deed", "Make")


def _shut_or_opened(kind: str, after: object) -> str:
    """What is done to an account of a system that others brought: what it says takes something
    shuts it, and the opposite opens it.
    """
    known = kind_of(kind)
    if known is None or not isinstance(after, dict):
        return ""
    takes = [after[name] for name in known.takes if name in after]
    if not takes or kind.partition(".")[0] not in registry().outside:
        return ""
    return pgettext("deed", "Shut") if any(takes) else pgettext("deed", "Open")


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
