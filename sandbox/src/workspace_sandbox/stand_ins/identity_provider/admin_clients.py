"""`clients`: the applications of a realm, their secrets, mappers and scopes."""

from aiohttp import web

from workspace_sandbox.stand_ins.identity_provider import clients, people
from workspace_sandbox.stand_ins.identity_provider.admin_call import AdminCall, Routes
from workspace_sandbox.stand_ins.identity_provider.answers import (
    READ,
    Doc,
    Refusal,
    answer_document,
    answer_empty,
    as_json,
    created,
    forbidden,
    not_found,
)
from workspace_sandbox.stand_ins.identity_provider.representations import CLIENT

ROUTES = Routes()
CALLER = "workspace_manager.systems.identity_provider.client.realm:RealmClient"
CHECKS = "tests.systems.identity_provider.life_of_checks:CheckLife"
LIFE = "tests.systems.identity_provider.test_life:TestStandIn"
WALKS = "tests.life.walks:spoiled"


def client_of(call: AdminCall, right: str = "view") -> Doc:
    """The client of the path, and the right to it; whoever may not query clients is not told
    whether there is one.
    """
    client = call.realm.clients.get(call.parts["client"])
    if client is None:
        raise not_found("Could not find client") if call.may_query("clients") else forbidden()
    call.need_view("clients") if right == "view" else call.need_manage("clients")
    return client


def _shown(call: AdminCall, client: Doc) -> Doc:
    manages = "manage-clients" in call.rights
    held = client["clientId"] in {"realm-management", f"{call.realm.name}-realm"}
    return clients.render_client(
        client, configure=manages and not held, manage=manages and not held
    )


@ROUTES.on(
    "GET",
    "clients",
    f"{CALLER}.find_client",
)
async def list_clients(call: AdminCall) -> web.Response:
    call.need_query("clients")
    if not call.may_view("clients"):
        return answer_document([])
    chosen = sorted(call.realm.clients.values(), key=lambda client: str(client["clientId"]))
    wanted = call.text("clientId")
    if wanted and call.flag("search", False):
        chosen = [client for client in chosen if wanted.lower() in client["clientId"].lower()]
    elif wanted:
        chosen = [client for client in chosen if client["clientId"] == wanted]
    return answer_document([_shown(call, client) for client in call.page(chosen)])


@ROUTES.on(
    "POST",
    "clients",
    f"{CALLER}.create_client",
)
async def create(call: AdminCall) -> web.Response:
    call.need_manage("clients")
    given = call.json(CLIENT)
    client = clients.create(call.realm, given)
    call.store.changed()
    return created(call.location(f"clients/{client['id']}"))


@ROUTES.on("GET", "clients/{client}", "outsider")
async def read(call: AdminCall) -> web.Response:
    return answer_document(_shown(call, client_of(call)))


@ROUTES.on(
    "PUT",
    "clients/{client}",
    f"{CALLER}.put_client",
)
async def update(call: AdminCall) -> web.Response:
    client = client_of(call, "manage")
    given = call.json(CLIENT)
    clients.update(call.realm, client, given)
    call.store.changed()
    return answer_empty()


@ROUTES.on(
    "DELETE",
    "clients/{client}",
    f"{CALLER}.delete_client",
)
async def delete(call: AdminCall) -> web.Response:
    client = client_of(call, "manage")
    clients.refuse_built_in(client)
    clients.drop(call.realm, client)
    call.store.changed()
    return answer_empty(cached=False)


@ROUTES.on(
    "GET",
    "clients/{client}/client-secret",
    f"{CALLER}.client_secret",
)
async def secret(call: AdminCall) -> web.Response:
    client = client_of(call)
    document = {"type": "secret"}
    return answer_document(document | ({"value": client["secret"]} if "secret" in client else {}))


@ROUTES.on("POST", "clients/{client}/client-secret", LIFE)
async def new_secret(call: AdminCall) -> web.Response:
    client = client_of(call, "manage")
    client["secret"] = clients.new_secret()
    call.store.changed()
    return as_json({"type": "secret", "value": client["secret"]}, content_type=READ)


@ROUTES.on(
    "GET",
    "clients/{client}/service-account-user",
    "workspace_manager.systems.identity_provider.client.roles:RoleClient.held_roles",
)
async def service_account(call: AdminCall) -> web.Response:
    client = client_of(call)
    user = clients.service_account(call.realm, client)
    if user is None or not client["serviceAccountsEnabled"]:
        raise Refusal(
            400, {"error": f"Service account not enabled for the client '{client['clientId']}'"}
        )
    return answer_document(people.render_user(call.realm, user))


@ROUTES.on("DELETE", "clients/{client}/default-client-scopes/{scope}", CHECKS)
async def drop_scope(call: AdminCall) -> web.Response:
    client = client_of(call, "manage")
    scope = call.realm.scopes.get(call.parts["scope"])
    if scope is None:
        raise not_found("Client scope not found")
    kept = [name for name in client["defaultClientScopes"] if name != scope["name"]]
    client["defaultClientScopes"] = kept
    call.store.changed()
    return answer_empty(cached=False)


@ROUTES.on("PUT", "clients/{client}/default-client-scopes/{scope}", WALKS)
async def give_scope(call: AdminCall) -> web.Response:
    client = client_of(call, "manage")
    scope = call.realm.scopes.get(call.parts["scope"])
    if scope is None:
        raise not_found("Client scope not found")
    names = [*client["defaultClientScopes"], scope["name"]]
    client["defaultClientScopes"] = list(dict.fromkeys(names))
    call.store.changed()
    return answer_empty(cached=False)
