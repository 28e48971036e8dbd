/** What a person is asked before something that cannot be taken back. */
export interface Question {
  readonly title: string;
  /** What it would do, with the numbers. */
  readonly consequence: string;
  /** The words on the button that does it: a verb, not “OK”. */
  readonly verb: string;
  /** Text that must be typed first, for what loses much. */
  readonly type?: string;
}

interface Asked extends Question {
  answer(yes: boolean): void;
}

let asked = $state.raw<Asked | undefined>();

/** The question on the screen. */
export function question(): Asked | undefined {
  return asked;
}

/** Asks, and gives whether the person said yes. */
export function confirm(one: Question): Promise<boolean> {
  asked?.answer(false);
  return new Promise((resolve) => {
    asked = {
      ...one,
      answer(yes) {
        asked = undefined;
        resolve(yes);
      },
    };
  });
}
