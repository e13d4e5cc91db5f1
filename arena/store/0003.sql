-- What is computed from records once: what chance gave each side of a match, as 32-bit numbers, in the
-- eyes of the evaluator with that digest; and what an analyst said of its turns, as JSON.
CREATE TABLE luck (
    match_key INTEGER PRIMARY KEY REFERENCES matches ON DELETE CASCADE,
    evaluator TEXT NOT NULL,
    sides BLOB NOT NULL
) STRICT;

CREATE TABLE analyses (
    match_key INTEGER PRIMARY KEY REFERENCES matches ON DELETE CASCADE,
    analysis TEXT NOT NULL
) STRICT;
