"""A realm whose profile has a rule that a user does not keep: every change of that user is refused.
Sessions, credentials and the user itself can still be ended.
"""

from tests.fake_world.world import FakeConnector, World
from workspace_manager.contract.connector import Change, Outcome
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import quote_words

RULE = "department: error-user-attribute-required"


class RefusingWorld(World):
    """Refuses to change users, as long as `rule` says why."""

    rule = RULE

    def connector(self, kind: str) -> FakeConnector:
        return RefusingConnector(self, kind)


class RefusingConnector(FakeConnector):
    world: RefusingWorld

    def apply(self, change: Change) -> Outcome:
        changes = change.kind == "identity_provider.attributes" or (
            change.kind == "identity_provider.user" and "enabled" in (change.after or {})
        )
        if changes and self.world.rule:
            raise Invalid(
                quote_words(self.world.rule),
                kind=change.kind,
                doing=quote_words("changing the user"),
                advice=quote_words("compare it with the profile"),
            )
        return super().apply(change)
