from django.db import migrations, models

import workspace_manager.records.fields


class Migration(migrations.Migration):
    """What a reading of a snapshot showed, and when that was."""

    dependencies = [
        ('records', '0025_provider_state_and_rate_counter'),
    ]

    operations = [
        migrations.AddField(
            model_name='snapshot',
            name='read_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='snapshot',
            name='damage',
            field=workspace_manager.records.fields.MessageField(blank=True, null=True),
        ),
    ]
