"""The connector of clients through which knowledge stacks sign people in.

A client is ours by its mark, an attribute that names the component, never by its client id alone.
The secret is compared before it is written.

See docs/systems/identity-provider.md#clients-of-knowledge-stacks.
"""

from typing import Any, ClassVar, Final

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret, SecretResolver
from workspace_manager.systems.identity_provider.client.answers import OUR_FAULT
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import CLIENT_MARK
from workspace_manager.systems.identity_provider.realm.clients import changed_mapper, mapper_facts
from workspace_manager.systems.identity_provider.realm.stack_clients import (
    GROUPS,
    GROUPS_MAPPER,
    groups_mapper,
    stack_client,
    stack_client_facts,
    wished_facts,
)

CLIENT: Final = f"{SYSTEM}.client"


class ClientConnector:
    """The connector of one client. Target: `{"client_id", "mark"}`; state: `{"redirect_uris",
    "post_logout_redirect_uris", "base_url", "name"}` with the secret `secret`, or None (deleted).
    """

    kind: ClassVar[str] = CLIENT
    calls: ClassVar[CallPolicy] = CallPolicy()

    def __init__(self, client: RealmClient, secrets: SecretResolver) -> None:
        self._client = client
        self._secrets = secrets

    # --- the four verbs ---------------------------------------------------------------------------

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the client. Raises Conflict if it has to be made and its client id belongs to one
        without our mark.
        """
        client = self._look(target, making=want is not None)
        before = stack_client_facts(client) if client else None
        if before is not None and want is not None and before == wished_facts(want):
            before = dict(want)
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Make the client with its mapper, or change the one with our mark to the wanted state."""
        client = self._look(change.target, making=True)
        secret = self._secret(change)
        if client is None:
            return self._make(change, secret)
        return self._mend(client, change, secret)

    def remove(self, change: Change) -> Outcome:
        """Delete the client. One with this client id but without our mark is somebody else's and
        stays.
        """
        client = self._look(change.target)
        if client is None:
            return ALREADY
        try:
            self._client.delete_client(str(client["id"]))
        except NotFound:
            if self._look(change.target) is None:
                return ALREADY
            raise _not_ours(message("deleting_client"), message("shown_and_not_there")) from None
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Look again and compare, with the secret."""
        client = self._look(change.target)
        asked = message("client_by_id")
        if change.after is None:
            return (
                None if client else Evidence.now(SYSTEM, asked, message("no_such_client_of_ours"))
            )
        if client is None or not self._as_wished(client, change, self._secret(change)):
            return None
        return Evidence.now(SYSTEM, message("client_and_secret"), message("client_as_wished"))

    # --- looking ----------------------------------------------------------------------------------

    def _look(self, target: Target, *, making: bool = False) -> dict[str, Any] | None:
        """Return the client with this client id *and* mark. `making`: a client id without our mark
        is a Conflict.
        """
        mark = target["mark"]
        if not mark or not target["client_id"]:
            raise _our_fault(message("no_client_id"))
        client = self._client.find_client(target["client_id"])
        if client is None or (client.get("attributes") or {}).get(CLIENT_MARK) == mark:
            return client
        if making:
            raise _not_ours(message("creating_client"), message("client_without_mark"))
        return None

    def _as_wished(self, client: dict[str, Any], change: Change, secret: Secret) -> bool:
        want: Facts = change.after or {}
        return (
            stack_client_facts(client) == wished_facts(want)
            and self._client.client_secret(str(client["id"])) == secret
        )

    def _secret(self, change: Change) -> Secret:
        if "secret" not in change.secrets:
            raise _our_fault(message("no_client_secret_given"))
        return self._secrets(change.secrets["secret"])

    # --- acting -----------------------------------------------------------------------------------

    def _make(self, change: Change, secret: Secret) -> Outcome:
        body = _document(None, change)
        try:
            self._client.create_client(body, secret)
        except Conflict:
            # An earlier attempt of ours may have made it between our look and this call.
            if (client := self._look(change.target, making=True)) is None:
                raise
            return self._mend(client, change, secret)
        return CHANGED

    def _mend(self, client: dict[str, Any], change: Change, secret: Secret) -> Outcome:
        if self._as_wished(client, change, secret):
            return ALREADY
        self._client.put_client(_document(client, change), secret)
        mapper = groups_mapper(client)
        if mapper is None:
            self._client.create_mapper(
                str(client["id"]), changed_mapper(None, GROUPS, GROUPS_MAPPER)
            )
        elif mapper_facts(mapper, GROUPS_MAPPER) != GROUPS_MAPPER:
            changed = changed_mapper(mapper, GROUPS, GROUPS_MAPPER)
            self._client.put_mapper(str(client["id"]), changed)
        return CHANGED


def _document(client: dict[str, Any] | None, change: Change) -> dict[str, Any]:
    target = change.target
    return stack_client(client, target["client_id"], target["mark"], change.after or {})


def _our_fault(detail: Message) -> Invalid:
    return Invalid(detail, kind=CLIENT, doing=message("looking_for_client"), advice=OUR_FAULT)


def _not_ours(doing: Message, detail: Message) -> Conflict:
    return Conflict(detail, kind=CLIENT, doing=doing, advice=message("client_left_alone"))
