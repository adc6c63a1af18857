"""Messages of the calls to the identity provider."""

from workspace_manager.contract.message import English

CLIENT: dict[str, English] = {
    # client.py
    "expected_number": "expected a number ({shape})",
    "creating_user": "creating the user",
    "looking_at_user": "looking at the user",
    "looking_for_user": "looking for the user by name",
    "querying_users": "querying the users",
    "no_user_shown": "the realm has users but shows none of them to us",
    "give_view_users": "Give the administrator the role view-users of {client}.",
    "looking_for_disabled": "looking for disabled users",
    "changing_user": "changing the user",
    "deleting_user": "deleting the user",
    "path_without_id": "the delete path in the settings does not say where the user's id goes",
    "set_delete_path": "Set the delete path to /{{userId}}.",
    "ending_sessions": "ending the user's sessions",
    "looking_at_sessions": "looking at the user's sessions",
    "attribute_not_set": "the attribute is not set",
    "reading_attribute": "reading the attribute {name}",
    "store_it_again": (
        "Nothing was stored there, or somebody cleared it. Store it again if you need it."
    ),
    "hash_of_other_form": (
        "the stored password hash does not have the format that the identity provider imports"
    ),
    "reject_registration": "Reject the registration and ask the person to register again.",
    # client/look.py
    "no_such_realm": "it has no realm “{realm}”",
    # client/answers.py
    "expected_object": "expected a JSON object ({shape})",
    "expected_list": "expected a list ({shape})",
    "expected_user": "expected a user ({shape})",
    "run_setup": "Run `workspace-manager setup identity-provider`.",
    "our_fault": "This is a bug in the manager. Please report it.",
    "name_is_taken": "a user with this name already exists",
    "email_is_taken": "a user with this e-mail address already exists",
    "name_or_email_is_taken": "a user with this name or e-mail address already exists",
    "mapper_is_there": "a mapper with this name already exists",
    "token_not_accepted": "it does not accept the administrator's token, not even a new one",
    "check_administrator": (
        "Check the administrator's user name, password and realm in the settings."
    ),
    "not_allowed": "the administrator may not do this",
    "give_named_roles": (
        "Give the administrator the roles that `workspace-manager check identity_provider` names."
    ),
    "something_is_there": "something with this name already exists",
    "decide_whose": (
        "Find out in the identity provider whose it is. The manager takes nothing over by name "
        "only."
    ),
    "not_accepted": "it did not accept the request ({why})",
    "no_such_thing": "it does not have this",
    "may_have_been_deleted": "Somebody may have deleted it in the identity provider.",
    "wants_https": "it answers only over https, and its address in the settings is http",
    "allow_http": (
        "Set its https address in the settings, or set Require SSL under Realm settings of the "
        "realm {realm} to External requests."
    ),
    "realm_is_off": "it says that the realm {realm} is not enabled",
    "enable_realm": "Switch on Enabled at the top of Realm settings of the realm {realm}.",
    "no_realm": "The realm does not exist. Check the realm's name in the settings.",
    "check_paths": "Check the paths in the settings and the version of the identity provider.",
    "something_else_answers": (
        "Check the address in the settings. Another program answers there, perhaps a proxy."
    ),
    "address_unknown": "it does not know the address ({shape})",
    "check_double_slashes": "Check the paths in the settings for double slashes.",
    "proxy_may_have_changed": (
        "Check the address in the settings: a proxy may have changed the answer."
    ),
    "compare_with_profile": (
        "Compare the values with the realm's user profile, and check that this manager supports "
        "the version of the identity provider."
    ),
    "no_location": "it created something but did not return its id (no usable Location header)",
    "check_location": (
        "Check whether a proxy in front of the identity provider removes the Location header, and "
        "try again."
    ),
    # client/groups.py
    "looking_for_group": "looking for the group",
    "no_group_shown": "the realm has groups but shows none of them to us",
    "creating_group": "creating the group",
    "deleting_group": "deleting the group",
    "reading_members": "reading the members of the group",
    "joining_group": "adding a member to the group",
    "leaving_group": "removing a member from the group",
    # client/realm.py
    "expected_profile": "expected a user profile ({shape})",
    "looking_for_client": "looking for the client",
    "listing_clients": "listing the clients",
    "reading_discovery": "reading the discovery document",
    "reading_realm": "reading the realm",
    "reading_profile": "reading the user profile",
    "changing_profile": "changing the user profile",
    "would_erase_profile": "an empty user profile would erase the existing one",
    "creating_client": "creating the client",
    "changing_realm": "changing the settings of the realm",
    "changing_client": "changing the client",
    "deleting_client": "deleting the client",
    "reading_client_secret": "reading the client's secret",
    "creating_mapper": "creating the mapper",
    "changing_mapper": "changing the mapper",
    "deleting_mapper": "deleting the mapper",
    "reading_actions": "reading the required actions",
    "reading_brokers": "reading the identity providers",
    "listing_scopes": "listing the client scopes",
    "creating_scope": "creating the client scope",
    "changing_scope": "changing the client scope",
    "no_client_shown": "the realm has clients but shows none of them to us",
    "give_view_clients": "Give the administrator the role view-clients of {client}.",
    # client/roles.py
    "reading_roles": "reading the roles of the service account",
    "giving_roles": "giving roles to the service account",
    "no_such_roles": "the realm does not have these administrative roles: {missing}",
    # client/session.py
    "refreshing_token": "refreshing a person's token",
    "own_client_refused": "it refused the manager's own client",
    "check_own_client_again": "Check the client id and the client secret under Systems.",
    "reading_keys": "reading its keys",
    "being_asked": "a request is already running and takes long",
    "no_issuer": "it does not give its issuer: {shape}",
    "no_keys": "it shows no keys: {shape}",
    "session_ended": "the session has ended ({error})",
    "person_signs_in_again": "The person has to sign out and in again.",
    "answer_without_token": "its answer contains no token ({shape})",
    # client/token.py
    "signing_in": "signing in as administrator",
    "account_disabled": (
        "The administrator's account is disabled at the identity provider. Enable it."
    ),
    "account_not_set_up": (
        "The administrator has to sign in by hand once and complete the required actions (a new "
        "password, a profile)."
    ),
    "direct_grants_off": (
        "Direct access grants are off for the client admin-cli. Switch them on, or use a service "
        "account."
    ),
    "service_account_off": "Switch on the service account of that client.",
    "check_credential": (
        "Check the administrator's user name and password in the settings. The manager tries again "
        "when they have changed."
    ),
    "credential_refused": "it refused the administrator's credentials ({error})",
    "gives_no_token": "it issues no token ({shape})",
    "check_realm_enabled": (
        "Check that the realm in the token address is enabled, and that the address uses https if "
        "the realm requires it."
    ),
    "check_token_address": "Check the address and the token address in the settings.",
}
