from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0011_notices")]

    operations = [
        migrations.AddField(
            model_name="systemstatus",
            name="refused",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
    ]
