"""Values of tie-breaks that were computed elsewhere, such as a play-off."""

from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0022_most_rounds")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="participant",
            name="tie_values",
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.RunPython(install, drop),
    ]
