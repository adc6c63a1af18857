"""Messages of the checks of the identity provider of single members of its documents."""

from workspace_manager.contract.message import English

MEMBERS: dict[str, English] = {
    # members/realm.py
    "check_enabled": "realm enabled",
    "realm_is_disabled": "the realm is disabled: nobody can sign in, and services get no tokens",
    "switch_realm_on": "Switch on Enabled at the top of Realm settings.",
    "check_addresses": "e-mail addresses",
    "addresses_are_shared": (
        "several people may have the same e-mail address: what is meant for one of them reaches "
        "another"
    ),
    "switch_duplicates_off": "Switch off Realm settings, Login, Duplicate emails.",
    "check_signatures": "signatures",
    "signatures_are_secret": (
        "tokens are signed with a key that only the realm has: nobody else can verify them, and "
        "the manager takes no sign-in"
    ),
    "sign_with_public_key": ("Set Realm settings, Tokens, Default Signature Algorithm to RS256."),
    # checks_realm.py
    "check_settings_realm": "settings: realm",
    "realm_is_master": (
        "the settings name the realm {realm}, in which the identity provider keeps its own "
        "administrators: it is no workspace"
    ),
    "name_another_realm": "Set the realm in the settings to the one people sign in to.",
    "realm_not_there": ("the identity provider has no realm {realm}, which the settings name"),
    "name_realm_there": (
        "Set the realm in the settings to the one people sign in to; it is spelt as in the address "
        "of its pages, capital letters count."
    ),
    "check_times": "times",
    "times_are_short": (
        "these times are so short that a sign-in or a session ends before somebody gets on: {times}"
    ),
    "lengthen_times": "Raise them under Realm settings, Sessions and Tokens.",
    "check_not_before": "revocation",
    "tokens_not_yet": (
        "the realm refuses every token made before {when}, which is to come: nobody gets anywhere"
    ),
    "clear_not_before": "Clear Not before under Sessions, Action, Revocation.",
    "check_lockout": "lockout",
    "locked_for_good": (
        "wrong passwords disable a user until an administrator enables them again: whoever knows a "
        "name can lock that person out"
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
        "{n} wrong password locks a user: whoever mistypes is out",
        "{n} wrong passwords lock a user: whoever mistypes is out",
    ),
    "allow_more_tries": (
        "Raise Max login failures under Realm settings, Security defenses, Brute force detection."
    ),
    "check_mail": "letters",
    "no_mail_server": (
        "the realm requires people to confirm their address by e-mail, but has no mail server: "
        "these people cannot sign in"
    ),
    "set_mail_server": "Fill in Realm settings, Email, or switch off Login, Verify email.",
    "languages_missing": (
        "the sign-in pages lack {languages}, in which people read the manager's pages"
    ),
    "add_languages": "Add them under Realm settings, Localization, Supported locales.",
    "check_default_groups": "default groups",
    "everybody_is_in_group": (
        "every new user is put into {groups}, as a group of a knowledge stack is called: everybody "
        "is in it"
    ),
    "take_out_default_groups": (
        "Take them out under Realm settings, User registration, Default groups."
    ),
    # checks_profile.py
    "check_attributes_written": "attributes written",
    "attributes_not_writable": (
        "administrators may not edit {names}: what an approval writes there is dropped, without a "
        "word"
    ),
    "let_admin_edit": (
        "Under Realm settings, User profile, let administrators view and edit {names}."
    ),
    # checks_people.py
    "check_required_actions": "required actions",
    "people_delete_themselves": (
        "whoever has the role delete-account may delete their own user: what they have in other "
        "systems stays, and nobody is told"
    ),
    "switch_delete_account_off": (
        "Switch off Authentication, Required actions, Delete Account; whoever wants to leave is "
        "removed by the manager."
    ),
    "passwords_stay_given": (
        "nobody is asked for a password of their own: one that an administrator gave stays good "
        "for both"
    ),
    "switch_update_password_on": ("Switch on Authentication, Required actions, Update Password."),
    "check_broker": "sign-in through {alias}",
    "brokers_let_in": (
        "whoever this provider lets in becomes a user here: approved by nobody, and the drive "
        "makes an account for whoever signs in"
    ),
    "link_only": (
        "Switch on Account linking only under Identity providers, {alias}, or switch the provider "
        "off."
    ),
    "right_actions": "read the required actions",
    "for_actions": "knowing what people may do to their own user",
    "right_brokers": "read the identity providers",
    "for_brokers": "knowing who else lets people in",
}
