"""Times that no clock can count to, and texts that nothing keeps, in what the identity provider
says: none of them is a server error, and none holds anybody off.
"""

import contextlib
import re

import pytest
from django.core.cache import cache

from tests.fake_world.world import Killed
from tests.web.sign_in.conftest import Signing, minutes_pass
from tests.web.sign_in.test_id_token import read_claims, sign_token
from workspace_manager.access import session_check
from workspace_manager.contract.body import Body
from workspace_manager.records.models import SignIn
from workspace_manager.systems.identity_provider.client.session import SessionClient
from workspace_manager.web.sign_in.signatures import Wrong


@pytest.fixture(autouse=True)
def nothing_is_remembered(db: None) -> None:
    cache.clear()


@pytest.mark.parametrize("seconds", ["1e300", "1e400", "1" + "0" * 30, "-1e300", "NaN", "3600"])
def test_a_refresh_with_an_odd_lifetime_goes_on(
    signing: Signing, monkeypatch: pytest.MonkeyPatch, seconds: str
) -> None:
    visitor = signing.visitor()
    whole = Body.whole

    def odd(body: Body) -> bytes:
        return re.sub(rb'"expires_in": ?\d+', b'"expires_in": ' + seconds.encode(), whole(body))

    monkeypatch.setattr(Body, "whole", odd)
    for _ in range(2):
        # The second is by the token that the first was given.
        minutes_pass(5.1)
        assert visitor.get("/components").status_code == 200
        assert SignIn.objects.get().asking_until is None


@pytest.mark.parametrize("error", [RuntimeError, Killed])
def test_whatever_becomes_of_a_refresh_nobody_is_held_off(
    signing: Signing, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    """A fault of what asks the identity provider is an answer that was not understood."""
    visitor = signing.visitor()
    minutes_pass(5.1)

    def broken(*_: object) -> None:
        raise error

    with monkeypatch.context() as now:
        now.setattr(SessionClient, "refresh", broken)
        with contextlib.suppress(Killed):
            assert visitor.get("/components").status_code == 200
            assert error is RuntimeError
    assert SignIn.objects.get().asking_until is None
    monkeypatch.setattr(session_check, "WAIT_S", 0)
    assert visitor.get("/components").status_code == 200


@pytest.mark.parametrize("end", [1e300, 10**400, float("nan"), float("inf")])
def test_an_id_token_without_an_end_is_refused(signing: Signing, end: float) -> None:
    with pytest.raises(Wrong):
        read_claims(sign_token(signing, exp=end))


def test_what_no_database_keeps_in_a_claim_is_replaced(signing: Signing) -> None:
    assert read_claims(sign_token(signing, name="a\x00"))["name"] == "a�"


@pytest.mark.parametrize("when", [1e300, 10**400, -(10**400), float("nan")])
def test_a_logout_of_no_time_is_400(signing: Signing, when: float) -> None:
    assert signing.told(signing.logout_token(iat=when)).status_code == 400
