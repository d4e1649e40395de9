import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Steps } from '@kubeadmit/engine/unstable-internal';
import {
  type CelPolicy,
  type CelRequest,
  type CelResult,
  type CelSources,
  mutateRequest,
  validateRequest,
} from '@kubeadmit/kyverno';
import {
  deletesObject,
  type GenerationPlace,
  generateForRequest,
  mutateExisting,
} from '@kubeadmit/kyverno/background';
import { type ImageResponse, ImageValidation, pinDigests } from '@kubeadmit/kyverno/images';
import {
  authorizeRequest,
  deletesPayload,
  type Message,
  validatePayload,
} from '@kubeadmit/kyverno/payloads';
import { lateMessage } from '@kubeadmit/kyverno/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import type { Response, Result } from './response.ts';

/** Applies MutatingPolicies to a request, each to the result of the previous one; yields before each policy. */
export function* applyMutating(
  policies: readonly CelPolicy[],
  request: CelRequest,
  schemas: Schemas,
): Steps<readonly Response[]> {
  let current: CelRequest = { ...request, sentObject: request.attributes.object as JsonObject };
  const said: { readonly policy: CelPolicy; readonly results: readonly Result[] }[] = [];
  for (const policy of policies) {
    if (yield 'policy') {
      said.push({ policy, results: [resultOf(lateResult(), 'Mutation')] });
      continue;
    }
    for (const { results, object } of mutateRequest(policy, current, schemas)) {
      said.push({ policy, results: results.map((one) => resultOf(one, 'Mutation')) });
      if (object === undefined) continue;
      current = { ...current, attributes: { ...current.attributes, object: object as never } };
    }
  }
  const object = (current.attributes.object ?? undefined) as JsonObject | undefined;
  return said.map(({ policy, results }) => responseOf(policy, results, object));
}

/** Applies MutatingPolicies to existing objects because of a request. */
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

// A function, so that Kyverno's engine is loaded only if needed.
function lateResult(): CelResult {
  return { rule: 'evaluation', status: 'error', message: lateMessage };
}

/**
 * Evaluates ValidatingPolicies for a request; those in JSON mode see its object as any JSON. Yields before each
 * policy.
 */
export function* applyValidating(
  policies: readonly CelPolicy[],
  request: CelRequest,
): Steps<readonly Response[]> {
  const object = (request.attributes.object ?? undefined) as JsonObject | undefined;
  const responses: Response[] = [];
  for (const policy of policies) {
    if (yield 'policy') {
      responses.push(responseOf(policy, [resultOf(lateResult(), 'Validation')], object));
    } else if (policy.mode !== 'JSON') {
      for (const results of validateRequest(policy, request)) {
        const said = results.map((one) => resultOf(one, 'Validation'));
        responses.push(responseOf(policy, said, object));
      }
    } else if (object !== undefined) {
      responses.push(applyToPayload(policy, object, request.sources));
    }
  }
  return responses;
}

/** How ImageValidatingPolicies are evaluated. */
export type ImageSetting = ConstructorParameters<typeof ImageValidation>[0];

/**
 * Evaluates ImageValidatingPolicies for a request; those that do not select it have no response. Yields before each
 * policy.
 */
export function* applyImageValidating(
  policies: readonly CelPolicy[],
  request: CelRequest,
  setting: ImageSetting,
): Steps<readonly Response[]> {
  const object = (request.attributes.object ?? undefined) as JsonObject | undefined;
  const validation = new ImageValidation(setting);
  const late: ImageResponse[] = [];
  for (const policy of policies) {
    if (yield 'policy') late.push({ policy, result: lateResult() });
    else if (policy.mode !== 'JSON') validation.validate(policy, request);
    else if (object !== undefined) validation.validatePayload(policy, object, request.sources);
  }
  return imageResponses([...validation.responses(), ...late], object);
}

/** Adds the digests of images to the object of a request, as ImageValidatingPolicies want it. */
export function applyDigests(
  policies: readonly CelPolicy[],
  request: CelRequest,
  setting: ImageSetting,
): { readonly responses: readonly Response[]; readonly object: JsonObject } {
  const { responses, pinning, object } = pinDigests(policies, request, setting);
  const changes = pinning.map((policy) => {
    const result = { rule: '', type: 'Mutation', status: 'pass', message: '' } as const;
    return responseOf(policy, [result], object);
  });
  return { responses: [...changes, ...imageResponses(responses, object)], object };
}

/** Evaluates ImageValidatingPolicies in JSON mode for a JSON object. */
export function applyImagesToPayload(
  policies: readonly CelPolicy[],
  payload: JsonObject,
  sources: CelSources,
  setting: ImageSetting,
): readonly Response[] {
  const validation = new ImageValidation(setting);
  for (const policy of policies) validation.validatePayload(policy, payload, sources);
  return imageResponses(validation.responses(), payload);
}

function imageResponses(
  responses: readonly ImageResponse[],
  object: JsonObject | undefined,
): readonly Response[] {
  return responses.map(({ policy, result }) =>
    responseOf(policy, [resultOf(result, 'ImageVerify')], object),
  );
}

/** Evaluates GeneratingPolicies for a request; policies that do not match it have no response. */
export function applyGenerating(
  policies: readonly CelPolicy[],
  request: CelRequest,
  place: GenerationPlace,
): readonly Response[] {
  const object = (request.attributes.object ?? undefined) as JsonObject | undefined;
  return policies.flatMap((policy) => {
    const response = generateForRequest(policy, request, place);
    if (response === undefined) return [];
    const result = resultOf(response.result, 'Generation');
    return [responseOf(policy, [{ ...result, generated: response.generated }], object)];
  });
}

/** Decides which DeletingPolicies would delete an object; those that do not select it have no response. */
export function applyDeleting(
  policies: readonly CelPolicy[],
  request: CelRequest,
): readonly Response[] {
  const object = (request.attributes.object ?? undefined) as JsonObject | undefined;
  return policies.flatMap((policy) => {
    const result = deletesObject(policy, request);
    return result === undefined ? [] : [responseOf(policy, [resultOf(result, 'Deletion')], object)];
  });
}

/** Evaluates a DeletingPolicy, or a ValidatingPolicy in JSON mode, for a JSON object. */
export function applyToPayload(
  policy: CelPolicy,
  payload: JsonObject,
  sources: CelSources,
): Response {
  const { type } = policy;
  const ask = type === 'Deletion' ? deletesPayload : validatePayload;
  return responseOf(policy, [resultOf(ask(policy, payload, sources), type)], payload);
}

/** Evaluates a ValidatingPolicy in HTTP or Envoy mode for a request to a service. */
export function applyToServiceRequest(
  policy: CelPolicy,
  request: Message,
  sources: CelSources,
): Response {
  const result = authorizeRequest(policy, request, sources);
  return responseOf(policy, [resultOf(result, 'Validation')], undefined);
}

function resultOf({ rule, status, message, exceptions }: CelResult, type: Result['type']): Result {
  return { rule: rule ?? '', type, status, message, ...(exceptions && { exceptions }) };
}

function responseOf(
  { name, kind, namespace, actions }: CelPolicy,
  results: readonly Result[],
  object: JsonObject | undefined,
): Response {
  const isEnforced = actions.includes('Deny');
  return {
    policy: name,
    kind,
    namespace,
    results: results.map((result) =>
      result.status === 'fail' || (result.status === 'error' && result.type === 'ImageVerify')
        ? { ...result, action: isEnforced ? 'Enforce' : 'Audit' }
        : result,
    ),
    object,
  };
}
