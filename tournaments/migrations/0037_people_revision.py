"""A section knows its last action that changed players, who may be in other sections of the event too."""

from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0036_notices")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="section",
            name="people_revision",
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.RunPython(install, drop),
    ]
