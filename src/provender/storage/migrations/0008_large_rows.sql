-- Rows of some kilobytes, apart from their keys.

-- SQLite finds a row of a table WITHOUT ROWID by comparing rows, and reads each that it compares as a whole, whatever
-- pages that takes. A food as it was logged took 23 microseconds to find so, and takes 3 in a table whose keys are an
-- index of their own. PostgreSQL has its keys in such an index already.

-- Only on sqlite:

CREATE TABLE custom_foods_apart (
    application_id {text} NOT NULL,
    profile_id {text} NOT NULL,
    id {text} NOT NULL,
    food_name {text} NOT NULL,
    brand_name {text},
    food_type {text} NOT NULL,
    serving_description {text} NOT NULL,
    metric_serving_amount {integer} NOT NULL,
    metric_serving_unit {text} NOT NULL,
    barcode {text},
    macro_nutrients {bytes} NOT NULL,
    water_in_gm {number},
    vitamins {bytes} NOT NULL,
    minerals {bytes} NOT NULL,
    carbohydrates {bytes} NOT NULL,
    lipids {bytes} NOT NULL,
    proteins {bytes} NOT NULL,
    created_at {integer} NOT NULL,
    updated_at {integer} NOT NULL,
    PRIMARY KEY (profile_id, id)
) STRICT;
INSERT INTO custom_foods_apart SELECT * FROM custom_foods;
DROP TABLE custom_foods;
ALTER TABLE custom_foods_apart RENAME TO custom_foods;
CREATE UNIQUE INDEX custom_foods_by_id ON custom_foods (application_id, id);
CREATE INDEX custom_foods_by_barcode ON custom_foods (profile_id, barcode, id) WHERE barcode IS NOT NULL;

CREATE TABLE logged_foods_apart (
    application_id {text} NOT NULL,
    profile_id {text} NOT NULL,
    id {text} NOT NULL,
    food_id {text} NOT NULL,
    food_name {text} NOT NULL,
    brand_name {text},
    food_type {text} NOT NULL,
    serving_description {text} NOT NULL,
    metric_serving_amount {number} NOT NULL,
    metric_serving_unit {text} NOT NULL,
    is_rounded {integer} NOT NULL,
    macro_nutrients {bytes} NOT NULL,
    water_in_gm {number},
    vitamins {bytes} NOT NULL,
    minerals {bytes} NOT NULL,
    carbohydrates {bytes} NOT NULL,
    lipids {bytes} NOT NULL,
    proteins {bytes} NOT NULL,
    PRIMARY KEY (profile_id, id, food_id)
) STRICT;
INSERT INTO logged_foods_apart SELECT * FROM logged_foods;
DROP TABLE logged_foods;
ALTER TABLE logged_foods_apart RENAME TO logged_foods;

CREATE TABLE diary_days_apart (
    application_id {text} NOT NULL,
    profile_id {text} NOT NULL,
    date {integer} NOT NULL,
    entries {integer} NOT NULL,
    sums {bytes} NOT NULL,
    known {bytes} NOT NULL,
    others {bytes},
    shown {bytes},
    PRIMARY KEY (profile_id, date)
) STRICT;
INSERT INTO diary_days_apart SELECT * FROM diary_days;
DROP TABLE diary_days;
ALTER TABLE diary_days_apart RENAME TO diary_days;

CREATE TABLE saved_meals_apart (
    application_id {text} NOT NULL,
    profile_id {text} NOT NULL,
    id {text} NOT NULL,
    name {text} NOT NULL,
    meal {text} NOT NULL,
    items {bytes} NOT NULL,
    created_at {integer} NOT NULL,
    updated_at {integer} NOT NULL,
    PRIMARY KEY (profile_id, id)
) STRICT;
INSERT INTO saved_meals_apart SELECT * FROM saved_meals;
DROP TABLE saved_meals;
ALTER TABLE saved_meals_apart RENAME TO saved_meals;
CREATE INDEX saved_meals_by_id ON saved_meals (application_id, id);
