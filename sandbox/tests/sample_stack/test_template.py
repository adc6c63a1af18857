"""The sample template is one that the manager takes, and its image holds what it runs."""

import io
import sys
import tarfile

import pytest
import yaml

from workspace_manager.core.refusal import BadInput
from workspace_manager.knowledge_stacks import compose, compose_features
from workspace_sandbox.sample_stack import image
from workspace_sandbox.sample_stack.inside.values import read_values
from workspace_sandbox.sample_stack.template import NEEDS, template

KNOWN = compose_features.provided_variables(NEEDS) | {"GREETING"}
GREETING = '"; privileged: true\n# ${SQL_PASSWORD}'
VALUES = {name: f"value of {name}" for name in KNOWN} | {"SQL_PORT": "3306", "GREETING": GREETING}


def render_service(*, on_loopback: bool) -> dict[str, object]:
    text = template(on_loopback=on_loopback)["compose"]
    limits = compose.Limits(variables=KNOWN, privileged=on_loopback)
    document = compose.check_compose(text, web_service="web", limits=limits)
    published = compose.PublishedService("web", image.PORT, 20001, "127.0.0.1")
    made = compose.render_compose(document, VALUES, mark="some-id", published=published)
    service: dict[str, object] = yaml.safe_load(made)["services"]["web"]
    return service


def test_the_template_is_taken_with_every_variable_it_needs() -> None:
    service = render_service(on_loopback=False)
    assert service["ports"] == ["127.0.0.1:20001:8080"]
    assert "network_mode" not in service
    environment = service["environment"]
    assert isinstance(environment, dict)
    values = read_values({name: str(text).replace("$$", "$") for name, text in environment.items()})
    assert values.greeting == GREETING
    assert values.sql
    assert values.sql.password == "${SQL_PASSWORD}"
    assert values.sign_in
    assert values.triples
    assert values.drive


def test_on_loopback_it_shares_the_network_where_that_is_allowed() -> None:
    service = render_service(on_loopback=True)
    assert (service["network_mode"], service.get("ports")) == ("host", None)
    text, limits = template(on_loopback=True)["compose"], compose.Limits(variables=KNOWN)
    with pytest.raises(BadInput):
        compose.check_compose(text, web_service="web", limits=limits)


@pytest.mark.thorough
def test_the_image_holds_what_it_runs_and_nothing_of_ours() -> None:
    file = io.BytesIO()
    image.write_tree(file)
    file.seek(0)
    with tarfile.open(fileobj=file) as tree:
        names = set(tree.getnames())
    ours = {name for name in names if name.startswith("app/workspace")}
    assert "app/workspace_sandbox/sample_stack/inside/__main__.py" in ours
    assert not {name for name in ours if "inside" not in name and not name.endswith("__init__.py")}
    assert "app/pymysql/connections.py" in names
    assert {"app/psycopg/connection.py", "app/typing_extensions.py"} <= names
    assert any(name.startswith("app/psycopg_binary/_psycopg.") for name in names)
    assert f"{sys.base_prefix}/bin/python3.{sys.version_info.minor}".lstrip("/") in names
    assert not {name for name in names if "site-packages" in name}
