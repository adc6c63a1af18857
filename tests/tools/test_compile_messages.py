"""Translations are compiled without gettext, and one that would break its page is refused."""

import gettext
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "compile_messages.py"
HEAD = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""


FILES = pytest.mark.parametrize(
    "file",
    ["web/locale/de/LC_MESSAGES/django.po", "work/messages.de.po"],
    ids=["pages", "messages"],
)


def compile_text(
    folder: Path, body: str, file: str = "web/locale/de/LC_MESSAGES/django.po"
) -> subprocess.CompletedProcess[str]:
    po = folder / file
    po.parent.mkdir(parents=True, exist_ok=True)
    po.write_text(HEAD + body)
    code = (
        "import sys, pathlib, runpy; main = runpy.run_path(sys.argv[1])['main']; "
        "sys.exit(main(pathlib.Path(sys.argv[2])))"
    )
    command = [sys.executable, "-c", code, str(TOOL), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_catalogue_is_compiled_and_read_back(tmp_path: Path) -> None:
    body = (
        'msgid "Sign in"\nmsgstr "Anmelden"\n\n'
        'msgid "%(count)s person"\nmsgid_plural "%(count)s people"\n'
        'msgstr[0] "eine Person"\nmsgstr[1] "%(count)s Personen"\n\n'
        '#, fuzzy\nmsgid "Leave"\nmsgstr "Vielleicht"\n'
    )
    answer = compile_text(tmp_path, body)
    assert answer.returncode == 0, answer.stderr
    mo = next(tmp_path.rglob("django.mo"))
    with mo.open("rb") as compiled:
        german = gettext.GNUTranslations(compiled)
    assert german.gettext("Sign in") == "Anmelden"
    assert german.ngettext("%(count)s person", "%(count)s people", 2) == "%(count)s Personen"
    assert german.gettext("Leave") == "Leave"


def test_what_has_not_changed_is_not_compiled_again(tmp_path: Path) -> None:
    compile_text(tmp_path, 'msgid "A"\nmsgstr "B"\n')
    mo = next(tmp_path.rglob("django.mo"))
    os.utime(mo, (4e9, 4e9))
    before = mo.read_bytes()
    answer = compile_text(tmp_path, 'msgid "A"\nmsgstr "C"\n')
    assert answer.stdout + answer.stderr == ""
    assert mo.read_bytes() == before


def test_what_a_folder_says_is_compiled_beside_it_by_code(tmp_path: Path) -> None:
    body = 'msgctxt "work.gone"\nmsgid "{what} is gone"\nmsgstr "{what} ist fort"\n'
    answer = compile_text(tmp_path, body, "work/messages.de.po")
    assert answer.returncode == 0, answer.stderr
    with (tmp_path / "work" / "messages.de.mo").open("rb") as compiled:
        german = gettext.GNUTranslations(compiled)
    assert german.pgettext("work.gone", "{what} is gone") == "{what} ist fort"


@FILES
@pytest.mark.parametrize(
    ("translated", "complaint"),
    [("Hallo %(nmae)s", "['%(nmae)s'] is not in the text"), ("Hallo", "['%(name)s'] is missing")],
)
def test_a_placeholder_that_does_not_fit_is_refused(
    tmp_path: Path, file: str, translated: str, complaint: str
) -> None:
    answer = compile_text(tmp_path, f'msgid "Hello %(name)s"\nmsgstr "{translated}"\n', file)
    assert answer.returncode == 1
    assert complaint in answer.stderr
    assert not list(tmp_path.rglob("*.mo"))


@pytest.mark.parametrize(
    ("translated", "complaint"), [("Hallo {nmae}", "['{nmae}'] is not in"), ("Hallo", "is missing")]
)
def test_a_parameter_that_does_not_fit_is_refused(
    tmp_path: Path, translated: str, complaint: str
) -> None:
    body = f'msgctxt "a.b"\nmsgid "Hello {{name}}"\nmsgstr "{translated}"\n'
    answer = compile_text(tmp_path, body, "work/messages.de.po")
    assert answer.returncode == 1
    assert complaint in answer.stderr
    assert not list(tmp_path.rglob("*.mo"))
