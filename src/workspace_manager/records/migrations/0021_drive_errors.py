"""Why a person is not connected with the drive is kept for each way."""

import workspace_manager.records.fields
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("records", "0020_plan_notes")]

    operations = [
        migrations.AddField(
            model_name="driveconnection",
            name="browser_error",
            field=workspace_manager.records.fields.MessageField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="driveconnection",
            name="stored_error",
            field=workspace_manager.records.fields.MessageField(blank=True, null=True),
        ),
    ]
