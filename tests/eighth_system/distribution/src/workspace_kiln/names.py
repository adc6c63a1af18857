"""Names of accounts of the kiln. Pure functions."""

import re

from workspace_kiln.messages import message
from workspace_manager.contract.connector import Target
from workspace_manager.contract.names import NameImpossible

KIND = "kiln.account"


def account_name(username: str) -> str:
    """Give the account of a person. Raises NameImpossible for what the control panel could not
    show.
    """
    name = username.lower()
    if not re.fullmatch(r"[a-z0-9._-]{1,40}", name):
        raise NameImpossible(message("impossible"))
    return name


def account_target(name: str) -> Target:
    return {"account": name}
