"""What other pairing systems ask of players: teams, flags, and unrated players, whose rating is 0.

The action that enters a player asks the pairing system whether everybody needs a rating.
"""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0020_device_links")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.RemoveConstraint(model_name="participant", name="participant_has_a_rating"),
        migrations.AddField(
            model_name="participant",
            name="pairing_flags",
            field=models.CharField(blank=True, max_length=20, verbose_name="for the pairing"),
        ),
        migrations.AddField(
            model_name="participant",
            name="team",
            field=models.CharField(blank=True, max_length=32, verbose_name="team"),
        ),
        migrations.AlterField(
            model_name="participant",
            name="rating",
            field=models.PositiveSmallIntegerField(
                validators=[MinValueValidator(0), MaxValueValidator(3999)], verbose_name="rating"
            ),
        ),
        migrations.RunPython(install, drop),
    ]
