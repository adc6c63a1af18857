"""Members of the documents that the check of the hub reads (`contract/members.py`)."""

from typing import Final

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.members import (
    CombinedMember,
    IgnoredMember,
    MemberTable,
    RequiredMember,
    combine_members,
    ignore_members,
)
from workspace_manager.systems.notebook_hub.messages import message

_IDENTITIES: Final = (message("check_refused_identities").code,)
_SERVERS: Final = (message("check_token").code, message("check_servers").code)
_NAMES: Final = tuple(
    message(one).code for one in ("check_users", "check_people", "check_container_names")
)

VERSION: Final = MemberTable(
    "the hub, to anybody: GET /hub/api/",
    (
        CombinedMember(
            path="/version",
            because="It is no hub without one.",
            findings=(message("check_reachable").code,),
        ),
    ),
)
ABOUT: Final = MemberTable(
    "the hub, to the manager: GET /hub/api/info",
    (
        CombinedMember(
            path="/authenticator",
            because="One that asks no identity provider lets removed people start servers.",
            findings=_IDENTITIES,
        ),
        CombinedMember(
            path="/spawner/class",
            because="What runs in no container is not found by the engine, as if it were stopped.",
            findings=(message("check_spawner").code,),
        ),
        IgnoredMember(
            path="/spawner/version", because="Names are compared with those that are there."
        ),
        IgnoredMember(path="/version", because="The same is said to anybody, and judged there."),
        *ignore_members("Nothing is run there by the manager.", "python", "sys_executable"),
    ),
)
TOKEN: Final = MemberTable(
    "whose the manager's token is: GET /hub/api/user",
    (
        RequiredMember(
            path="/kind",
            because="A person's own token ends with the person, and stops nothing from then on.",
            values=("service",),
            name=message("check_owner"),
            found=message("token_is_a_persons"),
            remedy=message("give_role_and_token"),
            severity=Severity.WARNING,
        ),
        RequiredMember(
            path="/admin",
            because="Anybody who reads the token could act as everybody in the hub.",
            values=(False, None),
            name=message("check_rights"),
            found=message("service_is_administrator"),
            remedy=message("take_admin"),
            severity=Severity.WARNING,
        ),
        CombinedMember(
            path="/scopes",
            because="Without them servers are not seen or not stopped, and run on.",
            findings=(*_SERVERS, message("check_users").code),
        ),
        CombinedMember(
            path="/info/asked_afresh",
            because="How the hub treats an identity that is refused is nowhere else in its API.",
            findings=_IDENTITIES,
        ),
        CombinedMember(
            path="/info",
            because="Where it is not shown, nobody knows how the hub treats a refused identity.",
            findings=_IDENTITIES,
        ),
        IgnoredMember(path="/name", because="A service may have any name."),
        *ignore_members("The manager is no process of the hub's.", "pid", "command"),
        *ignore_members(
            "The hub offers no way to the manager's pages.", "url", "prefix", "display"
        ),
        IgnoredMember(path="/token_id", because="The token is known by what it may do."),
        IgnoredMember(path="/session_id", because="A token has no session."),
    ),
)
USER: Final = MemberTable(
    "one user of the list: GET /hub/api/users",
    (
        CombinedMember(
            path="/name",
            because="A removal looks for the servers of the user name and of no other one.",
            findings=_NAMES,
        ),
        CombinedMember(
            path="/servers/*/state/object_name",
            because="A container of another name is not found.",
            findings=(message("check_container_names").code,),
        ),
        IgnoredMember(path="/servers/*/state", because="A container is addressed by its name."),
        *combine_members(
            "What is taken for stopped runs on.",
            (message("check_people").code,),
            *("ready", "pending", "stopped"),
            below="/servers/*",
        ),
        *ignore_members(
            "Nobody is sent to a server from here.",
            *("url", "full_url", "progress_url", "full_progress_url", "user_options"),
            below="/servers/*",
        ),
        *ignore_members(
            "Whatever runs is stopped.",
            *("name", "display_name", "full_name", "last_activity", "started"),
            below="/servers/*",
        ),
        CombinedMember(
            path="/servers",
            because="Where it is not shown, servers run on unseen.",
            findings=_SERVERS,
        ),
        IgnoredMember(path="/kind", because="The list has users alone."),
        *ignore_members(
            "Who administers the hub is its operator's choice.", "admin", "roles", "groups"
        ),
        IgnoredMember(path="/user_info", because="A removal needs the name alone."),
        *ignore_members(
            "The list of servers says the same of each server.",
            *("server", "pending", "created", "last_activity"),
        ),
    ),
)
TABLES: Final = (VERSION, ABOUT, TOKEN, USER)
