"""A program that runs a tournament through the API of an Evenboard server. Needs only the standard library.

It is an example of docs/api.md and imports nothing of the server: copy this folder to any computer with Python 3.11.
"""
