import type { GroupVersionKind, JsonObject } from '@kubeadmit/apimachinery';
import { requireArgument } from '@kubeadmit/base';
import { CelError, type Value } from '@kubeadmit/cel';
import type { Schemas } from '@kubeadmit/schemas';
import { requireCelArguments } from './arguments.ts';
import { auditAnnotationsOf, prepare, skipped } from './evaluate.ts';
import { patchObject } from './patch.ts';
import type { CelPolicy, CompiledSpec } from './policy.ts';
import {
  type Bindings,
  type CelRequest,
  type CelResult,
  matchesRequest,
  policyBindings,
} from './request.ts';
import { brokenPolicy } from './validating.ts';

/** The result of one spec of a MutatingPolicy for a request. */
export interface MutatingResponse {
  readonly results: readonly CelResult[];
  /** The object that it made; undefined where it made none. */
  readonly object: JsonObject | undefined;
}

/**
 * Applies a MutatingPolicy to a request, each of its specs to the result of the previous one.
 *
 * @throws TypeError if the policy was not created by `compileCelPolicy`, or the request or the schemas are invalid
 */
export function mutateRequest(
  policy: CelPolicy,
  request: CelRequest,
  schemas: Schemas,
): readonly MutatingResponse[] {
  requireCelArguments('mutateRequest', policy, request);
  requireArgument('mutateRequest', schemas, { what: 'schemas from `await loadSchemas()`' });
  const { kind, name, namespace } = policy;
  request.trace?.policy({ kind, policy: name, namespace, type: 'Mutation' });
  const broken = brokenPolicy(policy);
  if (broken !== undefined) return [{ results: [broken], object: undefined }];
  const responses: MutatingResponse[] = [];
  let current: CelRequest = { sentObject: request.attributes.object as JsonObject, ...request };
  for (const spec of policy.specs) {
    const matches = matchesRequest(policy, spec, current);
    if (typeof matches === 'string') {
      const message = `failed to execute matching: ${matches}`;
      responses.push({ results: [{ rule: 'match', status: 'error', message }], object: undefined });
    } else if (matches) {
      const { object: given, kind } = current.attributes;
      const subject = { object: given as JsonObject | null, kind };
      const { result, object } = mutate(
        policy,
        spec,
        subject,
        policyBindings(current, true),
        schemas,
      );
      responses.push({ results: [result], object });
      if (object !== undefined) {
        request.trace?.change(given, object);
        current = { ...current, attributes: { ...current.attributes, object: object as never } };
      }
    } else if (!spec.isSilent) {
      responses.push({ results: [], object: undefined });
    }
  }
  return responses;
}

/** An object to be changed, and its kind. */
export interface MutationSubject {
  readonly object: JsonObject | null;
  readonly kind: GroupVersionKind;
}

/** Evaluates conditions and exceptions, then applies the mutations of a spec to an object. */
export function mutate(
  policy: CelPolicy,
  spec: CompiledSpec,
  subject: MutationSubject,
  bindings: Bindings,
  schemas: Schemas,
): { readonly result: CelResult; readonly object: JsonObject | undefined } {
  let { object } = subject;
  const prepared = prepare(policy, spec, bindings, (name) =>
    name === 'object' ? (object as Value) : undefined,
  );
  if (prepared.outcome !== 'evaluate') {
    const result = prepared.outcome === 'decided' ? prepared.result : skipped;
    return { result, object: undefined };
  }
  const failed = (message: string) => ({
    result: {
      rule: 'evaluation' as const,
      status: 'error' as const,
      message: `failed to evaluate policy: ${message}`,
    },
    object: undefined,
  });
  for (const mutation of spec.mutations) {
    const { value } = mutation.program.evaluate(prepared.lookup);
    if (value instanceof CelError) return failed(value.message);
    const patched = patchObject(mutation.type, value, object ?? {}, subject.kind, schemas);
    if (typeof patched === 'string') return failed(patched);
    object = patched;
  }
  const annotations = auditAnnotationsOf(spec, prepared.lookup);
  if (typeof annotations === 'string') return failed(annotations);
  return { result: { status: 'pass', message: 'success' }, object: object ?? undefined };
}
