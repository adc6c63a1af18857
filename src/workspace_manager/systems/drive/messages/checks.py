"""Messages of the checks of the drive."""

from workspace_manager.contract.message import English

CHECKS: dict[str, English] = {
    # checks of several files
    "check_reachable": "reachable",
    "check_administrator": "administrator",
    "check_command_line": "command-line tool",
    "check_oidc_app": "OpenID Connect app",
    "check_oidc_provider": "OpenID Connect provider",
    "check_account_ids": "account ids",
    "check_sign_in": "sign-in goes to the identity provider",
    "check_single_logout": "single logout",
    # checks.py
    "in_maintenance_page": "The drive answers, but is in maintenance.",
    "needs_upgrade": "The drive answers, but needs an upgrade step.",
    "finish_maintenance": (
        "Finish the maintenance (occ maintenance:mode --off) or the upgrade (occ upgrade)."
    ),
    "not_installed": "The drive is not installed yet.",
    "install_it": "Install it.",
    "answers_version": "The drive answers, version {version}.",
    "container_without_manager": (
        "An application container is named, but no container manager is configured."
    ),
    "configure_container_manager": "Configure the container manager, or leave the name empty.",
    "container_is": "The application container is {status}.",
    "start_it": "Start it.",
    "container_runs": "The application container runs.",
    # checks_administrator.py
    "version_makes_no_app_password": (
        "Version {version} makes no app password for a token (8.7.0 to 8.10.1 cannot)."
    ),
    "version_makes_no_app_password_fallback": (
        "Version {version} makes no app password for a token (8.7.0 to 8.10.1 cannot). The "
        "command-line tool in the container is used instead."
    ),
    "provider_hashes_ids": "The provider hashes account ids (unique uid).",
    "ids_of_another_claim": (
        "The provider names accounts by the claim {claim} instead of sub: nobody's account is "
        "found by their id, and whoever gets the name gets the files."
    ),
    "email_is_another": (
        "The provider takes people's e-mail address from the claim {claim} instead of email."
    ),
    "sign_in_of_groups_alone": (
        "The provider lets in members of some groups alone: the manager puts nobody into a group."
    ),
    "scope_without_openid": (
        "The provider asks for the scopes {scope}, without openid: the identity provider says "
        "nothing of who signs in, and nobody gets in."
    ),
    "set_scope": 'Set the scopes ({occ} <name> --scope="openid email profile").',
    "provider_prefix_differs": (
        "The provider names accounts with the prefix {there}, the settings say {here}."
    ),
    "provider_named_otherwise": (
        "the drive calls its provider {there}, the settings call it {here}: a sign-out elsewhere "
        "does not reach the drive"
    ),
    "leave_provider_name_empty": (
        "Leave the provider's name empty in the drive's settings, or set the right one; then run "
        "setup identity-provider."
    ),
    "provider_checks_no_tokens": "The provider does not check bearer tokens.",
    "provider_takes_no_names": "The provider does not take names from bearer tokens.",
    "provider_sends_no_hint": "The provider signs out without an ID token hint.",
    "set_option": "Set {option} ({occ} {identifier}).",
    "set_same_prefix": "Set the same prefix in the manager's settings ({occ} {identifier}).",
    "ids_are_hashes": (
        "{n} account id is a hash: made while unique uid was on, or of a very long subject.",
        "{n} account ids are hashes: made while unique uid was on, or of very long subjects.",
    ),
    "no_administrator_is_set": "No administrator of the drive is configured.",
    "set_administrator": (
        "Set one, else removing a person only revokes the app password: the drive account and its "
        "files stay until somebody deletes them by hand."
    ),
    "not_in_group_admin_as": "The configured account {id} is not in the drive's group admin.",
    "add_to_group_admin": (
        "Add it (occ group:adduser admin NAME): accounts it may not see look as if they did not "
        "exist."
    ),
    "we_are_administrator": "We are {id}, an administrator.",
    "update_app_or_name_container": (
        "Update the app beyond 8.10.1, or name the drive's application container as the fallback."
    ),
    "version_refuses_tokens": "Version {version} refuses tokens made for another client.",
    "update_app": (
        "Update the app to 7.2 or later (6.1 to 6.4: "
        "selfencoded_bearer_validation_azp_check=false)."
    ),
    "version": "Version {version}.",
    "not_one_provider": "The drive has {count} OpenID Connect providers instead of one.",
    "configure_one_provider": "Configure exactly one ({occ}, {occ}:delete).",
    "provider_as_needed": "One provider, {identifier}, set up as needed.",
    "rule_does_not_fit": (
        "{n} account of somebody we know is named by {rule}: {person} has {there}, and the "
        "settings make {here} of them. A removal does not find it.",
        "{n} accounts of people we know are named by {rule}: {person} has {there}, and the "
        "settings make {here} of them. A removal does not find these.",
    ),
    "rule_claim": "the claim {claim}",
    "rule_unique_uid": "unique uid",
    "rule_prefix": "the prefix {prefix}",
    "name_by_sub": (
        "Set --unique-uid=0 and --mapping-uid=sub ({occ} <name>). What is there keeps its name: "
        "give it to its person in a take-over (take-over list)."
    ),
    "unknown_prefixes": (
        "There are accounts with the prefix {prefixes}, which the settings do not name."
    ),
    "set_prefix": (
        "Set it as prefix, or as legacy prefix if it was used in the past; else these accounts are "
        "nobody's."
    ),
    "set_unique_uid_off": (
        "Set --unique-uid=0 ({occ}); the old accounts stay and belong to nobody we can name."
    ),
    "no_account_has_prefix": "No account begins with the configured prefix.",
    "write_empty": "Write {{empty}} if the drive uses the raw subject.",
    "account_ids_agree": "The account ids agree with the settings, as far as can be seen.",
    # checks_pages.py
    "sign_out_passed_on": "Signing out is passed on to {host}.",
    "sign_out_passed_on_somewhere": "Signing out is passed on to the provider.",
    "sign_out_no_such_page": "Signing out answered 404: the drive has no such page.",
    "sign_out_not_reached": "Signing out answered 404: the request did not reach the drive.",
    "sign_in_leads_straight": "The sign-in page leads straight to the identity provider.",
    "sign_in_leads_elsewhere": "The sign-in page leads somewhere else than the OpenID Connect app.",
    "check_what_answers_before": "Check the base URL and what answers before the drive.",
    "sign_in_answered": "The sign-in page answered {shape}.",
    "check_base_url": "Check the base URL.",
    "sign_in_buttons": "The sign-in page offers {buttons} sign-in buttons.",
    "leave_one_provider": (
        "Disable the social-login app, switch ID4me off (id4me_enabled=0), and delete every OpenID "
        "Connect provider but one."
    ),
    "sign_in_asks_password": (
        "The sign-in page asks for a password instead of leading to the identity provider."
    ),
    "sign_in_by_button": (
        "The sign-in page offers a button instead of leading to the identity provider."
    ),
    "sign_in_offers_nothing": "The sign-in page offers no way in.",
    "have_one_provider": (
        "Enable the OpenID Connect app (occ app:enable user_oidc), and configure exactly one "
        "provider."
    ),
    "switch_backends_off": (
        "Set allow_multiple_user_backends=0 of the OpenID Connect app, and configure exactly one "
        "provider."
    ),
    "our_address_is_blocked": (
        "The drive answered 429: our address is blocked after failed sign-ins or sign-outs."
    ),
    "reset_counters": (
        "Reset the counters (occ security:bruteforce:reset with our address) or wait 30 minutes."
    ),
    "sign_out_other_host": "Signing out leads back to another host than the drive's base URL.",
    "set_post_logout": (
        "Set the provider's post-logout address to the drive's home ({occ} <name> "
        "--postlogouturi=…)."
    ),
    "sign_out_elsewhere": (
        "Signing out leads to {there}, not to our realm: the session there goes on."
    ),
    "clear_end_session": (
        "Clear the provider's own end-session address ({occ} <name> --endsessionendpointuri=), so "
        "that the identity provider's is used."
    ),
    "sign_out_stays": "Signing out stays at the drive: the identity provider's session goes on.",
    "configure_single_logout": (
        "Configure exactly one provider, allow_multiple_user_backends=0 and single_logout on."
    ),
    "sign_out_provider_gone": (
        "Signing out answered 404: the provider is gone (deleted or renamed)."
    ),
    "configure_provider_again": (
        "Configure the provider again under its old name; people must sign in afresh."
    ),
    "enable_oidc_app": "Enable the OpenID Connect app (occ app:enable user_oidc).",
    "let_apps_pass": "The proxy before the drive answered: let it pass /apps/.",
    "sign_out_answered_status": "Signing out answered {status}.",
    "check_discovery": (
        "The drive cannot reach the identity provider. Check the discovery address; if it is an "
        "internal one, set allow_local_remote_servers."
    ),
    "sign_out_answered": "Signing out answered {shape}.",
}
