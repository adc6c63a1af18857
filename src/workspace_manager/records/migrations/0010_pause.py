from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("records", "0009_take_over")]

    operations = [
        migrations.AddField(
            model_name="systemstatus",
            name="refused",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
    ]
