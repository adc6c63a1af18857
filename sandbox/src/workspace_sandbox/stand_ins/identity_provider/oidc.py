"""The publications of a realm: discovery, keys, userinfo."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import (
    keys,
    mappers,
    tokens,
)
from workspace_sandbox.stand_ins.identity_provider.answers import (
    NO_CACHE,
    NO_STORE,
    Doc,
    as_json,
)
from workspace_sandbox.stand_ins.identity_provider.call import Call
from workspace_sandbox.stand_ins.identity_provider.mappers import Subject

SIGNING = [
    "PS384",
    "RS384",
    "EdDSA",
    "ES384",
    "HS256",
    "HS512",
    "ES256",
    "RS256",
    "HS384",
    "ES512",
    "PS256",
    "PS512",
    "RS512",
]
ASYMMETRIC = [name for name in SIGNING if not name.startswith("HS")]
SEALING = [
    "ECDH-ES+A256KW",
    "ECDH-ES+A192KW",
    "ECDH-ES+A128KW",
    "RSA-OAEP",
    "RSA-OAEP-256",
    "RSA1_5",
    "ECDH-ES",
]
CONTENT = ["A256GCM", "A192GCM", "A128GCM", "A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512"]
CLIENT_AUTH = [
    "private_key_jwt",
    "client_secret_basic",
    "client_secret_post",
    "tls_client_auth",
    "client_secret_jwt",
]
GRANT_TYPES = [
    "authorization_code", "client_credentials", "implicit", "password", "refresh_token",
    "urn:ietf:params:oauth:grant-type:device_code", "urn:ietf:params:oauth:grant-type:jwt-bearer",
    "urn:ietf:params:oauth:grant-type:token-exchange",
    "urn:ietf:params:oauth:grant-type:uma-ticket",
    "urn:openid:params:grant-type:ciba",
]  # fmt: skip
RESPONSE_TYPES = [
    "code", "none", "id_token", "token", "id_token token", "code id_token", "code token",
    "code id_token token",
]  # fmt: skip


def _algorithms(names: list[str], signing: list[str]) -> Doc:
    document: Doc = {}
    for name in names:
        document |= {
            f"{name}_signing_alg_values_supported": signing,
            f"{name}_encryption_alg_values_supported": SEALING,
            f"{name}_encryption_enc_values_supported": CONTENT,
        }
    return document


def _authenticated(names: list[str]) -> Doc:
    document: Doc = {}
    for name in names:
        document |= {
            f"{name}_auth_methods_supported": CLIENT_AUTH,
            f"{name}_auth_signing_alg_values_supported": SIGNING,
        }
    return document


def _endpoints(issuer: str) -> Doc:
    at = f"{issuer}/protocol/openid-connect"
    return {
        "authorization_endpoint": f"{at}/auth",
        "token_endpoint": f"{at}/token",
        "introspection_endpoint": f"{at}/token/introspect",
        "userinfo_endpoint": f"{at}/userinfo",
        "end_session_endpoint": f"{at}/logout",
        "jwks_uri": f"{at}/certs",
        "check_session_iframe": f"{at}/login-status-iframe.html",
        "registration_endpoint": f"{issuer}/clients-registrations/openid-connect",
        "revocation_endpoint": f"{at}/revoke",
        "device_authorization_endpoint": f"{at}/auth/device",
        "backchannel_authentication_endpoint": f"{at}/ext/ciba/auth",
        "pushed_authorization_request_endpoint": f"{at}/ext/par/request",
    }


async def discovery(call: Call) -> web.Response:
    endpoints = _endpoints(call.issuer)
    scopes = [s["name"] for s in call.realm.scopes.values() if s["protocol"] == "openid-connect"]
    flags = (
        "frontchannel_logout_session_supported", "frontchannel_logout_supported",
        "claims_parameter_supported",
        "request_parameter_supported", "request_uri_parameter_supported",
        "require_request_uri_registration",
        "tls_client_certificate_bound_access_tokens", "backchannel_logout_supported",
        "backchannel_logout_session_supported", "authorization_response_iss_parameter_supported",
    )  # fmt: skip
    document = {
        "issuer": call.issuer,
        **endpoints,
        **dict.fromkeys(flags, True),
        "require_pushed_authorization_requests": False,
        "grant_types_supported": GRANT_TYPES,
        "acr_values_supported": ["0", "1"],
        "response_types_supported": RESPONSE_TYPES,
        "subject_types_supported": ["public", "pairwise"],
        "prompt_values_supported": ["none", "login", "consent"],
        **_algorithms(["id_token", "authorization"], SIGNING),
        **_algorithms(["userinfo", "request_object"], [*SIGNING, "none"]),
        "response_modes_supported": [
            "query", "fragment", "form_post", "query.jwt", "fragment.jwt", "form_post.jwt", "jwt",
        ],
        **_authenticated(["token_endpoint", "introspection_endpoint", "revocation_endpoint"]),
        "claims_supported": [
            "iss", "sub", "aud", "exp", "iat", "auth_time", "name", "given_name", "family_name",
            "preferred_username", "email", "acr", "azp", "nonce",
        ],
        "claim_types_supported": ["normal"],
        "scopes_supported": ["openid", *scopes],
        "code_challenge_methods_supported": ["plain", "S256"],
        "dpop_signing_alg_values_supported": ASYMMETRIC,
        "backchannel_token_delivery_modes_supported": ["poll", "ping"],
        "backchannel_authentication_request_signing_alg_values_supported": ASYMMETRIC,
        "mtls_endpoint_aliases": {
            name: url
            for name, url in endpoints.items()
            if name.endswith("_endpoint") and name not in {"authorization_endpoint",
            "end_session_endpoint"}
        },
    }  # fmt: skip
    return as_json(
        document, headers={"Cache-Control": "no-cache, must-revalidate, no-transform, no-store"}
    )


async def certificates(call: Call) -> web.Response:
    return as_json(keys.key_list(call.realm.keys), headers=NO_CACHE)


# --- userinfo -------------------------------------------------------------------------------------


async def userinfo(call: Call) -> web.Response:
    """Computed from the attributes as they are now. Errors have an empty body and their reason in
    `WWW-Authenticate`.
    """
    token = call.bearer()
    if not token:
        return _challenge(call, 401)
    try:
        claims = tokens.genuine(call.realm, call.issuer, token)
        if "openid" not in str(claims.get("scope", "")).split():
            return _challenge(call, 403, "insufficient_scope", "Missing openid scope")
        bearer = tokens.check(call.realm, call.issuer, token)
    except tokens.InvalidToken as rejected:
        return _challenge(call, 401, "invalid_token", str(rejected))
    scopes = _scopes(bearer.claims, bearer.client)
    session = bearer.session or {"transient": True, "notes": {}}
    subject = Subject(call.realm, bearer.client, bearer.user, session, scopes)
    document = {"sub": bearer.user["id"]} | mappers.claims(subject, mappers.USERINFO)
    response = as_json(document, headers=NO_STORE)
    response.headers.add("Cache-Control", "no-cache")
    return response


def _scopes(claims: Doc, client: Doc) -> tuple[str, ...]:
    """The scopes of a token: those it names, and the client's default ones, which it need
    not name.
    """
    named = str(claims.get("scope", "")).split()
    return tuple(dict.fromkeys([*named, *client.get("defaultClientScopes", [])]))


def _challenge(call: Call, status: int, error: str = "", description: str = "") -> web.Response:
    value = f'Bearer realm="{call.realm.name}"'
    if error:
        value += f', error="{error}", error_description="{description}"'
    headers = NO_STORE | {"WWW-Authenticate": value, "Content-Type": "text/plain;charset=utf-8"}
    return web.Response(status=status, headers=headers)


# --- introspection and revocation -----------------------------------------------------------------
