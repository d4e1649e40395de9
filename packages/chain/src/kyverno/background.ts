import { type JsonObject, metadataString } from '@kubeadmit/apimachinery';
import type { FindTargets, TargetOutcome } from '@kubeadmit/kyverno/background';
import type { Schemas } from '@kubeadmit/schemas';
import type { KyvernoPolicies } from '../readers/policies.ts';
import type { RequestReader } from './asked-request.ts';
import { type Cleaner, findCleaners } from './cleaners.ts';
import { deletionsBy } from './deletions.ts';
import {
  type AskedMutator,
  mutateAllFor,
  mutateExistingFor,
  type TriggerChange,
} from './existing-targets.ts';
import { findGenerators, type Generator } from './generators.ts';
import { findMutators, type Mutator } from './mutators.ts';
import { requestOf, type StoredObject, type WantedOfTrigger, wantedFor } from './wanted.ts';

/** Kyverno's background work in a cluster: its policies generate, mutate and delete objects outside of requests. */
export class KyvernoBackground {
  readonly #policies: KyvernoPolicies;
  readonly #requests: RequestReader;
  readonly #schemas: Schemas;
  #generators: readonly Generator[] | undefined;
  #mutators: readonly Mutator[] | undefined;

  constructor(policies: KyvernoPolicies, requests: RequestReader, schemas: Schemas) {
    this.#policies = policies;
    this.#requests = requests;
    this.#schemas = schemas;
  }

  /** The policies that generate objects. */
  get generators(): readonly Generator[] {
    this.#generators ??= findGenerators(this.#policies);
    return this.#generators;
  }

  /**
   * Returns the objects that the rules of a policy want because of a trigger, whatever objects exist.
   *
   * @param clones returns the objects that may be cloned
   */
  wanted(
    generator: Generator,
    trigger: StoredObject,
    clones: () => readonly JsonObject[],
    isDeleted: boolean = false,
  ): readonly WantedOfTrigger[] {
    return wantedFor(generator, trigger, { ...this.#setting, clones, isDeleted });
  }

  /** Whether the objects that policies read contain one with a UID. */
  hasObject(uid: string): boolean {
    const objects = this.#requests.sources.clones?.('') ?? [];
    return objects.some((object) => metadataString(object, 'uid') === uid);
  }

  /** The policies that mutate existing objects. */
  get mutators(): readonly Mutator[] {
    this.#mutators ??= findMutators(this.#policies);
    return this.#mutators;
  }

  /**
   * Returns the existing objects as a rule of a policy mutates them because of a change of an object.
   *
   * @param find reads the existing objects
   */
  mutateExisting(
    asked: AskedMutator,
    change: TriggerChange,
    find: FindTargets,
  ): readonly TargetOutcome[] {
    return mutateExistingFor(asked, change, { ...this.#setting, find });
  }

  /** Returns the existing objects as a MutatingPolicy mutates them because it was changed itself. */
  mutateAllExisting(mutator: Mutator, find: FindTargets): readonly TargetOutcome[] {
    return mutateAllFor(mutator, { ...this.#setting, find });
  }

  /** The policies that delete objects on a schedule. */
  get cleaners(): readonly Cleaner[] {
    return findCleaners(this.#policies);
  }

  /** Whether a policy deletes an object on its schedule, or why this cannot be decided. */
  deletes({ object: policy }: Cleaner, stored: StoredObject): boolean | { readonly error: string } {
    const own = {
      cel: this.#policies.cel.filter(({ object }) => object === policy),
      cleanup: this.#policies.cleanup.filter(({ object }) => object === policy),
    };
    const asked = { request: requestOf(stored, 'CREATE'), object: stored.object };
    const responses = deletionsBy(own, this.#requests, asked);
    const [result] = responses.flatMap(({ results }) => results);
    return result?.status === 'error' ? { error: result.message } : result?.status === 'pass';
  }

  get #setting(): { readonly requests: RequestReader; readonly schemas: Schemas } {
    return { requests: this.#requests, schemas: this.#schemas };
  }
}
