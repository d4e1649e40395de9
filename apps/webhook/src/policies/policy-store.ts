import { knownVersions, loadSchemas, newestVersion, type Schemas } from '@kubeadmit/schemas';
import type { Registration } from '../registration/webhooks.ts';
import {
  type Generation,
  makeGeneration,
  type OnInvalidPolicy,
  type PolicyCounts,
} from './generation.ts';
import type { Problem, Snapshot } from './snapshot.ts';

/** What became of a snapshot. */
export interface LoadReport extends PolicyCounts {
  /** The number of the set that acts; 0 while there is none. */
  readonly generation: number;
  /** What is wrong with the last snapshot; the set before it acts on where that is not tolerated. */
  readonly isRefused: boolean;
  readonly problems: readonly Problem[];
  /** The webhooks that the policies need; absent where nobody registers them. */
  readonly registration?: Registration | undefined;
  /** The objects of the cluster, by the names of their texts, that act as they were before, or not at all. */
  readonly asBefore: readonly string[];
  /** What is right with what acts, and hardly meant. */
  readonly notes: readonly Problem[];
}

/** Holds the set of policies that acts: the last one that was right as a whole. */
export class PolicyStore {
  readonly #kubernetesVersion: string | undefined;
  readonly #schemas: Map<string, Schemas> = new Map();
  readonly #onInvalid: OnInvalidPolicy;
  #acting: Generation | undefined;

  constructor(kubernetesVersion: string | undefined, onInvalid: OnInvalidPolicy = 'keep-last') {
    this.#kubernetesVersion = kubernetesVersion;
    this.#onInvalid = onInvalid;
  }

  /** The set that acts; `undefined` before the first one is loaded. */
  get current(): Generation | undefined {
    return this.#acting;
  }

  /** Makes a snapshot the set that acts, if nothing is wrong with it. */
  async load(snapshot: Snapshot): Promise<LoadReport> {
    const made = await makeGeneration(snapshot, {
      schemas: await this.#schemasOf(this.#kubernetesVersion ?? snapshot.clusterVersion),
      kubernetesVersion: this.#kubernetesVersion,
      previous: this.#acting,
      onInvalid: this.#onInvalid,
    });
    const isRight = 'number' in made;
    if (isRight) this.#acting = made;
    else if (this.#onInvalid === 'fail') this.#acting = undefined;
    return {
      generation: this.#acting?.number ?? 0,
      isRefused: !isRight,
      problems: isRight ? made.tolerated : made,
      asBefore: isRight ? made.asBefore : [],
      notes: this.#acting?.notes ?? [],
      ...(this.#acting?.counts ?? { validating: 0, mutating: 0, kyverno: 0 }),
    };
  }

  // A cluster may be newer than what is known: the newest is then the nearest.
  async #schemasOf(version: string | undefined): Promise<Schemas> {
    const minor = /^v?(\d+\.\d+)/.exec(version ?? '')?.[1] ?? '';
    const key = knownVersions.includes(minor) ? minor : newestVersion;
    const schemas = this.#schemas.get(key) ?? (await loadSchemas({ version: key }));
    this.#schemas.set(key, schemas);
    return schemas;
  }
}
