from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0002_triggers")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="participant",
            name="acceleration_group",
            field=models.CharField(
                blank=True,
                choices=[("", "none yet"), ("A", "GA, accelerated"), ("B", "GB")],
                default="",
                max_length=1,
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="acceleration",
            field=models.CharField(
                blank=True,
                choices=[("", "none"), ("baku", "Baku Acceleration")],
                default="",
                max_length=10,
                verbose_name="acceleration",
            ),
        ),
        migrations.AlterField(
            model_name="tournament",
            name="edition",
            field=models.CharField(
                choices=[
                    ("2018", "2018, in force until 31 January 2026"),
                    ("2025", "1 July 2025"),
                    ("2026", "1 February 2026"),
                ],
                default="2025",
                max_length=10,
                verbose_name="edition of the rules",
            ),
        ),
        migrations.AddConstraint(
            model_name="participant",
            constraint=models.CheckConstraint(
                condition=models.Q(("acceleration_group__in", ["", "A", "B"])),
                name="known_acceleration_group",
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("edition__in", ["2018", "2025", "2026"])), name="known_edition"
            ),
        ),
        migrations.AddConstraint(
            model_name="tournament",
            constraint=models.CheckConstraint(
                condition=models.Q(("acceleration__in", ["", "baku"])), name="known_acceleration"
            ),
        ),
        migrations.RunPython(install, drop),
    ]
