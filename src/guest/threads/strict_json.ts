const PLAIN = [Object.prototype, null];

/**
 * Refuses what JSON would change in silence: numbers that are not finite, values in a circle, instances of classes,
 * symbols, functions, holes. Members that are undefined are left out, as JSON does.
 *
 * @param at what the error calls the value: `value.list[2]`
 */
export function checkJson(value: unknown, at: string): void {
  check(value, at, new Set());
}

function check(value: unknown, at: string, above: Set<object>): void {
  switch (typeof value) {
    case "string":
    case "boolean":
      return;
    case "number":
      if (Number.isFinite(value)) return;
      throw new TypeError(`${at} is ${value}, JSON has finite numbers alone`);
    case "object":
      if (value !== null) checkObject(value, at, above);
      return;
    default:
      throw new TypeError(`${at} is ${article(typeof value)}, JSON has none`);
  }
}

function checkObject(value: object, at: string, above: Set<object>): void {
  if (above.has(value)) throw new TypeError(`${at} lies inside itself, JSON has no circles`);
  if (Object.getOwnPropertySymbols(value).length > 0) {
    throw new TypeError(`${at} has a symbol as a key, JSON has texts alone`);
  }
  above.add(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) check(value[index], `${at}[${index}]`, above);
  } else {
    if (!PLAIN.includes(Object.getPrototypeOf(value))) {
      throw new TypeError(`${at} is an instance of ${classOf(value)}, JSON has plain objects alone`);
    }
    for (const [key, part] of Object.entries(value)) {
      if (part !== undefined) check(part, `${at}.${key}`, above);
    }
  }
  above.delete(value);
}

function classOf(value: object): string {
  return value.constructor?.name || "a class";
}

function article(type: string): string {
  return type === "undefined" ? "undefined" : `a ${type}`;
}
