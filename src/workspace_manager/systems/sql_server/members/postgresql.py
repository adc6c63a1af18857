"""Variables of a PostgreSQL (`contract/members.py`).

Hundreds concern how the server stores and finds its data, which its operator decides. Groups leave
them alone, and a test finds names of a new group.
"""

from collections.abc import Mapping
from typing import Final

from workspace_manager.contract.members import (
    CombinedMember,
    MemberTable,
    RequiredMember,
    combine_members,
    ignore_members,
)
from workspace_manager.systems.sql_server.messages import message

_READ_ONLY: Final = "Nothing is made, locked or removed: every change of ours is refused."
_POLICY: Final = "A password that the manager makes may be refused."
_PASSWORDS: Final = (message("check_password_policy").code,)

LEFT_ALONE: Final[Mapping[str, str]] = {
    "Whether a session is encrypted is seen of ours.": "ssl_*",
    "What is kept of a password is worked out by us and sent (SCRAM).": (
        "md5_* password_encryption scram_iterations"
    ),
    "No password is in a statement: only what is kept of it, which is.": """
        compute_query_id debug_* event_source log_* logging_collector syslog_* trace_* track_*
        update_process_title
    """,
    "It is refused or accepted where we sign in, and said there.": """
        authentication_timeout bonjour* client_connection_check_interval gss_* hba_file ident_file
        idle_in_transaction_session_timeout idle_session_timeout krb_* listen_addresses lock_timeout
        max_connections oauth_* port post_auth_delay pre_auth_delay reserved_connections
        statement_timeout superuser_reserved_connections tcp_* transaction_timeout unix_socket_*
    """,
    "Each statement of ours is plain, and names what it means.": """
        DateStyle IntervalStyle TimeZone application_name array_nulls auto_explain.* backslash_quote
        bytea_output check_function_bodies client_encoding client_min_messages
        default_text_search_config escape_string_warning extra_float_digits icu_* integer_datetimes
        lc_* pg_stat_statements.* plpgsql.* quote_all_identifiers search_path
        standard_conforming_strings timezone_abbreviations transform_null_equals xml*
    """,
    "What somebody may do is told by rights, and looked at by those.": """
        allow_* createrole_self_grant event_triggers is_superuser lo_compat_privileges
        local_preload_libraries restrict_nonsystem_relation_kind role row_security
        session_preload_libraries session_replication_role
    """,
    "Another server that copies this one is its operator's.": """
        archive_* hot_standby* idle_replication_* ignore_invalid_pages logical_decoding_work_mem
        max_active_* max_logical_* max_replication_slots max_slot_* max_standby_* max_sync_*
        max_wal_senders primary_* promote_trigger_file recovery_* restore_command summarize_wal
        sync_* synchronized_* synchronous_* track_commit_timestamp wal_*
    """,
    "How it keeps and finds data, and with how much of the host.": """
        autovacuum* backend_flush_after backtrace_functions bgwriter_* checkpoint_* commit_*
        commit_timestamp_buffers constraint_exclusion cpu_* cursor_tuple_fraction data_*
        deadlock_timeout debug_parallel_query default_* dynamic_shared_memory_type effective_*
        enable_* exit_on_error file_* force_parallel_mode from_collapse_limit fsync full_page_writes
        geqo* gin_* hash_mem_multiplier huge_page* ignore_* io_* jit* join_collapse_limit
        maintenance_* max_* min_* multixact_* notify_* old_snapshot_threshold parallel_*
        plan_cache_mode random_page_cost recursive_worktable_factor remove_temp_files_after_crash
        restart_after_crash seq_page_cost serializable_* shared_* stats_* subtransaction_*
        synchronize_seqscans temp_* transaction_* transaction_buffers vacuum_* work_mem
        zero_damaged_pages
    """,
    "What it is and where it lies on its host.": """
        block_size cluster_name config_file data_directory* dynamic_library_path extension_*
        external_pid_file segment_size server_version_num wal_block_size
    """,
}
"""Variables that do not matter, by the reason."""

VARIABLES: Final = MemberTable(
    "the settings of a PostgreSQL, as our session has them: pg_settings",
    (
        RequiredMember(
            path="/in_hot_standby",
            because=_READ_ONLY,
            values=("off", None),
            name=message("check_standby"),
            found=message("server_is_standby"),
            remedy=message("name_primary"),
        ),
        RequiredMember(
            path="/default_transaction_read_only",
            because=_READ_ONLY,
            values=("off", None),
            name=message("check_read_only"),
            found=message("server_reads_only", variable="default_transaction_read_only"),
            remedy=message("let_it_write", variable="default_transaction_read_only"),
        ),
        RequiredMember(
            path="/db_user_namespace",
            because="An account that signs in by its own name alone is refused.",
            values=("off", None),
            name=message("check_account_names"),
            found=message("names_have_databases"),
            remedy=message("let_names_be_plain"),
        ),
        CombinedMember(
            path="/server_version",
            because="An older one lets everybody make things in a database.",
            findings=(message("check_version").code,),
        ),
        CombinedMember(
            path="/server_encoding",
            because="A name with other letters cannot be kept.",
            findings=(message("check_encoding").code,),
        ),
        CombinedMember(
            path="/lc_messages",
            because="A refused sign-in carries no code, and is told by its words.",
            findings=(message("check_language").code,),
        ),
        CombinedMember(
            path="/ssl",
            because="Passwords would travel unencrypted.",
            findings=(message("check_encryption").code,),
        ),
        *combine_members(_POLICY, _PASSWORDS, "credcheck.*", "shared_preload_libraries"),
        *(
            row
            for because, names in LEFT_ALONE.items()
            for row in ignore_members(because, *names.split())
        ),
    ),
)
