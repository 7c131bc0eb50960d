"""A section has its own time control, a text of the organiser for the page of the rules, and may show its prizes there."""

import django.core.validators
from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0040_use_of_rating_lists")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="section",
            name="time_control",
            field=models.CharField(blank=True, max_length=120, verbose_name="time control"),
        ),
        migrations.AddField(
            model_name="section",
            name="rules_text",
            field=models.TextField(
                blank=True,
                validators=[django.core.validators.MaxLengthValidator(3000)],
                verbose_name="more rules for the players",
            ),
        ),
        migrations.AddField(
            model_name="section",
            name="prizes_public",
            field=models.BooleanField(default=False, verbose_name="the rules show the prizes"),
        ),
        migrations.RunPython(install, drop),
    ]
