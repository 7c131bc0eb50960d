"""Pairing: the engine, its words, the rounds of a section, and the command line."""

VERSION = "0.1.0"
