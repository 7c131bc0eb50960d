from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0003_variants")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="tournament",
            name="schedule",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="When each round begins: 2026-10-17T14:00, 2026-10-17 or nothing.",
            ),
        ),
        migrations.RemoveField(model_name="round", name="starts_at"),
        migrations.RunPython(install, drop),
    ]
