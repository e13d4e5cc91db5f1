-- Integers key everything that is read by the million; text stands where it is looked up or shown.
-- JSON holds what is never searched: lists of numbers, options, clocks.

CREATE TABLE bots (
    key INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    UNIQUE (name, digest)
) STRICT;

CREATE TABLE runs (
    key INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, so readers may remember it
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    version INTEGER NOT NULL,
    options TEXT NOT NULL,
    seats INTEGER NOT NULL,
    sides TEXT NOT NULL,
    format TEXT NOT NULL,
    clocks TEXT NOT NULL,
    seed TEXT NOT NULL,
    words TEXT NOT NULL,
    created TEXT NOT NULL,
    dictionary BLOB  -- what the run's records are compressed with, set with the first of them
) STRICT;

CREATE TABLE entrants (
    run_key INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    bot_key INTEGER NOT NULL REFERENCES bots,
    words TEXT NOT NULL,
    network INTEGER NOT NULL,
    PRIMARY KEY (run_key, bot_key)
) STRICT, WITHOUT ROWID;

-- Who met: the different bots of a match, by name.
CREATE TABLE groups (
    key INTEGER PRIMARY KEY,
    run_key INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    names TEXT NOT NULL,
    bots TEXT NOT NULL,
    UNIQUE (run_key, bots)
) STRICT;

-- How it went: per seat the place in the group of who held it, and its rank; [seat, code] faults.
CREATE TABLE outcomes (
    key INTEGER PRIMARY KEY,
    seating TEXT NOT NULL,
    ranks TEXT NOT NULL,
    reason TEXT NOT NULL,
    faults TEXT NOT NULL,
    UNIQUE (seating, ranks, reason, faults)
) STRICT;

-- A match: its slot, how it went, and on which line of which pack its record is. They come nearly in
-- the order of both indexes, which therefore grow at their ends. Groups and packs are not declared
-- as references: each that is deleted with its run would be looked for in every match.
CREATE TABLE matches (
    key INTEGER PRIMARY KEY,
    run_key INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    deal INTEGER NOT NULL,
    group_key INTEGER NOT NULL,
    rotation INTEGER NOT NULL,
    outcome_key INTEGER NOT NULL REFERENCES outcomes,
    id TEXT NOT NULL UNIQUE,
    scores TEXT NOT NULL,
    pack_key INTEGER NOT NULL,
    line INTEGER NOT NULL,
    UNIQUE (run_key, deal, group_key, rotation)
) STRICT;

-- Records of a run, compressed together.
CREATE TABLE packs (
    key INTEGER PRIMARY KEY AUTOINCREMENT,
    run_key INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    body BLOB NOT NULL
) STRICT;

CREATE INDEX packs_of_run ON packs (run_key);

CREATE TABLE logs (
    match_key INTEGER NOT NULL REFERENCES matches ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    text BLOB NOT NULL,
    PRIMARY KEY (match_key, seat)
) STRICT;

-- Deals of imported matches, numbered as they came: the run's own numbers are not in a record.
CREATE TABLE deals (
    group_key INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
    deal TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (group_key, deal)
) STRICT, WITHOUT ROWID;
