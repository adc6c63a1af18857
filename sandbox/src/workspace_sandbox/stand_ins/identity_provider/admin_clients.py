"""`clients`: the applications of a realm, their secrets, mappers and scopes. Facts: `keycloak.md` A10; `client-*.http`, `mapper-*.http`."""

from typing import Any

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import clients, mappers, people, sessions, tokens
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.answers import (
    READ,
    Doc,
    Refusal,
    as_json,
    created,
    done,
    forbidden,
    found,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.mappers import Subject
from workspace_sandbox.stand_ins.identity_provider.realm import new_id, new_session_id
from workspace_sandbox.stand_ins.identity_provider.representations import CLIENT

ROUTES = Routes()


def client_of(call: AdminCall, right: str = "view") -> Doc:
    """The client of the path, and the right to it; whoever may not query clients is not told whether there is one."""
    client = call.realm.clients.get(call.parts["client"])
    if client is None:
        raise not_found("Could not find client") if call.may_query("clients") else forbidden()
    call.need_view("clients") if right == "view" else call.need_manage("clients")
    return client


def _shown(call: AdminCall, client: Doc) -> Doc:
    manages = "manage-clients" in call.rights
    held = client["clientId"] in {"realm-management", f"{call.realm.name}-realm"}
    return clients.shown(client, configure=manages and not held, manage=manages and not held)


@ROUTES.on("GET", "clients")
async def listed(call: AdminCall) -> web.Response:
    call.need_query("clients")
    if not call.may_view("clients"):
        return found([])
    chosen = sorted(call.realm.clients.values(), key=lambda client: str(client["clientId"]))
    wanted = call.text("clientId")
    if wanted and call.flag("search", False):
        chosen = [client for client in chosen if wanted.lower() in client["clientId"].lower()]
    elif wanted:
        chosen = [client for client in chosen if client["clientId"] == wanted]
    return found([_shown(call, client) for client in call.page(chosen)])


@ROUTES.on("POST", "clients")
async def create(call: AdminCall) -> web.Response:
    call.need_manage("clients")
    given = call.json(CLIENT)
    client = clients.create(call.realm, given)
    call.changed("CREATE", "CLIENT", f"clients/{client['id']}", _public(given))
    return created(call.location(f"clients/{client['id']}"))


def _public(given: Doc) -> Doc:
    return {name: value for name, value in given.items() if name != "secret"}


@ROUTES.on("GET", "clients/{client}")
async def read(call: AdminCall) -> web.Response:
    return found(_shown(call, client_of(call)))


@ROUTES.on("PUT", "clients/{client}")
async def update(call: AdminCall) -> web.Response:
    client = client_of(call, "manage")
    given = call.json(CLIENT)
    clients.update(call.realm, client, given)
    call.changed("UPDATE", "CLIENT", f"clients/{client['id']}", _public(given))
    return done()


@ROUTES.on("DELETE", "clients/{client}")
async def delete(call: AdminCall) -> web.Response:
    client = client_of(call, "manage")
    clients.refuse_built_in(client)
    clients.drop(call.realm, client)
    call.changed("DELETE", "CLIENT", f"clients/{client['id']}")
    return done(cached=False)


@ROUTES.on("GET", "clients/{client}/client-secret")
async def secret(call: AdminCall) -> web.Response:
    client = client_of(call)
    document = {"type": "secret"}
    return found(document | ({"value": client["secret"]} if "secret" in client else {}))


@ROUTES.on("POST", "clients/{client}/client-secret")
async def new_secret(call: AdminCall) -> web.Response:
    client = client_of(call, "manage")
    client["secret"] = clients.new_secret()
    call.changed("ACTION", "CLIENT", f"clients/{client['id']}/client-secret")
    return as_json({"type": "secret", "value": client["secret"]}, content_type=READ)


@ROUTES.on("GET", "clients/{client}/service-account-user")
async def service_account(call: AdminCall) -> web.Response:
    client = client_of(call)
    user = clients.service_account(call.realm, client)
    if user is None or not client["serviceAccountsEnabled"]:
        raise Refusal(
            400, {"error": f"Service account not enabled for the client '{client['clientId']}'"}
        )
    return found(people.shown(call.realm, user))


# --- sessions ----------------------------------------------------------------------------------------------------------


def _sessions(call: AdminCall, client: Doc, *, offline: bool = False) -> list[Doc]:
    store = call.realm.offline if offline else call.realm.sessions
    return [
        session
        for session in store.values()
        if client["id"] in session["clients"] and (offline or sessions.alive(call.realm, session))
    ]


@ROUTES.on("GET", "clients/{client}/user-sessions")
@ROUTES.on("GET", "clients/{client}/offline-sessions")
async def session_list(call: AdminCall) -> web.Response:
    client = client_of(call)
    offline = call.request.path.endswith("offline-sessions")
    chosen = call.page(_sessions(call, client, offline=offline))
    return found([sessions.shown(call.realm, session) for session in chosen])


@ROUTES.on("GET", "clients/{client}/session-count")
@ROUTES.on("GET", "clients/{client}/offline-session-count")
async def session_count(call: AdminCall) -> web.Response:
    client = client_of(call)
    offline = call.request.path.endswith("offline-session-count")
    return found({"count": len(_sessions(call, client, offline=offline))})


@ROUTES.on("GET", "client-session-stats")
async def session_stats(call: AdminCall) -> web.Response:
    call.need_view("realm")
    stats: list[Any] = []
    for client in sorted(call.realm.clients.values(), key=lambda client: str(client["clientId"])):
        active, offline = len(_sessions(call, client)), len(_sessions(call, client, offline=True))
        if active or offline:
            stats.append(
                {
                    "offline": str(offline),
                    "clientId": client["clientId"],
                    "active": str(active),
                    "id": client["id"],
                }
            )
    return found(stats)


# --- scopes of a client ------------------------------------------------------------------------------------------------


def _member(call: AdminCall) -> str:
    optional = "/optional-client-scopes" in call.request.path
    return "optionalClientScopes" if optional else "defaultClientScopes"


@ROUTES.on("GET", "clients/{client}/default-client-scopes")
@ROUTES.on("GET", "clients/{client}/optional-client-scopes")
async def scope_list(call: AdminCall) -> web.Response:
    names = client_of(call)[_member(call)]
    scopes = [call.realm.scope_named(name) for name in names]
    return found([{"id": scope["id"], "name": scope["name"]} for scope in scopes if scope])


@ROUTES.on("PUT", "clients/{client}/default-client-scopes/{scope}")
@ROUTES.on("PUT", "clients/{client}/optional-client-scopes/{scope}")
@ROUTES.on("DELETE", "clients/{client}/default-client-scopes/{scope}")
@ROUTES.on("DELETE", "clients/{client}/optional-client-scopes/{scope}")
async def change_scope(call: AdminCall) -> web.Response:
    client = client_of(call, "manage")
    scope = call.realm.scopes.get(call.parts["scope"])
    if scope is None:
        raise not_found("Client scope not found")
    member, name = _member(call), scope["name"]
    if call.request.method == "DELETE":
        client[member] = [other for other in client[member] if other != name]
    elif name not in client["defaultClientScopes"] + client["optionalClientScopes"]:
        client[member] = [*client[member], name]
    call.store.changed()
    return done(cached=False)


@ROUTES.on("GET", "clients/{client}/scope-mappings")
async def scope_mappings(call: AdminCall) -> web.Response:
    client_of(call)
    return found({})


@ROUTES.on("GET", "clients/{client}/evaluate-scopes/generate-example-access-token")
@ROUTES.on("GET", "clients/{client}/evaluate-scopes/generate-example-id-token")
@ROUTES.on("GET", "clients/{client}/evaluate-scopes/generate-example-userinfo")
async def example(call: AdminCall) -> web.Response:
    """What a token of this client would say about somebody: lets a check see the mappers at work without a sign-in."""
    client = client_of(call)
    user = call.realm.users.get(call.text("userId") or "")
    if user is None:
        raise not_found("No user found")
    wanted = (call.text("scope") or "").split()
    scopes = mappers.granted_scopes(call.realm, client, wanted) or ()
    session: Doc = {"id": "", "notes": {}, "acr": "1"}
    subject = Subject(call.realm, client, user, session, scopes)
    kinds = {"access-token": mappers.ACCESS, "id-token": mappers.ID, "userinfo": mappers.USERINFO}
    kind = kinds[call.request.path.rpartition("generate-example-")[2]]
    mapped = mappers.claims(subject, kind)
    lifespan = tokens.access_lifespan(call.realm, client)
    document: Doc = {"exp": sessions.seconds() + lifespan, "iat": sessions.seconds()}
    document |= {"iss": call.issuer, "azp": client["clientId"], "sub": user["id"]} | mapped
    document |= {"jti": f"onrtna:{new_id()}", "typ": "Bearer", "sid": new_session_id()}
    document["scope"] = mappers.scope_claim(call.realm, scopes)
    if isinstance(document.get("aud"), list) and len(document["aud"]) == 1:
        document["aud"] = document["aud"][0]
    return found(document)
