CREATE TABLE notes (
  id         INTEGER PRIMARY KEY,
  person     TEXT NOT NULL,
  text       TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  -- the Idempotency-Key of a call that may be sent twice
  sent_as    TEXT,
  UNIQUE (person, sent_as)
) STRICT;

CREATE INDEX notes_of_person ON notes (person, changed_at);
