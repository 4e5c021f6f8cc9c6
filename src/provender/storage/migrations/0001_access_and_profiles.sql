-- Applications, their keys, and the profiles they own.
--
-- Words in braces are each engine's own: {text} compares by bytes on both databases, {table} closes a table whose rows
-- are kept in the order of its primary key where the database can do that. Times are milliseconds since 1970.

CREATE TABLE applications (
    id {text} NOT NULL PRIMARY KEY,
    name {text} NOT NULL UNIQUE,
    created_at {integer} NOT NULL
) {table};

-- A key is looked up by its hash; the key itself is kept nowhere.
CREATE TABLE api_keys (
    hash {bytes} NOT NULL PRIMARY KEY,
    prefix {text} NOT NULL,
    application_id {text} NOT NULL REFERENCES applications (id),
    scope {text} NOT NULL,
    created_at {integer} NOT NULL,
    last_used_on {text},
    revoked_at {integer}
) {table};

CREATE INDEX api_keys_by_prefix ON api_keys (prefix);
CREATE INDEX api_keys_by_application ON api_keys (application_id, created_at);

-- The primary key is the order of the profile list. A profile that is created again under an old reference_id has a
-- new id, so rows that still belong to the old one can never be taken for its own.
CREATE TABLE profiles (
    application_id {text} NOT NULL REFERENCES applications (id),
    id {text} NOT NULL,
    reference_id {text} NOT NULL,
    timezone {text},
    created_at {integer} NOT NULL,
    updated_at {integer} NOT NULL,
    last_logged_at {integer},
    PRIMARY KEY (application_id, id),
    UNIQUE (application_id, reference_id)
) {table};

-- Profiles that are gone, but whose rows in other tables are still to be cleared away.
CREATE TABLE deleted_profiles (
    profile_id {text} NOT NULL PRIMARY KEY,
    application_id {text} NOT NULL,
    deleted_at {integer} NOT NULL
) {table};
