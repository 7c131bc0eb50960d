"""An entry has the points that the arbiter decided (record 299)."""

from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0045_virtual_points")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="participant",
            name="rulings",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.RunPython(install, drop),
    ]
