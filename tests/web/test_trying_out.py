"""Settings are tried out before they are stored: on the page, by REST, on the command line. Nothing
is stored by it.
"""

import contextlib
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from django.test import Client

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.cli.settings import settings as command
from workspace_manager.operations import checks
from workspace_manager.records.models import StoredSetting, SystemStatus
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.drive import DriveStandIn
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

LIVE = {"HX-Request": "true"}
PASSWORD = "admin-of-the-triplestore"


@pytest.fixture(scope="module")
def stand_in() -> Iterator[TriplestoreStandIn]:
    stand_in = TriplestoreStandIn(admin_username="manager", admin_password=PASSWORD)
    with running(stand_in):
        yield stand_in


@pytest.fixture
def values(stand_in: TriplestoreStandIn, db: None) -> dict[str, str]:
    return {"url": stand_in.url, "admin_username": "manager", "admin_password": PASSWORD}


def _nothing_is_stored() -> bool:
    return not StoredSetting.objects.exists() and not SystemStatus.objects.exists()


def test_by_rest(values: dict[str, str], as_administrator: Visitor) -> None:
    where = "/systems/triplestore/test"
    missing = problem(as_administrator.ask("POST", where), 409)
    assert "Missing: url" in missing["reason"]
    good = as_administrator.ask("POST", where, {"settings": values}).json()
    assert good["failing"] == 0
    assert good["findings"]
    wrong = {**values, "admin_password": "not this one"}
    bad = as_administrator.ask("POST", where, {"settings": wrong})
    assert bad.json()["failing"] >= 1
    assert "not this one" not in bad.content.decode()
    problem(as_administrator.ask("POST", where, {"settings": {"url": "ftp://x"}}), 422)
    problem(as_administrator.ask("POST", where, {"settings": {"nonsense": "x"}}), 422)
    assert _nothing_is_stored()


def test_a_blank_secret_is_the_stored_one(
    values: dict[str, str], as_administrator: Visitor
) -> None:
    as_administrator.ask("PATCH", "/systems/triplestore", {"settings": values})
    blank = {"settings": {"admin_password": ""}}
    assert as_administrator.ask("POST", "/systems/triplestore/test", blank).json()["failing"] == 0
    assert as_administrator.ask("POST", "/systems/triplestore/test").json()["failing"] == 0


def test_a_pinned_setting_is_not_tried_out(
    values: dict[str, str], as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKSPACE_TRIPLESTORE__URL", values["url"])
    where = "/systems/triplestore/test"
    refused = problem(as_administrator.ask("POST", where, {"settings": values}), 409)
    assert "WORKSPACE_TRIPLESTORE__URL" in refused["reason"]
    rest = {name: text for name, text in values.items() if name != "url"}
    assert as_administrator.ask("POST", where, {"settings": rest}).json()["failing"] == 0


def test_a_refused_password_is_sent_to_the_drive_once(as_administrator: Visitor) -> None:
    """Its brute-force protection would shut the manager out, and with it everybody's removal."""
    drive = DriveStandIn(issuer_url="http://127.0.0.1:1", client_id="drive")
    with running(drive):
        wrong = {"base_url": drive.url, "admin_username": "admin", "admin_password": "guessed"}
        refused = []
        for _ in range(4):
            answer = as_administrator.ask("POST", "/systems/drive/test", {"settings": wrong})
            assert answer.json()["failing"] >= 1
            refused.append(len(drive.state["attempts"]))
    assert refused == [1, 1, 1, 1]


def test_on_the_page(values: dict[str, str], as_administrator: Client) -> None:
    where = "/manage/systems/triplestore/test"
    form = {f"triplestore-{name}": text for name, text in values.items()}
    form["triplestore-flavour"] = "auto"
    live = as_administrator.post(where, form, headers=LIVE).content.decode()
    assert "All checks pass with these values. Nothing was saved yet." in live
    assert "<html" not in live
    whole = as_administrator.post(where, form | {"triplestore-admin_password": "wrong"})
    page = whole.content.decode()
    assert "Nothing was saved." in page
    assert f'value="{values["url"]}"' in page
    assert PASSWORD not in page
    unreadable = as_administrator.post(where, form | {"triplestore-url": "ftp://x"}, headers=LIVE)
    assert "Address: must be an address like https://host/path" in unreadable.content.decode()
    assert _nothing_is_stored()


def test_on_the_command_line(values: dict[str, str]) -> None:
    given = [f"{name}={values[name]}" for name in ("url", "admin_username")]
    run = CliRunner().invoke
    good = run(command, ["test", "triplestore", *given, "--secret", "admin_password"], PASSWORD)
    assert good.exit_code == 0, good.output
    bad = run(command, ["test", "triplestore", *given, "--secret", "admin_password"], "wrong")
    assert bad.exit_code == 1
    public = run(command, ["test", "triplestore", *given, "admin_password=x"])
    assert public.exit_code == 2
    assert (
        "arguments are public" in run(command, ["set", "triplestore", "admin_password", "x"]).output
    )
    assert _nothing_is_stored()


def test_what_is_deliberately_empty_is_shown_as_it_is_typed(db: None) -> None:
    shown = CliRunner().invoke(command, ["get", "drive", "oidc_username_prefix"])
    assert shown.output.strip() == "{empty}"
    bare = CliRunner().invoke(command, ["set", "drive", "oidc_username_prefix", ""])
    assert "{empty}" in str(bare.exception)
    assert _nothing_is_stored()


def test_so_many_tests_and_checks_at_once_and_no_more(
    values: dict[str, str], as_administrator: Visitor
) -> None:
    """They are made apart: none takes a place of the system's own calls, and who comes too many is
    told when to come again.
    """
    as_administrator.ask("PATCH", "/systems/triplestore", {"settings": values})
    page = "/manage/systems/triplestore"
    form = {f"triplestore-{name}": text for name, text in values.items()}
    form["triplestore-flavour"] = "auto"
    with contextlib.ExitStack() as others:
        for _ in range(checks.AT_ONCE):
            others.enter_context(checks.separate_check("drive"))
        for path in ("/systems/triplestore/test", "/systems/triplestore/check"):
            answer = as_administrator.ask("POST", path, {})
            assert "checks and tests" in problem(answer, 503)["detail"]
            assert int(answer["Retry-After"]) > 0
        tested = as_administrator.post(f"{page}/test", form)
        assert (tested.status_code, int(tested["Retry-After"]) > 0) == (503, True)
        assert "checks and tests" in tested.content.decode()
        checked = as_administrator.post(f"{page}/check", follow=True)
        assert "checks and tests" in checked.content.decode()
    assert as_administrator.ask("POST", "/systems/triplestore/check", {}).status_code == 200
