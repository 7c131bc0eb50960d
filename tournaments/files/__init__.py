"""Files that people give to the program and take from it: entry lists, report files, copies, tables."""

from __future__ import annotations
