"""A section says who may read why its rounds were paired in this way."""

from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0029_other_rounds")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="section",
            name="explained_to",
            field=models.CharField(
                choices=[("nobody", "nobody"), ("players", "players"), ("everybody", "everybody")],
                default="players",
                max_length=10,
                verbose_name="explanations of the pairings",
            ),
        ),
        migrations.AddConstraint(
            model_name="section",
            constraint=models.CheckConstraint(
                condition=models.Q(("explained_to__in", ["nobody", "players", "everybody"])), name="known_readers"
            ),
        ),
        migrations.RunPython(install, drop),
    ]
