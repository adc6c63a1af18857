"""Disabling of people of a directory, instead of deleting them.

See docs/decisions/0045-people-of-a-directory-are-disabled.md.
"""

from typing import Any

from workspace_manager.contract.connector import ALREADY, CHANGED, Evidence, Outcome, Target
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.systems.identity_provider.client.directory import (
    DirectoryClient,
    directory_of,
)
from workspace_manager.systems.identity_provider.client.sign_ins import SignInClient
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.client.users import UserClient
from workspace_manager.systems.identity_provider.messages import message


class DirectoryPeople:
    """The people of the realm's directories."""

    def __init__(self, users: UserClient) -> None:
        self._users = users
        self._client = DirectoryClient(users)
        self._sign_ins = SignInClient(users)

    def find_imported_again(self, target: Target) -> dict[str, Any] | None:
        """Return the user who was imported again from the entry of an earlier look."""
        return self._client.find_again(target["username"], target)

    def shut(self, user: dict[str, Any]) -> Outcome:
        """Disable a user, end every session and revoke every consent with its offline tokens. The
        directory's administrators have to do the rest.
        """
        sub = str(user["id"])
        done = CHANGED if self._is_open(user) else ALREADY
        if user.get("enabled") is not False:
            self._users.put_user(sub, {"enabled": False})
        self._sign_ins.end(sub)
        said = message(
            "end_in_directory",
            person=Named(person=str(user["username"])),
            directory=self.name(user),
        )
        return done.model_copy(update={"by_hand": (said,)})

    def shut_evidence(self, user: dict[str, Any], how: Message) -> Evidence | None:
        """Return the evidence that a user of a directory is shut; None while something is open."""
        if self._is_open(user):
            return None
        found = message("disabled_not_deleted", directory=self.name(user))
        return Evidence.now(SYSTEM, message("and_consents", how=how), found)

    def name(self, user: dict[str, Any]) -> str:
        """Return the name of the user's directory."""
        return self._client.name_of(directory_of(user))

    def find_same_name(self, target: Target) -> dict[str, Any] | None:
        """Return a directory's user with the name of a deleted user: perhaps the same person,
        without proof.
        """
        user = self._users.find_user(target["username"]) if target.get("sub") else None
        is_other = user is not None and directory_of(user) and user["id"] != target["sub"]
        return user if is_other else None

    def decisions_left(self, target: Target) -> tuple[Message, ...]:
        """Return decisions that are left to a person after a user was deleted."""
        user = self.find_same_name(target)
        if user is None:
            return ()
        said = message(
            "same_name_in_directory",
            person=Named(person=target["username"]),
            directory=self.name(user),
            sub=str(user["id"]),
        )
        return (said,)

    def _is_open(self, user: dict[str, Any]) -> bool:
        sub = str(user["id"])
        return user.get("enabled") is not False or bool(self._sign_ins.count(sub))
