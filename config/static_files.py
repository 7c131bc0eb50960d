"""Collect static files: hashed, compressed, and with imports in scripts that name the hashed files."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Script modules import hashed names; otherwise a browser could mix modules of two versions."""

    support_js_module_import_aggregation = True
