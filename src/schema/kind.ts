import { found, foundType } from "./found.ts";
import type { Reading } from "./reading.ts";
import type { TomlValue } from "./toml_text.ts";

/** What a value must be: the rule in words and how it is read. The parts of a shape are kinds. */
export interface Kind<T> {
  /** The rule, as it stands after "must be". */
  readonly rule: string;
  /** The value as the program uses it; undefined after saying what is wrong. */
  read(value: TomlValue, at: Reading): T | undefined;
}

/** The type that a kind reads. */
export type ValueOf<K> = K extends Kind<infer T> ? T : never;

/** A kind of single values: `take` gives undefined for what breaks the rule. */
export function leaf<T>(rule: string, take: (value: TomlValue) => T | undefined): Kind<T> {
  return {
    rule,
    read(value, at) {
      const taken = take(value);
      return taken === undefined ? at.problem(`must be ${rule}, found ${found(value)}`) : taken;
    },
  };
}

/** The same kind, whose problems never show the value: for places where a secret could stand by mistake. */
export function unshown<T>(kind: Kind<T>): Kind<T> {
  return {
    rule: kind.rule,
    read(value, at) {
      const before = at.problems.length;
      const taken = kind.read(value, at);
      const mine = at.problems.splice(before);
      for (const problem of mine) {
        const here = problem.path.length === at.path.length;
        at.problems.push(
          here ? { ...problem, message: `must be ${kind.rule}, found ${foundType(value)}` } : problem,
        );
      }
      return taken;
    },
  };
}

/** A kind whose value is made from another's; `make` may say what is wrong and give undefined. */
export function convert<A, B>(kind: Kind<A>, make: (value: A, at: Reading) => B | undefined): Kind<B> {
  return {
    rule: kind.rule,
    read(value, at) {
      const taken = kind.read(value, at);
      return taken === undefined ? undefined : make(taken, at);
    },
  };
}
