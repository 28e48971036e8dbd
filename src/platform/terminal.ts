/** The three streams of the program, as the command line uses them. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly interactive: boolean;
  readonly colours: boolean;
  /** How many characters a line of stdout has; undefined where stdout is no terminal. */
  readonly columns: number | undefined;
  readStdin(): Promise<Uint8Array<ArrayBuffer>>;
  /** Asks on the terminal and gives the line; undefined at the end of input. */
  ask(question: string): string | undefined;
  /** What is typed or piped in, as it comes. */
  input(): AsyncIterable<Uint8Array>;
}

/** The program's own terminal. */
export const terminal: Terminal = {
  out: (text) => writeSync(Deno.stdout, text),
  err: (text) => writeSync(Deno.stderr, text),
  get interactive() {
    return Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  },
  get colours() {
    return Deno.stdout.isTerminal() && !Deno.noColor;
  },
  get columns() {
    return Deno.stdout.isTerminal() ? Deno.consoleSize().columns : undefined;
  },
  readStdin: async () => new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer()),
  ask: (question) => prompt(question) ?? undefined,
  input: () => Deno.stdin.readable,
};

function writeSync(to: { writeSync(bytes: Uint8Array): number }, text: string): void {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += to.writeSync(bytes.subarray(at));
}
