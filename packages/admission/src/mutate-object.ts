import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { CompiledMutation } from '@kubeadmit/engine/internal';
import type { Parameter } from '@kubeadmit/matcher';
import type { EvaluationBindings } from './evaluation-bindings.ts';
import type { MutatingHook } from './hooks.ts';
import type { VersionedObjects } from './versioned-objects.ts';

/** One mutation that is to be made. */
export interface MutationRequest {
  /** The policy that makes it. */
  readonly hook: MutatingHook;
  readonly mutation: CompiledMutation;
  readonly bindings: EvaluationBindings;
  readonly versioned: VersionedObjects;
  /** The object as it is now. */
  readonly object: KubernetesObject;
  readonly parameter: Parameter;
}

/** What a mutation made of an object. */
export type MutationResult =
  | { readonly outcome: 'mutated'; readonly object: KubernetesObject }
  /** An error that is up to the failure policy. */
  | { readonly outcome: 'error'; readonly message: string }
  /** An error that ends the request, whatever the failure policy is. */
  | { readonly outcome: 'status'; readonly status: Status };

/** Makes one mutation of an object. */
export type MutateObject = (request: MutationRequest) => MutationResult;
