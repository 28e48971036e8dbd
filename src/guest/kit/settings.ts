/** The value of a setting or secret by its variable's name; empty counts as unset. */
export function setting(variable: string): string | undefined;
/** As above, with a value for when it is unset. */
export function setting(variable: string, fallback: string): string;
export function setting(variable: string, fallback?: string): string | undefined {
  return Deno.env.get(variable) || fallback;
}

/** A setting that must be there; the error names the variable, never a value. */
export function required(variable: string): string {
  const value = setting(variable);
  if (value === undefined) {
    throw new Error(`the connector needs the variable ${variable}, and the binding did not set it`);
  }
  return value;
}

/** A setting that is a whole number of at least `least`; an unset or wrong one gives `fallback`. */
export function numberSetting(variable: string, fallback: number, least = 1): number {
  const text = setting(variable);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`the variable ${variable} must be a whole number of at least ${least}`);
}
