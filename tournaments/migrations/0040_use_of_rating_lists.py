"""A section says whether new lists are compared, and which rating an unrated player gets."""

import django.core.validators
from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0039_rating_lists_of_section")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="section",
            name="lists_compared",
            field=models.BooleanField(default=True, verbose_name="entries are compared with new lists"),
        ),
        migrations.AddField(
            model_name="section",
            name="minimum_rating",
            field=models.PositiveSmallIntegerField(
                default=0,
                validators=[django.core.validators.MaxValueValidator(3999)],
                verbose_name="minimum rating",
            ),
        ),
        migrations.RunPython(install, drop),
    ]
