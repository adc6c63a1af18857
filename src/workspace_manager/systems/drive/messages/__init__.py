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
        "answers; no administrator is configured, so accounts cannot be asked for"
    ),
    "not_in_group_admin": "the configured account is not in the drive's group admin",
    "proving_rights": "proving our rights",
    "add_it_to_group": (
        "Add it to the group admin: to others, accounts they may not see look as if they did not "
        "exist."
    ),
    "asked_who_we_are": "asked who we are: {id}, in group admin, to whom every account is shown",
    # connector/account.py
    "asked_nothing": "none",
    "accounts_not_made_here": "accounts cannot be made here",
    "account_appears": "They appear when the person signs in to the drive.",
    "delete_by_hand": (
        "Delete the drive account {account_id}: no administrator of the drive is configured."
    ),
    "shown_but_not_there": "the account is shown to us, but the deletion says it is not there",
    "make_full_administrator": (
        "Our administrator may lack the right to delete it: make it a full administrator."
    ),
    "kept_disabled": "{refusal}; the account is disabled, so nothing opens it",
    "delete_in_its_directory": (
        "Its back-end, such as a directory, keeps it. Delete or disable the person there, then "
        "have the account deleted (occ user:delete) and try again. Nobody signs in meanwhile."
    ),
    "disable_by_hand": (
        "Disable the drive account {account_id} in the drive: no administrator of the drive is "
        "configured (drive.admin_username and drive.admin_password)."
    ),
    "enable_by_hand": (
        "Enable the drive account {account_id} in the drive: no administrator of the drive is "
        "configured (drive.admin_username and drive.admin_password)."
    ),
    "no_account_to_enable": "the account that the suspension disabled is not there any more",
    "appears_again": (
        "If it was deleted on purpose, skip the step: a new account appears when the person signs "
        "in to the drive."
    ),
    "asked_account_disabled": (
        "asked for account {account_id}: it is disabled, so that neither an app password nor a "
        "session opens it"
    ),
    "asked_account_enabled": "asked for account {account_id}: it is enabled",
    "looking_at_account": "looking at the account",
    "could_not_be_asked": (
        "could not be asked whether account {account_id} exists: no administrator of the drive is "
        "configured"
    ),
    "asked_account_gone": "asked for account {account_id}: it does not exist",
    "asked_account_there": "asked for account {account_id}: it exists",
    "other_id": "the drive answers with an account whose id differs from ours",
    "decide_by_hand": (
        "The drive ignores case in ids: deleting ours would delete the other one. Decide by hand."
    ),
    "other_backend": (
        "the account is not derived from the person's subject, and the drive says that another "
        "back-end owns it"
    ),
    "look_whose_account": (
        "Look whose account it is; delete it by hand if it is really this person's."
    ),
    "removing_account": "removing the account",
    "making": "making",
    # connector/app_password.py
    "app_passwords_not_made_here": "app passwords cannot be made here",
    "person_connects": "The person connects the drive in the manager.",
    "works_under_other_name": "the app password works, but not under the stored login name",
    "nothing_to_revoke": "no app password is stored any more, so there is nothing to revoke",
    "signs_nobody_in": "asked with the stored app password: refused (401), it signs nobody in",
    "signs_in": "asked with the stored app password: it signs in {id}",
    "signs_in_another": (
        "the stored app password signs in another account than the stored login name"
    ),
    "looking_at_app_password": "looking at the app password",
    "look_whose_app_password": (
        "Somebody may have edited the attributes: look whose app password it is."
    ),
    "shares": ("{n} share", "{n} shares"),
    "people": ("{n} person", "{n} people"),
    "links": ("{n} link", "{n} links"),
    "shares_end": (
        "Drive: what the person shares ends with the account: {shares} with {people}, {links}. "
        "Shared calendars and address books end too; the drive does not count them."
    ),
    "shares_with_people_end": (
        "Drive: what the person shares ends with the account: {shares} with {people}. Shared "
        "calendars and address books end too; the drive does not count them."
    ),
    "shares_and_links_end": (
        "Drive: what the person shares ends with the account: {shares}, {links}. Shared calendars "
        "and address books end too; the drive does not count them."
    ),
    "shared_alone_ends": (
        "Drive: what the person shares ends with the account: {what}. Shared calendars and address "
        "books end too; the drive does not count them."
    ),
    "nothing_shared": (
        "Drive: the person shares no file and no folder, by name or by link. Shared calendars and "
        "address books end with the account; the drive does not count them."
    ),
    "shares_not_told": (
        "Drive: folders, links and calendars that the person shares end with the account. The "
        "drive tells only the person how many there are."
    ),
    # connector/credentials.py
    "making_with_token": "making an app password with the person's token",
    "tokens_switched_off": "the use of tokens is switched off",
    "connect_in_browser": "Connect in the browser, or switch it on in the drive's settings.",
    "rejected_token": "the drive rejected the token: current user is not logged in",
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
    "signs_in_somebody_else": "the credential signs in another account than the person's",
    "check_prefix": (
        "Check the prefix in the drive's settings: it must match how the drive names accounts "
        "(unique uid off)."
    ),
    # settings.py
    "setting_base_url": "Base URL",
    "setting_base_url_help": (
        "Address of the drive as browsers use it, for example https://drive.example.org. Login "
        "links of another host are refused."
    ),
    "setting_oidc_username_prefix": "Prefix before the person's id",
    "setting_oidc_username_prefix_help": (
        "Placed before the subject to form the account id; must match how the drive's OpenID "
        "Connect app names accounts. Write {{empty}} for no prefix (unique uid off)."
    ),
    "setting_legacy_prefix": "Legacy prefix",
    "setting_legacy_prefix_help": (
        "Prefix of accounts made by an older installation, usually the provider identifier and a "
        "dash (keycloak-). Empty: none."
    ),
    "setting_admin_username": "Administrator",
    "setting_admin_username_help": (
        "Account in the drive's group admin. Without it, drive accounts stay until somebody "
        "deletes them by hand."
    ),
    "setting_admin_password": "Administrator's password",
    "setting_admin_password_help": (
        "An app password of the administrator is best: it is checked ten times faster and works "
        "with two-factor sign-in."
    ),
    "setting_login_name_attribute": "Attribute for the login name",
    "setting_login_name_attribute_help": (
        "Name of the identity provider's user attribute that keeps the drive login name."
    ),
    "setting_app_password_attribute": "Attribute for the app password",
    "setting_app_password_attribute_help": (
        "Name of the identity provider's user attribute that keeps the drive app password."
    ),
    "setting_use_bearer_token": "Use the OpenID Connect token",
    "setting_use_bearer_token_help": (
        "Make the app password with the person's own token. The drive must check bearer tokens, "
        "and the token's audience must name it."
    ),
    "setting_provider_name": "Provider's name at the drive",
    "setting_provider_name_help": (
        "What the drive's OpenID Connect app calls the identity provider; its back-channel logout "
        "address ends with it. Empty: the name that the drive itself tells."
    ),
    "setting_container_name": "Application container",
    "setting_container_name_help": (
        "Name of the drive's application container. When the drive refuses to make an app password "
        "for a token, its command-line tool is run there through the container manager. Empty: no "
        "fallback."
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
