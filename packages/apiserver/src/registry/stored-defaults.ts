import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { withMember } from '../objects/metadata.ts';

const completed = new WeakSet<KubernetesObject>();

/**
 * A stored object with what is set when it is read: claims of volumes are stored without a phase when they are made
 * (core v1 `SetDefaults_PersistentVolumeClaim`).
 */
export function withStoredDefaults(object: KubernetesObject): KubernetesObject {
  if (object['kind'] !== 'PersistentVolumeClaim' || object['apiVersion'] !== 'v1') return object;
  const status = member(object, 'status');
  if (member(status, 'phase')) return object;
  const whole = withMember(object, 'status', { ...(status as object), phase: 'Pending' });
  completed.add(whole);
  return whole;
}

/** Whether the store holds less of an object than is read. */
export function isCompleted(object: KubernetesObject): boolean {
  return completed.has(object);
}
