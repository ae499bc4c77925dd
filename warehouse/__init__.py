"""Storage and SQL: the Parquet store, the DuckDB build and every score's definition. Imports schemas."""
