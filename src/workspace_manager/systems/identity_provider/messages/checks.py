"""Messages of the checks of the identity provider."""

from workspace_manager.contract.message import English

CHECKS: dict[str, English] = {
    # checks.py, checks_realm.py
    "check_reachable": "reachable",
    "check_sign_in": "sign-in",
    "check_manage_users": "rights: manage users",
    "check_manage_clients": "rights: manage clients",
    "check_users_enabled": "users enabled",
    "check_delete_path": "settings: delete path",
    "check_attributes_declared": "attributes declared",
    "check_attributes_private": "attributes private",
    "check_profile_rules": "user profile: rules",
    # checks_profile.py
    "profile_requires": (
        "the realm's user profile requires {field} also when an administrator saves, and an "
        "approval does not set it: approvals fail, and people without {field} can be neither "
        "locked nor suspended"
    ),
    "profile_requires.remedy": (
        "Under Realm settings, User profile, require {field} from users only, or not at all."
    ),
    "profile_refuses": (
        "the rule “{rule}” for {field} in the realm's user profile refuses what the manager "
        "writes, such as {value}{sentence}"
    ),
    "profile_may_refuse": (
        "the rule “{rule}” for {field} in the realm's user profile may refuse what people enter "
        "when they register: their approval then fails, and people who break the rule can be "
        "neither locked nor suspended{sentence}"
    ),
    "profile_says": "; the realm says “{sentence}”",
    "profile_rule.remedy": (
        "Under Realm settings, User profile, relax the rule for {field}, or tell people who "
        "register and people who approve what it requires."
    ),
    "check_undeclared_attributes": "undeclared attributes",
    "check_token_lifespan": "token lifespan",
    "check_session_lifespan": "session lifespan",
    "check_internationalisation": "internationalisation",
    "check_brute_force": "brute force",
    "check_https": "https",
    "check_allowed": "allowed",
    "check_own_client": "own client",
    "check_own_client_sub": "own client: sub",
    "check_own_client_secret": "own client: secret",
    "check_audience": "audience",
    "check_right": "rights: {right}",
    "right_users": "query users",
    "for_users": "finding and looking at people",
    "right_profile": "read the user profile",
    "for_profile": "knowing which attributes are stored",
    "right_realm": "read the realm",
    "for_realm": "knowing how long tokens are valid",
    "right_clients": "read the clients",
    "for_clients": "checking them, and knowing how long tokens are valid",
    "right_groups": "read the groups",
    "for_groups": "keeping the groups of knowledge stacks",
    "right_scopes": "read the client scopes",
    "for_scopes": "finding the audience mapper",
    "realm_answers": "the realm answers under its own address",
    "realm_has_other_address": (
        "the realm answers with another address than the one in the settings"
    ),
    "set_hostname": (
        "Set the identity provider's hostname, or the address in the settings, to the one browsers "
        "use: tokens carry it."
    ),
    "give_roles": (
        "Give the administrator the roles {roles} of {client}; they are needed for {purpose}."
    ),
    "users_not_changeable": "the manager can see users but may not change them",
    "clients_not_changeable": (
        "the administrator may not create or delete clients, so knowledge stacks with a sign-in "
        "cannot be created"
    ),
    "give_manage_clients": (
        "Give the administrator the role manage-clients of {client}, or offer no template "
        "that needs a sign-in."
    ),
    "give_manage_users": "Give the administrator the role manage-users of {client}.",
    "users_are_disabled": (
        "these users are disabled, but not by the manager, and cannot sign in: {users}"
    ),
    "switch_enabled_on": (
        "If nobody disabled them on purpose, switch Enabled on for each, and let the program that "
        "makes users send `enabled`. If it is left out, it means no."
    ),
    "delete_path_without_id": "the delete path does not say where the user's id goes",
    "set_it_to_user_id": "Set it to /{{userId}}.",
    "profile_does_not_declare": (
        "the user profile does not declare {names}: the identity provider silently discards what "
        "is written there"
    ),
    "every_attribute_kept": "every attribute of the workspace is stored",
    "attributes_are_open": (
        "people may see or edit {names} themselves, and so claim another person's account"
    ),
    "any_attribute": "people can set any attribute that is not declared",
    "set_unmanaged": "Set Realm settings, Unmanaged attributes to Disabled, or to Admin can edit.",
    "realm_shows_name_only": "the realm shows us its name but none of its settings",
    "give_view_realm": "Give the administrator the role view-realm of {client}.",
    "token_lives": (
        "an access token is valid for up to {seconds} seconds; a removal checks again after that "
        "time"
    ),
    "shorten_token": (
        "Shorten it in the realm, or in the client that has its own value: a token cannot be "
        "revoked before it expires."
    ),
    "sign_in_lasts_long": "a session lasts longer than two weeks",
    "shorten_session": "Shorten Realm settings, Sessions, SSO Session Max.",
    "one_language": (
        "the sign-in pages have one language, and a person's language is stored only if the user "
        "profile declares it"
    ),
    "switch_localization_on": "Switch on Realm settings, Localization, and choose the languages.",
    "tried_without_limit": "passwords can be guessed without limit",
    "switch_brute_force_on": "Switch on Realm settings, Security defenses, Brute force detection.",
    "passwords_over_http": "the realm accepts passwords over unencrypted http",
    "require_ssl": "Set Realm settings, Require SSL to External requests.",
    "check_registration": "registration",
    "check_registration_names": "registration: names",
    "check_user_names": "user names",
    "check_forgotten_passwords": "forgotten passwords",
    "anybody_registers": (
        "anybody can register at the identity provider itself: nobody approves such a user, and "
        "the drive makes an account for everybody who signs in"
    ),
    "addresses_become_names": (
        "at a registration there, the e-mail address becomes the user name: other systems cannot "
        "use such a name, and it changes with the address"
    ),
    "people_rename_themselves": (
        "people may change their own user name: their accounts in other systems stay under the old "
        "name, and the next person with that name gets them"
    ),
    "mailbox_opens_account": (
        "a forgotten password can be reset by e-mail: anybody who reads the mailbox gets the "
        "account, even if nobody confirmed the address"
    ),
    "switch_forgot_password_off": (
        "Switch off Realm settings, Login, Forgot password, and reset passwords by hand."
    ),
    "roles_for_users": "query-users and view-users",
    # checks_clients.py
    "setup_adds_mapper": (
        "Run `workspace-manager setup identity-provider`. It adds the mapper audience-drive. "
        "People have to sign out and in again to get a new token."
    ),
    "check_client": "client: {client_id}",
    "no_such_client": "the realm has no such client",
    "not_as_needed": "it differs from what its system needs: {lacking}",
    "as_needed": "it is set up as its system needs it",
    "no_own_client": (
        "the realm has no enabled client {client_id}: nobody can sign in to the manager"
    ),
    "scope_basic_missing": (
        "the default scope basic is missing, so access tokens have no sub and the drive cannot "
        "tell whose they are"
    ),
    "add_scope_basic": "Add the scope basic to the default client scopes of {client_id}.",
    "audience_set": "access tokens name another service as audience",
    "no_audience_mapper": (
        "no audience mapper adds the drive's client id to the manager's access tokens, so the "
        "drive refuses them with 401"
    ),
    "client_is_public": "the manager's client is public: it has no secret",
    "same_on_both_sides": "the same on both sides",
    "secret_differs": (
        "the client secret in the settings differs from the realm's, so every sign-in fails"
    ),
    "copy_secret": "Copy it from Clients, {client_id}, Credentials into the settings.",
    "check_redirects": "redirect addresses: {name}",
    "redirects_anywhere": (
        "sign-ins may be redirected to any address ({addresses}): an attacker who sends a person "
        "there gets their code"
    ),
    "list_exact_addresses": "List the exact addresses.",
    "redirects_wildcards": "wildcards: {addresses}",
    "list_documented_addresses": (
        "List the exact addresses, as the service's own documentation gives them."
    ),
    "check_post_logout": "post-logout addresses: {name}",
    "sign_outs_anywhere": "sign-outs may be redirected to any address",
    "list_services_address": (
        "List the service's own address, with a wildcard for its paths if it needs one."
    ),
    "check_direct_grants": "direct grants: {name}",
    "public_takes_passwords": (
        "a public client accepts passwords directly: anybody can try passwords there without a "
        "browser"
    ),
    "switch_direct_grants_off": "Switch off Direct access grants on this client.",
    "check_sign_out": "sign-out: {name}",
    "front_channel_is_on": (
        "Front channel logout is on, so the client does not learn from the identity provider when "
        "a session ends"
    ),
    "switch_front_channel_off": "Switch off Front channel logout on this client.",
    "check_password_in_tokens": "password in tokens: {name}",
    "mapper_writes_into_tokens": (
        "the mapper {mapper} writes {attribute} into tokens, so every service that receives a "
        "token sees it"
    ),
    "write_to_userinfo": (
        "Let the mapper write to userinfo only (Add to userinfo on, the others off), and only on "
        "the client that needs it."
    ),
}
