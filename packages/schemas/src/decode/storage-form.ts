import { type JsonObject, member } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { encodeBase64 } from '@kubeadmit/go';
import { fill, isEmpty, items, pointer, struct } from '../defaults/defaulting.ts';
import type { StructType } from '../types/type-store.ts';
import {
  dropAutoscalerAnnotations,
  fullAutoscaler,
  internalAutoscaler,
  roundTripAutoscaler,
  withPolicies,
} from './autoscaler.ts';
import { withEmptyLists } from './convert-devices.ts';
import { internalForm } from './internal-form.ts';

/**
 * Converts an object to the server's internal form and back, and returns the message of a rejection, if any. With
 * `before`, the internal form of that object is overwritten, and keeps values that `object` omits.
 */
type RoundTrip = (object: JsonObject, minor: number, before?: JsonObject) => string | undefined;

const templateGeneration = 'deprecated.daemonset.template.generation';
const rollbackTo = 'deprecated.deployment.rollback.to';

const roundTrips: Readonly<Record<string, RoundTrip>> = {
  'apps.v1.DaemonSet': daemonSet,
  'apps.v1.Deployment': deployment,
  'apps.v1.StatefulSet': statefulSet,
  'autoscaling.v1.HorizontalPodAutoscaler': (object, minor, before) =>
    roundTripAutoscaler(object, minor, before),
  'autoscaling.v2.HorizontalPodAutoscaler': (object, minor) =>
    dropAutoscalerAnnotations(object, minor),
  'core.v1.Node': node,
  'core.v1.Secret': secret,
  'resource.v1alpha3.ResourceSlice': resourceSlice,
  'resource.v1beta1.ResourceSlice': resourceSlice,
};

const policies: string = [
  'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding',
].join(' ');

/**
 * Kinds whose lists hold items without `apiVersion` and `kind`, since the internal form of the items is another struct,
 * with the minor versions of the servers where that is so.
 */
const bareItems: readonly (readonly [
  version: string,
  kinds: string,
  from?: number,
  before?: number,
])[] = [
  ['admissionregistration.v1', 'MutatingWebhookConfiguration ValidatingWebhookConfiguration'],
  ['apps.v1', 'DaemonSet Deployment ReplicaSet StatefulSet'],
  ['autoscaling.v1', 'HorizontalPodAutoscaler'],
  ['autoscaling.v2', 'HorizontalPodAutoscaler'],
  ['certificates.v1', 'PodCertificateRequest'],
  ['core.v1', 'Node Secret'],
  ['events.v1', 'Event'],
  ['flowcontrol.v1', 'PriorityLevelConfiguration'],
  ['flowcontrol.v1beta3', 'PriorityLevelConfiguration'],
  ['resource.v1alpha3', 'ResourceSlice', 32],
  ['resource.v1alpha3', 'ResourceClaim ResourceClaimTemplate', 33],
  ['resource.v1beta1', 'ResourceClaim ResourceClaimTemplate ResourceSlice', 33],
  ['apps.v1', 'ControllerRevision', 0, 31],
  ['admissionregistration.v1', policies, 0, 37],
  ['admissionregistration.v1beta1', policies, 0, 37],
  ['admissionregistration.v1alpha1', policies, 0, 37],
  ['batch.v1', 'CronJob Job', 0, 37],
  ['core.v1', 'PersistentVolume Pod PodTemplate ReplicationController Service', 0, 37],
  ['policy.v1', 'PodDisruptionBudget', 0, 37],
  ['resource.v1alpha2', 'ResourceClaim ResourceClaimParameters ResourceClassParameters', 0, 37],
  ['storage.v1', 'CSIDriver VolumeAttachment', 0, 37],
];

const bareLists: ReadonlyMap<string, readonly [from: number, before: number]> = new Map(
  bareItems.flatMap(([version, kinds, from = 0, before = Number.POSITIVE_INFINITY]) =>
    kinds.split(' ').map((kind) => [`${version}.${kind}List`, [from, before]]),
  ),
);

function isBare(list: string, minor: number): boolean {
  const [from, before] = bareLists.get(list) ?? [0, 0];
  return minor >= from && minor < before;
}

/**
 * Whether the internal form may change a decoded object: never for most kinds, and quickly decided for those that
 * policies change most often. Lists are not supported.
 */
export function mayChangeInternally(type: StructType, object: JsonObject): boolean {
  return roundTrips[type.name] !== undefined && stable[type.name]?.(object) !== true;
}

const stable: Readonly<Record<string, (object: JsonObject) => boolean>> = {
  'apps.v1.DaemonSet': (object) => {
    const text = annotation(object, templateGeneration);
    const isNumber = typeof text === 'string' && /^(?:0|[1-9][0-9]{0,17})$/.test(text);
    return isNumber && hasUpdate(object, 'updateStrategy', ['maxUnavailable', 'maxSurge']);
  },
  'apps.v1.Deployment': (object) =>
    annotation(object, rollbackTo) === undefined &&
    hasUpdate(object, 'strategy', ['maxUnavailable', 'maxSurge']),
  'core.v1.Secret': (object) => object['stringData'] === undefined,
};

function annotation(object: JsonObject, key: string): unknown {
  const annotations = pointer(pointer(object, 'metadata'), 'annotations');
  return annotations && member(annotations, key);
}

/** Whether a rolling update says all of these, if there is one. */
function hasUpdate(object: JsonObject, strategy: string, keys: readonly string[]): boolean {
  const update = pointer(pointer(pointer(object, 'spec'), strategy), 'rollingUpdate');
  return update === undefined || keys.every((key) => update[key] !== undefined);
}

/**
 * Converts an object in place as kube-apiserver does to its internal form and back (kubernetes,
 * `pkg/apis/<group>/<version>/conversion.go`), or returns the text of its refusal. Lists are converted item by item.
 *
 * @param before the object whose internal form is written over
 */
export function roundTrip(
  type: StructType,
  object: JsonObject,
  minor: number,
  before?: JsonObject,
): string | undefined {
  const member = roundTrips[type.name];
  if (member) return member(object, minor, before);
  if (isBare(type.name, minor)) {
    for (const item of items(object, 'items')) {
      delete item['apiVersion'];
      delete item['kind'];
    }
  }
  const element = type.ownName.endsWith('List')
    ? type.byName.get('items')?.shape.element
    : undefined;
  const convert = element?.struct === undefined ? undefined : roundTrips[element.struct];
  if (!convert) return undefined;
  for (const item of items(object, 'items')) {
    const refusal = convert(item, minor);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * Returns the internal form's values that {@link roundTrip} drops, in the form of the object's version; `undefined`
 * if there are none. Call it before the round trip, which changes the object.
 *
 * @param before the object whose internal form is overwritten
 */
export function fullForm(
  type: StructType,
  object: JsonObject,
  minor: number,
  before?: JsonObject,
): JsonObject | undefined {
  if (type.name !== onlyInternal) return typedForm(type, object);
  return fullAutoscaler(object, minor, internalAutoscaler(object, minor, before));
}

/** The kind of which the internal form holds more than a Go struct of its version. */
const onlyInternal = 'autoscaling.v1.HorizontalPodAutoscaler';

const typedForms: Readonly<Record<string, (object: JsonObject) => JsonObject | undefined>> = {
  'autoscaling.v2.HorizontalPodAutoscaler': (object) => withPolicies(object),
  'resource.v1alpha3.ResourceClaim': withEmptyLists,
  'resource.v1alpha3.ResourceClaimTemplate': withEmptyLists,
  'resource.v1beta1.ResourceClaim': withEmptyLists,
  'resource.v1beta1.ResourceClaimTemplate': withEmptyLists,
};

/**
 * Returns values of an object's Go struct that are not written, if a conversion depends on them: lists that are
 * empty but not nil. `undefined` if there are none. Call it before the object is written.
 */
export function typedForm(type: StructType, object: JsonObject): JsonObject | undefined {
  return typedForms[type.name]?.(object);
}

/** An object that decoding gave, as its Go struct holds it. */
export function asTyped(type: StructType, object: JsonObject): JsonObject {
  return type.name === onlyInternal ? object : internalForm(object);
}

/** An annotation as Go's `strconv.ParseInt` reads it. */
function readInt(text: string): bigint | string {
  const problem = `strconv.ParseInt: parsing ${JSON.stringify(text)}: `;
  if (!/^[+-]?[0-9]+$/.test(text)) return `${problem}invalid syntax`;
  const value = BigInt(text.replace(/^\+/, ''));
  const fits = value >= -(2n ** 63n) && value < 2n ** 63n;
  return fits ? value : `${problem}value out of range`;
}

/** Pointers that are plain values in the internal form. */
function fillUpdate(object: JsonObject, strategy: string, values: Readonly<JsonObject>): void {
  const update = pointer(pointer(pointer(object, 'spec'), strategy), 'rollingUpdate');
  if (update) fill(update, values);
}

function daemonSet(object: JsonObject, _minor: number, before?: JsonObject): string | undefined {
  fillUpdate(object, 'updateStrategy', { maxUnavailable: 0, maxSurge: 0 });
  const annotations = struct(struct(object, 'metadata'), 'annotations');
  const text =
    member(annotations, templateGeneration) ?? (before && annotation(before, templateGeneration));
  const generation = typeof text === 'string' ? readInt(text) : 0n;
  if (typeof generation === 'string') return generation;
  const written = String(generation);
  if (member(annotations, templateGeneration) !== written) {
    setKey(annotations, templateGeneration, written);
  }
  return undefined;
}

function deployment(object: JsonObject): string | undefined {
  fillUpdate(object, 'strategy', { maxUnavailable: 0, maxSurge: 0 });
  const annotations = pointer(pointer(object, 'metadata'), 'annotations');
  const text = annotation(object, rollbackTo);
  if (!annotations || text === undefined) return undefined;
  const revision = typeof text === 'string' && text !== '' ? readInt(text) : undefined;
  if (text === String(revision)) return undefined;
  delete annotations[rollbackTo];
  if (revision === undefined) return undefined;
  if (typeof revision === 'string') {
    return `failed to parse annotation[${rollbackTo}]=${text} as int64: ${revision}`;
  }
  setKey(annotations, rollbackTo, String(revision));
  return undefined;
}

function statefulSet(object: JsonObject): string | undefined {
  fillUpdate(object, 'updateStrategy', { partition: 0 });
  for (const claim of items(pointer(object, 'spec'), 'volumeClaimTemplates')) {
    if (claim['apiVersion'] !== 'v1') claim['apiVersion'] = 'v1';
    if (claim['kind'] !== 'PersistentVolumeClaim') claim['kind'] = 'PersistentVolumeClaim';
  }
  return undefined;
}

function node(object: JsonObject): string | undefined {
  const spec = struct(object, 'spec');
  const first = (spec['podCIDRs'] as string[] | undefined)?.[0];
  const single = spec['podCIDR'];
  if (!isEmpty(single) && single !== first) spec['podCIDRs'] = [single];
  const list = (spec['podCIDRs'] as string[] | undefined) ?? [];
  spec['podCIDR'] = list[0] ?? '';
  return undefined;
}

function resourceSlice(object: JsonObject, minor: number): undefined {
  if (minor < 33) return;
  for (const device of items(pointer(object, 'spec'), 'devices')) struct(device, 'basic');
}

function secret(object: JsonObject): string | undefined {
  const texts = pointer(object, 'stringData');
  if (texts && !isEmpty(texts)) {
    const data = struct(object, 'data');
    for (const key of Object.keys(texts)) setKey(data, key, encodeBase64(texts[key] as string));
  }
  delete object['stringData'];
  return undefined;
}
