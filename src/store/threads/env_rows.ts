import { text } from "../rows.ts";
import type { ThreadReads, ThreadWrites } from "./ports.ts";
import type { EnvRow } from "./records.ts";
import type { Statements } from "./statements.ts";
import type { ThreadCache } from "./thread_cache.ts";

/** Reads of a thread's variables, by name. */
export function envReads(db: Statements, threads: ThreadCache): Pick<ThreadReads, "env"> {
  return {
    env(thread) {
      const t = threads.key(thread);
      if (t === undefined) return [];
      return db.all("SELECT name, value, type FROM env WHERE t = ? ORDER BY name", t).map((row) => ({
        name: text(row, "name"),
        value: text(row, "value"),
        type: text(row, "type") as EnvRow["type"],
      }));
    },
  };
}

/** Writes of a thread's variables. */
export function envWrites(db: Statements, threads: ThreadCache): Pick<ThreadWrites, "putEnv"> {
  return {
    putEnv(thread, { name, value, type }) {
      const sql = "INSERT OR REPLACE INTO env (t, name, type, value) VALUES (?, ?, ?, ?)";
      db.run(sql, threads.mustHave(thread), name, type, value);
    },
  };
}
