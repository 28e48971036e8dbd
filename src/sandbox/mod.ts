/**
 * Contract A: sandboxes behind one interface, with podman, bubblewrap or Deno's permissions, and the only way out of
 * them, egress sockets.
 * @module
 */
export * from "./spec.ts";
export { egressOfUrl, egressText, parseEgress } from "./egress_rule.ts";
export { createSandboxes } from "./sandboxes.ts";
export type { Probe, SandboxConfig, Sandboxes, SandboxesOptions } from "./sandboxes.ts";
export { buildImage, type ImageStatus, imageStatus, pullImage } from "./podman/image.ts";
export { LOCAL_IMAGE } from "./podman/setup.ts";
export { envNames } from "./environment.ts";
export { INSIDE } from "./inside.ts";
export { findControlGroups } from "./limits/cgroup.ts";
export type { ControlGroup, ControlGroups, Limits } from "./limits/cgroup.ts";
