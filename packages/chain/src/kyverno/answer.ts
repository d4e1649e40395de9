import { type JsonObject, member, memberText, metadataString } from '@kubeadmit/apimachinery';
import type { Finding } from '../findings/findings.ts';
import type { KyvernoPolicies } from '../readers/policies.ts';
import { identityOf } from './identity.ts';
import type { Response, Result } from './response.ts';
import { type FindPolicy, warningsOf } from './warnings.ts';
import { failurePolicyOf } from './webhook-failure-policy.ts';

/** The answer of Kyverno's webhooks to a request. */
export interface WebhookAnswer {
  readonly findings: readonly Finding[];
  /** The warnings to the client. */
  readonly warnings: readonly string[];
  /** The results of each policy. */
  readonly responses: readonly Response[];
  /** Whether they refuse the request. */
  readonly isDenied: boolean;
  /** Why kube-apiserver rejects the request before it calls a webhook. */
  readonly refusal?: string;
}

/** Combines the responses of policies. */
export function answerOf(responses: readonly Response[], policies: KyvernoPolicies): WebhookAnswer {
  const results = responses.flatMap((response) =>
    response.results.map((result) => ({ response, result })),
  );
  const blocking = results.filter(({ response, result }) => blocks(response, result, policies));
  const isDenied = blocking.length > 0;
  const refused = blocking.find(({ result }) => result.isWebhookFailure);
  return {
    findings: results.flatMap(({ response, result }) => findingsOf(response, result, policies)),
    responses,
    warnings: warningsOf(responses, policies, { find: finderOf(policies), isDenied }),
    isDenied,
    ...(refused && { refusal: refused.result.message }),
  };
}

/** The action decides about failures; errors deny if the failure policy is Fail. */
function blocks(response: Response, result: Result, policies: KyvernoPolicies): boolean {
  const { status, action, type } = result;
  // The background acts when no client waits for an answer.
  if (type === 'Deletion') return false;
  if (status === 'fail') {
    return action === 'Enforce' && type !== 'Mutation' && type !== 'Generation';
  }
  return status === 'error' && deniesErrors(response, result, policies);
}

/** Whether an error denies: by the action of a policy that verifies images in CEL, else by the failure policy. */
function deniesErrors(
  response: Response,
  { type, action }: Result,
  policies: KyvernoPolicies,
): boolean {
  return type === 'ImageVerify' && action !== undefined
    ? action === 'Enforce'
    : failsClosed(response, policies);
}

function failsClosed(response: Response, policies: KyvernoPolicies): boolean {
  return failurePolicyOf(finderOf(policies)(response)) === 'Fail';
}

function finderOf({ classic, cel }: KyvernoPolicies): FindPolicy {
  return ({ policy: name, kind, namespace }) =>
    [...classic, ...cel].find(
      ({ object }) =>
        object['kind'] === kind &&
        metadataString(object, 'name') === name &&
        (namespace === '' || metadataString(object, 'namespace') === namespace),
    )?.object;
}

function findingsOf(
  response: Response,
  result: Result,
  policies: KyvernoPolicies,
): readonly Finding[] {
  const { policy, kind } = response;
  const { rule, status, message, type, generated } = result;
  const isClassic = kind === 'ClusterPolicy' || kind === 'Policy';
  const origin = isClassic && rule !== '' ? { policy, rule } : { policy };
  const said = message === '' ? origin : { ...origin, message };
  if (type === 'Deletion') return deletionFindings(said, response, result, policies);
  if (type === 'Generation' && status === 'pass')
    return generationFindings(origin, generated ?? []);
  switch (status) {
    case 'pass':
      return [{ ...origin, verdict: isValidation(response, result) ? 'allow' : 'mutate' }];
    case 'fail':
      return actionsOf(response, result, policies).map((verdict) => ({ ...said, verdict }));
    case 'warning':
      return [{ ...said, verdict: 'warn' }];
    case 'error':
      return [{ ...said, verdict: deniesErrors(response, result, policies) ? 'error' : 'ignore' }];
    default:
      return [{ ...said, verdict: status }];
  }
}

/** Whether a result leaves the object unchanged; rules that verify images change it, policies in CEL do not. */
function isValidation({ kind }: Response, { type }: Result): boolean {
  return (
    type === 'Validation' || (type === 'ImageVerify' && kind.endsWith('ImageValidatingPolicy'))
  );
}

/** The finding of a policy that deletes objects on a schedule; `allow` if it selects the object and leaves it. */
function deletionFindings(
  origin: Pick<Finding, 'policy' | 'message'>,
  { policy: name, kind, namespace }: Response,
  { status }: Result,
  { cel, cleanup }: KyvernoPolicies,
): readonly Finding[] {
  if (status === 'error') return [{ ...origin, verdict: 'error' }];
  const { message: _, ...rest } = origin;
  if (status !== 'pass') return [{ ...rest, verdict: 'allow' }];
  const found = [...cel, ...cleanup].find(
    ({ policy }) => policy.kind === kind && policy.name === name && policy.namespace === namespace,
  );
  const schedule = memberText(member(found?.object, 'spec'), 'schedule');
  return [
    { ...rest, verdict: 'delete', message: `deletes the object on the schedule ${schedule}` },
  ];
}

/** The finding of a rule that generates objects; one that generates none has nothing to do. */
function generationFindings(
  origin: Pick<Finding, 'policy' | 'rule'>,
  generated: readonly JsonObject[],
): readonly Finding[] {
  if (generated.length === 0) return [{ ...origin, verdict: 'allow' }];
  const names = generated.map((object) => {
    const { kind, namespace, name } = identityOf(object);
    return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
  });
  return [{ ...origin, verdict: 'generate', message: `generates ${names.join(', ')}`, generated }];
}

function actionsOf(
  { policy: name, kind, namespace }: Response,
  { action }: Result,
  policies: KyvernoPolicies,
): readonly Finding['verdict'][] {
  const cel = policies.cel.find(
    ({ policy }) => policy.kind === kind && policy.name === name && policy.namespace === namespace,
  );
  if (cel === undefined) return [action === 'Enforce' ? 'deny' : 'audit'];
  return cel.policy.actions.map((one) => {
    if (one === 'Warn') return 'warn';
    return one === 'Audit' ? 'audit' : 'deny';
  });
}
