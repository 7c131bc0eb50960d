"""The words of the Dubov System of 1997."""
