"""A fault is one edit of what a function does, and never of what people read."""

from pathlib import Path

import pytest

from tools.fault_sites import Fault, drawn, faults

ROOT = Path(__file__).resolve().parents[2]
DRIVE = "src/workspace_manager/systems/drive"


def edits(*body: str) -> set[tuple[str, str, str]]:
    """What can be done to a function of these lines: (kind, was, now)."""
    lines = "".join(f"    {line}\n" for line in body)
    found = faults("a.py", f'"""A file."""\n\n\ndef f(a, b=1):\n{lines}')
    return {(one.kind, one.was, one.now) for one in found}


@pytest.mark.parametrize(
    ("line", "edit"),
    [
        ("x = a == b", ("comparison swapped", "a == b", "a != b")),
        ("x = a < b", ("comparison swapped", "a < b", "a <= b")),
        ("x = a not in b", ("comparison swapped", "a not in b", "a in b")),
        ("x = a and b", ("and/or", "a and b", "(a or b)")),
        ("x = 3", ("constant changed", "3", "4")),
        ("x = True", ("constant changed", "True", "False")),
        ('x = "GET"', ("constant changed", '"GET"', "'GETx'")),
        ('x = "höher" and "ä"', ("and/or", '"höher" and "ä"', "('höher' or 'ä')")),
        ("return a", ("returned value dropped", "return a", "return None")),
        ("raise KeyError(a)", ("raise dropped", "raise KeyError(a)", "pass")),
        ("a.close()", ("call removed", "a.close()", "pass")),
        ("x = a(b, wait=b)", ("argument dropped", "a(b, wait=b)", "a(b)")),
        ("x = a(b, wait=b)", ("argument dropped", "a(b, wait=b)", "a(wait=b)")),
        ("x = b if a else None", ("condition negated", "a", "(not a)")),
        ("x = [one for one in a if not b]", ("condition negated", "not b", "(b)")),
    ],
)
def test_a_slip_of_the_hand(line: str, edit: tuple[str, str, str]) -> None:
    assert edit in edits(line)


@pytest.mark.parametrize(
    "line",
    [
        '"""What it does."""',
        'x: "Target"',
        'x = message("gone", times=3)',
        "x = f'{a} is 3'",
        'log.info("gone", 3)',
        "assert a",
        "return None",
        "def g(c=3) -> Literal[3]: ...",
        'x = "ä"',
    ],
)
def test_what_people_read_is_left_as_it_is(line: str) -> None:
    assert not edits(line)


def test_of_a_call_that_says_something_only_the_rest_is_changed() -> None:
    now = {now for _, _, now in edits('x = a(b, message("gone"), advice="wait 3", tries=3)')}
    assert now == {"a(b, message('gone'), advice='wait 3')", "4"}


def test_outside_of_functions_nothing_is_changed() -> None:
    assert not [
        *faults("a.py", "A = 3\n\n\nclass B:\n    c = 4\n\n    @d(5)\n    def e(self): ...\n")
    ]


def test_what_stands_twice_is_changed_where_it_was_meant() -> None:
    text = "def f(a):\n    if a:\n        g()\n    else:\n        g()\n    return\n"
    first, second = [one for one in faults("a.py", text) if one.kind == "call removed"]
    assert first.in_text(text).splitlines()[2:5] == ["        pass", "    else:", "        g()"]
    assert second.in_text(text).splitlines()[2:5] == ["        g()", "    else:", "        pass"]


def test_a_fault_of_several_lines_leaves_the_others() -> None:
    text = "def f(a):\n    raise Gone(\n        'ä', a\n    )  # why\n\n\nB = 1\n"
    [fault] = [one for one in faults("a.py", text) if one.kind == "raise dropped"]
    assert fault.in_text(text) == "def f(a):\n    pass  # why\n\n\nB = 1\n"


def test_where_its_place_is_gone_it_says_so() -> None:
    [fault] = faults("a.py", "def f(a):\n    a.close()\n")
    with pytest.raises(LookupError, match=r"a\.py: what stood at line 2 is no longer there"):
        fault.in_text("def f(a):\n    a.end()\n")


def test_every_fault_of_a_file_of_ours_is_python_and_another_file() -> None:
    count = 0
    for path in (ROOT / DRIVE / "connector").glob("*.py"):
        text = path.read_text()
        for fault in faults(path.name, text):
            changed = fault.in_text(text)
            compile(changed, path.name, "exec")
            assert changed != text
            count += 1
    assert count > 100


def test_a_seed_draws_the_same_and_one_of_each_kind_first() -> None:
    path = ROOT / DRIVE / "connector" / "account.py"
    among = [*faults("account.py", path.read_text())]

    def order(seed: str) -> list[Fault]:
        return [*drawn(among, seed)]

    assert order("1") == order("1") != order("2")
    assert set(order("1")) == set(among)
    kinds = {one.kind for one in among}
    assert {one.kind for one in order("1")[: len(kinds)]} == kinds
