"""Serve with waitress: who is served first, which connections stay, and how answers end (decision 41)."""
