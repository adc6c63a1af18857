"""`users`: create, read, change, delete, sessions."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import people, sessions
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.answers import (
    Doc,
    answer_document,
    answer_empty,
    created,
    forbidden,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.representations import USER

ROUTES = Routes()
CALLER = "workspace_manager.systems.identity_provider.client.users:UserClient"
SIGN_INS = "workspace_manager.systems.identity_provider.client.sign_ins:SignInClient"
CREDENTIALS = "workspace_manager.systems.identity_provider.client.credentials:CredentialClient"


def user_of(call: AdminCall) -> Doc:
    """The user of the path; whoever may not even query users is not told whether there is one."""
    user = call.realm.users.get(call.parts["user"])
    if user is None:
        raise (not_found("User not found") if call.may_query("users") else forbidden())
    return user


def viewed(call: AdminCall) -> Doc:
    user = user_of(call)
    call.need_view("users")
    return user


def managed(call: AdminCall) -> Doc:
    user = user_of(call)
    call.need_manage("users")
    return user


def access(call: AdminCall) -> Doc:
    manages = "manage-users" in call.rights
    document = dict.fromkeys(people.ACCESS, manages)
    document["view"] = True
    document["impersonate"] = "impersonation" in call.rights
    return document


@ROUTES.on("POST", "users", f"{CALLER}.create_user")
async def create(call: AdminCall) -> web.Response:
    call.need_manage("users")
    given = call.json(USER)
    user = people.create(call.realm, given)
    call.store.changed()
    return created(call.location(f"users/{user['id']}"))


@ROUTES.on("GET", "users/{user}", f"{CALLER}.get_user")
async def read(call: AdminCall) -> web.Response:
    user = viewed(call)
    return answer_document(people.render_user(call.realm, user, access=access(call)))


@ROUTES.on("PUT", "users/{user}", f"{CALLER}.put_user")
async def update(call: AdminCall) -> web.Response:
    user = managed(call)
    given = call.json(USER)
    people.update(call.realm, user, given)
    call.store.changed()
    return answer_empty()


@ROUTES.on(
    "DELETE",
    "users/{user}",
    f"{CALLER}.delete_user",
)
async def delete(call: AdminCall) -> web.Response:
    """The user, its attributes and sessions are gone; no client is told."""
    user = managed(call)
    del call.realm.users[user["id"]]
    for group in call.realm.groups_of(user):
        group["members"].remove(user["id"])
    sessions.forget_user(call.realm, user["id"])
    call.realm.data["failures"].pop(user["id"], None)
    call.store.changed()
    return answer_empty(cached=False)


# --- sessions -------------------------------------------------------------------------------------


@ROUTES.on(
    "POST",
    "users/{user}/logout",
    f"{CALLER}.log_out",
)
async def logout(call: AdminCall) -> web.Response:
    user = managed(call)
    await sessions.log_out_user(call.realm, call.issuer, user)
    call.store.changed()
    return answer_empty()


@ROUTES.on(
    "GET",
    "users/{user}/sessions",
    f"{SIGN_INS}.sessions",
)
async def session_list(call: AdminCall) -> web.Response:
    user = viewed(call)
    return answer_document(
        [sessions.render_session(call.realm, s) for s in sessions.of_user(call.realm, user["id"])]
    )


@ROUTES.on("GET", "users/{user}/consents", f"{SIGN_INS}.consents")
async def consent_list(call: AdminCall) -> web.Response:
    user = viewed(call)
    return answer_document(sessions.consents(call.realm, user))


@ROUTES.on("DELETE", "users/{user}/consents/{client}", f"{SIGN_INS}.revoke")
async def consent_revoke(call: AdminCall) -> web.Response:
    user, client_id = managed(call), call.parts["client"]
    clients = call.realm.clients.values()
    client = next((one for one in clients if one["clientId"] == client_id), None)
    if client is None:
        raise not_found("Client not found")
    if not sessions.revoke(call.realm, user, client):
        raise not_found("Consent nor offline token not found")
    call.store.changed()
    return answer_empty()


# --- credentials ----------------------------------------------------------------------------------


@ROUTES.on("GET", "users/{user}/credentials", f"{CREDENTIALS}.credential_ids", "outsider")
async def credential_list(call: AdminCall) -> web.Response:
    """Return the stored credentials, without the secret part."""
    user = viewed(call)
    return answer_document(
        [{k: v for k, v in stored.items() if k != "secretData"} for stored in user["credentials"]]
    )


@ROUTES.on("DELETE", "users/{user}/credentials/{credential}", f"{CREDENTIALS}.delete")
async def credential_delete(call: AdminCall) -> web.Response:
    user = managed(call)
    wanted = call.parts["credential"]
    left = [stored for stored in user["credentials"] if stored.get("id") != wanted]
    if len(left) == len(user["credentials"]):
        raise not_found("Credential not found")
    user["credentials"] = left
    call.store.changed()
    return answer_empty()
