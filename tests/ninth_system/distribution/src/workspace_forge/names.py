"""The addresses of things of the forge, and names that it can give to nobody. Pure functions."""

from workspace_manager.contract.connector import Target

ACCOUNT = "forge.account"
TOKENS = "forge.tokens"
IMPOSSIBLE = (r".*\.git", r".*\.keys", r"[-.].*")
"""Addresses of the forge end in these, so that no account is called so."""


def target(sub: str) -> Target:
    """The forge knows people by the id that the identity provider gave them: a name may change."""
    return {"sub": sub}
