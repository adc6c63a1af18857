"""Messages about snapshots of databases."""

from workspace_manager.contract.message import English

SNAPSHOTS: dict[str, English] = {
    # snapshots/account.py
    "snapshot_account_left": (
        "the account {account}, which reads or loads a snapshot, is still there"
    ),
    # snapshots/mariadb.py, snapshots/postgresql.py
    "capturing": "reading a database for a snapshot",
    "restoring": "loading a snapshot into a database",
    "counting": "counting the content of a database",
    "switching": "replacing a database with a restored one",
    "not_ours_to_keep": "{name} is not a database of the manager",
    "tool_missing": "{tool} is not installed",
    "install_tool": "Install it on the worker's machine (Debian: {package}).",
    "not_empty": "the database {name} is not empty",
    "restore_into_fresh": "A snapshot can only be loaded into an empty database.",
    "tool_not_let_in": "{tool} could not sign in with the account of the snapshot",
    "look_at_encryption": (
        "Check whether the server accepts such an account, and check the encryption in the "
        "settings."
    ),
    "tool_stood_still": "{tool} neither read nor wrote anything for {minutes} minutes",
    "tool_failed_with": "{tool} failed (code {code})",
    "tool_failed_without": "{tool} failed with a code that the manager does not know",
    "look_at_tool": (
        "Look at the SQL server's error log. Compare the versions of the server and the tool."
    ),
    "connection_broke_off": "the connection of {tool} was lost (code {code})",
    "table_kept_changing": (
        "the definition of the table {table} changed {times} times while it was read"
    ),
    "snapshot_when_quiet": "Create the snapshot at a time when nobody alters tables.",
    "dump_refused": (
        "the dump contains a statement that is not allowed or not valid (code {code}, line {line})"
    ),
    "dump_refused_nowhere": "the dump contains a statement that is not allowed or not valid",
    "look_at_dump": (
        "Nothing was loaded. A dump may fill its own database and do nothing else. Correct the "
        "file at this line."
    ),
    # uploaded.py
    "file_empty": "The file is empty. Choose a file with a dump of a database.",
    "file_no_dump_mariadb": (
        "The file is not a MariaDB dump. Send a file of SQL statements as mariadb-dump writes it; "
        "it may be compressed with gzip or zstd."
    ),
    "file_no_dump_postgresql": (
        "The file is not a PostgreSQL dump. Send an archive of pg_dump --format=custom, or a file "
        "of SQL statements; it may be compressed with gzip or zstd."
    ),
    "file_of_postgresql": (
        "The file is an archive of PostgreSQL, and the SQL server is MariaDB. Send a file of SQL "
        "statements as mariadb-dump writes it."
    ),
    "file_not_of_mariadb": (
        "The file is a dump of PostgreSQL, and the SQL server is MariaDB. Send a file of SQL "
        "statements as mariadb-dump writes it."
    ),
    "file_not_of_postgresql": (
        "The file is a dump of MariaDB or MySQL, and the SQL server is PostgreSQL. Send an archive "
        "of pg_dump --format=custom, or a file of SQL statements."
    ),
    "object_refused": "the {kind} {name} cannot be created (code {code})",
    "look_at_object": (
        "Nothing was loaded. Check what it refers to: a snapshot holds nothing from other "
        "databases."
    ),
    "definers_unreadable": "the part {part} of the snapshot was changed after it was written",
    "snapshot_is_spoiled": "Nothing was loaded. Verify the snapshot, or use another one.",
    "definer_not_ours_to_name": (
        "our account may not create objects that run with another account's rights"
    ),
    "nobody_to_define": (
        "nobody may use the database, so its views and routines would have no definer"
    ),
    "grant_it_first": "Nothing was loaded. Grant the database to its owner first.",
    "grant_set_user": (
        "Run: GRANT SET USER ON *.* TO our account. The plan then continues by itself."
    ),
    # notes
    "tables_not_of_one_moment": (
        "these tables were read one after the other, so they may not match one moment ({engines}): "
        "{tables}"
    ),
    "history_not_kept": "the snapshot does not contain the history of these tables: {tables}",
    "six_digits": "numbers of the type FLOAT are stored with six digits, in these tables: {tables}",
    "views_broken": (
        "the snapshot does not contain these views, because they refer to something that no longer "
        "exists: {views}"
    ),
    "views_of_others": (
        "the snapshot does not contain these views, because they refer to other databases: {views}"
    ),
    "data_elsewhere": (
        "the snapshot does not contain the data of these tables, because the data is stored "
        "elsewhere: {tables}"
    ),
    # snapshots/mariadb_switch.py, snapshots/postgresql_switch.py
    "switch_not_possible": "neither the database {name} nor its replacement exists",
    "switch_needs_both": "Find out which of the two still exists, and restore the snapshot again.",
    "sweeping": "removing accounts of snapshots that nobody uses",
    "rights_lost": "not everybody may use the restored database as before: {names}",
    "rights_lost_advice": (
        "The old content is there still. Try again: all rights of before are given once more."
    ),
    # checks_snapshots.py
    "check_snapshots": "snapshots",
    "snapshots_ready": "{tools} are installed and new enough",
    "tool_not_there": "{tool} is missing, so snapshots can be neither created nor restored",
    "tool_too_old": (
        "{tool} has version {version}, which is older than the server's version {server}"
    ),
    "use_newer_tool": "Install {tool} of version {server} or newer on the worker's machine.",
    "client_unsafe": (
        "{tool} runs commands that a dump contains and has no option to prevent this ({option})"
    ),
    "use_safe_client": (
        "Install a newer version on the worker's machine (Debian: {package}): {versions}."
    ),
    "definers_need_right": (
        "our account {account} may not restore views, routines, triggers and events with their "
        "definers"
    ),
}
