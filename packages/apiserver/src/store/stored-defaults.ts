import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { metadataOf, withMember, withMetadata } from '../objects/metadata.ts';

const completed = new WeakSet<KubernetesObject>();

/** Defaults that a kind gets when it is read from the store, because the server stores objects without them. */
const defaults: ReadonlyMap<string, (object: KubernetesObject) => KubernetesObject> = new Map([
  ['v1 PersistentVolumeClaim', withPhase],
  ['batch/v1 Job', withTemplateLabels],
]);

/** Returns a stored object with the defaults that are set when it is read. */
export function withStoredDefaults(object: KubernetesObject): KubernetesObject {
  const complete = defaults.get(`${object['apiVersion']} ${object['kind']}`)?.(object) ?? object;
  if (complete !== object) completed.add(complete);
  return complete;
}

/** New claims are stored without a phase (core v1 `SetDefaults_PersistentVolumeClaim`). */
function withPhase(claim: KubernetesObject): KubernetesObject {
  const status = member(claim, 'status');
  if (member(status, 'phase')) return claim;
  return withMember(claim, 'status', { ...(status as object), phase: 'Pending' });
}

/** Jobs without labels get those of their template, to which the server adds some (batch v1 `SetDefaults_Job`). */
function withTemplateLabels(job: KubernetesObject): KubernetesObject {
  const template = member(member(job, 'spec'), 'template') as KubernetesObject | undefined;
  const labels = template === undefined ? undefined : metadataOf(template).labels;
  const own = Object.keys(metadataOf(job).labels ?? {});
  return labels === undefined || own.length > 0 ? job : withMetadata(job, { labels });
}

/** Whether an object has defaults that the store lacks. */
export function isCompleted(object: KubernetesObject): boolean {
  return completed.has(object);
}
