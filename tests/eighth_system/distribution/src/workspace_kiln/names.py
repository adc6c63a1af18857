"""Names of accounts of the kiln. Pure functions."""

import re

from workspace_manager.contract.connector import Target
from workspace_manager.contract.errors import NameImpossible

KIND = "kiln.account"


def account_name(username: str) -> str:
    """Give the account of a person. Raises NameImpossible for what the control panel could not show."""
    name = username.lower()
    if not re.fullmatch(r"[a-z0-9._-]{1,40}", name):
        raise NameImpossible("the kiln takes names of a to z, digits, dots and dashes")
    return name


def account_target(name: str) -> Target:
    return {"account": name}
