from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0007_given_times")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="participant",
            name="equal_order",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.RunPython(install, drop),
    ]
