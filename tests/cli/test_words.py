"""The words of the command line: people's texts as they are, what is missing in words, and a plan
in full.
"""

import json
import uuid
from datetime import timedelta

import pytest
from click.testing import CliRunner, Result
from django.conf import LazySettings
from django.utils import timezone

from tests.web.pages import scenes
from workspace_manager.cli.__main__ import main
from workspace_manager.cli.output import show
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.operations import settings as system_settings
from workspace_manager.people.person_views import ComingView, PersonView
from workspace_manager.people.registration_views import RegistrationView
from workspace_manager.records.models import Plan, PlanStep, UnapprovedSignIn

pytestmark = pytest.mark.django_db

NOBODY = str(uuid.UUID(int=1))


@pytest.fixture(autouse=True)
def keys(settings: LazySettings) -> None:
    settings.SECRET_KEYS = ["only-for-these-tests"]


def typed(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("people", "show", "zoe"),
        "Nobody here has this name. See: workspace-manager people list"),
        (("people", "remove", "zoe"), "Nobody here has this name."),
        (("tokens", "create", "--person", "zoe", "--name", "x"), "Nobody here has this name."),
        (("keys", "renew", NOBODY), "There is no key with this id."),
        (("tokens", "revoke", NOBODY), "There is no token with this id."),
        (("plans", "show", NOBODY),
        "There is no plan with this id. See: workspace-manager plans list"),
        (("registrations", "reject", NOBODY, "--reason", "No."),
        "There is no registration with this id."),
        (("strangers", "adopt", NOBODY), "No refused sign-in has this id."),
        (("administrators", "remove", "zoe"),
        "There is no administrator called zoe. See: workspace-manager administrators list"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_in_words(command: tuple[str, ...], said: str) -> None:
    answer = typed(*command)
    assert answer.exit_code == 1
    assert said in answer.stderr
    assert "matching query" not in answer.output


@pytest.mark.parametrize("text", [r"\[red]now", "[1, 2]", "[red]", "a\\", ":warning:"])
def test_texts_of_people_are_shown_as_they_are(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    UnapprovedSignIn.objects.create(sub="s", username=text, why="not approved")
    assert text in typed("strangers", "list").stdout
    show([{"name": text}], ["name"], as_json=False, empty="")
    assert text in capsys.readouterr().out


def test_a_terminal_is_told_nothing_by_what_it_shows() -> None:
    UnapprovedSignIn.objects.create(
        sub="s", username="zoe\x1b]0;owned\x07\x9b2J", why="not approved"
    )
    shown = typed("strangers", "list").stdout
    assert "zoe�]0;owned��2J" in shown


def test_a_plan_says_what_the_person_may_have_kept() -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna", "Anna Beispiel")
    plan = scenes.started(scenes.removal(anna, ada), ada)
    scenes.finished(plan)
    shown = typed("plans", "show", str(plan.id)).stdout
    assert "Credentials" in shown
    assert "access token" in shown
    assert "until" in shown
    assert "The identity provider knows no user of this id." in shown


def test_a_list_of_plans_is_whole() -> None:
    Plan.objects.bulk_create(Plan(kind="removal", person=f"p{n}") for n in range(203))
    assert '"count": 203' in typed("plans", "list", "--json").stdout


def test_what_fails_at_a_system_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise Unavailable(
            quote_words("no answer"),
            kind="drive.account",
            doing=quote_words("looking"),
            advice=quote_words("Wait."),
        )

    monkeypatch.setattr("workspace_manager.cli.people.draft_removal", fail)
    answer = typed("people", "remove", "anna")
    assert answer.exit_code == 1
    assert "Drive, looking: no answer. Wait." in answer.stderr


def test_a_new_setting_wakes_what_waits_for_the_system(woken: list[object]) -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    plan = scenes.started(scenes.removal(anna, ada), ada)
    scenes.stuck(plan)
    Plan.objects.filter(id=plan.id).update(due_at=None)
    woken.clear()
    assert (
        typed("settings", "set", "triplestore", "url", "https://triples.example.org/new").exit_code
        == 0
    )
    plan.refresh_from_db()
    assert plan.due_at is not None
    assert plan.steps.get(n=6).state == PlanStep.State.PENDING
    assert plan.steps.get(n=3).state == PlanStep.State.STUCK
    assert set(woken) == {plan.id}


def test_a_secret_is_forgotten_by_its_sentinel() -> None:
    for system in ("drive", "sql_server"):
        assert typed("settings", "set", system, "admin_password", stdin="geheim\n").exit_code == 0
    assert typed("settings", "get", "drive", "admin_password").stdout == "set\n"
    forgotten = typed("settings", "set", "drive", "admin_password", stdin="{empty}\n")
    assert (forgotten.exit_code, forgotten.stdout) == (
        0,
        "drive.admin_password is no longer stored.\n",
    )
    assert typed("settings", "get", "drive", "admin_password").stdout == "not set\n"
    needed = typed("settings", "set", "sql_server", "admin_password", stdin="{empty}\n")
    assert needed.exit_code == 2
    assert "admin_password: is needed" in needed.stderr
    assert typed("settings", "set", "drive", "admin_password", "geheim").exit_code == 2


def test_it_is_woken_whoever_saves() -> None:
    scenes.set_up_systems()
    ada, anna = scenes.person("ada", administrator=True), scenes.person("anna")
    plan = scenes.started(scenes.removal(anna, ada), ada)
    scenes.stuck(plan)
    values = {"url": "https://triples.example.org/new"}
    system_settings.save("triplestore", values, actor="ada")
    assert plan.steps.get(n=6).state == PlanStep.State.PENDING


def test_programs_read_the_same_here_as_by_rest() -> None:
    scenes.person("anna", "Anna Beispiel")
    row = scenes.registration("carla", "Carla Rossi", age=timedelta(days=1))
    row.reason, row.decided_by, row.decided_at = "No room.", "ada", timezone.now()
    row.save()
    for words, model in (
        (("people", "list", "--state", "here"), PersonView),
        (("people", "list", "--state", "waiting"), ComingView),
        (("registrations", "list"), RegistrationView),
    ):
        (item,) = json.loads(typed(*words, "--json").stdout)["items"]
        assert item.keys() == model.model_fields.keys()
        assert model.model_validate(item).model_dump() == item
        assert "+00:00" not in json.dumps(item)


def test_what_is_unusable_is_named() -> None:
    missing = typed("systems", "list").stdout
    assert "base_url" in missing
    assert "[" not in missing


@pytest.mark.parametrize(
    ("variable", "system", "right"),
    [
        ("WORKSPACE_DRIVE__BASE_ULR", "drive", "WORKSPACE_DRIVE__BASE_URL"),
        ("WORKSPACE_DRVE__BASE_URL", "drive", "WORKSPACE_DRIVE__BASE_URL"),
        ("WORKSPACE_drive__base_url", "drive", "WORKSPACE_DRIVE__BASE_URL"),
        ("WORKSPACE_SQL_SERVER__PASSWORD", "sql_server", "WORKSPACE_SQL_SERVER__ADMIN_PASSWORD"),
        ("WORKSPACE_SQL_SERVER__HOST_FIEL", "sql_server", "WORKSPACE_SQL_SERVER__HOST_FILE"),
        ("WORKSPACE_TRIPLESTORE__ZZZZ", "triplestore", "WORKSPACE_TRIPLESTORE__<NAME>"),
        ("WORKSPACE_QQQQQQQQ__ZZZZ", "identity_provider", "WORKSPACE_IDENTITY_PROVIDER__<NAME>"),
    ],
)
def test_a_misspelt_pin_is_named_with_what_was_meant(
    variable: str, system: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "x")
    found = [
        one
        for one in json.loads(typed("check", "--json").stdout)["items"]
        if variable in one["text"]
    ]
    assert [(one["system"], one["severity"]) for one in found] == [(system, "warning")]
    assert right in found[0]["remedy"]
    assert variable in typed("check", system).stdout
    assert variable not in typed("check", "notebook_hub").stdout


def test_what_pins_something_is_not_called_misspelt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_DRIVE__BASE_URL_FILE", "/nowhere")
    monkeypatch.setenv("WORKSPACE_DRIVE__LEGACY_PREFIX", "x")
    assert "it is ignored" not in typed("check").stdout
