"""Messages of the calls to the drive."""

from workspace_manager.contract.message import English

CLIENT: dict[str, English] = {
    # client/calls.py
    "reading_account": "reading the account",
    "deleting_account": "deleting the account",
    "disabling_account": "disabling the account",
    "enabling_account": "enabling the account",
    "listing_accounts": "listing accounts",
    "list_of_unknown_shape": "the list of accounts has an unknown form",
    "asking_who_we_are": "asking for our own account",
    "reading_providers": "reading the providers",
    "reading_capabilities": "reading the capabilities",
    "reading_version": "reading the version of {app}",
    "asking_whose_credential": "asking whose credentials they are",
    "asking_for_shares": "reading the person's shares",
    "shares_of_unknown_shape": "the list of shares has an unknown form",
    "making_app_password": "making an app password",
    "revoking_app_password": "revoking the app password",
    # client/token_session.py
    "ending_session": "ending the session that the token opened",
    "reading_status": "reading the status",
    "not_the_drive": "the answer is not the drive's status",
    "fetching": "fetching {path}",
    "no_administrator": "no administrator of the drive is configured",
    "set_administrator_credentials": (
        "Set the administrator's user name and password in the drive's settings."
    ),
    "account_of_unknown_shape": "the account has an unknown form",
    # client/guard.py
    "not_sent_again": "not sent, because the drive has already refused this user name and password",
    "set_right_credential_now": (
        "Enter the right credentials. Another try with the same ones would count towards a block "
        "of our address. If they are right in the meantime, resume the drive, and the manager "
        "sends them again."
    ),
    # client/login_flow.py
    "starting_login_flow": "starting the login flow",
    "login_flow_of_unknown_shape": "the login flow's answer has an unknown form",
    "polling_login_flow": "polling the login flow",
    "no_login_flow": "there is no such login flow",
    "login_flow_expired": "the login flow has expired",
    "start_again": "Connect the drive again.",
    "login_flow_other_host": "the login flow points to another host than the base URL",
    "set_base_url": (
        "Set the base URL to the drive's own address, or correct overwrite.cli.url and the proxy "
        "headers."
    ),
    "login_flow_unknown_page": "the login flow points to an unknown page",
    "login_flow_forbidden": "it answered 403: it does not allow signing in for an app password",
    "use_tokens": (
        "Let people connect with their sign-in (setting: use the OpenID Connect token), or allow "
        "Login Flow in the drive."
    ),
    # client/ocs.py
    "csrf_failed": "it answered 412, CSRF check failed",
    "header_did_not_arrive": (
        "The header OCS-APIRequest did not arrive. Check whether a proxy in front of the drive "
        "removes headers."
    ),
    "not_logged_in": "it answered 401, current user is not logged in",
    "token_rejected": (
        "The drive refused the token. Check that its audience contains the drive's client id, that "
        "it has not expired, that the drive's provider checks bearer tokens, and that the drive "
        "can reach the identity provider (internal addresses need allow_local_remote_servers). If "
        "you use a password: two-factor sign-in needs an app password."
    ),
    "wrong_password": "it answered 401, wrong user name or password, or a disabled account",
    "set_right_credential": (
        "Enter the right credentials. The manager does not try again before they change, because "
        "repeated failures block our address."
    ),
    "blocked": "it answered 429, our address is blocked after too many failed sign-ins",
    "wait_or_reset": (
        "Wait 30 minutes, or reset the counters for our address (occ security:bruteforce:reset). "
        "Find out which program sends an old password."
    ),
    "in_maintenance": "it is in maintenance",
    "answered": "it answers {shape}: not available at the moment",
    "end_maintenance": (
        "The manager asks again. If this lasts, end the maintenance mode or finish the upgrade."
    ),
    "internal_error": "it answered an internal error (HTTP {status}, code {code})",
    "looked_at_again": (
        "The change may have been made. The manager checks before it does anything else. See the "
        "drive's log."
    ),
    "no_envelope": "it answered {shape}, which is not OCS",
    "domain_not_trusted": (
        "it answered 400, untrusted domain: the drive does not accept the host of the base URL as "
        "its own"
    ),
    "not_a_trusted_domain": (
        "Add that host to the drive's trusted_domains (occ config:system:set trusted_domains 1 "
        "--value=HOST), or set the base URL to one of them."
    ),
    "check_base_url_answers": (
        "Check the base URL. A proxy, a sign-in page or another program may be answering."
    ),
    "no_such_account": "it has no such account (code {code})",
    "no_app_password": "the stored value is not an app password",
    "look_what_attribute_holds": (
        "A real password or a token cannot be revoked in this way. Check the value of the "
        "attribute."
    ),
    "not_allowed": "it answered {code}, not allowed",
    "account_must_be_admin": (
        "The manager's account must be in the drive's group admin, and its address among the "
        "allowed ones."
    ),
    "refused_to_change": "it refused to change this account (code 101)",
    "account_exists_102": "the account exists (code 102)",
    "in_its_own_words": "{refusal}: “{said}”",
    "do_it_by_hand": (
        "It is the manager's own administrator account, or its back-end forbids the change. Make "
        "the change by hand."
    ),
    "answered_code": "it answered HTTP {status} with code {code}",
    "not_understood": (
        "The drive did not understand the call. Check the base URL and the drive's version."
    ),
    # command_line.py
    "reading_configuration": "reading the drive's configuration file",
    "running_command_line": "making an app password with the command-line tool",
    "id_no_argument": "the account id cannot be used on a command line",
    "printed_no_app_password": "the command-line tool succeeded but printed no app password",
    "run_it_by_hand": (
        "Run occ user:add-app-password by hand in the container, and check its output."
    ),
    "drive_has_no_account": "the drive has no such account",
    "sign_in_once": "Sign in to the drive once, or let bearer provisioning create the account.",
    "command_line_ended": "the command-line tool ended with exit code {exit_code}",
    "check_container_setting": (
        "Check that the setting names the drive's application container, that php occ runs there "
        "as www-data (code 126 or 127: not found), and see the drive's log."
    ),
    "no_such_container": "there is no container of the configured name",
    "set_container": (
        "Set the drive's application container to the name the container manager shows."
    ),
    "container_does_not_run": "the drive's container does not run ({status})",
    "start_container": "Start the drive's application container.",
    "looking_for_app_passwords": "finding the address that creates app passwords",
    "trying_sign_in": "starting a sign-in as a browser does",
}
