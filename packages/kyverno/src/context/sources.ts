import type { JsonObject } from '@kubeadmit/apimachinery';
import type { ImageVerifier, SourceAnswer } from './image-verifier.ts';

/** Data from outside the request that context entries read, as far as they are given. */
export interface ContextSources {
  /** The ConfigMap of a namespace and name; without the function such entries are not loaded. */
  readonly configMap?: (namespace: string, name: string) => JsonObject | undefined;
  /** The answer of an API or service; without the function, or one, such entries are not loaded. */
  readonly apiCall?: (entry: JsonObject, policyNamespace: string) => SourceAnswer | 'unavailable';
  /** Returns the registry's data about an image; without the function such entries are not loaded. */
  readonly imageRegistry?: (reference: string) => SourceAnswer;
  /** Verifies images; without it, rules that verify images have no result. */
  readonly images?: ImageVerifier;
  /** A global context entry, or one of its projections; without the function such entries are not loaded. */
  readonly globalReference?: (name: string) => SourceAnswer;
  /** The objects that may be parameters of rules with `validate.cel`; without the function there are none. */
  readonly parameters?: () => readonly JsonObject[];
  /** The objects that a rule with `generate` finds: sources of clones, and in a cluster existing targets. */
  readonly clones?: (rule: string) => readonly JsonObject[];
  /** Whether values give the data of an entry, which is then not loaded. */
  readonly isGiven?: (entry: string) => boolean;
  /** Variables by dotted names that are written whenever the context of a rule loads. */
  readonly values?: ReadonlyMap<string, unknown>;
  /** Such variables for the rule of a name, in the place of `values`. */
  readonly valuesOf?: (rule: string) => ReadonlyMap<string, unknown> | undefined;
}

export type { SourceAnswer } from './image-verifier.ts';
