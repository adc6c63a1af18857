"""The drive: file sharing (Nextcloud 28-32 with the OpenID Connect app user_oidc), spoken to through its OCS API.

A drive account appears by itself when a person (or a still valid token) first authenticates; we never create one by hand. What can
go wrong: nearly every failure comes as HTTP 200 with the truth in the body; early errors are XML whatever was asked for; one wrong
password retried blocks every call from our address; ids are case-insensitive; a token that is still valid brings a deleted account
back, empty; a kept cookie runs a call as another person (the HTTP client keeps none).
"""
