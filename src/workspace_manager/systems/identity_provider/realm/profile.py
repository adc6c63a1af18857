"""The realm's declaration of user attributes: what it stores, who may see and edit it, and the
document with our attributes in it.

Everything is pure: it takes the whole document and returns facts or the whole changed document
(docs/systems/identity-provider.md#the-user-profile).
"""

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from workspace_manager.contract.connector import Facts
from workspace_manager.systems.identity_provider.names import LOCALE_ATTRIBUTE

ADMIN_ONLY = {"view": ["admin"], "edit": ["admin"]}
OPEN, ADMINS_OWN = "ENABLED", "ADMIN_EDIT"
OPEN_POLICIES = {OPEN, ADMINS_OWN}
"""Values of `unmanagedAttributePolicy` with which an administrator's undeclared attributes are
stored.
"""


def undeclared_attributes(profile: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return the names whose values an administrator's write would lose."""
    if profile.get("unmanagedAttributePolicy") in OPEN_POLICIES:
        return []
    declared = _declarations(profile)
    return sorted(name for name in names if name not in declared)


def attributes_open_to_people(profile: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return the names that people may see or edit themselves."""
    declared = _declarations(profile)
    policy = profile.get("unmanagedAttributePolicy")
    return [
        name
        for name in names
        if (_of_people(declared[name]) if name in declared else policy == OPEN)
    ]


def not_writable(profile: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return the declared names whose values an administrator's write loses, even an address or a
    name of a person (seen on Keycloak 26.7.3).
    """
    declared = _declarations(profile)
    return [
        name
        for name in names
        if name in declared and "admin" not in _permissions(declared[name]).get("edit", [])
    ]


def has_languages(realm: Mapping[str, Any]) -> bool:
    """Return whether the realm has several languages; then it stores a person's locale without a
    declaration.
    """
    return bool(realm.get("internationalizationEnabled"))


def profile_facts(profile: Mapping[str, Any], realm: Mapping[str, Any], want: Facts) -> Facts:
    """Return the wanted declarations that exist. With internationalisation on, the locale needs
    none.
    """
    declared = _declarations(profile)
    built_in = {LOCALE_ATTRIBUTE} if has_languages(realm) else set()
    policy = profile.get("unmanagedAttributePolicy")
    return {
        "private": [
            name
            for name in names_in(want, "private")
            if (_admin_only(declared[name]) if name in declared else policy == ADMINS_OWN)
        ],
        "declared": [
            name
            for name in names_in(want, "declared")
            if name in declared or name in built_in or policy in OPEN_POLICIES
        ],
    }


def changed_profile(
    profile: Mapping[str, Any], realm: Mapping[str, Any], want: Facts
) -> dict[str, Any]:
    """Return the whole profile with the wanted declarations: missing ones are added, permissions of
    private ones narrowed.
    """
    changed = copy.deepcopy(dict(profile))
    have = profile_facts(profile, realm, want)
    declared = _declarations(changed)
    for name in [*names_in(want, "private"), *names_in(want, "declared")]:
        if name in [*names_in(have, "private"), *names_in(have, "declared")]:
            continue
        if name in declared:
            declared[name]["permissions"] = copy.deepcopy(ADMIN_ONLY)
            declared[name].pop("required", None)
        else:
            changed["attributes"].append(
                {
                    "name": name,
                    "displayName": name,
                    "validations": {"length": {"max": 255}},
                    "permissions": copy.deepcopy(ADMIN_ONLY),
                    "multivalued": False,
                }
            )
    return changed


def profile_lost(sent: Mapping[str, Any], stored: Mapping[str, Any]) -> list[str]:
    """Return what was sent and not stored: names of attributes and of other parts of the
    profile.
    """
    parts = [n for n in sent if n != "attributes" and stored.get(n) != sent[n]]
    return sorted({*_declarations(sent)} - {*_declarations(stored)}) + sorted(parts)


def _declarations(profile: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    found = profile.get("attributes") or []
    return {item["name"]: item for item in found if isinstance(item, dict) and "name" in item}


def _permissions(declaration: Mapping[str, Any]) -> Mapping[str, Any]:
    return declaration.get("permissions") or {}


def _of_people(declaration: Mapping[str, Any]) -> bool:
    permissions = _permissions(declaration)
    return any("user" in (permissions.get(what) or ()) for what in ("view", "edit"))


def _admin_only(declaration: Mapping[str, Any]) -> bool:
    permissions = _permissions(declaration)
    return permissions.get("view") == ["admin"] and permissions.get("edit") == ["admin"]


def names_in(facts: Facts, member: str) -> list[str]:
    found = facts.get(member)
    return [str(name) for name in found] if isinstance(found, list) else []
