import { isObject, type JsonObject } from '@kubeadmit/apimachinery';

/**
 * Whether a server would take the object as far as its hand-written checks go that everyone meets: pods have
 * containers, containers have names and images. Other objects never reach a validating policy's verdict.
 */
export function isPlausible(object: JsonObject): boolean {
  const spec = isObject(object['spec']) ? object['spec'] : {};
  switch (object['kind']) {
    case 'Pod':
      return isPodSpec(object['spec']);
    case 'CronJob': {
      const job = isObject(spec['jobTemplate']) ? spec['jobTemplate']['spec'] : undefined;
      return isObject(job) && isTemplate(job['template']);
    }
    case 'DaemonSet':
    case 'Deployment':
    case 'Job':
    case 'ReplicaSet':
    case 'ReplicationController':
    case 'StatefulSet':
      return isTemplate(spec['template']);
    default:
      return true;
  }
}

function isTemplate(template: unknown): boolean {
  return isObject(template) && isPodSpec(template['spec']);
}

function isPodSpec(spec: unknown): boolean {
  if (!isObject(spec)) return false;
  const { containers } = spec;
  if (!Array.isArray(containers) || containers.length === 0) return false;
  const all = ['containers', 'initContainers', 'ephemeralContainers', 'volumes'].flatMap((list) => {
    const items = spec[list];
    return Array.isArray(items) ? items.map((item) => ({ list, item })) : [];
  });
  return all.every(
    ({ list, item }) =>
      isObject(item) && isFilled(item['name']) && (list === 'volumes' || isFilled(item['image'])),
  );
}

function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
