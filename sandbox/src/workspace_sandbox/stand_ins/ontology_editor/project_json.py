"""Projects as they are written down: languages, settings and times as Jackson prints the editor's
objects.
"""

from datetime import UTC, datetime
from typing import Any

NIL = "00000000-0000-0000-0000-000000000000"
LABEL = {"type": "AnnotationAssertion", "propertyIri": "rdfs:label"}


def language(lang: str) -> dict[str, str]:
    shown = {"type": LABEL["type"], "lang": lang, "propertyIri": LABEL["propertyIri"]}
    return shown if lang else dict(LABEL)


def display(lang: str) -> dict[str, Any]:
    first = [language(lang)] if lang else []
    return {
        "primaryDisplayNameLanguages": [
            *first,
            dict(LABEL),
            {"type": "PrefixedName"},
            {"type": "LocalName"},
        ],
        "secondaryDisplayNameLanguages": [],
    }


def instant(milliseconds: int) -> str:
    """Write a time as Java's Instant does: milliseconds are left out when there are none."""
    at = datetime.fromtimestamp(milliseconds / 1000, tz=UTC)
    text = at.isoformat(timespec="milliseconds" if milliseconds % 1000 else "seconds")
    return text.replace("+00:00", "Z")


def settings(project: dict[str, Any]) -> dict[str, Any]:
    """A project's settings; its id is not among them: the real one shows the nil UUID."""
    return {
        "projectSettings": {
            "projectId": NIL,
            "displayName": project["displayName"],
            "description": project["description"],
            "defaultLanguage": language(project["lang"]),
            "defaultDisplayNameSettings": display(project["lang"]),
            "slackIntegrationSettings": {"payloadUrl": ""},
            "webhookSettings": {"webhookSettings": []},
        },
        "entityCreationSettings": {
            "prefixSettings": {
                "conditionalIriPrefixes": [],
                "iriPrefix": "http://www.example.org/",
            },
            "suffixSettings": {"_class": "Uuid", "uuidFormat": "BASE62"},
        },
        "prefixDeclarations": [],
        "projectTags": [],
    }
