import {
  type KubernetesObject,
  member,
  memberObjects,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { isFeatureOn } from '../../versions/feature-gates.data.ts';
import type { PluginCluster } from '../plugin.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { count, objectCountEvaluator } from './object-count.ts';

const resource = 'resourceclaims.resource.k8s.io';
const classSuffix = '.deviceclass.resource.k8s.io/devices';
const implicitPrefix = 'requests.deviceclass.resource.kubernetes.io/';

/** The number of devices that a request for all devices may get (`AllocationResultsMaxSize`). */
const mostDevices = 32;

/**
 * Counts resource claims and their devices by class (quota/v1/evaluator/core/resource_claims.go). Claims that a
 * scheduler made for the extended resources of a pod count like any other.
 */
export const deviceClaimEvaluator: QuotaEvaluator = {
  resource,
  handles: ({ operation, subresource }) =>
    subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  matchingNames: (names, cluster) =>
    names.filter(
      (name) =>
        name === `count/${resource}` || name.endsWith(classSuffix) || isExtendedName(name, cluster),
    ),
  usage: (claim, cluster) => {
    const usage = new Map([[`count/${resource}`, count(1)]]);
    for (const [deviceClass, devices] of devicesByClass(claim)) {
      usage.set(`${deviceClass}${classSuffix}`, count(devices));
      if (!isFeatureOn('DRAExtendedResource', cluster.minor) || devices === 0) continue;
      usage.set(`${implicitPrefix}${deviceClass}`, count(devices));
      const extended = extendedNameOf(deviceClass, cluster);
      if (extended !== '') usage.set(`requests.${extended}`, count(devices));
    }
    return usage;
  },
};

/** Returns the evaluator of claims in a version; those before 1.34 only count objects. */
export function deviceClaimsIn(minor: number): QuotaEvaluator {
  return isFeatureOn('DynamicResourceAllocation', minor)
    ? deviceClaimEvaluator
    : objectCountEvaluator(resource);
}

function isExtendedName(name: string, cluster: PluginCluster): boolean {
  if (!isFeatureOn('DRAExtendedResource', cluster.minor)) return false;
  if (name.startsWith(implicitPrefix)) {
    return extendedNameOf(name.slice(implicitPrefix.length), cluster) !== '';
  }
  if (!name.startsWith('requests.')) return false;
  const extended = name.slice('requests.'.length);
  return deviceClasses(cluster).some((each) => extendedName(each) === extended);
}

function deviceClasses(cluster: PluginCluster): readonly KubernetesObject[] {
  return cluster.list('deviceclasses.resource.k8s.io');
}

function extendedName(deviceClass: KubernetesObject): string {
  return memberText(member(deviceClass, 'spec'), 'extendedResourceName');
}

function extendedNameOf(name: string, cluster: PluginCluster): string {
  const found = deviceClasses(cluster).find((each) => metadataString(each, 'name') === name);
  return found === undefined ? '' : extendedName(found);
}

/** The number of devices that a claim may get of each class; of alternatives, the greatest. */
function devicesByClass(claim: KubernetesObject): ReadonlyMap<string, number> {
  const total = new Map<string, number>();
  const requests = memberObjects(member(member(claim, 'spec'), 'devices'), 'requests');
  for (const request of requests) {
    const alternatives = memberObjects(request, 'firstAvailable');
    const exactly = member(request, 'exactly');
    const asked = alternatives.length > 0 ? alternatives : exactly === undefined ? [] : [exactly];
    const most = new Map<string, number>();
    for (const each of asked) {
      const name = memberText(each, 'deviceClassName');
      most.set(name, Math.max(most.get(name) ?? 0, devicesOf(each)));
    }
    for (const [name, devices] of most) total.set(name, (total.get(name) ?? 0) + devices);
  }
  return total;
}

function devicesOf(request: unknown): number {
  switch (memberText(request, 'allocationMode')) {
    case 'ExactCount':
      return Number(member(request, 'count') ?? 0);
    case 'All':
      return mostDevices;
    default:
      return 0;
  }
}
