from django.db import migrations

import workspace_manager.records.fields


class Migration(migrations.Migration):
    """What the owner of a snapshot has to know of it."""

    dependencies = [
        ('records', '0026_snapshot_damage'),
    ]

    operations = [
        migrations.AddField(
            model_name='snapshot',
            name='notes',
            field=workspace_manager.records.fields.MessageField(blank=True, null=True),
        ),
    ]
