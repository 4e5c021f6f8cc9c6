-- Rows of hours are kept for a shorter time than rows of days, so each kind is cleared away by itself.

DROP INDEX usage_by_hour;
CREATE INDEX usage_by_hour ON usage (hours, first_hour);
