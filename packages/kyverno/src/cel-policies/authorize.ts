import type { JsonObject } from '@kubeadmit/apimachinery';
import { CelError, type Value } from '@kubeadmit/cel';
import { decodeMessage } from './authorization/decode-message.ts';
import { Message } from './authorization/message-types.ts';
import { type AuthorizationMode, modeMessages } from './authorization-environment.ts';
import { contextValues } from './environment.ts';
import { conditionsHold, lookupOf } from './evaluate.ts';
import type { CelSources } from './libraries/sources.ts';
import type { CelPolicy, CompiledSpec } from './policy.ts';
import type { CelResult } from './request.ts';
import { brokenPolicy } from './validating.ts';

/** The result for a request that the match conditions exclude, or that no validation responds to. */
const undecided: CelResult = { status: 'skip', message: 'request does not match' };

/**
 * Decodes the payload of a request to a service.
 *
 * @throws PayloadError for a payload of another form
 */
export function readAuthorizationRequest(mode: AuthorizationMode, payload: JsonObject): Message {
  return decodeMessage(modeMessages[mode].request, payload, mode === 'HTTP' ? 'go' : 'protobuf');
}

/**
 * Evaluates a ValidatingPolicy of the mode HTTP or Envoy for a request to a service: the first validation with a
 * response decides (kyverno-authz, `evaluateRules`).
 */
export function authorizeRequest(
  policy: CelPolicy,
  request: Message,
  sources: CelSources,
): CelResult {
  const broken = brokenPolicy(policy);
  const [spec] = policy.specs;
  if (broken !== undefined || spec === undefined) return broken ?? undecided;
  const response = firstResponse(spec, request, sources);
  if (response === undefined) return undecided;
  if (response instanceof Message) return resultOf(response);
  return spec.failurePolicy === 'Ignore'
    ? undecided
    : { status: 'error', message: response.message };
}

const notAResponse = new CelError('rule result is expected to be *authv3.CheckResponse');

/** Returns the first response of a validation or the first error; undefined if there is none. */
function firstResponse(
  spec: CompiledSpec,
  request: Message,
  sources: CelSources,
): Message | CelError | undefined {
  const lookup = lookupOf(spec, { ...contextValues(sources), object: request as Value });
  const matches = conditionsHold(spec.matchConditions, lookup);
  if (matches === false) return undefined;
  if (matches !== true) return new CelError(matches);
  for (const { program } of spec.validations) {
    const { value } = program.evaluate(lookup);
    if (value instanceof CelError) return value;
    if (!(value instanceof Message)) continue;
    return value.isLiteral ? notAResponse : value;
  }
  return undefined;
}

function resultOf(response: Message): CelResult {
  if (response.has('ok') || response.has('ok_response')) {
    return { status: 'pass', message: 'request allowed' };
  }
  if (response.has('denied')) {
    const reason = (response.get('denied') as Message).get('reason');
    return { status: 'fail', message: `request denied, reason: ${reason}` };
  }
  if (response.has('denied_response')) {
    const status = (response.get('denied_response') as Message).get('status') as Message;
    return { status: 'fail', message: `request denied with status code ${status.get('code')}` };
  }
  // Kyverno's CLI leaves the status of such a result empty.
  return { status: 'error', message: 'the response neither allows nor denies the request' };
}
