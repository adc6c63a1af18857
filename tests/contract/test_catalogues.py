"""Every sentence that is in a catalogue is said somewhere, with its parameters, and has
its German.
"""

import ast
import gettext
import importlib
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message as Entry
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import workspace_manager
from workspace_manager.contract.message import Catalogue, Message, fields, in_words

HOME = Path(workspace_manager.__file__).parent
PATHS = sorted(HOME.rglob("*.py"))


@cache
def modules() -> dict[Path, ast.Module]:
    """Every module of ours. Read where a test asks: a process that only collects does without."""
    return {path: ast.parse(path.read_text()) for path in PATHS}


def find_catalogues() -> dict[str, Catalogue]:
    """Every catalogue of the manager, by the name of the module and what it is called there."""
    catalogues = {}
    for path in PATHS:
        file = path.parent if path.name == "__init__.py" else path
        if file.stem == "messages":
            name = ".".join((HOME.name, *file.relative_to(HOME).with_suffix("").parts))
            for said, value in vars(importlib.import_module(name)).items():
                if isinstance(value, Catalogue) and value.file == file:
                    catalogues[f"{name}.{said}"] = value
    return catalogues


CATALOGUES = find_catalogues()
EACH = pytest.mark.parametrize("catalogue", CATALOGUES.values(), ids=lambda one: one.name)


def names_in(path: Path, tree: ast.Module) -> dict[str, Catalogue]:
    """Which catalogues a module says things with, by the name it knows them under."""
    known = {}
    own = ".".join((HOME.name, *path.relative_to(HOME).with_suffix("").parts))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                if catalogue := CATALOGUES.get(f"{node.module}.{one.name}"):
                    known[one.asname or one.name] = catalogue
    return known | {n.rpartition(".")[2]: c for n, c in CATALOGUES.items() if n[: len(own)] == own}


def keys_of(node: ast.expr) -> Iterator[str]:
    """The keys that stand there; none for one that is worked out."""
    match node:
        case ast.Constant(value=str(key)):
            yield key
        case ast.IfExp(body=one, orelse=other):
            yield from keys_of(one)
            yield from keys_of(other)


def sayings() -> Iterator[tuple[str, Catalogue, str, ast.Call]]:
    for path, tree in modules().items():
        known = names_in(path, tree)
        for node in ast.walk(tree) if known else ():
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in known and node.args:
                where = f"{path.relative_to(HOME)}:{node.lineno}"
                for key in keys_of(node.args[0]):
                    yield where, known[node.func.id], key, node


def test_the_catalogues_are_found() -> None:
    names = [catalogue.name for catalogue in CATALOGUES.values()]
    assert {"contract", "drive", "sql_server"} <= set(names)
    assert len(names) == len(set(names)), "the first part of every code is one catalogue's alone"


def test_what_is_said_exists_and_gets_its_parameters() -> None:
    wrong = []
    for where, catalogue, key, call in sayings():
        if key not in catalogue.english:
            wrong.append(f"{where}: {catalogue.name} has no {key}")
            continue
        given = {one.arg for one in call.keywords}
        if None not in given and given != fields(catalogue.english[key]):
            wrong.append(f"{where}: {catalogue.name}.{key} is given {sorted(map(str, given))}")
    assert not wrong


def texts_of(tree: ast.Module) -> set[str]:
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def matches(parts: list[ast.expr], key: str) -> bool:
    """Whether a key may come of a text that is put together."""
    form = [re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+" for p in parts]
    return re.fullmatch("".join(form), key) is not None


def test_every_sentence_is_said() -> None:
    """A key may be looked up: from a table of the module that says it, or by a state, an event or a
    role that stands anywhere.
    """
    said = {(catalogue.name, key) for _, catalogue, key, _ in sayings()}
    sources = [path for path in PATHS if "messages" not in {path.stem, path.parent.name}]
    anywhere = set().union(*(texts_of(modules()[path]) for path in sources))
    for path in sources:
        known = names_in(path, modules()[path])
        said |= {(one.name, text) for one in known.values() for text in texts_of(modules()[path])}
        for node in ast.walk(modules()[path]):
            match node:
                case ast.Call(
                    func=ast.Name(id="declare_step"),
                    args=[ast.Constant(value=str(step)), ast.Name(id=name)],
                ):
                    said |= {(known[name].name, f"step.{step}{end}") for end in ("", ".ended")}
                case ast.Call(func=ast.Name(id=name), args=[ast.JoinedStr(values=parts), *_]):
                    if name in known:
                        keys = [key for key in known[name].english if matches(parts, key)]
                        said |= {(known[name].name, key) for key in keys}
                case ast.Call(func=ast.Name(id=name), args=[ast.Name() | ast.Attribute(), *_]):
                    if name in known:
                        said |= {(known[name].name, text) for text in anywhere}
    assert not sorted({(c.name, key) for c in CATALOGUES.values() for key in c.english} - said)


def german(catalogue: Catalogue) -> dict[str, Entry]:
    with catalogue.file.with_suffix(".de.po").open("rb") as file:
        return {str(one.context): one for one in read_po(file, locale="de") if one.id}


@EACH
def test_every_sentence_has_its_german(catalogue: Catalogue) -> None:
    entries = german(catalogue)
    assert entries.keys() == {catalogue.code(key) for key in catalogue.english}
    for key, english in catalogue.english.items():
        entry = entries[catalogue.code(key)]
        assert entry.id == english, f"{key}: the English of the translation is another"
        assert not entry.fuzzy, key
        texts = (entry.string,) if isinstance(entry.string, str) else tuple(entry.string or ())
        assert texts, key
        assert all(texts), f"{key}: no German"
        for text in texts:
            assert fields(text) | {"n"} == fields(english) | {"n"}, f"{key}: {text}"


@EACH
def test_every_sentence_can_be_said_in_german(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    with catalogue.file.with_suffix(".de.po").open("rb") as file:
        entries = read_po(file, locale="de")
    compiled = io.BytesIO()
    write_mo(compiled, entries)
    compiled.seek(0)
    translation = gettext.GNUTranslations(compiled)
    monkeypatch.setattr(Catalogue, "translation", lambda _self, _language: translation)
    for key, english in catalogue.english.items():
        for n in (1, 2) if isinstance(english, tuple) else (2,):
            given = {name: n if name == "n" else f"<{name}>" for name in fields(english)}
            said = in_words(catalogue(key, **given), "de")
            assert all(f"<{name}>" in said for name in given if name != "n"), said


def test_a_moment_and_a_message_are_said_inside_a_sentence() -> None:
    catalogue = CATALOGUES["workspace_manager.contract.messages.message"]
    inner = catalogue("connection_failed")
    moment = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    outer = catalogue("joined", first=inner, by="; ", rest=moment)
    assert str(outer) == "the connection failed; 2 Jan 2026, 03:04"
    assert isinstance(outer.params["first"], Message)


# --- no sentence beside the catalogues ---------------------------------------------------------

ERRORS = {"Unavailable", "Denied", "NotFound", "Conflict", "Invalid"}
SPOKEN = {"doing", "advice", "help", "by_hand"}


def plain_texts(node: ast.expr) -> Iterator[ast.expr]:
    """The texts that a value may be, as they stand there."""
    match node:
        case ast.Constant(value=str(text)) if text:
            yield node
        case ast.JoinedStr():
            yield node
        case ast.IfExp(body=one, orelse=other):
            yield from plain_texts(one)
            yield from plain_texts(other)
        case ast.BinOp(left=one, right=other):
            yield from plain_texts(one)
            yield from plain_texts(other)
        case ast.Tuple(elts=several):
            for one in several:
                yield from plain_texts(one)


def spoken(call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that people will read."""
    yield from (one.value for one in call.keywords if one.arg in SPOKEN)
    match call.func:
        case ast.Name(id=name) if name in ERRORS or name == "setting":
            yield from call.args[:1]
        case ast.Name(id="finding") | ast.Attribute(attr="ok" | "warning" | "failing" | "of"):
            yield from call.args
        case ast.Attribute(attr="error", value=ast.Name(id="answer" | "self")):
            yield from call.args[1:]
        case ast.Attribute(attr="now", value=ast.Name(id="Evidence")):
            yield from call.args[2:]


def test_systems_say_nothing_beside_their_catalogues() -> None:
    rooms = {HOME / "systems", HOME / "contract"}
    calls = [
        (path, node)
        for path, tree in modules().items()
        if rooms & set(path.parents)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]
    assert len(calls) > 1000
    assert [
        f"{path.relative_to(HOME)}:{text.lineno}"
        for path, call in calls
        for one in spoken(call)
        for text in plain_texts(one)
    ] == []


def test_a_code_that_is_stored_is_that_of_the_catalogue_it_stood_in_first() -> None:
    """Plans and what waits keep codes: one of each table that stands in another catalogue now."""
    for code in (
        *("core_labels.records", "reachable.not_configured_advice", "letter_kind.approved"),
        *("happened.stays", "timeline.plan_made", "work_compose.not_yaml", "link_list.found"),
        *("take_over.not_ended", "drive_labels.system", "sql_server_labels.goes_on"),
        *("inbox.plan.removal", "inbox.plan.service_key.renew"),
    ):
        catalogue, key = next(
            (one, key)
            for one in CATALOGUES.values()
            for key in one.english
            if one.code(key) == code
        )
        params = dict.fromkeys(fields(catalogue.english[key]), "x")
        said = Message(code=code, params=params, english="not known any more")
        assert in_words(said) != "not known any more"
