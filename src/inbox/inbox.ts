import { type Clock, HandlerError, type Logger, newId } from "../base/mod.ts";
import type { PersonConfig } from "../config/mod.ts";
import type { InboxMessage, InboxRepository } from "../store/mod.ts";
import type { Desktop } from "./desktop.ts";
import { RateLimit } from "./rate.ts";
import { cleanText, cleanTitle } from "./text.ts";

/** What an inbox is made of. */
export interface InboxPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly messages: InboxRepository;
  readonly desktop: Desktop;
  /** A person of the configuration; undefined for nobody. */
  person(name: string): PersonConfig | undefined;
}

/** What a source tells a person. */
export interface NewMessage {
  readonly person: string;
  /** What it is and its name in the registry, such as `app:notes`; settled by who lets it in, never by the sender. */
  readonly source: string;
  readonly title: string;
  readonly text: string;
  /** A path of the source's own page. */
  readonly link: string | null;
}

/** A source told too much. */
export class TooMuch extends HandlerError {
  constructor(source: string, readonly waitMs: number) {
    const minutes = Math.ceil(waitMs / 60_000);
    super(
      "unavailable",
      `${source} has put ${MOST_AN_HOUR} messages into inboxes within an hour, which is the most`,
      {
        hint: `the next one is taken in ${minutes} min`,
      },
    );
  }
}

const MOST_AN_HOUR = 30;
const HOUR_MS = 3_600_000;
/** Messages of one source that a person's list keeps. */
const KEPT = 200;
const LINK = /^\/(?![/\\])[^\p{Cc}\s\\]{0,500}$/u;

/** What persons were told: one list each, kept in the store (contract I.9). */
export class Inbox {
  readonly #ports: InboxPorts;
  readonly #rate: RateLimit;

  constructor(ports: InboxPorts) {
    this.#ports = ports;
    this.#rate = new RateLimit({ clock: ports.clock, most: MOST_AN_HOUR, spanMs: HOUR_MS });
  }

  /**
   * Puts a message into a person's list; it is on disk when this returns. It appears on the desktop where the person's
   * do, and a desktop that fails changes nothing.
   *
   * @throws {HandlerError} `not_found` for nobody, `usage` for a message without a title or with a link that leads out,
   * {@linkcode TooMuch}
   */
  put({ person, source, title, text, link }: NewMessage): InboxMessage {
    const { clock, messages, desktop } = this.#ports;
    const who = this.#known(person);
    const words = { title: cleanTitle(title), text: cleanText(text) };
    if (words.title === "") throw new HandlerError("usage", "the title of a message has at least one letter");
    if (link !== null && !LINK.test(link)) {
      throw new HandlerError(
        "usage",
        'the link of a message is a path of the app\'s own page, such as "/today"',
      );
    }
    const waitMs = this.#rate.take(source);
    if (waitMs > 0) throw this.#tooMuch(source, waitMs);
    const now = clock.now();
    const message = { id: newId(now), person, source, ...words, link, at: now, read: false };
    messages.add(message, KEPT);
    // the source's name stands first, so that no source can pass for another or for the system
    if (who.desktop) void desktop.show({ title: `${nameOf(source)}: ${words.title}`, text: words.text });
    return message;
  }

  /** A person's messages, the newest first. @throws {HandlerError} `not_found` */
  list(person: string, unreadOnly: boolean): readonly InboxMessage[] {
    this.#known(person);
    return this.#ports.messages.list(person, unreadOnly);
  }

  /** How many messages a person has not read. */
  unread(person: string): number {
    return this.#ports.messages.unread(person);
  }

  /**
   * Marks messages as read, or as unread again.
   * @throws {HandlerError} `not_found` for one that is not in the person's list; then none is
   */
  mark(person: string, ids: readonly string[], read: boolean): void {
    this.#known(person);
    const [unknown] = this.#ports.messages.unknown(person, ids);
    if (unknown !== undefined) {
      throw new HandlerError("not_found", `there is no message ${JSON.stringify(unknown)} for ${person}`, {
        hint: "see handler inbox",
      });
    }
    this.#ports.messages.mark(person, ids, read);
  }

  /** Removes the list of a person who is gone. */
  forget(person: string): void {
    this.#ports.messages.forget(person);
  }

  #known(person: string): PersonConfig {
    const known = this.#ports.person(person);
    if (known) return known;
    throw new HandlerError("not_found", `there is no person ${JSON.stringify(person)}`, {
      hint: "see handler person list",
    });
  }

  #tooMuch(source: string, waitMs: number): TooMuch {
    const error = new TooMuch(source, waitMs);
    this.#ports.log.log("warn", error.message, { source });
    return error;
  }
}

function nameOf(source: string): string {
  return source.slice(source.indexOf(":") + 1);
}
