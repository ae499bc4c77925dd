"""Datasets: a record of a source becomes an `Item`. One file per dataset, one registry line."""
