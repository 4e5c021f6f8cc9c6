"""All SQL for profile data and keys: one Store on two engines, SQLite and PostgreSQL."""
