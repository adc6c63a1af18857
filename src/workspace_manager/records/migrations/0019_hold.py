from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('records', '0018_dropped_tasks'),
    ]

    operations = [
        migrations.CreateModel(
            name='LastMinute',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('at', models.DateTimeField()),
                ('believed', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Hold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('clock', 'Clock'), ('restore', 'Restore')], max_length=20)),
                ('since', models.DateTimeField()),
                ('said', models.DateTimeField()),
                ('goes_by', models.DateTimeField(blank=True, null=True)),
                ('begun_by', models.CharField(max_length=255)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('confirmed_by', models.CharField(blank=True, max_length=255)),
            ],
            options={
                'indexes': [models.Index(fields=['ended_at'], name='hold_standing')],
            },
        ),
    ]
