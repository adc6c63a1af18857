"""Signing in and out through the identity provider: OpenID Connect with PKCE, nonce, signature,
issuer and `sub` checked.

django-allauth runs the flow; `provider` adds what it leaves out. A story decides whom to let in
(`people.admit`).
"""
