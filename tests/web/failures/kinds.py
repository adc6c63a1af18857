"""Every kind of step, with something it does, and every failure it can meet."""

from collections.abc import Callable
from uuid import UUID

from tests.fake_world.world import World
from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import quote_words
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.records.models import Person, Plan

KIND_OF_STEP = {
    "capture_content": "snapshots.content",
    "restore_content": "snapshots.restored",
    "delete_content": "snapshots.content",
    "keep_present_content": "snapshots.content",
    "load_content_beside": "snapshots.in_place",
    "switch_content": "snapshots.in_place",
    "discard_restored_content": "snapshots.in_place",
    "stop_notebook": "notebook_hub.container",
    "resolve_identity": "identity_provider.user",
    "remove_drive_account": "drive.account",
    "remove_identity": "identity_provider.user",
    "drop_sql_users": "sql_server.user",
    "remove_triplestore_user": "triplestore.user",
    "delete_records": "ontology_editor.project",
    "fence_identity": "identity_provider.user",
    "lock_sql_user": "sql_server.user",
    "disable_drive_account": "drive.account",
    "enable_drive_account": "drive.account",
    "take_triplestore_rights": "triplestore.user",
    "give_triplestore_rights": "triplestore.user",
    "take_ontology_memberships": "ontology_editor.membership",
    "give_ontology_memberships": "ontology_editor.membership",
    "stop_notebook_again": "notebook_hub.container",
    "release_identity": "identity_provider.user",
    "unlock_sql_user": "sql_server.user",
    "create_sql_user": "sql_server.user",
    "create_database": "sql_server.database",
    "store_sql_password": "identity_provider.attributes",
    "create_triplestore_user": "triplestore.user",
    "create_repository": "triplestore.repository",
    "grant_repository": "triplestore.user",
    "drop_database": "sql_server.database",
    "delete_repository": "triplestore.repository",
    "open_to_everybody": "triplestore.public",
    "close_to_everybody": "triplestore.public",
    "delete_ontology_project": "ontology_editor.project",
    "share_ontology_project": "ontology_editor.membership",
    "share_databases": "sql_server.grant",
    "share_repositories": "triplestore.user",
    "share_knowledge_stacks": "identity_provider.group",
    "settle_machine_accounts": "sql_server.grant",
    "renew_sql_password": "sql_server.user",
    "renew_triplestore_password": "triplestore.user",
    "create_machine_account": "sql_server.user",
    "create_machine_accounts": "sql_server.user",
    "remove_machine_account": "sql_server.user",
    "remove_machine_accounts": "triplestore.user",
    "create_groups": "identity_provider.group",
    "create_client": "identity_provider.client",
    "create_stack": "container_manager.stack",
    "delete_stack": "container_manager.stack",
    "delete_volumes": "container_manager.stack_volumes",
    "delete_client": "identity_provider.client",
    "delete_groups": "identity_provider.group",
    "delete_snapshots": "snapshots.content",
    "delete_stack_record": "sql_server.database",
    "verify_email": "identity_provider.attributes",
    "delete_record": "sql_server.database",
    "create_ontology_project": "ontology_editor.project",
    "rename_ontology_project": "ontology_editor.project",
    "remove_unknown": "sql_server.user",
    "shut_account": "sql_server.user",
    "take_unknown_right": "sql_server.grant",
    "declare_attributes": "identity_provider.attributes",
    "set_up_clients": "identity_provider.attributes",
    "set_up_mappers": "identity_provider.attributes",
    "give_service_roles": "identity_provider.attributes",
    "close_realm": "identity_provider.attributes",
}
"""A step of every name there is; that all are here is a test."""

TAKING = ("remove", "drop", "delete")
TARGETS = {
    "identity_provider": {
        "sub": "s-1",
        "group": "g-1",
        "client_id": "c-1",
        "mark": str(UUID(int=1)),
    },
    "drive": {"account": "d-1"},
    "sql_server": {"user": "u-1", "database": "db-1"},
    "triplestore": {"user": "t-1"},
    "ontology_editor": {"mark": "m-1", "project_id": "p-1", "user": "u-1"},
    "notebook_hub": {"container": "jupyter-anna"},
    "snapshots": {"label": "Monday", "id": str(UUID(int=2)), "place": "p-1"},
    "container_manager": {"stack": "ws-anna-wiki", "mark": "m-1"},
}


def _error(
    kind: type[ConnectorError], *, retry_after: float | None = None
) -> Callable[[str], ConnectorError]:
    """What a system does that fails with this error and gives no advice of its own."""

    def make(verb: str) -> ConnectorError:
        text = f"a failure of the kind {kind.__name__}"
        return kind(
            quote_words(text),
            kind="drive.account",
            doing=quote_words(verb),
            retry_after=retry_after,
        )

    return make


FAILURES: dict[str, Callable[[str], ConnectorError]] = {
    "unavailable": _error(Unavailable),
    "unavailable, and said until when": _error(Unavailable, retry_after=1800),
    "denied": _error(Denied),
    "not found": _error(NotFound),
    "conflict": _error(Conflict),
    "invalid": _error(Invalid),
}


def plan_of(name: str, person: Person) -> Plan:
    """A plan of one step of this name, running."""
    kind = KIND_OF_STEP[name]
    system = kind.partition(".")[0]
    gone = name.startswith(TAKING)
    after = None if gone else {"enabled": False} if system == "notebook_hub" else {"wished": True}
    change = Change(
        kind=kind, subject=str(person.id), target=TARGETS[system], before=None, after=after
    )
    step = PlannedStep(n=1, name=name, system=system, changes=(plan_change(change),))
    document = PlanDocument(
        kind="access.settle", person=person.username, subject=str(person.id), steps=(step,)
    )
    return store(document, actor="ada", state=Plan.State.RUNNING)


def broken(make: Callable[[str], ConnectorError]) -> World:
    """A world in which every system fails like this."""
    return World(broken=dict.fromkeys(TARGETS, make))
