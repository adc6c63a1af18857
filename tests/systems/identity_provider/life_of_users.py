"""Cases of users and their attributes, at a real provider and at its stand-in (`class
Test…(UserLife)` with a `provider`).
"""

import copy
import uuid

import pytest

from tests.systems.identity_provider.provider_under_test import (
    ATTRIBUTES,
    FENCE,
    PROBE,
    USER,
    ProviderUnderTest,
    claims,
    creation,
    person,
    resolve,
)
from workspace_manager.contract.connector import Change, Facts, Result
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.systems.identity_provider.names import (
    attributes_target,
    new_user_target,
    user_target,
)

RULE = "Use the address that the university gave you."


class UserLife:
    """Tests that every identity provider passes once its realm is set up."""

    # --- making -----------------------------------------------------------------------------------

    def test_a_user_made_from_a_hash_signs_in(self, provider: ProviderUnderTest, name: str) -> None:
        users = provider.system.connectors[USER]
        change = creation(name, "mark")
        assert users.plan(change.target, change.after).before is None
        assert users.verify(change) is None
        outcome = users.apply(change)
        assert outcome.result is Result.CHANGED
        assert users.verify(change)
        assert claims(provider.sign_in(name)["access_token"])["sub"] == outcome.facts["sub"]
        assert provider.sign_in(name, "wrong")["error"] == "invalid_grant"

    def test_a_second_try_adopts_by_the_mark(self, provider: ProviderUnderTest, name: str) -> None:
        users = provider.system.connectors[USER]
        first = users.apply(creation(name, "mark"))
        again = users.apply(creation(name, "mark"))
        assert (again.result, again.facts) == (Result.ALREADY, first.facts)
        planned = users.plan(new_user_target(name, "mark"), person(name))
        assert planned.before == planned.after

    def test_a_name_without_our_mark_is_never_taken_over(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        users = provider.system.connectors[USER]
        users.apply(creation(name, "theirs"))
        with pytest.raises(Conflict, match="does not have our mark"):
            users.plan(new_user_target(name, "ours"), person(name))
        with pytest.raises(Conflict):
            users.apply(creation(name, "ours"))
        assert users.remove(creation(name, "ours")).result is Result.ALREADY
        assert provider.sign_in(name)["status"] == 200

    def test_a_taken_address_is_a_conflict(self, provider: ProviderUnderTest, name: str) -> None:
        users = provider.system.connectors[USER]
        users.apply(creation(name, "mark"))
        other = creation(f"{name}2", "other", email=f"{name}@example.org")
        with pytest.raises(Conflict, match="e-mail"):
            users.apply(other)
        assert users.verify(other) is None

    def test_what_the_provider_does_not_accept_is_invalid_and_named(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        change = creation(name, "mark", email="nope", first_name="<b>")
        with pytest.raises(Invalid, match="email: error-invalid-email") as caught:
            provider.system.connectors[USER].apply(change)
        assert "nope" not in str(caught.value)

    def test_a_rule_with_a_sentence_of_its_own_is_named_by_it(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        with provider.admin() as admin:
            before = admin.get("/users/profile").json()
            ruled = copy.deepcopy(before)
            [email] = [one for one in ruled["attributes"] if one["name"] == "email"]
            email["validations"]["pattern"] = {"pattern": ".*@example[.]edu", "error-message": RULE}
            assert admin.put("/users/profile", json=ruled).status_code == 200
            try:
                with pytest.raises(Invalid) as caught:
                    provider.system.connectors[USER].apply(creation(name, "mark"))
            finally:
                assert admin.put("/users/profile", json=before).status_code == 200
        assert f"email: “{RULE}”" in str(caught.value)
        assert f"{name}@" not in str(caught.value)

    # --- lock out, let in, delete -----------------------------------------------------------------

    def test_the_fence_disables_and_ends_every_session(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        users = provider.system.connectors[USER]
        sub = provider.make(name)
        target = user_target(sub, name)
        tokens = provider.sign_in(name)
        fence = users.plan(target, FENCE)
        assert fence.before == {"enabled": True, "sessions": 1}
        assert users.verify(fence) is None
        assert users.apply(fence).result is Result.CHANGED
        assert "no session" in str(users.verify(fence))
        assert users.apply(fence).result is Result.ALREADY
        refreshed = provider.token(
            grant_type="refresh_token", client_id="probe", refresh_token=tokens["refresh_token"]
        )
        assert refreshed["status"] == 400
        assert provider.sign_in(name)["status"] == 400
        assert users.apply(users.plan(target, {"enabled": True})).result is Result.CHANGED
        assert provider.sign_in(name)["status"] == 200

    @pytest.mark.parametrize("wish", [{"sessions": 0}, FENCE], ids=["sessions", "fence"])
    def test_no_offline_token_outlives_the_end_of_sessions(
        self, provider: ProviderUnderTest, name: str, wish: Facts
    ) -> None:
        """Logged out within the second in which it signed in, a client keeps its offline token."""
        sub, client_id = provider.make(name), f"https://sync.example/{name}"
        with provider.admin() as admin:
            client = {**PROBE, "clientId": client_id}
            assert admin.post("/clients", json=client).status_code == 201
        offline = provider.sign_in(name, client_id=client_id, scope="openid offline_access")
        users = provider.system.connectors[USER]
        change = users.plan(user_target(sub, name), wish)
        assert users.verify(change) is None
        assert users.apply(change).result is Result.CHANGED
        assert users.verify(change)
        with provider.admin() as admin:
            assert admin.get(f"/users/{sub}/consents").json() == []
            assert admin.put(f"/users/{sub}", json={"enabled": True}).status_code == 204
        kept = offline["refresh_token"]
        again = provider.token(grant_type="refresh_token", client_id=client_id, refresh_token=kept)
        assert again["status"] == 400

    def test_a_disabled_user_with_sessions_is_not_fenced(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        users = provider.system.connectors[USER]
        sub = provider.make(name)
        provider.sign_in(name)
        with provider.admin() as admin:
            admin.put(f"/users/{sub}", json={"enabled": False})
        fence = users.plan(user_target(sub, name), FENCE)
        assert fence.before == {"enabled": False, "sessions": 1}
        assert users.apply(fence).result is Result.CHANGED
        assert users.verify(fence)

    def test_deleting_twice_is_calm_and_a_gone_user_is_fenced(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        users = provider.system.connectors[USER]
        sub = provider.make(name)
        gone = users.plan(user_target(sub, name), None)
        assert gone.before == {"username": name, "enabled": True}
        assert users.verify(gone) is None
        assert users.remove(gone).result is Result.CHANGED
        assert users.remove(gone).result is Result.ALREADY
        assert users.verify(gone)
        fence = users.plan(user_target(sub, name), FENCE)
        assert fence.before is None
        assert users.apply(fence).result is Result.ALREADY
        assert "nobody can sign in" in str(users.verify(fence))
        with pytest.raises(NotFound):
            users.apply(users.plan(user_target(sub, name), {"enabled": True}))

    def test_a_user_with_another_mark_is_not_deleted(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        users = provider.system.connectors[USER]
        sub = provider.make(name)
        with pytest.raises(Conflict):
            users.remove(users.plan(user_target(sub, name, "another mark"), None))
        assert users.remove(users.plan(user_target(sub, name, f"mark-{name}"), None)).result

    # --- attributes -------------------------------------------------------------------------------

    def test_attributes_are_written_read_back_and_cleared(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        attributes = provider.system.connectors[ATTRIBUTES]
        sub = provider.make(name)
        target = attributes_target(sub, name)
        want: Facts = {"filesvc_login_name": sub, "filesvc_app_password": "set"}
        change = attributes.plan(target, want).model_copy(
            update={"secrets": {"filesvc_app_password": "vault/app"}}
        )
        assert change.before == {"filesvc_login_name": None, "filesvc_app_password": None}
        assert attributes.apply(change).result is Result.CHANGED
        assert attributes.apply(change).result is Result.ALREADY
        assert attributes.verify(change)
        assert attributes.plan(target, want).before == want
        found = provider.system.read_attribute(sub, "filesvc_app_password")
        assert found == resolve("vault/app")
        with pytest.raises(NotFound):
            provider.system.read_attribute(sub, "sql_password")
        cleared = attributes.plan(target, dict.fromkeys(want))
        assert cleared.before == dict.fromkeys(want, "set")
        assert attributes.apply(cleared).result is Result.CHANGED
        assert attributes.verify(cleared)
        assert attributes.apply(cleared).result is Result.ALREADY
        assert attributes.remove(change).result is Result.ALREADY

    def test_writing_an_attribute_loses_nothing_else(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        sub = provider.make(name)
        with provider.admin() as admin:
            admin.put(f"/users/{sub}", json={"enabled": False})
            before = admin.get(f"/users/{sub}").json()
            change = Change(
                kind=ATTRIBUTES,
                subject="",
                target=attributes_target(sub, name),
                after={"filesvc_login_name": "x"},
            )
            provider.system.connectors[ATTRIBUTES].apply(change)
            after = admin.get(f"/users/{sub}").json()
            assert after["attributes"].pop("filesvc_login_name") == ["x"]
            assert after == before
            admin.put(f"/users/{sub}", json={"enabled": True})
        assert provider.sign_in(name)["status"] == 200

    def test_an_attribute_nobody_declared_is_invalid(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        target = attributes_target(provider.make(name), name)
        change = provider.system.connectors[ATTRIBUTES].plan(target, {"shoe_size": "42"})
        with pytest.raises(Invalid, match="shoe_size") as caught:
            provider.system.connectors[ATTRIBUTES].apply(change)
        assert "setup identity-provider" in caught.value.advice

    def test_attributes_of_a_gone_user_count_as_cleared(
        self, provider: ProviderUnderTest, name: str
    ) -> None:
        attributes = provider.system.connectors[ATTRIBUTES]
        target = attributes_target(str(uuid.uuid4()), name)
        cleared = attributes.plan(target, {"filesvc_login_name": None})
        assert cleared.before is None
        assert attributes.apply(cleared).result is Result.ALREADY
        assert attributes.verify(cleared)
        with pytest.raises(NotFound):
            attributes.apply(attributes.plan(target, {"filesvc_login_name": "x"}))
