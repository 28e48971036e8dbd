/** A call that failed, as the caller will see it: a code of the interface or of the platform, and one line. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";
  readonly code: string;
  /** For the call record: the property and the rule, never a value (contract S.16). */
  readonly detail: string | undefined;

  constructor(code: string, message: string, detail?: string) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

/** The service cannot answer now; another binding may be tried (contract S.18). */
export function unavailable(message: string, detail?: string): CallFailure {
  return new CallFailure("unavailable", message, detail);
}

/** What the agent reads when a provider fails in a way that is not the agent's business. */
export const UNAVAILABLE_TEXT = "the service is not available now; trying again later may work";

const MESSAGE_LIMIT = 300;

/** What must not be in a text that a model will read: each with the reason that the record gives. */
const WITHHELD: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[\s"'(=:])(?:\/[\w.@~-]+){2,}/, "a path"],
  [/\b[A-Za-z]:\\/, "a path"],
  [/\b[a-z][a-z0-9+.-]*:\/\//i, "a URL"],
  [/\n\s*at |\bTraceback\b|\bat [\w.<>]+ \(/, "a stack trace"],
  [/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]|(?![\t\n])\p{Cc}/u, "control characters"],
];

/**
 * The platform's codes that a connector may use too, for what only the provider can tell: a text that is no JSON Schema,
 * a conversation that is longer than the model takes. `cancelled` is the router's alone.
 */
const SHARED_CODES: Readonly<Record<string, string>> = {
  invalid_input: "the service cannot work with this input",
  limit: "the call goes past a limit of the service",
};

/**
 * A connector's failure made fit for the agent (seed S3): a code outside the list becomes `unavailable`, and a message
 * that is long or tells of the provider's insides is replaced by the interface's own words for the code.
 */
export function declaredFailure(
  errors: Readonly<Record<string, string>>,
  code: unknown,
  message: unknown,
  redact: (text: string) => string,
): CallFailure {
  const meanings = { ...SHARED_CODES, ...errors };
  if (typeof code !== "string" || !Object.hasOwn(meanings, code)) {
    return unavailable(UNAVAILABLE_TEXT, "an undeclared error code");
  }
  const meaning = meanings[code]!;
  if (typeof message !== "string" || message.trim() === "") return new CallFailure(code, meaning);
  const why = message.length > MESSAGE_LIMIT
    ? "too much text"
    : redact(message) !== message
    ? "a secret"
    : WITHHELD.find(([rule]) => rule.test(message))?.[1];
  if (why) return new CallFailure(code, meaning, `the connector's message was withheld: it holds ${why}`);
  return new CallFailure(code, message.trim());
}
