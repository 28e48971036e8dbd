import type { Clock } from "../../base/mod.ts";
import type { Message } from "../../wire/mod.ts";
import { Cancellation } from "./cancellation.ts";
import { unavailable, UNAVAILABLE_TEXT } from "./failure.ts";
import type { UpstreamCall } from "./upstream.ts";

/** What can be asked: a connection to a connector. */
export interface Asked {
  call(call: UpstreamCall): Promise<Message>;
}

/**
 * A call of an interface that has `progressSeconds`: progress that grows resets the timer, and a connector that shows
 * none for so long is given up as `unavailable`, so that another one may still be tried (contracts S.12, S.18). The
 * caller's own cancellation, and the hard limit with it, stands above.
 */
export async function callUnlessSilent(
  asked: Asked,
  call: UpstreamCall,
  { clock, seconds }: { readonly clock: Clock; readonly seconds: number },
): Promise<Message> {
  const { cancellation, onProgress } = call;
  cancellation.throwIfCancelled();
  const own = new Cancellation();
  cancellation.onCancel(() => own.cancel(cancellation.reason!));
  const give = () =>
    own.cancel(unavailable(UNAVAILABLE_TEXT, `progressSeconds: no progress for ${seconds} s`));
  let forget = clock.after(seconds * 1000, give), last = -Infinity;
  try {
    return await asked.call({
      ...call,
      cancellation: own,
      onProgress: (progress) => {
        if (progress.progress > last) {
          last = progress.progress;
          forget();
          forget = clock.after(seconds * 1000, give);
        }
        onProgress?.(progress);
      },
    });
  } finally {
    forget();
    cancellation.forget();
  }
}
