"""A section has its sequence of rating lists; none for those of FIDE."""

from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0038_rating_methods")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="section",
            name="rating_lists",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.RunPython(install, drop),
    ]
