import type {
  CompiledMutatingPolicy,
  CompiledValidatingPolicy,
  MutatingPolicy,
  ParamKind,
  ValidatingPolicy,
} from '@kubeadmit/engine';
import type { CompiledMutation } from '@kubeadmit/engine/unstable-internal';
import type { CompiledMatch, CompiledParamRef, ParameterStore } from '@kubeadmit/matcher';
import type { ApplyRequest, PatchObject } from '@kubeadmit/mutator';
import type { PolicyTrace } from './trace.ts';

/** A binding, ready for requests. */
export interface BindingHook {
  readonly name: string;
  /** `undefined` when the binding takes everything that its policy matches. */
  readonly match: CompiledMatch | undefined;
  readonly paramRef: CompiledParamRef | undefined;
  readonly actions: readonly string[];
}

/** The apply configuration of an expression without inputs; it is never modified. */
export interface ConstantConfiguration {
  readonly patch: PatchObject;
  readonly facts: NonNullable<ApplyRequest['facts']>;
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
  /** Whether the policy has one binding without restrictions and no parameters, as most policies do. */
  readonly isPlain: boolean;
  /**
   * The cached trace of the last request that this plain policy allowed; it is the same for all requests that match
   * in the same way.
   */
  admission: PolicyTrace | undefined;
  /** The apply configurations of mutations that read nothing: the same for all requests. */
  configurations: Map<CompiledMutation, ConstantConfiguration> | undefined;
  readonly compiled: Compiled;
}

export type ValidatingHook = PolicyHook<ValidatingPolicy, CompiledValidatingPolicy>;
export type MutatingHook = PolicyHook<MutatingPolicy, CompiledMutatingPolicy>;
