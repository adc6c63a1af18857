"""A stand-in for Keycloak 26.7: the identity provider of the sandbox and of the tests.

The same tests hold it and a real one (`tests/systems/identity_provider`, `tests/conformance`); what
they do not ask is compared with recorded answers of 26.7.3 (`tests/recorded/keycloak`). What it
leaves out: hashes of other algorithms than Argon2, brokering, federation, authorization services,
one-time passwords, consent, themes, account console, SAML, mail, and every route neither the
manager nor a component uses.
"""

from workspace_sandbox.stand_ins.identity_provider.stand_in import IdentityProviderStandIn

__all__ = ["IdentityProviderStandIn"]
