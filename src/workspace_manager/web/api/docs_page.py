"""`/api/v1/docs`: every operation on one plain page, made from the OpenAPI document; no script, and
nothing from another host.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase


class DocsPage(DocsBase):
    """Instead of ninja's Swagger, which loads from another host unless it is installed as
    an app.
    """

    def render_page(self, request: HttpRequest, api: NinjaAPI, **_where: Any) -> HttpResponse:
        document = api.get_openapi_schema()
        about = _prose(document["info"]["description"])
        context = {"document": document, "about": about, "groups": _groups(document)}
        return render(request, "api/docs.html", context)


def _groups(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Operations by resource, in the order of the routes."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            shown = {
                "id": operation["operationId"],
                "method": method.upper(),
                "path": path,
                "summary": _marked(operation["summary"]),
                "description": _prose(operation["description"]),
                "parameters": [_parameter(one) for one in operation["parameters"]],
                "body": _members(operation.get("requestBody", {}), document),
                "answers": [
                    (status, _marked(told["description"]))
                    for status, told in operation["responses"].items()
                ],
            }
            groups.setdefault(operation["tags"][0], []).append(shown)
    return groups


def _prose(text: str) -> SafeString:
    """Paragraphs, as the document's Markdown means them."""
    paragraphs = (" ".join(lines.split()) for lines in text.split("\n\n"))
    return format_html_join("", "<p>{}</p>", ((_marked(one),) for one in paragraphs))


def _marked(text: str) -> SafeString:
    """A line with its code marked: what stands between two backticks is every second piece."""
    pieces = (
        format_html("<code>{}</code>" if index % 2 else "{}", piece)
        for index, piece in enumerate(text.split("`"))
    )
    return format_html_join("", "{}", ((piece,) for piece in pieces))


def _parameter(told: dict[str, Any]) -> tuple[str, str, str]:
    return told["name"], told["in"], _type(told["schema"])


def _members(body: dict[str, Any], document: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """(name, type, required) of each member of a body."""
    if not body:
        return []
    schema = body["content"]["application/json"]["schema"]
    references = [schema, *schema.get("anyOf", [])]
    name = next((one["$ref"] for one in references if "$ref" in one), "").rpartition("/")[2]
    model = document["components"]["schemas"].get(name, {})
    required = model.get("required", [])
    return [
        (member, _type(told), member in required)
        for member, told in model.get("properties", {}).items()
    ]


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    kind = str(schema.get("format") or schema.get("type") or "object")
    bounds = {"maxLength": "at most {} characters", "maximum": "at most {}"}
    notes = [text.format(schema[name]) for name, text in bounds.items() if name in schema]
    return ", ".join([kind, *notes])
