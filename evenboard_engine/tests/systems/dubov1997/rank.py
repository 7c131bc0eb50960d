"""The rank of a matrix in a finite field."""

from __future__ import annotations

PRIME = 2**61 - 1


def rank(matrix: list[list[int]]) -> int:
    """The rank of a square matrix of numbers modulo PRIME."""
    found = 0
    while matrix and matrix[0]:
        pivot = next((row for row in matrix if row[-1]), None)
        if pivot is not None:
            found += 1
            matrix.remove(pivot)
            inverse = pow(pivot[-1], -1, PRIME)
            for at, row in enumerate(matrix):
                if row[-1]:
                    times = row[-1] * inverse % PRIME
                    matrix[at] = [(a - times * b) % PRIME for a, b in zip(row, pivot, strict=True)]
        matrix = [row[:-1] for row in matrix]
    return found
