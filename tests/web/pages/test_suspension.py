"""The page of a suspension: what it shuts, why and until when, and what comes back; German too."""

from django.test import Client

from tests.clock import noon
from tests.web.pages import scenes
from workspace_manager.records.models import Person, Plan, Suspension


def test_it_is_looked_at_ordered_and_changed(as_ada: Client, anna: Person) -> None:
    scenes.set_up_systems()
    scenes.set_up_work(anna)
    where = "/manage/people/anna/suspension"
    assert f'href="{where}"' in as_ada.get("/manage/people/anna").content.decode()
    page = as_ada.get(where).content.decode()
    for text in ("What is blocked", "Disable", "Manager API tokens are revoked"):
        assert text in page
    assert not Plan.objects.filter(kind="suspension").exists()
    wrong = as_ada.post(
        "/manage/people/anna/suspend", {"reason": "Away <b>", "until": "2020-01-01T00:00"}
    )
    assert wrong.status_code == 422
    assert "Away &lt;b&gt;" in wrong.content.decode()
    assert "Enter a time in the future, within ten years." in wrong.content.decode()
    later = f"{noon(60):%Y-%m-%dT%H:%M}"
    sent = {"reason": "Away", "until": later}
    assert as_ada.post("/manage/people/anna/suspend", sent).status_code == 302
    page = as_ada.get(where).content.decode()
    for text in ("What is restored afterwards", "Away", "End the suspension of anna", later):
        assert text in page
    as_ada.post("/manage/people/anna/suspend", {"reason": "Away", "until": ""})
    assert Suspension.objects.get().until is None
    plan = Plan.objects.filter(kind="suspension").first()
    assert plan is not None
    assert "Away" in as_ada.get(f"/manage/plans/{plan.id}").content.decode()


def test_in_german(as_ada: Client, anna: Person) -> None:
    scenes.set_up_systems()
    scenes.set_up_work(anna)
    Person.objects.filter(username="ada").update(locale="de")
    page = as_ada.get(
        "/manage/people/anna/suspension", headers={"Accept-Language": "de"}
    ).content.decode()
    for text in (
        "Was gesperrt wird",
        "Rechte entziehen",
        ("API-Tokens des Systems werden widerrufen"),
        "Enddatum",
    ):
        assert text in page
    assert "Take the" not in page
    assert as_ada.get("/manage/people/nobody/suspension").status_code == 404
