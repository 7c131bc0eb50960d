"""An entry has the virtual points of an imported file, where they are not those of Baku Acceleration."""

from django.db import migrations, models
from django.db.models import Q

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0044_webhooks")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="participant",
            name="virtual_points",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AlterField(
            model_name="section",
            name="acceleration",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "none"),
                    ("baku", "Baku Acceleration"),
                    ("listed", "virtual points of the imported file"),
                ],
                default="",
                max_length=10,
                verbose_name="acceleration",
            ),
        ),
        migrations.RemoveConstraint(model_name="section", name="known_acceleration"),
        migrations.AddConstraint(
            model_name="section",
            constraint=models.CheckConstraint(
                condition=Q(acceleration__in=["", "baku", "listed"]), name="known_acceleration"
            ),
        ),
        migrations.RunPython(install, drop),
    ]
