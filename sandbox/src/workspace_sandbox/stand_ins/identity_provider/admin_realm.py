"""The realm itself: settings and user profile."""

import copy

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import profile, realms
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.answers import (
    READ,
    Doc,
    answer_document,
    answer_empty,
    as_json,
    forbidden,
)
from workspace_sandbox.stand_ins.identity_provider.realm import Realm
from workspace_sandbox.stand_ins.identity_provider.representations import PROFILE

ROUTES = Routes()
CALLER = "workspace_manager.systems.identity_provider.client.realm:RealmClient"
DIRECTORIES = "workspace_manager.systems.identity_provider.client.directory:DirectoryClient"
CHECKS = "tests.systems.identity_provider.life_of_checks:CheckLife"
"""Breaks a realm and has the checks find it."""


def render_realm(realm: Realm) -> Doc:
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


@ROUTES.on("GET", "", f"{CALLER}.get_realm")
async def read(call: AdminCall) -> web.Response:
    if not call.rights:
        raise forbidden()
    if call.may_view("realm"):
        return answer_document(render_realm(call.realm))
    names = ["realm", "bruteForceProtected", "supportedLocales", "organizationsEnabled"]
    if call.may_view("users"):
        names.insert(1, "registrationEmailAsUsername")
    return answer_document({name: call.realm.setting(name) for name in names})


@ROUTES.on("PUT", "", f"{CALLER}.put_realm", CHECKS)
async def update(call: AdminCall) -> web.Response:
    call.need_manage("realm")
    given = call.json(realms.REALM)
    attributes = call.realm.settings["attributes"] | given.pop("attributes", {})
    call.realm.settings.update(given | {"id": call.realm.id, "attributes": attributes})
    call.store.changed()
    return answer_empty()


@ROUTES.on("GET", "components", f"{DIRECTORIES}.directories")
async def read_directories(call: AdminCall) -> web.Response:
    """People come from nowhere else."""
    if not call.may_view("realm"):
        raise forbidden()
    return answer_document([])


# --- user profile ---------------------------------------------------------------------------------


@ROUTES.on(
    "GET",
    "users/profile",
    f"{CALLER}.get_profile",
)
async def read_profile(call: AdminCall) -> web.Response:
    if not call.may_view("realm") and not call.may_query("users"):
        raise forbidden()
    return as_json(call.realm.data["profile"], content_type=READ)


@ROUTES.on(
    "PUT",
    "users/profile",
    f"{CALLER}.put_profile",
)
async def update_profile(call: AdminCall) -> web.Response:
    """Replace the whole profile; without `attributes` the declared ones are lost, and the answer is
    200 all the same.
    """
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
    call.store.changed()
    return as_json(document)


# --- events ---------------------------------------------------------------------------------------


# --- brute force ----------------------------------------------------------------------------------


# --- keys and what a check may look at ------------------------------------------------------------
