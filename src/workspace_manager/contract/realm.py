"""A system's requirements of the identity provider's realm: a client that people sign in through,
and the attributes of them that it reads.

Values only. The identity provider makes them, and knows no other system; the other systems name
them, and do not know it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from workspace_manager.contract.secret import SecretRef

AUDIENCE_MAPPER = "oidc-audience-mapper"
ATTRIBUTE_MAPPER = "oidc-usermodel-attribute-mapper"


@dataclass(frozen=True)
class MapperWants:
    """A protocol mapper on a client: its name, its type, and the members of its configuration that
    matter.
    """

    name: str
    protocol_mapper: str
    config: Mapping[str, str]


@dataclass(frozen=True)
class ClientWants:
    """A confidential client.

    Without `secret_ref` the identity provider makes up the secret and a person carries it over.
    """

    client_id: str
    redirect_uris: tuple[str, ...]
    post_logout_uris: tuple[str, ...] = ()
    backchannel_logout_url: str = ""
    pkce: bool = False
    secret_ref: SecretRef = ""
    mappers: tuple[MapperWants, ...] = ()
    service_roles: tuple[str, ...] = ()
    """Administrative roles of its service account: with these nobody signs in through it, it signs
    in itself.
    """
    takes_our_tokens: bool = False
    """The manager calls this system with a person's own token, which must name this client in its
    audience.
    """


@dataclass(frozen=True)
class RealmAttribute:
    """An attribute of people that a system keeps in the realm. `purpose`: by which other systems
    ask for it.
    """

    purpose: str
    name: str
    secret: bool = False


class RealmNeeds(Protocol):
    """The realm people sign in to, and what all systems together need of it."""

    @property
    def issuer(self) -> str:
        """Its own address; "" while no identity provider is configured, or for a realm that is no
        workspace.
        """
        ...

    @property
    def clients(self) -> tuple[ClientWants, ...]: ...


def audience_mapper(name: str, audience: str, *, id_token: bool = True) -> MapperWants:
    """Put a client id into the audience of the tokens.

    Taken verbatim by the server: a typo shows as 401 at the system alone.
    """
    return MapperWants(
        name,
        AUDIENCE_MAPPER,
        {
            "included.client.audience": audience,
            "access.token.claim": "true",
            "id.token.claim": _flag(id_token),
            "introspection.token.claim": "true",
        },
    )


def attribute_mapper(
    name: str, attribute: str, *, userinfo: bool = False, token: bool = False
) -> MapperWants:
    """Give a user's attribute to one client as the claim of the same name.

    In its userinfo, where it is live, or in its ID and access tokens.
    """
    return MapperWants(
        name,
        ATTRIBUTE_MAPPER,
        {
            "user.attribute": attribute,
            "claim.name": attribute,
            "jsonType.label": "String",
            "userinfo.token.claim": _flag(userinfo),
            "id.token.claim": _flag(token),
            "access.token.claim": _flag(token),
            "introspection.token.claim": "false",
        },
    )


def _flag(value: bool) -> str:
    return "true" if value else "false"
