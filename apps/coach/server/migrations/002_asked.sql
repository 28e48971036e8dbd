-- When each person was last asked, so that nobody is asked twice in a morning.
CREATE TABLE asked (
  person   TEXT PRIMARY KEY,
  asked_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
