"""What the checks of the drive say about sign-ins, app passwords and its configuration file."""

from workspace_manager.contract.message import English

CHECKS_OF_SIGN_IN: dict[str, English] = {
    "check_sign_in_way": "way of a sign-in",
    "check_login_form": "sign-in form for emergencies",
    "check_app_passwords": "app passwords for tokens",
    "check_configuration": "configuration file",
    # checks/administrator.py, checks/sign_in.py
    "administrator_uses_password": (
        "We are {id}, an administrator, by a real password: each look there takes ten times as "
        "long as with an app password, seconds in all, and the password opens everything."
    ),
    "make_app_password": (
        "Make an app password (occ user:add-app-password NAME, or Settings, Security there) "
        "and set it in place of the password."
    ),
    "another_client": (
        "The drive is the client {there} at the identity provider, and the realm knows it as "
        "{here}: sign-ins or tokens are refused."
    ),
    "set_client_id": "Set the provider's client id ({occ} <name> --clientid={id}).",
    "another_realm": (
        "The drive signs people in at {there}, not in the realm of the settings ({here}): "
        "nobody there is who they are here, and our tokens are refused."
    ),
    "set_discovery": (
        "If the identity provider's own check finds the realm of the settings, set the provider's "
        "discovery address ({occ} <name> --discoveryuri={issuer}/.well-known/"
        "openid-configuration); else correct the settings."
    ),
    "no_post_logout": (
        "The provider names no address to come back to after signing out: newer versions take "
        "the drive's own, older ones answer 404."
    ),
    "set_post_logout_home": "Set it to the drive's home ({occ} <name> --postlogouturi=…).",
    "display_name_is_another": (
        "The provider shows people by the claim {claim} instead of {wanted}: the drive calls "
        "them otherwise than everywhere else."
    ),
    "sign_in_wants_https": "The drive takes every sign-in for one over plain http and refuses it.",
    "tell_https": (
        "Let the proxy send X-Forwarded-Proto and name it in trusted_proxies, or set "
        "overwriteprotocol to https."
    ),
    "sign_in_does_not_begin": "A sign-in does not begin: {shape}.",
    "check_provider": "Check the drive's OpenID Connect provider and what lies before the drive.",
    "sign_in_comes_back_elsewhere": (
        "A sign-in shall come back to {there}, which is not at the drive's address {here}: the "
        "identity provider refuses it."
    ),
    "set_own_address": (
        "Set overwrite.cli.url, overwritehost and overwriteprotocol of the drive, or the base "
        "URL here, to the address that browsers use."
    ),
    "sign_in_at_another_address": (
        "The drive sends people to {there}, the settings know the identity provider as {here}: "
        "tokens of the one are refused by the other."
    ),
    "use_one_address": (
        "Give the identity provider one address (its hostname), and use it in both places."
    ),
    "secret_refused": (
        "The identity provider refuses the drive's client secret: nobody can sign in at the drive."
    ),
    "copy_secret": (
        "Copy it from Clients, Credentials of the identity provider ({occ} <name> "
        "--clientsecret-env=NAME, or --clientsecret=…)."
    ),
    "sign_in_goes_all_the_way": (
        "A sign-in goes to our realm and back, and the drive's client secret is taken there."
    ),
    "sign_in_goes_out": (
        "A sign-in goes to our realm; the drive does not say whether its client secret is "
        "taken there."
    ),
    # checks/login_form.py
    "form_is_for_emergencies": "The form is hidden, and nothing else is offered beside it.",
    "form_is_shown": (
        "The form for local passwords is shown: people type their password of the identity "
        "provider there, in vain."
    ),
    "hide_form": (
        "Set hide_login_form to true (occ config:system:set); administrators still sign in by "
        "/login?direct=1."
    ),
    "password_link_is_shown": (
        "The form offers to set a lost password anew, which the drive cannot do for people of "
        "the identity provider."
    ),
    "hide_password_link": "Set lost_password_link to disabled (occ config:system:set).",
    "id4me_is_on": (
        "ID4me is on: a button beside the one of the identity provider, and a way in by any other."
    ),
    "switch_id4me_off": "Switch it off (occ config:app:set user_oidc id4me_enabled --value=0).",
    "social_login_is_on": "The social-login app is on: a second button, whose accounts are others.",
    "disable_social_login": "Disable it (occ app:disable sociallogin).",
    # checks/__init__.py, checks/inside.py
    "app_passwords_are_reached": "The drive itself answers there.",
    "app_passwords_are_not_reached": (
        "Something else than the drive answers there ({shape}): no app password can be made "
        "for a token."
    ),
    "let_ocs_pass": "Let what lies before the drive pass everything below /ocs/.",
    "configuration_as_needed": "What it says of sign-ins is as needed.",
    "accounts_are_not_made": (
        "The drive makes no account for people who come for the first time: their tokens are "
        "refused."
    ),
    "switch_auto_provision_on": (
        "Set user_oidc auto_provision to true and disable_account_creation to false (occ "
        "config:system:set)."
    ),
    "tokens_are_not_checked": "The validation of bearer tokens is off: every token is refused.",
    "switch_validation_on": (
        "Set user_oidc selfencoded_bearer_validation to true (occ config:system:set)."
    ),
    "tokens_of_any_client": (
        "The drive takes tokens that were made for any client of the realm: whoever receives a "
        "person's token can use the drive as that person."
    ),
    "switch_audience_check_on": (
        "Set user_oidc selfencoded_bearer_validation_audience_check to true (occ "
        "config:system:set)."
    ),
    "few_attempts": (
        "The drive blocks an address after fewer failed sign-ins than a group of people behind "
        "one proxy makes by mistake."
    ),
    "set_attempts": "Set auth.bruteforce.max-attempts to {n} (occ config:system:set).",
}
