"""The look at a drive: whether it is installed and in maintenance (`status.php`)."""

from workspace_manager.contract import looks
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.system import ObservedState
from workspace_manager.systems.drive.client.ocs import refuse_untrusted
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.settings import Settings


def look(settings: Settings) -> ObservedState:
    """Read `status.php`, which answers during maintenance, too. Raises the five errors."""
    http = HttpClient(settings.base_url, system="drive", policy=looks.CALLS)
    try:
        answer = http.send("GET", "/status.php", doing=looks.LOOKING, anonymous=True)
    finally:
        http.close()
    refuse_untrusted(answer)
    found = answer.json_or_none()
    said = found if isinstance(found, dict) else {}
    if answer.status != 200 or not {"installed", "maintenance", "productname"} <= said.keys():
        raise looks.not_it(answer)
    if said["installed"] is not True:
        raise looks.not_it(answer, detail=message("not_installed"))
    if said["maintenance"]:
        return ObservedState(message("in_maintenance"))
    return ObservedState(message("needs_upgrade") if said.get("needsDbUpgrade") else None)
