#!/usr/bin/env python
"""Run Django's command line with the settings of config/settings.py."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.management import execute_from_command_line
    from django.db import Error

    from server.console import write_every_letter

    write_every_letter()
    try:
        if sys.argv[1:2] == ["migrate"]:
            django.setup()
            from server.database import refuse_unusable

            refuse_unusable()
        execute_from_command_line(sys.argv)
    except Error as error:
        from server.database import stop_with

        stop_with(error)
        raise


if __name__ == "__main__":
    main()
