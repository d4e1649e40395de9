import type { Response } from '@kubeadmit/chain/kyverno-resources';
import type { ObjectReference } from '../cluster/object-reference.ts';
import type { EventOptions } from './event-object.ts';

/** The parts of Kyverno that report events. */
export type KyvernoReporter =
  | 'kyverno-admission'
  | 'kyverno-scan'
  | 'kyverno-generate'
  | 'kyverno-mutate'
  | 'kyverno-cleanup';

/** An event as Kyverno writes it, without its name and time. */
export type KyvernoEvent = Omit<EventOptions, 'name' | 'time'> & {
  readonly reportingController: KyvernoReporter;
};

/** The circumstances of the results. */
export interface ReportedResults {
  readonly reporter: 'kyverno-admission' | 'kyverno-scan';
  /** The object that policies were evaluated for. */
  readonly object: ObjectReference;
  /** Whether the request was denied. */
  readonly isBlocked: boolean;
  /** Finds the policy of a response in the cluster. */
  readonly policyOf: (response: Response) => ObjectReference | undefined;
}

type Result = Response['results'][number];

/**
 * Returns the events about the results of policies for an object, as Kyverno's admission controller and its scans write
 * them: failures and errors, and rules that exceptions skip. Policies that are not in the cluster have no events.
 */
export function kyvernoEvents(
  responses: readonly Response[],
  given: ReportedResults,
): readonly KyvernoEvent[] {
  if (given.object.name === '') return [];
  return responses.flatMap((response) => {
    const policy = given.policyOf(response);
    return policy === undefined ? [] : eventsOf(response, policy, given);
  });
}

function eventsOf(
  response: Response,
  policy: ObjectReference,
  { reporter, object, isBlocked }: ReportedResults,
): readonly KyvernoEvent[] {
  const { results } = response;
  const common = { reason: 'PolicyViolation', reportingController: reporter } as const;
  if (results.some(isFailed)) {
    return results.flatMap((result): KyvernoEvent[] => {
      const ofPolicy: KyvernoEvent = {
        ...common,
        action: isBlocked ? 'Resource Blocked' : 'Resource Passed',
        note: policyNote(result, object, isBlocked),
        regarding: policy,
        related: object,
      };
      const ofObject: KyvernoEvent = {
        ...common,
        action: 'Resource Passed',
        note: `policy ${response.policy}/${result.rule} ${statusText(result)}: ${result.message}`,
        regarding: object,
      };
      // A scan reports failed rules only; the webhook, every rule of a policy with a failed one.
      const tellsObject = !isBlocked && (reporter === 'kyverno-admission' || isFailed(result));
      return [...(isFailed(result) ? [ofPolicy] : []), ...(tellsObject ? [ofObject] : [])];
    });
  }
  return isBlocked ? [] : exceptionEvents(response, policy, { reporter, object });
}

function exceptionEvents(
  { results, policy: name, namespace, kind }: Response,
  policy: ObjectReference,
  { reporter, object }: Pick<ReportedResults, 'reporter' | 'object'>,
): readonly KyvernoEvent[] {
  // Kyverno has no such events for its policies in CEL.
  if (kind !== 'ClusterPolicy' && kind !== 'Policy') return [];
  const key = [object.kind, object.namespace, object.name].filter((part) => part).join('/');
  const common = {
    reason: 'PolicySkipped',
    type: 'Normal',
    action: 'Resource Passed',
    reportingController: reporter,
    related: object,
  } as const;
  return results.flatMap(({ rule, status, exceptions = [] }): readonly KyvernoEvent[] => {
    if (status !== 'skip' || exceptions.length === 0) return [];
    const skipped = [namespace, name, rule].filter((part) => part !== '').join('/');
    return [
      ...exceptions.map((exception) => ({
        ...common,
        note: `resource ${key} was skipped from policy rule ${skipped}`,
        regarding: exceptionReference(exception),
      })),
      {
        ...common,
        note: `resource ${key} was skipped from rule ${rule} due to policy exceptions ${exceptions.join(', ')}`,
        regarding: policy,
      },
    ];
  });
}

function exceptionReference(key: string): ObjectReference {
  const at = key.indexOf('/');
  const reference = { apiVersion: 'kyverno.io/v2', kind: 'PolicyException' };
  return at < 0
    ? { ...reference, name: key }
    : { ...reference, namespace: key.slice(0, at), name: key.slice(at + 1) };
}

function isFailed({ status }: Result): boolean {
  return status === 'fail' || status === 'error' || status === 'warning';
}

function statusText({ status }: Result): string {
  return status === 'warning' ? 'fail' : status;
}

function policyNote(result: Result, object: ObjectReference, isBlocked: boolean): string {
  const { kind, namespace, name } = object;
  const subject = namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
  const rule = result.rule === '' ? '' : `[${result.rule}] `;
  const blocked = isBlocked ? ' (blocked)' : '';
  const message = result.message === '' ? '' : `; ${result.message}`;
  return `${subject}: ${rule}${statusText(result)}${blocked}${message}`;
}
