import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  type CelPolicy,
  type CelRequest,
  type CelResult,
  type CelSources,
  mutateExisting,
  mutateRequest,
  validatePayload,
  validateRequest,
} from '@kubeadmit/kyverno';
import type { Schemas } from '@kubeadmit/schemas';
import type { Response, Result } from './response.ts';

/** What MutatingPolicies say of a request, and the object that all of them together make. */
export function applyMutating(
  policies: readonly CelPolicy[],
  request: CelRequest,
  schemas: Schemas,
): readonly Response[] {
  let current = request;
  const said: { readonly policy: CelPolicy; readonly results: readonly Result[] }[] = [];
  for (const policy of policies) {
    for (const { results, object } of mutateRequest(policy, current, schemas)) {
      said.push({ policy, results: results.map((one) => resultOf(one, 'Mutation')) });
      if (object === undefined) continue;
      current = { ...current, attributes: { ...current.attributes, object: object as never } };
    }
  }
  const object = (current.attributes.object ?? undefined) as JsonObject | undefined;
  return said.map(({ policy, results }) => responseOf(policy, results, object));
}

/** What MutatingPolicies make of existing objects because of a request. */
export function applyToExisting(
  policies: readonly CelPolicy[],
  request: CelRequest,
  existing: readonly CelRequest['attributes'][],
  schemas: Schemas,
): readonly Response[] {
  return mutateExisting(policies, request, existing, schemas).map(({ policy, result, object }) => {
    const said = resultOf(result, 'Mutation');
    const target =
      said.status === 'pass' && object !== undefined ? { ...said, target: object } : said;
    return responseOf(policy, [target], undefined);
  });
}

/** What ValidatingPolicies say of a request; those of the mode JSON see its object as any JSON. */
export function applyValidating(
  policies: readonly CelPolicy[],
  request: CelRequest,
): readonly Response[] {
  const object = (request.attributes.object ?? undefined) as JsonObject | undefined;
  return policies.flatMap((policy) => {
    if (policy.mode === 'JSON') {
      return object === undefined ? [] : [applyToPayload(policy, object, request.sources)];
    }
    return validateRequest(policy, request).map((results) =>
      responseOf(
        policy,
        results.map((one) => resultOf(one, 'Validation')),
        object,
      ),
    );
  });
}

/** What a ValidatingPolicy of the mode JSON says of a JSON object. */
export function applyToPayload(
  policy: CelPolicy,
  payload: JsonObject,
  sources: CelSources,
): Response {
  const result = resultOf(validatePayload(policy, payload, sources), 'Validation');
  return responseOf(policy, [result], payload);
}

function resultOf({ rule, status, message }: CelResult, type: Result['type']): Result {
  return { rule: rule ?? '', type, status, message };
}

function responseOf(
  { name, kind, actions }: CelPolicy,
  results: readonly Result[],
  object: JsonObject | undefined,
): Response {
  const isEnforced = actions.includes('Deny');
  return {
    policy: name,
    kind,
    results: results.map((result) =>
      result.status === 'fail' ? { ...result, action: isEnforced ? 'Enforce' : 'Audit' } : result,
    ),
    object,
  };
}
