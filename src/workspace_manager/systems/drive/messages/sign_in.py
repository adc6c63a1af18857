"""Messages of the checks of the drive about sign-ins, app passwords and its configuration file."""

from workspace_manager.contract.message import English

CHECKS_OF_SIGN_IN: dict[str, English] = {
    "check_sign_in_way": "steps of a sign-in",
    "check_login_form": "sign-in form for emergencies",
    "check_app_passwords": "app passwords for tokens",
    "check_configuration": "configuration file",
    "check_failed_sign_ins": "failed sign-ins from our address",
    # checks_administrator.py, checks_sign_in.py
    "administrator_uses_password": (
        "The manager signs in as the administrator {id} with a real password. Each call takes ten "
        "times as long as with an app password, and the password opens everything."
    ),
    "make_app_password": (
        "Create an app password (occ user:add-app-password NAME, or Settings, Security in the "
        "drive), and enter it instead of the password."
    ),
    "another_client": (
        "At the identity provider, the drive uses the client {there}, but the realm knows it as "
        "{here}: sign-ins or tokens are refused."
    ),
    "set_client_id": "Set the provider's client id ({occ} <name> --clientid={id}).",
    "another_realm": (
        "The drive signs people in at {there}, not in the realm of the settings ({here}): people "
        "have other ids there, and the drive refuses our tokens."
    ),
    "set_discovery": (
        "If the identity provider's check finds the realm of the settings, set the provider's "
        "discovery address ({occ} <name> "
        "--discoveryuri={issuer}/.well-known/openid-configuration). Otherwise correct the settings."
    ),
    "no_post_logout": (
        "The provider has no address for the way back after a sign-out: newer versions use the "
        "drive's own, older ones answer 404."
    ),
    "set_post_logout_home": "Set it to the drive's home ({occ} <name> --postlogouturi=…).",
    "display_name_is_another": (
        "The provider takes people's names from the claim {claim} instead of {wanted}, so people "
        "have other names in the drive than elsewhere."
    ),
    "sign_in_wants_https": (
        "The drive thinks that sign-ins arrive over unencrypted http, and refuses them."
    ),
    "tell_https": (
        "Let the proxy send X-Forwarded-Proto and name it in trusted_proxies, or set "
        "overwriteprotocol to https."
    ),
    "sign_in_does_not_begin": "A sign-in cannot be started: {shape}.",
    "check_provider": (
        "Check the drive's OpenID Connect provider, and what is in front of the drive."
    ),
    "sign_in_comes_back_elsewhere": (
        "A sign-in returns to {there}, which is not at the drive's address {here}, so the identity "
        "provider refuses it."
    ),
    "set_own_address": (
        "Set overwrite.cli.url, overwritehost and overwriteprotocol of the drive, or the base "
        "URL here, to the address that browsers use."
    ),
    "sign_in_asks_nobody": (
        "A sign-in does not ask for a password (prompt=none), so only people who are already "
        "signed in at the identity provider can sign in."
    ),
    "clear_prompt": "Clear user_oidc prompt (occ config:system:delete user_oidc prompt).",
    "sign_in_at_another_address": (
        "The drive sends people to {there}, but the settings have the identity provider's address "
        "{here}: each refuses the tokens of the other."
    ),
    "use_one_address": (
        "Give the identity provider one address (its hostname), and use it in both places."
    ),
    "secret_refused": (
        "The identity provider refuses the drive's client secret, so nobody can sign in to the "
        "drive."
    ),
    "copy_secret": (
        "Copy it from Clients, Credentials of the identity provider ({occ} <name> "
        "--clientsecret-env=NAME, or --clientsecret=…)."
    ),
    "client_not_taken": (
        "The identity provider does not accept the drive as a client: “{said}” Nobody can sign in "
        "to the drive."
    ),
    "mend_client": (
        "Run setup identity-provider, or check the client {id} there: it has to exist and be "
        "enabled, with client authentication and the standard flow."
    ),
    "sign_in_goes_all_the_way": (
        "A sign-in leads to our realm and back, and the identity provider accepts the drive's "
        "client secret."
    ),
    "sign_in_goes_out": (
        "A sign-in leads to our realm. The drive does not show whether the identity provider "
        "accepts its client secret."
    ),
    # checks_login_form.py
    "form_is_for_emergencies": "The form is hidden, and offers nothing else.",
    "form_is_shown": (
        "The form for local passwords is visible, and people try the password of their identity "
        "provider account there in vain."
    ),
    "hide_form": (
        "Set hide_login_form to true (occ config:system:set); administrators still sign in by "
        "/login?direct=1."
    ),
    "password_link_is_shown": (
        "The form offers to reset a forgotten password, which does not work for people of the "
        "identity provider."
    ),
    "hide_password_link": "Set lost_password_link to disabled (occ config:system:set).",
    "id4me_is_on": (
        "ID4me is on: it adds a second sign-in button, through which people come in from any "
        "provider."
    ),
    "switch_id4me_off": "Switch it off (occ config:app:set user_oidc id4me_enabled --value=0).",
    "social_login_is_on": (
        "The social-login app is on: it adds a second sign-in button, which creates other accounts."
    ),
    "disable_social_login": "Disable it (occ app:disable sociallogin).",
    # checks.py, checks_inside.py
    "app_passwords_are_reached": "The drive itself answers at this address.",
    "app_passwords_are_not_reached": (
        "Another program answers at this address ({shape}), so no app password can be created for "
        "a token."
    ),
    "let_ocs_pass": "Let everything in front of the drive pass addresses below /ocs/ on.",
    "configuration_as_needed": "The settings for sign-ins are correct.",
    "accounts_are_not_made": (
        "The drive creates no account for people who sign in for the first time, so it refuses "
        "their tokens."
    ),
    "switch_auto_provision_on": (
        "Set user_oidc auto_provision to true and disable_account_creation to false (occ "
        "config:system:set)."
    ),
    "tokens_are_not_checked": (
        "The validation of bearer tokens is off, so the drive refuses every token."
    ),
    "switch_validation_on": (
        "Set user_oidc selfencoded_bearer_validation to true (occ config:system:set)."
    ),
    "tokens_of_any_client": (
        "The drive accepts tokens of any client in the realm: a program that gets a person's token "
        "can use the drive as that person."
    ),
    "switch_audience_check_on": (
        "Set user_oidc selfencoded_bearer_validation_audience_check to true (occ "
        "config:system:set)."
    ),
    "sign_ins_of_any_client": "The drive accepts sign-ins of any client in the realm.",
    "switch_login_audience_check_on": (
        "Set user_oidc login_validation_audience_check to true (occ config:system:set)."
    ),
    "any_certificate": (
        "The drive accepts any certificate as the identity provider's: an attacker between the two "
        "can sign in as anybody."
    ),
    "switch_self_signed_off": (
        "Set user_oidc httpclient.allowselfsigned to false (occ config:system:set), and import the "
        "certificate of the authority into the drive (occ security:certificates:import)."
    ),
    "debug_is_on": (
        "The drive runs in debug mode: sign-ins use unencrypted http, and error pages show "
        "internal details."
    ),
    "switch_debug_off": "Set debug to false (occ config:system:set).",
    "guessing_is_free": (
        "The protection against guessed passwords is off, so the administrator's password can be "
        "guessed without limit."
    ),
    "switch_protection_on": (
        "Set auth.bruteforce.protection.enabled to true (occ config:system:set)."
    ),
    "few_failed_sign_ins": "The drive does not delay the manager's calls.",
    "our_calls_wait": (
        "The drive delays each of our calls with a password, by {seconds} s now, because of failed "
        "sign-ins from our address. After a few more it refuses all calls."
    ),
    "find_who_fails": (
        "Find out in the drive's log which program sends an old password. If people share our "
        "address, add the proxy in front of the drive to trusted_proxies. Then reset the counters "
        "(occ security:bruteforce:reset with our address)."
    ),
    "few_attempts": (
        "The drive blocks an address after so few failed sign-ins that typing mistakes of several "
        "people behind one proxy are enough."
    ),
    "set_attempts": "Set auth.bruteforce.max-attempts to {n} (occ config:system:set).",
}
