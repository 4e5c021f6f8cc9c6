"""The service one would write instead, in a day: FastAPI, SQLAlchemy, SQLite with FTS5 and bm25."""
