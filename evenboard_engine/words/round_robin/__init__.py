"""The words of the round robin."""
