/** Handler's own version. */
export const HANDLER_VERSION = "0.1.0";

/** The Deno that runs connectors, apps and the miniapp addon; the image carries the same (contract A.5). */
export const DENO_VERSION = "2.9.6";

/** The image that a sandbox runs in where a registry can be reached (contract A.5). */
export const RUNTIME_IMAGE = `docker.io/denoland/deno:distroless-${DENO_VERSION}`;
