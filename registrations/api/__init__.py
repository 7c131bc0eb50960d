"""Registrations for programs: the same actions and queries as the organiser's pages, with tokens. See docs/api.md."""
