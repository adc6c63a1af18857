"""The client scopes of a fresh realm and their protocol mappers."""

from collections.abc import Callable

from workspace_sandbox.stand_ins.identity_provider.answers import Doc
from workspace_sandbox.stand_ins.identity_provider.realm import new_id

DEFAULT = (
    "role_list", "saml_organization", "AuthnContextClassRef", "profile", "email", "roles",
    "web-origins", "acr", "basic",
)  # fmt: skip
OPTIONAL = ("offline_access", "address", "phone", "microprofile-jwt", "organization")

OIDC = "openid-connect"
ID, ACCESS, USERINFO, INTROSPECTION = (
    "id.token.claim", "access.token.claim", "userinfo.token.claim", "introspection.token.claim",
)  # fmt: skip
EVERYWHERE = (INTROSPECTION, USERINFO, ID, ACCESS)
TOKENS = (INTROSPECTION, ID, ACCESS)


def mapper(
    name: str,
    kind: str,
    where: tuple[str, ...] = (),
    protocol: str = "openid-connect",
    **config: str,
) -> Doc:
    """Return one protocol mapper; a double underscore in a keyword stands for a dot."""
    return {
        "id": new_id(),
        "name": name,
        "protocol": protocol,
        "protocolMapper": kind,
        "consentRequired": False,
        "config": dict.fromkeys(where, "true")
        | {key.replace("__", "."): value for key, value in config.items()},
    }


def _attribute(
    name: str, attribute: str, claim: str, label: str = "String", kind: str = "attribute"
) -> Doc:
    return mapper(
        name,
        f"oidc-usermodel-{kind}-mapper",
        EVERYWHERE,
        user__attribute=attribute,
        claim__name=claim,
        jsonType__label=label,
    )


def _note(name: str, note: str, label: str = "String") -> Doc:
    return mapper(
        name,
        "oidc-usersessionmodel-note-mapper",
        TOKENS,
        user__session__note=note,
        claim__name="auth_time" if note == "AUTH_TIME" else note,
        jsonType__label=label,
    )


def _roles(name: str, kind: str, claim: str, where: tuple[str, ...]) -> Doc:
    return mapper(
        name,
        f"oidc-usermodel-{kind}-role-mapper",
        where,
        multivalued="true",
        user__attribute="foo",
        claim__name=claim,
        jsonType__label="String",
    )


def _profile() -> list[Doc]:
    pairs = (
        ("family name", "lastName", "family_name"), ("nickname", "nickname", "nickname"), ("locale",
        "locale", "locale"),
        ("zoneinfo", "zoneinfo", "zoneinfo"), ("given name", "firstName", "given_name"),
        ("username", "username", "preferred_username"), ("website", "website", "website"),
        ("gender", "gender", "gender"),
        ("middle name", "middleName", "middle_name"), ("birthdate", "birthdate", "birthdate"),
        ("picture", "picture", "picture"), ("profile", "profile", "profile"),
    )  # fmt: skip
    return [
        mapper("full name", "oidc-full-name-mapper", EVERYWHERE),
        _attribute("updated at", "updatedAt", "updated_at", "long"),
        *(_attribute(*pair) for pair in pairs),
    ]


_IN_ACCESS = (INTROSPECTION, ACCESS)
_ADDRESS = ("formatted", "country", "postal_code", "street", "region", "locality")
_MAPPERS: dict[str, Callable[[], list[Doc]]] = {
    "profile": _profile,
    "email": lambda: [
        _attribute("email", "email", "email"),
        _attribute("email verified", "emailVerified", "email_verified", "boolean", "property"),
    ],
    "basic": lambda: [
        _note("auth_time", "AUTH_TIME", "long"),
        mapper("sub", "oidc-sub-mapper", _IN_ACCESS),
    ],
    "roles": lambda: [
        _roles("realm roles", "realm", "realm_access.roles", _IN_ACCESS),
        _roles("client roles", "client", "resource_access.${client_id}.roles", _IN_ACCESS),
        mapper("audience resolve", "oidc-audience-resolve-mapper", _IN_ACCESS),
    ],
    "web-origins": lambda: [mapper("allowed web origins", "oidc-allowed-origins-mapper",
    _IN_ACCESS)],
    "acr": lambda: [mapper("acr loa level", "oidc-acr-mapper", TOKENS)],
    "address": lambda: [
        mapper("address", "oidc-address-mapper", EVERYWHERE,
        **{f"user__attribute__{a}": a for a in _ADDRESS})
    ],
    "phone": lambda: [
        _attribute("phone number verified", "phoneNumberVerified", "phone_number_verified",
        "boolean"),
        _attribute("phone number", "phoneNumber", "phone_number"),
    ],
    "microprofile-jwt": lambda: [
        _attribute("upn", "username", "upn"),
        _roles("groups", "realm", "groups", TOKENS),
    ],
    "organization": lambda: [
        mapper(
            "organization", "oidc-organization-membership-mapper", TOKENS,
            multivalued="true", claim__name="organization", jsonType__label="String",
        )
    ],
    "service_account": lambda: [
        _note("Client IP Address", "clientAddress"),
        _note("Client ID", "client_id"),
        _note("Client Host", "clientHost"),
    ],
    "role_list": lambda: [
        mapper(
            "role list", "saml-role-list-mapper", protocol="saml",
            single="false", attribute__nameformat="Basic", attribute__name="Role",
        )
    ],
    "saml_organization": lambda: [
        mapper("organization", "saml-organization-membership-mapper", protocol="saml")
    ],
    "AuthnContextClassRef": lambda: [
        mapper("AuthnContextClassRef", "saml-authn-context-class-ref-mapper", protocol="saml")
    ],
}  # fmt: skip


def _scope(name: str, description: str, attributes: Doc, protocol: str) -> Doc:
    document = {
        "id": new_id(),
        "name": name,
        "description": description,
        "protocol": protocol,
        "attributes": dict(attributes),
    }
    mappers = _MAPPERS[name]() if name in _MAPPERS else []
    return document | ({"protocolMappers": mappers} if mappers else {})


def _shown(text: str) -> Doc:
    return {
        "include.in.token.scope": "true",
        "display.on.consent.screen": "true",
        "consent.screen.text": f"${{{text}ScopeConsentText}}",
    }


def _consent(text: str) -> Doc:
    return {
        "consent.screen.text": f"${{{text}ScopeConsentText}}",
        "display.on.consent.screen": "true",
    }


_HIDDEN: Doc = {"include.in.token.scope": "false", "display.on.consent.screen": "false"}
_NAMED: Doc = {"include.in.token.scope": "true", "display.on.consent.screen": "false"}
_BUILT_IN = "OpenID Connect built-in scope: "
_ADD = "OpenID Connect scope for add "
_SCOPES: tuple[tuple[str, str, Doc, str], ...] = (
    (
        "organization",
        "Additional claims about the organization a subject belongs to",
        _shown("organization"),
        OIDC,
    ),
    ("offline_access", f"{_BUILT_IN}offline_access", _consent("offlineAccess"), OIDC),
    ("acr", f"{_ADD}acr (authentication context class reference) to the token", _HIDDEN, OIDC),
    *(
        (name, _BUILT_IN + name, _shown(name), OIDC)
        for name in ("profile", "email", "address", "phone")
    ),
    ("basic", f"{_ADD}all basic claims to the token", _HIDDEN, OIDC),
    ("microprofile-jwt", "Microprofile - JWT built-in scope", _NAMED, OIDC),
    ("AuthnContextClassRef", "AuthnContextClassRef Level of Authentication", {}, "saml"),
    ("role_list", "SAML role list", _consent("samlRoleList"), "saml"),
    (
        "saml_organization",
        "Organization Membership",
        {"display.on.consent.screen": "false"},
        "saml",
    ),
    (
        "web-origins",
        f"{_ADD}allowed web origins to the access token",
        _HIDDEN | {"consent.screen.text": ""},
        OIDC,
    ),
    (
        "roles",
        f"{_ADD}user roles to the access token",
        _shown("roles") | {"include.in.token.scope": "false"},
        OIDC,
    ),
    ("service_account", "Specific scope for a client enabled for service accounts", _HIDDEN, OIDC),
)


def default_scopes() -> dict[str, Doc]:
    scopes = [_scope(*scope) for scope in _SCOPES]
    return {scope["id"]: scope for scope in scopes}
