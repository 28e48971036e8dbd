CREATE TABLE days (
  person        TEXT NOT NULL,
  -- the person's own date, YYYY-MM-DD
  day           TEXT NOT NULL,
  mood          INTEGER NOT NULL CHECK (mood BETWEEN 1 AND 5),
  intention     TEXT NOT NULL,
  -- whether it was done; null until the person says so
  done          INTEGER CHECK (done IN (0, 1)),
  checked_in_at TEXT NOT NULL,
  PRIMARY KEY (person, day)
) STRICT, WITHOUT ROWID;
