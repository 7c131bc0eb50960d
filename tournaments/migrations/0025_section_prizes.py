"""The prizes of a section are one column: a plan that only `PrizePlan` reads."""

from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0024_unrated_left_out")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="section",
            name="prizes",
            field=models.JSONField(
                blank=True, default=dict, help_text="As `PrizePlan.stored` writes them."
            ),
        ),
        migrations.RunPython(install, drop),
    ]
