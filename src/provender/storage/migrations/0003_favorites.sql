-- The foods that profiles have marked as favorites.

-- The last of the numbers that writes of this profile were given. Where a list's order is "last added", this number is
-- it: two writes often share a millisecond, but never a number.
ALTER TABLE profiles ADD COLUMN last_number {integer} NOT NULL DEFAULT 0;

-- A food is there once. When it is removed its row stays for a day, because its place may still be somebody's cursor.
CREATE TABLE favorites (
    profile_id {text} NOT NULL,
    food_id {text} NOT NULL,
    place {integer} NOT NULL,
    added_at {integer} NOT NULL,
    removed_at {integer},
    PRIMARY KEY (profile_id, food_id)
) {table};

-- The list in its order, without what was removed: however much that is, a page does not read past it.
CREATE UNIQUE INDEX favorites_in_order ON favorites (profile_id, place) WHERE removed_at IS NULL;
CREATE INDEX favorites_removed ON favorites (profile_id, removed_at) WHERE removed_at IS NOT NULL;
