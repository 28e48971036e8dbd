/** The folder that keeps the app's data; Handler names it. */
export function dataFolder(): string {
  return required("HANDLER_APP_DATA");
}

/** The socket that the app listens on. */
export function appSocket(): string {
  return required("HANDLER_APP_SOCKET");
}

/** A variable that Handler may have set. */
export function variable(name: string): string | undefined {
  return Deno.env.get(name) || undefined;
}

function required(name: string): string {
  const value = variable(name);
  if (value !== undefined) return value;
  throw new Error(`${name} is not set: Handler starts apps with it, and \`deno task dev\` does`);
}
