"""The drive's connectors, its checks and what connecting a person needs, as one system."""

from collections.abc import Mapping

from workspace_manager.contract.connector import CallPolicy, Connector, Evidence, Finding
from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.http import Basic
from workspace_manager.contract.known_people import KnownPeople, no_people
from workspace_manager.contract.realm import RealmNeeds
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.contract.sign_in_walk import SignInStart
from workspace_manager.systems.drive import checks, checks_sign_in
from workspace_manager.systems.drive.client import DescribedAccount, DriveClient
from workspace_manager.systems.drive.client.guard import PROCESS_REFUSALS, Refusals
from workspace_manager.systems.drive.connector.account import AccountConnector
from workspace_manager.systems.drive.connector.app_password import AppPasswordConnector
from workspace_manager.systems.drive.connector.credentials import Credentials
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.settings import Settings


class Drive(Credentials):
    """The drive, ready to work: `connectors` by kind, `check`, `prove_rights`, and what connecting
    a person needs.
    """

    name = "drive"

    def __init__(
        self,
        settings: Settings,
        secrets: SecretResolver,
        containers: ContainerEngine | None,
        client: DriveClient,
        realm: RealmNeeds | None = None,
        people: KnownPeople = no_people,
    ) -> None:
        self._realm = realm
        self._people = people
        super().__init__(client, settings, containers)
        account: Connector = AccountConnector(client, settings, self.prove_rights)
        app_password: Connector = AppPasswordConnector(client, settings, secrets)
        self.connectors: Mapping[str, Connector] = {c.kind: c for c in (account, app_password)}

    def check(self) -> list[Finding]:
        """Find every misconfiguration that can be seen from here.

        See docs/explanation/when-something-is-wrong.md#misconfigurations.
        """
        return checks.check(
            self._client, self._settings, self._containers, self._realm, self._people
        )

    def sign_in_start(self) -> SignInStart | None:
        """Return where sign-ins at the drive begin."""
        return checks_sign_in.find_sign_in_start(self._client, self._settings)

    def is_there(self) -> bool:
        """Return whether it answers and is not in maintenance; needs no credential."""
        status = self._client.status()
        return not (status.get("maintenance") or status.get("needsDbUpgrade"))

    def own_words(self) -> Mapping[str, str]:
        """Return values of blank settings that the drive reports: the name of its provider. Raises
        the five errors.
        """
        if self._client.admin is None:
            return {}
        names = [str(one.get("identifier", "")) for one in self._client.providers()]
        return {"provider_name": names[0]} if len(names) == 1 and names[0] else {}

    def described_users(self, *, limit: int, offset: int) -> list[DescribedAccount]:
        """Read a page of all accounts, as an administrator."""
        return self._client.described_users(limit=limit, offset=offset)

    def count_users(self) -> int:
        """Return the number of accounts, from their ids alone."""
        return len(self._client.list_users(limit=None))

    def try_again(self) -> None:
        """Send refused pairs again: a person resumed the drive."""
        self._client.refusals.forget()

    def prove_credential(self) -> None:
        """Ask who we are: every account may. A pair that was just refused is not sent again."""
        if self._client.admin is not None:
            self._client.whoami_admin()

    def prove_rights(self) -> Evidence:
        """Show that we are an administrator, to whom every account is shown. Raises Denied if not.

        Without an administrator there is nothing to prove: accounts are then left by hand, and an
        app password speaks for itself.
        """
        if self._client.admin is None:
            self._client.status()
            return Evidence.now(
                "drive",
                "GET /status.php",
                message("answers_without_administrator"),
            )
        me = self._client.whoami_admin()
        if "admin" not in me.groups:
            raise Denied(
                message("not_in_group_admin"),
                kind="drive.account",
                doing=message("proving_rights"),
                advice=message("add_it_to_group"),
            )
        return Evidence.now(
            "drive",
            "GET /ocs/v2.php/cloud/user",
            message("asked_who_we_are", id=me.id),
        )


def connect(
    settings: Settings,
    secrets: SecretResolver,
    containers: ContainerEngine | None = None,
    realm: RealmNeeds | None = None,
    people: KnownPeople | None = None,
    *,
    calls: CallPolicy | None = None,
    refusals: Refusals = PROCESS_REFUSALS,
) -> Drive:
    """Make the drive ready to work; calls nothing. `containers`: where its command-line tool can be
    run. `realm`: where people sign in, `people`: who does, both for the checks. `calls`: other
    times, for tests.

    `refusals`: where refused passwords are remembered.
    """
    admin = None
    if settings.admin_username and settings.admin_password:
        admin = Basic(settings.admin_username, settings.admin_password)
    client = DriveClient(settings.base_url, admin=admin, policy=calls, refusals=refusals)
    return Drive(settings, secrets, containers, client, realm, people or no_people)
