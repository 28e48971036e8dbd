import { ensureFolder, type Folders, readBytes, shippedFolder, writeAtomic } from "../src/platform/mod.ts";
import { CLERK } from "./clerk.ts";

/** The fresh home of a demo. */
export interface DemoHome {
  readonly folders: Folders;
  /** The project's work folder. */
  readonly desk: string;
}

/**
 * The secret that only the vendor's connector gets; a canary that must turn up nowhere else. New in each run: the
 * compiled program holds this text, and stands in the agent's sandbox under other names.
 */
export const VENDOR_KEY = `demo-key-${crypto.randomUUID()}`;

/** The variable of the daemon that the secret's reference names. */
export const VENDOR_KEY_VARIABLE = "HANDLER_DEMO_VENDOR_KEY";

/** The scanned invoice that ships as a fixture of `ocr/v1`. */
export function scannedInvoice(): Promise<Uint8Array<ArrayBuffer>> {
  return readBytes(`${shippedFolder("interfaces")}/ocr/v1/conformance/invoice-scan.pdf`);
}

/** Lays a home as a person would write it: a project, two bindings of ocr/v1, one agent. */
export async function layHome(
  root: string,
  vendor: { readonly caPem: string; readonly port: number },
): Promise<DemoHome> {
  const folders = {
    config: `${root}/config`,
    data: `${root}/data`,
    state: `${root}/state`,
    runtime: `${root}/run`,
  };
  const desk = `${root}/desk`;
  await ensureFolder(desk);
  await writeAtomic(`${desk}/invoice.pdf`, await scannedInvoice(), 0o644);
  await writeAtomic(`${desk}/clerk.js`, CLERK, 0o644);
  const caFile = `${root}/vendor-ca.pem`;
  await writeAtomic(caFile, vendor.caPem, 0o644);
  for (const [path, text] of Object.entries(configFiles(desk, caFile, vendor.port))) {
    await ensureFolder(`${folders.config}/${path}`.replace(/\/[^/]+$/, ""));
    await writeAtomic(`${folders.config}/${path}`, text);
  }
  return { folders, desk };
}

function configFiles(desk: string, caFile: string, port: number): Readonly<Record<string, string>> {
  return {
    "config.toml": `apiVersion = "handler.config/v1"
# where neither podman nor bubblewrap works, these may run under Deno's permissions alone
denoDriverFor = ["clerk", "notes", "desk"]

[egress]
caFile = "${caFile}"
# the vendor's name leads to the demo's own server
dial = { "api.mistral.ai:443" = "127.0.0.1:${port}" }
`,
    "projects/desk.toml": `apiVersion = "handler.project/v1"
path = "${desk}"
requires = ["ocr/v1"]
`,
    "bindings/ocr-local.toml": `apiVersion = "handler.binding/v1"
connector = "ocr-tesseract"
description = "OCR: Tesseract, on this machine"
`,
    "bindings/ocr-vendor.toml": `apiVersion = "handler.binding/v1"
connector = "ocr-mistral"
description = "OCR: Mistral, demo key"
secrets = { api_key = { env = "${VENDOR_KEY_VARIABLE}" } }
`,
    "agents/clerk.toml": `apiVersion = "handler.agent/v1"
project = "desk"
harness = "command"
command = ["deno", "run", "-A", "clerk.js"]
services = { ocr = "ocr-local" } # the one value that is swapped
`,
  };
}
