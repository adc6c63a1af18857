"""Protocol mappers: what a client's tokens and userinfo say about a person, taken from the person's
attributes as they are now.

Tokens freeze it when they are issued; userinfo computes it anew each time. A mapper with
`userinfo.token.claim` alone reaches no token.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from workspace_sandbox.stand_ins.identity_provider.answers import Doc
from workspace_sandbox.stand_ins.identity_provider.realm import Realm

ACCESS, ID, USERINFO, INTROSPECTION = "access", "id", "userinfo", "introspection"
KNOWN = {
    "oidc-audience-mapper", "oidc-audience-resolve-mapper", "oidc-usermodel-attribute-mapper",
    "oidc-usermodel-property-mapper", "oidc-full-name-mapper", "oidc-sub-mapper",
    "oidc-usersessionmodel-note-mapper",
    "oidc-usermodel-realm-role-mapper", "oidc-usermodel-client-role-mapper",
    "oidc-allowed-origins-mapper",
    "oidc-acr-mapper", "oidc-amr-mapper", "oidc-address-mapper", "oidc-hardcoded-claim-mapper",
    "oidc-hardcoded-role-mapper", "oidc-group-membership-mapper", "oidc-sha256-pairwise-sub-mapper",
    "oidc-claims-param-token-mapper", "oidc-role-name-mapper",
    "oidc-organization-membership-mapper",
    "oidc-nonce-backwards-compatible-mapper", "oidc-session-state-mapper",
    "oidc-claims-param-value-idtoken-mapper",
}  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """Whom and what a token is about: a person in a session with one client, under the granted
    scopes.
    """

    realm: Realm
    client: Doc
    user: Doc
    session: Doc
    scopes: tuple[str, ...]

    @property
    def lightweight(self) -> bool:
        attributes = self.client.get("attributes") or {}
        return attributes.get("client.use.lightweight.access.token.enabled") == "true"


def granted_scopes(realm: Realm, client: Doc, requested: list[str]) -> tuple[str, ...] | None:
    """The scopes in effect: the client's default ones and what was asked for of the optional ones;
    None when unknown.
    """
    allowed = {
        *client.get("optionalClientScopes", []),
        *client.get("defaultClientScopes", []),
        "openid",
    }
    if any(scope not in allowed for scope in requested):
        return None
    names = dict.fromkeys((*client.get("defaultClientScopes", []), *requested))
    return tuple(name for name in names if name == "openid" or realm.scope_named(name))


def scope_claim(realm: Realm, scopes: tuple[str, ...]) -> str:
    """The `scope` member: `openid` first, then the granted scopes that want to be named."""
    named = ["openid"] if "openid" in scopes else []
    for name in scopes:
        scope = realm.scope_named(name)
        if (
            scope
            and (scope.get("attributes") or {}).get("include.in.token.scope", "true") == "true"
        ):
            named.append(name)
    return " ".join(named)


def claims(subject: Subject, kind: str) -> Doc:
    """Everything the mappers add to a token or answer of this kind."""
    result: Doc = {}
    for mapper in _active(subject):
        if _wanted(mapper, kind, lightweight=subject.lightweight):
            _apply(mapper, subject, kind, result)
    return result


def _active(subject: Subject) -> Iterator[Doc]:
    yield from subject.client.get("protocolMappers") or []
    for name in subject.scopes:
        scope = subject.realm.scope_named(name)
        if scope and scope["protocol"] == "openid-connect":
            yield from scope.get("protocolMappers") or []


def _wanted(mapper: Doc, kind: str, *, lightweight: bool) -> bool:
    config = mapper.get("config") or {}
    if kind == ACCESS and lightweight:
        return bool(config.get("lightweight.claim") == "true")
    if kind == USERINFO and "userinfo.token.claim" not in config:
        return bool(config.get("id.token.claim") == "true")
    if kind == INTROSPECTION and "introspection.token.claim" not in config:
        return bool(config.get("access.token.claim") == "true")
    return bool(config.get(f"{kind}.token.claim") == "true")


def _apply(mapper: Doc, subject: Subject, kind: str, result: Doc) -> None:
    config = mapper.get("config") or {}
    if mapper["protocolMapper"] == "oidc-audience-mapper":
        audience = config.get("included.client.audience") or config.get("included.custom.audience")
        if audience:
            _add_audience(result, [audience])
    elif mapper["protocolMapper"] == "oidc-audience-resolve-mapper":
        held = client_roles(subject)
        _add_audience(result, [name for name in held if name != subject.client["clientId"]])
    elif mapper["protocolMapper"] == "oidc-usermodel-client-role-mapper":
        for client_id, names in client_roles(subject).items():
            claim = config.get("claim.name", "").replace(
                "${client_id}", client_id.replace(".", "\\.")
            )
            _put(result, claim, names)
    elif kind != USERINFO or mapper["protocolMapper"] not in {"oidc-acr-mapper", "oidc-sub-mapper"}:
        value = _value(mapper["protocolMapper"], config, subject)
        if value is not None:
            _put(result, _claim_name(mapper["protocolMapper"], config), value)


def _add_audience(result: Doc, names: list[str]) -> None:
    present: list[str] = result.setdefault("aud", [])
    present.extend(name for name in names if name not in present)


def _claim_name(kind: str, config: Doc) -> str:
    fixed = {
        "oidc-full-name-mapper": "name",
        "oidc-sub-mapper": "sub",
        "oidc-acr-mapper": "acr",
        "oidc-allowed-origins-mapper": "allowed-origins",
        "oidc-address-mapper": "address",
    }
    return fixed.get(kind) or str(config.get("claim.name", ""))


def _value(kind: str, config: Doc, subject: Subject) -> Any:
    user = subject.user
    if kind == "oidc-usermodel-attribute-mapper":
        return _attribute(config, subject)
    if kind == "oidc-usermodel-property-mapper":
        name = config.get("user.attribute", "")
        return _typed(config, user["id"] if name == "id" else user.get(name))
    if kind == "oidc-full-name-mapper":
        return " ".join(filter(None, (user.get("firstName"), user.get("lastName")))) or None
    if kind == "oidc-sub-mapper":
        return user["id"]
    if kind == "oidc-acr-mapper":
        return str(subject.session.get("acr", "1"))
    if kind == "oidc-usersessionmodel-note-mapper":
        return _typed(config, subject.session.get("notes", {}).get(config.get("user.session.note")))
    if kind == "oidc-usermodel-realm-role-mapper":
        prefix = config.get("usermodel.realmRoleMapping.rolePrefix", "")
        return [prefix + name for name in realm_roles(subject)] or None
    if kind == "oidc-group-membership-mapper":
        slash = "/" if config.get("full.path", "true") == "true" else ""
        return [slash + group["name"] for group in subject.realm.groups_of(user)]
    if kind == "oidc-allowed-origins-mapper":
        return origins(subject.client) or None
    if kind == "oidc-hardcoded-claim-mapper":
        return _typed(config, config.get("claim.value"))
    return None


def _attribute(config: Doc, subject: Subject) -> Any:
    name = config.get("user.attribute", "")
    if name in {"username", "email", "firstName", "lastName"}:
        values = [subject.user[name]] if subject.user.get(name) else []
    else:
        values = subject.user["attributes"].get(name, [])
    if not values:
        return None
    if config.get("multivalued") == "true":
        return [_typed(config, value) for value in values]
    return _typed(config, values[0])


def _typed(config: Doc, value: Any) -> Any:
    label = config.get("jsonType.label", "String")
    if value is None:
        return None
    try:
        if label in {"int", "long"}:
            return int(value)
        if label == "boolean":
            return value if isinstance(value, bool) else str(value).lower() == "true"
        if label == "JSON":
            return json.loads(value)
    except ValueError:
        return None
    return str(value)


def _put(result: Doc, name: str, value: Any) -> None:
    """Set a claim; dots in the name make nested objects, an escaped dot is a dot."""
    parts = [part.replace("\0", ".") for part in name.replace("\\.", "\0").split(".")]
    for part in parts[:-1]:
        inner = result.setdefault(part, {})
        if not isinstance(inner, dict):
            return
        result = inner
    if parts[-1]:
        result[parts[-1]] = value


def _held(subject: Subject) -> list[Doc]:
    roles = subject.realm.roles_of(subject.user)
    if subject.client.get("fullScopeAllowed"):
        return roles
    return [role for role in roles if role["containerId"] == subject.client["id"]]


def realm_roles(subject: Subject) -> list[str]:
    return [str(role["name"]) for role in _held(subject) if not role["clientRole"]]


def client_roles(subject: Subject) -> dict[str, list[str]]:
    held: dict[str, list[str]] = {}
    for role in _held(subject):
        client = subject.realm.clients.get(role["containerId"])
        if role["clientRole"] and client:
            held.setdefault(client["clientId"], []).append(role["name"])
    return held


def origins(client: Doc) -> list[str]:
    """The web origins of a client; `+` stands for the origins of its redirect addresses."""
    found: list[str] = []
    for origin in client.get("webOrigins") or []:
        if origin == "+":
            found.extend(
                origin_of(uri) for uri in client.get("redirectUris") or [] if origin_of(uri)
            )
        else:
            found.append(origin)
    return list(dict.fromkeys(found))


def origin_of(uri: str) -> str:
    parts = urlsplit(uri)
    return f"{parts.scheme}://{parts.netloc}" if re.match(r"https?$", parts.scheme) else ""
