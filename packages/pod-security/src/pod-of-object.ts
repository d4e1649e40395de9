import { isObject, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { makePod, type Pod, type PodSpec } from './pod.ts';

/** The paths of pod templates by kind; pods are their own templates. */
const templatePaths: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  PodTemplate: ['template'],
  ReplicationController: ['spec', 'template'],
  ReplicaSet: ['spec', 'template'],
  Deployment: ['spec', 'template'],
  StatefulSet: ['spec', 'template'],
  DaemonSet: ['spec', 'template'],
  Job: ['spec', 'template'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template'],
};

/**
 * Returns the pod that an object is, or that its template describes. Other kinds, and objects without a template, have
 * none.
 */
export function podOfObject(object: KubernetesObject): Pod | undefined {
  const kind = member(object, 'kind');
  if (typeof kind !== 'string' || !Object.hasOwn(templatePaths, kind)) return undefined;
  const path = templatePaths[kind] ?? [];
  const template = path.reduce<unknown>(member, object);
  if (!isObject(template)) return undefined;
  const annotations = member(member(template, 'metadata'), 'annotations');
  const spec = member(template, 'spec');
  return makePod(
    isObject(annotations) ? (annotations as Readonly<Record<string, string>>) : {},
    isObject(spec) ? (spec as PodSpec) : {},
  );
}
