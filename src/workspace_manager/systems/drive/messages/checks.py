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
    "provider_hashes_ids": "The provider uses hashes as account ids (unique uid).",
    "ids_of_another_claim": (
        "The provider takes account ids from the claim {claim} instead of sub: the manager does "
        "not find accounts by the person's id, and the next person with the same name gets the "
        "files."
    ),
    "email_is_another": (
        "The provider takes people's e-mail address from the claim {claim} instead of email."
    ),
    "sign_in_of_groups_alone": (
        "The provider only accepts members of certain groups, but the manager adds nobody to a "
        "group."
    ),
    "scope_without_openid": (
        "The provider asks for the scopes {scope} without openid, so the identity provider does "
        "not tell who signs in, and nobody can."
    ),
    "set_scope": 'Set the scopes ({occ} <name> --scope="openid email profile").',
    "provider_prefix_differs": (
        "The provider names accounts with the prefix {there}, the settings say {here}."
    ),
    "provider_named_otherwise": (
        "the drive names its provider {there}, the settings name it {here}: a sign-out elsewhere "
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
        (
            "{n} account id is a hash: the account was made with unique uid on, or from a very "
            "long subject."
        ),
        (
            "{n} account ids are hashes: the accounts were made with unique uid on, or from very "
            "long subjects."
        ),
    ),
    "no_administrator_is_set": "No administrator of the drive is configured.",
    "set_administrator": (
        "Configure one. Without it, the removal of a person only revokes the app password: the "
        "drive account and its files stay until somebody deletes them by hand."
    ),
    "not_in_group_admin_as": "The configured account {id} is not in the drive's group admin.",
    "add_to_group_admin": (
        "Add it (occ group:adduser admin NAME). To this account, accounts that it may not see look "
        "as if they did not exist."
    ),
    "we_are_administrator": "The manager signs in as {id}, an administrator.",
    "update_app_or_name_container": (
        "Update the app beyond 8.10.1, or name the drive's application container as the fallback."
    ),
    "version_refuses_tokens": (
        "Version {version} refuses tokens that were issued for another client."
    ),
    "update_app": (
        "Update the app to 7.2 or later (6.1 to 6.4: "
        "selfencoded_bearer_validation_azp_check=false)."
    ),
    "version": "Version {version}.",
    "not_one_provider": "The drive has {count} OpenID Connect providers instead of one.",
    "configure_one_provider": "Configure exactly one ({occ}, {occ}:delete).",
    "provider_as_needed": "There is one provider, {identifier}, and it is set up correctly.",
    "rule_does_not_fit": (
        (
            "{n} account of a known person follows {rule}: {person} has {there}, but the settings "
            "lead to {here}. A removal does not find it."
        ),
        (
            "{n} accounts of known people follow {rule}: {person} has {there}, but the settings "
            "lead to {here}. A removal does not find these."
        ),
    ),
    "rule_claim": "the claim {claim}",
    "rule_unique_uid": "unique uid",
    "rule_prefix": "the prefix {prefix}",
    "name_by_sub": (
        "Set --unique-uid=0 and --mapping-uid=sub ({occ} <name>). Existing accounts keep their "
        "names. Assign them to their people with a take-over (take-over list)."
    ),
    "unknown_prefixes": (
        "There are accounts with the prefix {prefixes}, which the settings do not name."
    ),
    "set_prefix": (
        "Set it as the prefix, or as the legacy prefix if it was used in the past. Otherwise these "
        "accounts belong to nobody."
    ),
    "set_unique_uid_off": (
        "Set --unique-uid=0 ({occ}). The old accounts stay, and the manager cannot assign them to "
        "anybody."
    ),
    "no_account_has_prefix": "No account begins with the configured prefix.",
    "write_empty": "Write {{empty}} if the drive uses the subject without a prefix.",
    "account_ids_agree": "The account ids match the settings, as far as the check can see.",
    # checks_pages.py
    "sign_out_passed_on": "The drive passes the sign-out on to {host}.",
    "sign_out_passed_on_somewhere": "The drive passes the sign-out on to the provider.",
    "sign_out_no_such_page": "The sign-out answered 404: the drive has no such page.",
    "sign_out_not_reached": "The sign-out answered 404: the request did not reach the drive.",
    "sign_in_leads_straight": "The sign-in page leads directly to the identity provider.",
    "sign_in_leads_elsewhere": "The sign-in page does not lead to the OpenID Connect app.",
    "check_what_answers_before": (
        "Check the base URL, and which program in front of the drive answers."
    ),
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
    "sign_in_offers_nothing": "The sign-in page offers no way to sign in.",
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
    "sign_out_other_host": "The sign-out leads back to another host than that of the base URL.",
    "set_post_logout": (
        "Set the provider's post-logout address to the drive's home ({occ} <name> "
        "--postlogouturi=…)."
    ),
    "sign_out_elsewhere": (
        "The sign-out leads to {there} and not to our realm, so the session there continues."
    ),
    "clear_end_session": (
        "Clear the provider's own end-session address ({occ} <name> --endsessionendpointuri=), so "
        "that the identity provider's is used."
    ),
    "sign_out_stays": (
        "The sign-out ends the session in the drive only: the identity provider's session "
        "continues."
    ),
    "configure_single_logout": (
        "Configure exactly one provider, allow_multiple_user_backends=0 and single_logout on."
    ),
    "sign_out_provider_gone": (
        "The sign-out answered 404: the provider no longer exists (deleted or renamed)."
    ),
    "configure_provider_again": (
        "Configure the provider again under its old name. People then have to sign in again."
    ),
    "enable_oidc_app": "Enable the OpenID Connect app (occ app:enable user_oidc).",
    "let_apps_pass": "The proxy in front of the drive answered instead. Let it pass /apps/ on.",
    "sign_out_answered_status": "The sign-out answered {status}.",
    "check_discovery": (
        "The drive cannot reach the identity provider. Check the discovery address. If it is "
        "internal, set allow_local_remote_servers."
    ),
    "sign_out_answered": "The sign-out answered {shape}.",
}
