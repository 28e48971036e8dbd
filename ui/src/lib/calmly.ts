/** Something that may be asked for often and is done seldom. */
export interface Calm {
  /** Does it now, or, where it was just done, once for all who ask meanwhile. */
  ask(): void;
  /** Forgets what is still to be done. */
  end(): void;
}

/** Calls `fire` after `ms`; the returned function forgets it. */
type After = (ms: number, fire: () => void) => () => void;

const byTimer: After = (ms, fire) => {
  const timer = setTimeout(fire, ms);
  return () => clearTimeout(timer);
};

/** Does `work` at most once in `ms`, however often it is asked for; whoever asked sees it done. */
export function calmly(work: () => void, ms: number, after: After = byTimer): Calm {
  let forget: (() => void) | undefined, wanted = false;
  const go = () => {
    wanted = false;
    forget = after(ms, () => {
      forget = undefined;
      if (wanted) go();
    });
    work();
  };
  return {
    ask: () => forget ? wanted = true : go(),
    end: () => (forget?.(), wanted = false),
  };
}
