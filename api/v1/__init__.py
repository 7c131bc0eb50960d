"""Version 1 of the API for programs: the same actions and queries as the pages, with tokens. See docs/api.md."""
