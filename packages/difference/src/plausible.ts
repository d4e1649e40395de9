import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { labelValueProblems, qualifiedNameProblems } from '@kubeadmit/apimachinery/names';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { type Field, type Shape, structNamed, structOf } from '@kubeadmit/schemas/types';

/**
 * Whether a server would take the object as far as its hand-written checks go that everyone meets: pods have
 * containers, containers have names and images, the elements of lists their keys, and labels are labels. Other
 * objects never reach a validating policy's verdict.
 */
export function isPlausible(object: JsonObject, schemas: Schemas): boolean {
  const [group = '', version = ''] = String(object['apiVersion']).includes('/')
    ? String(object['apiVersion']).split('/')
    : ['', String(object['apiVersion'])];
  const kind = { group, version, kind: String(object['kind']) };
  const resource = findResourceOfKind(schemas, kind);
  const struct = resource && structOf(schemas, resource)?.name;
  if (struct === undefined) return hasLabels(object['metadata']);
  return holdsPods(object) && namesVerbs(object) && areFieldsWhole(struct, object, schemas);
}

// Rules of roles have verbs, and resources of groups or paths.
function namesVerbs({ apiVersion, rules }: JsonObject): boolean {
  if (!String(apiVersion).startsWith('rbac.') || !Array.isArray(rules)) return true;
  return rules.every((rule) => {
    if (!isObject(rule)) return false;
    const has = (name: string): boolean => Array.isArray(rule[name]) && rule[name].length > 0;
    return has('verbs') && (has('nonResourceURLs') || (has('apiGroups') && has('resources')));
  });
}

// Lists with keys have elements with keys, each its own; metadata has labels that are labels.
function areFieldsWhole(struct: string, object: JsonObject, schemas: Schemas): boolean {
  if (!isComplete(struct, object)) return false;
  return Object.entries(object).every(([key, value]) => {
    if (key === 'metadata' && !hasLabels(value)) return false;
    const field = structNamed(schemas, struct)?.byName.get(key);
    if (field === undefined) return true;
    if (field.keys !== undefined && !hasKeys(value, field, schemas)) return false;
    return isWhole(value, field.shape, schemas);
  });
}

/** The fields of structs that are never left out (`Required value` of kube-apiserver). */
export const requiredFields: Readonly<Record<string, readonly string[]>> = {
  'core.v1.NodeSelector': ['nodeSelectorTerms'],
  'core.v1.EnvVar': ['name'],
  'core.v1.VolumeMount': ['name', 'mountPath'],
  'core.v1.HostPathVolumeSource': ['path'],
  'core.v1.Sysctl': ['name'],
  'core.v1.PodAffinityTerm': ['topologyKey'],
  'apps.v1.DaemonSetSpec': ['selector'],
  'apps.v1.DeploymentSpec': ['selector'],
  'apps.v1.ReplicaSetSpec': ['selector'],
  'apps.v1.StatefulSetSpec': ['selector'],
  'rbac.v1.RoleRef': ['kind', 'name'],
  'rbac.v1.Subject': ['kind', 'name'],
};

function isComplete(struct: string, object: JsonObject): boolean {
  return (requiredFields[struct] ?? []).every((name) => {
    const value = object[name];
    if (Array.isArray(value)) return value.length > 0;
    return isObject(value) || isFilled(value);
  });
}

function isWhole(value: unknown, shape: Shape | undefined, schemas: Schemas): boolean {
  if (Array.isArray(value)) return value.every((item) => isWhole(item, shape?.element, schemas));
  if (shape?.kind === 'intorstring' && value === '') return false;
  if (!isObject(value) || shape === undefined) return true;
  if (shape.kind === 'map') {
    return Object.values(value).every((item) => isWhole(item, shape.element, schemas));
  }
  return shape.struct === undefined || areFieldsWhole(shape.struct, value, schemas);
}

function hasKeys(list: unknown, { keys = [], shape }: Field, schemas: Schemas): boolean {
  if (!Array.isArray(list)) return true;
  const struct = shape.element?.struct ?? '';
  const seen = new Set<string>();
  return list.every((item) => {
    if (!isObject(item)) return false;
    const own = keys.map((key) => {
      const field = structNamed(schemas, struct)?.byName.get(key);
      return item[key] ?? field?.key;
    });
    if (own.some((value) => value === undefined || value === null || value === '')) return false;
    const text = JSON.stringify(own, (_, value) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    return seen.has(text) ? false : seen.add(text);
  });
}

function hasLabels(metadata: unknown): boolean {
  if (!isObject(metadata)) return true;
  const { labels, annotations } = metadata;
  const areNames = (map: unknown): boolean =>
    !isObject(map) || Object.keys(map).every((key) => qualifiedNameProblems(key).length === 0);
  const areValues =
    !isObject(labels) ||
    Object.values(labels).every((value) => labelValueProblems(String(value)).length === 0);
  return areNames(labels) && areNames(annotations) && areValues;
}

function holdsPods(object: JsonObject): boolean {
  const spec = objectOf(object['spec']);
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
