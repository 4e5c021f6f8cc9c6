-- Foods that profiles made for themselves, and the words that search finds them by.

-- The primary key is the order of a profile's list. Nutrients are kept as the JSON that answers show: nothing looks
-- into them, and a food is read far more often than it is written.
CREATE TABLE custom_foods (
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
) {table};

CREATE UNIQUE INDEX custom_foods_by_id ON custom_foods (application_id, id);
CREATE INDEX custom_foods_by_barcode ON custom_foods (profile_id, barcode, id) WHERE barcode IS NOT NULL;

-- The folded words of a food's name and brand. Their primary key is the index that search reads.
CREATE TABLE custom_food_words (
    profile_id {text} NOT NULL,
    word {text} NOT NULL,
    food_id {text} NOT NULL,
    PRIMARY KEY (profile_id, word, food_id)
) {table};
