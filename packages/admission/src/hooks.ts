import type {
  CompiledMutatingPolicy,
  CompiledValidatingPolicy,
  MutatingPolicy,
  ValidatingPolicy,
} from '@kubeadmit/engine';
import type { CompiledMutation, ParamKind } from '@kubeadmit/engine/internal';
import type { CompiledMatch, CompiledParamRef, ParameterStore } from '@kubeadmit/matcher';
import type { PatchObject } from '@kubeadmit/mutator';
import type { PolicyTrace } from './trace.ts';

/** A binding, ready for requests. */
export interface BindingHook {
  readonly name: string;
  /** `undefined` when the binding takes everything that its policy matches. */
  readonly match: CompiledMatch | undefined;
  readonly paramRef: CompiledParamRef | undefined;
  readonly actions: readonly string[];
}

/** A policy with its bindings, ready for requests. */
export interface PolicyHook<Policy, Compiled> {
  readonly name: string;
  readonly policy: Policy;
  readonly match: CompiledMatch;
  readonly paramKind: ParamKind | undefined;
  readonly parameters: ParameterStore | undefined;
  /** Why the policy cannot work, found only for requests that it matches. */
  readonly configurationError: string | undefined;
  readonly failurePolicy: string;
  readonly bindings: readonly BindingHook[];
  /** It has one binding, for all that it matches, and no parameters: what most policies are. */
  readonly isPlain: boolean;
  /** What it said when it last let a request in, if it is plain: the same of all that it matches in the same way. */
  admission: PolicyTrace | undefined;
  /** The apply configurations of mutations that read nothing: the same for all requests. */
  configurations: Map<CompiledMutation, PatchObject> | undefined;
  readonly compiled: Compiled;
}

export type ValidatingHook = PolicyHook<ValidatingPolicy, CompiledValidatingPolicy>;
export type MutatingHook = PolicyHook<MutatingPolicy, CompiledMutatingPolicy>;
