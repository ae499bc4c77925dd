"""What things are: configuration, columns, tables, records, errors. No behaviour, imports nothing of ours."""
