"""The identity provider as one system: its connectors, its checks, and answers that only it has."""

from collections.abc import Mapping, Sequence

from workspace_manager.contract.connector import CallPolicy, Change, Connector, Evidence, Finding
from workspace_manager.contract.errors import Denied, Invalid, NotFound
from workspace_manager.contract.person_trial import Trial, Walk
from workspace_manager.contract.secret import Secret, SecretResolver
from workspace_manager.contract.sign_in_walk import ProviderAnswer, SignInStart
from workspace_manager.systems.identity_provider.checks import check
from workspace_manager.systems.identity_provider.client.authorization import (
    at_sign_in,
    own_start,
)
from workspace_manager.systems.identity_provider.client.credentials import CredentialClient
from workspace_manager.systems.identity_provider.client.groups import GroupClient
from workspace_manager.systems.identity_provider.client.listing import ListingClient
from workspace_manager.systems.identity_provider.client.metadata import ProviderMetadata
from workspace_manager.systems.identity_provider.client.realm import REALM, RealmClient
from workspace_manager.systems.identity_provider.client.session import (
    SessionClient,
    Tokens,
)
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.client.users import UserClient, Wire
from workspace_manager.systems.identity_provider.connector.attributes import AttributesConnector
from workspace_manager.systems.identity_provider.connector.client import ClientConnector
from workspace_manager.systems.identity_provider.connector.credentials import CredentialsConnector
from workspace_manager.systems.identity_provider.connector.group import GroupConnector
from workspace_manager.systems.identity_provider.connector.person import PersonOfCheck
from workspace_manager.systems.identity_provider.connector.realm import RealmConnector
from workspace_manager.systems.identity_provider.connector.user import UserConnector
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.realm.clients import token_lifespan
from workspace_manager.systems.identity_provider.realm.wants import RealmWants
from workspace_manager.systems.identity_provider.settings import Settings


class IdentityProvider:
    """The connected identity provider."""

    name = SYSTEM

    def __init__(
        self,
        users: UserClient,
        realm: RealmClient,
        sessions: SessionClient,
        secrets: SecretResolver,
        wants: RealmWants,
        calls: CallPolicy | None = None,
    ) -> None:
        self._users = users
        self._person = PersonOfCheck(users, realm, wants, calls)
        self._sessions = sessions
        self._realm = realm
        self._wants = wants
        self.listing = ListingClient(users.wire)
        self._realm_connector = RealmConnector(self._realm, secrets)
        connectors: list[Connector] = [
            UserConnector(self._users, self._realm, secrets, self.prove_rights),
            AttributesConnector(self._users, secrets, self.prove_rights),
            CredentialsConnector(CredentialClient(users.wire), self.prove_rights),
            self._realm_connector,
            GroupConnector(GroupClient(users.wire), self._users, self.prove_rights),
            ClientConnector(self._realm, secrets),
        ]
        self.connectors: Mapping[str, Connector] = {one.kind: one for one in connectors}

    def check(self) -> Sequence[Finding]:
        """Return findings for every misconfiguration that can be seen from here."""
        return check(self._users, self._realm, self._wants)

    def prove_credential(self) -> None:
        """Request a new token, which needs no role."""
        self._users.wire.token.prove()

    def prove_rights(self) -> Evidence:
        """Read the realm and query its users: if users are shown to us, or none exist, "User not
        found" proves absence.
        """
        realm = self._realm.get_realm()
        if realm.get("realm") != self._realm.wire.settings.realm:
            raise Invalid(
                message("another_realm"),
                kind=SYSTEM,
                doing=message("proving_rights"),
                advice=message("check_realm"),
            )
        self._users.some_user()
        return Evidence.now(
            SYSTEM, message("asked_realm_and_users"), message("realm_and_users_readable")
        )

    def read_attribute(self, sub: str, name: str) -> Secret:
        """Return an attribute of a user as a secret. Raises NotFound if it is not set."""
        return self._users.read_attribute(sub, name)

    def token_lifespan(self) -> int:
        """Return the longest time in seconds for which an issued access token is accepted without a
        question to the provider, over the realm and all clients.

        The follow-up check after a removal needs it. Raises Denied if it is hidden from us (roles
        view-realm and view-clients).
        """
        seconds = token_lifespan(self._realm.get_realm(), self._realm.all_clients())
        if seconds is None:
            raise Denied(
                message("lifespan_not_shown"),
                kind=REALM,
                doing=message("reading_lifespan"),
                advice=message("give_view_roles"),
            )
        return seconds

    def refresh(self, token: Secret) -> Tokens:
        """Return new tokens of a person's own session. Raises Denied if the session has ended."""
        return self._sessions.refresh(token)

    def read_metadata(self, key: str = "") -> ProviderMetadata:
        """Return the issuer, the endpoints and the signing keys of the realm."""
        return self._sessions.read_metadata(key)

    def sign_in_start(self) -> SignInStart | None:
        """Return where sign-ins at the manager begin."""
        return own_start(self._users.wire.settings, self._wants.clients)

    def at_sign_in(self, address: str) -> ProviderAnswer:
        """Return the realm's answer to a system's sign-in."""
        return at_sign_in(self._users.wire.settings, self.read_metadata().issuer, address)

    def enabled(self, sub: str) -> bool:
        """Return whether a user may sign in. Raises NotFound without a user, if we would see
        one.
        """
        try:
            user = self._users.get_user(sub)
        except NotFound:
            self.prove_rights()
            raise
        return user.get("enabled") is True

    def realm_changes(self, wants: RealmWants | None = None) -> list[Change]:
        """Return the changes that the realm still needs; [] if there are none. It changes
        nothing.
        """
        return self._realm_connector.needed_changes(wants or self._wants)

    def find_person(self, trial: Trial) -> str:
        """Return the `sub` of the person of an earlier check; "" for none."""
        return self._person.find(trial)

    def make_person(self, trial: Trial, password: Secret) -> str:
        """Make the person of a check; return the `sub`. Raises Conflict if somebody has the
        reserved name.
        """
        return self._person.make(trial, password)

    def walk_as_person(self, trial: Trial, sub: str, password: Secret) -> Walk:
        """Sign in as that person at every client, and return the findings."""
        return self._person.walk(trial, sub, password)

    def try_again(self) -> None:
        """Forget the refusal of the administrator's credential: a person has corrected it and
        resumes.
        """
        self._users.wire.token.try_again()


def connect(
    settings: Settings,
    secrets: SecretResolver,
    realm: RealmWants | None = None,
    *,
    calls: CallPolicy | None = None,
) -> IdentityProvider:
    """Return the connected identity provider; no call is made.

    `realm`: the checks' requirements on the realm; without it, the default attribute names and no
    particular clients. `calls`: other time limits, for tests.
    """
    wire = Wire(settings, policy=calls)
    return IdentityProvider(
        UserClient(wire),
        RealmClient(wire),
        SessionClient(settings, policy=calls),
        secrets,
        realm or RealmWants(settings.realm),
        calls,
    )
