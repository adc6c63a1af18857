"""The drive: file sharing (Nextcloud 28-32 with the OpenID Connect app user_oidc), through its OCS
API.

A drive account is made when a person (or a still valid token) first authenticates; we never create
one. What can go wrong: nearly every failure is HTTP 200 with the error in the body. Early errors
are XML, whatever was requested. Repeating one wrong password blocks every call from our address.
Ids are case-insensitive. A still valid token brings a deleted account back, empty. A stored cookie
runs a call as another person (the HTTP client stores none).
"""

from workspace_manager.contract.system import (
    CONTAINERS,
    DRIVE,
    PEOPLE,
    REALM,
    REFUSALS,
    Credential,
    KindSpec,
    SystemSpec,
)
from workspace_manager.systems.drive.accounts import (
    accounts,
    goes_on,
    own_names,
    reopen,
    shut,
    shut_by_hand,
)
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.realm import attributes, client
from workspace_manager.systems.drive.settings import Settings

SYSTEM = SystemSpec(
    name="drive",
    label=message("system"),
    icon="drive",
    order=20,
    settings=Settings,
    connect="workspace_manager.systems.drive.connector:connect",
    look="workspace_manager.systems.drive.client.look:look",
    inventory="workspace_manager.systems.drive.inventory:inventory",
    person_trial="workspace_manager.systems.drive.connector.person:with_token_of",
    kinds=(
        KindSpec(
            "drive.account",
            message("account"),
            counted_as=message("counted.account", n=1),
            actions={"enabled": (message("action.enable"), message("action.disable"))},
            named_by=("account_id",),
            holds_account=True,
            comes_back_by="sub",
            comes_by_itself=True,
        ),
        KindSpec(
            "drive.app_password",
            message("app_password"),
            counted_as=message("counted.app_password", n=1),
            removal=message("action.revoke"),
            named_by=("login_name",),
        ),
    ),
    provides=(DRIVE,),
    takes=(CONTAINERS, REALM, REFUSALS, PEOPLE),
    accounts=accounts,
    shut=shut,
    open=reopen,
    shut_step="disable_drive_account",
    open_step="enable_drive_account",
    step_labels={
        step: message(f"step.{step}") for step in ("disable_drive_account", "enable_drive_account")
    },
    step_ends={
        step: message(f"step.{step}.ended")
        for step in ("disable_drive_account", "enable_drive_account")
    },
    shut_by_hand=shut_by_hand,
    goes_on=goes_on,
    credentials=(
        Credential("app_password", message("app_password_kept"), "drive.app_password"),
        Credential("own_app_passwords", message("own_app_passwords"), "drive.account"),
        Credential("drive_session", message("session"), "drive.account"),
    ),
    own_names=own_names,
    realm_client=client,
    realm_attributes=attributes,
    tables="workspace_manager.systems.drive.members:TABLES",
    sandbox="workspace_sandbox.stand_ins.drive:DriveStandIn",
)
