"""The calls that stories make to the identity provider and the drive besides their connectors."""

from collections.abc import Mapping
from typing import Any, Protocol

from workspace_manager.contract.connector import System
from workspace_manager.contract.person_trial import Trial, Walk
from workspace_manager.contract.secret import Secret


class Tokens(Protocol):
    """The result of a refresh: new tokens, and how many seconds the access token is good."""

    @property
    def access(self) -> Secret: ...

    @property
    def refresh(self) -> Secret: ...

    @property
    def seconds(self) -> float: ...


class PublishedKeys(Protocol):
    """The keys that verify signatures, and the addresses of the realm, by the names of OpenID
    Connect Discovery.
    """

    @property
    def issuer(self) -> str: ...

    @property
    def keys(self) -> Mapping[str, Mapping[str, Any]]: ...

    @property
    def endpoints(self) -> Mapping[str, str]: ...


class IdentityProvider(System, Protocol):
    """The calls that stories make to the identity provider besides its connectors."""

    def read_attribute(self, sub: str, name: str) -> Secret:
        """Raises NotFound when it is not set."""
        ...

    def token_lifespan(self) -> int:
        """Seconds the longest access token may live."""
        ...

    def refresh(self, token: Secret) -> Tokens:
        """New tokens for a person's refresh token. Raises Denied when that session has ended."""
        ...

    def read_metadata(self, key: str = "") -> PublishedKeys:
        """The realm's published keys and addresses, for a signature by the key of this name."""
        ...

    def enabled(self, sub: str) -> bool:
        """Return whether a user may sign in. Raises NotFound when there is none."""
        ...

    def find_person(self, trial: Trial) -> str:
        """The `sub` of the person of an earlier check; "" for none."""
        ...

    def make_person(self, trial: Trial, password: Secret) -> str:
        """Make the person of a check; gives the `sub`. Raises Conflict where the reserved name is
        somebody's.
        """
        ...

    def walk_as_person(self, trial: Trial, sub: str, password: Secret) -> Walk:
        """Sign in as that person at every client, and judge what comes of it."""
        ...


class IssuedPair(Protocol):
    """A pair that was made. `session_left`: the session of the token that made it lives on."""

    @property
    def login_name(self) -> str: ...

    @property
    def app_password(self) -> Secret: ...

    @property
    def session_left(self) -> bool: ...


class Drive(System, Protocol):
    """The calls that stories make to the drive besides its connectors: a person's own way to it."""

    def account_ids(self, sub: str) -> tuple[str, ...]:
        """The login names that are this person's."""
        ...

    def account_of(self, credential: Secret) -> str | None:
        """The account that a token signs in, which is made where there is none; None for a definite
        no.
        """
        ...

    def ensure_app_password(self, bearer: Secret, sub: str) -> IssuedPair:
        """Login name and app password, made with the person's token. Raises Denied for a rejected
        token, `NotMade` (a kind of Invalid) where nothing made one for it.
        """
        ...

    def end_sessions(self, sub: str) -> bool:
        """End what our calls with a person's token left at the drive; whether that could be
        done.
        """
        ...

    def start_login_flow(self) -> tuple[str, Secret]:
        """The address the person opens, and the handle to poll with."""
        ...

    def poll_login_flow(self, handle: Secret) -> tuple[str, Secret] | None:
        """Login name and app password once the person granted access. Raises NotFound when the flow
        has expired.
        """
        ...

    def credentials_work(self, login_name: str, app_password: Secret, sub: str) -> bool:
        """False only on the drive's definite no. Raises Conflict when they sign in
        somebody else.
        """
        ...

    def revoke_app_password(self, app_password: Secret) -> bool:
        """Revoke an app password, and return whether it was alive."""
        ...
