import {
  isExtendedResource,
  isHugePages,
  isNativeResource,
  isPodLevelResource,
  type ResourceList,
  readResources,
} from '@kubeadmit/admission/pod-resources';
import { isFeatureOn } from '@kubeadmit/admission/unstable-internal';
import { type FieldError, member } from '@kubeadmit/apimachinery';
import { forbidden, invalid, notSupported, required } from '@kubeadmit/apimachinery/field-errors';
import { qualifiedNameProblems } from '@kubeadmit/apimachinery/names';
import type { Quantity } from '@kubeadmit/apimachinery/quantity';
import {
  compareQuantities,
  formatQuantity,
  integerOfQuantity,
  quantityOf,
  roundUpQuantity,
  signOfQuantity,
} from '@kubeadmit/apimachinery/quantity';
import { compareText } from '@kubeadmit/go';

type NameRule = (name: string, at: string) => FieldError[];

/** Validates the requests and limits of a container (core validation `ValidateContainerResourceRequirements`). */
export function containerResourceErrors(container: unknown, at: string): FieldError[] {
  return requirementErrors(member(container, 'resources'), at, containerNameErrors);
}

/** Validates the requests and limits of a pod itself (core validation `validatePodResourceRequirements`). */
export function podResourceErrors(spec: unknown, at: string, minor: number): FieldError[] {
  if (!isFeatureOn('PodLevelResources', minor)) return [];
  return requirementErrors(member(spec, 'resources'), `${at}.resources`, podNameErrors);
}

// core validation `validateResourceRequirements`
function requirementErrors(resources: unknown, at: string, nameErrors: NameRule): FieldError[] {
  const [limits, requests] = ['limits', 'requests'].map((part) =>
    readResources(member(resources, part)),
  ) as [ResourceList, ResourceList];
  const names = [...limits.keys(), ...requests.keys()];
  const needsOther = names.some(isHugePages) && !names.some(isCpuOrMemory);
  return [
    ...byName(limits).flatMap(([name, limit]) => {
      const place = `${at}.limits[${name}]`;
      return [
        ...nameErrors(name, place),
        ...amountErrors(name, limit, place),
        ...pageErrors(name, limit, place),
      ];
    }),
    ...byName(requests).flatMap(([name, request]) => {
      const place = `${at}.requests[${name}]`;
      return [
        ...nameErrors(name, place),
        ...amountErrors(name, request, place),
        ...requestErrors(name, { request, limit: limits.get(name) }, at),
        ...pageErrors(name, request, place),
      ];
    }),
    ...(needsOther ? [forbidden(at, 'HugePages require cpu or memory')] : []),
  ];
}

// Go reads maps in random order.
function byName(list: ResourceList): readonly (readonly [string, Quantity])[] {
  return [...list].sort(([a], [b]) => compareText(a, b));
}

// core validation `ValidateResourceQuantityValue`
function amountErrors(name: string, amount: Quantity, at: string): FieldError[] {
  const shown = formatQuantity(amount);
  return [
    ...(signOfQuantity(amount) < 0
      ? [invalid(at, shown, 'must be greater than or equal to 0')]
      : []),
    ...(isExtendedResource(name) && !isInteger(amount)
      ? [invalid(at, shown, 'must be an integer')]
      : []),
  ];
}

function requestErrors(
  name: string,
  { request, limit }: { readonly request: Quantity; readonly limit: Quantity | undefined },
  at: string,
): FieldError[] {
  const isFixed = !isNativeResource(name) || isHugePages(name);
  if (limit === undefined) {
    const why = 'Limit must be set for non overcommitable resources';
    return isFixed ? [required(`${at}.limits`, why)] : [];
  }
  const order = compareQuantities(request, limit);
  if (order === 0 || (order < 0 && !isFixed)) return [];
  const relation = isFixed ? 'equal to' : 'less than or equal to';
  const why = `must be ${relation} ${name} limit of ${formatQuantity(limit)}`;
  return [invalid(`${at}.requests`, formatQuantity(request), why)];
}

// core validation `validateResourceQuantityHugePageValue`
function pageErrors(name: string, amount: Quantity, at: string): FieldError[] {
  if (!isHugePages(name) || isMultiple(amount, quantityOf(name.slice('hugepages-'.length)))) {
    return [];
  }
  const shown = formatQuantity(amount);
  return [invalid(at, shown, `${shown} is not positive integer multiple of ${name}`)];
}

function isMultiple(amount: Quantity, size: Quantity | undefined): boolean {
  if (size === undefined || signOfQuantity(size) <= 0 || !isInteger(size)) return false;
  const [whole, page] = [amount, size].map((each) => integerOfQuantity(roundUpQuantity(each, 0)));
  return whole !== undefined && page !== undefined && whole % page === 0n;
}

/** Whether an amount is an integer, rounded up to thousandths as kube-apiserver does. */
function isInteger(amount: Quantity): boolean {
  const thousandths = roundUpQuantity(amount, -3);
  return compareQuantities(thousandths, roundUpQuantity(thousandths, 0)) === 0;
}

function isCpuOrMemory(name: string): boolean {
  return name === 'cpu' || name === 'memory';
}

/** Resources without a domain that containers can have. */
const standardOfContainers: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);

// core validation `ValidateContainerResourceName`
function containerNameErrors(name: string, at: string): FieldError[] {
  const general = generalNameErrors(name, at);
  if (!name.includes('/')) {
    const isKnown = standardOfContainers.has(name) || isHugePages(name);
    return isKnown
      ? general
      : [...general, invalid(at, name, 'must be a standard resource for containers')];
  }
  if (isNativeResource(name) || isExtendedResource(name)) return general;
  return [...general, invalid(at, name, "doesn't follow extended resource name standard")];
}

// core validation `validatePodResourceName`
function podNameErrors(name: string, at: string): FieldError[] {
  const general = generalNameErrors(name, at);
  if (general.length > 0 || isPodLevelResource(name)) return general;
  return [notSupported(at, name, ['cpu', 'hugepages-', 'memory'])];
}

/** Resources without a domain that Kubernetes knows, of containers and of quotas. */
const standardResources: ReadonlySet<string> = new Set([
  ...standardOfContainers,
  ...['requests.cpu', 'requests.memory', 'requests.ephemeral-storage'],
  ...['limits.cpu', 'limits.memory', 'limits.ephemeral-storage'],
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'storage', 'requests.storage'],
  ...['services.nodeports', 'services.loadbalancers'],
]);

// core validation `validateResourceName`
function generalNameErrors(name: string, at: string): FieldError[] {
  const problems = qualifiedNameProblems(name);
  if (problems.length > 0) return problems.map((problem) => invalid(at, name, problem));
  const isKnown =
    name.includes('/') || standardResources.has(name) || /^(requests\.)?hugepages-/.test(name);
  if (isKnown) return [];
  return [invalid(at, name, 'must be a standard resource type or fully qualified')];
}
