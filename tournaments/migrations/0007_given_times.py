import django.utils.timezone
from django.db import migrations, models

from ._triggers import drop, install

TIMES = [
    ("actionlog", "at"),
    ("bye", "created_at"),
    ("checkin", "at"),
    ("event", "created_at"),
    ("participant", "created_at"),
    ("round", "paired_at"),
    ("tournament", "created_at"),
]


class Migration(migrations.Migration):
    """A row that comes back, by an undo or from a copy, keeps the time of its making."""

    dependencies = [("tournaments", "0006_corrections")]

    operations = [
        migrations.RunPython(drop, install),
        *[
            migrations.AlterField(
                model_name=model,
                name=name,
                field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
            )
            for model, name in TIMES
        ],
        migrations.RunPython(install, drop),
    ]
