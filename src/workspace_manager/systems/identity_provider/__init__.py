"""The identity provider (Keycloak 26): who people are, whether they may sign in, and the attributes
that other systems read about them.

What can go wrong, as seen on a real one (recorded exchanges in `tests/recorded/keycloak`):

* An attribute that the realm's user profile does not declare is dropped silently (201, 204). So
  the profile is read before a user is made, and every written attribute is read back.
* A user who is only disabled, or only logged out, still has a way in: a disabled user keeps the
  listed sessions, and a logged-out one signs in again. The fence does both and checks both.
* There is no compare-and-set: a write replaces the whole user, and two writers lose updates. The
  engine holds a lock per `sub`.
* A deleted user of a directory (LDAP) comes back, enabled and under another id. So such a user is
  disabled instead of deleted.
* Fetching the administrator's token takes 300 ms and leaves a session, so the token is used until
  shortly before it expires.
* A 404 can mean "no such user", "no such realm" or "a proxy answered". Only the first is an
  absence.
"""

from workspace_manager.contract.system import IDENTITY, REALM, KindSpec, SystemSpec
from workspace_manager.systems.identity_provider.accounts import (
    accounts,
    own_names,
    reopen,
    shut,
)
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.settings import Settings

ONE_WRITER = "identity_provider:{sub}"
ONE_LIST = "identity_provider:group:{group}"
"""The lock of a list of members: of two simultaneous writers, each would remove the member that the
other added.
"""

SYSTEM = SystemSpec(
    name="identity_provider",
    label=message("system"),
    icon="identity_provider",
    order=10,
    settings=Settings,
    connect="workspace_manager.systems.identity_provider.connector:connect",
    look="workspace_manager.systems.identity_provider.client.look:look",
    inventory="workspace_manager.systems.identity_provider.inventory:inventory",
    tables="workspace_manager.systems.identity_provider.members:TABLES",
    kinds=(
        KindSpec(
            "identity_provider.user",
            message("user"),
            counted_as=message("counted.account", n=1),
            holds_account=True,
            named_by=("sub", "username"),
            recognized_by=("directory", "entry"),
            actions={
                "enabled": (message("action.enable"), message("action.disable")),
                "sessions": (message("action.sign_out"), message("action.sign_out")),
                "email_verified": (message("action.confirm"), message("action.confirm")),
            },
            exclusive=ONE_WRITER,
        ),
        KindSpec(
            "identity_provider.attributes",
            message("attributes"),
            named_by=("sub",),
            exclusive=ONE_WRITER,
        ),
        KindSpec(
            "identity_provider.credentials",
            message("credentials"),
            named_by=("sub",),
            exclusive=ONE_WRITER,
        ),
        KindSpec("identity_provider.realm", message("realm"), named_by=("realm",)),
        KindSpec(
            "identity_provider.group",
            message("group"),
            named_by=("group",),
            exclusive=ONE_LIST,
        ),
        KindSpec("identity_provider.client", message("client"), named_by=("client_id",)),
    ),
    provides=(IDENTITY,),
    takes=(REALM,),
    accounts=accounts,
    shut=shut,
    open=reopen,
    shut_step="fence_identity",
    open_step="release_identity",
    step_labels={step: message(f"step.{step}") for step in ("fence_identity", "release_identity")},
    step_ends={
        step: message(f"step.{step}.ended") for step in ("fence_identity", "release_identity")
    },
    own_names=own_names,
    sandbox="workspace_sandbox.stand_ins.identity_provider:IdentityProviderStandIn",
)
