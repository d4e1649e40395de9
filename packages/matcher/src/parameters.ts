import type { KubernetesObject, ParamKind, ParamRef } from '@kubeadmit/engine';
import { labelsOf, metadataText } from '@kubeadmit/engine';
import { compileSelector, type Selector } from './label-selector.ts';

/** The objects of one kind of parameters. */
export interface ParameterStore {
  readonly namespaced: boolean;
  /** All objects, in the order of their namespaces and names. */
  readonly objects: readonly KubernetesObject[];
}

/** The parameters of one evaluation; null where the policy or the binding has none. */
export type Parameter = KubernetesObject | null;

/** The parameters that a binding gives its policy for a request. */
export type ParametersResult =
  | { readonly outcome: 'found'; readonly parameters: readonly Parameter[] }
  | { readonly outcome: 'error'; readonly message: string };

/** A reference to parameters, ready to be followed. */
export interface CompiledParamRef {
  readonly reference: ParamRef;
  readonly selector: Selector | undefined;
}

/** Prepares `spec.paramRef`. */
export function compileParamRef(reference: ParamRef): CompiledParamRef {
  const selector = reference.selector == null ? undefined : compileSelector(reference.selector);
  return { reference, selector };
}

/**
 * Finds the parameters that a binding gives its policy for a request in a namespace
 * (apiserver policy/generic CollectParams): one evaluation for each.
 *
 * @param store the objects of the policy's `paramKind`.
 */
export function collectParameters(
  paramKind: ParamKind | null | undefined,
  paramRef: CompiledParamRef | undefined,
  store: ParameterStore | undefined,
  requestNamespace: string,
): ParametersResult {
  if (paramKind == null || paramRef === undefined || store === undefined) {
    return { outcome: 'found', parameters: [null] };
  }
  const { name = '', namespace = '', parameterNotFoundAction } = paramRef.reference;
  const inNamespace = namespace === '' ? requestNamespace : namespace;
  if (store.namespaced && inNamespace === '') {
    const message =
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
    return { outcome: 'error', message };
  }
  if (!store.namespaced && namespace !== '') {
    const message = 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
    return { outcome: 'error', message };
  }
  const parameters = store.objects.filter((object) => {
    if (store.namespaced && metadataText(object, 'namespace') !== inNamespace) return false;
    if (name !== '') return metadataText(object, 'name') === name;
    return paramRef.selector?.matches(labelsOf(object)) ?? false;
  });
  if (name !== '' && parameters.length > 1) parameters.length = 1;
  if (parameters.length === 0 && parameterNotFoundAction === 'Deny') {
    const message = 'no params found for policy binding with `Deny` parameterNotFoundAction';
    return { outcome: 'error', message };
  }
  return { outcome: 'found', parameters };
}
