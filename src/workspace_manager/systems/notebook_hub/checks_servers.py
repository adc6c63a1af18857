"""Checks whether the hub shows every server of every user, and lets the manager stop them."""

from collections import defaultdict
from collections.abc import Iterator

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.containers import ContainerState
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.systems.notebook_hub.client.calls import SYSTEM, Client, User
from workspace_manager.systems.notebook_hub.client.users import LISTING, all_users
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import hub_user
from workspace_manager.systems.notebook_hub.ownership import claimed_user, looks_spawned
from workspace_manager.systems.notebook_hub.settings import Settings

STOPPING = frozenset({"delete:servers", "servers", "admin:servers"})
SEEING = frozenset({"read:servers", "servers", "admin:servers"})
SERVERS = message("check_servers")
USERS = message("check_users")
WHOSE = message("check_whose")
_OF_USERS = (message("check_people").code,)

SAY = Findings(SYSTEM)


def unfiltered_scopes(scopes: object) -> frozenset[str]:
    """Return the scopes of a token that apply to every user; one with a filter, like
    `!group=staff`, applies to some.
    """
    given = scopes if isinstance(scopes, list) else ()
    return frozenset(str(scope) for scope in given if "!" not in str(scope))


def token_findings(held: frozenset[str], scopes: object) -> Iterator[Finding]:
    """Yield a finding for each right of the token on servers. `held`: its scopes for all users."""
    some = {str(one).partition("!")[0] for one in scopes} if isinstance(scopes, list) else set()
    if held & STOPPING:
        yield SAY.ok(message("check_token"), message("token_may_stop"))
    else:
        key = "token_may_stop_some" if some & STOPPING else "token_may_not_stop"
        yield SAY.failing(message("check_token"), message(key), message("give_scopes"))
    if held & SEEING:
        yield SAY.ok(SERVERS, message("servers_are_shown"))
    else:
        key = "servers_of_some_are_shown" if some & SEEING else "servers_are_not_shown"
        yield SAY.failing(SERVERS, message(key), message("give_scopes"))


def without_token(settings: Settings) -> Finding:
    """Return a warning that servers are not listed without a token."""
    text = message("hub_is_not_asked", prefix=settings.container_name_prefix)
    return SAY.warning(SERVERS, text, message("give_role_and_token"))


def check_user_list(client: Client, held: frozenset[str]) -> tuple[Finding, list[User]]:
    """Return the finding about the list of users, and the users."""
    if not held & LISTING:
        text, advice = message("users_are_not_listed"), message("give_list_scope")
        return SAY.warning(USERS, text, advice, hides=_OF_USERS), []
    try:
        users, odd = all_users(client)
    except ConnectorError as error:
        advice = error.advice_message or message("give_list_scope")
        return SAY.failing(USERS, error.message, advice, hides=(USERS.code, *_OF_USERS)), []
    return _users(users, odd), users


def _users(users: list[User], odd: list[int]) -> Finding:
    if odd:
        text = message("users_of_unknown_shape", n=len(odd), places=", ".join(map(str, odd)))
        return SAY.warning(USERS, text, message("look_at_users"))
    alike = defaultdict[str, list[str]](list)
    for user in users:
        alike[hub_user(user.name)].append(user.name)
    unreachable = sorted(name for same, names in alike.items() for name in names if name != same)
    if unreachable:
        text = message("users_in_other_case", n=len(unreachable), example=unreachable[0])
        return SAY.warning(USERS, text, message("remove_users_in_other_case"))
    return SAY.ok(USERS, message("users_are_listed", n=len(users)))


def check_ownership(looked_at: list[ContainerState], settings: Settings) -> Finding:
    """Return the finding whether containers that name a user can be identified as the spawner's."""
    strange = [
        one
        for one in looked_at
        if claimed_user(one) and not one.component and not looks_spawned(one, settings)
    ]
    if not strange:
        return SAY.ok(WHOSE, message("images_fit"))
    text = message(
        "images_do_not_fit", n=len(strange), example=strange[0].name, image=strange[0].image
    )
    return SAY.failing(WHOSE, text, message("set_images"))
