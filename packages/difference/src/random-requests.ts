import {
  formatGroupVersion,
  isObject,
  type JsonObject,
  type KubernetesObject,
  objectOf,
} from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { withAsked } from './asked-request.ts';
import type { Grower } from './grow.ts';
import type { Guide } from './guide.ts';
import type { Random } from './random.ts';
import { isFor, type Operation, type Target } from './targets.ts';

/** The parts from which requests are made. */
export interface Asking {
  readonly random: Random;
  /** The resources that the policies match. */
  readonly targets: readonly Target[];
  /** Objects that were given to begin with. */
  readonly resources: readonly KubernetesObject[];
  /** Makes and changes objects. */
  readonly grower: Grower;
  /** The values that policies compare request attributes with, by the names of the fields. */
  readonly asked: ReadonlyMap<string, readonly unknown[]>;
  /** Knows the requests that took a new branch. */
  readonly guide: Guide;
}

/** The next request to ask: one that took a new branch, changed a little; or a new one. */
export function nextRequest({
  random,
  targets,
  resources,
  grower,
  asked,
  guide,
}: Asking): AdmissionRequest {
  const known = random.chance(0.6) ? random.pick(guide.requests) : undefined;
  const base = known?.object ?? known?.oldObject;
  if (known !== undefined && isObject(base)) {
    const target = targets.find((each) => isFor(each, known));
    if (target !== undefined) return changedRequest(known, target, { random, grower, asked });
  }
  const target = random.pick(targets) as Target;
  const bases = resources.filter((each) => isOfKind(each, target.kind));
  const object = grower.grow(target.kind, random.chance(0.5) ? random.pick(bases) : undefined);
  const operation = random.chance(0.3) ? random.pick(target.operations) : target.operations[0];
  const old = operation === 'UPDATE' ? grower.change(target.kind, object) : object;
  return withAsked(requestOf(target, operation ?? 'CREATE', object, old), asked, random);
}

function isOfKind({ apiVersion, kind }: JsonObject, wanted: Target['kind']): boolean {
  return kind === wanted.kind && apiVersion === formatGroupVersion(wanted);
}

function changedRequest(
  known: AdmissionRequest,
  target: Target,
  { random, grower, asked }: Pick<Asking, 'random' | 'grower' | 'asked'>,
): AdmissionRequest {
  const { object, oldObject, operation } = known;
  const base = (isObject(object) ? object : oldObject) as JsonObject;
  const next = grower.change(target.kind, base);
  const other = random.chance(0.15) ? random.pick(target.operations) : undefined;
  const before = isObject(oldObject) ? oldObject : base;
  const old = random.chance(0.3) ? grower.change(target.kind, before) : before;
  return withAsked(requestOf(target, other ?? (operation as Operation), next, old), asked, random);
}

/** A request for an object: deletions have the object that is there alone, and only updates have both. */
export function requestOf(
  target: Target,
  operation: Operation,
  object: JsonObject,
  old: JsonObject,
): AdmissionRequest {
  if (operation === 'DELETE') return requestFor(target, undefined, operation, object);
  return requestFor(target, object, operation, operation === 'UPDATE' ? old : undefined);
}

/** A request with the object, the object before, or both. */
export function requestFor(
  target: Target,
  object: JsonObject | undefined,
  operation: Operation,
  oldObject?: JsonObject,
): AdmissionRequest {
  const { group, version, resource, namespaced } = target.resource;
  const { kind } = target;
  const given = object ?? oldObject ?? {};
  const metadata = objectOf(given['metadata']);
  // A request for a namespace that is there is in it.
  const isWithin = group === '' && resource === 'namespaces' && operation !== 'CREATE';
  const namespace = namespaced
    ? String(metadata['namespace'] ?? 'default')
    : isWithin
      ? String(metadata['name'] ?? 'grown')
      : '';
  // Updates of custom resources need a resource version.
  const versioned =
    operation === 'UPDATE' && target.resource.definition !== undefined
      ? { resourceVersion: '1' }
      : {};
  const placed = (each: JsonObject): JsonObject => {
    const own = objectOf(each['metadata']);
    const place = namespaced ? { namespace } : {};
    return operation === 'CONNECT'
      ? each
      : { ...each, metadata: { ...own, ...versioned, ...place } };
  };
  return {
    uid: '0a1b2c3d-0000-4000-8000-000000000000',
    operation,
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    resource: { group, version, resource },
    ...(target.subresource === undefined ? {} : { subResource: target.subresource }),
    name: String(metadata['name'] ?? 'grown'),
    namespace,
    userInfo: { username: 'alice', groups: ['system:authenticated'] },
    ...(object === undefined ? {} : { object: placed(object) }),
    ...(oldObject === undefined ? {} : { oldObject: placed(oldObject) }),
  } as AdmissionRequest;
}
