"""What is said of snapshots of databases."""

from workspace_manager.contract.message import English

SNAPSHOTS: dict[str, English] = {
    # snapshots/account.py
    "snapshot_account_left": (
        "the account {account}, with which a snapshot is read or loaded, is still there"
    ),
    # snapshots/mariadb.py, snapshots/postgresql.py
    "capturing": "reading a database for a snapshot",
    "restoring": "loading a snapshot into a database",
    "counting": "counting what is in a database",
    "switching": "putting a restored database in the place of another",
    "not_ours_to_keep": "{name} is no database of ours",
    "tool_missing": "{tool} is not there",
    "install_tool": "Install it beside the worker (Debian: {package}).",
    "not_empty": "the database {name} is not empty",
    "restore_into_fresh": "A snapshot is loaded into a fresh database alone.",
    "tool_not_let_in": "{tool} was not let in with the account of the snapshot",
    "look_at_encryption": (
        "Look whether the server takes such an account, and the encryption in the settings."
    ),
    "tool_stood_still": "{tool} neither took nor gave anything for {minutes} minutes",
    "tool_failed_with": "{tool} failed (code {code})",
    "tool_failed_without": "{tool} failed, and gives no code that we know",
    "look_at_tool": "Look at the SQL server's error log. Compare the versions of server and tool.",
    "connection_broke_off": "the connection of {tool} broke off (code {code})",
    "table_kept_changing": (
        "the definition of the table {table} changed while it was read, {times} times"
    ),
    "snapshot_when_quiet": "Make the snapshot when nobody alters tables.",
    "dump_refused": (
        "the dump asks for what may not be done or is not understood (code {code}, line {line})"
    ),
    "dump_refused_nowhere": "the dump asks for what may not be done or is not understood",
    "look_at_dump": (
        "Nothing of it was kept. A dump may fill its own database and do nothing else; correct the "
        "file at this line."
    ),
    "object_refused": "the {kind} {name} cannot be made (code {code})",
    "look_at_object": (
        "Nothing was kept. Look at what it refers to: a snapshot has nothing of other databases."
    ),
    "definers_unreadable": "the part {part} of the snapshot is not as it was written",
    "snapshot_is_spoiled": "Nothing was kept. Verify the snapshot, or take another one.",
    "definer_not_ours_to_name": (
        "our account may not make objects that run with somebody else's rights"
    ),
    "nobody_to_define": (
        "there is nobody who may use the database, so that its views and routines would be nobody's"
    ),
    "grant_it_first": "Nothing was kept. Grant the database to its owner first.",
    "grant_set_user": "Run: GRANT SET USER ON *.* TO our account. It goes on by itself then.",
    # notes
    "tables_not_of_one_moment": (
        "these tables were read one after the other, not as of one moment ({engines}): {tables}"
    ),
    "history_not_kept": "the history of these tables is not kept: {tables}",
    "six_digits": ("of numbers of the type FLOAT six digits are kept, in these tables: {tables}"),
    "views_broken": "these views refer to what is gone, and are not kept: {views}",
    "views_of_others": "these views refer to other databases, and are not kept: {views}",
    "data_elsewhere": "the data of these tables lies elsewhere and is not kept: {tables}",
    # snapshots/mariadb_switch.py, snapshots/postgresql_switch.py
    "switch_not_possible": (
        "there is neither the database {name} nor one that would take its place"
    ),
    "switch_needs_both": (
        "Look which of the two there still is, and restore the snapshot once more."
    ),
    "sweeping": "removing accounts of snapshots that nobody uses",
    "rights_lost": "not everybody may use the restored database as before: {names}",
    "rights_lost_advice": (
        "The old content is there still. Try again: all rights of before are given once more."
    ),
    # checks_snapshots.py
    "check_snapshots": "snapshots",
    "snapshots_ready": "{tools} are there, and new enough",
    "tool_not_there": "{tool} is missing, so no snapshot can be made or restored",
    "tool_too_old": "{tool} is of version {version}, older than the server, which is of {server}",
    "use_newer_tool": "Install {tool} of version {server} or newer beside the worker.",
    "client_unsafe": "{tool} cannot be kept from running what a dump tells it ({option})",
    "use_safe_client": "Install a newer one beside the worker (Debian: {package}): {versions}.",
    "definers_need_right": (
        "our account {account} may not restore views, routines, triggers and events with those "
        "whose rights they run with"
    ),
}
