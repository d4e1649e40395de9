import {
  type JsonObject,
  type KubernetesObject,
  member,
  memberList,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { CelPolicy, Policy } from '@kubeadmit/kyverno';
import {
  generateForRequest,
  type WantedObjects,
  wantedObjects,
} from '@kubeadmit/kyverno/background';
import type { Schemas } from '@kubeadmit/schemas';
import { jsonOf } from '../readers/json.ts';
import type { ServedKind } from '../requests/served-kind.ts';
import type { RequestReader } from './asked-request.ts';
import { settingsFor } from './classic.ts';
import type { Generator } from './generators.ts';
import { isNamespaced } from './identity.ts';

/** An object of a cluster with the resource that serves it. */
export interface StoredObject {
  /** The object. */
  readonly object: KubernetesObject;
  /** The resource that serves it. */
  readonly resource: ServedKind;
}

/** The surroundings of a trigger. */
export interface TriggerSetting {
  readonly requests: RequestReader;
  readonly schemas: Schemas;
  /** The objects that may be cloned. */
  readonly clones: () => readonly JsonObject[];
  /** Whether the trigger was deleted. */
  readonly isDeleted: boolean;
}

/** The objects that a rule wants because of a trigger. */
export interface WantedOfTrigger extends WantedObjects {
  /** The objects that `resource.get` did not find. */
  readonly missing?: readonly MissingObject[];
}

/** An object that a policy reads and that does not exist. */
export interface MissingObject {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the objects that the rules of a policy want because of a trigger. */
export function wantedFor(
  generator: Generator,
  trigger: StoredObject,
  setting: TriggerSetting,
): readonly WantedOfTrigger[] {
  if (setting.isDeleted) return wantedBy(generator, trigger, 'DELETE', setting);
  // The operation that created the state of a trigger is unknown: rules for either apply.
  const created = wantedBy(generator, trigger, 'CREATE', setting);
  if (created.every(({ extent }) => extent !== 'none')) return created;
  const updated = wantedBy(generator, trigger, 'UPDATE', setting);
  return created.map((one, at) => (one.extent === 'none' ? (updated[at] ?? one) : one));
}

type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

function wantedBy(
  { policy: { policy } }: Generator,
  trigger: StoredObject,
  operation: Operation,
  setting: TriggerSetting,
): readonly WantedOfTrigger[] {
  return 'specs' in policy
    ? wantedByCel(policy, trigger, operation, setting)
    : wantedByRules(policy, trigger, operation, setting);
}

function wantedByRules(
  policy: Policy,
  trigger: StoredObject,
  operation: Operation,
  { requests, clones }: TriggerSetting,
): readonly WantedObjects[] {
  const object = jsonOf(trigger.object);
  const { facts, givens } = requests.classic(requestOf(trigger, operation), object, undefined);
  // The user who changed a trigger is unknown; filters by users are ignored, as in Kyverno's background.
  const settingOf = settingsFor({ ...facts, user: {} }, (each) => {
    const { sources, ...given } = givens(each);
    return { ...given, sources: { ...sources, clones } };
  });
  return wantedObjects(policy, object, settingOf(policy));
}

function wantedByCel(
  policy: CelPolicy,
  trigger: StoredObject,
  operation: Operation,
  { requests, schemas }: TriggerSetting,
): readonly WantedOfTrigger[] {
  const missing: MissingObject[] = [];
  const request = requests
    .withSources(noting(requests.sources, missing))
    .cel(requestOf(trigger, operation), jsonOf(trigger.object), undefined);
  const response = generateForRequest(policy, request, {
    form: 'cluster',
    isNamespaced: (apiVersion, kind) => isNamespaced(apiVersion, kind, schemas),
  });
  if (response === undefined) return [{ rule: '', extent: 'none', objects: [], problem: '' }];
  const { result, generated } = response;
  const isExact = result.status === 'pass';
  return [
    {
      rule: '',
      extent: isExact ? 'exact' : 'unknown',
      objects: isExact ? generated : [],
      problem: result.status === 'error' ? result.message : '',
      missing,
    },
  ];
}

/** Sources that note the objects that are not found. */
function noting(
  sources: RequestReader['sources'],
  missing: MissingObject[],
): RequestReader['sources'] {
  const { getResource } = sources;
  if (getResource === undefined) return sources;
  return {
    ...sources,
    getResource: (query) => {
      const found = getResource(query);
      if (found === undefined) missing.push(query);
      return found;
    },
  };
}

/** Returns the request that policies of the background see. */
export function requestOf(
  { object, resource: { group, version, kind, resource } }: StoredObject,
  operation: Operation,
): AdmissionRequest {
  const name = metadataString(object, 'name');
  const isNamespace = group === '' && resource === 'namespaces';
  const namespace = isNamespace ? name : metadataString(object, 'namespace');
  return {
    kind: { group, version, kind },
    resource: { group, version, resource },
    name,
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {},
    object: operation === 'DELETE' ? null : object,
    oldObject: operation === 'CREATE' ? null : object,
    dryRun: false,
  } as AdmissionRequest;
}

/**
 * Whether a trigger counts because it was created or changed after the policy was created; one that has no creation
 * time is older than everything. Changes of the status do not count, since they are other requests.
 */
export function isNewerThan(policy: KubernetesObject, trigger: KubernetesObject): boolean {
  return isLater(trigger, policy, metadataString(policy, 'creationTimestamp'));
}

/** Whether a trigger was created or changed after the last change of a policy, other than of its status. */
export function isNewerThanChange(policy: KubernetesObject, trigger: KubernetesObject): boolean {
  return isLater(trigger, policy, timeOfChange(policy));
}

// Times are in seconds; within one, the resource versions of a server tell the order.
function isLater(trigger: KubernetesObject, policy: KubernetesObject, time: string): boolean {
  return timesOf(trigger).some(
    (each) => each > time || (each === time && !(versionOf(trigger) < versionOf(policy))),
  );
}

function versionOf(object: KubernetesObject): number {
  return Number(metadataString(object, 'resourceVersion') || Number.NaN);
}

/** Whether an object was created or changed at a time in RFC 3339 or later, to the second. */
export function isChangedSince(object: KubernetesObject, time: string): boolean {
  return timesOf(object).some((each) => each >= time);
}

/** Returns when an object was last created or changed, in RFC 3339; empty for an object of a file. */
export function timeOfChange(object: KubernetesObject): string {
  return [...timesOf(object)].sort().at(-1) ?? '';
}

function timesOf(object: KubernetesObject): readonly string[] {
  const managers = memberList(member(object, 'metadata'), 'managedFields');
  const changes = managers
    .filter((manager) => memberText(manager, 'subresource') === '')
    .map((manager) => memberText(manager, 'time'));
  return [metadataString(object, 'creationTimestamp'), ...changes];
}
