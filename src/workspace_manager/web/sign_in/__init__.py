"""Signing in and out through the identity provider: OpenID Connect with PKCE, nonce, signature,
issuer and `sub` checked.

django-allauth does the dance; what it leaves out is added in `provider`. Whom to let in is a story
(`people.admit`).
"""
