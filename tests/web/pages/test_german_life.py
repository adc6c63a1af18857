"""No page, plan or letter of a whole life has an English sentence when it is read in German."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.pages.german_life import MANAGER, Life
from tests.web.pages.sandbox import sandbox
from tests.web.pages.texts import english_in, texts_of


@pytest.fixture
def life(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Life]:
    with sandbox(tmp_path, MANAGER) as systems:
        for variable, value in systems.world.environment.items():
            monkeypatch.setenv(variable, value)
        yield Life(systems)


@pytest.mark.everything
def test_no_page_plan_or_letter_has_an_english_sentence(life: Life) -> None:
    row = life.register("carla")
    life.approve(row)
    carla = life.enter(row)
    life.make_things(carla)
    life.fail(carla)
    life.connect_drive(carla)
    life.suspend()
    life.settings()
    plan = life.remove()
    life.look_again(plan)
    life.after()
    life.letters()
    plan.refresh_from_db()
    assert plan.state == "done", [
        (step.name, step.state, str(step.reason), step.next_try_at) for step in plan.steps.all()
    ]
    assert len(life.seen) > 60
    found = {where: english_in(texts) for where, texts in life.seen.items()}
    assert {where: texts for where, texts in found.items() if texts} == {}


@pytest.mark.parametrize(
    "planted",
    [
        "The drive sulks.",
        "carla is already being removed.",
        "Bitte warten: Try again in a few seconds.",
        "not configured",
        "Nothing has happened yet. These steps run when you confirm below.",
    ],
)
def test_a_planted_sentence_is_found(planted: str) -> None:
    page = f"<p>Der Plan wartet.</p><p title='{planted}'>carla</p><li>{planted}</li>"
    assert english_in(texts_of(page)) == [planted]


def test_names_and_german_are_not_found() -> None:
    page = "<p>Was ist es? <code>list the accounts</code> Dateiablage, SQL-Server, Triplestore</p>"
    assert english_in(texts_of(page)) == []
