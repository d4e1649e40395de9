import {
  apiVersionOf,
  evaluateMutation,
  type GroupVersionKind,
  internalErrorStatus,
  type KubernetesObject,
  kindText,
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
import { decode, findDefinition, listResources, type Schemas } from '@kubeadmit/schemas';
import type { MutateObject, MutationRequest, MutationResult } from './mutate-object.ts';

/**
 * Makes the mutations of one request: evaluates the expression, patches the object, and gives it the
 * form and the defaults that the server would (apiserver policy/mutating/dispatcher.go).
 */
export function makeMutateObject(schemas: Schemas, requestKind: GroupVersionKind): MutateObject {
  return (request) => new MutationMaker(schemas, requestKind, request).make();
}

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
    const evaluated = evaluateMutation(mutation, bindings, variables);
    if (evaluated.error !== undefined) return { outcome: 'error', message: evaluated.error };
    const patched =
      mutation.patchType === 'JSONPatch'
        ? this.patch(evaluated.value)
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
    return listResources(this.schemas).some(
      ({ group, version }) => group === kind.group && version === kind.version,
    );
  }

  private patch(value: Parameters<typeof operationsOf>[0]): MutationResult {
    const operations = operationsOf(value);
    if (typeof operations === 'string') return { outcome: 'error', message: operations };
    const { object } = this.request.versioned;
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
        return this.decodePatched(result.document as KubernetesObject);
    }
  }

  private decodePatched(object: KubernetesObject): MutationResult {
    if (this.isCustom) return { outcome: 'mutated', object };
    const { kind } = this.request.versioned;
    const typed = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object };
    const decoded = decode(this.schemas, typed, { kind, fieldValidation: 'Strict' });
    if (decoded.object !== undefined) return { outcome: 'mutated', object: decoded.object };
    return { outcome: 'status', status: internalErrorStatus(decoded.error ?? '') };
  }

  private apply(value: Parameters<typeof configurationOf>[0]): MutationResult {
    const { kind, object } = this.request.versioned;
    const configuration = configurationOf(value);
    if (typeof configuration === 'string') return { outcome: 'error', message: configuration };
    const apiVersion = object['apiVersion'] as string;
    const result = applyConfiguration({
      patch: { ...configuration, apiVersion, kind: object['kind'] as string },
      object: object as PatchObject,
      type: undefined,
      kind: kindText(kind),
    });
    if (result.outcome === 'error') return result;
    return { outcome: 'mutated', object: result.object as KubernetesObject };
  }

  private finish(object: KubernetesObject): MutationResult {
    const { kind } = this.request.versioned;
    if (this.isCustom) return { outcome: 'mutated', object };
    if (!sameKind(kind, this.requestKind)) {
      const from = `${kind.version}.${kind.kind}`;
      const to = `${this.requestKind.version}.${this.requestKind.kind}`;
      return {
        outcome: 'error',
        message: `converting (${from}) to (${to}): unknown conversion`,
      };
    }
    const decoded = decode(this.schemas, object, { kind });
    if (decoded.object !== undefined) return { outcome: 'mutated', object: decoded.object };
    return { outcome: 'error', message: decoded.error ?? '' };
  }
}
