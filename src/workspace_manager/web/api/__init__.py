"""The REST API under `/api/v1`: one file per resource. Routes call stories and return their views.

Every answer that is not a success is a problem document (RFC 9457), also where the framework would
answer HTML (`gate`, `problems`). Each route names the role it requires (`auth`). The lookup of a
thing decides whether the caller may see it.
"""
