"""The connector of the realm: it brings the realm to what the workspace needs, part by part, by
ordinary changes (`workspace-manager setup identity-provider`).

It is idempotent and loses nothing that others declared: each part is read whole, changed, and
written whole, and the profile is read again.
"""

from typing import Any, ClassVar

from pydantic import JsonValue

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Result,
    Target,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.names import NameImpossible
from workspace_manager.contract.secret import Secret, SecretResolver
from workspace_manager.systems.identity_provider.client.answers import OUR_FAULT
from workspace_manager.systems.identity_provider.client.realm import REALM, RealmClient
from workspace_manager.systems.identity_provider.client.roles import RoleClient
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import MASTER, split_part
from workspace_manager.systems.identity_provider.realm.clients import (
    changed_client,
    changed_mapper,
    client_facts,
    equivalent,
    mapper_facts,
    mappers_in_effect,
    secret_to_copy,
)
from workspace_manager.systems.identity_provider.realm.profile import (
    changed_profile,
    names_in,
    profile_facts,
    profile_lost,
)
from workspace_manager.systems.identity_provider.realm.wants import (
    RealmWants,
    covers,
    realm_facts,
    realm_requirements,
)


class RealmConnector:
    """The connector of one part of the realm. Target: `{"realm", "part"}` with part `profile`,
    `settings`, `client:<client id>`, `mapper:<client id>:<name>` or `roles:<client id>` of a
    service account.
    """

    kind: ClassVar[str] = REALM
    calls: ClassVar[CallPolicy] = CallPolicy()

    def __init__(self, client: RealmClient, secrets: SecretResolver) -> None:
        self._client = client
        self._roles = RoleClient(client.wire)
        self._secrets = secrets

    # --- the four verbs ---------------------------------------------------------------------------

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the part of the realm."""
        before = self._facts(target, want or {})
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Change the part to the wanted state; the secret of a client is compared before it is
        written.
        """
        kind, client_id, name = self._part(change.target)
        want = change.after or {}
        if covers(self._facts(change.target, want), want) and not self._secret_differs(change):
            return ALREADY
        if kind == "profile":
            return self._apply_profile(want)
        if kind == "settings":
            self._client.put_realm({name: value is True for name, value in want.items()})
            return CHANGED
        if kind == "client":
            return self._apply_client(client_id, want, self._secret(change))
        if kind == "roles":
            self._roles.give_roles(self._internal_id(client_id), names_in(want, "roles"))
            return CHANGED
        return self._apply_mapper(client_id, name, want)

    def remove(self, change: Change) -> Outcome:
        """Delete a client or a mapper. Raises Invalid for profile and settings, which are
        everybody's, and for roles, which are deleted with their client.
        """
        kind, client_id, name = self._part(change.target)
        if kind in {"profile", "settings", "roles"}:
            raise Invalid(
                message("not_removed_here"),
                kind=REALM,
                doing=message("removing_part"),
                advice=message("remove_single_ones"),
            )
        client = self._client.find_client(client_id)
        mapper = _mapper(client, name)
        try:
            if client and kind == "client":
                self._client.delete_client(str(client["id"]))
            elif client and mapper:
                self._client.delete_mapper(str(client["id"]), str(mapper["id"]))
            else:
                return ALREADY
        except NotFound:
            return self._gone_meanwhile(change)
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Look again and compare, with the client's secret."""
        kind, client_id, name = self._part(change.target)
        what = " ".join(filter(None, (kind, client_id, name)))
        asked = message("asked_part", what=what)
        have = self._facts(change.target, change.after or {})
        if change.after is None:
            return (
                Evidence.now(SYSTEM, asked, message("part_not_there", what=what))
                if have is None
                else None
            )
        if not covers(have, change.after) or self._secret_differs(change):
            return None
        return Evidence.now(SYSTEM, asked, message("part_as_wished", what=what))

    def needed_changes(self, wants: RealmWants) -> list[Change]:
        """Return the changes that the realm still needs; [] if there are none."""
        changes = []
        for wish in realm_requirements(wants):
            change = self.plan(wish.target, wish.want)
            change = change.model_copy(update={"secrets": wish.secrets})
            before = change.before if isinstance(change.before, dict) else None
            if not covers(before, wish.want) or self._secret_differs(change):
                changes.append(change)
        return changes

    # --- looking ----------------------------------------------------------------------------------

    def _part(self, target: Target) -> tuple[str, str, str]:
        doing = message("reading_part")
        if target["realm"] != self._client.wire.settings.realm:
            raise Invalid(
                message("about_another_realm"),
                kind=REALM,
                doing=doing,
                advice=message("make_new_plan"),
            )
        if target["realm"] == MASTER:
            raise Invalid(
                message("realm_is_master", realm=MASTER),
                kind=REALM,
                doing=doing,
                advice=message("name_another_realm"),
            )
        try:
            return split_part(target["part"])
        except NameImpossible as wrong:
            raise Invalid(wrong.message, kind=REALM, doing=doing, advice=OUR_FAULT) from wrong

    def _facts(self, target: Target, want: Facts) -> Facts | None:
        kind, client_id, name = self._part(target)
        if kind == "profile":
            return profile_facts(self._client.get_profile(), self._client.get_realm(), want)
        if kind == "settings":
            return realm_facts(self._client.get_realm(), want)
        client = self._client.find_client(client_id)
        if client is None or kind == "client":
            return client_facts(client, want) if client else None
        if kind == "roles":
            return self._role_facts(client, want)
        if mapper := _mapper(client, name):
            return mapper_facts(mapper, want)
        if found := equivalent(mappers_in_effect(client, self._client.client_scopes()), want):
            return {**want, "found_as": found}
        return None

    def _role_facts(self, client: dict[str, Any], want: Facts) -> Facts | None:
        """Return the wanted roles that the account has. Other roles are shown, too, because an
        administrator should have as few as possible.
        """
        if not client.get("serviceAccountsEnabled"):
            return None
        held, wanted = self._roles.held_roles(str(client["id"])), names_in(want, "roles")
        facts: Facts = {"roles": [name for name in wanted if name in held]}
        more: list[JsonValue] = [name for name in held if name not in wanted]
        return {**facts, "other_roles": more} if more else facts

    def _secret(self, change: Change) -> Secret | None:
        ref = change.secrets.get("client_secret")
        return self._secrets(ref) if ref else None

    def _secret_differs(self, change: Change) -> bool:
        secret = self._secret(change)
        if secret is None:
            return False
        client = self._client.find_client(self._part(change.target)[1])
        return client is None or self._client.client_secret(str(client["id"])) != secret

    # --- acting -----------------------------------------------------------------------------------

    def _apply_profile(self, want: Facts) -> Outcome:
        profile, realm = self._client.get_profile(), self._client.get_realm()
        changed = changed_profile(profile, realm, want)
        self._client.put_profile(changed)
        if lost := profile_lost(changed, self._client.get_profile()):
            raise Invalid(
                message("profile_lost", lost=", ".join(lost)),
                kind=REALM,
                doing=message("changing_profile"),
                advice=message("look_at_profile"),
            )
        return CHANGED

    def _apply_client(self, client_id: str, want: Facts, secret: Secret | None) -> Outcome:
        client = self._client.find_client(client_id)
        changed = changed_client(client, client_id, want)
        if client:
            self._client.put_client(changed, secret)
            return CHANGED
        self._client.create_client(changed, secret)
        if secret:
            return CHANGED
        text = secret_to_copy(client_id, want, self._client.wire.settings)
        return Outcome(result=Result.CHANGED, by_hand=(text,))

    def _apply_mapper(self, client_id: str, name: str, want: Facts) -> Outcome:
        client = self._found(client_id)
        mapper = _mapper(client, name)
        changed = changed_mapper(mapper, name, want)
        if mapper:
            self._client.put_mapper(str(client["id"]), changed)
        else:
            self._client.create_mapper(str(client["id"]), changed)
        return CHANGED

    def _internal_id(self, client_id: str) -> str:
        return str(self._found(client_id)["id"])

    def _found(self, client_id: str) -> dict[str, Any]:
        client = self._client.find_client(client_id)
        if client is None:
            raise NotFound(
                message("no_client", client_id=client_id),
                kind=REALM,
                doing=message("changing_belongings"),
                advice=message("make_client_first"),
            )
        return client

    def _gone_meanwhile(self, change: Change) -> Outcome:
        if self._facts(change.target, {}) is None:
            return ALREADY
        raise Conflict(
            message("shown_and_not_there"),
            kind=REALM,
            doing=message("removing_part"),
            advice=message("look_there"),
        )


def _mapper(client: dict[str, Any] | None, name: str) -> dict[str, Any] | None:
    mappers = (client or {}).get("protocolMappers") or []
    return next((m for m in mappers if m.get("name") == name), None) if name else None
