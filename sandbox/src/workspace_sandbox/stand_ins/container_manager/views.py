"""Podman's Docker API's view of a container, an exec session and a volume; `record` is the engine's
own row.
"""

from datetime import UTC, datetime
from typing import Any

NEVER = "0001-01-01T00:00:00Z"
STORE = "/var/lib/containers/storage"


def stamp(seconds: float | None) -> str:
    """Return a time in RFC 3339 with nine digits, as Go writes it."""
    if seconds is None:
        return NEVER
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f") + "000Z"


def state(record: dict[str, Any]) -> dict[str, Any]:
    status = record["status"]
    return {
        "Status": status,
        "Running": status in {"running", "paused"},
        "Paused": status == "paused",
        "Restarting": False,
        "OOMKilled": False,
        "Dead": False,
        "Pid": record["pid"],
        "ExitCode": record["exit_code"],
        "Error": "",
        "StartedAt": stamp(record["started"]),
        "FinishedAt": stamp(record["finished"]),
        "Health": {"Status": "", "FailingStreak": 0, "Log": None},
    }


def inspect(record: dict[str, Any], execs: list[str]) -> dict[str, Any]:
    """`GET containers/{id}/json`."""
    number = record["id"]
    up = record["pid"] > 0
    run = f"/run/containers/storage/vfs-containers/{number}/userdata"
    argv = record["argv"]
    return {
        "Id": number,
        "Created": stamp(record["created"]),
        "Path": argv[0] if argv else "",
        "Args": argv[1:],
        "State": state(record),
        "Image": record["image_id"],
        "ResolvConfPath": f"{run}/resolv.conf" if record["started"] else "",
        "HostnamePath": f"{run}/hostname" if record["started"] else "",
        "HostsPath": f"{run}/hosts" if record["started"] else "",
        "LogPath": f"{STORE}/vfs-containers/{number}/userdata/ctr.log",
        "Name": "/" + record["name"],
        "RestartCount": 0,
        "Driver": "vfs",
        "Platform": "linux",
        "MountLabel": "",
        "ProcessLabel": "",
        "AppArmorProfile": "",
        "ExecIDs": execs,
        "HostConfig": _host_config(record),
        "GraphDriver": {"Data": None, "Name": "vfs"},
        "SizeRootFs": 0,
        "Mounts": mounts(record),
        "Config": _config(record),
        "NetworkSettings": {
            "Bridge": "",
            "SandboxID": "",
            "HairpinMode": False,
            "LinkLocalIPv6Address": "",
            "LinkLocalIPv6PrefixLen": 0,
            "Ports": {},
            "SandboxKey": f"/run/netns/netns-{number[:8]}" if up else "",
            "SecondaryIPAddresses": None,
            "SecondaryIPv6Addresses": None,
            **_address(record),
            "Networks": networks(record),
        },
    }


def render_list_row(record: dict[str, Any]) -> dict[str, Any]:
    """One row of `GET containers/json`."""
    return {
        "Id": record["id"],
        "Names": ["/" + record["name"]],
        "Image": record["image"],
        "ImageID": record["image_id"],
        "Command": " ".join(record["argv"]),
        "Created": int(record["created"]),
        "Ports": [],
        "Labels": record["labels"],
        "State": record["status"],
        "Status": _words(record),
        "NetworkSettings": {"Networks": networks(record)},
        "Mounts": mounts(record),
        "Name": "",
        "Config": None,
        "NetworkingConfig": None,
        "Platform": None,
        "AdjustCPUShares": False,
    }


def exec_session(session: dict[str, Any]) -> dict[str, Any]:
    """`GET exec/{id}/json`. ExitCode is 0 until the command ended; `CanRemove` says that it did."""
    ended = session["state"] == "stopped"
    return {
        "CanRemove": ended,
        "ContainerID": session["container"],
        "DetachKeys": "",
        "ExitCode": session["exit_code"] if ended else 0,
        "ID": session["id"],
        "OpenStderr": session["stderr"],
        "OpenStdin": False,
        "OpenStdout": session["stdout"],
        "Running": session["state"] == "running",
        "Pid": 4711 if session["state"] == "running" else 0,
        "ProcessConfig": {
            "arguments": session["argv"][1:] or None,
            "entrypoint": session["argv"][0],
            "privileged": False,
            "tty": session["tty"],
            "user": session["user"],
        },
    }


def volume(record: dict[str, Any], *, fresh: bool = False) -> dict[str, Any]:
    return {
        "CreatedAt": stamp(record["created"])[:19] + "Z",
        "Driver": "local",
        "Labels": record["labels"],
        "Mountpoint": f"{STORE}/volumes/{record['name']}/_data",
        "Name": record["name"],
        "Options": None if fresh else {},
        "Scope": "local",
    }


def mounts(record: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "Type": "volume" if not source.startswith("/") else "bind",
            "Name": "" if source.startswith("/") else source,
            "Source": source if source.startswith("/") else f"{STORE}/volumes/{source}/_data",
            "Destination": destination,
            "Driver": "local",
            "Mode": "",
            "RW": True,
            "Propagation": "rprivate",
        }
        for source, destination in record["mounts"]
    ]


def networks(record: dict[str, Any]) -> dict[str, Any]:
    name = record["network"]
    if name in {"none", "host"}:
        return {}
    return {
        name: {
            "IPAMConfig": None,
            "Links": None,
            "Aliases": [*record["aliases"], record["id"][:12]],
            "NetworkID": name,
            **_address(record),
            "DriverOpts": None,
        }
    }


def _address(record: dict[str, Any]) -> dict[str, Any]:
    up = record["pid"] > 0 and record["network"] not in {"none", "host"}
    return {
        "EndpointID": "",
        "Gateway": "10.88.0.1" if up else "",
        "GlobalIPv6Address": "",
        "GlobalIPv6PrefixLen": 0,
        "IPAddress": f"10.88.0.{2 + record['pid'] % 250}" if up else "",
        "IPPrefixLen": 16 if up else 0,
        "IPv6Gateway": "",
        "MacAddress": "c6:1b:4b:70:fd:26" if up else "",
    }


def _words(record: dict[str, Any]) -> str:
    status = record["status"]
    if status in {"running", "paused"}:
        return "Up 8 seconds" + (" (Paused)" if status == "paused" else "")
    if status == "exited":
        return f"Exited ({record['exit_code']}) 2 seconds ago"
    return str(status).capitalize()


def _config(record: dict[str, Any]) -> dict[str, Any]:
    host = [f"HOSTNAME={record['id'][:12]}"] if record["started"] else []
    return {
        "Hostname": record["id"][:12],
        "Domainname": "",
        "User": record["user"],
        "AttachStdin": False,
        "AttachStdout": False,
        "AttachStderr": False,
        "Tty": False,
        "OpenStdin": False,
        "StdinOnce": False,
        "Env": [*record["env"], *host],
        "Cmd": record["argv"],
        "Image": record["image"],
        "Volumes": None,
        "WorkingDir": "/",
        "Entrypoint": [],
        "OnBuild": None,
        "Labels": record["labels"],
        "StopSignal": "15",
        "StopTimeout": 0,
    }


_NULL = (
    *("VolumesFrom", "Links", "BlkioWeightDevice", "BlkioDeviceReadBps", "BlkioDeviceWriteBps"),
    *("BlkioDeviceReadIOps", "BlkioDeviceWriteIOps", "DeviceCgroupRules", "DeviceRequests"),
    *("MaskedPaths", "ReadonlyPaths"),
)
_EMPTY = (
    *("ContainerIDFile", "VolumeDriver", "CgroupnsMode", "Cgroup", "UsernsMode", "Isolation"),
    *("CgroupParent", "CpusetCpus", "CpusetMems"),
)
_ZERO = (
    *("OomScoreAdj", "CpuShares", "Memory", "NanoCpus", "BlkioWeight", "CpuPeriod", "CpuQuota"),
    *("CpuRealtimePeriod", "CpuRealtimeRuntime", "KernelMemory", "KernelMemoryTCP"),
    *("MemoryReservation", "MemorySwap", "MemorySwappiness", "CpuCount", "CpuPercent"),
    *("IOMaximumIOps", "IOMaximumBandwidth"),
)
_LISTS = (
    *("CapAdd", "CapDrop", "Dns", "DnsOptions", "DnsSearch", "ExtraHosts", "GroupAdd"),
    *("SecurityOpt", "Devices", "Ulimits"),
)
_FIXED_HOST_CONFIG: dict[str, Any] = {
    **dict.fromkeys(_NULL),
    **dict.fromkeys(_EMPTY, ""),
    **dict.fromkeys(_ZERO, 0),
    "PublishAllPorts": False,
    "ReadonlyRootfs": False,
    "OomKillDisable": False,
    "IpcMode": "shareable",
    "PidMode": "private",
    "UTSMode": "private",
    "Runtime": "oci",
    "ShmSize": 65536000,
    "PidsLimit": 2048,
    "ConsoleSize": [0, 0],
    "LogConfig": {"Type": "json-file", "Config": None},
}


def _host_config(record: dict[str, Any]) -> dict[str, Any]:
    return {
        **_FIXED_HOST_CONFIG,
        **{name: [] for name in _LISTS},
        "Binds": [
            f"{source}:{destination}:rw,rprivate,nosuid,nodev,rbind"
            for source, destination in record["mounts"]
        ],
        "NetworkMode": record["network_mode"],
        "PortBindings": {},
        "RestartPolicy": {"Name": record["restart"], "MaximumRetryCount": 0},
        "AutoRemove": record["auto_remove"],
        "Privileged": record["privileged"],
    }
