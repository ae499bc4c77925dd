"""Orchestration: Prefect flows and the command line. Imports schemas, warehouse and tasks; nothing imports it."""
