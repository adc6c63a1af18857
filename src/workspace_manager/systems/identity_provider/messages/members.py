"""Messages of the checks of single members of the identity provider's documents."""

from workspace_manager.contract.message import English

MEMBERS: dict[str, English] = {
    # members/realm.py
    "check_enabled": "realm enabled",
    "realm_is_disabled": "the realm is disabled: nobody can sign in, and services get no tokens",
    "switch_realm_on": "Switch on Enabled at the top of Realm settings.",
    "check_addresses": "e-mail addresses",
    "addresses_are_shared": (
        "several people may have the same e-mail address: an e-mail for one of them reaches the "
        "other"
    ),
    "switch_duplicates_off": "Switch off Realm settings, Login, Duplicate emails.",
    "check_signatures": "signatures",
    "signatures_are_secret": (
        "tokens are signed with a key that only the realm has: nobody else can verify them, so the "
        "manager accepts no sign-in"
    ),
    "sign_with_public_key": ("Set Realm settings, Tokens, Default Signature Algorithm to RS256."),
    # checks_realm.py
    "check_settings_realm": "settings: realm",
    "realm_is_master": (
        "the settings name the realm {realm}, in which the identity provider keeps its own "
        "administrators. Use another realm for people"
    ),
    "name_another_realm": "Set the realm in the settings to the realm that people sign in to.",
    "realm_not_there": ("the identity provider has no realm {realm}, which the settings name"),
    "name_realm_there": (
        "Set the realm in the settings to the realm that people sign in to. Spell it as in the "
        "address of its pages, with the same capital letters."
    ),
    "check_times": "times",
    "times_are_short": (
        "these times are so short that a sign-in or a session ends too early: {times}"
    ),
    "lengthen_times": "Raise them under Realm settings, Sessions and Tokens.",
    "check_not_before": "revocation",
    "tokens_not_yet": (
        "the realm refuses every token made before {when}, which is in the future: nobody can sign "
        "in"
    ),
    "clear_not_before": "Clear Not before under Sessions, Action, Revocation.",
    "check_lockout": "lockout",
    "locked_for_good": (
        "wrong passwords disable a user until an administrator enables the user again: anybody who "
        "knows a user name can lock that person out"
    ),
    "lock_for_a_while": (
        "Set Realm settings, Security defenses, Brute force detection to Lockout temporarily."
    ),
    "locked_long": "wrong passwords lock a user for up to {seconds} seconds",
    "lock_shorter": (
        "Lower Max wait and Minimum quick login wait under Realm settings, Security defenses, "
        "Brute force detection."
    ),
    "locked_soon": (
        "{n} wrong password locks a user: one typing mistake is enough",
        "{n} wrong passwords lock a user: a few typing mistakes are enough",
    ),
    "allow_more_tries": (
        "Raise Max login failures under Realm settings, Security defenses, Brute force detection."
    ),
    "check_mail": "e-mail",
    "no_mail_server": (
        "the realm requires people to confirm their address by e-mail, but has no mail server: "
        "these people cannot sign in"
    ),
    "set_mail_server": "Fill in Realm settings, Email, or switch off Login, Verify email.",
    "languages_missing": "the sign-in pages lack {languages}, which people choose in the manager",
    "add_languages": "Add them under Realm settings, Localization, Supported locales.",
    "check_default_groups": "default groups",
    "everybody_is_in_group": (
        "every new user is put into {groups}, which has the name of a knowledge stack's group: "
        "everybody gets access to that stack"
    ),
    "take_out_default_groups": (
        "Remove them under Realm settings, User registration, Default groups."
    ),
    # checks_profile.py
    "check_attributes_written": "attributes written",
    "attributes_not_writable": (
        "administrators may not edit {names}: the identity provider silently discards the values "
        "that an approval writes"
    ),
    "let_admin_edit": (
        "Under Realm settings, User profile, let administrators view and edit {names}."
    ),
    # checks_people.py
    "check_required_actions": "required actions",
    "people_delete_themselves": (
        "people with the role delete-account can delete their own user: their accounts in other "
        "systems stay, and nobody is told"
    ),
    "switch_delete_account_off": (
        "Switch off Authentication, Required actions, Delete Account. The manager removes people "
        "who want to leave."
    ),
    "passwords_stay_given": (
        "people are never asked for a new password: a password that an administrator set continues "
        "to work for both"
    ),
    "switch_update_password_on": ("Switch on Authentication, Required actions, Update Password."),
    "check_broker": "sign-in through {alias}",
    "brokers_let_in": (
        "everybody who signs in through this provider becomes a user here without an approval, and "
        "the drive makes an account for them"
    ),
    "link_only": (
        "Switch on Account linking only under Identity providers, {alias}, or switch the provider "
        "off."
    ),
    "right_actions": "read the required actions",
    "for_actions": "knowing what people may do to their own user",
    "right_brokers": "read the identity providers",
    "for_brokers": "knowing which other providers people can sign in with",
}
