"""Messages of the drive."""

from workspace_manager.contract.message import Catalogue, English
from workspace_manager.systems.drive.messages.calls import CLIENT
from workspace_manager.systems.drive.messages.checks import CHECKS
from workspace_manager.systems.drive.messages.inventory import INVENTORY
from workspace_manager.systems.drive.messages.labels import LABELS
from workspace_manager.systems.drive.messages.person import PERSON
from workspace_manager.systems.drive.messages.sign_in import CHECKS_OF_SIGN_IN

_ENGLISH: dict[str, English] = {
    # connector/__init__.py
    "answers_without_administrator": (
        "answers; without an administrator in the settings, the manager cannot ask for accounts"
    ),
    "not_in_group_admin": "the configured account is not in the drive's group admin",
    "proving_rights": "checking our rights",
    "add_it_to_group": (
        "Add it to the group admin. To other accounts, accounts that they may not see look as if "
        "they did not exist."
    ),
    "asked_who_we_are": "our own account is {id}, in the group admin, which sees every account",
    # connector/account.py
    "asked_nothing": "none",
    "accounts_not_made_here": "the manager does not create accounts in the drive",
    "account_appears": "The drive creates the account when the person signs in for the first time.",
    "delete_by_hand": (
        "Delete the drive account {account_id}: no administrator of the drive is configured."
    ),
    "shown_but_not_there": (
        "the drive lists the account, but reports at the deletion that it does not exist"
    ),
    "make_full_administrator": (
        "The manager's administrator may lack the right to delete it. Make it a full administrator."
    ),
    "kept_disabled": "{refusal}; the account is disabled, so nobody can use it",
    "delete_in_its_directory": (
        "The account's back-end, for example a directory, keeps it. Delete or disable the person "
        "there, then delete the account (occ user:delete) and try again. Until then nobody can "
        "sign in with it."
    ),
    "disable_by_hand": (
        "Disable the drive account {account_id} in the drive: no administrator of the drive is "
        "configured (drive.admin_username and drive.admin_password)."
    ),
    "enable_by_hand": (
        "Enable the drive account {account_id} in the drive: no administrator of the drive is "
        "configured (drive.admin_username and drive.admin_password)."
    ),
    "no_account_to_enable": "the account that the suspension disabled no longer exists",
    "appears_again": (
        "If somebody deleted it on purpose, skip the step: the drive creates a new account when "
        "the person signs in."
    ),
    "asked_account_disabled": (
        "the drive reports that the account {account_id} is disabled, so neither an app password "
        "nor a session opens it"
    ),
    "asked_account_enabled": "the drive reports that the account {account_id} is enabled",
    "looking_at_account": "looking at the account",
    "could_not_be_asked": (
        "no administrator of the drive is configured, so the manager cannot tell whether the "
        "account {account_id} exists"
    ),
    "asked_account_gone": "the drive reports that the account {account_id} does not exist",
    "asked_account_there": "the drive reports that the account {account_id} exists",
    "other_id": "the drive answers with an account that has another id",
    "decide_by_hand": (
        "The drive ignores case in ids, so the deletion of one account would delete the other. "
        "Decide by hand."
    ),
    "other_backend": (
        "the account id does not come from the person's subject, and the drive reports that "
        "another back-end owns the account"
    ),
    "look_whose_account": (
        "Find out whose account it is. If it belongs to this person, delete it by hand."
    ),
    "removing_account": "removing the account",
    "making": "creating",
    # connector/app_password.py
    "app_passwords_not_made_here": "the manager does not create app passwords here",
    "person_connects": "The person connects the drive in the manager.",
    "works_under_other_name": (
        "the app password works, but with another login name than the stored one"
    ),
    "nothing_to_revoke": "no app password is stored, so there is nothing to revoke",
    "signs_nobody_in": "the drive refuses the stored app password (401)",
    "signs_in": "the stored app password signs in {id}",
    "signs_in_another": (
        "the stored app password belongs to another account than the stored login name"
    ),
    "looking_at_app_password": "looking at the app password",
    "look_whose_app_password": (
        "Somebody may have changed the attributes. Find out whose app password it is."
    ),
    "shares": ("{n} share", "{n} shares"),
    "people": ("{n} person", "{n} people"),
    "links": ("{n} link", "{n} links"),
    "shares_end": (
        "Drive: the person's shares end with the account: {shares} with {people}, {links}. Shared "
        "calendars and address books end too; the drive does not count them."
    ),
    "shares_with_people_end": (
        "Drive: the person's shares end with the account: {shares} with {people}. Shared calendars "
        "and address books end too; the drive does not count them."
    ),
    "shares_and_links_end": (
        "Drive: the person's shares end with the account: {shares}, {links}. Shared calendars and "
        "address books end too; the drive does not count them."
    ),
    "shared_alone_ends": (
        "Drive: the person's shares end with the account: {what}. Shared calendars and address "
        "books end too; the drive does not count them."
    ),
    "nothing_shared": (
        "Drive: the person shares no file and no folder, by name or by link. Shared calendars and "
        "address books end with the account; the drive does not count them."
    ),
    "shares_not_told": (
        "Drive: folders, links and calendars that the person shares end with the account. Only the "
        "person can see how many there are."
    ),
    # connector/credentials.py
    "making_with_token": "making an app password with the person's token",
    "tokens_switched_off": "the use of tokens is switched off",
    "connect_in_browser": "Connect in the browser, or switch it on in the drive's settings.",
    "rejected_token": "the drive refused the token: current user is not logged in",
    "check_audience": (
        "Check that the token's audience names the drive's client id (audience mapper; sign out "
        "and in for a fresh token), that the drive's provider checks bearer tokens, and that "
        "automatic account creation is on."
    ),
    "no_way_to_app_password": (
        "the drive makes no app password for a token, and its application container is not "
        "configured"
    ),
    "update_or_name_container": (
        "Update the drive's OpenID Connect app (8.7.0 to 8.10.1 cannot), or name its application "
        "container."
    ),
    "asking_whether_it_works": "asking whether the stored app password works",
    "connect_again": "Connect the drive again.",
    "signs_in_somebody_else": "the credentials belong to another account than the person's",
    "check_prefix": (
        "Check the prefix in the drive's settings. It must match the way in which the drive names "
        "accounts (unique uid off)."
    ),
    # settings.py
    "setting_base_url": "Base URL",
    "setting_base_url_help": (
        "Address of the drive in the browser, for example https://drive.example.org. The manager "
        "refuses sign-in links to another host."
    ),
    "setting_oidc_username_prefix": "Prefix before the person's id",
    "setting_oidc_username_prefix_help": (
        "The account id is this prefix and the person's subject. It must match the way in which "
        "the drive's OpenID Connect app names accounts. Write {{empty}} for no prefix (unique uid "
        "off)."
    ),
    "setting_legacy_prefix": "Legacy prefix",
    "setting_legacy_prefix_help": (
        "Prefix of accounts from an older installation, usually the provider identifier and a "
        "hyphen (keycloak-). Empty: none."
    ),
    "setting_admin_username": "Administrator",
    "setting_admin_username_help": (
        "Account in the drive's group admin. Without it, drive accounts stay until somebody "
        "deletes them by hand."
    ),
    "setting_admin_password": "Administrator's password",
    "setting_admin_password_help": (
        "Use an app password of the administrator if possible: it works ten times faster, and with "
        "two-factor sign-in."
    ),
    "setting_login_name_attribute": "Attribute for the login name",
    "setting_login_name_attribute_help": (
        "Name of the user attribute at the identity provider that stores the drive's login name."
    ),
    "setting_app_password_attribute": "Attribute for the app password",
    "setting_app_password_attribute_help": (
        "Name of the user attribute at the identity provider that stores the drive's app password."
    ),
    "setting_use_bearer_token": "Use the OpenID Connect token",
    "setting_use_bearer_token_help": (
        "Creates the app password with the person's own token. The drive must check bearer tokens, "
        "and the token's audience must name it."
    ),
    "setting_provider_name": "Name of the provider in the drive",
    "setting_provider_name_help": (
        "Name of the identity provider in the drive's OpenID Connect app. The address for "
        "back-channel logout ends with it. Empty: the name that the drive reports."
    ),
    "setting_container_name": "Application container",
    "setting_container_name_help": (
        "Name of the drive's application container. If the drive creates no app password for a "
        "token, the manager runs the drive's command-line tool there through the container "
        "manager. Empty: no fallback."
    ),
    **CHECKS,
    **CHECKS_OF_SIGN_IN,
    **CLIENT,
    **INVENTORY,
    **PERSON,
}

message = Catalogue(
    "drive",
    __file__,
    {**_ENGLISH, **LABELS},
    codes={key: f"drive_labels.{key}" for key in LABELS},
)
