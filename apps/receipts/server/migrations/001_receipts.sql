CREATE TABLE receipts (
  id         INTEGER PRIMARY KEY,
  person     TEXT NOT NULL,
  -- below the data folder
  file       TEXT NOT NULL,
  name       TEXT NOT NULL,
  media_type TEXT NOT NULL,
  added_at   TEXT NOT NULL,
  -- why it could not be read; null once it was
  problem    TEXT,
  shop       TEXT,
  currency   TEXT,
  -- in hundredths
  total      INTEGER,
  tax        INTEGER,
  sent_as    TEXT,
  UNIQUE (person, sent_as)
) STRICT;

CREATE INDEX receipts_of_person ON receipts (person, added_at);

CREATE TABLE lines (
  receipt  INTEGER NOT NULL REFERENCES receipts ON DELETE CASCADE,
  position INTEGER NOT NULL,
  label    TEXT NOT NULL,
  amount   INTEGER NOT NULL,
  PRIMARY KEY (receipt, position)
) STRICT, WITHOUT ROWID;
