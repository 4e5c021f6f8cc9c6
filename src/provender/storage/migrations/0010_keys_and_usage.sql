-- Keys as their application lists them, and how much each application has asked for.

-- What callers know a key by is its prefix.
DROP INDEX api_keys_by_application;
CREATE INDEX api_keys_by_application ON api_keys (application_id, created_at, prefix);
CREATE UNIQUE INDEX api_keys_by_id ON api_keys (application_id, prefix);

-- A row counts the requests to one route in so many hours, 1 or 24, from one on that is counted from 1970. What was asked
-- is in a row of its hour and in one of its day, so that a year is read from days. The route is a text, since routes
-- come and go. Each request is in the column of its duration; errors are among them, and counted once more by themselves.
CREATE TABLE usage (
    application_id {text} NOT NULL,
    hours {integer} NOT NULL,
    first_hour {integer} NOT NULL,
    route {text} NOT NULL,
    client_errors {integer} NOT NULL,
    server_errors {integer} NOT NULL,
    up_to_250_us {integer} NOT NULL,
    up_to_500_us {integer} NOT NULL,
    up_to_1000_us {integer} NOT NULL,
    up_to_2500_us {integer} NOT NULL,
    up_to_5000_us {integer} NOT NULL,
    up_to_10000_us {integer} NOT NULL,
    up_to_25000_us {integer} NOT NULL,
    up_to_50000_us {integer} NOT NULL,
    up_to_100000_us {integer} NOT NULL,
    up_to_250000_us {integer} NOT NULL,
    up_to_500000_us {integer} NOT NULL,
    up_to_1000000_us {integer} NOT NULL,
    up_to_2500000_us {integer} NOT NULL,
    up_to_5000000_us {integer} NOT NULL,
    up_to_10000000_us {integer} NOT NULL,
    longer {integer} NOT NULL,
    PRIMARY KEY (application_id, hours, first_hour, route)
) {table};

CREATE INDEX usage_by_hour ON usage (first_hour);
