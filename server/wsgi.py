"""The entry point of WSGI servers."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from server.catalogues import compile_catalogues

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
compile_catalogues()
