"""How static files are collected: hashed, compressed, and modules whose imports name the hashed files."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """A script module and what it imports change together: without this a browser could mix two versions."""

    support_js_module_import_aggregation = True
