"""`registrations withdraw`: names the plan, and says why not."""

import pytest
from click.testing import CliRunner

from workspace_manager.cli.registrations import registrations
from workspace_manager.records.models import Plan, Registration

pytestmark = pytest.mark.django_db


def test_it_names_the_plan() -> None:
    row = Registration.objects.create(
        username="carla", email="carla@example.org", status="approved", sub="sub-of-carla"
    )
    done = CliRunner().invoke(registrations, ["withdraw", str(row.id)])
    plan = Plan.objects.get(kind="removal", person="carla")
    assert done.exit_code == 0, done.output
    assert str(plan.id) in done.output.replace("\n", "")
    row.refresh_from_db()
    assert row.status == "withdrawn"
    again = CliRunner().invoke(registrations, ["withdraw", str(row.id)])
    assert again.exit_code != 0
