"""Names that are stored or configured, and so stay: a changed one strands plans, audit lines,
settings or queued tasks.

Whoever adds one adds it here; whoever renames one brings a migration, and says so where the change
is announced.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import workspace_manager
from workspace_manager.core.plan_names import declared_steps
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.systems import registry
from workspace_manager.worker import queue

PACKAGE = Path(workspace_manager.__file__).parent

KINDS_OF_PLANS = {
    "access.settle",
    "approval.accounts",
    "approval.undo",
    *("component.create", "component.delete", "component.public"),
    "project.delete",
    "project.link",
    "project.rename",
    "realm.setup",
    "recheck",
    "reconcile.repair",
    "reconcile.settle",
    "registration.confirm",
    "removal",
    "removal.account",
    "resumption",
    *("service_key.create", "service_key.delete", "service_key.renew"),
    *("snapshot.create", "snapshot.delete", "snapshot.restore", "snapshot.restore_in_place"),
    *("stack.create", "stack.delete"),
    "suspension",
}
STEPS = {
    *("capture_content", "restore_content", "delete_content", "discard_restored_content"),
    *("keep_present_content", "load_content_beside", "switch_content", "delete_snapshots"),
    *("close_realm", "close_to_everybody"),
    *("create_database", "create_machine_account"),
    "create_ontology_project",
    "create_repository",
    "create_sql_user",
    "create_triplestore_user",
    "create_client",
    "create_groups",
    "create_machine_accounts",
    "create_stack",
    "declare_attributes",
    "delete_client",
    "delete_groups",
    "delete_ontology_project",
    "delete_record",
    "delete_records",
    "delete_repository",
    "delete_stack",
    "delete_stack_record",
    "delete_volumes",
    "disable_drive_account",
    "drop_database",
    "drop_sql_users",
    "enable_drive_account",
    "fence_identity",
    "give_ontology_memberships",
    "give_service_roles",
    "give_triplestore_rights",
    "grant_repository",
    "lock_sql_user",
    "open_to_everybody",
    "release_identity",
    "remove_drive_account",
    "remove_identity",
    "remove_machine_account",
    "remove_machine_accounts",
    "remove_triplestore_user",
    "remove_unknown",
    "shut_account",
    "take_unknown_right",
    "rename_ontology_project",
    "renew_sql_password",
    "renew_triplestore_password",
    "resolve_identity",
    "set_up_clients",
    "set_up_mappers",
    "settle_machine_accounts",
    "share_databases",
    "share_knowledge_stacks",
    "share_ontology_project",
    "share_repositories",
    "stop_notebook",
    "stop_notebook_again",
    "store_sql_password",
    "take_ontology_memberships",
    "take_triplestore_rights",
    "unlock_sql_user",
    "verify_email",
}
AUDIT_EVENTS = {
    *("snapshot:downloaded", "snapshot:key_shown", "snapshot:renamed", "snapshot:requested"),
    *("snapshot:restore_in_place_requested", "snapshot:schedule_set", "snapshot:taken_back"),
    *("snapshot:deletion_requested", "snapshot:restore_requested", "snapshot:schedule_ended"),
    "snapshot:uploaded",
    "access:opened_by_another",
    *("administrator:added", "administrator:announced"),
    "administrator:announcement_ended",
    "administrator:removed",
    *("as_person:made", "as_person:removed"),
    "audit:erased",
    "backfill:*",
    "component:closed_to_everybody",
    "component:deletion_requested",
    "component:detached",
    "component:moved",
    "component:opened_to_everybody",
    "component:renamed",
    "component:requested",
    "component:tested",
    "drive:app_password_not_made",
    "drive:connected",
    "drive:credentials_dropped",
    "drive:not_stored",
    "drive:session_left",
    "drive:token_not_taken",
    "drive:unkept_revoked",
    "drive:wrong_account",
    "hold:begun",
    "hold:confirmed",
    "inbox:put_off",
    "inbox:taken_up",
    "membership:asked",
    "membership:began",
    "membership:declined",
    "membership:ended",
    "membership:invitation_withdrawn",
    "membership:invited",
    "membership:rejected",
    "membership:role_changed",
    "permission:ended",
    "permission:given",
    "permission:taken",
    "people:relinked",
    "people:several",
    "person:end_date",
    "person:entered",
    "person:letter",
    "person:resumed",
    "person:notices",
    "person:settings",
    "person:signed_in",
    "person:suspended",
    "project:deletion_requested",
    "project:described",
    "project:given_back",
    "project:handed_over",
    "project:renamed",
    "plan:forgotten",
    "plan:noted",
    "realm:set_up",
    "account:taken_over",
    "person:taken_over",
    "person:take_over_undone",
    "take_over:confirmed",
    "take_over:undone",
    "reconcile:adopted",
    "reconcile:begun",
    "reconcile:connected",
    "reconcile:disconnected",
    "reconcile:drafted",
    "reconcile:ignored",
    "reconcile:repair_approved",
    "reconcile:settled",
    "reconcile:shut",
    "registration:approved",
    "registration:email_confirmed",
    "registration:expired",
    "registration:link_sent",
    "registration:received",
    "registration:rejected",
    "registration:withdrawn",
    "removal:approved",
    "removal:drafted",
    "removal:finished",
    "service_key:deletion_requested",
    "service_key:renamed",
    "service_key:renewal_requested",
    "service_key:renewed",
    "service_key:requested",
    "service_key:revealed",
    "stack:deletion_requested",
    "stack:moved",
    "stack:renamed",
    "stack:requested",
    "template:added",
    "template:changed",
    "template:offered",
    "template:removed",
    "template:withdrawn",
    "settings:changed",
    "settings:forgotten",
    "settings:tested",
    "sign_in:emergency",
    "sign_in:emergency_refused",
    "sign_in:ended",
    "sign_in:refused",
    "step:*",
    "stranger:*",
    "system:checked",
    "system:paused",
    "system:resumed",
    "token:created",
    "token:revoked",
    "tombstone:released",
    "webhook:*",
    "webhook:disabled",
}
"""`*`: how it was decided, which is a state or an action of the row."""
TASKS = {
    "every_minute",
    "go_on_with_take_overs",
    "look_after_snapshots",
    "look_at_system",
    "look_at_systems",
    "reconcile_systems",
    "look_freely",
    "look_who_is_there",
    "run_plan",
    "send_letters",
    "send_webhook",
    "send_webhooks",
    "sweep",
    "tell_what_waits",
    "visit_drives",
}


def test_kinds_of_plans() -> None:
    assert set(PLAN_KINDS) == KINDS_OF_PLANS


def test_steps() -> None:
    """Every step is declared with its label; an outside system's and a recheck's says it itself."""
    ours = [spec for name, spec in registry().specs.items() if name not in registry().outside]
    assert declared_steps() | {step for spec in ours for step in spec.step_labels} == STEPS
    named = [name for call in calls("PlannedStep") for name in _texts(call, "name")]
    assert named == ["stop_notebook"], "declare_step gives the others"


def test_audit_events() -> None:
    noted = (*calls("note"), *calls("audit.note"))
    found = {name for call in noted for name in _texts(call, "event")}
    assert found == AUDIT_EVENTS


def test_tasks() -> None:
    """A queue outlives an update: what waits in it is found by module and name."""
    assert set(queue._registry._registry) == {f"workspace_manager.worker.{name}" for name in TASKS}


def calls(function: str) -> Iterator[ast.Call]:
    """Every call of a function in the package, by the name it is called by."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == function:
                yield node


def _texts(call: ast.Call, parameter: str) -> Iterator[str]:
    """The text of an argument, the first or by name; what is put in when it runs is `*`."""
    given = [one.value for one in call.keywords if one.arg == parameter] or call.args[:1]
    for node in given:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr) and parameter == "event":
            yield "".join(str(v.value) if isinstance(v, ast.Constant) else "*" for v in node.values)
