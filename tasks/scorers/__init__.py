"""Scorers: one unit in, one unit score out. One file per scorer, one registry line."""
