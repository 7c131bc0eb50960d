"""FIDE's regulations for what follows a tournament: changes of ratings (B.02) and title norms (B.01)."""
