import {
  compileLabelSelector,
  type KubernetesObject,
  labelsOf,
  metadataString,
  type Selector,
} from '@kubeadmit/apimachinery';
import {
  describeValue,
  type Expected,
  getOrMake,
  requireArgument,
  requireText,
  requireValue,
} from '@kubeadmit/base';
import type { ParamKind, ParamRef } from '@kubeadmit/engine';
import { compareText, search } from '@kubeadmit/go';

/** The parameters of one evaluation; null where the policy or the binding has none. */
export type Parameter = KubernetesObject | null;

/** The parameters that a binding gives its policy for a request. */
export type ParametersResult =
  /**
   * One evaluation per parameter: null for a policy without parameters, an empty list if `Allow` accepts that no
   * parameter exists.
   */
  | { readonly outcome: 'found'; readonly parameters: readonly Parameter[] }
  /** No parameters could be selected, for the reason in kube-apiserver's message; the failure policy decides. */
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
  whole: {
    members: ['kind', 'metadata', 'spec', 'paramRef'],
    called: 'the object that contains it',
  },
};

/**
 * Compiles `spec.paramRef`.
 *
 * @throws TypeError if the reference is invalid
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
  readonly byName: Map<string, KubernetesObject>;
}

/** The objects of one kind of parameters, of which each can change by itself, at the same cost however many there are. */
export class ParameterStore {
  /** Whether objects of the kind are in namespaces. */
  readonly namespaced: boolean;
  /** Whether objects of the kind can be listed. For kinds such as reviews no policy ever receives parameters. */
  readonly isWatched: boolean;
  /** By namespace, so that bindings do not look through all objects for the one that they name. */
  readonly #index: Map<string, Candidates> = new Map();

  /**
   * @param namespaced see {@link namespaced}
   * @param isWatched see {@link isWatched}
   */
  constructor(namespaced: boolean, isWatched: boolean = true) {
    requireValue('ParameterStore', namespaced, 'boolean', 'whether they lie in namespaces');
    this.namespaced = namespaced;
    this.isWatched = isWatched;
  }

  /** All objects, in the order of their namespaces and names. */
  get objects(): readonly KubernetesObject[] {
    const namespaces = [...this.#index.keys()].sort(compareText);
    return namespaces.flatMap((namespace) => this.#index.get(namespace)?.all ?? []);
  }

  /** Puts in an object, in the place of the one that has its name. */
  put(object: KubernetesObject): void {
    const namespace = this.#namespaceOf(object);
    const { all, byName } = getOrMake(this.#index, namespace, () => ({
      all: [],
      byName: new Map(),
    }));
    const name = metadataString(object, 'name');
    const place = placeOf(all, name);
    all.splice(place, byName.has(name) ? 1 : 0, object);
    byName.set(name, object);
  }

  /** Takes out the object that has the name of this one. */
  remove(object: KubernetesObject): void {
    const namespace = this.#namespaceOf(object);
    const candidates = this.#index.get(namespace);
    const name = metadataString(object, 'name');
    if (candidates?.byName.delete(name) !== true) return;
    candidates.all.splice(placeOf(candidates.all, name), 1);
    if (candidates.all.length === 0) this.#index.delete(namespace);
  }

  /** The objects of a namespace that a reference means. */
  choose(namespace: string, reference: CompiledParamRef): readonly KubernetesObject[] {
    const candidates = this.#index.get(this.namespaced ? namespace : '');
    return candidates === undefined ? [] : choose(candidates, reference);
  }

  #namespaceOf(object: KubernetesObject): string {
    return this.namespaced ? metadataString(object, 'namespace') : '';
  }
}

// The place of the first object whose name is not before this one.
function placeOf(objects: readonly KubernetesObject[], name: string): number {
  return search(objects.length, (i) => compareText(metadataString(objects[i], 'name'), name) >= 0);
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

const compiledReference: Expected = { what: 'the result of `compileParamRef`', has: 'reference' };
const kindOfParameters: Expected = { what: 'the `paramKind` of a policy', has: 'kind' };

/**
 * Finds the parameters that a binding gives its policy for a request in a namespace
 * (apiserver policy/generic CollectParams): one evaluation for each.
 *
 * @param store the objects of the policy's `paramKind`.
 * @throws TypeError for a reference that is not compiled
 */
export function collectParameters(
  paramKind: ParamKind | null | undefined,
  paramRef: CompiledParamRef | undefined,
  store: ParameterStore | undefined,
  requestNamespace: string,
): ParametersResult {
  requireText('collectParameters', requestNamespace);
  if (paramKind != null) requireArgument('collectParameters', paramKind, kindOfParameters);
  if (paramRef !== undefined) requireArgument('collectParameters', paramRef, compiledReference);
  if (paramKind == null || paramRef === undefined || store === undefined) {
    return { outcome: 'found', parameters: [null] };
  }
  if (!(store instanceof ParameterStore)) {
    throw new TypeError(
      `collectParameters: expected a ParameterStore, got ${describeValue(store)}`,
    );
  }
  const { namespace = '', parameterNotFoundAction } = paramRef.reference;
  const inNamespace = namespace === '' ? requestNamespace : namespace;
  if (store.namespaced && inNamespace === '') {
    const message =
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
    return { outcome: 'error', message };
  }
  if (!store.isWatched) {
    const { apiVersion = '', kind = '' } = paramKind;
    const shown = `&ParamKind{APIVersion:${apiVersion},Kind:${kind},}`;
    const message = `paramKind kind \`${shown}\` not yet synced to use for admission`;
    return { outcome: 'error', message };
  }
  if (!store.namespaced && namespace !== '') {
    const message = 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
    return { outcome: 'error', message };
  }
  const parameters = store.choose(inNamespace, paramRef);
  if (parameters.length === 0 && parameterNotFoundAction === 'Deny') {
    const message = 'no params found for policy binding with `Deny` parameterNotFoundAction';
    return { outcome: 'error', message };
  }
  return { outcome: 'found', parameters };
}
