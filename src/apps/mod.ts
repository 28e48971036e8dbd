/**
 * Mini apps: manifest, deploy with rehearsal, roll-back, backends on demand (seed `mini-apps.md`, contract H).
 * @module
 */
export * from "./records.ts";
export { Apps, type Plan } from "./apps.ts";
export { type ComparedNeed, type Need, needTexts } from "./needs.ts";
export { AppRegistry, installed, NO_SETTINGS } from "./registry.ts";
export type { AppsPorts, OpenServices, SecretLease } from "./ports.ts";
export type { BackendState } from "./backends.ts";
export {
  DEPLOY_STEPS,
  type Deployed,
  type DeployProgress,
  type DeployStepName,
  type Rehearsal,
} from "./deploy.ts";
export type { RollbackPlan } from "./rollback.ts";
export type { TableRows } from "./inspect.ts";
export { approvalHash, readManifest } from "./manifest.ts";
export { type AppPlaces, placesOf as appPlaces } from "./places.ts";
export { type InsideParts, runInside } from "./inside.ts";
export { type NewApp, newApp } from "./template.ts";
export { gnomeShortcuts, type ShortcutParts, type Shortcuts } from "./shortcut.ts";
