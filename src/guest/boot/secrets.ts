/**
 * Takes the secrets that came through a socket (`HANDLER_SECRETS` names it) into the environment, once: the other side
 * gives them to the first that asks and closes. Drivers that can hand them over in the environment itself set nothing.
 */
export async function takeSecrets(): Promise<void> {
  const path = Deno.env.get("HANDLER_SECRETS");
  if (!path) return;
  Deno.env.delete("HANDLER_SECRETS");
  const connection = await Deno.connect({ transport: "unix", path });
  const text = await new Response(connection.readable).text();
  for (const [name, value] of Object.entries<string>(JSON.parse(text))) Deno.env.set(name, value);
}
