"""Work in the background leaves the processor to the arbiters."""

from __future__ import annotations

import os

LOWEST = 19


def be_gentle() -> None:
    """Give this process the lowest priority. On Windows, the program that starts it has done so."""
    if hasattr(os, "nice"):
        os.nice(LOWEST)
