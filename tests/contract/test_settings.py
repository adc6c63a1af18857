"""A blank text is "not set": a setting that names something is its default then.

See docs/explanation/settings.md#set-blank-empty.
"""

import pytest

from workspace_manager.contract.settings import parse
from workspace_manager.systems import registry


@pytest.mark.parametrize("blank", ["", "  "])
@pytest.mark.parametrize(
    ("system", "name", "default"),
    [
        ("drive", "login_name_attribute", "filesvc_login_name"),
        ("drive", "app_password_attribute", "filesvc_app_password"),
        ("sql_server", "password_attribute", "sql_password"),
        ("notebook_hub", "container_name_prefix", "jupyter-"),
        ("notebook_hub", "notebook_images", "notebook, singleuser"),
        ("identity_provider", "users_url", "/admin/realms/{realm}/users"),
        ("identity_provider", "users_delete_url", "/{userId}"),
    ],
)
def test_a_blank_name_is_the_default(system: str, name: str, default: str, blank: str) -> None:
    assert getattr(parse(registry().specs[system].settings, {name: blank}, {}), name) == default
    assert getattr(parse(registry().specs[system].settings, {name: " other "}, {}), name) == "other"


def test_a_blank_prefix_is_none() -> None:
    hub = parse(registry().specs["notebook_hub"].settings, {"volume_name_prefix": ""}, {})
    assert getattr(hub, "volume_name_prefix") == ""  # noqa: B009
