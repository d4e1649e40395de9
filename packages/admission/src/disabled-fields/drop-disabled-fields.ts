import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { isFeatureOn } from '../versions/feature-gates.data.ts';
import { changedAt } from './field-path.ts';
import { type GatedChange, removalOf } from './gated-change.ts';
import { podChanges } from './pod-changes.ts';
import { podSpecFields, podStatusFields } from './pod-fields.data.ts';
import { resourceFields } from './resource-fields.data.ts';

/** The write of an object of a built-in resource. */
export interface GatedWrite {
  /** The qualified name of the resource, such as `deployments.apps`. */
  readonly resource: string;
  /** Whether the write is to the subresource `status`. */
  readonly isStatus: boolean;
  /** The existing object; undefined for a new one. */
  readonly old: KubernetesObject | undefined;
  /** The minor version of the server, such as 37. */
  readonly minor: number;
}

/** Returns an object without the fields of features that are off in a version and that the existing object does not use. */
export function dropDisabledFields(
  object: KubernetesObject,
  { resource, isStatus, old, minor }: GatedWrite,
): KubernetesObject {
  let result = object;
  for (const { path, changes } of changesOf(resource, isStatus, minor)) {
    const before = old === undefined ? undefined : objectAt(old, path);
    const acting = changes.filter(({ isUsed }) => before === undefined || !isUsed(before));
    result = changedAt(result, path, (inner) =>
      acting.reduce((changed, { change }) => change(changed), inner),
    );
  }
  return result;
}

/** Changes of the object at a path. */
interface PlacedChanges {
  readonly path: readonly string[];
  readonly changes: readonly GatedChange[];
}

const known = new Map<string, readonly PlacedChanges[]>();

function changesOf(resource: string, isStatus: boolean, minor: number): readonly PlacedChanges[] {
  return getOrMake(known, `${resource} ${isStatus} ${minor}`, () =>
    (isStatus ? statusChanges(resource, minor) : objectChanges(resource))
      .map(({ path, changes }) => ({ path, changes: changes.filter((each) => acts(each, minor)) }))
      .filter(({ changes }) => changes.length > 0),
  );
}

function acts({ gate, from = 0 }: GatedChange, minor: number): boolean {
  return minor >= from && !isFeatureOn(gate, minor);
}

/** The first minor version in which updates of a pod's status drop fields, too. */
const podStatusSince = 33;

function statusChanges(resource: string, minor: number): readonly PlacedChanges[] {
  if (resource === 'pods') return minor < podStatusSince ? [] : objectChanges(resource);
  return [{ path: [], changes: (resourceFields[resource]?.status ?? []).map(removalOf) }];
}

function objectChanges(resource: string): readonly PlacedChanges[] {
  const path = podPaths[resource];
  const ofObject = resource === 'pods' ? podStatusFields : (resourceFields[resource]?.object ?? []);
  return [
    ...(path === undefined
      ? []
      : [{ path, changes: [...podSpecFields.map(removalOf), ...podChanges] }]),
    { path: [], changes: ofObject.map(removalOf) },
  ];
}

const template = ['spec', 'template', 'spec'];

/** The paths of the specifications of pods in the resources that have one. */
const podPaths: Readonly<Record<string, readonly string[]>> = {
  pods: ['spec'],
  podtemplates: ['template', 'spec'],
  replicationcontrollers: template,
  'daemonsets.apps': template,
  'deployments.apps': template,
  'replicasets.apps': template,
  'statefulsets.apps': template,
  'jobs.batch': template,
  'cronjobs.batch': ['spec', 'jobTemplate', ...template],
};

function objectAt(object: KubernetesObject, path: readonly string[]): KubernetesObject {
  let found: KubernetesObject = {};
  changedAt(object, path, (inner) => {
    found = inner;
    return inner;
  });
  return found;
}
