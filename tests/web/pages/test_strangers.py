"""People at the door on their page: linked again, let in, or left outside."""

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from workspace_manager.records.models import Person, Registration, UnapprovedSignIn


@pytest.fixture
def at_the_door(anna: Person) -> UnapprovedSignIn:
    return UnapprovedSignIn.objects.create(
        sub="new-sub", username="anna", why="another sub", times=3
    )


def test_an_empty_door_teaches(as_ada: Client) -> None:
    assert "No refused sign-ins" in as_ada.get("/manage/strangers").content.decode()


def test_both_ids_are_shown(as_ada: Client, anna: Person, at_the_door: UnapprovedSignIn) -> None:
    page = as_ada.get("/manage/strangers").content.decode()
    assert "new-sub" in page
    assert SocialAccount.objects.get(user=anna).uid in page
    assert "Tried 3 times." in page
    assert "/adopt" not in page


def test_linked_again(as_ada: Client, anna: Person, at_the_door: UnapprovedSignIn) -> None:
    where = f"/manage/strangers/{at_the_door.id}/relink"
    other = as_ada.post(where, {"username": "somebody.else"}, follow=True).content.decode()
    at_the_door.refresh_from_db()
    assert at_the_door.state == "open", other
    page = as_ada.post(where, follow=True).content.decode()
    assert "anna is linked to the new account and can sign in." in page
    assert SocialAccount.objects.get(user=anna).uid == "new-sub"
    again = as_ada.post(f"/manage/strangers/{at_the_door.id}/relink", follow=True)
    assert "Already decided:" in again.content.decode()


def test_linking_to_an_administrator_asks_for_the_name_and_a_fresh_sign_in(
    as_ada: Client, anna: Person, at_the_door: UnapprovedSignIn
) -> None:
    Person.objects.filter(id=anna.id).update(role=Person.Role.ADMINISTRATOR)
    where = f"/manage/strangers/{at_the_door.id}/relink"
    page = as_ada.get("/manage/strangers").content.decode()
    assert "Type anna. This person is an administrator" in page
    assert 'type="hidden" name="username"' not in page
    assert "Type the user name" in as_ada.post(where, follow=True).content.decode()
    session = as_ada.session
    session["proved_at"] = 0
    session.save()
    page = as_ada.post(where, {"username": "anna"}, follow=True).content.decode()
    assert "Sign in again before you link it." in page
    assert "/sign-in?next=%2Fmanage%2Fstrangers&amp;again=1" in page
    assert SocialAccount.objects.get(user=anna).uid != "new-sub"


def test_an_address_that_is_not_confirmed_says_so(as_ada: Client, anna: Person) -> None:
    UnapprovedSignIn.objects.create(
        sub="x", username="who", email="who@example.org", why="not approved"
    )
    assert "who@example.org (not confirmed)" in as_ada.get("/manage/strangers").content.decode()
    Person.objects.filter(id=anna.id).update(email_confirmed=False)
    for where in ("/manage/people", "/manage/people/anna"):
        assert "(not confirmed)" in as_ada.get(where).content.decode(), where


def test_let_in(as_ada: Client) -> None:
    fay = UnapprovedSignIn.objects.create(sub="fay-sub", username="fay", why="not approved")
    as_ada.post(f"/manage/strangers/{fay.id}/adopt")
    assert Registration.objects.get().sub == "fay-sub"


def test_left_outside(as_ada: Client, at_the_door: UnapprovedSignIn) -> None:
    as_ada.post(f"/manage/strangers/{at_the_door.id}/refuse")
    at_the_door.refresh_from_db()
    assert at_the_door.state == "refused"
    assert "was rejected." in as_ada.get("/manage/strangers").content.decode()


def test_the_same_email_offers_both_repairs(as_ada: Client, anna: Person) -> None:
    UnapprovedSignIn.objects.create(
        sub="x", username="anna2", email=anna.email, email_confirmed=True, why="same e-mail"
    )
    page = as_ada.get("/manage/strangers").content.decode()
    assert "has this e-mail address here with another" in page
    assert "/relink" in page
    assert "/adopt" in page


def test_who_is_suspended_is_let_in_from_here(as_ada: Client, anna: Person) -> None:
    as_ada.post("/manage/people/anna/suspend")
    UnapprovedSignIn.objects.create(sub="x", username="anna", why="suspended")
    page = as_ada.get("/manage/strangers").content.decode()
    assert "is suspended and tried to sign in" in page
    assert 'action="/manage/people/anna/resume"' in page
    assert "/relink" not in page
    as_ada.post("/manage/people/anna/resume")
    assert "No refused sign-ins" in as_ada.get("/manage/strangers").content.decode()


def test_a_kept_name_says_where_it_is_released(as_ada: Client) -> None:
    UnapprovedSignIn.objects.create(sub="x", username="erin", why="tombstone")
    assert 'href="/manage/tombstones"' in as_ada.get("/manage/strangers").content.decode()
