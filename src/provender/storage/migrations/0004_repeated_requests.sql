-- Answers that are kept for a day, for callers that send a request again under the same Idempotency-Key.

-- A request may write to several profiles and then has a row for each, so that it goes with any of them. Row 0 is where
-- two requests with one key meet: of two that are being answered at once, the second has to wait until it can insert
-- it. It alone has the number of rows, the body's hash and the answer. The scope is a hash too: no key is kept.
CREATE TABLE answered_requests (
    application_id {text} NOT NULL,
    scope {bytes} NOT NULL,
    place {integer} NOT NULL,
    profile_id {text} NOT NULL,
    answered_at {integer} NOT NULL,
    owners {integer},
    fingerprint {bytes},
    status {integer},
    body {bytes},
    PRIMARY KEY (application_id, scope, place)
) {table};

CREATE INDEX answered_requests_by_profile ON answered_requests (profile_id);
CREATE INDEX answered_requests_by_time ON answered_requests (answered_at);
