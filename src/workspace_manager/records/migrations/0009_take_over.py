from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0003_health")]

    operations = [
        migrations.AddField(
            model_name="account",
            name="adopted",
            field=models.BooleanField(default=False),
        ),
    ]
