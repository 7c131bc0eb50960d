"""A round keeps whether the rules gave a pairing, so that everybody can be told who decided its pairs."""

from django.db import migrations, models

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0025_section_prizes")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField(
            model_name="round",
            name="rules_gave_none",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(install, drop),
    ]
