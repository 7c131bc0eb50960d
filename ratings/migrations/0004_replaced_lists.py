
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0003_version_of_the_index'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='ratinglist',
            name='known_rating_list_state',
        ),
        migrations.AlterField(
            model_name='ratinglist',
            name='state',
            field=models.CharField(choices=[('waiting', 'waiting'), ('loading', 'is being imported'), ('asking', 'needs an answer'), ('ready', 'ready'), ('replaced', 'replaced'), ('refused', 'not imported')], default='waiting', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='ratinglist',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'loading', 'asking', 'ready', 'replaced', 'refused'])), name='known_rating_list_state'),
        ),
    ]
