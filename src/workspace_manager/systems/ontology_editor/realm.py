"""Requirements of the ontology editor on the realm: its client."""

from collections.abc import Mapping

from workspace_manager.contract.realm import ClientWants
from workspace_manager.contract.secret import SecretRef
from workspace_manager.systems.ontology_editor.settings import Settings


def client(settings: Settings, _attributes: Mapping[str, str]) -> ClientWants | None:
    return ontology_editor_client(settings.host) if settings.host else None


def ontology_editor_client(
    host: str, client_id: str = "", *, secret_ref: SecretRef = ""
) -> ClientWants:
    """Return the client of the ontology editor."""
    return ClientWants(
        client_id or host,
        redirect_uris=(f"{host}/webprotege/oidc/callback",),
        post_logout_uris=(f"{host}/",),
        secret_ref=secret_ref,
    )
