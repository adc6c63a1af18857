import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0008_end_dates")]

    operations = [
        migrations.CreateModel(
            name="TakeOver",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("run", models.UUIDField()),
                ("key", models.CharField(max_length=64, unique=True)),
                ("items", models.JSONField(default=list)),
                ("refused", models.JSONField(default=list)),
                ("done", models.PositiveIntegerField(default=0)),
                ("confirmed_by", models.CharField(max_length=255)),
                (
                    "confirmed_at",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("undone_by", models.CharField(blank=True, max_length=255)),
            ],
            options={"ordering": ["-confirmed_at"]},
        ),
        migrations.AddField(
            model_name="account",
            name="adopted",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="account",
            name="taken_over",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="accounts",
                to="records.takeover",
            ),
        ),
    ]
