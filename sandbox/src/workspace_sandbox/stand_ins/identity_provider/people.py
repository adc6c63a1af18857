"""Make, change and show a user, with the rules of Keycloak's admin interface."""

from typing import Any

from workspace_sandbox.server import now_ms
from workspace_sandbox.stand_ins.identity_provider import passwords, profile
from workspace_sandbox.stand_ins.identity_provider.answers import Doc, admin_error, failed
from workspace_sandbox.stand_ins.identity_provider.realm import Realm, new_id

REQUIRED_ACTIONS = {
    "CONFIGURE_RECOVERY_AUTHN_CODES", "CONFIGURE_TOTP", "UPDATE_PASSWORD", "UPDATE_PROFILE",
    "VERIFY_EMAIL",
    "VERIFY_PROFILE", "delete_credential", "idp_link", "update_user_locale", "webauthn-register",
    "webauthn-register-passwordless",
}  # fmt: skip
ACCESS = ("manageGroupMembership", "resetPassword", "view", "mapRoles", "impersonate", "manage")


def bare_user(realm: Realm, username: str, **members: Any) -> Doc:
    return {
        "id": new_id(),
        "username": username,
        "emailVerified": False,
        "enabled": False,
        "createdTimestamp": now_ms(),
        "attributes": {},
        "credentials": [],
        "requiredActions": [],
        "roles": [realm.data["default_role"]],
        "notBefore": 0,
    } | members


def create(realm: Realm, given: Doc, *, import_: bool = False) -> Doc:
    """Make a user, or raise Refusal and leave nothing behind. An import may fix the id and the
    roles; a POST may not.
    """
    username = given.get("username", "").strip().lower()
    if realm.setting("registrationEmailAsUsername"):
        username = given.get("email", "").strip().lower()
    if not username:
        raise admin_error(400, "User name is missing")
    attributes = given.get("attributes") or {}
    root = _root(given | {"username": given.get("username", username).lower()}, attributes, None)
    _refuse_duplicates(realm, None, root)
    profile.refuse(profile.problems(realm, None, root, attributes))
    user = bare_user(realm, root["username"])
    if import_ and given.get("id"):
        user["id"] = given["id"]
    _set_root(user, root)
    user["attributes"] = profile.kept_attributes(realm, None, attributes)
    user["enabled"] = given.get("enabled", False)
    user["emailVerified"] = given.get("emailVerified", False)
    user["createdTimestamp"] = given.get("createdTimestamp", user["createdTimestamp"])
    user["requiredActions"] = _known_actions(given.get("requiredActions", []))
    groups = [realm.group_named(path.removeprefix("/")) for path in given.get("groups") or []]
    if None in groups:
        # An unknown one breaks the real server.
        raise failed()
    set_credentials(realm, user, given.get("credentials", []), seed=import_)
    if import_ and ("realmRoles" in given or "clientRoles" in given):
        user["roles"] = named_roles(realm, given)
    realm.users[user["id"]] = user
    for group in filter(None, groups):
        group["members"].append(user["id"])
    return user


def named_roles(realm: Realm, given: Doc) -> list[str]:
    roles = [realm.role_named(name) for name in given.get("realmRoles", [])]
    for client_id, names in (given.get("clientRoles") or {}).items():
        client = realm.client_named(client_id)
        roles.extend(realm.role_named(name, client["id"]) for name in names if client)
    return [role["id"] for role in roles if role]


def update(realm: Realm, user: Doc, given: Doc) -> None:
    """PUT: with `attributes` everything is replaced, names and e-mail included; without, only what
    is there changes.
    """
    username = str(given.get("username", user["username"])).strip().lower()
    if not username:
        raise admin_error(400, "User name is missing")
    wholesale = "attributes" in given
    attributes = given["attributes"] if wholesale else user["attributes"]
    if wholesale and "username" not in given and realm.setting("editUsernameAllowed"):
        raise admin_error(400, "User name is missing")
    root = _root(given, attributes if wholesale else {}, None if wholesale else user)
    root["username"] = username
    _refuse_duplicates(realm, user, root)
    profile.refuse(profile.problems(realm, user, root, attributes))
    draft = dict(user)
    _set_root(draft, root)
    if wholesale:
        draft["attributes"] = profile.kept_attributes(realm, user, attributes)
    for member in ("enabled", "emailVerified"):
        if member in given:
            draft[member] = given[member]
    if "requiredActions" in given:
        draft["requiredActions"] = _known_actions(given["requiredActions"])
    set_credentials(realm, draft, given.get("credentials", []))
    user.clear()
    user.update(draft)
    if given.get("enabled"):
        realm.data["failures"].pop(user["id"], None)


def _root(given: Doc, attributes: Doc, before: Doc | None) -> Doc:
    """User name, e-mail and names: from the top level, else from the attributes, else as before."""
    root: Doc = {}
    for name in profile.ROOT:
        if name in given:
            root[name] = given[name]
        elif attributes.get(name):
            root[name] = attributes[name][0]
        else:
            root[name] = (before or {}).get(name) or ""
    root["email"] = root["email"].lower()
    return root


def _set_root(user: Doc, root: Doc) -> None:
    user["username"] = root["username"]
    for name in ("email", "firstName", "lastName"):
        if root[name].strip():
            user[name] = root[name]
        else:
            user.pop(name, None)


def _refuse_duplicates(realm: Realm, user: Doc | None, root: Doc) -> None:
    own = user["id"] if user else None
    other = realm.user_with_email(root["email"])
    if other and other["id"] != own and not realm.setting("duplicateEmailsAllowed"):
        raise admin_error(409, "User exists with same email")
    other = realm.user_named(root["username"])
    if other and other["id"] != own:
        raise admin_error(409, "User exists with same username")


def _known_actions(names: list[str]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name in REQUIRED_ACTIONS))


# --- credentials ----------------------------------------------------------------------------------


def set_credentials(realm: Realm, user: Doc, given: list[Doc], *, seed: bool = False) -> None:
    """Take over credentials: a `value` is hashed under the realm's policy, a hash is kept as
    it is.
    """
    for credential in given:
        if credential.get("value"):
            set_password(realm, user, credential["value"], seed=seed)
        elif credential.get("id") in {stored["id"] for stored in user["credentials"]}:
            continue
        elif "value" not in credential or credential.get("credentialData"):
            stored = passwords.imported_credential(credential)
            if stored:
                user["credentials"] = [stored]
        if credential.get("temporary") and "UPDATE_PASSWORD" not in user["requiredActions"]:
            user["requiredActions"] = [*user["requiredActions"], "UPDATE_PASSWORD"]


def set_password(realm: Realm, user: Doc, password: str, *, seed: bool = False) -> None:
    policy = realm.setting("passwordPolicy")
    if policy and not seed:
        passwords.check_policy(policy, password, user["username"])
    make = passwords.seeded_credential if seed else passwords.own_credential
    user["credentials"] = [make(password)]


def check_password(user: Doc, password: str) -> bool:
    """Return whether this is the password; an imported hash is replaced by the server's own kind
    when it is.
    """
    for credential in user["credentials"]:
        if passwords.verify(credential, password):
            if not passwords.is_own(credential):
                fresh = passwords.own_credential(password)
                credential["credentialData"] = fresh["credentialData"]
                credential["secretData"] = fresh["secretData"]
            return True
    return False


# --- showing --------------------------------------------------------------------------------------


def render_user(realm: Realm, user: Doc, *, brief: bool = False, access: Doc | None = None) -> Doc:
    """A user as an administrator reads it: never a password, a group or a role; `attributes` only
    when there are some.
    """
    document: Doc = {"id": user["id"], "username": user["username"]}
    for name in ("firstName", "lastName", "email"):
        if user.get(name) and profile.shown_root(realm, name):
            document[name] = user[name]
    document["emailVerified"] = user["emailVerified"]
    attributes = profile.visible_attributes(realm, user)
    if brief:
        attributes = {name: values for name, values in attributes.items() if name == "locale"}
    if attributes:
        document["attributes"] = attributes
    document |= {"enabled": user["enabled"], "createdTimestamp": user["createdTimestamp"]}
    if not brief:
        document |= {
            "totp": False,
            "disableableCredentialTypes": [],
            "requiredActions": user["requiredActions"],
            "notBefore": user["notBefore"],
        }
    return document | ({"access": access} if access is not None else {})
