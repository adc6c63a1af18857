from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('records', '0007_audit_seals'),
    ]

    operations = [
        migrations.AddField(
            model_name='person',
            name='end_done_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='person',
            name='end_reminded_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='person',
            name='end_set_by',
            field=models.CharField(blank=True, max_length=255),
        ),
        migrations.AddField(
            model_name='person',
            name='ends_at',
            field=models.DateField(blank=True, db_index=True, null=True),
        ),
    ]
