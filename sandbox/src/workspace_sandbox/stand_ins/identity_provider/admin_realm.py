"""The realm itself: settings, user profile, events, brute-force states, keys. Facts: `keycloak.md` A5, A11, A13, O3, O5, O21."""

import copy
import fnmatch
from datetime import UTC, datetime

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import attempts, keys, profile, realms
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.answers import (
    READ,
    Doc,
    Refusal,
    admin_error,
    as_json,
    done,
    failed,
    forbidden,
    found,
)
from workspace_sandbox.stand_ins.identity_provider.event_types import EVENT_TYPES, OPERATIONS
from workspace_sandbox.stand_ins.identity_provider.realm import MASTER, Realm
from workspace_sandbox.stand_ins.identity_provider.representations import EVENTS, PROFILE

ROUTES = Routes()


def shown(realm: Realm) -> Doc:
    document = copy.deepcopy(realm.settings)
    if not realm.setting("internationalizationEnabled") and not document["supportedLocales"]:
        del document["supportedLocales"]
    role = realm.roles.get(realm.data["default_role"])
    if role:
        document["defaultRole"] = {
            "id": role["id"],
            "name": role["name"],
            "description": "${role_default-roles}",
            "composite": True,
            "clientRole": False,
            "containerId": realm.id,
        }
    return document


@ROUTES.on("GET", "")
async def read(call: AdminCall) -> web.Response:
    if not call.rights:
        raise forbidden()
    if call.may_view("realm"):
        return found(shown(call.realm))
    names = ["realm", "bruteForceProtected", "supportedLocales", "organizationsEnabled"]
    if call.may_view("users"):
        names.insert(1, "registrationEmailAsUsername")
    return found({name: call.realm.setting(name) for name in names})


@ROUTES.on("PUT", "")
async def update(call: AdminCall) -> web.Response:
    call.need_manage("realm")
    given = call.json(realms.REALM)
    name = given.get("realm", call.realm.name)
    if name != call.realm.name and call.store.realm(name):
        raise admin_error(409, "Realm with same name exists")
    old = call.realm.name
    attributes = call.realm.settings["attributes"] | given.pop("attributes", {})
    call.realm.settings.update(given | {"id": call.realm.id, "attributes": attributes})
    if name != old:
        realms.rename(call.store.realms, old, name)
    call.changed("UPDATE", "REALM", "", given)
    return done()


@ROUTES.on("DELETE", "")
async def delete(call: AdminCall) -> web.Response:
    call.need_manage("realm")
    if call.realm.name == MASTER:
        raise admin_error(400, "Can't remove master realm")
    realms.drop(call.store.realms, call.realm.name)
    call.store.changed()
    return done()


# --- user profile ------------------------------------------------------------------------------------------------------


@ROUTES.on("GET", "users/profile")
async def read_profile(call: AdminCall) -> web.Response:
    if not call.may_view("realm") and not call.may_query("users"):
        raise forbidden()
    return as_json(call.realm.data["profile"], content_type=READ)


@ROUTES.on("PUT", "users/profile")
async def update_profile(call: AdminCall) -> web.Response:
    """Replace the whole profile; without `attributes` the declared ones are lost, and the answer is 200 all the same (O5)."""
    call.need_manage("realm")
    given = call.json(PROFILE)
    profile.check_profile(given)
    document: Doc = {}
    if "attributes" in given:
        document["attributes"] = [{"multivalued": False} | item for item in given["attributes"]]
    document["groups"] = given.get("groups", [])
    if "unmanagedAttributePolicy" in given:
        document["unmanagedAttributePolicy"] = given["unmanagedAttributePolicy"]
    call.realm.data["profile"] = document
    call.changed("UPDATE", "USER_PROFILE", "users/profile", document)
    return as_json(document)


@ROUTES.on("GET", "users/profile/metadata")
async def profile_metadata(call: AdminCall) -> web.Response:
    if not call.may_view("realm") and not call.may_query("users"):
        raise forbidden()
    return as_json(profile.metadata(call.realm, None), content_type=READ)


# --- events ------------------------------------------------------------------------------------------------------------

CONFIG = ("eventsEnabled", "eventsExpiration", "eventsListeners", "enabledEventTypes", "adminEventsEnabled", "adminEventsDetailsEnabled")  # fmt: skip


@ROUTES.on("GET", "events/config")
async def event_settings(call: AdminCall) -> web.Response:
    call.need_view("events")
    config = {name: call.realm.setting(name) for name in CONFIG}
    config["enabledEventTypes"] = config["enabledEventTypes"] or EVENT_TYPES
    return found({name: value for name, value in config.items() if value is not None})


@ROUTES.on("PUT", "events/config")
async def change_event_settings(call: AdminCall) -> web.Response:
    call.need_manage("events")
    call.realm.settings.update(call.json(EVENTS))
    call.changed("UPDATE", "REALM", "events/config")
    return done()


def _moment(call: AdminCall, name: str, *, end: bool = False) -> int | None:
    """A date or a number of milliseconds; a date means its first, or as an end its last millisecond."""
    value = call.text(name)
    if not value:
        return None
    if value.isdigit():
        return int(value)
    try:
        day = datetime.strptime(value, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError as wrong:
        text = f"Invalid value for '{name}', expected format is yyyy-MM-dd or an Epoch timestamp"
        raise Refusal(400, {"error": text}) from wrong
    return int(day.timestamp() * 1000) + (86_399_999 if end else 0)


def _within(call: AdminCall, events: list[Doc]) -> list[Doc]:
    since, until = _moment(call, "dateFrom"), _moment(call, "dateTo", end=True)
    chosen = [
        event
        for event in events
        if (since is None or event["time"] >= since) and (until is None or event["time"] <= until)
    ]
    return chosen[::-1] if call.text("direction") == "asc" else chosen


@ROUTES.on("GET", "admin-events")
async def admin_events(call: AdminCall) -> web.Response:
    call.need_view("events")
    operations = call.request.query.getall("operationTypes", [])
    if not set(operations) <= OPERATIONS:
        raise failed()
    kinds = call.request.query.getall("resourceTypes", [])
    path = call.text("resourcePath")
    about = {"authRealm": "realmId", "authClient": "clientId", "authUser": "userId", "authIpAddress": "ipAddress"}  # fmt: skip
    chosen = [
        event
        for event in _within(call, call.realm.data["admin_events"])
        if (not operations or event["operationType"] in operations)
        and (not kinds or event["resourceType"] in kinds)
        and (not path or fnmatch.fnmatchcase(event["resourcePath"], path))
        and all(
            not call.text(name) or event["authDetails"][member] == call.text(name)
            for name, member in about.items()
        )
    ]
    return found(call.page(chosen, 100))


@ROUTES.on("GET", "events")
async def events(call: AdminCall) -> web.Response:
    call.need_view("events")
    kinds = call.request.query.getall("type", [])
    if not set(kinds) <= set(EVENT_TYPES):
        raise failed()
    about = {"client": "clientId", "user": "userId", "ipAddress": "ipAddress"}
    chosen = [
        event
        for event in _within(call, call.realm.data["events"])
        if (not kinds or event["type"] in kinds)
        and all(
            not call.text(n) or event.get(member) == call.text(n) for n, member in about.items()
        )
    ]
    return found(call.page(chosen, 100))


@ROUTES.on("DELETE", "admin-events")
@ROUTES.on("DELETE", "events")
async def clear_events(call: AdminCall) -> web.Response:
    call.need_manage("events")
    part = "admin_events" if call.request.path.rstrip("/").endswith("admin-events") else "events"
    call.realm.data[part].clear()
    call.store.changed()
    return done()


# --- brute force -------------------------------------------------------------------------------------------------------


@ROUTES.on("GET", "attack-detection/brute-force/users/{user}")
async def lock_state(call: AdminCall) -> web.Response:
    call.need_view("users")
    return found(attempts.status(call.realm, call.parts["user"]))


@ROUTES.on("DELETE", "attack-detection/brute-force/users/{user}")
@ROUTES.on("DELETE", "attack-detection/brute-force/users")
async def unlock(call: AdminCall) -> web.Response:
    call.need_manage("users")
    failures: dict[str, Doc] = call.realm.data["failures"]
    if "user" in call.parts:
        failures.pop(call.parts["user"], None)
    else:
        failures.clear()
    call.store.changed()
    return done()


# --- keys and what a check may look at -----------------------------------------------------------------------------------


@ROUTES.on("GET", "keys")
async def key_list(call: AdminCall) -> web.Response:
    call.need_view("realm")
    own, published = call.realm.keys, keys.key_list(call.realm.keys)["keys"]
    listed: list[Doc] = [
        {"kid": own["aes"], "status": "ACTIVE", "type": "OCT", "algorithm": "AES", "use": "ENC"},
        {"kid": own["secret"]["kid"], "status": "ACTIVE", "type": "OCT", "algorithm": "HS512", "use": "SIG"},
        *(
            {
                "kid": key["kid"],
                "status": "ACTIVE",
                "type": "RSA",
                "algorithm": key["alg"],
                "publicKey": keys.public_key(call.realm.keys),
                "certificate": key["x5c"][0],
                "use": key["use"].upper(),
                "validTo": keys.valid_to(key["x5c"][0]),
            }
            for key in published
        ),
    ]  # fmt: skip
    for number, key in enumerate(listed):
        key |= {"providerId": f"{call.realm.id}-{number}", "providerPriority": 100}
    return found({"active": {key["algorithm"]: key["kid"] for key in listed}, "keys": listed})


@ROUTES.on("GET", "identity-provider/instances")
@ROUTES.on("GET", "localization")
async def nothing(call: AdminCall) -> web.Response:
    call.need_view("realm")
    return found([])


@ROUTES.on("POST", "push-revocation")
async def push(call: AdminCall) -> web.Response:
    call.need_manage("realm")
    return as_json({}, content_type=READ)
