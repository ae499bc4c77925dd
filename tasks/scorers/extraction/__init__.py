"""Leaf rules of answer extraction: each file reads one kind of thing out of hostile text."""
