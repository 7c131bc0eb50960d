"""The options of a pairing system are one column of text by name, so a new system needs no column of its own.

Rows of the log keep each option by its first name (tournaments/models/journal.py, OLD_NAMES).
"""

from django.db import migrations, models

from ._triggers import drop, install

DEFAULTS = {"edition": "2025", "upfloats": "played"}


def gather(apps, _schema_editor):
    sections = apps.get_model("tournaments", "Section").objects
    for section in sections.only(*DEFAULTS).iterator():
        options = {name: getattr(section, name) for name in DEFAULTS}
        sections.filter(pk=section.pk).update(options=options)


def spread(apps, _schema_editor):
    sections = apps.get_model("tournaments", "Section").objects
    for section in sections.only("options").iterator():
        found = {name: section.options.get(name, default) for name, default in DEFAULTS.items()}
        sections.filter(pk=section.pk).update(**found)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0018_section")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            "section", "options", models.JSONField("options of the pairing system", blank=True, default=dict)
        ),
        migrations.RunPython(gather, spread),
        migrations.RemoveConstraint("section", "known_edition"),
        migrations.RemoveField("section", "edition"),
        migrations.RemoveField("section", "upfloats"),
        migrations.AlterField(
            "section", "system", models.CharField("pairing system", max_length=20, default="dubov")
        ),
        migrations.RunPython(install, drop),
    ]
