"""Each value of the standings as a table: its rounds, what each counts, and sentences for what is not plain."""

from __future__ import annotations

from .table import SumRow, SumsWords, SumTable

__all__ = ["SumRow", "SumTable", "SumsWords"]
