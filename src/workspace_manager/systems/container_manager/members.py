"""Members of the documents that the check and others read from Portainer and the engine
(`contract/members.py`).
"""

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
from workspace_manager.systems.container_manager.messages import message

_ENVIRONMENT: Final = (message("check_environment").code,)
_CONTAINERS: Final = (message("check_containers").code,)
_OF_HUB: Final = (
    "notebook_hub.check_container_names",
    "notebook_hub.check_whose",
    "notebook_hub.check_people",
)
"""Findings of the notebook hub, to which the engine is lent."""


STATUS: Final = MemberTable(
    "Portainer, to anybody: GET /api/status",
    (
        CombinedMember(
            path="/Version",
            because="It is no Portainer without one.",
            findings=(message("check_reachable").code,),
        ),
        IgnoredMember(path="/InstanceID", because="Its containers say which installation it is."),
    ),
)
OWNER: Final = MemberTable(
    "whose the key is: GET /api/users/me",
    (
        RequiredMember(
            path="/Role",
            because="Others' containers are hidden, so that one that runs is taken for gone.",
            values=(1,),
            name=message("check_role"),
            found=message("owner_is_regular"),
            remedy=message("make_token_as_administrator"),
        ),
        RequiredMember(
            path="/forceChangePassword",
            because="The key works until somebody has the owner sign in and make another one.",
            values=(False, None),
            name=message("check_key_owner"),
            found=message("owner_has_to_change_password"),
            remedy=message("change_owners_password"),
            severity=Severity.WARNING,
        ),
        CombinedMember(
            path="/Username",
            because="Somebody who looks for the key has to know whose it is.",
            findings=(message("check_key").code,),
        ),
        *ignore_members(
            "An administrator may do everything.",
            *("Id", "PortainerAuthorizations", "EndpointAuthorizations"),
        ),
        *ignore_members(
            "A key has no session of the pages.",
            *("TokenIssueAt", "ThemeSettings", "UseCache", "UserTheme"),
        ),
    ),
)
ENVIRONMENT: Final = MemberTable(
    "the environment of the settings: GET /api/endpoints/{id}",
    (
        RequiredMember(
            path="/TLSConfig/TLSSkipVerify",
            because="Anybody between Portainer and the engine can do with it what they want.",
            values=(False, None),
            name=message("check_engine_certificate"),
            found=message("engine_not_verified"),
            remedy=message("verify_engine"),
            severity=Severity.WARNING,
        ),
        *combine_members(
            "Behind another environment no container of ours is found.",
            _ENVIRONMENT,
            *("Id", "Name", "Type", "Status"),
        ),
        *ignore_members(
            "The engine itself is asked, and says what it is.",
            *("TLSConfig", "URL", "ContainerEngine", "Agent", "ComposeSyntaxMaxVersion"),
        ),
        *ignore_members(
            "Nobody is sent there: stacks have an address of the settings.", "PublicURL"
        ),
        *ignore_members(
            "An administrator may do everything.",
            *("UserAccessPolicies", "TeamAccessPolicies", "AuthorizedUsers", "AuthorizedTeams"),
            "GroupId",
        ),
        *ignore_members("It is about regular users, and the manager is none.", "SecuritySettings"),
        *ignore_members(
            "How it is sorted for people.", "TagIds", "Tags", "Gpus", "EnableGPUManagement"
        ),
        *ignore_members(
            "Not asked for: they lag behind the engine.", "Snapshots", "PostInitMigrations"
        ),
        *ignore_members(
            "Of other kinds of environments, which Type tells.",
            *("AzureCredentials", "Kubernetes", "Edge", "EdgeKey", "EdgeID"),
            *("EdgeCheckinInterval", "IsEdgeDevice", "LastCheckInDate", "QueryDate"),
            "Heartbeat",
        ),
    ),
)
VERSION: Final = MemberTable(
    "the engine: GET /version",
    (
        CombinedMember(
            path="/ApiVersion",
            because="An older one lacks calls, so that notebooks are not stopped.",
            findings=(message("check_api_version").code,),
        ),
        CombinedMember(
            path="/Version",
            because="Somebody who reads a report has to know what answered.",
            findings=(message("check_engine").code,),
        ),
        RequiredMember(
            path="/Os",
            because="Notebooks, the drive's command line and stacks are programs of Linux.",
            values=("linux", None),
            name=message("check_engine_system"),
            found=message("engine_is_not_linux"),
            remedy=message("use_linux_engine"),
        ),
        *ignore_members(
            "What the engine is made of: its API is asked.",
            *("Platform", "Components", "GitCommit", "GoVersion", "KernelVersion", "Arch"),
            *("BuildTime", "Experimental"),
        ),
        *ignore_members(
            "An engine that refuses our older calls is a failing call.", "MinAPIVersion"
        ),
    ),
)
LISTED: Final = MemberTable(
    "one container of the list: GET /containers/json?all=1",
    (
        CombinedMember(
            path="/Names",
            because="A name that is not listed is taken for a container that is gone.",
            findings=(*_CONTAINERS, "notebook_hub.check_container_names"),
        ),
        CombinedMember(
            path="/Id", because="It is no list of containers without.", findings=_CONTAINERS
        ),
        *ignore_members(
            "Each container that matters is looked at by itself.",
            *("Image", "ImageID", "Labels", "State", "Status", "Created", "NetworkSettings"),
            *("HostConfig", "Mounts", "Command", "Ports", "Config", "Name"),
        ),
        *ignore_members(
            "What podman adds, and Docker leaves out.",
            *("NetworkingConfig", "Platform", "AdjustCPUShares", "DefaultReadOnlyNonRecursive"),
        ),
        *ignore_members(
            "Who sees it in Portainer; an administrator sees all.",
            *("Portainer", "IsPortainer"),
        ),
    ),
)
INSPECTED: Final = MemberTable(
    "one container that is lent to others: GET /containers/{name}/json",
    (
        *combine_members(
            "A process that is left is taken for none, and a notebook runs on.",
            ("notebook_hub.check_kept_containers",),
            *("State/Status", "State/Pid"),
        ),
        *combine_members(
            "Whose a notebook is decides whether a removal stops it.",
            _OF_HUB,
            *("Config/Env", "Config/Labels", "Config/Image", "Name"),
        ),
        *combine_members(
            "A network of the spawner's own shows that it made the container.",
            _OF_HUB,
            *("NetworkSettings/Networks/*", "NetworkSettings/Networks"),
        ),
        CombinedMember(path="/Id", because="It is no container without.", findings=_CONTAINERS),
        *ignore_members("Whether a process is left is told by status and process.", "State"),
        *ignore_members("It starts what its image and its spawner say.", "Config", "Path", "Args"),
        *ignore_members("Where it is reached; the hub tells its own servers.", "NetworkSettings"),
        *ignore_members("What it is given by its spawner.", "HostConfig", "Mounts", "ExecIDs"),
        *ignore_members(
            "Where the engine keeps it.",
            *("ResolvConfPath", "HostnamePath", "HostsPath", "LogPath", "GraphDriver"),
            *("Driver", "SizeRootFs", "SizeRw", "Storage", "ImageManifestDescriptor"),
        ),
        *ignore_members(
            "How the host confines it.", "MountLabel", "ProcessLabel", "AppArmorProfile"
        ),
        *ignore_members(
            "When and how often it was started.", "Created", "RestartCount", "Platform"
        ),
        *ignore_members("Config.Image has the image's name.", "Image"),
        *ignore_members(
            "Who sees it in Portainer; an administrator sees all.",
            *("Portainer", "IsPortainer"),
        ),
    ),
)
TABLES: Final = (STATUS, OWNER, ENVIRONMENT, VERSION, LISTED, INSPECTED)
