-- How many matches the run has when it is played to its end, as whoever played it last had planned;
-- null: it is played until it is stopped, or was not played here.
ALTER TABLE runs ADD COLUMN planned INTEGER;
