"""The drive as one system: its connectors, its checks, and the connection of a person."""

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
    """The connected drive: `connectors` by kind, `check`, `prove_rights`, and the connection of a
    person.
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
        """Return findings for every misconfiguration that can be seen from here.

        See docs/explanation/when-something-is-wrong.md#misconfigurations.
        """
        return checks.check(
            self._client, self._settings, self._containers, self._realm, self._people
        )

    def sign_in_start(self) -> SignInStart | None:
        """Return where sign-ins at the drive begin."""
        return checks_sign_in.find_sign_in_start(self._client, self._settings)

    def is_there(self) -> bool:
        """Return whether the drive answers and is not in maintenance; needs no credential."""
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
        """Return a page of all accounts, read as administrator."""
        return self._client.described_users(limit=limit, offset=offset)

    def count_users(self) -> int:
        """Return the number of accounts, from their ids alone."""
        return len(self._client.list_users(limit=None))

    def try_again(self) -> None:
        """Allow refused pairs to be sent again: a person resumed the drive."""
        self._client.refusals.forget()

    def prove_credential(self) -> None:
        """Read our own account, which every account may. A pair that was just refused is not sent
        again.
        """
        if self._client.admin is not None:
            self._client.whoami_admin()

    def prove_rights(self) -> Evidence:
        """Prove that we are an administrator, who sees every account. Raises Denied if not.

        Without an administrator nothing has to be proven: accounts are then removed by hand, and an
        app password proves itself.
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
    """Return the connected drive; no call is made. `containers`: the engine that runs its
    command-line tool. `realm` and `people`: where and who signs in, both for the checks. `calls`:
    other time limits, for tests.

    `refusals`: the memory of refused passwords.
    """
    admin = None
    if settings.admin_username and settings.admin_password:
        admin = Basic(settings.admin_username, settings.admin_password)
    client = DriveClient(settings.base_url, admin=admin, policy=calls, refusals=refusals)
    return Drive(settings, secrets, containers, client, realm, people or no_people)
