"""The REST API under `/api/v1`: one file per resource, stories called and rows shown.

Every answer that is not a success is a problem document (RFC 9457), also where the framework would
answer HTML: `gate` and `problems`. Who may ask is said once per route by a role of `auth`; what
somebody may see of a thing is asked where the thing is looked up.
"""
