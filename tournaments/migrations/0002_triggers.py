from django.db import migrations

from ._triggers import drop, install


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0001_initial")]

    operations = [migrations.RunPython(install, drop)]
