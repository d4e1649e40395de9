import {
  type KubernetesObject,
  member,
  memberObject,
  metadataString,
} from '@kubeadmit/apimachinery';
import {
  compareQuantities,
  formatQuantity,
  signOfQuantity,
  subtractQuantities,
} from '@kubeadmit/apimachinery/quantity';
import { compareText } from '@kubeadmit/go';
import {
  addResources,
  filterResources,
  type ResourceList,
  readResources,
} from '../../resources/resource-list.ts';
import { withMember } from '../../write/metadata.ts';
import type { PluginCluster, PluginOutcome, PluginRequest, PluginWrite } from '../plugin.ts';
import { forbid } from '../refusal.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import {
  type LimitedResource,
  limitedNames,
  limitedScopes,
  uncovered,
} from './limited-resources.ts';
import { matchingScopes, scopesOf } from './quota-scopes.ts';

/** A request whose object counts for quotas. */
export interface CountedRequest {
  readonly request: PluginRequest;
  readonly object: KubernetesObject;
  readonly evaluator: QuotaEvaluator;
  readonly cluster: PluginCluster;
}

/** A quota that limits a request, with its limits and its usage. */
interface LimitingQuota {
  readonly quota: KubernetesObject;
  readonly hard: ResourceList;
  readonly used: ResourceList;
}

/**
 * Checks a request against the quotas of its namespace (apiserver resourcequota `CheckRequest`). The outcome contains
 * the quotas with their new usage.
 */
export function checkQuotas(
  counted: CountedRequest,
  quotas: readonly KubernetesObject[],
  limited: readonly LimitedResource[],
): PluginOutcome | undefined {
  const { request, object, evaluator, cluster } = counted;
  const limiting: LimitingQuota[] = [];
  for (const quota of quotas.filter((each) => matches(counted, each, object))) {
    const hard = statusList(quota, 'hard');
    const used = statusList(quota, 'used');
    const names = evaluator.matchingNames([...hard.keys()], cluster);
    const problem = constraintProblem(counted, quota, names) ?? unknownUsage(quota, used, names);
    if (problem !== undefined) return { ...forbid(request, problem), causes: [quota] };
    limiting.push({ quota, hard, used });
  }
  const usage = evaluator.usage(object, cluster);
  const negative = [...filterResources(usage, (_, amount) => signOfQuantity(amount) < 0).keys()];
  if (negative.length > 0) {
    return forbid(request, `quota usage is negative for resource(s): ${nameList(negative)}`);
  }
  const deltas = limiting.map((each) => deltaFor(counted, each.quota, usage));
  const free = limiting.length === 0 ? [deltaWithoutQuota(counted, usage)] : deltas;
  if (free.every((delta) => delta.size === 0)) return undefined;
  const gap = coverageGap(counted, { quotas, limiting, usage }, limited);
  if (gap !== undefined) return gap;
  return charge(counted, limiting, deltas);
}

/** Adds the usage of a request to its quotas, or refuses it. */
function charge(
  { request }: CountedRequest,
  limiting: readonly LimitingQuota[],
  deltas: readonly ResourceList[],
): PluginOutcome | undefined {
  const writes: PluginWrite[] = [];
  for (const [at, { quota, hard, used }] of limiting.entries()) {
    const requested = mask(deltas[at] ?? new Map(), hard);
    if (requested.size === 0) continue;
    const total = addResources(used, requested);
    const exceeded = filterResources(requested, (name) => isExceeded(total, hard, name));
    if (exceeded.size > 0 && request.subresource !== 'status') {
      const text = `exceeded quota: ${metadataString(quota, 'name')}, requested: ${show(exceeded)}, used: ${show(mask(used, exceeded))}, limited: ${show(mask(hard, exceeded))}`;
      return { ...forbid(request, text), causes: [quota] };
    }
    writes.push({ verb: 'updateStatus', object: withUsed(quota, total) });
  }
  return writes.length === 0 ? undefined : { writes };
}

function isExceeded(total: ResourceList, hard: ResourceList, name: string): boolean {
  const [sum, limit] = [total.get(name), hard.get(name)];
  return sum !== undefined && limit !== undefined && compareQuantities(sum, limit) > 0;
}

/** Returns a quota with another usage in its status. */
export function withUsed(quota: KubernetesObject, used: ResourceList): KubernetesObject {
  const amounts = [...used].sort(([a], [b]) => compareText(a, b));
  const status = {
    ...memberObject(quota, 'status'),
    used: Object.fromEntries(amounts.map(([name, amount]) => [name, formatQuantity(amount)])),
  };
  return withMember(quota, 'status', status);
}

function statusList(quota: KubernetesObject, name: 'hard' | 'used'): ResourceList {
  return readResources(member(member(quota, 'status'), name));
}

/** Whether a quota limits a resource that the object counts for, and the object is in its scopes. */
function matches(
  { evaluator, cluster }: CountedRequest,
  quota: KubernetesObject,
  object: KubernetesObject,
): boolean {
  const names = [...statusList(quota, 'hard').keys()];
  if (evaluator.matchingNames(names, cluster).length === 0) return false;
  const scopes = scopesOf(quota);
  return matchingScopes(evaluator, scopes, object, cluster).length === scopes.length;
}

function constraintProblem(
  { evaluator, object, cluster }: CountedRequest,
  quota: KubernetesObject,
  names: readonly string[],
): string | undefined {
  const problem = evaluator.problem?.(names, object, cluster);
  return problem && `failed quota: ${metadataString(quota, 'name')}: ${problem}`;
}

function unknownUsage(
  quota: KubernetesObject,
  used: ResourceList,
  names: readonly string[],
): string | undefined {
  if (names.every((name) => used.has(name))) return undefined;
  return `status unknown for quota: ${metadataString(quota, 'name')}, resources: ${nameList(names)}`;
}

/** The usage that a request adds to a quota: the difference to the old object if that counted, too. */
function deltaFor(
  counted: CountedRequest,
  quota: KubernetesObject,
  usage: ResourceList,
): ResourceList {
  const old = previous(counted.request);
  const isDifference = old !== undefined && matches(counted, quota, old);
  return withoutZeros(isDifference ? differenceTo(counted, old, usage) : usage);
}

function deltaWithoutQuota(counted: CountedRequest, usage: ResourceList): ResourceList {
  const old = previous(counted.request);
  return withoutZeros(old === undefined ? usage : differenceTo(counted, old, usage));
}

/** The stored object of an update. */
function previous({ operation, oldObject }: PluginRequest): KubernetesObject | undefined {
  return operation === 'UPDATE' && oldObject !== null ? oldObject : undefined;
}

/** The usage of an object beyond that of its old form (`SubtractWithNonNegativeResult`). */
function differenceTo(
  { evaluator, cluster }: CountedRequest,
  old: KubernetesObject,
  usage: ResourceList,
): ResourceList {
  const before = evaluator.usage(old, cluster);
  const pairs = [...usage].map(([name, amount]) => {
    const known = before.get(name);
    return [
      name,
      known === undefined ? amount : (subtractQuantities(amount, known) ?? amount),
    ] as const;
  });
  return filterResources(new Map(pairs), (_, amount) => signOfQuantity(amount) > 0);
}

function withoutZeros(list: ResourceList): ResourceList {
  return filterResources(list, (_, amount) => signOfQuantity(amount) !== 0);
}

/** The resources of a list that another list names. */
function mask(list: ResourceList, names: ResourceList): ResourceList {
  return filterResources(list, (name) => names.has(name));
}

/** Refuses a request for a resource that its namespace may only use with a quota that covers it. */
function coverageGap(
  { request, object, evaluator, cluster }: CountedRequest,
  {
    quotas,
    limiting,
    usage,
  }: {
    readonly quotas: readonly KubernetesObject[];
    readonly limiting: readonly LimitingQuota[];
    readonly usage: ResourceList;
  },
  limited: readonly LimitedResource[],
): PluginOutcome | undefined {
  const covered = new Set(
    limiting.flatMap(({ hard }) => evaluator.matchingNames([...hard.keys()], cluster)),
  );
  const names = limitedNames(usage, limited, request.resource).filter((name) => !covered.has(name));
  if (names.length > 0) {
    return forbid(request, `insufficient quota to consume: ${nameList(names)}`);
  }
  const scopes = limitedScopes(limited).filter((scope) =>
    evaluator.isInScope?.(scope, object, cluster),
  );
  const restricted = quotas.flatMap((quota) =>
    matchingScopes(evaluator, scopesOf(quota), object, cluster),
  );
  return uncovered(scopes, restricted);
}

function nameList(names: readonly string[]): string {
  return [...names].sort(compareText).join(',');
}

function show(list: ResourceList): string {
  return [...list]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, amount]) => `${name}=${formatQuantity(amount)}`)
    .join(',');
}
