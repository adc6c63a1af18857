"""The client scopes of a fresh realm and their protocol mappers. Facts: a fresh Keycloak 26.7.3 realm; `keycloak.md` A10, A11."""

from collections.abc import Callable

from workspace_manager.systems.identity_provider.emulator.answers import Doc
from workspace_manager.systems.identity_provider.emulator.realm import new_id

DEFAULT = (
    "role_list", "saml_organization", "AuthnContextClassRef", "profile", "email", "roles", "web-origins", "acr", "basic",
)  # fmt: skip
OPTIONAL = ("offline_access", "address", "phone", "microprofile-jwt", "organization")

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
    """One protocol mapper; a double underscore in a keyword stands for a dot."""
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
        ("family name", "lastName", "family_name"), ("nickname", "nickname", "nickname"), ("locale", "locale", "locale"),
        ("zoneinfo", "zoneinfo", "zoneinfo"), ("given name", "firstName", "given_name"),
        ("username", "username", "preferred_username"), ("website", "website", "website"), ("gender", "gender", "gender"),
        ("middle name", "middleName", "middle_name"), ("birthdate", "birthdate", "birthdate"),
        ("picture", "picture", "picture"), ("profile", "profile", "profile"),
    )  # fmt: skip
    return [
        mapper("full name", "oidc-full-name-mapper", EVERYWHERE),
        _attribute("updated at", "updatedAt", "updated_at", "long"),
        *(_attribute(*pair) for pair in pairs),
    ]


def _mappers(scope: str) -> list[Doc]:
    access = (INTROSPECTION, ACCESS)
    address = ("formatted", "country", "postal_code", "street", "region", "locality")
    table: dict[str, Callable[[], list[Doc]]] = {
        "profile": _profile,
        "email": lambda: [
            _attribute("email", "email", "email"),
            _attribute("email verified", "emailVerified", "email_verified", "boolean", "property"),
        ],
        "basic": lambda: [
            _note("auth_time", "AUTH_TIME", "long"),
            mapper("sub", "oidc-sub-mapper", access),
        ],
        "roles": lambda: [
            _roles("realm roles", "realm", "realm_access.roles", access),
            _roles("client roles", "client", "resource_access.${client_id}.roles", access),
            mapper("audience resolve", "oidc-audience-resolve-mapper", access),
        ],
        "web-origins": lambda: [mapper("allowed web origins", "oidc-allowed-origins-mapper", access)],
        "acr": lambda: [mapper("acr loa level", "oidc-acr-mapper", TOKENS)],
        "address": lambda: [
            mapper("address", "oidc-address-mapper", EVERYWHERE, **{f"user__attribute__{a}": a for a in address})
        ],
        "phone": lambda: [
            _attribute("phone number verified", "phoneNumberVerified", "phone_number_verified", "boolean"),
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
    return table[scope]() if scope in table else []


def _scope(name: str, description: str, attributes: Doc, protocol: str = "openid-connect") -> Doc:
    document = {
        "id": new_id(),
        "name": name,
        "description": description,
        "protocol": protocol,
        "attributes": attributes,
    }
    mappers = _mappers(name)
    return document | ({"protocolMappers": mappers} if mappers else {})


def default_scopes() -> dict[str, Doc]:
    def shown(text: str) -> Doc:
        return {
            "include.in.token.scope": "true",
            "display.on.consent.screen": "true",
            "consent.screen.text": f"${{{text}ScopeConsentText}}",
        }

    hidden = {"include.in.token.scope": "false", "display.on.consent.screen": "false"}
    built_in = "OpenID Connect built-in scope: "
    scopes = [
        _scope(
            "organization",
            "Additional claims about the organization a subject belongs to",
            shown("organization"),
        ),
        _scope(
            "offline_access",
            built_in + "offline_access",
            {
                "consent.screen.text": "${offlineAccessScopeConsentText}",
                "display.on.consent.screen": "true",
            },
        ),
        _scope(
            "acr",
            "OpenID Connect scope for add acr (authentication context class reference) to the token",
            hidden,
        ),
        *(
            _scope(name, built_in + name, shown(name))
            for name in ("profile", "email", "address", "phone")
        ),
        _scope("basic", "OpenID Connect scope for add all basic claims to the token", hidden),
        _scope(
            "microprofile-jwt",
            "Microprofile - JWT built-in scope",
            {"include.in.token.scope": "true", "display.on.consent.screen": "false"},
        ),
        _scope("AuthnContextClassRef", "AuthnContextClassRef Level of Authentication", {}, "saml"),
        _scope(
            "role_list",
            "SAML role list",
            {
                "consent.screen.text": "${samlRoleListScopeConsentText}",
                "display.on.consent.screen": "true",
            },
            "saml",
        ),
        _scope(
            "saml_organization",
            "Organization Membership",
            {"display.on.consent.screen": "false"},
            "saml",
        ),
        _scope(
            "web-origins",
            "OpenID Connect scope for add allowed web origins to the access token",
            hidden | {"consent.screen.text": ""},
        ),
        _scope(
            "roles",
            "OpenID Connect scope for add user roles to the access token",
            shown("roles") | {"include.in.token.scope": "false"},
        ),
        _scope(
            "service_account", "Specific scope for a client enabled for service accounts", hidden
        ),
    ]
    return {scope["id"]: scope for scope in scopes}
