"""Addresses of webhooks become secrets: what follows the host may be a password to the other end."""

from urllib.parse import urlsplit

from django.db import migrations, models

import workspace_manager.records.fields
from workspace_manager.contract.secret import Secret


def keep_as_secrets(apps, schema_editor):
    for endpoint in apps.get_model("records", "WebhookEndpoint").objects.all():
        parts = urlsplit(endpoint.url)
        endpoint.origin = f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"
        endpoint.address = Secret(endpoint.url, name="address")
        # A column that is dropped stays on the database's pages until they are written anew.
        endpoint.url = ""
        endpoint.save(update_fields=["origin", "address", "url"])


def write_in_clear(apps, schema_editor):
    for endpoint in apps.get_model("records", "WebhookEndpoint").objects.exclude(address=None):
        endpoint.url = endpoint.address.reveal()
        endpoint.save(update_fields=["url"])


class Migration(migrations.Migration):

    dependencies = [
        ('records', '0016_what_a_token_may'),
    ]

    operations = [
        migrations.AddField(
            model_name='webhookendpoint',
            name='address',
            field=workspace_manager.records.fields.SecretField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name='webhookendpoint',
            name='origin',
            field=models.CharField(default='', max_length=500),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name='webhookendpoint',
            name='url',
            field=models.CharField(default='', max_length=500),
        ),
        migrations.RunPython(keep_as_secrets, write_in_clear),
        migrations.RemoveField(
            model_name='webhookendpoint',
            name='url',
        ),
    ]
