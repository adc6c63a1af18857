"""Messages of the calls to the SQL server."""

from workspace_manager.contract.message import English

CLIENT: dict[str, English] = {
    # client/__init__.py
    "looking_at_web_tool": "looking at the SQL web tool",
    # client/advice.py
    "look_whether_it_runs": (
        "It is tried again. Look whether the server runs and host and port are right."
    ),
    "correct_administrator": (
        "Nothing more is sent there until this is corrected. Look at the administrator's user "
        "name, password and privileges; the check of the SQL server names each privilege that is "
        "missing."
    ),
    "look_at_it": "Look at this account or database on the SQL server.",
    "look_at_error_log": "Look at the SQL server's error log, and report this code.",
    "another_product": (
        "Another product may be answering there; look at product, host and port in the settings."
    ),
    "password_would_show": (
        "it asks for the password in a way that would show it; nothing was sent"
    ),
    "use_proof_mariadb": (
        "Look whether this is the right server. Then let our account sign in with "
        "mysql_native_password or ed25519: ALTER USER … IDENTIFIED VIA …"
    ),
    "use_proof_postgresql": (
        "Look whether this is the right server. Then write scram-sha-256 for our account in "
        "pg_hba.conf, set password_encryption = 'scram-sha-256', and set its password anew."
    ),
    # client/encryption.py
    "offers_no_encryption": "it offers no encryption (TLS), and nothing is sent to it without",
    "give_certificate": (
        "Give the server a certificate (MariaDB: ssl_cert and ssl_key; PostgreSQL: ssl = on, "
        "ssl_cert_file and ssl_key_file), and name its authority in the settings. Only where "
        "nobody can be on the way, choose another encryption there."
    ),
    "certificate_untrusted": (
        "its certificate is by nobody whom the manager trusts, or not valid today; nothing was sent"
    ),
    "name_authority": (
        "Look whether this is the right server, and at the dates of its certificate. Then put the "
        "certificate of the authority that signed it into a file, and name the file in the "
        "settings (certificate authority)."
    ),
    "certificate_of_another": (
        "its certificate is for another name than the host in the settings; nothing was sent"
    ),
    "use_name_of_certificate": (
        "Look whether this is the right server. Then write the name that its certificate bears as "
        "host into the settings, or give the server a certificate for this name."
    ),
    "encryption_not_agreed": "no encrypted connection (TLS) came about; nothing was sent",
    "look_at_versions": (
        "Look at the SQL server's error log; it may offer only versions of TLS that are not safe "
        "any more."
    ),
    "authority_unusable": (
        "the file with the certificate authorities cannot be read, or holds no certificate; "
        "nothing was sent"
    ),
    "correct_authority": (
        "Look at the setting certificate authority: a PEM file that both the web process and the "
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
    "not_this_protocol": "what answers does not speak this SQL server's protocol",
    # client/mariadb/answers.py
    "error_code": "the SQL server answered error {code}: {words}",
    "unknown_code": "a code we do not know",
    "connection_is_closed": "the connection is closed",
    "out_of_memory": "it is out of memory",
    "too_many_connections": "it has too many connections",
    "shutting_down": "it is shutting down",
    "connection_was_closed": "the connection was closed",
    "connection_failed": "the connection failed",
    "connection_timed_out": "the connection timed out",
    "our_too_many_connections": "our account has too many connections",
    "transaction_blocks": "somebody's open transaction blocks it",
    "collided": "it collided with another change",
    "limit_used_up": "our account used up a limit",
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
    # client/mariadb/connection.py
    "took_seconds": "it took more than {seconds} seconds so far",
    "goes_on": "It is tried again and goes on where it stopped. Look why the server is slow.",
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
        "definer or drop it, because it would run with the rights of a later account of that name"
    ),
    # client/postgresql/answers.py
    "nothing_answers_or_broke": "nothing answers there, or the connection broke",
    "too_many_or_out": "it has too many connections, or is out of memory or disk",
    "somebody_uses_it": "somebody is using it",
    "not_ready": "it is not ready for this",
    "starting_or_shutting_down": "it is starting or shutting down, or ended the connection",
    "trouble_with_files": "it has trouble with its own files",
    "our_account_nologin": "our account is locked (NOLOGIN)",
    "from_elsewhere_only": "its pg_hba.conf lets our account in from elsewhere only",
    "may_not_do_this": "our account may not do this",
    "account_name_exists": "an account of that name exists already",
    "something_belongs_to_it": "something still belongs to it",
    "name_reserved": "the name is reserved",
    "value_impossible": "a value is not possible on this server",
    # client/postgresql/session.py
    "lack_create_databases": "create databases ({privilege})",
    "inside_belongs_to": (
        "something in the database {name}, which is not the manager's, belongs to {user} and will "
        "then belong to {left}, which nobody can sign in as: give it to somebody, or drop it"
    ),
    "database_belongs_to": (
        "the database {name} belongs to {user} and will then belong to {left}, which nobody can "
        "sign in as: give it to somebody, or drop it"
    ),
}
