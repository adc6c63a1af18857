"""Letters: a subject in the first line, the reader's language, and no secret."""

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.utils import translation

import workspace_manager
from tests.web.pages import scenes

FOLDER = Path(workspace_manager.__file__).parent / "web" / "templates" / "letters"


LETTERS = sorted(path.stem for path in FOLDER.glob("*.txt"))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("letter", LETTERS)
def test_letters(letter: str, language: str) -> None:
    registration = scenes.registration("carla", "Carla <Rossi>", age=timedelta(days=1))
    plan = SimpleNamespace(id="1", person="anna", findings=["Left by hand: “x”."])
    words = {
        "registration": registration,
        "plan": plan,
        "name": "anna",
        "subject": "The drive is not available on Friday",
        "written": "Dear <Rossi>,\n\nplease save your work.",
        "lines": [{"what": "The drive does not answer.", "url": "https://w.example.org/x"}],
        "what": "anna & co end the project “Herbarium”",
        "more": 3,
        "total": 4,
        "reason": "Not & known",
        "base_url": "https://w.example.org",
        "url": "https://w.example.org/manage/people/anna/suspension",
        "sign_in_url": "https://w.example.org/sign-in",
        "confirm_url": "https://w.example.org/register/confirm#x",
    }
    with translation.override(language):
        text = render_to_string(f"letters/{letter}.txt", words)
        html = render_to_string(f"letters/{letter}.html", words)
    subject, _, body = text.partition("\n")
    assert 10 < len(subject) < 100
    assert body.startswith("\n")
    assert "&amp;" not in text
    assert "https://w.example.org" in body
    assert f'lang="{language}"' in html
    assert "<Rossi>" not in html
    if letter == "rejected":
        assert "Not & known" in body
