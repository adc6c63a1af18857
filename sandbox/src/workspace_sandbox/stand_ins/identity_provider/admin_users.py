"""`users`: create, read, change, delete, passwords, sessions. Facts: `keycloak.md` A3 to A8, O9 to O11; `user-*.http`."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import people, profile, sessions
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.answers import (
    READ,
    Doc,
    admin_error,
    as_json,
    created,
    done,
    failed,
    forbidden,
    found,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.representations import CREDENTIAL, USER

ROUTES = Routes()


def user_of(call: AdminCall) -> Doc:
    """The user of the path; whoever may not even query users is not told whether there is one."""
    user = call.realm.users.get(call.parts["user"])
    if user is None:
        raise not_found("User not found") if call.may_query("users") else forbidden()
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


@ROUTES.on("POST", "users")
async def create(call: AdminCall) -> web.Response:
    call.need_manage("users")
    given = call.json(USER)
    user = people.create(call.realm, given)
    call.changed("CREATE", "USER", f"users/{user['id']}", _without_secrets(given))
    return created(call.location(f"users/{user['id']}"))


def _without_secrets(given: Doc) -> Doc:
    return {name: value for name, value in given.items() if name != "credentials"}


@ROUTES.on("GET", "users/{user}")
async def read(call: AdminCall) -> web.Response:
    user = viewed(call)
    document = people.shown(call.realm, user, access=access(call))
    if call.flag("userProfileMetadata"):
        document["userProfileMetadata"] = profile.metadata(call.realm, user)
    return found(document)


@ROUTES.on("PUT", "users/{user}")
async def update(call: AdminCall) -> web.Response:
    user = managed(call)
    given = call.json(USER)
    people.update(call.realm, user, given)
    call.changed("UPDATE", "USER", f"users/{user['id']}", _without_secrets(given))
    return done()


@ROUTES.on("DELETE", "users/{user}")
async def delete(call: AdminCall) -> web.Response:
    """The user, its attributes and sessions are gone; no client is told (O11)."""
    user = managed(call)
    del call.realm.users[user["id"]]
    sessions.forget_user(call.realm, user["id"])
    call.realm.data["failures"].pop(user["id"], None)
    call.changed("DELETE", "USER", f"users/{user['id']}")
    return done(cached=False)


@ROUTES.on("GET", "users/{user}/unmanagedAttributes")
async def unmanaged(call: AdminCall) -> web.Response:
    user = viewed(call)
    declared = {attribute["name"] for attribute in profile.declared(call.realm)}
    shown = profile.visible_attributes(call.realm, user)
    return found({name: values for name, values in shown.items() if name not in declared})


# --- sessions ----------------------------------------------------------------------------------------------------------


@ROUTES.on("POST", "users/{user}/logout")
async def logout(call: AdminCall) -> web.Response:
    user = managed(call)
    await sessions.log_out_user(call.realm, call.issuer, user)
    call.changed("ACTION", "USER", f"users/{user['id']}/logout")
    return done()


@ROUTES.on("GET", "users/{user}/sessions")
async def session_list(call: AdminCall) -> web.Response:
    user = viewed(call)
    return found([sessions.shown(call.realm, s) for s in sessions.of_user(call.realm, user["id"])])


@ROUTES.on("GET", "users/{user}/offline-sessions/{client}")
async def offline_list(call: AdminCall) -> web.Response:
    user = viewed(call)
    if call.parts["client"] not in call.realm.clients:
        raise not_found("Client not found")
    return found(
        [
            sessions.shown(call.realm, session)
            for session in call.realm.offline.values()
            if session["user"] == user["id"] and call.parts["client"] in session["clients"]
        ]
    )


@ROUTES.on("DELETE", "sessions/{session}")
async def end_session(call: AdminCall) -> web.Response:
    call.need_manage("users")
    offline = call.flag("isOffline", False)
    store = call.realm.offline if offline else call.realm.sessions
    session = store.get(call.parts["session"])
    if session is None:
        raise not_found("Sesssion not found")
    del store[session["id"]]
    await sessions.end(call.realm, call.issuer, [session])
    call.changed("DELETE", "USER_SESSION", f"sessions/{session['id']}")
    return done()


@ROUTES.on("POST", "logout-all")
async def logout_all(call: AdminCall) -> web.Response:
    call.need_manage("users")
    call.realm.settings["notBefore"] = sessions.seconds()
    await sessions.end(call.realm, call.issuer, call.realm.sessions.values())
    call.changed("ACTION", "USER", "logout-all")
    return as_json({}, content_type=READ)


# --- credentials -------------------------------------------------------------------------------------------------------


@ROUTES.on("GET", "users/{user}/credentials")
async def credential_list(call: AdminCall) -> web.Response:
    """What is stored, without the secret part."""
    user = viewed(call)
    return found(
        [{k: v for k, v in stored.items() if k != "secretData"} for stored in user["credentials"]]
    )


@ROUTES.on("PUT", "users/{user}/reset-password")
async def reset_password(call: AdminCall) -> web.Response:
    user = managed(call)
    given = call.json(CREDENTIAL)
    if "value" not in given:
        raise not_given("No password provided")
    if not given["value"].strip():
        raise not_given("Empty password not allowed")
    people.set_password(call.realm, user, given["value"])
    kept = [action for action in user["requiredActions"] if action != "UPDATE_PASSWORD"]
    user["requiredActions"] = [*kept, "UPDATE_PASSWORD"] if given.get("temporary") else kept
    call.changed("ACTION", "USER", f"users/{user['id']}/reset-password")
    return done()


def not_given(text: str) -> Exception:
    refusal = not_found(text)
    refusal.status = 400
    return refusal


@ROUTES.on("DELETE", "users/{user}/credentials/{credential}")
async def remove_credential(call: AdminCall) -> web.Response:
    user = managed(call)
    kept = [stored for stored in user["credentials"] if stored["id"] != call.parts["credential"]]
    if len(kept) == len(user["credentials"]):
        raise not_found("Credential not found")
    user["credentials"] = kept
    call.changed("ACTION", "USER", f"users/{user['id']}/credentials/{call.parts['credential']}")
    return done(cached=False)


@ROUTES.on("PUT", "users/{user}/credentials/{credential}/userLabel")
async def label_credential(call: AdminCall) -> web.Response:
    user = managed(call)
    for stored in user["credentials"]:
        if stored["id"] == call.parts["credential"]:
            stored["userLabel"] = call.body.decode("utf-8", "replace").strip('"')
            call.store.changed()
            return done()
    raise not_found("Credential not found")


@ROUTES.on("PUT", "users/{user}/disable-credential-types")
async def disable_credentials(call: AdminCall) -> web.Response:
    managed(call)
    return done()


@ROUTES.on("GET", "users/{user}/configured-user-storage-credential-types")
@ROUTES.on("GET", "users/{user}/federated-identity")
@ROUTES.on("GET", "users/{user}/consents")
async def nothing(call: AdminCall) -> web.Response:
    viewed(call)
    return found([])


@ROUTES.on("PUT", "users/{user}/execute-actions-email")
@ROUTES.on("PUT", "users/{user}/send-verify-email")
@ROUTES.on("PUT", "users/{user}/reset-password-email")
async def no_mail(call: AdminCall) -> web.Response:
    """The stand-in sends no mail: it answers as a realm without a mail server does."""
    user = managed(call)
    if not user.get("email"):
        raise admin_error(400, "User email missing")
    if not user["enabled"]:
        raise admin_error(400, "User is disabled")
    if call.request.path.endswith("execute-actions-email"):
        raise admin_error(
            500, "Failed to send execute actions email: Invalid sender address 'null'."
        )
    raise admin_error(500, "Failed to send verify email")


@ROUTES.on("POST", "users/{user}/impersonation")
async def impersonation(call: AdminCall) -> web.Response:
    user_of(call)
    raise failed()
