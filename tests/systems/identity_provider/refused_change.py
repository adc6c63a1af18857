"""A realm that refuses every change of a user: its profile requires an attribute of whoever
administrators change, and the user has none.
"""

import contextlib
import copy
from collections.abc import Iterator

from tests.systems.identity_provider.provider_under_test import ProviderUnderTest

FIELD = "department"


@contextlib.contextmanager
def required_of_administrators(provider: ProviderUnderTest) -> Iterator[None]:
    """For as long as the block lasts."""
    with provider.admin() as admin:
        before = admin.get("/users/profile").json()
        ruled = copy.deepcopy(before)
        ruled["attributes"].append(
            {
                "name": FIELD,
                "displayName": FIELD,
                "required": {"roles": ["admin"]},
                "permissions": {"view": ["admin"], "edit": ["admin"]},
            }
        )
        assert admin.put("/users/profile", json=ruled).status_code == 200
    try:
        yield
    finally:
        with provider.admin() as admin:
            assert admin.put("/users/profile", json=before).status_code == 200
