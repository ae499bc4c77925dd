"""Perturbation operators: text to text, seeded, pure. One file per operator, one registry line."""
