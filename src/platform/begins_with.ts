/** Whether a file begins with these bytes, given as ASCII. The file is one that nobody else may exchange. */
export async function beginsWith(path: string, text: string): Promise<boolean> {
  using file = await Deno.open(path);
  const head = new Uint8Array(text.length);
  return await file.read(head) === text.length && new TextDecoder().decode(head) === text;
}
