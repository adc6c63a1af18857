"""What a realm says that answers nobody: that it wants https, or is not enabled."""

from typing import Final

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.systems.identity_provider.messages import message

WANTS_HTTPS: Final = "HTTPS required"
NOT_ENABLED: Final = "Realm not enabled"


def closed_realm(answer: Answer, realm: str) -> ConnectorError | None:
    """The error for a realm that says why it answers nobody; None for any other answer."""
    body = answer.json_or_none()
    said = body.get("error_description") if isinstance(body, dict) else None
    if answer.status != 403 or not isinstance(said, str) or said not in {WANTS_HTTPS, NOT_ENABLED}:
        return None
    if said == WANTS_HTTPS:
        return answer.error(
            Denied, message("wants_https"), advice=message("allow_http", realm=realm)
        )
    return answer.error(
        Denied, message("realm_is_off", realm=realm), advice=message("enable_realm", realm=realm)
    )
