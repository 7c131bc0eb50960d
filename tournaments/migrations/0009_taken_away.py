from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0008_equal_order")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="tournament", name="taken_away", field=models.BooleanField(default=False)
        ),
        migrations.RunPython(install, drop),
    ]
