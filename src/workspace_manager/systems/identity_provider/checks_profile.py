"""Checks of the realm's user profile: values it loses, values it shows to people, and rules that
would refuse our approvals, locks or changes.

The identity provider applies the rules to an administrator's writes, too: a user who breaks one,
even later, can be neither made nor disabled. See
docs/systems/identity-provider.md#the-user-profile.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.systems.identity_provider.checks_clients import finding
from workspace_manager.systems.identity_provider.checks_realm import shows_settings
from workspace_manager.systems.identity_provider.client.answers import RUN_SETUP
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.members.profile import PROFILE_TABLE
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import (
    LOCALE_ATTRIBUTE,
    MARK_ATTRIBUTE,
    TIMEZONE_ATTRIBUTE,
)
from workspace_manager.systems.identity_provider.realm.profile import (
    attributes_open_to_people,
    has_languages,
    not_writable,
    undeclared_attributes,
)
from workspace_manager.systems.identity_provider.realm.wants import RealmWants

ALWAYS_SET: Final = frozenset({"username", "email", MARK_ATTRIBUTE})
"""Attributes that every approval sets. Names, language and time zone may be empty."""
SAMPLES: Final[Mapping[str, tuple[str, ...]]] = {
    "username": ("ada", "a.b", "a-b", "a_b", "9ab", "a" * 32),
    MARK_ATTRIBUTE: ("0b7e4a52-6f2d-4c55-9d6e-2f1f6f0a9c11",),
    TIMEZONE_ATTRIBUTE: ("Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC"),
    LOCALE_ATTRIBUTE: ("en", "de"),
}
"""Sample values, one of each form: a rule that refuses one is stricter than ours."""
FREE: Final = ("email", "firstName", "lastName")
"""Values that people choose freely."""
SHORT: Final = 64
"""The least upper bound on a length that does not get in people's way."""
SENTENCE: Final = 200


def profile_findings(
    profile: Mapping[str, Any], realm: Mapping[str, Any], wants: RealmWants
) -> Iterator[Finding]:
    """Check whether the manager's values are stored, and who else sees and changes them."""
    names = [*wants.private_attributes, *wants.declared_attributes]
    # If we cannot read the realm, it is unknown whether the realm declares the locale itself.
    unsaid = set() if shows_settings(realm) and not has_languages(realm) else {LOCALE_ATTRIBUTE}
    lost = [name for name in undeclared_attributes(profile, names) if name not in unsaid]
    label = message("check_attributes_declared")
    if lost:
        text = message("profile_does_not_declare", names=", ".join(lost))
        yield finding(label, Severity.FAILING, text, RUN_SETUP)
    else:
        yield finding(label, Severity.OK, message("every_attribute_kept"))
    if exposed := [
        one
        for one in attributes_open_to_people(profile, wants.private_attributes)
        if one not in lost
    ]:
        yield finding(
            message("check_attributes_private"),
            Severity.FAILING,
            message("attributes_are_open", names=", ".join(exposed)),
            RUN_SETUP,
        )
    if dropped := not_writable(profile, [*FREE, *names]):
        yield finding(
            message("check_attributes_written"),
            Severity.FAILING,
            message("attributes_not_writable", names=", ".join(dropped)),
            message("let_admin_edit", names=", ".join(dropped)),
        )
    yield from PROFILE_TABLE.findings(profile, Findings(SYSTEM))
    yield from profile_rules(profile)


def profile_rules(profile: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a finding for each rule that refuses a value which the manager writes, or may write."""
    for attribute in profile.get("attributes") or []:
        name = str(attribute.get("name") or "")
        if _required(attribute) and name not in ALWAYS_SET:
            text = message("profile_requires", field=name)
            yield _finding(Severity.FAILING, text, message("profile_requires.remedy", field=name))
        validations = attribute.get("validations") or {}
        for rule, config in validations.items():
            yield from _narrower(name, str(rule), config if isinstance(config, dict) else {})


def _required(attribute: Mapping[str, Any]) -> bool:
    """Return whether a write without the attribute is refused. If only people must set it, their
    sign-in asks for it; if it has scopes, the sign-in at a client does.
    """
    required = attribute.get("required")
    if not isinstance(required, dict) or required.get("scopes"):
        return False
    roles = required.get("roles") or []
    return not roles or "admin" in roles


def _narrower(name: str, rule: str, config: Mapping[str, Any]) -> Iterable[Finding]:
    refused = [value for value in SAMPLES.get(name, ()) if not _takes(rule, config, value)]
    shown = rule if rule != "pattern" else f"pattern {config.get('pattern')}"
    sentence = _sentence(config)
    if refused:
        severity = Severity.WARNING if name == "username" else Severity.FAILING
        text = message(
            "profile_refuses", field=name, rule=shown, value=refused[0], sentence=sentence
        )
    elif name in FREE and _may_refuse(rule, config):
        severity = Severity.WARNING
        text = message("profile_may_refuse", field=name, rule=shown, sentence=sentence)
    else:
        return
    yield _finding(severity, text, message("profile_rule.remedy", field=name))


def _takes(rule: str, config: Mapping[str, Any], value: str) -> bool:
    """Return whether a rule accepts a value, as far as that is known here."""
    match rule:
        case "length":
            return _number(config, "min", 0) <= len(value) <= _number(config, "max", len(value))
        case "pattern":
            try:
                return re.fullmatch(str(config.get("pattern") or ""), value) is not None
            except re.error:
                # Java has patterns that Python does not.
                return True
        case "options":
            options = config.get("options")
            return not isinstance(options, list) or value in options
    return rule not in {"integer", "double", "uri", "email", "iso-date", "local-date"}


def _may_refuse(rule: str, config: Mapping[str, Any]) -> bool:
    if rule == "length":
        return _number(config, "min", 0) > 1 or _number(config, "max", SHORT) < SHORT
    return rule in {"pattern", "options", "integer", "double", "uri", "iso-date", "local-date"}


def _number(config: Mapping[str, Any], name: str, otherwise: int) -> int:
    try:
        return int(config[name])
    except (KeyError, TypeError, ValueError):
        return otherwise


def _sentence(config: Mapping[str, Any]) -> Message:
    """Return the administrators' own message for the rule."""
    said = config.get("error-message")
    if not isinstance(said, str) or not said.strip():
        return quote_words("")
    return message("profile_says", sentence=said.strip()[:SENTENCE])


def _finding(severity: Severity, text: Message, remedy: Message) -> Finding:
    return finding(message("check_profile_rules"), severity, text, remedy)
