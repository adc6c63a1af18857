"""Addresses over which passwords and keys travel unencrypted: a finding for every system that has
one, besides its own check.
"""

from typing import Final
from urllib.parse import urlsplit

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.loopback import is_loopback
from workspace_manager.contract.settings import SettingSpec
from workspace_manager.operations.messages import message
from workspace_manager.operations.system_configuration import read_settings, settings_class

IN_CLEAR: Final = {"http", "docker"}


def findings(system: str) -> list[Finding]:
    """Return one finding for each such setting."""
    settings = read_settings(system).settings
    return [
        _finding(system, spec, address)
        for spec in settings_class(system).specs()
        if spec.kind == "url" and spec.origin
        if (address := getattr(settings, spec.name)) and _in_clear(address)
    ]


def _in_clear(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in IN_CLEAR and not is_loopback(parts.hostname or "")


def _finding(system: str, spec: SettingSpec, address: str) -> Finding:
    return Findings(system).warning(
        message("check_encryption"),
        message("travels_in_clear", setting=spec.label_message, address=address),
        message("use_https"),
    )
