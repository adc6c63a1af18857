"""The meaning of recorded answers for the identity provider's client."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.recorded.comparing import is_cut
from tests.recorded.expected_meaning import Meaning
from tests.recorded.expected_meaning_keycloak import (
    ADMIN,
    CLIENT,
    CLIENTS,
    DISCOVERY,
    MAPPERS,
    SCOPES,
    TABLE,
    TOKEN,
    USER,
    USERS,
)
from tests.recorded.feeding import answer_of, meaning_of, played
from tests.recorded.reading import Exchange
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.client.answers import (
    CLIENT_ABSENT,
    MAPPER_ABSENT,
    USER_ABSENT,
    understand,
)
from workspace_manager.systems.identity_provider.client.realm import SCOPE_ABSENT, RealmClient
from workspace_manager.systems.identity_provider.client.sign_ins import SignInClient
from workspace_manager.systems.identity_provider.client.users import UserClient, Wire
from workspace_manager.systems.identity_provider.settings import Settings

ID = "8f78f333-073b-4980-9ce9-f642e354b9d4"
PROFILE = f"{USERS}/profile"
TOKEN_PATH = "/realms/master/protocol/openid-connect/token"
CALL: Mapping[tuple[str, str], Callable[[Wire], Any]] = {
    ("POST", TOKEN): lambda wire: wire.token.get(),
    ("GET", DISCOVERY): lambda wire: RealmClient(wire).discovery(),
    ("GET", ADMIN): lambda wire: RealmClient(wire).get_realm(),
    ("GET", PROFILE): lambda wire: RealmClient(wire).get_profile(),
    ("PUT", PROFILE): lambda wire: RealmClient(wire).put_profile({"attributes": [{}]}),
    ("GET", USERS): lambda wire: UserClient(wire).find_user("bob"),
    ("POST", USERS): lambda wire: UserClient(wire).create_user({"username": "bob"}),
    ("POST", f"{USERS}/"): lambda wire: UserClient(wire).create_user({"username": "bob"}),
    ("GET", USER): lambda wire: UserClient(wire).get_user(ID),
    ("PUT", USER): lambda wire: UserClient(wire).put_user(ID, {"enabled": False}),
    ("DELETE", USER): lambda wire: UserClient(wire).delete_user(ID),
    ("POST", CLIENTS): lambda wire: RealmClient(wire).create_client({"clientId": "hub"}),
    ("PUT", CLIENT): lambda wire: RealmClient(wire).put_client({"id": ID}),
    ("DELETE", CLIENT): lambda wire: RealmClient(wire).delete_client(ID),
    ("POST", MAPPERS): lambda wire: RealmClient(wire).create_mapper(ID, {}),
    ("GET", SCOPES): lambda wire: RealmClient(wire).client_scopes(),
    ("POST", SCOPES): lambda wire: RealmClient(wire).create_client_scope({}),
}
BY_ENDING: Mapping[tuple[str, str], Callable[[Wire], Any]] = {
    ("POST", "/logout"): lambda wire: UserClient(wire).log_out(ID),
    ("GET", "/sessions"): lambda wire: [SignInClient(UserClient(wire)).sessions(ID)],
    ("GET", "/client-secret"): lambda wire: RealmClient(wire).client_secret(ID),
}
ABSENT = (
    (f"{USER}/groups/{{group}}", "Group not found"),
    (f"{USER}/groups/{{group}}", USER_ABSENT),
    (USERS, USER_ABSENT),
    (MAPPERS, MAPPER_ABSENT),
    (CLIENTS, CLIENT_ABSENT),
    (SCOPES, SCOPE_ABSENT),
    (f"{ADMIN}/groups", "Could not find group by id"),
    (f"{ADMIN}/group-by-path", "Group path does not exist"),
)
"""The text that alone makes a 404 an absence, by the beginning of the route; every call of the
client names its own.
"""


def classify(exchange: Exchange) -> Meaning:
    """By the client's own method where it makes this call, else by the one function that knows what
    answers mean.
    """
    route = TABLE.route(exchange.path)
    call = CALL.get((exchange.method, route))
    for (method, ending), found in BY_ENDING.items():
        if exchange.method == method and exchange.path.endswith(ending) and route.startswith(ADMIN):
            call = found
    # The client never pages through less than a whole list, so that a list of one page says little
    # to it.
    if call is None or is_cut(exchange):
        return meaning_of(lambda: _understand(exchange, route))
    settings = Settings(
        url="http://recorded",
        realm="workspace",
        admin_username="admin",
        admin_password=Secret(f"for {exchange}"),
        token_url=f"http://recorded{exchange.path}" if route == TOKEN else "",
    )
    token = (TOKEN_PATH, 200, {"access_token": "t", "expires_in": 60})
    wire = Wire(settings, policy=CallPolicy(), transport=played(exchange, token))
    return meaning_of(lambda: call(wire) and None)


def _understand(exchange: Exchange, route: str) -> None:
    answer = answer_of(exchange, kind="identity_provider.user")
    known = [text for part, text in ABSENT if route.startswith(part)] or [USER_ABSENT]
    said = TABLE.code(exchange)
    absent = said if said in known else known[0]
    understand(answer, ok=range(200, 300), absent=absent)
    if answer.content.strip() and not is_cut(exchange):
        answer.json()
