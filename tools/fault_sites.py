"""Where a small fault can be planted in a Python file, and what the file is with it.

A fault is one edit inside a function, as a slip of the hand would make it. What people read is no
place for one: sentences, docstrings, annotations and the log are left as they are. Standard library
only.
"""

import ast
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
SPOKEN = {
    "message",
    "Message",
    "gettext",
    "gettext_lazy",
    "ngettext",
    "_",
    "cast",
    "log",
    "logging",
}
"""Calls of these make a sentence, a line of the log or nothing at all."""
ABOUT_WORDS = {"doing", "advice", "remedy", "help", "label", "description", "summary", "title"}


@dataclass(frozen=True)
class Fault:
    """One edit. `whole_lines` stands once in the file; `planted` takes its place."""

    path: str
    line: int
    kind: str
    was: str
    now: str
    whole_lines: str
    planted: str

    def in_text(self, text: str) -> str:
        """Give the file's text with the fault. Raises LookupError where its place is gone."""
        if text.count(self.whole_lines) != 1:
            raise LookupError(f"{self.path}: what stood at line {self.line} is no longer there")
        return text.replace(self.whole_lines, self.planted)


def faults(path: str, text: str) -> Iterator[Fault]:
    """Every fault that can be planted in a file."""
    lines = text.splitlines(keepends=True)
    seen = _Sites()
    seen.visit(ast.parse(text))
    for kind, node, now in seen.found:
        yield _fault(path, lines, kind, node, now)


def drawn(among: Iterable[Fault], seed: str) -> Iterator[Fault]:
    """All of them in an order that the seed gives: one of each kind, then another of each."""
    chance = random.Random(seed)
    by_kind: defaultdict[str, list[Fault]] = defaultdict(list)
    for fault in among:
        by_kind[fault.kind].append(fault)
    for same in by_kind.values():
        chance.shuffle(same)
    while kinds := sorted(kind for kind, same in by_kind.items() if same):
        chance.shuffle(kinds)
        for kind in kinds:
            yield by_kind[kind].pop()


def _fault(path: str, lines: list[str], kind: str, node: ast.expr | ast.stmt, now: str) -> Fault:
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head = lines[first].encode()[: node.col_offset].decode()
    tail = lines[last].encode()[node.end_col_offset :].decode()
    whole = "".join(lines[first : last + 1])
    was = whole[len(head) : len(whole) - len(tail)]
    text = "".join(lines)
    above, below = first, last + 1
    # Lines around it are taken along until they stand nowhere else in the file.
    while text.count("".join(lines[above:below])) > 1:
        above, below = max(above - 1, 0), below + 1
    before, after = "".join(lines[above:first]), "".join(lines[last + 1 : below])
    edited = before + head + now + tail + after
    return Fault(path, node.lineno, kind, was, now, "".join(lines[above:below]), edited)


class _Sites(ast.NodeVisitor):
    """Collects (kind, what is replaced, by what)."""

    def __init__(self) -> None:
        self.found: list[tuple[str, ast.expr | ast.stmt, str]] = []
        self._inside = 0

    def _note(self, kind: str, node: ast.expr | ast.stmt, now: ast.AST | str) -> None:
        if self._inside:
            self.found.append((kind, node, now if isinstance(now, str) else ast.unparse(now)))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Its body alone: decorators, defaults and annotations are no slips of a line."""
        self._inside += 1
        for statement in node.body[1 if ast.get_docstring(node, clean=False) else 0 :]:
            self.visit(statement)
        self._inside -= 1

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A text with values in it: mostly a sentence."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """It tells mypy what is known."""

    def visit_Raise(self, node: ast.Raise) -> None:
        self._note("raise dropped", node, "pass")

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is None:
            return
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._note("returned value dropped", node, "return None")
        self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._negate(condition)
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        now: ast.expr = ast.UnaryOp(ast.Not(), test)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            now = test.operand
        self._note("condition negated", test, f"({ast.unparse(now)})")

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            other = OPPOSITE[type(node.ops[0])]()
            now = ast.unparse(ast.Compare(node.left, [other], node.comparators))
            self._note("comparison swapped", node, now)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._note("and/or", node, f"({ast.unparse(ast.BoolOp(other, node.values))})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        match node.value:
            case bool():
                self._note("constant changed", node, repr(not node.value))
            case int() | float():
                self._note("constant changed", node, repr(node.value + 1))
            case str() if node.value and node.value.isascii():
                self._note("constant changed", node, repr(node.value + "x"))

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and not _spoken(node.value):
            self._note("call removed", node, "pass")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if _spoken(node):
            return
        if len(node.args) + len(node.keywords) > 1:
            if node.args and not _of_words(node.args[-1]):
                shorter = ast.Call(node.func, node.args[:-1], node.keywords)
                self._note("argument dropped", node, shorter)
            for keyword in node.keywords:
                others = [one for one in node.keywords if one is not keyword]
                if keyword.arg not in ABOUT_WORDS and not _of_words(keyword.value):
                    self._note("argument dropped", node, ast.Call(node.func, node.args, others))
        self.visit(node.func)
        for value in (
            *node.args,
            *(one.value for one in node.keywords if one.arg not in ABOUT_WORDS),
        ):
            self.visit(value)


def _of_words(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and _spoken(node))


def _spoken(call: ast.Call) -> bool:
    """Return whether it makes a sentence or a line of the log."""
    name = call.func
    while isinstance(name, ast.Attribute):
        name = name.value
    return isinstance(name, ast.Name) and name.id in SPOKEN
