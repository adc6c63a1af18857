"""Set the sandbox's realm up with the manager's own set-up: attributes, clients, mappers.
Idempotent, also on a kept realm.
"""

from collections.abc import Mapping
from typing import Any

from workspace_manager.contract.realm import ClientWants
from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, parse
from workspace_manager.operations.realm_requirements import wanted_realm
from workspace_manager.systems import registry
from workspace_manager.systems.drive.settings import Settings as Drive
from workspace_manager.systems.identity_provider import connector as identity_provider
from workspace_manager.systems.identity_provider.settings import Settings as IdentityProvider
from workspace_manager.systems.notebook_hub.settings import Settings as NotebookHub
from workspace_manager.systems.ontology_editor.settings import Settings as OntologyEditor
from workspace_manager.systems.sql_server.settings import Settings as SqlServer


def set_up(
    systems: Mapping[str, Mapping[str, Any]], values: Mapping[str, str], manager_url: str
) -> None:
    """Do it. An identity provider that is not ours (pinned by the environment) is left alone.
    Raises the five errors.
    """
    idp = systems["identity_provider"]
    if idp["part"] == "pinned":
        return
    settings = IdentityProvider(
        url=idp["url"],
        realm=idp["realm"],
        admin_username=idp["admin_username"],
        admin_password=Secret(idp["admin_password"]),
        client_id=manager_url,
        client_secret=Secret(values["client.manager"]),
    )
    all_settings: dict[str, SystemSettings] = {
        "identity_provider": settings,
        "drive": Drive(base_url=systems["drive"]["url"]),
        "notebook_hub": parse(NotebookHub, {"url": systems["notebook_hub"]["url"]}, {}),
        "ontology_editor": parse(OntologyEditor, {"host": systems["ontology_editor"]["url"]}, {}),
        "sql_server": parse(SqlServer, {}, {}),
    }
    for name in sorted(registry().outside & systems.keys()):
        all_settings[name] = _told(name, systems[name])
    clients = [name.partition(".")[2] for name in values if name.startswith("client.")]
    references = {name: f"client.{name}" for name in clients}
    wants = wanted_realm(all_settings, base_url=manager_url, secrets=references)
    system = identity_provider.connect(settings, lambda ref: Secret(values[ref]), wants)
    for change in system.realm_changes():
        system.connectors[change.kind].apply(change)


def client_of(name: str, told: Mapping[str, Any]) -> ClientWants | None:
    """Return the client that a system of another distribution wants, from the settings that its
    stand-in told.
    """
    return registry().specs[name].realm_client(_told(name, told), {})


def _told(name: str, told: Mapping[str, Any]) -> SystemSettings:
    """Return a system's settings, from what its stand-in told."""
    spec = registry().specs[name].settings
    known = {one.name: one.secret for one in spec.specs() if one.name in told}
    plain = {one: str(told[one]) for one, secret in known.items() if not secret}
    hidden = {one: Secret(str(told[one])) for one, secret in known.items() if secret}
    found: SystemSettings = parse(spec, plain, hidden)
    return found
