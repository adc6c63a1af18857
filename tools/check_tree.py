"""Fail when the tree loses its shape. Run by `make check`; standard library only.

Here stands only what no tool says: imports are import-linter's, and ruff's are lengths of lines,
banned modules, broad excepts and missing docstrings. A rule is kept, or a file is exempt from it
with a reason (EXEMPT); an exemption that is no longer needed fails too, so that the list only
shrinks.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path("src/workspace_manager")
FOLDERS = ("client", "connector")
"""Parts of every system that are folders: what speaks on the wire, and the kinds it drives."""
FILES = ("settings", "names", "checks")
"""Parts of every system that are files."""
SPLIT_BESIDE = {"checks"}
"""A part that grew: files beside it (`checks_people.py`). The rules of the part hold for all."""
EXTRA_PARTS = {
    "accounts": "what is a person's there, what shuts it, and the names it needs itself",
    "inventory": "what it says it holds, page by page",
    "members": "what each member of the documents that its check reads has to say",
    "messages": "its sentences",
    "ownership": "whose a thing there is, by its evidence",
    "realm": "what it needs of the realm; at the identity provider, how a realm is made so",
    "refusals": "which of the five errors an answer is",
    "snapshots": "how the content of its things is kept and brought back, by the field's own tools",
    "shapes": "what an answer must look like before it is believed",
    "command_line": "the drive's tool, run inside its container",
}
MAY_SEE_A_CLIENT = {"client", "connector", "checks", "inventory", "snapshots"}
STEPS = (
    *("step1_stop_notebook", "step2_resolve_identity", "step3_remove_drive_account"),
    *("step4_remove_identity", "step5_drop_sql_users", "step6_remove_triplestore_user"),
    "step7_delete_records",
)

MAX_FILE, MAX_FUNCTION, MAX_TEST_FILE = 300, 45, 400
VAGUE = re.compile(r"(^|_)(utils?|helpers?|managers?|misc|common|stuff)$")
WORDS = """
    about above again ahead allowed announced answered apart approved as aside asked at bare
    batched before begun behind below bound bounded by captured chosen cleaned coded
    committed compared completed configured counted decided derived described done door due
    ended erased expired folded forced found front given gone good guarded happened heard
    held ignored joined judge judged keeper kept known learnt left listed locked made misfit
    misused named near needed noticed numbered of offered once opened over paused pinned
    place places planned provided quiet quoted received recognized refreshed refused
    rejected relinked rendered said same satisfied seen settled several shown signed since
    somebody standing stored taken together told tried tries trouble trusted turn under used
    usual walked wanted way while who whole whose why wished within written
"""
NO_NAMES = frozenset(WORDS.split())
"""Words that name nothing if they stand alone: participles, prepositions, metaphors. A list, and no
grammar: whoever meets another one adds it.
"""
NAMED = ("tools/", "benchmarks/", "sandbox/", "tests/")
"""Beside the package: the folders in which everything has a name by now."""
DEFINED = re.compile(r"^(?:async )?(?:def|class) (\w+)", re.MULTILINE)
"""The definitions at the top level of a module, and those in a text it contains."""
FIXTURE = re.compile(r"(pytest\.)?fixture\b")
FIXTURE_ADVICE = "a fixture is named as the thing it gives"
NO_SUBJECT = re.compile(
    r"(What|Whatever|Whoever|So|The same|Whether|Why|How|Which|Who|Whose|When)\b"
)
"""Words that begin a docstring without saying what it is about."""
MAX_PRIVATE_DOCSTRING = 3
OUR_WORDS = {"workspace_manager", "container_manager"}
"""The product's own names."""
MAY_REVEAL = {
    "http.py",
    "cookies.py",
    "fields.py",
    "service_keys.py",
    "signature.py",
    "credential_mark.py",
}
"""Calls carry credentials and cookies. A service key is shown to its owner, once, by its page and
its route; the secret of a webhook signs; of a credential a mark is made, with a key, that nobody
turns back.
"""
MAY_REVEAL_BELOW = {"sign_in", "webhooks/addresses", "snapshots/store/keys", "cli/snapshots"}
"""The address of a webhook is called, and shown to whoever may change it and asks; the key of a
snapshot encrypts and decrypts its content, and is shown to an operator who asks on the server.
"""
EXEMPT: dict[tuple[str, str], str] = {
    (
        "long file",
        "src/workspace_manager/systems/sql_server/client/postgresql/session.py",
    ): "the same methods as its sibling for MariaDB, with what PostgreSQL needs besides",
    (
        "no name",
        "src/workspace_manager/core/refusal.py",
    ): "`Refused` is the house's word for what a story does not do, as `Forbidden` is for a right",
    (
        "no name",
        "sandbox/src/workspace_sandbox/conformance/case.py",
    ): "`Place` is a public name of the conformance checks: tests of other authors derive from it",
}
"""(rule, path) -> why it is right there."""

CLIENT = re.compile(r"workspace_manager\.systems\.\w+\.client\b")
Finding = tuple[str, str, str]
"""(rule, path, sentence)"""


def main(root: Path) -> int:
    """Look at everything, print what is wrong, and give 1 when something is."""
    found = [*systems(root), *steps(root), *sources(root), *beside(root)]
    excused = {(rule, path) for rule, path, _ in found if (rule, path) in EXEMPT}
    bad = [sentence for rule, path, sentence in found if (rule, path) not in EXEMPT]
    bad += [
        (
            f"{path}: is exempt from {rule!r} and does not need it; take it out of EXEMPT in "
            f"{Path(__file__).name}"
        )
        for rule, path in EXEMPT.keys() - excused
    ]
    print("\n".join(sorted(bad)) or "tree ok")
    return int(bool(bad))


def systems(root: Path) -> Iterator[Finding]:
    """Folders that are alike: the same parts under the same names in each."""
    home = root / PACKAGE / "systems"
    folders = {path for path in home.iterdir() if path.is_dir() and path.name != "__pycache__"}
    for folder in sorted(folders):
        where = folder.relative_to(root).as_posix()
        for sentence in sentences(folder):
            yield "system parts", where, f"{where}: {sentence}"


def sentences(folder: Path) -> Iterator[str]:
    """Yield what is wrong with the parts of a system."""
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    inner = {path.parent.name for path in folder.glob("*/__init__.py")}
    for part in FOLDERS:
        if part not in inner:
            yield f"has no {part}/"
    for part in FILES:
        if part not in files:
            yield f"has no {part}.py"
    for part in sorted(inner & {*FILES}):
        yield f"{part} should be a file"
    for name in sorted(files | inner - {*FOLDERS}):
        if (first := name.partition("_")[0]) in FOLDERS:
            yield f"{name}.py should be in {first}/"
        elif part_of(name) not in {*FILES, *EXTRA_PARTS}:
            yield f"{name} is not a part that systems have"


def part_of(name: str) -> str:
    """The part a file or folder of a system belongs to: `checks_people` is of the checks."""
    first = name.partition("_")[0]
    return first if first in SPLIT_BESIDE else name


def steps(root: Path) -> Iterator[Finding]:
    """The seven steps of a removal, in their order, readable from `ls`."""
    home = root / PACKAGE / "removal"
    have = tuple(sorted(path.stem for path in home.glob("step*.py")))
    if have and have != STEPS:
        where = home.relative_to(root).as_posix()
        yield (
            "steps",
            where,
            f"{where}: the steps are {', '.join(have)}; they should be {', '.join(STEPS)}",
        )


def sources(root: Path) -> Iterator[Finding]:
    for path in sorted((root / PACKAGE).rglob("*.py")):
        if "migrations" in path.parts:
            continue
        where = path.relative_to(root).as_posix()
        text = path.read_text()
        if (lines := text.count("\n")) > MAX_FILE:
            sentence = f"{where}: {lines} lines; {MAX_FILE} are the most. Split it by meaning"
            yield "long file", where, sentence
        folder = path.parent.name
        if VAGUE.search(path.stem) or (folder not in OUR_WORDS and VAGUE.search(folder)):
            yield "vague name", where, f"{where}: the name does not say what it is"
        tree = ast.parse(text, filename=where)
        yield from names(tree, path.stem, where)
        yield from subjects(tree, where)
        yield from lengths(tree, where)
        for rule, line, sentence in inside(tree, path.relative_to(root / PACKAGE)):
            yield rule, where, f"{where}:{line}: {sentence}"


def names(tree: ast.Module, module: str, where: str) -> Iterator[Finding]:
    """A module, and each class and function at its top level, says what it is or does."""
    advice = "take a noun of the field, or a verb with its object"
    defined = [(1, module, advice)] + [
        (node.lineno, node.name, FIXTURE_ADVICE if is_fixture(node) else advice)
        for node in tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for line, name, said in defined:
        if name.lower() in NO_NAMES:
            yield "no name", where, f"{where}:{line}: {name} names nothing: {said}"


def is_fixture(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether pytest makes a value of this function: `fixture`, `pytest.fixture(…)`."""
    return any(FIXTURE.match(ast.unparse(decorator)) for decorator in node.decorator_list)


def documented(tree: ast.Module) -> Iterator[tuple[ast.AST, int, str]]:
    """Yield each module, class and function with a docstring, the line of that, and its text."""
    for node in ast.walk(tree):
        if isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ) and (text := ast.get_docstring(node)):
            yield node, node.body[0].lineno, text


def subjects(tree: ast.Module, where: str) -> Iterator[Finding]:
    """A docstring begins with its subject."""
    for _, line, text in documented(tree):
        yield from without_subject(text, f"{where}:{line}", where)


def without_subject(docstring: str, line: str, where: str) -> Iterator[Finding]:
    if found := NO_SUBJECT.match(docstring):
        sentence = f"{found[0]!r} begins a docstring: begin with its subject, or with a verb"
        yield "no subject", where, f"{line}: {sentence}"


def lengths(tree: ast.Module, where: str) -> Iterator[Finding]:
    """A private function needs few words."""
    for node, line, text in documented(tree):
        name = getattr(node, "name", "")
        if isinstance(node, ast.ClassDef) or not name.startswith("_") or name.startswith("__"):
            continue
        if (lines := text.count("\n") + 1) > MAX_PRIVATE_DOCSTRING:
            sentence = (
                f"{name} is private and has {lines} lines of docstring; "
                f"{MAX_PRIVATE_DOCSTRING} are the most"
            )
            yield "long docstring", where, f"{where}:{line}: {sentence}"


def inside(tree: ast.Module, path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield what a file may not contain: (rule, line, sentence)."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from function(node)
            case ast.Attribute(attr="reveal") if not may_reveal(path):
                yield "reveal", node.lineno, "reveal() outside the places that may see a secret"
            case ast.Import() | ast.ImportFrom():
                yield from imported(node, path)


def function(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[tuple[str, int, str]]:
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    if length > MAX_FUNCTION:
        sentence = f"{node.name} is {length} lines; {MAX_FUNCTION} are the most"
        yield "long function", node.lineno, sentence


def imported(node: ast.Import | ast.ImportFrom, path: Path) -> Iterator[tuple[str, int, str]]:
    names = {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        names = {node.module or "", *(f"{node.module}.{name}" for name in names)}
    if parts(path) & (MAY_SEE_A_CLIENT | {"tests"}):
        return
    for name in sorted(names):
        if CLIENT.match(name):
            sentence = (
                f"{name}: a client is seen by its own connector, checks, inventory and snapshots"
                " only"
            )
            yield "client seen", node.lineno, sentence
            break


def may_reveal(path: Path) -> bool:
    inner = parts(path)
    if inner & MAY_REVEAL_BELOW or path.name in MAY_REVEAL:
        return True
    return "systems" in inner and "client" in inner


def parts(path: Path) -> set[str]:
    """Return what a file belongs to: the folders it is in, the part of a system it belongs to, its
    own place in the package.
    """
    own = path.with_suffix("")
    if own.parts[0] == "systems":
        return {"systems", *map(part_of, own.parts[2:3]), own.as_posix()}
    return {*own.parts, own.as_posix()}


def beside(root: Path) -> Iterator[Finding]:
    """Tests, sandbox and tools may be a little longer than what they are for. Of tests the module
    alone begins with its subject: a test's own docstring says what holds.
    """
    for folder in ("tests", "sandbox", "tools", "benchmarks"):
        for path in sorted((root / folder).rglob("*.py")):
            where, text = path.relative_to(root).as_posix(), path.read_text()
            if where.startswith(NAMED) and NO_NAMES & written_names(text, path.stem):
                yield from names(ast.parse(text, filename=where), path.stem, where)
            if (lines := text.count("\n")) > MAX_TEST_FILE:
                sentence = (
                    f"{where}: {lines} lines; {MAX_TEST_FILE} are the most. Split it by meaning"
                )
                yield "long file", where, sentence
            if "tests" in path.relative_to(root).parts:
                yield from without_subject(text.removeprefix('"""'), f"{where}:1", where)
                continue
            yield from subjects(ast.parse(text, filename=where), where)


def written_names(text: str, module: str) -> set[str]:
    """Return the names that `names` may find, without parsing the text: that takes long."""
    return {name.lower() for name in (module, *DEFINED.findall(text))}


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()))
