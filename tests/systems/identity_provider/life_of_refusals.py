"""Cases of a person whose user may not be changed, at a real provider and at its stand-in
(`class Test…(RefusalLife)` with a `provider`): every other door is shut, in a removal and in a
suspension.
"""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.fake_world.people import make_person, settle_in
from tests.fake_world.world import World
from tests.systems.identity_provider.provider_under_test import USER, ProviderUnderTest
from tests.systems.identity_provider.refused_change import FIELD, required_of_administrators
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.run import run
from workspace_manager.people import suspend
from workspace_manager.plan_kinds import PLAN_KINDS, view_plan
from workspace_manager.records.models import Plan, PlanStep
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems.identity_provider.names import user_target
from workspace_manager.systems.notebook_hub.names import container_target
from workspace_manager.systems.notebook_hub.settings import Settings

ROOT, KIND = "root-admin", "notebook_hub.container"


def notebook_of(name: str, systems: ConnectedSystems) -> str:
    settings = systems.settings_of(Settings)
    rule = {"prefix": settings.container_name_prefix, "escape": settings.container_name_escape}
    return f"{KIND}:{container_target(name, **rule)['container']}"


class Leaver:
    """Somebody with everything, who is signed in; the identity provider is the one under test."""

    def __init__(self, provider: ProviderUnderTest, name: str) -> None:
        self.provider, self.name, self.world = provider, name, World()
        self.sub = provider.make(name)
        make_person(ROOT, sub="admin-sub", role="administrator")
        settle_in(make_person(name, sub=self.sub), self.sub, self.world)
        self.notebook = notebook_of(name, self.world.systems())
        self.world.things[self.notebook] = {"running": True}
        self.tokens = provider.sign_in(name)
        self.offline = provider.sign_in(name, scope="openid offline_access")
        assert self.tokens["status"] == self.offline["status"] == 200

    def systems(self) -> ConnectedSystems:
        systems = self.world.systems()
        systems.by_name["identity_provider"] = self.provider.system  # type: ignore[index]
        return systems

    def refreshes(self) -> set[int]:
        """How each token that was kept is answered."""
        kept = [self.tokens["refresh_token"], self.offline["refresh_token"]]
        return {
            self.provider.token(grant_type="refresh_token", client_id="probe", refresh_token=one)[
                "status"
            ]
            for one in kept
        }

    def wake(self, plan: Plan) -> Plan:
        now = timezone.now() - timedelta(seconds=1)
        PlanStep.objects.filter(plan=plan).exclude(next_try_at=None).update(next_try_at=now)
        Plan.objects.filter(id=plan.id).exclude(due_at=None).update(due_at=now)
        run(plan.id, self.systems(), kinds=PLAN_KINDS)
        plan.refresh_from_db()
        return plan

    def remove(self) -> Plan:
        plan = draft_removal(self.name, actor=ROOT, systems=self.systems())
        approve_removal(plan.id, digest=plan.digest, actor=ROOT, systems=self.systems())
        return plan

    def all_else_is_shut(self) -> bool:
        things = self.world.things
        sql = things.get(f"sql_server.user:{self.name}", {"locked": True})
        return (
            things[self.notebook] == {"running": False}
            and things[f"drive.account:{self.sub}"]["enabled"] is False
            and sql["locked"] is True
        )


def read_credential_states(plan: Plan) -> dict[str, tuple[str, str]]:
    return {one.credential: (one.state, one.text) for one in view_plan(plan).end_of_access}


@pytest.mark.django_db(transaction=True)
class RefusalLife:
    """Tests of a person whose user may not be changed."""

    @pytest.fixture
    def leaver(self, provider: ProviderUnderTest, name: str) -> Iterator[Leaver]:
        found = Leaver(provider, name)
        with required_of_administrators(provider):
            users = provider.system.connectors[USER]
            change = users.plan(user_target(found.sub, name), {"enabled": False})
            with pytest.raises(Invalid, match=FIELD):
                users.apply(change)
            yield found

    def test_a_removal_ends_everything_and_deletes_the_user(self, leaver: Leaver) -> None:
        plan = leaver.wake(leaver.remove())
        assert plan.state == Plan.State.DONE
        assert leaver.refreshes() == {400}
        assert leaver.provider.sign_in(leaver.name)["status"] in {400, 401}
        with leaver.provider.admin() as admin:
            assert admin.get(f"/users/{leaver.sub}").status_code == 404
        assert read_credential_states(plan)["password"][0] == "ended"
        assert leaver.world.things[leaver.notebook] == {"running": False}
        assert f"drive.account:{leaver.sub}" not in leaver.world.things

    def test_while_the_drive_is_silent_all_but_the_sign_in_is_shut(self, leaver: Leaver) -> None:
        plan = leaver.remove()
        leaver.world.broken["drive"] = lambda verb: Unavailable(
            quote_words("silent"), kind="drive.account", doing=quote_words(verb)
        )
        leaver.wake(plan)
        assert leaver.refreshes() == {400}
        state, why = read_credential_states(plan)["password"]
        assert state == "open"
        assert f"{FIELD}: error-user-attribute-required" in why
        assert read_credential_states(plan)["refresh_token"][0] == "ended"
        assert leaver.provider.sign_in(leaver.name)["status"] == 200, "its sign-in is open"
        leaver.wake(plan)
        assert read_credential_states(plan)["refresh_token"][0] == "ended"
        leaver.world.broken.clear()
        assert leaver.wake(plan).state == Plan.State.DONE
        assert leaver.provider.sign_in(leaver.name)["status"] in {400, 401}

    def test_a_suspension_shuts_all_but_the_sign_in_and_says_so(self, leaver: Leaver) -> None:
        plan = suspend.suspend(leaver.name, actor=ROOT, systems=leaver.systems())
        leaver.wake(plan)
        assert plan.state == Plan.State.STUCK
        assert leaver.refreshes() == {400}
        assert leaver.all_else_is_shut()
        state, why = read_credential_states(plan)["password"]
        assert state == "open"
        assert f"{FIELD}: error-user-attribute-required" in why
        assert read_credential_states(plan)["identity_session"][0] == "ended"
        assert leaver.provider.sign_in(leaver.name)["status"] == 200, "no credential is deleted"
        leaver.world.things[leaver.notebook] = {"running": True}
        leaver.wake(plan)
        assert leaver.all_else_is_shut()
        with leaver.provider.admin() as admin:
            assert admin.get(f"/users/{leaver.sub}/sessions").json() == []
        with leaver.provider.admin() as admin:
            user = admin.get(f"/users/{leaver.sub}").json()
            kept = {**user["attributes"], FIELD: ["letters"]}
            answer = admin.put(f"/users/{leaver.sub}", json={**user, "attributes": kept})
            assert answer.status_code == 204, answer.text
        assert leaver.wake(plan).state == Plan.State.DONE
        assert read_credential_states(plan)["password"][0] == "ended"
        assert leaver.provider.sign_in(leaver.name)["status"] in {400, 401}
