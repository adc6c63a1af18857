from django.db import migrations


class Migration(migrations.Migration):
    """The table keeps its name, and nothing in the database is altered but the content type."""

    dependencies = [
        ('records', '0022_looks_of_differences'),
    ]

    operations = [
        migrations.AlterModelTable(name='stranger', table='records_stranger'),
        migrations.RenameModel(old_name='Stranger', new_name='UnapprovedSignIn'),
    ]
