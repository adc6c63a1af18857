"""Many people are linked by a list on a page: looked at row by row, then in one order."""

import re

import pytest
from allauth.socialaccount.models import SocialAccount
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.fake_world.people import make_person
from tests.reconcile.found_accounts import user
from workspace_manager.records.models import Person, ReconcileItem

ADDRESS = "/manage/strangers/list"
LIST = "username,account\nzoe,sub-zoe\nnobody,sub-nobody\n"


@pytest.fixture(autouse=True)
def zoe(db: None) -> None:
    make_person("zoe", sub="old-zoe")
    one = user("zoe", confirmed=True)
    recreated = ReconcileItem.Difference.IDENTITY_RECREATED
    ReconcileItem.objects.filter(n=one.n).update(difference=recreated, username="zoe")


def linked() -> str:
    return str(SocialAccount.objects.get(user__username="zoe").uid)


def row(page: str, line: int) -> str:
    return page.partition(f'id="row-{line}"')[2].partition("</tr>")[0]


def test_the_door_leads_to_it(as_ada: Client) -> None:
    assert f'href="{ADDRESS}"' in as_ada.get("/manage/strangers").content.decode()


@pytest.mark.parametrize("way", ["pasted", "file"])
def test_it_is_looked_at_then_done(as_ada: Client, way: str) -> None:
    file = SimpleUploadedFile("list.csv", LIST.encode("utf-8-sig"))
    given = {"text": LIST} if way == "pasted" else {"file": file}
    page = as_ada.post(ADDRESS, given).content.decode()
    assert "will be linked" in row(page, 2)
    assert "left out" in row(page, 3)
    assert "Nobody here has the name nobody." in row(page, 3)
    assert linked() == "old-zoe", "nothing is done before it was seen"
    found = re.search(r'name="digest" value="([^"]+)"', page)
    assert found
    done = as_ada.post(ADDRESS, {"text": LIST, "digest": found[1]}).content.decode()
    assert "is linked" in row(done, 2)
    assert 'name="digest"' not in done
    assert linked() == "sub-zoe"


def test_what_was_not_shown_is_not_done(as_ada: Client) -> None:
    answer = as_ada.post(ADDRESS, {"text": LIST, "digest": "another"})
    assert answer.status_code == 409
    assert "has changed since you saw it" in answer.content.decode()
    assert linked() == "old-zoe"


def test_errors_say_line_and_column_and_what_would_do(as_ada: Client) -> None:
    answer = as_ada.post(ADDRESS, {"text": "username,account\nzoe,\nzoe,sub-zoe,more\n"})
    page = answer.content.decode().partition('id="wrong"')[2].partition("</ul>")[0]
    assert answer.status_code == 422
    assert "Line 3" in page
    other = as_ada.post(ADDRESS, {"text": "username,account\nzoe,\n"}).content.decode()
    wrong = other.partition('id="wrong"')[2].partition("</ul>")[0]
    assert "Line 2" in wrong
    assert "“account” is empty." in wrong
    assert "The file is empty." in as_ada.post(ADDRESS, {"text": ""}).content.decode()
    assert linked() == "old-zoe"


def test_errors_are_in_the_language_of_the_reader(as_ada: Client) -> None:
    Person.objects.filter(username="ada").update(locale="de")
    page = as_ada.post(ADDRESS, {"text": "username,account,other\nzoe\n"}).content.decode()
    assert "Eine Spalte „other“ gibt es nicht. Spalten sind: username, account." in page


def test_only_administrators(as_anna: Client) -> None:
    assert as_anna.get(ADDRESS).status_code == 403
    assert as_anna.post(ADDRESS, {"text": LIST}).status_code == 403
