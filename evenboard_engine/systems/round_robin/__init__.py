"""The round robin: everybody meets everybody, in the order of the Berger tables (FIDE Handbook C.05, Annex 1)."""
