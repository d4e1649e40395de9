import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import {
  formatQuantity,
  memberObjects,
  memberText,
  roundUpQuantity,
} from '@kubeadmit/apimachinery/internal';
import type { Quantity } from '@kubeadmit/apimachinery/quantity';
import { formatFloat64Fixed } from '@kubeadmit/go/internal';
import {
  aggregateContainers,
  type ResourcePart,
  specifiedResources,
  withPodLevel,
} from '../../resources/pod-resources.ts';
import { type ResourceList, readResources } from '../../resources/resource-list.ts';
import { isFeatureOn } from '../feature-gates.data.ts';

/** The requests and limits that are compared with a LimitRange. */
interface Amounts {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** Returns the problems of a pod with a LimitRange (`PodValidateLimitFunc`). */
export function podProblems(
  limitRange: KubernetesObject,
  pod: KubernetesObject,
  minor: number,
): readonly string[] {
  const spec = member(pod, 'spec');
  return limitsOf(limitRange).flatMap((limit) => {
    const type = memberText(limit, 'type');
    if (type === 'Pod') return problems(type, limit, podAmounts(pod, minor));
    if (type !== 'Container') return [];
    const containers = [
      ...memberObjects(spec, 'containers'),
      ...memberObjects(spec, 'initContainers'),
    ];
    return containers.flatMap((container) => problems(type, limit, amountsOf(container)));
  });
}

/** Returns the problems of a claim with a LimitRange (`PersistentVolumeClaimValidateLimitFunc`). */
export function claimProblems(
  limitRange: KubernetesObject,
  claim: KubernetesObject,
): readonly string[] {
  const requests = specifiedResources(member(claim, 'spec'), 'requests');
  return limitsOf(limitRange).flatMap((limit) => {
    const type = memberText(limit, 'type');
    if (type !== 'PersistentVolumeClaim') return [];
    const amounts: Amounts = { requests, limits: new Map() };
    return [
      ...each(limit, 'min', (name, least) => minProblem(type, name, least, amounts)),
      ...each(limit, 'max', (name, most) => maxRequestProblem(type, name, most, amounts)),
    ];
  });
}

/** Returns the entries of a LimitRange. */
export function limitsOf(limitRange: KubernetesObject): readonly KubernetesObject[] {
  return memberObjects(member(limitRange, 'spec'), 'limits');
}

function amountsOf(container: unknown): Amounts {
  return {
    requests: specifiedResources(container, 'requests'),
    limits: specifiedResources(container, 'limits'),
  };
}

function podAmounts(pod: KubernetesObject, minor: number): Amounts {
  const of = (part: ResourcePart): ResourceList => {
    const total = aggregateContainers(pod, (container) => specifiedResources(container, part));
    if (!isFeatureOn('PodLevelResources', minor)) return total;
    const own = specifiedResources(member(pod, 'spec'), part);
    return withPodLevel(total, own, (name) => name === 'cpu' || name === 'memory');
  };
  return { requests: of('requests'), limits: of('limits') };
}

function problems(type: string, limit: KubernetesObject, amounts: Amounts): readonly string[] {
  return [
    ...each(limit, 'min', (name, least) => minProblem(type, name, least, amounts)),
    ...each(limit, 'max', (name, most) => maxProblem(type, name, most, amounts)),
    ...each(limit, 'maxLimitRequestRatio', (name, most) => ratioProblem(type, name, most, amounts)),
  ];
}

/** Go visits the resources of a limit in random order; here it is that of their names. */
function each(
  limit: KubernetesObject,
  bound: 'min' | 'max' | 'maxLimitRequestRatio',
  check: (name: string, enforced: Quantity) => string | undefined,
): readonly string[] {
  return [...readResources(member(limit, bound))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, enforced]) => check(name, enforced) ?? []);
}

function minProblem(
  type: string,
  name: string,
  least: Quantity,
  amounts: Amounts,
): string | undefined {
  const head = `minimum ${name} usage per ${type} is ${formatQuantity(least)}`;
  const request = amounts.requests.get(name);
  const limit = amounts.limits.get(name);
  const values = comparableValues(request, limit, least);
  if (request === undefined) return `${head}.  No request is specified`;
  if (values.request < values.enforced) {
    return `${head}, but request is ${formatQuantity(request)}`;
  }
  if (limit !== undefined && values.limit < values.enforced) {
    return `${head}, but limit is ${formatQuantity(limit)}`;
  }
  return undefined;
}

function maxRequestProblem(
  type: string,
  name: string,
  most: Quantity,
  amounts: Amounts,
): string | undefined {
  const head = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`;
  const request = amounts.requests.get(name);
  if (request === undefined) return `${head}.  No request is specified`;
  const values = comparableValues(request, undefined, most);
  if (values.request <= values.enforced) return undefined;
  return `${head}, but request is ${formatQuantity(request)}`;
}

function maxProblem(
  type: string,
  name: string,
  most: Quantity,
  amounts: Amounts,
): string | undefined {
  const head = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`;
  const request = amounts.requests.get(name);
  const limit = amounts.limits.get(name);
  const values = comparableValues(request, limit, most);
  if (limit === undefined) return `${head}.  No limit is specified`;
  if (values.limit > values.enforced) return `${head}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && values.request > values.enforced) {
    return `${head}, but request is ${formatQuantity(request)}`;
  }
  return undefined;
}

function ratioProblem(
  type: string,
  name: string,
  most: Quantity,
  amounts: Amounts,
): string | undefined {
  const head = `${name} max limit to request ratio per ${type} is ${formatQuantity(most)}`;
  const values = comparableValues(amounts.requests.get(name), amounts.limits.get(name), most);
  if (values.request === 0n) return `${head}, but no request is specified or request is 0`;
  if (values.limit === 0n) return `${head}, but no limit is specified or limit is 0`;
  const ratio = Number(values.limit) / Number(values.request);
  const isPrecise = scaled(most, 0) <= maxMilliValue;
  const observed = isPrecise ? ratio * 1000 : ratio;
  if (observed <= Number(scaled(most, isPrecise ? -3 : 0))) return undefined;
  return `${head}, but provided ratio is ${formatFloat64Fixed(ratio, 6)}`;
}

/** The greatest value that Go compares in thousandths (`resource.MaxMilliValue`). */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

/** Quantities in one unit: thousandths unless one of them is too large. Absent ones are 0. */
function comparableValues(
  request: Quantity | undefined,
  limit: Quantity | undefined,
  enforced: Quantity,
): { readonly request: bigint; readonly limit: bigint; readonly enforced: bigint } {
  const values = (exponent: number): readonly bigint[] =>
    [request, limit, enforced].map((each) => (each === undefined ? 0n : scaled(each, exponent)));
  const whole = values(0);
  const chosen = whole.every((value) => value <= maxMilliValue) ? values(-3) : whole;
  const [first = 0n, second = 0n, third = 0n] = chosen;
  return { request: first, limit: second, enforced: third };
}

/** The value of a quantity in units of `10^exponent`, rounded up. */
function scaled(quantity: Quantity, exponent: number): bigint {
  const rounded = roundUpQuantity(quantity, exponent);
  return rounded.unscaled * 10n ** BigInt(rounded.exponent - exponent);
}
