"""How each phase of docs/warnings.md is reached, and how each of its actions is done. The modules register both."""

from . import of_entries, of_rounds, phases

__all__ = ["of_entries", "of_rounds", "phases"]
