import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
  type Status,
  sameKind,
} from '@kubeadmit/apimachinery';
import { internalErrorStatus, serviceUnavailableStatus } from '@kubeadmit/apimachinery/status';
import { isPlainObject } from '@kubeadmit/base';
import { SpecialValue } from '@kubeadmit/cel/values';
import { evaluateMutation } from '@kubeadmit/engine';
import type { CompiledMutation } from '@kubeadmit/engine/unstable-internal';
import type { Parameter } from '@kubeadmit/matcher';
import {
  applyConfiguration,
  applyJsonPatch,
  configurationOf,
  type Json,
  operationsOf,
  type PatchObject,
} from '@kubeadmit/mutator';
import type { Schemas } from '@kubeadmit/schemas';
import { withCustomDefaults } from '@kubeadmit/schemas/unstable-internal';
import { kindOf } from './convert-object.ts';
import type { EvaluationBindings } from './evaluation-bindings.ts';
import { fromUnstructured } from './from-unstructured.ts';
import type { ConstantConfiguration, MutatingHook } from './hooks.ts';
import { type KindFacts, kindFacts } from './kind-facts.ts';
import { readPatched } from './read-patched.ts';
import type { RequestContext } from './request-context.ts';
import { parameterRoots, type TypedRoot, TypedValues } from './typed-values.ts';
import type { VersionedObjects } from './versioned-objects.ts';
import { plainJson } from './write/plain-json.ts';

/** One mutation that is to be made. */
export interface MutationRequest {
  /** The policy that makes it. */
  readonly hook: MutatingHook;
  readonly mutation: CompiledMutation;
  readonly bindings: EvaluationBindings;
  readonly versioned: VersionedObjects;
  /** The current object. */
  readonly object: KubernetesObject;
  readonly parameter: Parameter;
}

export type MutationResult =
  | { readonly outcome: 'mutated'; readonly object: KubernetesObject }
  /** An error that is up to the failure policy. */
  | { readonly outcome: 'error'; readonly message: string }
  /** An error that ends the request, whatever the failure policy is. */
  | { readonly outcome: 'status'; readonly status: Status };

/**
 * Performs a mutation: evaluates the expression, patches the object, and applies the server's form and defaults
 * (apiserver policy/mutating/dispatcher.go).
 */
export function makeMutation(context: RequestContext, request: MutationRequest): MutationResult {
  return new MutationMaker(context, request).make();
}

interface Mutated {
  readonly outcome: 'mutated';
  readonly object: KubernetesObject;
  /** The apply configuration in the object. */
  readonly patch?: PatchObject;
}

type Patched = Mutated | Exclude<MutationResult, { readonly outcome: 'mutated' }>;

const dataVariables = ['object', 'oldObject', 'params', 'request', 'namespaceObject'];

class MutationMaker {
  readonly #context: RequestContext;
  readonly #schemas: Schemas;
  readonly #request: MutationRequest;
  readonly #facts: KindFacts;

  constructor(context: RequestContext, request: MutationRequest) {
    this.#context = context;
    this.#schemas = context.prepared.cluster.schemas;
    this.#request = request;
    this.#facts = kindFacts(this.#schemas, request.versioned.kind);
  }

  make(): MutationResult {
    const { hook, mutation, bindings } = this.#request;
    if (!this.#facts.hasSchema) {
      const text = `Resource kind ${this.#facts.text} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`;
      return { outcome: 'status', status: serviceUnavailableStatus(text) };
    }
    const known = this.#facts.isCustom ? undefined : hook.configurations?.get(mutation);
    if (known !== undefined) return this.#finish(this.#merge(known.patch, known.facts));
    let typed: TypedValues | undefined;
    const typedValues = (): TypedValues => {
      typed ??= this.#typedValues();
      return typed;
    };
    const { variables } = hook.compiled;
    const evaluated = evaluateMutation(mutation, bindings.validations, variables, (container) =>
      typedValues().form(container),
    );
    if (evaluated.error !== undefined) return { outcome: 'error', message: evaluated.error };
    return this.#finish(
      mutation.patchType === 'JSONPatch'
        ? this.#patch(evaluated.value, typedValues)
        : this.#apply(evaluated.value, typedValues),
    );
  }

  #patch(value: Parameters<typeof operationsOf>[0], typedValues: () => TypedValues): Patched {
    const operations = operationsOf(value, this.#forms(typedValues));
    if (typeof operations === 'string') return { outcome: 'error', message: operations };
    const { object: live } = this.#request;
    const object = this.#facts.isCustom ? plainJson(live) : live;
    // Decoding objects of built-in kinds sorts their members; messages name the first member by name.
    const isOrdered = this.#facts.hasGoForm;
    const result = applyJsonPatch(object as Json, operations, { keepOrder: isOrdered });
    switch (result.outcome) {
      case 'testFailed':
        return { outcome: 'mutated', object: live };
      case 'error':
        return { outcome: 'error', message: `JSON Patch: ${result.message}` };
      case 'panic':
        return {
          outcome: 'status',
          status: internalErrorStatus(
            'This request caused apiserver to panic. Look in the logs for details.',
          ),
        };
      case 'patched': {
        const read = this.#read(result.document);
        if (read.outcome === 'mutated' || !isOrdered) return read;
        const held = new TypedValues(this.#schemas, [{ value: object, kind: kindOf(live) }]);
        const sorted = applyJsonPatch(held.withSortedMaps(object) as Json, operations);
        return sorted.outcome === 'patched' ? this.#read(sorted.document) : read;
      }
    }
  }

  // The server's forms of the data that expressions see; values that expressions build are not data.
  #forms(typedValues: () => TypedValues): Parameters<typeof operationsOf>[1] & object {
    let lists: Set<object> | undefined;
    return {
      isData: (list) => {
        const value = this.#request.bindings.validations;
        lists ??= listsIn(dataVariables.map((name) => value(name)));
        return lists.has(list);
      },
      goType: (container) => typedValues().goType(container),
      isStruct: (container) => typedValues().form(container)?.kind === 'struct',
      plain: (container) => typedValues().plain(container),
      syntax: (container) => typedValues().syntax(container),
      problem: (container) => typedValues().problem(container),
    };
  }

  #typedValues(): TypedValues {
    const { hook, bindings, versioned, object, parameter } = this.#request;
    const roots: TypedRoot[] = [
      { value: bindings.validations('request'), kind: 'request' },
      {
        value: bindings.validations('namespaceObject'),
        kind: { group: '', version: 'v1', kind: 'Namespace' },
      },
      ...parameterRoots(parameter, hook.paramKind),
    ];
    if (versioned.typing.isObjectTyped) roots.push({ value: object, kind: versioned.kind });
    if (versioned.typing.isOldObjectTyped) {
      roots.push({ value: versioned.oldObject, kind: versioned.kind });
    }
    return this.#context.typedValues(roots);
  }

  #read(document: Json): MutationResult {
    const { kind } = this.#request.versioned;
    const { object: live } = this.#request;
    const object = readPatched(this.#schemas, document, {
      kind,
      isCustom: this.#facts.isCustom,
      live,
      now: this.#context.prepared.now,
    });
    if (typeof object !== 'string') return { outcome: 'mutated', object };
    return { outcome: 'status', status: internalErrorStatus(object) };
  }

  #apply(value: Parameters<typeof configurationOf>[0], typedValues: () => TypedValues): Patched {
    const { hook, mutation } = this.#request;
    const configuration = configurationOf(value, this.#forms(typedValues));
    if (typeof configuration === 'string') return { outcome: 'error', message: configuration };
    const patch = withoutHead(configuration);
    // Reading copies the contents of an object of a built-in kind; custom resources keep them, and later steps may
    // modify them.
    if (mutation.compiled.program?.isConstant && !this.#facts.isCustom) {
      hook.configurations ??= new Map();
      hook.configurations.set(mutation, { patch: frozen(patch), facts: {} });
    }
    return this.#merge(patch);
  }

  #merge(patch: PatchObject, facts?: ConstantConfiguration['facts']): Patched {
    const { versioned, object } = this.#request;
    const { kind } = versioned;
    // A JSON patch before may have made it another kind, or another version of a built-in one.
    const own = kindOf(object);
    const isSame = sameKind(own, kind);
    const ownFacts = isSame ? this.#facts : kindFacts(this.#schemas, own);
    const result = applyConfiguration({
      patch,
      facts,
      object: object as PatchObject,
      type: isSame || !this.#facts.isCustom ? ownFacts.merge : undefined,
      kind: ownFacts.text,
      isDecoded: ownFacts.hasGoForm,
      keepsNilLists: this.#facts.isCustom,
    });
    if (result.outcome === 'error') return result;
    return { outcome: 'mutated', object: result.object as KubernetesObject, patch };
  }

  #finish(patched: Patched): MutationResult {
    if (patched.outcome !== 'mutated') return patched;
    const { object, patch } = patched;
    const { kind } = this.#request.versioned;
    if (this.#facts.isCustom) {
      return { outcome: 'mutated', object: withCustomDefaults(this.#schemas, kind, object) };
    }
    // A JSON patch may have given the object another version.
    const own = object['apiVersion'] === this.#facts.apiVersion ? kind : kindOf(object);
    const { kind: requestKind } = this.#context.request;
    if (!sameKind(own, requestKind)) {
      return { outcome: 'error', message: noConversion(own, requestKind) };
    }
    if (patch === undefined) return { outcome: 'mutated', object };
    const { object: live } = this.#request;
    const converted = fromUnstructured(this.#schemas, object, {
      kind: own,
      live,
      patch,
      now: this.#context.prepared.now,
    });
    if (typeof converted !== 'string') return { outcome: 'mutated', object: converted };
    return { outcome: 'error', message: converted };
  }
}

// The server converts between versions of built-in kinds only through the internal form.
function noConversion(from: GroupVersionKind, to: GroupVersionKind): string {
  const type = `${from.version}.${from.kind}`;
  if (from.group !== to.group) {
    const target = JSON.stringify(formatGroupVersion(to));
    return `${type} is not suitable for converting to ${target} in scheme "pkg/runtime/scheme.go:111"`;
  }
  return `converting (${type}) to (${to.version}.${to.kind}): unknown conversion`;
}

// The configuration always has the API version and kind of its object; values from the expression are dropped.
function withoutHead(configuration: PatchObject): PatchObject {
  if (!Object.hasOwn(configuration, 'apiVersion') && !Object.hasOwn(configuration, 'kind')) {
    return configuration;
  }
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = configuration;
  return rest;
}

// Values that are not JSON never change by themselves.
function frozen<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) {
    if (Array.isArray(member) || isPlainObject(member)) frozen(member);
  }
  return Object.freeze(value);
}

function listsIn(values: readonly unknown[], found: Set<object> = new Set()): Set<object> {
  for (const value of values) {
    if (typeof value !== 'object' || value === null || value instanceof SpecialValue) continue;
    if (Array.isArray(value)) found.add(value);
    listsIn(Object.values(value), found);
  }
  return found;
}
