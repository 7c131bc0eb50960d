"""Rounds of a section: pair, check, publish, change by hand. `python -m pairing` is the command of the engine."""
