import type { JsonObject } from '@kubeadmit/conformance-tools';

/** Answers one case of the machine interface, without its identifier. */
export type Answer = (input: JsonObject) => Promise<object> | object;

/** A folder of recorded cases and what answers them. */
export interface Area {
  /** The folder under `conformance/`. */
  readonly folder: string;
  /** The command of the machine interface whose cases the files hold, by the start of the file's name. */
  readonly commandOf: (file: string) => string;
  /** Loads the engine that answers a command. */
  readonly load: (command: string) => Promise<Answer>;
}

/** Every area; a folder of cases that no area claims fails the run. */
export const AREAS: readonly Area[] = [];
