"""Settings that people have stored or put into an environment, and that so stay.

Whoever adds one adds it here; whoever renames one brings a migration, and says so where the change
is announced.
"""

import dataclasses
import re
from pathlib import Path

import workspace_manager
from workspace_manager.systems import registry

PACKAGE = Path(workspace_manager.__file__).parent

SETTINGS_OF_SYSTEMS = {
    "container_manager.allow_privileged_stacks",
    "container_manager.api_key",
    "container_manager.calls_at_once",
    "container_manager.environment_id",
    "container_manager.snapshot_image",
    "container_manager.stack_address",
    "container_manager.stack_ports",
    "container_manager.url",
    "drive.admin_password",
    "drive.admin_username",
    "drive.app_password_attribute",
    "drive.base_url",
    "drive.calls_at_once",
    "drive.container_name",
    "drive.legacy_prefix",
    "drive.login_name_attribute",
    "drive.oidc_username_prefix",
    "drive.provider_name",
    "drive.use_bearer_token",
    "identity_provider.admin_password",
    "identity_provider.admin_username",
    "identity_provider.admit_unregistered",
    "identity_provider.check_as_person",
    "identity_provider.calls_at_once",
    "identity_provider.client_id",
    "identity_provider.client_secret",
    "identity_provider.fence",
    "identity_provider.realm",
    "identity_provider.token_url",
    "identity_provider.url",
    "identity_provider.users_create_url",
    "identity_provider.users_delete_url",
    "identity_provider.users_url",
    "notebook_hub.api_token",
    "notebook_hub.api_url",
    "notebook_hub.calls_at_once",
    "notebook_hub.container_name_escape",
    "notebook_hub.container_name_prefix",
    "notebook_hub.notebook_images",
    "notebook_hub.notebook_networks",
    "notebook_hub.url",
    "notebook_hub.volume_name_prefix",
    "ontology_editor.api_base_url",
    "ontology_editor.api_key",
    "ontology_editor.calls_at_once",
    "ontology_editor.host",
    "ontology_editor.perspective_id",
    "ontology_editor.service_account",
    "sql_server.admin_password",
    "sql_server.admin_tool_url",
    "sql_server.certificate_authority",
    "sql_server.encryption",
    "sql_server.admin_username",
    "sql_server.calls_at_once",
    "sql_server.flavour",
    "sql_server.host",
    "sql_server.password_attribute",
    "sql_server.port",
    "triplestore.admin_password",
    "triplestore.admin_username",
    "triplestore.calls_at_once",
    "triplestore.flavour",
    "triplestore.url",
}
SETTINGS_OF_THE_MANAGER = {
    "WORKSPACE_ALLOWED_HOSTS",
    "WORKSPACE_BASE_URL",
    "WORKSPACE_DATABASE_CONNECTIONS",
    "WORKSPACE_DATABASE_URL",
    "WORKSPACE_EMAIL_FROM",
    "WORKSPACE_DRAFT_HOURS",
    "WORKSPACE_EMAIL_URL",
    "WORKSPACE_EMERGENCY_SIGN_IN",
    "WORKSPACE_FRESH_SIGN_IN_MINUTES",
    "WORKSPACE_FIRST_ADMINISTRATOR",
    "WORKSPACE_FIRST_ADMINISTRATOR_EMAIL",
    "WORKSPACE_FIRST_ADMINISTRATOR_SUB",
    "WORKSPACE_HEALTH_CHECK_MINUTES",
    "WORKSPACE_HEALTH_DAYS",
    "WORKSPACE_LETTERS_DAYS",
    "WORKSPACE_HEALTH_LOOK_SECONDS",
    "WORKSPACE_HEALTH_PROOF_MINUTES",
    "WORKSPACE_HEALTH_SLOW_SECONDS",
    "WORKSPACE_RECONCILE_HOURS",
    "WORKSPACE_IDENTITY_LOOK_MINUTES",
    "WORKSPACE_IDENTITY_OUTAGE_SECONDS",
    "WORKSPACE_IDENTITY_RECHECK_SECONDS",
    "WORKSPACE_LEASE_SECONDS",
    "WORKSPACE_LOG_FORMAT",
    "WORKSPACE_LOG_LEVEL",
    "WORKSPACE_LONGEST_WAIT_SECONDS",
    "WORKSPACE_PASSWORD_LENGTH",
    "WORKSPACE_PLAN_RETENTION_DAYS",
    "WORKSPACE_PREVIEW_WAIT_SECONDS",
    "WORKSPACE_QUEUE_URL",
    "WORKSPACE_RECHECK_AGAIN_HOURS",
    "WORKSPACE_REGISTRATION_EXPIRY_DAYS",
    "WORKSPACE_REGISTRATION_RATE",
    "WORKSPACE_REGISTRATION_RETENTION_DAYS",
    "WORKSPACE_PERSON_RATE",
    "WORKSPACE_TOKEN_DAYS",
    "WORKSPACE_TOKEN_MOST_DAYS",
    "WORKSPACE_TOKEN_RATE",
    "WORKSPACE_OPEN_CREATIONS",
    "WORKSPACE_SECRET_KEYS",
    "WORKSPACE_TOMBSTONE_DAYS",
    "WORKSPACE_TRUSTED_PROXIES",
    "WORKSPACE_WEBHOOKS_TO_PRIVATE_ADDRESSES",
}


def test_settings() -> None:
    specs = registry().specs
    fields = {
        f"{name}.{f.name}" for name in specs for f in dataclasses.fields(specs[name].settings)
    }
    assert fields == SETTINGS_OF_SYSTEMS
    read = set(re.findall(r'"(WORKSPACE_[A-Z_]+)"', (PACKAGE / "settings.py").read_text()))
    assert read == SETTINGS_OF_THE_MANAGER
