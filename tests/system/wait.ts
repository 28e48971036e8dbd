/** Waits until `find` finds something, and gives it; at most so many milliseconds. What never comes is an error in words. */
export async function until<T>(
  what: string,
  find: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 30_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  let last: unknown;
  for (let pause = 5; performance.now() < end; pause = Math.min(pause * 1.5, 100)) {
    try {
      const found = await find();
      if (found !== undefined && found !== false) return found;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new Error(`waited ${limitMs} ms in vain for ${what}`, { cause: last });
}
