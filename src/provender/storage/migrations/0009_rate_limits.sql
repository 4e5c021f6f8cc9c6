-- How many requests a minute a key may send. NULL is what the setting says, 0 any number.

ALTER TABLE api_keys ADD COLUMN rate_limit {integer};
