"""Calls of the triplestore's interface, one method each. A second delete raises NotFound, and calls
are never repeated.
"""

from typing import Any

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.http import Basic
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.triplestore import shapes
from workspace_manager.systems.triplestore.client.session import CALLS, Session
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.names import ROLE_USER
from workspace_manager.systems.triplestore.refusals import (
    GRAPHDB,
    OPENGDB,
    is_page,
    refusal,
    refuses_member,
    require,
)
from workspace_manager.systems.triplestore.shapes import Account, Odd, Repository, parse

__all__ = ["CALLS", "REPOSITORIES", "RESULTS", "USERS", "TriplestoreClient"]

RESULTS = "application/sparql-results+json"
USERS = "/rest/security/users"
REPOSITORIES = "/rest/repositories"

_MAY_NOT = {OPENGDB: 302, GRAPHDB: 403}
"""The answer to a right password without the right to read the account; a 403 or an empty 404 may
come from any server.
"""


class TriplestoreClient(Session):
    """The client of one triplestore, as its administrator."""

    # --- accounts ---------------------------------------------------------------------------------

    def accounts(self) -> list[Account]:
        """Return every account; only an administrator may list them, so an answer proves our
        rights.
        """
        answer = self._accounts()
        found = answer.json()
        # OpenGDB answers an object with counting keys, GraphDB an array
        # (docs/systems/triplestore.md#opengdb-accounts).
        return parse(
            answer, shapes.ACCOUNTS, list(found.values()) if isinstance(found, dict) else found
        )

    def each_account(self) -> list[Account | Odd]:
        """Return the accounts for a comparison: an odd entry hides no other one."""
        answer = self._accounts()
        return shapes.parse_entries(answer, shapes.ACCOUNT, answer.json(), "username")

    def _accounts(self) -> Answer:
        doing = message("listing_accounts")
        answer = self.send("GET", USERS, kind="triplestore.user", doing=doing)
        return require(answer, 200, flavour=self.flavour())

    def account(self, name: str) -> Account:
        """Return an account. Raises NotFound."""
        answer = self._user("GET", name, doing=message("reading_account"))
        return parse(answer, shapes.ACCOUNT, require(answer, 200, flavour=self.flavour()).json())

    def create_account(self, name: str, password: Secret, authorities: list[str]) -> None:
        """Create an account. Raises Conflict if there is one: perhaps a half-made one, which only
        `replace_account` completes.
        """
        body = {"password": password.reveal(), "grantedAuthorities": authorities}
        answer = self._user("POST", name, doing=message("creating_account"), body=body)
        require(answer, 201, flavour=self.flavour())

    def replace_account(self, name: str, password: Secret | None, authorities: list[str]) -> None:
        """Set password and rights. OpenGDB only adds rights on repositories and takes none away.
        Raises NotFound.
        """
        body: dict[str, Any] = {"grantedAuthorities": authorities}
        if password is not None:
            body = {"password": password.reveal(), **body}
        answer = self._user("PUT", name, doing=message("changing_account"), body=body)
        require(answer, 200, flavour=self.flavour())

    def take_rights(self, name: str) -> None:
        """Take all rights of an account except the plain role; its password and token stay. Raises
        NotFound.

        OpenGDB has no call to take single rights. A change that it refuses because of an unknown
        member has emptied the rights by then, and stores nothing else
        (docs/systems/triplestore.md#opengdb-taking-rights-away).
        """
        if self.flavour() == GRAPHDB:
            self.replace_account(name, None, [ROLE_USER])
            return
        body = {"grantedAuthorities": ["ROLE_REPO_MANAGER"], "x-revoke": 1}
        answer = self._user("PUT", name, doing=message("taking_rights"), body=body)
        if refuses_member(answer):
            return
        if answer.status < 300:
            # It stored the role, whose access is removed at once.
            self.replace_account(name, None, [ROLE_USER])
        require(answer, 400, flavour=OPENGDB)

    def delete_account(self, name: str) -> None:
        """Delete an account with its tokens and rights. Raises NotFound the second time."""
        answer = self._user("DELETE", name, doing=message("deleting_account"))
        require(answer, 204, flavour=self.flavour())

    def password_works(self, name: str, password: Secret) -> bool:
        """Return whether a person's password is right, without leaving a trace: only a wrong one
        gets a 401 when it reads the account.

        A right one is redirected to the login page (OpenGDB) or shown the account (GraphDB).
        Requesting a token would tell, too, but makes one. The server computes a password hash,
        which takes about a second.
        """
        kind, doing = "triplestore.user", message("trying_password")
        path = f"{USERS}/{_segment(name, kind)}"
        basic = Basic(name, password)
        answer = self._http.send("GET", path, kind=kind, doing=doing, credential=basic)
        if answer.status == 401:
            return False
        error = refusal(answer, flavour=self.flavour())
        let_in = isinstance(error, Denied) and answer.status == _MAY_NOT[self.flavour()]
        if error is not None and (is_page(answer) or not let_in):
            raise error
        return True

    def prove_password(self) -> None:
        """Try our own password. Raises Denied if it is wrong, whatever our rights are."""
        if not self.password_works(self.username, self._password):
            raise Denied(
                message("refused_name_and_password"),
                kind="triplestore.user",
                doing=message("trying_password"),
            )

    # --- repositories -----------------------------------------------------------------------------

    def repositories(self, *, anonymous: bool = False) -> list[Repository]:
        """Return the repositories in the list of the user layer; OpenGDB needs no credentials for
        it.
        """
        answer = self._repositories(anonymous=anonymous)
        return parse(answer, shapes.REPOSITORIES, answer.json())

    def each_repository(self) -> list[Repository | Odd]:
        """Return the repositories for a comparison: an odd entry hides no other one."""
        answer = self._repositories(anonymous=False)
        return shapes.parse_entries(answer, shapes.REPOSITORY, answer.json(), "id")

    def _repositories(self, *, anonymous: bool) -> Answer:
        answer = self.send(
            "GET",
            REPOSITORIES,
            kind="triplestore.repository",
            doing=message("listing_repositories"),
            anonymous=anonymous,
        )
        return require(answer, 200, flavour=self.flavour())

    def stored_ids(self) -> set[str]:
        """Return the ids with stored data, including orphans, which only this list shows.

        See docs/systems/triplestore.md#opengdb-repositories.
        """
        answer = self.send(
            "GET",
            "/repositories",
            kind="triplestore.repository",
            doing=message("listing_stored"),
            accept=RESULTS,
            anonymous=self.flavour() == OPENGDB,
        )
        return shapes.column(require(answer, 200, flavour=self.flavour()), "id")

    def create_repository(self, repository_id: str, title: str) -> None:
        """Create a repository. Never call this for an id that is listed or stored: OpenGDB then
        deletes its data.

        See docs/systems/triplestore.md#opengdb-repositories.
        """
        body: dict[str, Any] = {"id": repository_id, "title": title}
        if self.flavour() == GRAPHDB:
            body |= {"type": "graphdb", "params": {}}
        else:
            body |= {"publicRead": False, "publicWrite": False}
        answer = self.send(
            "POST",
            REPOSITORIES,
            kind="triplestore.repository",
            doing=message("creating_repository"),
            body=body,
        )
        require(answer, 200, 201, flavour=self.flavour())

    def retitle_repository(self, repository_id: str, title: str) -> None:
        """Change only the title: an `id` in the body would rename the repository only in OpenGDB.
        Raises NotFound.
        """
        doing = message("changing_title")
        body: dict[str, Any] = {"title": title}
        if self.flavour() == GRAPHDB:
            known = require(
                self._repository("GET", repository_id, doing=doing), 200, flavour=GRAPHDB
            ).json()
            body = {**known, **body} if isinstance(known, dict) else body
        answer = self._repository("PUT", repository_id, doing=doing, body=body)
        require(answer, 200, 204, flavour=self.flavour())

    def delete_repository(self, repository_id: str) -> None:
        """Delete a repository. A 200 does not prove that its data are gone: look at `stored_ids`
        before and after. Raises NotFound.
        """
        answer = self._repository("DELETE", repository_id, doing=message("deleting_repository"))
        require(answer, 200, 204, flavour=self.flavour())

    # --- sending ----------------------------------------------------------------------------------

    def _user(self, method: str, name: str, *, doing: Message, body: Any = None) -> Answer:
        kind = "triplestore.user"
        return self.send(
            method, f"{USERS}/{_segment(name, kind)}", kind=kind, doing=doing, body=body
        )

    def _repository(
        self, method: str, repository_id: str, *, doing: Message, body: Any = None
    ) -> Answer:
        kind = "triplestore.repository"
        path = f"{REPOSITORIES}/{_segment(repository_id, kind)}"
        return self.send(method, path, kind=kind, doing=doing, body=body)


def _segment(value: str, kind: str) -> str:
    return segment(value, kind=kind, doing=message("addressing"))
