"""Strangers at the door, asked and decided over REST."""

import uuid
from collections.abc import Callable

import pytest
from allauth.socialaccount.models import SocialAccount

from tests.access.test_fresh_sign_in import aged
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.access import tokens
from workspace_manager.core.refusal import Forbidden
from workspace_manager.people import admit as first_login
from workspace_manager.people.admit import Claims
from workspace_manager.records.models import Permission, Person, Registration, UnapprovedSignIn


@pytest.fixture
def linked(alice: Person) -> Person:
    SocialAccount.objects.create(user=alice, provider="identity_provider", uid="old", extra_data={})
    return alice


def _knock(sub: str, username: str, email: str = "") -> str:
    with pytest.raises(Forbidden):
        first_login.admit(
            Claims(sub=sub, username=username, email=email, email_confirmed=True),
            admit_unregistered=False,
        )
    return str(UnapprovedSignIn.objects.get(sub=sub).id)


def test_a_known_name_with_another_sub_is_linked_again(
    linked: Person, as_administrator: Visitor
) -> None:
    where = f"/strangers/{_knock('new', 'alice')}"
    shown = as_administrator.ask("GET", where).json()
    assert shown["person"] == {"username": "alice", "sub": "old", "state": "active"}
    assert (shown["why"], shown["repairs"]) == ("another sub", ["relink", "refuse"])
    problem(as_administrator.ask("POST", f"{where}/adopt"), 409)
    other = {"username": "somebody.else"}
    assert problem(as_administrator.ask("POST", f"{where}/relink", other), 409)["reason"]
    meant = {"username": shown["person"]["username"]}
    done = as_administrator.ask("POST", f"{where}/relink", meant).json()
    assert (done["state"], done["decided_by"], done["repairs"]) == ("relinked", "ada", [])
    assert done["person"]["sub"] == "new"
    assert first_login.admit(Claims("new", "alice"), admit_unregistered=False) == linked
    again = problem(as_administrator.ask("POST", f"{where}/relink"), 409)
    assert "Already decided:" in again["reason"]


def test_the_same_email_under_another_sub_is_never_a_silent_second_account(
    linked: Person, as_administrator: Visitor
) -> None:
    where = f"/strangers/{_knock('second', 'alice2', 'alice@example.org')}"
    shown = as_administrator.ask("GET", where).json()
    assert shown["person"]["username"] == "alice"
    assert shown["repairs"] == ["relink", "adopt", "refuse"]
    assert not Person.objects.filter(username="alice2").exists()


@pytest.fixture(params=["administrator", "holder of a permission"])
def powerful(linked: Person, request: pytest.FixtureRequest) -> Person:
    """Somebody whose account opens more than everybody's."""
    if request.param == "administrator":
        Person.objects.filter(id=linked.id).update(role=Person.Role.ADMINISTRATOR)
    else:
        Permission.objects.create(person=linked, name=Permission.Name.ADMINISTER_PROJECTS)
    return linked


def test_linking_to_who_may_more_takes_the_name_and_a_fresh_sign_in(
    powerful: Person, as_administrator: Visitor
) -> None:
    where = f"/strangers/{_knock('new', 'alice')}/relink"
    named = {"username": "alice"}
    told = problem(as_administrator.ask("POST", where), 409)
    assert "Type the user name" in told["reason"]
    aged(as_administrator, 11)
    assert "Sign in again" in problem(as_administrator.ask("POST", where, named), 403)["detail"]
    assert SocialAccount.objects.get(user=powerful).uid == "old"
    aged(as_administrator, 1)
    assert as_administrator.ask("POST", where, named).json()["person"]["sub"] == "new"


@pytest.mark.parametrize(("scope", "status"), [("administration", 403), ("operation", 200)])
def test_of_tokens_one_of_the_server_links_to_who_may_more(
    scope: str, status: int, linked: Person, ada: Person, visitor_for: Callable[..., Visitor]
) -> None:
    Person.objects.filter(id=linked.id).update(role=Person.Role.ADMINISTRATOR)
    where = f"/strangers/{_knock('new', 'alice')}/relink"
    _, clear = tokens.create(ada, name="script", actor="ada", scope=scope)
    script = visitor_for(None)
    headers = {"Authorization": f"Bearer {clear}"}
    assert script.ask("POST", where, {"username": "alice"}, headers=headers).status_code == status


def test_linking_to_everybody_else_takes_one_click(
    linked: Person, as_administrator: Visitor
) -> None:
    aged(as_administrator, 11)
    where = f"/strangers/{_knock('new', 'alice')}/relink"
    assert as_administrator.ask("POST", where).json()["state"] == "relinked"


def test_somebody_nobody_approved_is_adopted(as_administrator: Visitor) -> None:
    where = f"/strangers/{_knock('fay-sub', 'fay')}"
    assert as_administrator.ask("GET", where).json()["repairs"] == ["adopt", "refuse"]
    assert as_administrator.ask("POST", f"{where}/adopt").json()["state"] == "adopted"
    assert Registration.objects.get(username="fay").sub == "fay-sub"
    assert first_login.admit(Claims("fay-sub", "fay"), admit_unregistered=False) is None


def test_somebody_is_refused_and_stays_so(as_administrator: Visitor) -> None:
    where = f"/strangers/{_knock('fay-sub', 'fay')}"
    assert as_administrator.ask("POST", f"{where}/refuse").json()["state"] == "refused"
    _knock("fay-sub", "fay")
    assert as_administrator.ask("GET", where).json()["state"] == "refused"
    assert as_administrator.ask("GET", "/strangers?state=open").json()["count"] == 0
    assert as_administrator.ask("GET", "/strangers?state=refused").json()["count"] == 1


def test_who_is_suspended_knocks_and_is_gone_from_the_list_once_let_in(
    linked: Person, as_administrator: Visitor
) -> None:
    as_administrator.ask("POST", "/people/alice/suspend")
    where = f"/strangers/{_knock('old', 'alice')}"
    shown = as_administrator.ask("GET", where).json()
    assert (shown["why"], shown["repairs"]) == ("suspended", ["resume"])
    for repair in ("relink", "adopt"):
        problem(as_administrator.ask("POST", f"{where}/{repair}"), 409)
    as_administrator.ask("POST", "/people/alice/resume")
    problem(as_administrator.ask("GET", where), 404)


def test_there_is_no_other_stranger(as_administrator: Visitor) -> None:
    for repair in ("relink", "adopt", "refuse"):
        problem(as_administrator.ask("POST", f"/strangers/{uuid.uuid4()}/{repair}"), 404)
