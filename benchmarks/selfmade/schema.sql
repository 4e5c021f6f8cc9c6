-- The tables of `tables.py`, and the full-text index over them that an ORM cannot write.
CREATE TABLE api_keys (hash TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE foods (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, food_name TEXT NOT NULL, food_type TEXT NOT NULL, brand_name TEXT,
    barcode TEXT, serving_description TEXT NOT NULL, metric_serving_amount INTEGER NOT NULL,
    metric_serving_unit TEXT NOT NULL, energy_kcal REAL, total_fat_in_gm REAL, total_carbohydrates_in_gm REAL,
    total_protein_in_gm REAL, alcohol_in_gm REAL, caffeine_in_mg REAL, theobromine_in_mg REAL, water_in_gm REAL,
    vitamins TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE TABLE profiles (id INTEGER PRIMARY KEY, reference_id TEXT NOT NULL UNIQUE);
CREATE TABLE favorites (
    profile_id INTEGER NOT NULL REFERENCES profiles (id), food_number INTEGER NOT NULL REFERENCES foods (number),
    place INTEGER NOT NULL, PRIMARY KEY (profile_id, food_number)
);
CREATE INDEX favorites_in_order ON favorites (profile_id, place);
CREATE TABLE diary_logs (
    id INTEGER PRIMARY KEY, profile_id INTEGER NOT NULL REFERENCES profiles (id),
    food_number INTEGER NOT NULL REFERENCES foods (number), date TEXT NOT NULL, meal TEXT NOT NULL,
    number_of_servings REAL NOT NULL, created_at INTEGER NOT NULL
);
CREATE INDEX diary_logs_by_date ON diary_logs (profile_id, date);
CREATE INDEX diary_logs_by_food ON diary_logs (profile_id, food_number);
CREATE VIRTUAL TABLE foods_fts USING fts5 (
    food_name, brand_name, content = 'foods', content_rowid = 'number', tokenize = 'porter unicode61 remove_diacritics 2'
);
