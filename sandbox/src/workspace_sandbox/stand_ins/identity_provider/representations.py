"""Read a JSON body as the real server does: unknown members are refused by name and column, wrong
types too, near misses are coerced.

A `null` member counts as absent everywhere.
"""

import base64
import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from workspace_sandbox.stand_ins.identity_provider.answers import (
    Doc,
    Refusal,
    failed,
    framework_error,
    unparsable,
)

Kind: TypeAlias = "str | Representation"
TEXT, FLAG, NUMBER, TEXTS, VALUES, MAP, ANY = (
    "text", "flag", "number", "texts", "values", "map", "any",
)  # fmt: skip


class Representation:
    """A named set of members and their kinds; `many` marks a member that holds a list of these."""

    def __init__(self, name: str, members: Mapping[str, Kind], *, many: bool = False) -> None:
        self.name = name
        self.members = members
        self.many = many

    def listed(self) -> "Representation":
        return Representation(self.name, self.members, many=True)


def _members(kind: str, names: str) -> dict[str, Kind]:
    return dict.fromkeys(names.split(), kind)


CREDENTIAL = Representation(
    "CredentialRepresentation",
    _members(
        TEXT,
        (
            "id type userLabel secretData credentialData value device hashedSaltedValue salt "
            "algorithm federationLink"
        ),
    )
    | _members(NUMBER, "createdDate priority hashIterations counter digits period")
    | _members(FLAG, "temporary")
    | _members(ANY, "config"),
)
USER = Representation(
    "UserRepresentation",
    _members(
        TEXT,
        "self id origin username firstName lastName email federationLink serviceAccountClientId",
    )
    | _members(NUMBER, "createdTimestamp notBefore")
    | _members(FLAG, "enabled totp emailVerified")
    | _members(TEXTS, "disableableCredentialTypes requiredActions realmRoles groups")
    | _members(VALUES, "attributes")
    | _members(
        ANY,
        (
            "federatedIdentities clientRoles clientConsents applicationRoles socialLinks "
            "access userProfileMetadata"
        ),
    )
    | {"credentials": CREDENTIAL.listed()},
)
GROUP = Representation(
    "GroupRepresentation",
    _members(TEXT, "id name description path parentId")
    | _members(NUMBER, "subGroupCount")
    | _members(TEXTS, "realmRoles")
    | _members(VALUES, "attributes")
    | _members(ANY, "subGroups clientRoles access"),
)
MAPPER = Representation(
    "ProtocolMapperRepresentation",
    _members(TEXT, "id name protocol protocolMapper consentText")
    | _members(FLAG, "consentRequired")
    | _members(MAP, "config"),
)
SCOPE = Representation(
    "ClientScopeRepresentation",
    _members(TEXT, "id name description protocol")
    | _members(MAP, "attributes")
    | {"protocolMappers": MAPPER.listed()},
)
ROLE = Representation(
    "RoleRepresentation",
    _members(TEXT, "id name description containerId")
    | _members(FLAG, "scopeParamRequired composite clientRole")
    | _members(VALUES, "attributes")
    | _members(ANY, "composites"),
)
CLIENT = Representation(
    "ClientRepresentation",
    _members(
        TEXT,
        "id clientId name description type rootUrl adminUrl baseUrl "
        "clientAuthenticatorType secret registrationAccessToken"
        " protocol origin clientTemplate",
    )
    | _members(
        FLAG,
        "surrogateAuthRequired enabled alwaysDisplayInConsole bearerOnly consentRequired "
        "standardFlowEnabled"
        " implicitFlowEnabled directAccessGrantsEnabled serviceAccountsEnabled "
        "authorizationServicesEnabled"
        " directGrantsOnly publicClient frontchannelLogout fullScopeAllowed "
        "useTemplateConfig useTemplateScope"
        " useTemplateMappers",
    )
    | _members(NUMBER, "notBefore nodeReRegistrationTimeout")
    | _members(
        TEXTS, "defaultRoles redirectUris webOrigins defaultClientScopes optionalClientScopes"
    )
    | _members(MAP, "attributes authenticationFlowBindingOverrides")
    | _members(ANY, "registeredNodes authorizationSettings access")
    | {"protocolMappers": MAPPER.listed()},
)
PROFILE = Representation(
    "UPConfig",
    _members(ANY, "attributes groups") | _members(TEXT, "unmanagedAttributePolicy"),
)


def read(body: bytes, wanted: Representation) -> Doc:
    """Decode one object. Raises Refusal as the real parser answers: 400 in three shapes, 500 for no
    body at all.
    """
    text = body.decode("utf-8", "replace")
    if text.strip() in {"", "null"}:
        raise failed()
    if text.lstrip()[:1] != "{":
        broken = text.lstrip()[:1] not in {"[", '"'} and not _is_json(text)
        raise (
            framework_error(400, "invalid_request", "Cannot parse the JSON")
            if broken
            else unparsable()
        )
    try:
        document = json.loads(text)
    except ValueError as wrong:
        raise framework_error(400, "invalid_request", "Cannot parse the JSON") from wrong
    return _object(document, wanted, text)


def coerced(document: Doc, wanted: Representation) -> Doc:
    """A document that did not come over the wire (seed, realm import), held to the same members and
    kinds.
    """
    return _object(document, wanted, "")


def read_list(body: bytes, wanted: Representation) -> list[Doc]:
    """Decode a list of objects; nothing at all is an empty list (role mappings can be removed
    wholesale).
    """
    if not body.strip():
        return []
    try:
        document = json.loads(body)
    except ValueError as wrong:
        raise framework_error(400, "invalid_request", "Cannot parse the JSON") from wrong
    if not isinstance(document, list):
        raise unparsable()
    return [_object(item, wanted, "") for item in document]


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _object(document: Any, wanted: Representation, text: str) -> Doc:
    if not isinstance(document, dict):
        raise unparsable()
    for member in document:
        if member not in wanted.members:
            raise _unrecognized(wanted.name, member, text)
    return {
        member: _value(value, wanted.members[member], text)
        for member, value in document.items()
        if value is not None
    }


def _value(value: Any, kind: Kind, text: str) -> Any:
    if isinstance(kind, Representation):
        if not isinstance(value, list):
            raise unparsable()
        return [_object(item, kind, text) for item in value]
    if kind == TEXT:
        if isinstance(value, list | dict):
            raise unparsable()
        return _text(value)
    if kind == FLAG:
        return _flag(value)
    if kind == NUMBER:
        if isinstance(value, str) and value.lstrip("-").isdigit():
            return int(value)
        if not isinstance(value, int):
            raise unparsable()
        return value
    if kind == TEXTS:
        if not isinstance(value, list):
            raise unparsable()
        return [_text(item) for item in value if item is not None]
    if kind == MAP:
        if not isinstance(value, dict):
            raise unparsable()
        return {key: _text(item) for key, item in value.items() if item is not None}
    return _values(value) if kind == VALUES else value


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value != 0
    if value in ("true", "True", "TRUE"):
        return True
    if value in ("false", "False", "FALSE"):
        return False
    raise unparsable()


def _values(value: Any) -> dict[str, list[str]]:
    if value == []:
        return {}
    if not isinstance(value, dict):
        raise unparsable()
    return {
        name: [
            _text(item)
            for item in (given if isinstance(given, list) else [given])
            if item is not None
        ]
        for name, given in value.items()
    }


def _unrecognized(name: str, member: str, text: str) -> Refusal:
    line, column = _place(text, member)
    return framework_error(
        400,
        (
            f'Invalid json representation for {name}. Unrecognized field "{member}" at line '
            f"{line} column {column}."
        ),
    )


def _place(text: str, member: str) -> tuple[int, int]:
    """Where the parser stood when it met the member: behind a number or word, one behind the
    opening of anything else.
    """
    at = text.find(json.dumps(member))
    if at < 0:
        return 1, 1
    _, end = json.JSONDecoder().raw_decode(text, at)
    start = end
    while start < len(text) and text[start] in " \t\r\n:":
        start += 1
    stop = start + 2
    if text[start : start + 1] not in {'"', "[", "{"}:
        while start < len(text) and text[start] not in ",}] \t\r\n":
            start += 1
        stop = start + 1
    before = text[: stop - 1]
    return before.count("\n") + 1, stop - (before.rfind("\n") + 1)


def claims_unchecked(token: str) -> Doc:
    """Return what a token says before anything about it was checked: only to find the realm whose
    key must check it.
    """
    try:
        document = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "==="))
    except (IndexError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}
