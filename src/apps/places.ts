import type { Folders } from "../platform/mod.ts";

/** Where an app's files lie on the host (seed §4). */
export interface AppPlaces {
  readonly root: string;
  /** `versions/<number>`: what ran, never changed. */
  version(number: number): string;
  /** The live data; at the same path inside the sandbox. */
  readonly data: string;
  /** `backups/<name>` */
  backup(name: string): string;
  readonly backups: string;
  readonly versions: string;
  /** Copies for rehearsals and changes that are not finished; removed at a start. */
  readonly scratch: string;
  readonly log: string;
  /** What is to be finished after a crash in the middle of a roll-back or restore. */
  readonly intent: string;
}

/** The places of one app. */
export function placesOf(folders: Folders, app: string): AppPlaces {
  const root = `${folders.data}/apps/${app}`;
  return {
    root,
    version: (number) => `${root}/versions/${number}`,
    versions: `${root}/versions`,
    data: `${root}/data`,
    backup: (name) => `${root}/backups/${name}`,
    backups: `${root}/backups`,
    scratch: `${root}/scratch`,
    log: `${root}/app.log`,
    intent: `${root}/intent.json`,
  };
}
