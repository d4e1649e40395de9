import { type KubernetesObject, member, memberObjects, memberText } from '@kubeadmit/apimachinery';
import { formatQuantity, type Quantity, roundUpQuantity } from '@kubeadmit/apimachinery/quantity';
import { formatFloat64Fixed } from '@kubeadmit/go';
import {
  aggregateContainers,
  type ResourcePart,
  specifiedResources,
  withPodLevel,
} from '../../resources/pod-resources.ts';
import { type ResourceList, readResources } from '../../resources/resource-list.ts';
import { isFeatureOn } from '../../versions/feature-gates.data.ts';

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
    if (type === 'Pod') return problems(limit, podAmounts(pod, minor), podChecks);
    if (type !== 'Container') return [];
    const containers = [
      ...memberObjects(spec, 'containers'),
      ...memberObjects(spec, 'initContainers'),
    ];
    return containers.flatMap((container) => problems(limit, amountsOf(container), podChecks));
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
    const checks = { min: minProblem, max: maxRequestProblem };
    return problems(limit, { requests, limits: new Map() }, checks);
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

/** A bound of a limit, with the amounts of its resource. */
interface Bound {
  readonly type: string;
  readonly name: string;
  readonly enforced: Quantity;
  readonly request: Quantity | undefined;
  readonly limit: Quantity | undefined;
  /** The same in one unit. */
  readonly values: ComparableValues;
}

/** Returns the problem of the amounts, if there is one. */
type CheckBound = (bound: Bound) => string | undefined;

/** Go visits the resources of a limit in random order; here it is that of their names. */
function problems(
  entry: KubernetesObject,
  amounts: Amounts,
  checks: Readonly<Record<string, CheckBound>>,
): readonly string[] {
  const type = memberText(entry, 'type');
  return Object.entries(checks).flatMap(([key, check]) =>
    [...readResources(member(entry, key))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, enforced]) => {
        const request = amounts.requests.get(name);
        const limit = amounts.limits.get(name);
        const values = comparableValues(request, limit, enforced);
        return check({ type, name, enforced, request, limit, values }) ?? [];
      }),
  );
}

function minProblem({ type, name, enforced, request, limit, values }: Bound): string | undefined {
  const head = `minimum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (request === undefined) return `${head}.  No request is specified`;
  if (values.request < values.enforced) return `${head}, but request is ${formatQuantity(request)}`;
  if (limit === undefined || values.limit >= values.enforced) return undefined;
  return `${head}, but limit is ${formatQuantity(limit)}`;
}

function maxRequestProblem({ type, name, enforced, request, values }: Bound): string | undefined {
  const head = `maximum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (request === undefined) return `${head}.  No request is specified`;
  if (values.request <= values.enforced) return undefined;
  return `${head}, but request is ${formatQuantity(request)}`;
}

function maxProblem(bound: Bound): string | undefined {
  const { type, name, enforced, request, limit, values } = bound;
  const head = `maximum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (limit === undefined) return `${head}.  No limit is specified`;
  if (values.limit > values.enforced) return `${head}, but limit is ${formatQuantity(limit)}`;
  return request === undefined ? undefined : maxRequestProblem(bound);
}

function ratioProblem({ type, name, enforced, values }: Bound): string | undefined {
  const head = `${name} max limit to request ratio per ${type} is ${formatQuantity(enforced)}`;
  if (values.request === 0n) return `${head}, but no request is specified or request is 0`;
  if (values.limit === 0n) return `${head}, but no limit is specified or limit is 0`;
  const ratio = Number(values.limit) / Number(values.request);
  const isPrecise = scaled(enforced, 0) <= maxMilliValue;
  const observed = isPrecise ? ratio * 1000 : ratio;
  if (observed <= Number(scaled(enforced, isPrecise ? -3 : 0))) return undefined;
  return `${head}, but provided ratio is ${formatFloat64Fixed(ratio, 6)}`;
}

const podChecks = { min: minProblem, max: maxProblem, maxLimitRequestRatio: ratioProblem };

/** The greatest value that Go compares in thousandths (`resource.MaxMilliValue`). */
const maxMilliValue = (2n ** 63n - 1n) / 1000n;

interface ComparableValues {
  readonly request: bigint;
  readonly limit: bigint;
  readonly enforced: bigint;
}

/** Quantities in one unit: thousandths unless one of them is too large. Absent ones are 0. */
function comparableValues(
  request: Quantity | undefined,
  limit: Quantity | undefined,
  enforced: Quantity,
): ComparableValues {
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
