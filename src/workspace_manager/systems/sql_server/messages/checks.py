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
    "lets_us_in": "{host}:{port} answers and lets us in",
    "account_lacks": "our account {account} cannot {what}",
    "run_statement": "Run: {statement}",
    "may_do_everything": "our account {account} may do everything that is needed",
    "on_this_host": "the server is on this very host",
    "connection_verified": (
        "the connection is encrypted, and the server has shown that it is the one that is meant"
    ),
    "connection_unverified": (
        "the connection is encrypted, but for whoever answers: the server's certificate is not "
        "verified"
    ),
    "verify_certificate": (
        "Choose the encryption verified in the settings, and name the certificate authority of the "
        "server there."
    ),
    "tool_failed": "{url}: {why}",
    "tool_answers_status": "{url} answers {status}",
    "look_whether_tool_runs": "Look whether the tool runs and the address is right.",
    "tool_answers": "{url} answers",
    # checks_mariadb.py
    "version_is": "version {version}",
    "version_cannot_lock": (
        "version {version}: accounts cannot be locked and their sessions not ended in the way we "
        "do it"
    ),
    "use_newer_mariadb": "Use MariaDB 10.4 or newer.",
    "passwords_unencrypted": "new passwords of people travel unencrypted to the server",
    "give_certificate_mariadb": (
        "Give the server a certificate (ssl_cert, ssl_key), and choose the encryption verified in "
        "the settings."
    ),
    "anonymous_let_in": (
        "anonymous accounts ({names}) let anybody in, and from their host they come before "
        "people's own accounts, whose passwords are then refused"
    ),
    "there_is_none": "there is none",
    "underscore_stands_for_any": (
        "in a grant _ stands for any character, so these open look-alike databases too: {names}"
    ),
    "write_backslash": (
        "Write \\_ instead: revoke them in this spelling and grant them in the other. The manager "
        "does so when it next sets up the database, if its account has these privileges on *.*."
    ),
    "each_opens_one": "every grant on databases of ours opens that database alone",
    # checks_password_policy.py
    "check_password_policy": "password policy",
    "check_password_trial": "password policy, tried",
    "trying_password_policy": "trying whether passwords of ours are taken",
    "policy_asks_for_more": (
        "the server asks more of passwords than the manager’s have: {variables}; no account can be "
        "made"
    ),
    "lower_the_policy": (
        "Lower these variables, or set WORKSPACE_PASSWORD_LENGTH of the manager higher (up to 64)."
    ),
    "policy_satisfied": "the manager’s passwords satisfy what the server asks for: {variables}",
    "no_policy_seen": "no password policy is seen",
    "trial_when_asked": (
        "tried with an account that is dropped at once, when settings are saved or somebody checks"
    ),
    "trial_failed": "no account can be made with a password of the manager: {why}",
    "see_password_policy": (
        "Look which plugin checks passwords there, and set it so that it takes random passwords "
        "with lower and upper case letters, digits and signs. If the account {account} is still "
        "there, drop it."
    ),
    "trial_succeeded": "an account with a password of the manager was made, and dropped again",
    # checks_postgresql.py
    "version_open_to_all": (
        "version {version}: whoever may connect to a database may create things in it, and the "
        "manager cannot take that away"
    ),
    "use_newer_postgresql": "Use PostgreSQL 15 or newer.",
    "names_in_utf8": "names are kept in UTF-8",
    "kept_in_encoding": (
        "the database postgres is kept in {encoding}: names with other letters than a to z are not "
        "the same in every database"
    ),
    "only_plain_names": (
        "Let only people with plain names have SQL accounts, or move to a server that was made "
        "with --encoding=UTF8."
    ),
    "refusals_understood": "refusals of sign-ins are understood",
    "refusals_in_language": (
        "the server explains refused sign-ins in the language {language}; they carry no code, so "
        "the manager takes each for a wrong password"
    ),
    "set_lc_messages": "Set lc_messages = 'C' in its configuration.",
    "traffic_unencrypted": (
        "what the manager asks and is answered travels unencrypted; of passwords only what proves "
        "them (SCRAM)"
    ),
    "give_certificate_postgresql": (
        "Give the server a certificate (ssl = on, ssl_cert_file, ssl_key_file), and choose the "
        "encryption verified in the settings."
    ),
    "databases_open_to_more": "databases of ours are open to more than their members: {names}",
    "manager_sets_right": (
        "The manager sets this right when it next sets up the database. At once: REVOKE ALL ON "
        "DATABASE … FROM PUBLIC;"
    ),
    "open_to_members_alone": "every database of ours is open to its members alone",
    "anybody_is_let_in": (
        "anybody who reaches the server from this host is let in as our account, with any password"
    ),
    "replace_trust": "Replace trust by scram-sha-256 in pg_hba.conf, and reload the server.",
    "wrong_password_refused": "a wrong password is refused",
    # members
    "check_read_only": "writing",
    "server_reads_only": (
        "the server takes no changes ({variable}): nothing is made, locked or removed there"
    ),
    "let_it_write": "Set {variable} to off, or set host to the server that is written to.",
    "check_standby": "standby",
    "server_is_standby": "the server is a standby, which takes no changes",
    "name_primary": "Set host to the primary server.",
    "check_storage": "storage",
    "check_recovery": "recovery",
    "server_recovers": (
        "the server runs to be recovered (innodb_force_recovery): from 4 on it writes nothing"
    ),
    "end_recovery": "Recover the data, then start the server without innodb_force_recovery.",
    "check_password_age": "age of passwords",
    "passwords_expire": (
        "passwords expire by their age (default_password_lifetime): whoever’s is too old is "
        "let in no more"
    ),
    "check_password_form": "form of passwords",
    "passwords_in_old_form": (
        "passwords are kept in a form (old_passwords) that programs of today refuse"
    ),
    "check_account_names": "names of accounts",
    "names_have_databases": (
        "a name counts only together with a database (db_user_namespace): nobody whom the "
        "manager makes signs in"
    ),
    "let_names_be_plain": "Set db_user_namespace = off and reload the server.",
    "start_with_grants": "Start the server without skip_grant_tables.",
    "check_logs": "logs",
    "passwords_are_logged": (
        "the server writes new passwords of people into its log ({log}), as they are"
    ),
    "check_sessions": "sessions at once",
    "few_sessions": (
        "max_user_connections is {most}: people, and the manager itself, are refused while so "
        "many of their sessions are open"
    ),
    "check_binary_log": "binary log",
    "encrypt_binary_log": (
        "Have it encrypted (encrypt_binlog with a plugin of keys), keep it for a short time, and "
        "let nobody read its folder; or switch it off where nothing copies this server."
    ),
}
