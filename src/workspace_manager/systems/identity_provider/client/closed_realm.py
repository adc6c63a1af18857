"""Answers of a realm that answers nobody: it requires https, or is disabled."""

from typing import Final

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import ConnectorError, Denied
from workspace_manager.systems.identity_provider.messages import message

WANTS_HTTPS: Final = "HTTPS required"
NOT_ENABLED: Final = "Realm not enabled"


def closed_realm(answer: Answer, realm: str) -> ConnectorError | None:
    """Return the error of a realm that says why it answers nobody; None for any other answer."""
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
