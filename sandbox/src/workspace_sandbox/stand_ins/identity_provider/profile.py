"""The user profile: which attributes exist at all, who may see and write them, and what their
values must look like.

The trap this stands for: an attribute that is not declared is dropped, and the answer is a success
all the same.
"""

import re
from typing import Any

from workspace_sandbox.stand_ins.identity_provider import validators
from workspace_sandbox.stand_ins.identity_provider.answers import (
    Doc,
    Refusal,
    admin_error,
    unparsable,
)
from workspace_sandbox.stand_ins.identity_provider.realm import MASTER, Realm

ROOT = ("username", "email", "firstName", "lastName")
POLICIES = {"ENABLED", "ADMIN_VIEW", "ADMIN_EDIT"}
LOCALE: Doc = {
    "name": "locale",
    "displayName": "locale",
    "validations": {},
    "permissions": {"view": ["admin", "user"], "edit": ["admin", "user"]},
    "multivalued": False,
}
UNLIMITED: Doc = {"min": 0, "max": 2048}


def declared(realm: Realm) -> list[Doc]:
    """The declared attributes; `locale` is one of them while the realm speaks several languages."""
    attributes: list[Doc] = list(realm.data["profile"].get("attributes") or [])
    names = {attribute["name"] for attribute in attributes}
    if realm.setting("internationalizationEnabled") and "locale" not in names:
        attributes.insert(0, LOCALE)
    return attributes


def _may(attribute: Doc, what: str, role: str) -> bool:
    return role in (attribute.get("permissions") or {}).get(what, [])


def _unmanaged_policy(realm: Realm) -> str | None:
    policy = realm.data["profile"].get("unmanagedAttributePolicy")
    return str(policy) if policy else None


def visible_attributes(realm: Realm, user: Doc) -> Doc:
    """Return the custom attributes that an administrator is shown."""
    shown = {
        a["name"] for a in declared(realm) if _may(a, "view", "admin") or _may(a, "edit", "admin")
    }
    known = {a["name"] for a in declared(realm)}
    unmanaged = _unmanaged_policy(realm) is not None
    return {
        name: values
        for name, values in user["attributes"].items()
        if name in shown or (unmanaged and name not in known)
    }


def shown_root(realm: Realm, name: str) -> bool:
    """Return whether a first or last name is shown: not when the profile lost its declarations."""
    if name in {"username", "email"}:
        return True
    return any(attribute["name"] == name for attribute in declared(realm))


def kept_attributes(realm: Realm, user: Doc | None, given: Doc) -> Doc:
    """Return what remains of the given custom attributes, written over those an administrator
    cannot reach.
    """
    writable = {a["name"] for a in declared(realm) if _may(a, "edit", "admin")}
    known = {a["name"] for a in declared(realm)}
    free = _unmanaged_policy(realm) in {"ENABLED", "ADMIN_EDIT"}

    def reachable(name: str) -> bool:
        return name not in ROOT and (name in writable or (free and name not in known))

    kept = {
        name: values
        for name, values in (user["attributes"] if user else {}).items()
        if not reachable(name)
    }
    for name, values in given.items():
        filled = [value for value in values if value.strip()]
        if reachable(name) and filled:
            kept[name] = filled
    return kept


def problems(
    realm: Realm, user: Doc | None, root: Doc, attributes: Doc, *, role: str = "admin"
) -> list[Doc]:
    """Every violation, in the order of the profile, as `{field, errorMessage, params}`."""
    found: list[Doc] = []
    if user and root["username"] != user["username"] and not realm.setting("editUsernameAllowed"):
        found.append(_error("username", "error-user-attribute-read-only", []))
    names = {attribute["name"] for attribute in declared(realm)}
    for attribute in declared(realm):
        name = attribute["name"]
        value = root.get(name)
        values = ([value] if value else []) if name in ROOT else attributes.get(name, [])
        found.extend(_attribute_problems(attribute, values, user, role))
    if _unmanaged_policy(realm):
        for name, values in attributes.items():
            if name not in names and name not in ROOT and any(len(v) > 2048 for v in values):
                found.append(_error(name, "error-invalid-length", [0, 2048]))
    return found


def _error(field: str, message: str, params: list[Any]) -> Doc:
    return {"field": field, "errorMessage": message, "params": [field, *params]}


def _attribute_problems(attribute: Doc, given: list[str], user: Doc | None, role: str) -> list[Doc]:
    name = attribute["name"]
    values = [value for value in given if value.strip()]
    before = user["attributes"].get(name, []) if user else []
    if name not in ROOT and not attribute.get("permissions"):
        return []
    if values and values != before and name not in ROOT and not _may(attribute, "edit", role):
        return [_error(name, "error-user-attribute-read-only", [])]
    validations = dict(attribute.get("validations") or {})
    found: list[Doc] = []
    if not values and _required(attribute, role):
        found.append(_error(name, "error-user-attribute-required", []))
    most = (
        (validations.pop("multivalued", None) or {}) if attribute.get("multivalued") else {"max": 1}
    )
    if len(values) > int(most.get("max", 10**6)) or len(values) < int(most.get("min", 0)):
        found.append(
            _error(
                name,
                "error-invalid-multivalued-size",
                [int(most.get("min", 0)), int(most.get("max", 0))],
            )
        )
        return found
    if name not in ROOT:
        validations.setdefault("length", UNLIMITED)
    for value in values:
        for validator, config in validations.items():
            check = validators.BY_NAME.get(validator)
            problem = check(value, config or {}) if check else None
            if problem and problem[0] not in {error["errorMessage"] for error in found}:
                found.append(_error(name, *problem))
    return found


def _required(attribute: Doc, role: str) -> bool:
    required = attribute.get("required")
    if required is None:
        return False
    roles = required.get("roles") or []
    return not roles or role in roles


def refuse(found: list[Doc]) -> None:
    """Raises Refusal 400 in the single or the plural form."""
    if found:
        raise Refusal(400, found[0] if len(found) == 1 else {"errors": found})


def unfinished(realm: Realm, user: Doc) -> list[Doc]:
    """Return what the person would still have to fill in; with any of it, a password grant answers
    `Account is not fully set up`.

    The first administrator of master has no e-mail and is let in all the same.
    """
    if user.get("serviceAccountClientId") or realm.name == MASTER:
        return []
    root = {name: user.get(name) or "" for name in ROOT}
    return problems(realm, user, root, user["attributes"], role="user")


# --- the profile itself ---------------------------------------------------------------------------


def check_profile(document: Doc) -> None:
    """Refuse a profile the real one refuses. A document without `attributes` is taken, and loses
    them all.
    """
    policy = document.get("unmanagedAttributePolicy")
    if policy is not None and policy not in POLICIES:
        raise unparsable()
    attributes = document.get("attributes")
    if attributes is None:
        return
    if not isinstance(attributes, list) or not all(isinstance(a, dict) for a in attributes):
        raise unparsable()
    wrong: list[str] = []
    seen: set[str] = set()
    groups = {group.get("name") for group in document.get("groups") or []}
    for attribute in attributes:
        name = attribute.get("name")
        if not name:
            wrong.append("Attribute configuration without 'name' is not allowed")
            continue
        if name in seen:
            wrong.append(f"Attribute configuration already exists with 'name':'{name}'")
        seen.add(name)
        wrong.extend(_attribute_configuration(name, attribute, groups))
    if not wrong:
        missing = [name for name in ("username", "email") if name not in seen]
        wrong = [f"The attribute '{name}' can not be removed" for name in missing]
    if wrong:
        raise admin_error(400, f"[{', '.join(wrong)}]")


def _attribute_configuration(name: str, attribute: Doc, groups: set[str | None]) -> list[str]:
    if not re.fullmatch(r"[A-Za-z0-9._-]+", name):
        return [
            "Invalid attribute name (only letters, numbers and '.' '_' '-' special "
            "characters allowed): "
            f"{name}'"
        ]
    wrong: list[str] = []
    for what in ("view", "edit"):
        wrong.extend(
            (
                f"'permissions.{what}' configuration for attribute '{name}' contains "
                f"unsupported role '{role}'"
            )
            for role in (attribute.get("permissions") or {}).get(what, [])
            if role not in {"admin", "user"}
        )
    for validator, config in (attribute.get("validations") or {}).items():
        if validator not in validators.BY_NAME and validator not in validators.ALSO_KNOWN:
            wrong.append(f"Validator '{validator}' defined for attribute '{name}' doesn't exist")
        elif validator == "length":
            wrong.extend(_length_configuration(name, config or {}))
    group = attribute.get("group")
    if group and group not in groups:
        wrong.append(f"Attribute '{name}' references unknown group '{group}'")
    return wrong


def _length_configuration(name: str, config: Doc) -> list[str]:
    return [
        f"Validator 'length' defined for attribute '{name}' has incorrect configuration: "
        f"ValidationError{{validatorId='length', inputHint='{end}', "
        f"message='error-validator-config-invalid-number-value', "
        f"messageParameters=[{config[end]}]}}, "
        for end in ("min", "max")
        if config.get(end) is not None and not str(config[end]).isdigit()
    ]
