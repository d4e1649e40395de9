import { loadSchemas, type Schemas } from '@kubeadmit/schemas';
import type { LiveImages } from '../images/live-images.ts';
import { compileInSlices } from './compile-in-slices.ts';
import {
  type Generation,
  makeGeneration,
  type OnInvalidPolicy,
  type PolicyCounts,
} from './generation.ts';
import { nearestVersion } from './nearest-version.ts';
import type { Problem, Snapshot } from './snapshot.ts';

/** The result of loading a snapshot. */
export interface LoadReport extends PolicyCounts {
  /** The number of the set in use, or 0 if there is none. */
  readonly generation: number;
  /**
   * Whether the last snapshot was refused; the previous set then stays in use, unless invalid policies are fatal.
   */
  readonly isRefused: boolean;
  readonly problems: readonly Problem[];
  /** The names of the cluster objects that keep an earlier version or are not used. */
  readonly asBefore: readonly string[];
  /** Warnings about the policies in use. */
  readonly notes: readonly Problem[];
}

/** How policies are loaded. */
export interface PolicyStoreOptions {
  readonly kubernetesVersion?: string | undefined;
  /** Default: `keep-last`. */
  readonly onInvalid?: OnInvalidPolicy;
  /** Whether this program also does the background work of policies. */
  readonly hasBackground?: boolean;
  /** Returns the images of registries; called if a policy reads images. */
  readonly openImages?: (() => Promise<LiveImages>) | undefined;
}

/** Keeps the set of policies in use: the last valid one. */
export class PolicyStore {
  readonly #options: PolicyStoreOptions;
  readonly #schemas: Map<string, Schemas> = new Map();
  #acting: Generation | undefined;

  constructor(options: PolicyStoreOptions = {}) {
    this.#options = options;
  }

  /** The set in use, or `undefined` before the first one is loaded. */
  get current(): Generation | undefined {
    return this.#acting;
  }

  /** Puts a snapshot into use if it is valid. */
  async load(snapshot: Snapshot): Promise<LoadReport> {
    const { kubernetesVersion, onInvalid = 'keep-last', hasBackground = false } = this.#options;
    const made = await makeGeneration(snapshot, {
      schemas: await this.#schemasOf(kubernetesVersion ?? snapshot.clusterVersion),
      kubernetesVersion,
      previous: this.#acting,
      onInvalid,
      hasBackground,
      openImages: this.#options.openImages,
    });
    const isRight = 'number' in made;
    if (isRight) {
      await compileInSlices(made.chain);
      this.#acting = made;
    } else if (onInvalid === 'fail') this.#acting = undefined;
    return {
      generation: this.#acting?.number ?? 0,
      isRefused: !isRight,
      problems: isRight ? made.tolerated : made,
      asBefore: isRight ? made.asBefore : [],
      notes: this.#acting?.notes ?? [],
      ...(this.#acting?.counts ?? { validating: 0, mutating: 0, kyverno: 0 }),
    };
  }

  async #schemasOf(version: string | undefined): Promise<Schemas> {
    const key = nearestVersion(version);
    const schemas = this.#schemas.get(key) ?? (await loadSchemas({ version: key }));
    this.#schemas.set(key, schemas);
    return schemas;
  }
}
