"""Messages of the checks of the SQL server."""

from workspace_manager.contract.message import English

CHECKS: dict[str, English] = {
    # checks.py
    "check_reachable": "reachable",
    "check_answers": "answers",
    "check_rights": "rights",
    "check_encryption": "encryption",
    "check_web_tool": "SQL web tool",
    "check_version": "version",
    "check_encoding": "encoding",
    "check_language": "language",
    "check_grants": "grants",
    "check_passwords": "passwords",
    "check_anonymous_accounts": "anonymous accounts",
    "checking": "checking",
    "lets_us_in": "{host}:{port} answers and accepts our account",
    "account_lacks": "our account {account} cannot {what}",
    "run_statement": "Run: {statement}",
    "may_do_everything": "our account {account} may do everything that is needed",
    "on_this_host": "the server is on this very host",
    "connection_verified": "the connection is encrypted, and the server's certificate was verified",
    "connection_unverified": (
        "the connection is encrypted, but the server's certificate is not verified, so any server "
        "can answer"
    ),
    "verify_certificate": (
        "Choose the encryption verified in the settings, and set the certificate authority of the "
        "server there."
    ),
    "tool_failed": "{url}: {why}",
    "tool_answers_status": "{url} answers {status}",
    "look_whether_tool_runs": "Check whether the tool runs and whether the address is right.",
    "tool_answers": "{url} answers",
    # checks_mariadb.py
    "version_is": "version {version}",
    "version_cannot_lock": (
        "version {version}: this version cannot lock accounts or end their sessions in the way "
        "that the manager needs"
    ),
    "use_newer_mariadb": "Use MariaDB 10.4 or newer.",
    "passwords_unencrypted": "new passwords of people are sent to the server unencrypted",
    "give_certificate_mariadb": (
        "Give the server a certificate (ssl_cert, ssl_key), and choose the encryption verified in "
        "the settings."
    ),
    "anonymous_let_in": (
        "anonymous accounts ({names}) let anybody sign in; on their host they take precedence over "
        "people's own accounts, whose passwords are then refused"
    ),
    "there_is_none": "there is none",
    "underscore_stands_for_any": (
        "in a grant, _ stands for any character, so these grants also open databases with similar "
        "names: {names}"
    ),
    "write_backslash": (
        "Write \\_ instead: revoke these grants and grant them again in the other spelling. If the "
        "manager's account has these privileges on *.*, the manager does this when it next sets up "
        "the database."
    ),
    "each_opens_one": "every grant on a database of the manager opens that database only",
    # checks_password_policy.py
    "check_password_policy": "password policy",
    "check_password_trial": "password policy, tested",
    "trying_password_policy": "testing whether the server accepts the manager's passwords",
    "policy_asks_for_more": (
        "the server requires stronger passwords than the manager makes ({variables}), so no "
        "account can be made"
    ),
    "lower_the_policy": (
        "Lower these variables, or increase the manager's WORKSPACE_PASSWORD_LENGTH (up to 64)."
    ),
    "policy_satisfied": "the manager's passwords meet the server's policy: {variables}",
    "no_policy_seen": "the server shows no password policy",
    "trial_when_asked": (
        "tested when somebody saves settings or starts a check, with an account that is dropped at "
        "once"
    ),
    "trial_failed": "the server makes no account with a password of the manager: {why}",
    "see_password_policy": (
        "Find out which plugin checks passwords there, and set it so that it accepts random "
        "passwords with lower and upper case letters, digits and signs. If the account {account} "
        "is still there, drop it."
    ),
    "trial_succeeded": "an account with a password of the manager was made and dropped again",
    # checks_postgresql.py
    "version_open_to_all": (
        "version {version}: everybody who can connect to a database can create objects in it, and "
        "the manager cannot prevent this"
    ),
    "use_newer_postgresql": "Use PostgreSQL 15 or newer.",
    "names_in_utf8": "names are stored in UTF-8",
    "kept_in_encoding": (
        "the database postgres uses the encoding {encoding}: a name with letters other than a to z "
        "differs between databases"
    ),
    "only_plain_names": (
        "Give SQL accounts only to people whose names have the letters a to z, or move to a server "
        "that was created with --encoding=UTF8."
    ),
    "refusals_understood": "the manager recognizes refused sign-ins",
    "refusals_in_language": (
        "the server reports refused sign-ins in the language {language} and without a code, so the "
        "manager takes each of them for a wrong password"
    ),
    "set_lc_messages": "Set lc_messages = 'C' in its configuration.",
    "traffic_unencrypted": (
        "the manager's queries and their results are sent unencrypted; of passwords, only a proof "
        "(SCRAM) is sent"
    ),
    "give_certificate_postgresql": (
        "Give the server a certificate (ssl = on, ssl_cert_file, ssl_key_file), and choose the "
        "encryption verified in the settings."
    ),
    "databases_open_to_more": (
        "these databases of the manager are open to others than their members: {names}"
    ),
    "manager_sets_right": (
        "The manager corrects this when it next sets up the database. To correct it now: REVOKE "
        "ALL ON DATABASE … FROM PUBLIC;"
    ),
    "open_to_members_alone": "every database of the manager is open to its members only",
    "anybody_is_let_in": "anybody on this host can sign in as our account with any password",
    "replace_trust": "Replace trust by scram-sha-256 in pg_hba.conf, and reload the server.",
    "wrong_password_refused": "a wrong password is refused",
    # members
    "check_read_only": "writing",
    "server_reads_only": (
        "the server accepts no changes ({variable}), so nothing can be made, locked or removed "
        "there"
    ),
    "let_it_write": "Set {variable} to off, or set host to the server that accepts changes.",
    "check_standby": "standby",
    "server_is_standby": "the server is a standby, which accepts no changes",
    "name_primary": "Set host to the primary server.",
    "check_storage": "storage",
    "check_recovery": "recovery",
    "server_recovers": (
        "the server runs in recovery mode (innodb_force_recovery). From 4 on it writes nothing"
    ),
    "end_recovery": "Recover the data, then start the server without innodb_force_recovery.",
    "check_password_age": "age of passwords",
    "passwords_expire": (
        "passwords expire (default_password_lifetime): people with an old password cannot sign in "
        "any more"
    ),
    "check_password_form": "password format",
    "passwords_in_old_form": (
        "passwords are stored in an old format (old_passwords), which current programs refuse"
    ),
    "check_account_names": "names of accounts",
    "names_have_databases": (
        "account names only count together with a database (db_user_namespace), so nobody can sign "
        "in with an account that the manager makes"
    ),
    "let_names_be_plain": "Set db_user_namespace = off and reload the server.",
    "start_with_grants": "Start the server without skip_grant_tables.",
    "check_logs": "logs",
    "passwords_are_logged": (
        "the server writes new passwords of people into its log ({log}) in plain text"
    ),
    "check_sessions": "concurrent sessions",
    "few_sessions": (
        "max_user_connections is {most}: the server refuses further sessions of a person, and of "
        "the manager itself, when that many are open"
    ),
    "check_binary_log": "binary log",
    "encrypt_binary_log": (
        "Encrypt it (encrypt_binlog with a key plugin), keep it for a short time only, and let "
        "nobody read its folder. Or switch it off if nothing replicates this server."
    ),
}
