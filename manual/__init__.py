"""The manual: chapters in Markdown, made into pages at the first request. It knows nothing of the rest of the program.

docs/decisions/0081-the-manual.md
"""
