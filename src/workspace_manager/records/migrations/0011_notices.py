"""That a token ends is told like everything that waits: who was reminded stands there."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("records", "0010_former_letters")]

    operations = [migrations.RemoveField(model_name="apitoken", name="reminded_at")]
