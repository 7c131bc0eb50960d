"""The role and the invitation of a result clerk may have a range of boards."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0046_rulings'),
    ]

    operations = [
        migrations.AddField(
            model_name='eventrole',
            name='first_board',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='eventrole',
            name='last_board',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='invitation',
            name='first_board',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='invitation',
            name='last_board',
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='eventrole',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('first_board', None), ('last_board', None)), models.Q(('first_board__isnull', False), ('last_board__isnull', False), ('first_board__gte', 1), ('last_board__gte', models.F('first_board')), ('role', 'clerk')), _connector='OR'), name='boards_of_a_clerk'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('first_board', None), ('last_board', None)), models.Q(('first_board__isnull', False), ('last_board__isnull', False), ('first_board__gte', 1), ('last_board__gte', models.F('first_board')), ('role', 'clerk')), _connector='OR'), name='boards_of_an_invited_clerk'),
        ),
    ]
