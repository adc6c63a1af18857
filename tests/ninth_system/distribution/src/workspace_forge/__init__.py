"""A code forge that people sign in to through the identity provider.

What can go wrong: an account appears there when its person first signs in, and nobody else makes
one; it is known by the person's id, since its name may be changed. A token opens the forge without
any sign-in, so that tokens are revoked before the account goes. A blocked account comes back by no
sign-in, a deleted one does: it is looked for again once the last token of the identity provider
has expired.
"""

from workspace_forge.accounts import (
    accounts,
    decides,
    own_names,
    realm_client,
    remarks,
    reopen,
    shut,
)
from workspace_forge.messages import message
from workspace_forge.names import ACCOUNT, TOKENS
from workspace_forge.settings import Settings
from workspace_manager.contract.system import Credential, KindSpec, SystemSpec

SYSTEM = SystemSpec(
    name="forge",
    label=message("forge"),
    settings=Settings,
    connect="workspace_forge.connector:connect",
    inventory="workspace_forge.inventory:inventory",
    kinds=(
        KindSpec(
            ACCOUNT,
            message("account"),
            holds_account=True,
            takes=frozenset({"blocked"}),
            comes_back_by="sub",
            comes_by_itself=True,
            counted_as=message("accounts", n=1),
        ),
        KindSpec(TOKENS, message("tokens"), counted_as=message("counted_tokens", n=1)),
    ),
    accounts=accounts,
    shut=shut,
    open=reopen,
    remarks=remarks,
    decides=decides,
    credentials=(
        Credential("forge_token", message("tokens"), TOKENS),
        Credential("forge_session", message("session"), ACCOUNT),
    ),
    own_names=own_names,
    realm_client=realm_client,
    step_labels={
        "remove_forge_accounts": message("step_remove"),
        "shut_forge": message("step_shut"),
        "open_forge": message("step_open"),
    },
    messages="workspace_forge.messages",
    sandbox="workspace_forge.stand_in:ForgeStandIn",
)
