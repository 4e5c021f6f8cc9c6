-- What follows from logs, the rows of diary_days and eaten_foods, is brought up to date some time after them. `unsettled`
-- is how many logs these rows lack: all of those whose number is greater than `settled_number`, and no other.
ALTER TABLE profiles ADD COLUMN unsettled {integer} NOT NULL DEFAULT 0;
ALTER TABLE profiles ADD COLUMN settled_number {integer} NOT NULL DEFAULT 0;

UPDATE profiles SET settled_number = last_number;
