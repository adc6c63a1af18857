"""Messages of the checks of the drive about sign-ins, app passwords and its configuration file."""

from workspace_manager.contract.message import English

CHECKS_OF_SIGN_IN: dict[str, English] = {
    "check_sign_in_way": "way of a sign-in",
    "check_login_form": "sign-in form for emergencies",
    "check_app_passwords": "app passwords for tokens",
    "check_configuration": "configuration file",
    "check_failed_sign_ins": "failed sign-ins from our address",
    # checks_administrator.py, checks_sign_in.py
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
    "sign_in_asks_nobody": (
        "A sign-in asks the identity provider to ask nobody (prompt=none): nobody gets in who is "
        "not signed in there already."
    ),
    "clear_prompt": "Clear user_oidc prompt (occ config:system:delete user_oidc prompt).",
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
    "client_not_taken": (
        "The identity provider does not take the drive as its client: “{said}” Nobody can sign in "
        "at the drive."
    ),
    "mend_client": (
        "Run setup identity-provider, or look at the client {id} there: it has to be there, "
        "enabled, with client authentication and the standard flow."
    ),
    "sign_in_goes_all_the_way": (
        "A sign-in goes to our realm and back, and the drive's client secret is taken there."
    ),
    "sign_in_goes_out": (
        "A sign-in goes to our realm; the drive does not say whether its client secret is "
        "taken there."
    ),
    # checks_login_form.py
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
    # checks.py, checks_inside.py
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
    "sign_ins_of_any_client": (
        "The drive takes sign-ins that were made for any client of the realm."
    ),
    "switch_login_audience_check_on": (
        "Set user_oidc login_validation_audience_check to true (occ config:system:set)."
    ),
    "any_certificate": (
        "The drive takes any certificate for the identity provider's: whoever stands between them "
        "signs in as anybody."
    ),
    "switch_self_signed_off": (
        "Set user_oidc httpclient.allowselfsigned to false (occ config:system:set), and give the "
        "drive the authority that signed the certificate (occ security:certificates:import)."
    ),
    "debug_is_on": (
        "The drive runs in debug mode: sign-ins go over plain http, and error pages show what is "
        "inside."
    ),
    "switch_debug_off": "Set debug to false (occ config:system:set).",
    "guessing_is_free": (
        "The protection against guessed passwords is off: the administrator's can be tried without "
        "end."
    ),
    "switch_protection_on": (
        "Set auth.bruteforce.protection.enabled to true (occ config:system:set)."
    ),
    "few_failed_sign_ins": "The drive does not let our calls wait.",
    "our_calls_wait": (
        "The drive lets each of our calls with a password wait, {seconds} s by now, since failed "
        "sign-ins came from our address. A few more, and it refuses all of them."
    ),
    "find_who_fails": (
        "Find who sends a stale password (the drive's log). If people share our address, name the "
        "proxy before the drive in trusted_proxies. Then reset the counters (occ "
        "security:bruteforce:reset with our address)."
    ),
    "few_attempts": (
        "The drive blocks an address after fewer failed sign-ins than a group of people behind "
        "one proxy makes by mistake."
    ),
    "set_attempts": "Set auth.bruteforce.max-attempts to {n} (occ config:system:set).",
}
