"""Messages of the calls to the SQL server."""

from workspace_manager.contract.message import English

CLIENT: dict[str, English] = {
    # client/__init__.py
    "looking_at_web_tool": "opening the SQL web tool",
    # client/advice.py
    "look_whether_it_runs": (
        "The manager tries again. Check whether the server runs, and whether host and port are "
        "right."
    ),
    "correct_administrator": (
        "The manager sends nothing more to this server until this is corrected. Check the "
        "administrator's user name, password and privileges. The check of the SQL server names "
        "each privilege that is missing."
    ),
    "look_at_it": "Check this account or database on the SQL server.",
    "look_at_error_log": "Look at the SQL server's error log, and report this code.",
    "another_product": (
        "Another product may be answering at this address. Check product, host and port in the "
        "settings."
    ),
    "password_would_show": (
        "it asks for the password in a way that would reveal it; nothing was sent"
    ),
    "use_proof_mariadb": (
        "Check whether this is the right server. Then let our account sign in with "
        "mysql_native_password or ed25519: ALTER USER … IDENTIFIED VIA …"
    ),
    "use_proof_postgresql": (
        "Check whether this is the right server. Then write scram-sha-256 for our account in "
        "pg_hba.conf, set password_encryption = 'scram-sha-256', and set the account's password "
        "again."
    ),
    # client/encryption.py
    "offers_no_encryption": (
        "it offers no encryption (TLS), and the manager sends nothing without it"
    ),
    "give_certificate": (
        "Give the server a certificate (MariaDB: ssl_cert and ssl_key; PostgreSQL: ssl = on, "
        "ssl_cert_file and ssl_key_file), and set its authority in the settings. Choose another "
        "encryption there only if nobody else can reach the network path."
    ),
    "certificate_untrusted": (
        "its certificate comes from no authority that the manager trusts, or is not valid today; "
        "nothing was sent"
    ),
    "name_authority": (
        "Check whether this is the right server, and the dates of its certificate. Then put the "
        "certificate of the authority that signed it into a file, and set that file in the "
        "settings (certificate authority)."
    ),
    "certificate_of_another": (
        "its certificate is for another name than the host in the settings; nothing was sent"
    ),
    "use_name_of_certificate": (
        "Check whether this is the right server. Then set host in the settings to the name in its "
        "certificate, or give the server a certificate for this name."
    ),
    "encryption_not_agreed": "an encrypted connection (TLS) could not be set up; nothing was sent",
    "look_at_versions": (
        "Look at the SQL server's error log. The server may offer only versions of TLS that are no "
        "longer safe."
    ),
    "authority_unusable": (
        "the file of the certificate authorities cannot be read or has no certificate; nothing was "
        "sent"
    ),
    "correct_authority": (
        "Correct the setting certificate authority: a PEM file that both the web process and the "
        "worker can read."
    ),
    "proof_needs_library": (
        "it asks for a proof (ed25519) that needs the Python package PyNaCl; nothing was sent"
    ),
    "install_library": (
        "Install PyNaCl where the manager runs, or let our account sign in with "
        "mysql_native_password: ALTER USER … IDENTIFIED VIA …"
    ),
    "answer_too_large": "the answer is larger than {most} bytes",
    "not_this_protocol": "the answer is not in this SQL server's protocol",
    # client/mariadb/answers.py
    "error_code": "the SQL server answered error {code}: {words}",
    "unknown_code": "a code that the manager does not know",
    "connection_is_closed": "the connection is closed",
    "out_of_memory": "it is out of memory",
    "too_many_connections": "it has too many connections",
    "shutting_down": "it is shutting down",
    "connection_was_closed": "the connection was closed",
    "connection_failed": "the connection failed",
    "connection_timed_out": "the connection timed out",
    "our_too_many_connections": "our account has too many connections",
    "transaction_blocks": "an open transaction blocks it",
    "collided": "it conflicted with another change",
    "limit_used_up": "our account reached a limit",
    "option_forbids": "it runs with an option that forbids this for now",
    "interrupted": "the statement was interrupted",
    "read_only": "it is read-only for now",
    "connection_ended_there": "the connection was ended there",
    "took_too_long": "the statement took too long",
    "nothing_answers": "nothing answers there",
    "host_unknown": "the host name is not known",
    "connection_broke": "the connection broke",
    "no_answer_in_time": "no answer came in time, or the connection broke",
    "not_on_that_database": "our account may not do this on that database",
    "refuses_name_and_password": "it refuses our user name and password",
    "may_not_end_sessions": "our account may not end other people's sessions",
    "blocked_host": "it blocked this host after failed connections",
    "not_from_this_host": "our account may not sign in from this host",
    "not_on_that_table": "our account may not do this on that table",
    "not_that_column": "our account may not see that column",
    "lacks_privilege": "our account lacks a privilege",
    "refuses_our_account": "it refuses our account",
    "password_must_change": "our password must be changed first",
    "password_expired": "our password has expired",
    "our_account_locked": "our account is locked",
    "database_exists": "the database exists already",
    "no_such_database": "there is no such database",
    "no_such_account": "there is no such account",
    "no_such_grant": "there is no such grant",
    "no_such_table": "there is no such table",
    "name_too_long": "the name is too long",
    "password_policy": "the password does not satisfy its password policy",
    "not_understood": "it did not understand our statement",
    "not_supported": "it does not support this statement",
    "use_full_server": (
        "Use a complete SQL server. A stand-in, as in the demo without MariaDB, makes no snapshots."
    ),
    # client/mariadb/connection.py
    "took_seconds": "it took more than {seconds} seconds so far",
    "goes_on": (
        "The manager tries again and continues where it stopped. Find out why the server is slow."
    ),
    # client/mariadb/privileges.py
    "lack_accounts": "create and drop accounts ({privilege})",
    "lack_seeing_sessions": "see whether a session is still open ({privilege})",
    "lack_ending_sessions": "end open sessions ({privilege})",
    "lack_reading": "read mysql.{table}",
    "lack_seeing_databases": "see every database (SHOW DATABASES)",
    "lack_databases": "create databases that begin with {prefix} and grant everything on them",
    # client/mariadb/session.py
    "runs_with_rights": (
        "the {what} {name} in the database {db} runs with the rights of {user}: give it another "
        "definer or drop it, because otherwise it would run with the rights of a later account of "
        "that name"
    ),
    # client/postgresql/answers.py
    "nothing_answers_or_broke": "nothing answers there, or the connection broke",
    "too_many_or_out": "it has too many connections, or is out of memory or disk",
    "somebody_uses_it": "it is in use",
    "not_ready": "it is not ready for this",
    "starting_or_shutting_down": "it is starting or shutting down, or ended the connection",
    "trouble_with_files": "it has a problem with its own files",
    "our_account_nologin": "our account is locked (NOLOGIN)",
    "from_elsewhere_only": "its pg_hba.conf does not let our account sign in from this host",
    "may_not_do_this": "our account may not do this",
    "account_name_exists": "an account of that name exists already",
    "something_belongs_to_it": "it still owns something",
    "name_reserved": "the name is reserved",
    "value_impossible": "a value is not possible on this server",
    # client/postgresql/session.py
    "lack_create_databases": "create databases ({privilege})",
    "inside_belongs_to": (
        "something in the database {name} belongs to {user}. The database is not the manager's. "
        "The object will then belong to {left}, which nobody can sign in as: give it to somebody, "
        "or drop it"
    ),
    "database_belongs_to": (
        "the database {name} belongs to {user} and will then belong to {left}, which nobody can "
        "sign in as: give it to somebody, or drop it"
    ),
}
