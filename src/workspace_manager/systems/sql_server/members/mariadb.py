"""Variables of a MariaDB (`contract/members.py`).

Hundreds concern how the server stores and finds its data, which its operator decides. Groups leave
them alone, and a test finds names of a new group.
"""

from collections.abc import Mapping
from typing import Final

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.members import (
    CombinedMember,
    MemberTable,
    RequiredMember,
    combine_members,
    ignore_members,
)
from workspace_manager.systems.sql_server.messages import message

_READ_ONLY: Final = "Nothing is made, locked or removed: every change of ours is refused."
_LOGS: Final = "A password is in the statement that sets it, and stays in the log."
_POLICY: Final = "A password that the manager makes may be refused."
_PASSWORDS: Final = (message("check_password_policy").code,)
_BINARY: Final = (message("check_binary_log").code,)
_WRITTEN: Final = (message("check_logs").code,)

LEFT_ALONE: Final[Mapping[str, str]] = {
    "Whether a session is encrypted is seen of ours.": (
        "have_openssl ssl_* tls_version version_ssl_library"
    ),
    "Each session of ours sets it; others' do not change what we mean.": (
        "autocommit lock_wait_timeout max_statement_time sql_mode time_zone"
    ),
    "It is refused or accepted where we sign in, and said there.": """
        back_log bind_address connect_timeout disconnect_on_expired_password extra_* host_cache_size
        idle_* interactive_timeout max_connect_errors max_connections max_password_errors port
        proxy_protocol_networks require_secure_transport secure_auth skip_name_resolve
        skip_networking socket strict_password_validation tcp_* wait_timeout
    """,
    "Databases of ours have lower-case names, and say their character set.": (
        "character_set* collation_* lower_case_*"
    ),
    "What people may run is told by their rights, and looked at by those.": """
        allow_suspicious_udfs automatic_sp_privileges enforce_storage_engine event_scheduler have_*
        init_connect init_file init_slave local_infile plugin_* secure_file_priv skip_show_database
    """,
    "What is written there has no password of ours in it.": """
        general_log_file log_disabled_statements log_error log_queries* log_slow_* log_tc_size
        log_warnings min_examined_row_limit note_verbosity performance_schema* profiling*
        slow_launch_time slow_query_log_file userstat
    """,
    "Another server that copies this one is its operator's.": """
        binlog_* encrypt_binlog expire_logs_days gtid_* keep_files_on_create log_bin*
        log_slave_updates master_* max_binlog* max_relay_log_size read_binlog_speed_limit relay_log*
        replicate_* report_* rpl_* server_id skip_parallel_replication skip_replication
        skip_slave_start slave_* sync_* wsrep_*
    """,
    "How it keeps and finds data, and with how much of the host.": """
        alter_algorithm analyze_* aria_* auto_increment_* big_tables bulk_insert_buffer_size
        check_constraint_checks column_compression_* completion_type concurrent_insert deadlock_*
        default_storage_engine default_tmp_storage_engine default_week_format delay_* delayed_*
        div_precision_increment encrypt_tmp_* eq_range_index_dive_limit expensive_subquery_limit
        flush* foreign_key_checks ft_* group_concat_max_len histogram_*
        in_predicate_conversion_threshold in_transaction innodb_* join_* key_* large_* lock_*
        locked_in_memory low_priority_updates max_* metadata_locks_* min_* mrr_* myisam_* net_*
        open_files_limit optimizer_* preload_buffer_size progress_report_time query_* range_*
        read_buffer_size read_rnd_buffer_size rowid_* session_track_* skip_external_locking sort_*
        storage_engine stored_program_cache system_time_zone system_versioning_* table_* thread_*
        tmp_* tmpdir transaction_* tx_* unique_checks use_stat_tables
    """,
    "How a statement is understood or answered; ours are plain.": """
        date_format datetime_format debug* default_* default_regex_flags
        explicit_defaults_for_timestamp ignore_* interactive_* keep_* lc_* mysql56_temporal_format
        old* old_mode protocol_version sql_* standard_compliant_cte time_format timestamp
        updatable_views_with_limit use_*
    """,
    "What it is and where it lies on its host.": """
        aws_* basedir core_file datadir hostname license pid_file secure_timestamp server_*
        server_uid system_* thread_* version_*
    """,
}
"""Variables that do not matter, by the reason."""

VARIABLES: Final = MemberTable(
    "the variables of a MariaDB: SHOW GLOBAL VARIABLES",
    (
        RequiredMember(
            path="/read_only",
            because=_READ_ONLY,
            values=("OFF", None),
            name=message("check_read_only"),
            found=message("server_reads_only", variable="read_only"),
            remedy=message("let_it_write", variable="read_only"),
        ),
        RequiredMember(
            path="/skip_grant_tables",
            because="Everybody is let in, people who were removed too.",
            values=("OFF", None),
            name=message("check_passwords"),
            found=message("anybody_is_let_in"),
            remedy=message("start_with_grants"),
        ),
        RequiredMember(
            path="/innodb_read_only",
            because=_READ_ONLY,
            values=("OFF", None),
            name=message("check_storage"),
            found=message("server_reads_only", variable="innodb_read_only"),
            remedy=message("let_it_write", variable="innodb_read_only"),
        ),
        RequiredMember(
            path="/innodb_force_recovery",
            because="From 4 on nothing is written, and what is there may be lost.",
            values=("0", None),
            name=message("check_recovery"),
            found=message("server_recovers"),
            remedy=message("end_recovery"),
            severity=Severity.WARNING,
        ),
        RequiredMember(
            path="/default_password_lifetime",
            because="A password that is too old opens nothing, and its person does not know why.",
            values=("0", None),
            name=message("check_password_age"),
            found=message("passwords_expire"),
            remedy=message("run_statement", statement="SET GLOBAL default_password_lifetime = 0;"),
            severity=Severity.WARNING,
        ),
        RequiredMember(
            path="/old_passwords",
            because="A password kept in that form is refused by every program of today.",
            values=("OFF", "0", None),
            name=message("check_password_form"),
            found=message("passwords_in_old_form"),
            remedy=message("run_statement", statement="SET GLOBAL old_passwords = OFF;"),
        ),
        *combine_members(_LOGS, _BINARY, "log_bin", "encrypt_binlog"),
        *combine_members(_LOGS, _WRITTEN, "general_log", "slow_query_log", "log_slow_query"),
        *combine_members(_LOGS, _WRITTEN, "long_query_time", "log_output"),
        CombinedMember(
            path="/max_user_connections",
            because="People and the manager are refused while a few of their sessions are open.",
            findings=(message("check_sessions").code,),
        ),
        *combine_members(
            _POLICY,
            _PASSWORDS,
            *("simple_password_check_*", "cracklib_password_check_*", "validate_password_*"),
        ),
        CombinedMember(
            path="/version",
            because="An older one cannot lock an account.",
            findings=(message("check_version").code,),
        ),
        CombinedMember(
            path="/have_ssl",
            because="Passwords would travel unencrypted.",
            findings=(message("check_encryption").code,),
        ),
        *(
            row
            for because, names in LEFT_ALONE.items()
            for row in ignore_members(because, *names.split())
        ),
    ),
)
