"""Rating lists of FIDE, of national federations and of anybody else: imported, kept and searched.

This package knows nothing of tournaments. It is given files and says who is in them
(docs/decisions/0073-rating-lists.md).
"""
