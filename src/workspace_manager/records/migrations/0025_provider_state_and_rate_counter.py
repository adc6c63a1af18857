from django.db import migrations


class Migration(migrations.Migration):
    """The tables keep their names, and nothing in the database is altered but content types."""

    dependencies = [
        ('records', '0024_snapshots'),
    ]

    operations = [
        migrations.AlterModelTable(name='standing', table='records_standing'),
        migrations.RenameModel(old_name='Standing', new_name='ProviderState'),
        migrations.AlterModelTable(name='tries', table='records_tries'),
        migrations.RenameModel(old_name='Tries', new_name='RateCounter'),
    ]
