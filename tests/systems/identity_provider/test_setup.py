"""The set-up of the realm as a plan, at the stand-in: the tests a real Keycloak passes
(`tests/real/test_keycloak.py`).
"""

from collections.abc import Iterator

import pytest
from django.test import Client

from tests.systems.identity_provider.life_of_setup import SetupLife, pin, run
from tests.systems.identity_provider.provider_under_test import CANARY, ProviderUnderTest
from workspace_manager.contract.secret import Secret
from workspace_manager.records.models import Person, Plan
from workspace_manager.systems.identity_provider.settings import Settings
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn


@pytest.fixture
def new_provider() -> Iterator[ProviderUnderTest]:
    one = IdentityProviderStandIn(
        admin_password=f"{CANARY}-admin",
        declared_attributes=(),
        realm_settings={"internationalizationEnabled": True, "supportedLocales": ["en"]},
    )
    with running(one):
        settings = Settings(
            url=one.url,
            realm="workspace",
            admin_username="admin",
            admin_password=Secret(f"{CANARY}-admin"),
        )
        yield ProviderUnderTest(settings)


class TestStandIn(SetupLife):
    """A stand-in nobody touched yet."""


@pytest.mark.django_db(transaction=True)
def test_its_page_shows_what_was_done(
    new_provider: ProviderUnderTest,
    monkeypatch: pytest.MonkeyPatch,
    as_administrator: Client,
    ada: Person,
) -> None:
    pin(monkeypatch, new_provider)
    assert run().exit_code == 0
    plan = Plan.objects.get()
    assert str(plan.id) in as_administrator.get("/manage/plans?state=done").content.decode()
    page = as_administrator.get(f"/manage/plans/{plan.id}").content.decode()
    for text in (
        "Identity provider set-up: workspace",
        "Declare the user attributes",
        "audience-drive",
        "as planned",
        "Copy the secret of the client http://hub.example",
    ):
        assert text in page, text
    assert CANARY not in page
