"""The kiln of the pottery club: who may fire, and with which key.

What can go wrong: an account that was deleted is made again by the first firing of whoever kept its
key, so that a person who leaves is locked before; names are in lower case there.
"""

from workspace_kiln.accounts import accounts, made_at_approval, own_names, reopen, shut
from workspace_kiln.messages import message
from workspace_kiln.settings import Settings
from workspace_manager.contract.system import Credential, KindSpec, SystemSpec

SYSTEM = SystemSpec(
    name="kiln",
    label=message("kiln"),
    settings=Settings,
    connect="workspace_kiln.connector:connect",
    inventory="workspace_kiln.inventory:inventory",
    kinds=(
        KindSpec(
            "kiln.account", message("account"), holds_account=True, takes=frozenset({"locked"})
        ),
    ),
    accounts=accounts,
    shut=shut,
    open=reopen,
    made_at_approval=made_at_approval,
    credentials=(Credential("kiln_key", message("key"), "kiln.account"),),
    own_names=own_names,
    messages="workspace_kiln.messages",
    sandbox="workspace_kiln.stand_in:KilnStandIn",
)
