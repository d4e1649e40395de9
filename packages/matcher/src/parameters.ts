import {
  compileLabelSelector,
  type KubernetesObject,
  labelsOf,
  metadataString,
  type Selector,
} from '@kubeadmit/apimachinery';
import { requireArgument } from '@kubeadmit/apimachinery/internal';
import type { ParamKind, ParamRef } from '@kubeadmit/engine/internal';

/** The objects of one kind of parameters. */
export interface ParameterStore {
  /** Whether objects of the kind are in namespaces. */
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
  /** As the binding has it. */
  readonly reference: ParamRef;
  /** `undefined` where the reference names an object. */
  readonly selector: Selector | undefined;
}

const paramRef = {
  what: 'the `paramRef` of a binding',
  whole: { members: ['kind', 'metadata', 'spec', 'paramRef'], called: 'what is around it' },
};

/**
 * Prepares `spec.paramRef`.
 *
 * @throws TypeError for what is none
 */
export function compileParamRef(reference: ParamRef): CompiledParamRef {
  requireArgument('compileParamRef', reference, paramRef);
  const selector =
    reference.selector == null ? undefined : compileLabelSelector(reference.selector);
  return { reference, selector };
}

/** Objects of one namespace, or all where there are no namespaces. */
interface Candidates {
  readonly all: KubernetesObject[];
  /** The first object of each name. */
  readonly byName: Map<string, KubernetesObject>;
}

const indexes = new WeakMap<ParameterStore, ReadonlyMap<string, Candidates>>();

// By namespace, so that bindings do not look through all objects for the one that they name.
function indexOf(store: ParameterStore): ReadonlyMap<string, Candidates> {
  const known = indexes.get(store);
  if (known !== undefined) return known;
  const index = new Map<string, Candidates>();
  for (const object of store.objects) {
    const namespace = store.namespaced ? metadataString(object, 'namespace') : '';
    const candidates: Candidates = index.get(namespace) ?? { all: [], byName: new Map() };
    index.set(namespace, candidates);
    candidates.all.push(object);
    const name = metadataString(object, 'name');
    if (!candidates.byName.has(name)) candidates.byName.set(name, object);
  }
  indexes.set(store, index);
  return index;
}

function choose(
  { all, byName }: Candidates,
  { reference, selector }: CompiledParamRef,
): readonly KubernetesObject[] {
  const { name = '' } = reference;
  if (name !== '') {
    const named = byName.get(name);
    return named === undefined ? [] : [named];
  }
  return all.filter((object) => selector?.matches(labelsOf(object)) ?? false);
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
  const { namespace = '', parameterNotFoundAction } = paramRef.reference;
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
  const candidates = indexOf(store).get(store.namespaced ? inNamespace : '');
  const parameters = candidates === undefined ? [] : choose(candidates, paramRef);
  if (parameters.length === 0 && parameterNotFoundAction === 'Deny') {
    const message = 'no params found for policy binding with `Deny` parameterNotFoundAction';
    return { outcome: 'error', message };
  }
  return { outcome: 'found', parameters };
}
