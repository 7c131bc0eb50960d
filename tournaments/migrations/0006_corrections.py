from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0005_hall")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="game", name="earlier", field=models.JSONField(blank=True, default=list)
        ),
        migrations.AddField(
            model_name="round", name="changed_at", field=models.DateTimeField(blank=True, null=True)
        ),
        migrations.RunPython(install, drop),
    ]
