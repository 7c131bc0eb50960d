"""The words of US Chess pairing."""
