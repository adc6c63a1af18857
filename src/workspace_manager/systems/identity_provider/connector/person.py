"""The temporary person of a check: making them, finding a remaining one, and signing in as them.

A user with the reserved name but without our mark belongs to somebody else, and no check is made.
The connector of users removes the person.
"""

from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Conflict, Invalid
from workspace_manager.contract.person_trial import Trial, Walk
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.identity_provider.checks_person import Account, walk
from workspace_manager.systems.identity_provider.client.answers import RUN_SETUP
from workspace_manager.systems.identity_provider.client.person import PersonClient
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.client.session import SessionClient
from workspace_manager.systems.identity_provider.client.users import USER, UserClient, attribute
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import LOCALE_ATTRIBUTE, MARK_ATTRIBUTE
from workspace_manager.systems.identity_provider.realm.profile import undeclared_attributes
from workspace_manager.systems.identity_provider.realm.wants import RealmWants


@dataclass(frozen=True)
class PersonOfCheck:
    """The identity provider's part of a check as a person."""

    users: UserClient
    realm: RealmClient
    wants: RealmWants
    calls: CallPolicy | None = None

    def find(self, trial: Trial) -> str:
        """Return the `sub` of the user with this mark; "" for none."""
        user = self.users.find_user(trial.username)
        ours = user is not None and attribute(user, MARK_ATTRIBUTE) == trial.mark
        return str(user["id"]) if user and ours else ""

    def make(self, trial: Trial, password: Secret) -> str:
        """Make the user, enabled and with this password, like an approval; return its `sub`. Raises
        Conflict if somebody has the reserved name.
        """
        doing = message("making_person")
        if undeclared_attributes(self.realm.get_profile(), [MARK_ATTRIBUTE]):
            text = message("profile_lacks", names=MARK_ATTRIBUTE)
            raise Invalid(text, kind=USER, doing=doing, advice=RUN_SETUP)
        if self.users.find_user(trial.username) is not None:
            text = message("person_name_taken", username=trial.username)
            advice = message("person_name_taken.advice", username=trial.username)
            raise Conflict(text, kind=USER, doing=doing, advice=advice)
        return self.users.create_user(self._body(trial), password=password)

    def walk(self, trial: Trial, sub: str, password: Secret) -> Walk:
        """Sign in as the user, and return the findings. Errors become findings."""
        settings = self.realm.wire.settings
        # A new client, because this process may have cached the realm from before a change.
        sessions = SessionClient(settings, policy=self.calls)
        account = Account(trial, sub, password, self._values(trial))
        visit = PersonClient(settings, policy=self.calls)
        return walk(visit, self.realm, self.wants, account, sessions.read_metadata)

    def _values(self, trial: Trial) -> dict[str, str]:
        """Return the drive's attributes that clients read; the value opens nothing."""
        wants = self.wants
        names = (wants.login_name_attribute, wants.app_password_attribute)
        return dict.fromkeys(names, f"{trial.username}, opens nothing")

    def _body(self, trial: Trial) -> dict[str, Any]:
        attributes = {MARK_ATTRIBUTE: trial.mark, LOCALE_ATTRIBUTE: trial.locale}
        attributes |= self._values(trial)
        return {
            "username": trial.username,
            "email": trial.email,
            "emailVerified": True,
            "firstName": trial.first_name,
            "lastName": trial.last_name,
            "enabled": True,
            "attributes": {name: [value] for name, value in attributes.items()},
        }
