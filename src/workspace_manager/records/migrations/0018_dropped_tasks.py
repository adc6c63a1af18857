"""How many entries of the queue did not verify."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("records", "0017_webhook_addresses"),
    ]

    operations = [
        migrations.CreateModel(
            name="DroppedTasks",
            fields=[
                ("queue", models.CharField(max_length=60, primary_key=True, serialize=False)),
                ("times", models.PositiveIntegerField(default=1)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
    ]
