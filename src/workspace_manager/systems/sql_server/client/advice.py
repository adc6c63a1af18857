"""What people are told to do about each of the five errors, whatever the product."""

from collections.abc import Mapping
from typing import Final

from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)

ADVICE: Final[Mapping[type[ConnectorError], str]] = {
    Unavailable: "It is tried again. Look whether the server runs and host and port are right.",
    Denied: "Nothing more is sent there until this is corrected. Look at the administrator's user name, password and privileges; the "
    "check of the SQL server names each privilege that is missing.",
    NotFound: "Look at this account or database on the SQL server.",
    Conflict: "Look at this account or database on the SQL server.",
    Invalid: "Look at the SQL server's error log, and report this code.",
}
ANOTHER_PRODUCT: Final = (
    "Another product may be answering there; look at product, host and port in the settings."
)
NOT_THIS_PROTOCOL: Final = "what answers does not speak this SQL server's protocol"
