"""Digests and seals for the audit. Entries from before get their digest now, as they are: what was
done to them earlier nobody can tell.
"""

import django.utils.timezone
from django.db import migrations, models

from workspace_manager.records.audit_marks import Content, digest_of, mark_of, new_salt

BATCH = 1000


def commit_to_what_is_there(apps, schema_editor):
    """Some at a time, in the order of their ids."""
    entries = apps.get_model("records", "AuditEntry").objects.order_by("id")
    columns = ("id", "at", "actor", "event", "subject", "details")
    after = 0
    while rows := list(entries.filter(id__gt=after).values_list(*columns)[:BATCH]):
        after = rows[-1][0]
        made = []
        for number, *said in rows:
            salt = new_salt()
            digest = digest_of(salt, Content(*said))
            made.append((salt, digest, mark_of(digest), number))
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE records_auditentry SET salt = %s, digest = %s, mark = %s WHERE id = %s",
                made,
            )


class Migration(migrations.Migration):

    dependencies = [
        ('records', '0006_reconcile'),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditSeal',
            fields=[
                ('number', models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('first', models.PositiveBigIntegerField()),
                ('last', models.PositiveBigIntegerField()),
                ('count', models.PositiveIntegerField()),
                ('entries', models.TextField()),
                ('digest', models.CharField(max_length=64)),
                ('key', models.CharField(max_length=16)),
                ('signature', models.CharField(max_length=64)),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.AddField(
            model_name='auditentry',
            name='salt',
            field=models.CharField(blank=True, default='', editable=False, max_length=32),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='auditentry',
            name='digest',
            field=models.CharField(blank=True, default='', editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='auditentry',
            name='mark',
            field=models.CharField(blank=True, default='', editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='auditentry',
            name='seal',
            field=models.PositiveBigIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='tombstone',
            name='erased',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='tombstone',
            name='pseudonym',
            field=models.CharField(blank=True, default='', max_length=40),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name='auditentry',
            name='event',
            field=models.CharField(max_length=60),
        ),
        migrations.RunPython(commit_to_what_is_there, migrations.RunPython.noop, elidable=False),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['seal', 'id'], name='audit_sealed'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['actor', 'at'], name='audit_actor'),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['event', 'at'], name='audit_event'),
        ),
        migrations.AddIndex(
            model_name='mail',
            index=models.Index(fields=['to', 'created_at'], name='mail_to'),
        ),
    ]
