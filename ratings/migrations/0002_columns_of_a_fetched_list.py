from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='knownorigin',
            name='reading',
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
