"""Evidence bought elsewhere -> the same tables, so that it is scored here like any other: one file per source."""
