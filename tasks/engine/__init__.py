"""The generation engine: pace, retries, journal."""
