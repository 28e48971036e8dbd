import { readText, shippedFolder } from "../src/platform/mod.ts";
import { answersFor, startFakeMistral } from "../tests/fakes/mistral.ts";
import { scannedInvoice, VENDOR_KEY } from "./home.ts";

/** The vendor's server of the demo. */
export interface Vendor extends AsyncDisposable {
  readonly port: number;
  readonly caPem: string;
  /** How many documents it was asked to read. */
  asked(): number;
}

/** Starts a local server that speaks the vendor's protocol over TLS and knows one document: the scanned invoice. */
export async function startVendor(): Promise<Vendor> {
  const truth = await readText(`${shippedFolder("interfaces")}/ocr/v1/conformance/invoice.truth.txt`);
  const answers = answersFor([[await scannedInvoice(), [truth]]]);
  const fake = await startFakeMistral({ key: VENDOR_KEY, answers });
  return {
    port: fake.port,
    caPem: fake.caPem!,
    asked: () => fake.asked.length,
    [Symbol.asyncDispose]: () => fake.close(),
  };
}
