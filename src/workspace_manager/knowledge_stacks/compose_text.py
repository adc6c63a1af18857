"""A compose file as text: read strictly into plain values, and written so that nothing in it can be
read as anything else.

Words that older readers of YAML take for truth values, numbers or times (`yes`, `0o17`, `12:30`)
stay the words they are; what would make one place stand for another (anchors, aliases, merged keys,
tags) is refused by name.

See docs/reference/compose-features.md.
"""

import re
from typing import Any, Final

import yaml

from workspace_manager.contract.message import Message
from workspace_manager.core.refusal import BadInput
from workspace_manager.knowledge_stacks.messages import message

LONGEST: Final = 50_000
_UNSPEAKABLE: Final = re.compile("[\0\ud800-\udfff]")
"""What neither a program nor a file can be given; an escape (`"\\0"`) brings it all the same."""
DEEPEST: Final = 12

Values = dict[str, Any]
"""A mapping as it was read: texts, numbers, truth values, None, lists and mappings of them."""


def compose_refusal(why: Message) -> BadInput:
    """The compose file cannot be used, and why."""
    return BadInput({"compose": why})


class _Reader(yaml.SafeLoader):
    """Knows texts, whole numbers, fractions, true, false and null, and nothing else."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # as its base class has it

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]  # not typed in its stubs
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise compose_refusal(message("anchors", line=self._line(event)))
        if getattr(event, "tag", None):
            raise compose_refusal(message("tags", line=self._line(event)))
        found = super().compose_node(parent, index)
        if isinstance(found, yaml.ScalarNode) and _UNSPEAKABLE.search(found.value):
            raise compose_refusal(message("characters", line=self._line(event)))
        return found

    @staticmethod
    def _line(event: yaml.Event) -> int:
        return event.start_mark.line + 1 if event.start_mark else 1

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if not name or name == "<<":
                raise compose_refusal(message("keys", line=line))
            if name in found:
                raise compose_refusal(message("twice", name=name, line=line))
            found[name] = self.construct_object(value, deep=deep)
        return found

    def construct_yaml_map(self, node: yaml.MappingNode) -> Any:
        yield self.construct_mapping(node, deep=True)


for _tag, _pattern, _first in (
    ("tag:yaml.org,2002:bool", r"true|false", "tf"),
    ("tag:yaml.org,2002:null", r"null|~|", ["n", "~", ""]),
    ("tag:yaml.org,2002:int", r"-?(?:0|[1-9][0-9]{0,17})", "-0123456789"),
    ("tag:yaml.org,2002:float", r"-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,17}", "-0123456789"),
):
    _Reader.add_implicit_resolver(_tag, re.compile(rf"(?:{_pattern})\Z"), list(_first))
_Reader.add_constructor("tag:yaml.org,2002:map", _Reader.construct_yaml_map)


class _Writer(yaml.SafeDumper):
    """Writes every place out: nothing stands for another, texts always in quotes."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True


def _quoted(writer: yaml.SafeDumper, text: str) -> yaml.Node:
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style='"')


_Writer.add_representer(str, _quoted)


def read(text: str) -> Values:
    """The one document of a text. Raises BadInput for what is none, and for whatever makes it mean
    more than it says.
    """
    if len(text) > LONGEST:
        raise compose_refusal(message("too_long", most=LONGEST))
    try:
        found = yaml.load(text, Loader=_Reader)  # noqa: S506  # a SafeLoader, only stricter
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        line = mark.line + 1 if mark else 1
        raise compose_refusal(message("not_yaml", line=line, why=wrong.problem or "?")) from wrong
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as wrong:
        raise (
            wrong if isinstance(wrong, BadInput) else compose_refusal(message("unreadable"))
        ) from wrong
    if not isinstance(found, dict):
        raise compose_refusal(message("no_mapping"))
    _refuse_deep(found, DEEPEST)
    return found


def _refuse_deep(value: Any, left: int) -> None:
    if left == 0:
        raise compose_refusal(message("too_deep"))
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            _refuse_deep(inner, left - 1)


def write(document: Values) -> str:
    """Write the document as text that reads back as the same document."""
    return yaml.dump(
        document,
        Dumper=_Writer,
        allow_unicode=True,
        default_flow_style=False,
        sort_keys=False,
        width=1_000_000,
    )
