-- The food diary, what its days add up to, and the foods that are eaten recently and most.

-- A food as it was logged: its fields, its values for one serving, and whether they are shown rounded. The id is a hash
-- of all of it, so a row never changes, and all logs of the food with the same content share one. It goes with the last
-- of them.
CREATE TABLE logged_foods (
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
) {table};

-- The primary key is the order of a profile's diary. A date is a number of days since 1970-01-01. The number is the one
-- that the log was given inside the transaction that made it: the order in which logs were made.
CREATE TABLE diary_logs (
    application_id {text} NOT NULL,
    profile_id {text} NOT NULL,
    date {integer} NOT NULL,
    id {text} NOT NULL,
    number {integer} NOT NULL,
    meal {text} NOT NULL,
    food_id {text} NOT NULL,
    is_custom {integer} NOT NULL,
    logged_food_id {text} NOT NULL,
    number_of_servings {number} NOT NULL,
    metric_amount {number},
    note {text},
    created_at {integer} NOT NULL,
    updated_at {integer} NOT NULL,
    PRIMARY KEY (profile_id, date, id)
) {table};

CREATE INDEX diary_logs_by_id ON diary_logs (application_id, id);
CREATE UNIQUE INDEX diary_logs_by_number ON diary_logs (profile_id, number);
-- Which log of a food, in a meal, is the last when the last one goes.
CREATE INDEX diary_logs_by_food ON diary_logs (profile_id, food_id, meal, number);

-- What the entries of a day add up to, and how many of them knew a nutrient: long numbers (see model/sums.py); others,
-- which only custom foods have, are JSON. `shown` is all of it as an answer has it, once the day is over.
CREATE TABLE diary_days (
    application_id {text} NOT NULL,
    profile_id {text} NOT NULL,
    date {integer} NOT NULL,
    entries {integer} NOT NULL,
    sums {bytes} NOT NULL,
    known {bytes} NOT NULL,
    others {bytes},
    shown {bytes},
    PRIMARY KEY (profile_id, date)
) {table};

-- A year of it is read at once, and unpacking that takes longer than reading it.
{keep_shown_unpacked}

-- A food in a meal, or in all of them. `days` says how many logs each day has that may still count; `logs` is the count
-- of the past 30 days as it is until the day `valid_until` comes.
CREATE TABLE eaten_foods (
    application_id {text} NOT NULL,
    profile_id {text} NOT NULL,
    food_id {text} NOT NULL,
    meal {text} NOT NULL,
    last_number {integer} NOT NULL,
    days {bytes} NOT NULL,
    logs {integer} NOT NULL,
    valid_until {integer},
    PRIMARY KEY (profile_id, food_id, meal)
) {table};

CREATE INDEX eaten_foods_by_last ON eaten_foods (profile_id, meal, last_number);
CREATE INDEX eaten_foods_by_count ON eaten_foods (profile_id, meal, logs, last_number) WHERE logs > 0;
CREATE INDEX eaten_foods_passed ON eaten_foods (profile_id, meal, valid_until) WHERE valid_until IS NOT NULL;
