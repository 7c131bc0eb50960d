"""Settings of the server that bench/public_pages.py compares with: the same, without any middleware."""

from config.settings import *  # noqa: F403

MIDDLEWARE = []
ROOT_URLCONF = "bench.bare_view"
