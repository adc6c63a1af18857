"""The rules of a knowledge stack's compose file, and the file as the engine gets it.

A compose file is data: it is read, every part of it is one we know, and values are put into its
texts, never into its text. What is not carried out is refused by name when a template is saved, so
that nobody finds out from a stack that behaves otherwise. What is put in: values into environment
and labels, our mark onto every container, network and volume, and the one port that people open.

See docs/reference/compose-features.md.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from workspace_manager.knowledge_stacks import compose_variables as variables
from workspace_manager.knowledge_stacks.compose_features import SECRET
from workspace_manager.knowledge_stacks.compose_rules import in_one_form, refuse_unknown_names
from workspace_manager.knowledge_stacks.compose_schema import refuse_unfit
from workspace_manager.knowledge_stacks.compose_text import Values, compose_refusal, read, write
from workspace_manager.knowledge_stacks.messages import message
from workspace_manager.systems.container_manager.names import MARK_LABEL


@dataclass(frozen=True)
class Limits:
    """The limits of a template."""

    variables: Collection[str]
    """The names that may stand in `${…}`."""
    privileged: bool = False
    """Whether it may reach the host: privileges, host paths, host network."""


@dataclass(frozen=True)
class PublishedService:
    """The service that people open: where it listens, and where it is reached."""

    service: str
    port: int
    at: int
    """The port on the host of the engine."""
    bind: str = ""
    """The address of that host it is reached at; "" for all."""


def check_compose(text: str, *, web_service: str, limits: Limits) -> Values:
    """The compose file as it was read, with environment and labels as mappings.

    Raises BadInput that names what is not carried out, not allowed or not there.
    """
    document = in_one_form(read(text))
    refuse_unfit(document, privileged=limits.privileged)
    refuse_unknown_names(document, privileged=limits.privileged)
    for thing in document.values():
        for name, part in thing.items():
            variables.check(name, part, limits.variables)
    services = document["services"]
    if web_service and web_service not in services:
        raise compose_refusal(
            message("no_web_service", name=web_service, there=", ".join(services))
        )
    return document


def used_variables(document: Values) -> frozenset[str]:
    """The variables that a compose file uses."""
    parts = (part for thing in document.values() for part in thing.values())
    return frozenset(name for part in parts for name in variables.named_in(part))


def render_compose(
    document: Values, values: Mapping[str, str], *, mark: str, published: PublishedService | None
) -> str:
    """The file as the engine gets it: values put in, everything marked, the web port published.

    Secrets stay `${NAME}`, for the engine to put in. `values` need not be harmless: they are put
    into texts that were read already, and a `$` in them stands for itself.
    """
    made: Values = {"services": {}, "volumes": {}, "networks": {}}
    for name, service in document["services"].items():
        one = {
            **service,
            "environment": _filled(service["environment"], values),
            "labels": {**_filled(service["labels"], values), MARK_LABEL: mark},
        }
        if published and name == published.service and "network_mode" not in service:
            where = f"{published.bind}:" if published.bind else ""
            one["ports"] = [f"{where}{published.at}:{published.port}"]
        made["services"][name] = one
    for thing in ("volumes", "networks"):
        for name, about in document[thing].items():
            labels = {**_filled(about["labels"], values), MARK_LABEL: mark}
            made[thing][name] = {**about, "labels": labels}
    # The network that a compose program makes by itself has to carry our mark like all others.
    if any("network_mode" not in service for service in made["services"].values()):
        default = made["networks"].setdefault("default", {})
        default.setdefault("labels", {})[MARK_LABEL] = mark
    return write({name: part for name, part in made.items() if part})


def _filled(texts: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, str]:
    return {name: _put_in(str(text), values) for name, text in texts.items()}


def _put_in(text: str, values: Mapping[str, str]) -> str:
    """One pass: what a value brings is never looked at again."""

    def one(found: re.Match[str]) -> str:
        variable = variables.VARIABLE.fullmatch(found[0])
        if variable is None or variable[1] in SECRET:
            return found[0]
        return values.get(variable[1], "").replace("$", "$$")

    return variables.DOLLAR.sub(one, text)
