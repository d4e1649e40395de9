import { loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { type Generation, makeGeneration } from './generation.ts';
import type { Problem, Snapshot } from './snapshot.ts';

/** What became of a snapshot. */
export interface LoadReport {
  /** The number of the set that acts; 0 while there is none. */
  readonly generation: number;
  /** What is wrong with the last snapshot; the set before it acts on when there is anything. */
  readonly problems: readonly Problem[];
  readonly validating: number;
  readonly mutating: number;
}

/** Holds the set of policies that acts: the last one that was right as a whole. */
export class PolicyStore {
  private readonly kubernetesVersion: string | undefined;
  private schemas: Schemas | undefined;
  private acting: Generation | undefined;

  constructor(kubernetesVersion: string | undefined) {
    this.kubernetesVersion = kubernetesVersion;
  }

  /** The set that acts; `undefined` before the first one is loaded. */
  get current(): Generation | undefined {
    return this.acting;
  }

  /** Makes a snapshot the set that acts, if nothing is wrong with it. */
  async load(snapshot: Snapshot): Promise<LoadReport> {
    const version = this.kubernetesVersion;
    this.schemas ??= await loadSchemas(version === undefined ? {} : { version });
    const made = makeGeneration(snapshot, {
      schemas: this.schemas,
      kubernetesVersion: version,
      previous: this.acting,
    });
    const isRight = 'number' in made;
    if (isRight) this.acting = made;
    return {
      generation: this.acting?.number ?? 0,
      problems: isRight ? [] : made,
      validating: this.acting?.counts.validating ?? 0,
      mutating: this.acting?.counts.mutating ?? 0,
    };
  }
}
