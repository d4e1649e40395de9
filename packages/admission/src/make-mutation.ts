import { SpecialValue, withGoForms } from '@kubeadmit/cel';
import {
  apiVersionOf,
  evaluateMutation,
  type GroupVersionKind,
  internalErrorStatus,
  type KubernetesObject,
  kindText,
  parseApiVersion,
  sameKind,
  serviceUnavailableStatus,
} from '@kubeadmit/engine';
import {
  applyConfiguration,
  applyJsonPatch,
  configurationOf,
  type Json,
  operationsOf,
  type PatchObject,
} from '@kubeadmit/mutator';
import {
  findDefinition,
  hasGoForm,
  listResources,
  mergeType,
  type Schemas,
  withCustomDefaults,
} from '@kubeadmit/schemas';
import { kindOf } from './convert-object.ts';
import { fromUnstructured } from './from-unstructured.ts';
import type { MutateObject, MutationRequest, MutationResult } from './mutate-object.ts';
import { readPatched } from './read-patched.ts';
import { type TypedRoot, TypedValues } from './typed-values.ts';

/**
 * Makes the mutations of one request: evaluates the expression, patches the object, and gives it the
 * form and the defaults that the server would (apiserver policy/mutating/dispatcher.go).
 */
export function makeMutateObject(schemas: Schemas, requestKind: GroupVersionKind): MutateObject {
  return (request) => new MutationMaker(schemas, requestKind, request).make();
}

const dataVariables = ['object', 'oldObject', 'params', 'request', 'namespaceObject'];

class MutationMaker {
  private readonly schemas: Schemas;
  private readonly requestKind: GroupVersionKind;
  private readonly request: MutationRequest;
  private readonly isCustom: boolean;

  constructor(schemas: Schemas, requestKind: GroupVersionKind, request: MutationRequest) {
    this.schemas = schemas;
    this.requestKind = requestKind;
    this.request = request;
    this.isCustom = findDefinition(schemas, request.versioned.kind) !== undefined;
  }

  make(): MutationResult {
    const { mutation, variables, bindings, versioned } = this.request;
    if (!this.hasSchema()) {
      const text = `Resource kind ${kindText(versioned.kind)} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`;
      return { outcome: 'status', status: serviceUnavailableStatus(text) };
    }
    let typed: TypedValues | undefined;
    const typedValues = (): TypedValues => {
      typed ??= this.typedValues();
      return typed;
    };
    const evaluated = withGoForms(
      (container) => typedValues().form(container),
      () => evaluateMutation(mutation, bindings.validations, variables),
    );
    if (evaluated.error !== undefined) return { outcome: 'error', message: evaluated.error };
    const patched =
      mutation.patchType === 'JSONPatch'
        ? this.patch(evaluated.value, typedValues)
        : this.apply(evaluated.value);
    return patched.outcome === 'mutated' ? this.finish(patched.object) : patched;
  }

  // Whether the group and version of the kind have published schemas.
  private hasSchema(): boolean {
    const { kind } = this.request.versioned;
    const custom = findDefinition(this.schemas, kind);
    if (custom !== undefined) {
      return custom.version?.served === true && custom.version.schema !== undefined;
    }
    return builtinVersions(this.schemas).has(apiVersionOf(kind));
  }

  private patch(
    value: Parameters<typeof operationsOf>[0],
    typedValues: () => TypedValues,
  ): MutationResult {
    const operations = operationsOf(value, (container) => typedValues().problem(container));
    if (typeof operations === 'string') return { outcome: 'error', message: operations };
    const { object } = this.request;
    const result = applyJsonPatch(object as Json, operations);
    switch (result.outcome) {
      case 'testFailed':
        return { outcome: 'mutated', object };
      case 'error':
        return { outcome: 'error', message: `JSON Patch: ${result.message}` };
      case 'panic':
        return {
          outcome: 'status',
          status: internalErrorStatus(
            'This request caused apiserver to panic. Look in the logs for details.',
          ),
        };
      case 'patched':
        return this.read(result.document);
    }
  }

  // The lists in the data that expressions see, as opposed to those that they build.
  private data(): { has(list: object): boolean } {
    let found: Set<object> | undefined;
    return {
      has: (list) => {
        const value = this.request.bindings.validations;
        found ??= listsIn(dataVariables.map((name) => value(name)));
        return found.has(list);
      },
    };
  }

  private typedValues(): TypedValues {
    const { bindings, versioned, object, paramKind, parameter } = this.request;
    const roots: TypedRoot[] = [
      { value: bindings.validations('request'), kind: 'request' },
      {
        value: bindings.validations('namespaceObject'),
        kind: { group: '', version: 'v1', kind: 'Namespace' },
      },
    ];
    if (paramKind !== undefined) {
      const { apiVersion = '', kind = '' } = paramKind;
      roots.push({ value: parameter, kind: { ...parseApiVersion(apiVersion), kind } });
    }
    if (versioned.typing.isObjectTyped) roots.push({ value: object, kind: versioned.kind });
    if (versioned.typing.isOldObjectTyped) {
      roots.push({ value: versioned.oldObject, kind: versioned.kind });
    }
    return new TypedValues(this.schemas, roots);
  }

  private read(document: Json): MutationResult {
    const { kind } = this.request.versioned;
    const { object: live } = this.request;
    const object = readPatched(this.schemas, document, { kind, isCustom: this.isCustom, live });
    if (typeof object !== 'string') return { outcome: 'mutated', object };
    return { outcome: 'status', status: internalErrorStatus(object) };
  }

  private apply(value: Parameters<typeof configurationOf>[0]): MutationResult {
    const { versioned, object } = this.request;
    const { kind } = versioned;
    const data = this.data();
    const configuration = configurationOf(value, (list) => data.has(list));
    if (typeof configuration === 'string') return { outcome: 'error', message: configuration };
    // A JSON patch before may have made it another kind.
    const own = kindOf(object);
    const result = applyConfiguration({
      patch: withoutHead(configuration),
      object: object as PatchObject,
      type: sameKind(own, kind) ? mergeType(this.schemas, kind) : undefined,
      kind: kindText(own),
      isDecoded: hasGoForm(this.schemas, own),
    });
    if (result.outcome === 'error') return result;
    return { outcome: 'mutated', object: result.object as KubernetesObject };
  }

  private finish(object: KubernetesObject): MutationResult {
    const { kind } = this.request.versioned;
    if (this.isCustom) {
      return { outcome: 'mutated', object: withCustomDefaults(this.schemas, kind, object) };
    }
    if (!sameKind(kind, this.requestKind)) {
      const from = `${kind.version}.${kind.kind}`;
      const to = `${this.requestKind.version}.${this.requestKind.kind}`;
      return {
        outcome: 'error',
        message: `converting (${from}) to (${to}): unknown conversion`,
      };
    }
    if (this.request.mutation.patchType === 'JSONPatch') return { outcome: 'mutated', object };
    const { object: live } = this.request;
    const converted = fromUnstructured(this.schemas, object, live, kind);
    if (typeof converted !== 'string') return { outcome: 'mutated', object: converted };
    return { outcome: 'error', message: converted };
  }
}

// A configuration has the API version and kind of its object, whatever the expression says of them.
function withoutHead(configuration: PatchObject): PatchObject {
  if (!Object.hasOwn(configuration, 'apiVersion') && !Object.hasOwn(configuration, 'kind')) {
    return configuration;
  }
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = configuration;
  return rest;
}

const builtin = new WeakMap<Schemas, ReadonlySet<string>>();

// The API versions that have built-in resources.
function builtinVersions(schemas: Schemas): ReadonlySet<string> {
  const known =
    builtin.get(schemas) ??
    new Set(
      listResources(schemas)
        .filter(({ definition }) => definition === undefined)
        .map(apiVersionOf),
    );
  builtin.set(schemas, known);
  return known;
}

function listsIn(values: readonly unknown[], found: Set<object> = new Set()): Set<object> {
  for (const value of values) {
    if (typeof value !== 'object' || value === null || value instanceof SpecialValue) continue;
    if (Array.isArray(value)) found.add(value);
    listsIn(Object.values(value), found);
  }
  return found;
}
