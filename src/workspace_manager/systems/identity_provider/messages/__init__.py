"""Messages of the identity provider."""

from workspace_manager.contract.message import Catalogue, English
from workspace_manager.systems.identity_provider.messages.calls import CLIENT
from workspace_manager.systems.identity_provider.messages.checks import CHECKS
from workspace_manager.systems.identity_provider.messages.directory import DIRECTORY
from workspace_manager.systems.identity_provider.messages.inventory import INVENTORY
from workspace_manager.systems.identity_provider.messages.labels import LABELS
from workspace_manager.systems.identity_provider.messages.members import MEMBERS
from workspace_manager.systems.identity_provider.messages.person import PERSON
from workspace_manager.systems.identity_provider.messages.tokens import TOKENS

_ENGLISH: dict[str, English] = {
    # connector.py
    "another_realm": "it answered with another realm",
    "proving_rights": "checking our rights",
    "check_realm": "Check the address and the realm in the settings.",
    "asked_realm_and_users": "realm; user query",
    "realm_and_users_readable": "the manager can read the realm and query its users",
    "lifespan_not_shown": "the realm does not show the lifespan of its tokens",
    "reading_lifespan": "reading the lifespan of access tokens",
    "give_view_roles": "Give the administrator the roles view-realm and view-clients.",
    # connector/attributes.py
    "user_by_id": "user by id",
    "attributes_absent": "{names}: absent",
    "attributes_as_wished": "{names}: as planned",
    "writing_attributes": "writing the attributes",
    "no_attribute_named": "no attribute is named",
    "clearing_attributes": "clearing the attributes",
    "no_user_no_attributes": "no such user, so no {names} ({proof})",
    "user_by_id_attributes": "user by id, its attributes",
    "no_value_given": "no value is given for the attribute {name}",
    "no_user_of_id": "there is no user with this id",
    "remove_here_as_well": (
        "Somebody deleted the user in the identity provider. Remove the person here too."
    ),
    "another_value": "{names} has another value than the one just written",
    "somebody_else_writes": (
        "Another program writes the same attributes. Find out which one, and try again."
    ),
    "did_not_keep": (
        "it accepted {names} but did not store it, because the realm's user profile does not "
        "declare it"
    ),
    # connector/client.py
    "client_by_id": "client by id and mark",
    "no_such_client_of_ours": "no client of this id carries our mark",
    "client_and_secret": "client by id and mark; its secret",
    "client_as_wished": "present, with these addresses and this secret, as planned",
    "no_client_id": "no client id, or no mark, is named",
    "client_without_mark": "a client with this id exists but does not have our mark",
    "no_client_secret_given": "no secret is given for the client",
    "client_left_alone": (
        "Find out in the identity provider whose client it is. To free the id, rename or delete "
        "the client there. The manager takes no client over by id only."
    ),
    # connector/group.py
    "group_by_name": "group by name and mark",
    "no_such_group": "no group of this name carries our mark",
    "group_and_members": "group by name and mark; its members",
    "members_as_wished": (
        "present, with its one member, as planned",
        "present, with its {n} members, as planned",
    ),
    "no_group_name": "no name that a group can have, or no mark, is named",
    "group_without_mark": "a group with this name exists but does not have our mark",
    "group_left_alone": (
        "Find out in the identity provider whose group it is. To free the name, rename or delete "
        "the group there. The manager takes no group over by name only."
    ),
    # connector/realm.py
    "not_removed_here": (
        "the manager cannot remove the realm's user profile or the roles of a service account"
    ),
    "removing_part": "removing a part of the realm",
    "remove_single_ones": "Remove single declarations and roles in the identity provider itself.",
    "asked_part": "the realm's {what}",
    "part_not_there": "{what}: missing",
    "part_as_wished": "{what}: present, as planned",
    "reading_part": "finding out which part of the realm is meant",
    "about_another_realm": "this plan is for another realm than the one in the settings",
    "make_new_plan": "Check the realm in the settings, then make a new plan.",
    "profile_lost": "{lost} disappeared from the user profile while it was written",
    "look_at_profile": (
        "Look at Realm settings, User profile in the identity provider. Somebody may have changed "
        "it at the same time."
    ),
    "no_client": "there is no client {client_id}",
    "changing_belongings": "changing the parts of the client",
    "make_client_first": (
        "Make the client first: run `workspace-manager setup identity-provider` again."
    ),
    "shown_and_not_there": "it is listed, but the deletion reports that it does not exist",
    "look_there": "Look at it in the identity provider.",
    # connector/user.py
    "user_by_name": "user by name and mark",
    "there_enabled": "present and enabled, as planned",
    "there_disabled": "present and disabled, as planned",
    "remove_or_register_again": (
        "Somebody deleted the user in the identity provider. Remove the person here too, or let "
        "them register again."
    ),
    "not_our_mark": "the user with this id does not have our mark",
    "no_such_user": "no such user",
    "nobody_can_sign_in": "there is no such user, so nobody can sign in with it ({proof})",
    "and_sessions": "{how}; its sessions",
    "disabled_no_session": "disabled, and no session is open",
    "no_session": "no session is open",
    "no_credential": "the account has no credential left to sign in with",
    "looking_at_credentials": "looking at the user's credentials",
    "deleting_credential": "deleting a credential of the user",
    "user_by_id_credentials": "the user by id; its credentials",
    "no_user_no_credentials": "there is no such user, so there are no credentials ({proof})",
    "credentials_not_made_here": "the manager does not create credentials",
    "named_without_mark": "a user with this name exists but does not have our mark",
    "another_address": "the user has a new address in the meantime, which nobody has confirmed",
    "another_address.advice": (
        "Skip this step: the link was for the address of the registration. The new address is "
        "confirmed in the identity provider."
    ),
    "no_such_property": "a user has no property '{name}'",
    "profile_lacks": "the realm's user profile does not declare {names}",
    "nobody_taken_over": (
        "Find out in the identity provider whose user it is. To free the name, rename or delete "
        "the user there, or reject the registration. The manager takes nobody over by name only."
    ),
    # names.py
    "name_too_short": "A user name has at least 3 characters.",
    "name_too_long": "A user name has at most 32 characters.",
    "name_bad_edge": "A user name begins and ends with a letter (a to z) or a digit.",
    "name_bad_character": (
        "A user name can contain the letters a to z, digits, dots, hyphens and underscores."
    ),
    "no_stack_name": "no knowledge stack can be called '{name}'",
    "no_such_part": "there is no part '{part}' in a realm",
    # realm/clients.py
    "copy_to_system": (
        "Copy the secret of the client {client_id} (identity provider: Clients, Credentials) into "
        "the settings of that system."
    ),
    "copy_to_service_account": (
        "Copy the secret of the client {client_id} (identity provider: Clients, Credentials) into "
        "the setting admin_password of the identity provider, set admin_username to {username} and "
        "token_url to {token_url}."
    ),
    # settings.py
    "setting_url": "Address",
    "setting_url_help": "Keycloak's address without /realms, for example https://id.example.org",
    "setting_realm": "Realm",
    "setting_realm_help": "The realm people sign in to",
    "setting_admin_username": "Administrator's user name",
    "setting_admin_username_help": (
        "A user allowed to manage the realm's users, or service-account-<client id> to use that "
        "client's service account"
    ),
    "setting_admin_password": "Administrator's password",
    "setting_admin_password_help": (
        "The user's password, or the secret of the service account's client"
    ),
    "setting_token_url": "Token address",
    "setting_token_url_help": (
        "Where the administrator's token comes from. Empty: "
        "{{url}}/realms/master/protocol/openid-connect/token. For a service account whose client "
        "lives in another realm, that realm's token endpoint"
    ),
    "setting_users_url": "Users path",
    "setting_users_url_help": "Below the address; {{realm}} stands for the realm",
    "setting_users_create_url": "Create path",
    "setting_users_create_url_help": "Below the users path; POST creates a user. Empty or /",
    "setting_users_delete_url": "Delete path",
    "setting_users_delete_url_help": (
        "Below the users path; DELETE removes the user. {{userId}} stands for the user's id"
    ),
    "setting_client_id": "Client id",
    "setting_client_id_help": (
        "The manager's own client in the realm, usually the manager's address"
    ),
    "setting_client_secret": "Client secret",
    "setting_client_secret_help": "The secret of that client",
    "setting_admit_unregistered": "Admit unregistered people",
    "setting_admit_unregistered_help": (
        "Lets people sign in whom nobody approved here, and whose user somebody else created in "
        "the identity provider"
    ),
    "setting_fence": "Lock people out first",
    "setting_fence_help": (
        "A removal begins with disabling the person and ending all sessions. Off: a token that is "
        "still valid can bring the drive account back during the removal"
    ),
    "setting_check_as_person": "Check as a person",
    "setting_check_as_person_help": (
        "When it checks all systems on the command line, and at the end of the realm's set-up, the "
        "manager creates a test user, signs in as that person, and removes the user again. Off: "
        "only if somebody asks for it"
    ),
    **CHECKS,
    **PERSON,
    **CLIENT,
    **DIRECTORY,
    **INVENTORY,
    **TOKENS,
    **MEMBERS,
}

message = Catalogue(
    "identity_provider",
    __file__,
    {**_ENGLISH, **LABELS},
    codes={key: f"identity_provider_labels.{key}" for key in LABELS},
)
