import { type KubernetesObject, member, memberText } from '@kubeadmit/apimachinery';
import {
  compareQuantities,
  type Quantity,
  roundUpQuantity,
} from '@kubeadmit/apimachinery/quantity';
import { readResources } from '../../resources/resource-list.ts';
import { isFeatureOn } from '../../versions/feature-gates.data.ts';
import { metadataOf } from '../../write/metadata.ts';
import type { QuotaEvaluator, Scope } from './evaluator.ts';
import { count } from './object-count.ts';
import { meetsOperator } from './quota-scopes.ts';

const counted = ['persistentvolumeclaims', 'requests.storage'];
const classSuffix = '.storageclass.storage.k8s.io/';

/** Measures claims and their storage, also by class (quota/v1/evaluator/core/persistent_volume_claims.go). */
export const claimEvaluator: QuotaEvaluator = {
  resource: 'persistentvolumeclaims',
  // The server compares pointers in updates of the status, so that they all count (`RequiresQuotaReplenish`).
  handles: ({ operation, subresource }) =>
    subresource === ''
      ? operation === 'CREATE' || operation === 'UPDATE'
      : subresource === 'status',
  matchingNames: (names) =>
    names.filter(
      (name) =>
        name === 'count/persistentvolumeclaims' ||
        counted.includes(name) ||
        counted.some((each) => name.endsWith(`${classSuffix}${each}`)),
    ),
  isInScope: (scope, claim, { minor }) =>
    scope.scopeName === 'VolumeAttributesClass' &&
    isFeatureOn('VolumeAttributesClass', minor) &&
    matchesAttributesClass(scope, claim),
  usage: (claim, { minor }) => {
    const usage = new Map<string, Quantity>([
      ['persistentvolumeclaims', count(1)],
      ['count/persistentvolumeclaims', count(1)],
    ]);
    const storageClass = storageClassOf(claim);
    const prefix = storageClass === '' ? undefined : `${storageClass}${classSuffix}`;
    if (prefix !== undefined) usage.set(`${prefix}persistentvolumeclaims`, count(1));
    const storage = storageOf(claim, minor);
    if (storage === undefined) return usage;
    usage.set('requests.storage', storage);
    if (prefix !== undefined) usage.set(`${prefix}requests.storage`, storage);
    return usage;
  },
};

/** The class in the old annotation wins over the one in the specification. */
function storageClassOf(claim: KubernetesObject): string {
  const annotated = metadataOf(claim).annotations?.['volume.beta.kubernetes.io/storage-class'];
  return annotated ?? memberText(member(claim, 'spec'), 'storageClassName');
}

/** The requested storage in whole bytes, or the storage that a failed expansion allocated if that is more. */
function storageOf(claim: KubernetesObject, minor: number): Quantity | undefined {
  const spec = member(claim, 'spec');
  const requested = readResources(member(member(spec, 'resources'), 'requests')).get('storage');
  if (requested === undefined || !isFeatureOn('RecoverVolumeExpansionFailure', minor)) {
    return requested && wholeBytes(requested);
  }
  const status = member(claim, 'status');
  const allocated = readResources(member(status, 'allocatedResources')).get('storage');
  const isMore = allocated !== undefined && compareQuantities(allocated, requested) > 0;
  return wholeBytes(isMore ? allocated : requested);
}

function wholeBytes(quantity: Quantity): Quantity {
  return roundUpQuantity(quantity, 0);
}

function matchesAttributesClass(scope: Scope, claim: KubernetesObject): boolean {
  const status = member(claim, 'status');
  const classes = [
    memberText(member(claim, 'spec'), 'volumeAttributesClassName'),
    memberText(status, 'currentVolumeAttributesClassName'),
    memberText(member(status, 'modifyVolumeStatus'), 'targetVolumeAttributesClassName'),
  ].filter((name) => name !== '');
  if (classes.length === 0) return meetsOperator(scope, undefined);
  return classes.some((name) => meetsOperator(scope, name));
}
