from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0002_columns_of_a_fetched_list'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratinglist',
            name='index',
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
