"""Stages: one stage, one file, one Parquet table. Imports schemas and warehouse."""
