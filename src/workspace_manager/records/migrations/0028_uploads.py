from django.db import migrations, models


class Migration(migrations.Migration):
    """A file that somebody uploads is a snapshot, too."""

    dependencies = [
        ('records', '0027_snapshot_notes'),
    ]

    operations = [
        migrations.AddField(
            model_name='snapshot',
            name='loaded_into',
            field=models.UUIDField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='snapshot',
            name='source_type',
            field=models.CharField(choices=[('component', 'Component'), ('stack', 'Stack'), ('upload', 'Upload')], default='component', max_length=20),
        ),
    ]
