"""What the engine in memory says of itself: `GET /version`, `GET /info`."""

from typing import Any

from workspace_sandbox.stand_ins.container_manager import views

VERSION: dict[str, Any] = {
    "Platform": {"Name": "linux/amd64/sandbox"},
    "Components": [
        {
            "Name": "Podman Engine",
            "Version": "4.3.1",
            "Details": {"APIVersion": "4.3.1", "Arch": "amd64", "MinAPIVersion": "4.0.0"},
        }
    ],
    "Version": "4.3.1",
    "ApiVersion": "1.41",
    "MinAPIVersion": "1.24",
    "GitCommit": "",
    "GoVersion": "go1.19.8",
    "Os": "linux",
    "Arch": "amd64",
    "KernelVersion": "6.1.0",
    "BuildTime": "1970-01-01T00:00:00Z",
}
_YES = (
    *(
        "MemoryLimit",
        "SwapLimit",
        "CpuCfsPeriod",
        "CpuCfsQuota",
        "CPUShares",
        "CPUSet",
        "PidsLimit",
    ),
    *("IPv4Forwarding", "BridgeNfIptables", "BridgeNfIp6tables", "OomKillDisable"),
    *("ExperimentalBuild", "CPURealtimePeriod", "CPURealtimeRuntime"),
)
_NO = ("KernelMemory", "KernelMemoryTCP", "Debug", "LiveRestoreEnabled", "Rootless")
_EMPTY = (
    *("LoggingDriver", "IndexServerAddress", "HttpProxy", "HttpsProxy", "NoProxy", "Isolation"),
    "InitBinary",
)
_RUNTIMES = ("crun", "kata", "krun", "runc", "runj", "runsc")
_NOBODY = {"ID": "", "Expected": ""}
_REGISTRIES = (
    *("AllowNondistributableArtifactsCIDRs", "AllowNondistributableArtifactsHostnames"),
    *("InsecureRegistryCIDRs", "Mirrors"),
)


_FIXED: dict[str, Any] = {
    "Driver": "vfs",
    "DriverStatus": [],
    "Plugins": {
        "Volume": ["local"],
        "Network": ["bridge", "macvlan"],
        "Authorization": None,
        "Log": ["k8s-file", "none", "passthrough", "journald"],
    },
    **dict.fromkeys(_YES, True),
    **dict.fromkeys(_NO, False),
    **dict.fromkeys(_EMPTY, ""),
    "NFd": 32,
    "NGoroutines": 10,
    "NEventsListener": 0,
    "CgroupDriver": "cgroupfs",
    "CgroupVersion": "1",
    "KernelVersion": "6.1.0",
    "OperatingSystem": "debian",
    "OSVersion": "12",
    "OSType": "linux",
    "Architecture": "amd64",
    "RegistryConfig": {**{name: [] for name in _REGISTRIES}, "IndexConfigs": {}},
    "NCPU": 2,
    "MemTotal": 4_000_000_000,
    "GenericResources": None,
    "DockerRootDir": views.STORE,
    "Name": "sandbox",
    "Labels": None,
    "ServerVersion": "4.3.1",
    "Runtimes": {name: {"path": f"/usr/bin/{name}"} for name in _RUNTIMES},
    "DefaultRuntime": "runc",
    "Swarm": {
        "NodeID": "",
        "NodeAddr": "",
        "LocalNodeState": "inactive",
        "ControlAvailable": False,
        "Error": "",
        "RemoteManagers": None,
    },
    **{f"{name}Commit": dict(_NOBODY) for name in ("Containerd", "Runc", "Init")},
    "SecurityOptions": ["name=seccomp,profile=default"],
    "ProductLicense": "Apache-2.0",
    "Warnings": [],
    "BuildahVersion": "1.28.2",
    "SwapFree": 0,
    "SwapTotal": 0,
    "Uptime": "1h 2m 21.00s (Approximately 0.04 days)",
}
