"""What the workspace needs of its realm: clients of manager, drive, notebook hub, ontology editor and SQL admin tool, and their mappers.

Used by `setup identity-provider`, by the checks, and by the sandbox, so that all three speak of the same realm (specification,
sections 2.3, 5.2 to 5.4).
"""

from collections.abc import Iterator, Mapping

from workspace_manager.contract.secret import SecretRef
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.systems.drive.settings import Settings as Drive
from workspace_manager.systems.identity_provider.realm import services
from workspace_manager.systems.identity_provider.realm.wants import ClientWants, RealmWants
from workspace_manager.systems.identity_provider.settings import Settings as IdentityProvider
from workspace_manager.systems.notebook_hub.settings import Settings as NotebookHub
from workspace_manager.systems.ontology_editor.settings import Settings as OntologyEditor
from workspace_manager.systems.sql_server.settings import Settings as SqlServer

DRIVE_PROVIDER = "keycloak"
"""The drive's single fixed provider name (specification, section 5.4): part of its back-channel logout address."""


def wanted_realm(
    settings: Mapping[str, SystemSettings],
    *,
    base_url: str,
    secrets: Mapping[str, SecretRef] | None = None,
    service_account: str = "",
) -> RealmWants:
    """The realm as it shall be. `base_url`: the manager's. `secrets`: references to client secrets by system name, where known.
    `service_account`: client id of a least-privilege administrator for the manager, if there shall be one."""
    known = secrets or {}
    idp, drive, sql = settings["identity_provider"], settings["drive"], settings["sql_server"]
    assert isinstance(idp, IdentityProvider)
    assert isinstance(drive, Drive)
    assert isinstance(sql, SqlServer)
    manager = services.manager_client(
        base_url, idp.client_id, drive_client_id=drive.base_url, secret_ref=known.get("manager", "")
    )
    accounts = (services.service_account(service_account),) if service_account else ()
    others = _others(drive, sql, settings["notebook_hub"], settings["ontology_editor"], known)
    return RealmWants(
        realm=idp.realm,
        login_name_attribute=drive.login_name_attribute,
        app_password_attribute=drive.app_password_attribute,
        sql_password_attribute=sql.password_attribute,
        clients=(manager, *others, *accounts),
    )


def _others(
    drive: Drive,
    sql: SqlServer,
    hub: SystemSettings,
    editor: SystemSettings,
    known: Mapping[str, SecretRef],
) -> Iterator[ClientWants]:
    """The clients of the systems that are configured."""
    assert isinstance(hub, NotebookHub)
    assert isinstance(editor, OntologyEditor)
    if drive.base_url:
        secret = known.get("drive", "")
        yield services.drive_client(drive.base_url, provider_name=DRIVE_PROVIDER, secret_ref=secret)
    if hub.url:
        yield services.hub_client(
            hub.url,
            login_name_attribute=drive.login_name_attribute,
            app_password_attribute=drive.app_password_attribute,
            secret_ref=known.get("notebook_hub", ""),
        )
    if editor.host:
        yield services.ontology_editor_client(
            editor.host, secret_ref=known.get("ontology_editor", "")
        )
    if sql.admin_tool_url:
        yield services.sql_tool_client(
            sql.admin_tool_url,
            password_attribute=sql.password_attribute,
            secret_ref=known.get("sql_admin_tool", ""),
        )
