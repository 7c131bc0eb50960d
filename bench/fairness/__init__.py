"""Play random opens by several pairing systems, and compare how fair the outcome is."""
