from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0015_rights'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='forbiddenpair',
            options={'ordering': ['tournament_id', 'first_id', 'second_id']},
        ),
    ]
