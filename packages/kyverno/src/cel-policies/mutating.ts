import { CelError, type Value } from '@kubeadmit/cel';
import { kindText } from '@kubeadmit/engine';
import {
  applyConfiguration,
  applyJsonPatch,
  configurationOf,
  type Json,
  operationsOf,
  type PatchObject,
} from '@kubeadmit/mutator';
import { mergeType, type Schemas } from '@kubeadmit/schemas';
import { isObject, type JsonObject } from '../values/value.ts';
import { auditAnnotationsOf, prepare } from './evaluate.ts';
import type { CelPolicy, CompiledMutation, CompiledSpec } from './policy.ts';
import { type CelRequest, type CelResult, matchesRequest, requestBindings } from './request.ts';
import { brokenPolicy } from './validating.ts';

/** What one spec of a MutatingPolicy says of a request. */
export interface MutatingResponse {
  readonly results: readonly CelResult[];
  /** The object that it made; undefined where it made none. */
  readonly object: JsonObject | undefined;
}

/** Asks a MutatingPolicy about a request, each of its specs about what the one before made. */
export function mutateRequest(
  policy: CelPolicy,
  request: CelRequest,
  schemas: Schemas,
): readonly MutatingResponse[] {
  const broken = brokenPolicy(policy);
  if (broken !== undefined) return [{ results: [broken], object: undefined }];
  const responses: MutatingResponse[] = [];
  let current = request;
  for (const spec of policy.specs) {
    const matches = matchesRequest(policy, spec, current);
    if (typeof matches === 'string') {
      const message = `failed to execute matching: ${matches}`;
      responses.push({ results: [{ status: 'error', message }], object: undefined });
    } else if (matches) {
      const { result, object } = mutate(policy, spec, current, schemas);
      responses.push({ results: [result], object });
      if (object !== undefined) {
        current = { ...current, attributes: { ...current.attributes, object: object as never } };
      }
    } else if (!spec.isSilent) {
      responses.push({ results: [], object: undefined });
    }
  }
  return responses;
}

function mutate(
  policy: CelPolicy,
  spec: CompiledSpec,
  request: CelRequest,
  schemas: Schemas,
): { readonly result: CelResult; readonly object: JsonObject | undefined } {
  let object = request.attributes.object as JsonObject | null;
  const bindings = requestBindings(request);
  const prepared = prepare(policy, spec, bindings, (name) =>
    name === 'object' ? (object as Value) : undefined,
  );
  if (prepared.outcome === 'decided') return { result: prepared.result, object: undefined };
  const failed = (message: string) => ({
    result: { status: 'error' as const, message: `failed to evaluate policy: ${message}` },
    object: undefined,
  });
  for (const mutation of spec.mutations) {
    const { value } = mutation.program.evaluate(prepared.lookup);
    if (value instanceof CelError) return failed(value.message);
    const patched = patch(mutation, value, object ?? {}, request, schemas);
    if (typeof patched === 'string') return failed(patched);
    object = patched;
  }
  const annotations = auditAnnotationsOf(spec, prepared.lookup);
  if (typeof annotations === 'string') return failed(annotations);
  return { result: { status: 'pass', message: 'success' }, object: object ?? undefined };
}

/** The object with a patch, or why it cannot be applied. */
function patch(
  { type }: CompiledMutation,
  value: Value,
  object: JsonObject,
  { attributes }: CelRequest,
  schemas: Schemas,
): JsonObject | string {
  if (type === 'JSONPatch') {
    const operations = operationsOf(value);
    if (typeof operations === 'string') return operations;
    const patched = applyJsonPatch(object as Json, operations);
    if (patched.outcome === 'testFailed') return object;
    if (patched.outcome === 'panic') return 'JSON Patch: the patch cannot be applied';
    if (patched.outcome === 'error') return `JSON Patch: ${patched.message}`;
    return isObject(patched.document) ? patched.document : 'JSON Patch: no object is left';
  }
  const data = listsOf(object);
  const configuration = configurationOf(value, (list) => data.has(list));
  if (typeof configuration === 'string') return configuration;
  const { kind } = attributes;
  const applied = applyConfiguration({
    patch: {
      ...configuration,
      apiVersion: object['apiVersion'] as string,
      kind: object['kind'] as string,
    },
    object: object as PatchObject,
    type: mergeType(schemas, kind),
    kind: kindText(kind),
  });
  return applied.outcome === 'error' ? applied.message : (applied.object as JsonObject);
}

/** The lists in an object, as opposed to those that an expression builds. */
function listsOf(value: unknown, found: Set<object> = new Set()): Set<object> {
  if (typeof value !== 'object' || value === null) return found;
  if (Array.isArray(value)) found.add(value);
  for (const item of Object.values(value)) listsOf(item, found);
  return found;
}
