-- Meals that profiles have saved, to be logged again.

-- The primary key is the order of a profile's list. The items are JSON: a list of objects with `food_id`, `food_name`,
-- `number_of_servings` and `is_custom`. They are read and written together, so they need no rows of their own. The name
-- is the one the food had when it was put into the meal; it is shown when the food does not exist any more.
CREATE TABLE saved_meals (
    application_id {text} NOT NULL,
    profile_id {text} NOT NULL,
    id {text} NOT NULL,
    name {text} NOT NULL,
    meal {text} NOT NULL,
    items {bytes} NOT NULL,
    created_at {integer} NOT NULL,
    updated_at {integer} NOT NULL,
    PRIMARY KEY (profile_id, id)
) {table};

CREATE INDEX saved_meals_by_id ON saved_meals (application_id, id);
