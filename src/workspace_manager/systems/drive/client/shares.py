"""A person's shares at the drive. Only the person can list them: an administrator sees nobody
else's (docs/systems/drive.md#shares).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.http import HttpClient, Token
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client.credential_owner import APP_PASSWORD
from workspace_manager.systems.drive.client.ocs import understand
from workspace_manager.systems.drive.messages import message

SHARES: Final = "/ocs/v2.php/apps/files_sharing/api/v1/shares"
TO_A_PERSON: Final = 0
BY_LINK: Final = frozenset({3, 4})
"""Types of shares with everybody who has the address, and with an e-mail address."""


@dataclass(frozen=True)
class Shares:
    """Counts of shares: all, `people` they are shared with by name, and `links`."""

    shares: int
    people: int
    links: int


def shares_of(http: HttpClient, app_password: Secret) -> Shares:
    """Return counts of the shares of an app password's account. Raises the five errors.

    It is sent as bearer, which never counts as a failed sign-in.
    """
    answer = http.send(
        "GET",
        SHARES,
        doing=message("asking_for_shares"),
        kind=APP_PASSWORD,
        params={"format": "json"},
        credential=Token("Authorization", app_password, scheme="Bearer"),
    )
    data = understand(answer).data
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise answer.error(Invalid, message("shares_of_unknown_shape"))
    return count_shares(data)


def count_shares(shares: Iterable[dict[str, Any]]) -> Shares:
    listed = [(one.get("share_type"), str(one.get("share_with"))) for one in shares]
    with_names = [one for one in listed if one[0] not in BY_LINK]
    people = {name for kind, name in with_names if kind == TO_A_PERSON}
    return Shares(len(with_names), len(people), len(listed) - len(with_names))
