"""The values that a knowledge stack gets: its own address, where its systems are and who it is
there.

See docs/reference/compose-features.md#variables.
"""

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urlsplit

from workspace_manager.contract.message import Message, in_words
from workspace_manager.contract.secret import SecretRef
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.rows import Vault
from workspace_manager.knowledge_stacks import compose
from workspace_manager.knowledge_stacks.stack_choice import StackChoice
from workspace_manager.records.models import Component, ServiceKey
from workspace_manager.systems.container_manager import names
from workspace_manager.systems.container_manager.settings import Settings
from workspace_manager.systems.drive.settings import Settings as DriveSettings
from workspace_manager.systems.identity_provider.settings import Settings as IdentitySettings
from workspace_manager.systems.sql_server.settings import Settings as SqlSettings
from workspace_manager.systems.triplestore.settings import Settings as TriplestoreSettings

PASSWORDS: Final = {
    Component.Kind.SQL_DATABASE: "SQL_PASSWORD",
    Component.Kind.TRIPLESTORE_REPOSITORY: "SPARQL_PASSWORD",
}
"""The variable that holds the secret of a machine account, by what it opens."""


def in_english(said: Message) -> str:
    """For what is a name from now on, and not said again."""
    return in_words(said)[:100]


def url(component: Component, systems: ConnectedSystems) -> str:
    """Where people reach it, without a path. Its port is reserved."""
    assert component.port is not None
    return names.stack_url(systems.settings_of(Settings), component.name, component.port)


def key_secrets(keys: Iterable[ServiceKey], vault: Vault) -> dict[str, SecretRef]:
    """The passwords of its machine accounts, by the variables they stand in."""
    return {
        PASSWORDS[Component.Kind(key.component.kind)]: vault.keep(key.secret)
        for key in keys
        if key.component and key.secret
    }


def compose_file(
    component: Component, chosen: StackChoice, keys: Iterable[ServiceKey], systems: ConnectedSystems
) -> str:
    """The file as the engine gets it, without secrets."""
    made_from = component.made_from
    published = None
    values = dict(chosen.values)
    if made_from["web_service"]:
        address = url(component, systems)
        published = compose.PublishedService(
            service=made_from["web_service"],
            port=made_from["web_port"],
            at=component.port or 0,
            bind="127.0.0.1" if _is_here(address) else "",
        )
        values |= {"WORKSPACE_STACK_URL": address, "WORKSPACE_STACK_PORT": str(component.port)}
    values |= dict(_of_needs(component, chosen, keys, systems))
    return compose.render_compose(
        chosen.document, values, mark=str(component.id), published=published
    )


def _is_here(address: str) -> bool:
    """Return whether people reach it on the engine's own host alone."""
    return urlsplit(address).hostname in {"127.0.0.1", "localhost", "::1"}


def _of_needs(
    component: Component, chosen: StackChoice, keys: Iterable[ServiceKey], systems: ConnectedSystems
) -> Iterator[tuple[str, str]]:
    yield "WORKSPACE_STACK_NAME", component.name
    if groups := component.made_from.get("groups"):
        identity = systems.settings_of(IdentitySettings)
        yield "OIDC_ISSUER", f"{identity.url}/realms/{identity.realm}"
        yield "OIDC_CLIENT_ID", component.made_from["client_id"]
        yield "OIDC_ADMIN_GROUP", groups[0]
        yield "OIDC_USER_GROUP", groups[1]
    for key in keys:
        assert key.component is not None
        if key.component.kind == Component.Kind.SQL_DATABASE:
            sql = systems.settings_of(SqlSettings)
            yield "SQL_FLAVOUR", sql.flavour
            yield "SQL_HOST", sql.host
            yield "SQL_PORT", str(sql.port)
            yield "SQL_DATABASE", key.component.name
            yield "SQL_USER", key.account
        else:
            store = systems.settings_of(TriplestoreSettings)
            yield "SPARQL_URL", f"{store.url}/repositories/{key.component.name}"
            yield "SPARQL_USER", key.account
    if chosen.drive:
        yield "DRIVE_URL", systems.settings_of(DriveSettings).base_url
        yield "DRIVE_LOGIN", chosen.drive.login
