"""The admin API of sign-ins at the realm itself: required actions, and other identity providers."""

from typing import Final

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.answers import (
    NO_CACHE,
    Doc,
    admin_error,
    answer_document,
    answer_empty,
    forbidden,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.realm import Realm, new_id
from workspace_sandbox.stand_ins.identity_provider.representations import (
    ANY,
    FLAG,
    MAP,
    NUMBER,
    TEXT,
    Representation,
)

ROUTES = Routes()
CALLER = "workspace_manager.systems.identity_provider.client.realm:RealmClient"
CHECKS = "tests.systems.identity_provider.life_of_checks:CheckLife"
ACTIONS: Final = (
    ("TERMS_AND_CONDITIONS", "Terms and Conditions", False, 20),
    ("UPDATE_PROFILE", "Update Profile", True, 40),
    ("VERIFY_EMAIL", "Verify Email", True, 50),
    ("CONFIGURE_TOTP", "Configure OTP", True, 54),
    ("UPDATE_PASSWORD", "Update Password", True, 57),
    ("delete_account", "Delete Account", False, 60),
    ("UPDATE_EMAIL", "Update Email", False, 70),
    ("webauthn-register", "Webauthn Register", True, 80),
    ("webauthn-register-passwordless", "Webauthn Register Passwordless", True, 90),
    ("VERIFY_PROFILE", "Verify Profile", True, 100),
    ("delete_credential", "Delete Credential", True, 110),
    ("idp_link", "Linking Identity Provider", True, 120),
    ("CONFIGURE_RECOVERY_AUTHN_CODES", "Recovery Authentication Codes", True, 130),
    ("update_user_locale", "Update User Locale", True, 1000),
)
"""Those of a fresh realm: alias, name, whether they are switched on, and their order."""
ACTION: Final = Representation(
    "RequiredActionProviderRepresentation",
    {
        **dict.fromkeys(("alias", "name", "providerId"), TEXT),
        **dict.fromkeys(("enabled", "defaultAction"), FLAG),
        "priority": NUMBER,
        "config": MAP,
    },
)
BROKER: Final = Representation(
    "IdentityProviderRepresentation",
    {
        **dict.fromkeys(("alias", "internalId", "providerId", "displayName"), TEXT),
        **dict.fromkeys(("firstBrokerLoginFlowAlias", "postBrokerLoginFlowAlias"), TEXT),
        **dict.fromkeys(("enabled", "linkOnly", "trustEmail", "storeToken", "hideOnLogin"), FLAG),
        **dict.fromkeys(("addReadTokenRoleOnCreate", "authenticateByDefault"), FLAG),
        "config": MAP,
        "types": ANY,
    },
)
TYPES: Final = {
    "saml": ["USER_AUTHENTICATION"],
    "oidc": [
        "USER_AUTHENTICATION", "CLIENT_ASSERTION", "TRUST_MATERIAL", "EXCHANGE_EXTERNAL_TOKEN",
        "JWT_AUTHORIZATION_GRANT",
    ],
}  # fmt: skip
MASKED: Final = "**********"


def _actions(realm: Realm) -> dict[str, Doc]:
    """A state that was kept before there were any gets those of a fresh realm."""
    fresh = {
        alias: {
            "alias": alias,
            "name": name,
            "providerId": alias,
            "enabled": enabled,
            "defaultAction": False,
            "priority": priority,
            "config": {},
        }
        for alias, name, enabled, priority in ACTIONS
    }
    kept: dict[str, Doc] = realm.data.setdefault("actions", fresh)
    return kept


def _brokers(realm: Realm) -> dict[str, Doc]:
    kept: dict[str, Doc] = realm.data.setdefault("brokers", {})
    return kept


@ROUTES.on("GET", "authentication/required-actions", f"{CALLER}.required_actions")
async def actions(call: AdminCall) -> web.Response:
    """Return the required actions: for those who may query users; managing users alone is not
    enough.
    """
    if not call.may_view("realm") and "query-users" not in call.rights:
        raise forbidden()
    return answer_document(
        sorted(_actions(call.realm).values(), key=lambda one: int(one["priority"]))
    )


@ROUTES.on("PUT", "authentication/required-actions/{alias}", CHECKS)
async def update_action(call: AdminCall) -> web.Response:
    call.need_manage("realm")
    kept = _actions(call.realm).get(call.parts["alias"])
    if kept is None:
        raise not_found("Failed to find required action")
    kept.update(call.json(ACTION))
    call.store.changed()
    return answer_empty()


@ROUTES.on("GET", "identity-provider/instances", f"{CALLER}.brokers")
async def brokers(call: AdminCall) -> web.Response:
    call.need_view("identity-providers")
    return answer_document([_shown(one) for _, one in sorted(_brokers(call.realm).items())])


@ROUTES.on("POST", "identity-provider/instances", CHECKS)
async def create_broker(call: AdminCall) -> web.Response:
    call.need_manage("identity-providers")
    given = call.json(BROKER)
    alias = str(given.get("alias") or "")
    if alias in _brokers(call.realm):
        raise admin_error(409, f"Identity Provider {alias} already exists")
    types = TYPES.get(str(given.get("providerId")), [])
    made = {"config": {}, "enabled": True, **given, "internalId": new_id(), "types": types}
    _brokers(call.realm)[alias] = made
    call.store.changed()
    where = call.location(f"identity-provider/instances/{alias}")
    return web.Response(status=201, headers={**NO_CACHE, "Location": where})


def _shown(broker: Doc) -> Doc:
    config = {
        name: MASKED if name == "clientSecret" else value
        for name, value in broker["config"].items()
    }
    return {**broker, "config": config}
