"""Rating tie-breaks may leave out players without an official rating."""

from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0023_typed_tie_values")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="section",
            name="unrated_left_out",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(install, drop),
    ]
