"""The engine in memory about itself: `GET /version`."""

from typing import Any

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
