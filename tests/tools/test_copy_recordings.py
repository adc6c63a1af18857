"""The copy of recordings: complete, without secrets, with pages cut to their first line."""

from pathlib import Path

import pytest

from tests.recorded.reading import SYSTEMS
from tools.copy_recordings import first_line_of_pages, main, survivors

KEY = "0c4e34df-916b-404b-80ec-1855a2ad5297"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for system in SYSTEMS:
        (tmp_path / "in" / system).mkdir(parents=True)
    return tmp_path / "in"


def test_a_key_is_hidden_also_in_the_list_of_keys(source: Path, tmp_path: Path) -> None:
    folder = source / "ontology-editor"
    (folder / "keys.txt").write_text(f"  {KEY}  alice  no role\n")
    (folder / "get.http").write_text(
        f"> GET /data/projects HTTP/1.1\n> Authorization: apikey {KEY}\n\n< HTTP/1.1 401\n\n"
    )
    assert main(source, tmp_path / "out") == 0
    keys = (tmp_path / "out/ontology-editor/keys.txt").read_text()
    sent = (tmp_path / "out/ontology-editor/get.http").read_text()
    assert KEY not in keys + sent
    assert keys.split()[0] in sent


def test_nothing_is_written_when_a_secret_would_survive(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "keycloak" / "odd.http").write_text(
        "> GET / HTTP/1.1\n\n< HTTP/1.1 200 OK\n\n-----BEGIN RSA PRIVATE KEY-----\n"
    )
    assert main(source, tmp_path / "out") == 1
    assert "keycloak/odd.http: holds" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


def test_a_missing_folder_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(tmp_path, tmp_path / "out") == 1
    assert "has no folder nextcloud" in capsys.readouterr().out


def test_pages_are_cut_and_their_comments_kept() -> None:
    text = (
        "> GET / HTTP/1.1\n\n< HTTP/1.1 200 OK\n< Content-Type: "
        "text/html\n\n<html>\n<body>\n\n# took 1 ms\n"
    )
    assert first_line_of_pages(text).endswith("\n\n<html>\n\n# took 1 ms\n")
    assert first_line_of_pages(text.replace("html\n\n<", "plain\n\n<")).count("<body>") == 1


def test_machine_paths_do_not_get_in() -> None:
    assert list(survivors("see /" + "home/somebody/x", {}))
