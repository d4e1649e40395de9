import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import {
  type CompiledMutatingPolicy,
  type CompiledValidatingPolicy,
  compileMutatingPolicy,
  compileValidatingPolicy,
  type MatchResources,
  type MutatingSpec,
  type ObserveEvaluation,
  type PolicyBinding,
  type ValidatingSpec,
} from '@kubeadmit/engine';
import { PolicyCompilers } from '@kubeadmit/engine/unstable-internal';
import { deepEqual, stringifyJson } from '@kubeadmit/go';
import { type CompiledMatch, compileMatch } from '@kubeadmit/matcher';
import type { Json } from '@kubeadmit/mutator';
import type { Schemas } from '@kubeadmit/schemas';
import { kindOf } from './convert-object.ts';
import type { BindingHook } from './hooks.ts';

/** The answer of kube-apiserver to the creation of a resource that it rejects. */
export interface ResourceProblem {
  /** `Kind/name`. */
  readonly resource: string;
  /** The message of kube-apiserver. */
  readonly message: string;
  /** The texts of the field errors; absent when the object could not be decoded. */
  readonly fields?: readonly string[];
}

/** Returns the problem of a resource that cannot be decoded. */
export function decodeProblem(
  resource: KubernetesObject,
  error: string | undefined,
): ResourceProblem {
  const name = `${kindOf(resource).kind}/${metadataString(resource, 'name')}`;
  return { resource: name, message: error ?? '' };
}

/** The result of reading a policy or binding: decoded with its defaults, or rejected. */
export type LoadedPolicy =
  | { readonly policy: KubernetesObject; readonly problem?: undefined }
  | { readonly problem: ResourceProblem };

/** The settings that policies are read and compiled with. */
export interface PolicyReading {
  readonly schemas: Schemas;
  readonly minor: number;
  /** The minor version of its code; see `ClusterOptions.emulated`. */
  readonly code: number;
  /** Called for every evaluation. */
  readonly observe?: ObserveEvaluation | undefined;
}

/** A policy or binding as it was read. */
export interface ReadEntry {
  /** The object, or a copy if the caller may edit it later: it is compiled when a request first matches it. */
  readonly resource: KubernetesObject;
  readonly loaded: LoadedPolicy;
}

const keptMatches = 1000;

/**
 * The compiled state that a chain of clusters shares, each of which reused the previous one.
 *
 * INVARIANT: it retains nothing that a cluster no longer contains, except a bounded number of match criteria.
 */
export class SharedPolicies {
  readonly compilers: PolicyCompilers;
  /** The results of reading resources that are never modified. */
  readonly read: WeakMap<KubernetesObject, LoadedPolicy> = new WeakMap();
  /** Bindings, ready for requests; see `policy-hook.ts`. */
  readonly bindingHooks: WeakMap<PolicyBinding, BindingHook> = new WeakMap();
  readonly #matches: Map<string, CompiledMatch> = new Map();
  readonly #validating: WeakMap<ValidatingSpec, CompiledValidatingPolicy> = new WeakMap();
  readonly #mutating: WeakMap<MutatingSpec, CompiledMutatingPolicy> = new WeakMap();

  constructor({ minor, observe, code }: PolicyReading) {
    this.compilers = new PolicyCompilers(minor, [], observe, code);
  }

  /** The criteria of a policy, compiled: one for all policies with the same, so that a request asks them once. */
  compiledMatch(criteria: MatchResources): CompiledMatch {
    const text = stringifyJson(criteria);
    const match = this.#matches.get(text) ?? compileMatch(criteria);
    if (this.#matches.size >= keptMatches) this.#matches.clear();
    this.#matches.set(text, match);
    return match;
  }

  /** The compiled form of a ValidatingAdmissionPolicy, created on first use. */
  compiledValidating(spec: ValidatingSpec): CompiledValidatingPolicy {
    return getOrMake(this.#validating, spec, () =>
      compileValidatingPolicy(spec, this.compilers.composing()),
    );
  }

  /** The compiled form of a MutatingAdmissionPolicy, created on first use. */
  compiledMutating(spec: MutatingSpec): CompiledMutatingPolicy {
    return getOrMake(this.#mutating, spec, () =>
      compileMutatingPolicy(spec, this.compilers.composing()),
    );
  }
}

/**
 * The policies and bindings of a cluster, read and compiled once. The next cluster takes over the unchanged ones
 * without validating or compiling them again.
 */
export class LoadedPolicies {
  readonly shared: SharedPolicies;
  readonly #reading: PolicyReading;
  readonly #entries: Map<string, ReadEntry[]> = new Map();
  /** The policies that may be reused; `undefined` once everything is loaded. */
  #previous: LoadedPolicies | undefined;

  constructor(reading: PolicyReading, previous: LoadedPolicies | undefined) {
    this.#reading = reading;
    if (previous !== undefined && isSameReading(previous.#reading, reading)) {
      this.#previous = previous;
    }
    this.shared = this.#previous?.shared ?? new SharedPolicies(reading);
  }

  get compilers(): PolicyCompilers {
    return this.shared.compilers;
  }

  /**
   * Returns the result of reading a policy or binding, and calls `read` only if the previous cluster did not
   * contain it.
   */
  load(resource: KubernetesObject, read: () => ReadEntry): LoadedPolicy {
    const key = [member(resource, 'kind'), metadataString(resource, 'name')].join('/');
    const before = this.#previous === undefined ? undefined : this.#previous.#entries.get(key);
    const known = before?.find(
      (entry) => entry.resource === resource || deepEqual(entry.resource as Json, resource as Json),
    );
    const entry = known ?? read();
    getOrMake(this.#entries, key, () => []).push(entry);
    return entry.loaded;
  }

  /** Releases the policies that were not reused. */
  finish(): void {
    this.#previous = undefined;
  }
}

function isSameReading(one: PolicyReading, other: PolicyReading): boolean {
  return (
    one.schemas === other.schemas &&
    one.minor === other.minor &&
    one.code === other.code &&
    one.observe === other.observe
  );
}
