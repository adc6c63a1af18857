"""Requirements of the SQL web tool on the realm: its client, which gets a person's SQL password
from that person's attribute.
"""

from collections.abc import Mapping

from workspace_manager.contract.realm import ClientWants, RealmAttribute, attribute_mapper
from workspace_manager.contract.secret import SecretRef
from workspace_manager.systems.sql_server.settings import Settings

PASSWORD = "sql_password"  # noqa: S105  the purpose of an attribute


def client(settings: Settings, _attributes: Mapping[str, str]) -> ClientWants | None:
    if not settings.admin_tool_url:
        return None
    return sql_tool_client(settings.admin_tool_url, password_attribute=settings.password_attribute)


def attributes(settings: Settings) -> tuple[RealmAttribute, ...]:
    return (RealmAttribute(PASSWORD, settings.password_attribute, secret=True),)


def sql_tool_client(
    url: str,
    client_id: str = "",
    *,
    password_attribute: str = "sql_password",  # noqa: S107  the name of an attribute
    redirect_uri: str = "",
    secret_ref: SecretRef = "",
) -> ClientWants:
    """Return the client of the SQL web tool. It reads the SQL password from *the token*, so only
    this client has the claim.

    `redirect_uri`: of the sign-in proxy in front of the tool; default `/_oauth`, as in
    traefik-forward-auth.
    """
    return ClientWants(
        client_id or url,
        redirect_uris=(redirect_uri or f"{url}/_oauth",),
        post_logout_uris=(f"{url}/",),
        secret_ref=secret_ref,
        mappers=(attribute_mapper("sql-password", password_attribute, token=True),),
    )
