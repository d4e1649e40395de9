import type { JsonObject } from '@kubeadmit/apimachinery';
import { requireCelArguments } from './arguments.ts';
import { conditionsHold } from './evaluate.ts';
import type { CelSources } from './libraries/sources.ts';
import type { CelPolicy, CompiledSpec } from './policy.ts';
import {
  type CelRequest,
  type CelResult,
  matchesConstraints,
  payloadBindings,
  requestBindings,
} from './request.ts';
import { brokenPolicy } from './validating.ts';
import { type Lookup, PolicyVariables } from './variables.ts';

/**
 * Decides whether a DeletingPolicy would delete an object: `pass` if it would, `fail` if a condition is false or an
 * exception applies. Returns `undefined` for an object that its constraints do not select.
 *
 * @param request a request with the object, of which only the object and its names are read
 * @throws TypeError if the policy was not created by `compileCelPolicy`, or the request is invalid
 */
export function deletesObject(policy: CelPolicy, request: CelRequest): CelResult | undefined {
  requireCelArguments('deletesObject', policy, request);
  const [spec] = policy.specs;
  const broken = brokenPolicy(policy);
  if (broken !== undefined || spec === undefined) return broken && { ...broken, rule: policy.name };
  const matches = spec.match === undefined ? false : matchesConstraints(spec.match, request);
  if (typeof matches === 'string') return { rule: policy.name, status: 'error', message: matches };
  if (!matches) return undefined;
  const { object, namespaceObject, ...others } = requestBindings(request);
  return evaluateConditions(policy, spec, { object, namespaceObject, ...withoutRequest(others) });
}

/** Decides whether a DeletingPolicy would delete a JSON object, whatever its constraints are. */
export function deletesPayload(
  policy: CelPolicy,
  payload: JsonObject,
  sources: CelSources,
): CelResult {
  const [spec] = policy.specs;
  const broken = brokenPolicy(policy);
  if (broken !== undefined || spec === undefined) {
    return { ...(broken ?? { status: 'fail', message: '' }), rule: policy.name };
  }
  return evaluateConditions(policy, spec, withoutRequest(payloadBindings(payload, sources)));
}

/** A schedule has no request. */
function withoutRequest<T extends object>(bindings: T): Omit<T, 'request' | 'oldObject'> {
  const { request: _, oldObject: __, ...rest } = bindings as T & Record<string, unknown>;
  return rest as Omit<T, 'request' | 'oldObject'>;
}

function evaluateConditions(
  { name: rule }: CelPolicy,
  { exceptions, matchConditions, variables: programs }: CompiledSpec,
  bindings: object,
): CelResult {
  const known = new Map(Object.entries(bindings));
  const lookup: Lookup = (name) => (name === 'variables' ? variables : known.get(name));
  const variables = new PolicyVariables(programs, lookup);
  const spared: CelResult = { rule, status: 'fail', message: 'resource did not match' };
  let isExempted = false;
  for (const { conditions, isExpired } of exceptions) {
    if (isExpired()) continue;
    const applies = conditionsHold(conditions, lookup);
    if (typeof applies === 'string') return { rule, status: 'error', message: applies };
    isExempted ||= applies;
  }
  if (isExempted) return spared;
  const holds = conditionsHold(matchConditions, lookup);
  if (typeof holds === 'string') return { rule, status: 'error', message: holds };
  return holds ? { rule, status: 'pass', message: 'resource matched' } : spared;
}
