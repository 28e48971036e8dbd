/** Runs a command with this program's streams, passes signals on to it, and gives its exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const [program, ...args] = argv;
  if (!program) return 2;
  try {
    const child = new Deno.Command(program, { args, stdin: "inherit", stdout: "inherit", stderr: "inherit" })
      .spawn();
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      Deno.addSignalListener(signal, () => {
        try {
          child.kill(signal);
        } catch {
          // it has ended
        }
      });
    }
    return (await child.status).code;
  } catch (error) {
    console.error(
      `the command ${program} could not be started: ${error instanceof Error ? error.message : error}`,
    );
    return 127;
  }
}
