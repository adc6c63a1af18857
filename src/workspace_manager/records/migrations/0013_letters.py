import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0012_pause")]

    operations = [
        migrations.AddField(
            model_name="mail",
            name="registration",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="letters",
                to="records.registration",
            ),
        ),
        migrations.RemoveIndex(model_name="mail", name="mail_to"),
        migrations.AddIndex(
            model_name="mail", index=models.Index(fields=["created_at"], name="mail_written")
        ),
    ]
