import type { FieldError, KubernetesObject } from '@kubeadmit/apimachinery';
import {
  type NameRule,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@kubeadmit/apimachinery/internal';
import type { Endpoint } from '../kinds/endpoint.ts';
import { metadataOf } from './metadata.ts';

/** How names are checked, where they need not be subdomains (the strategies of kubernetes/pkg/registry). */
const nameRules: ReadonlyMap<string, NameRule> = new Map<string, NameRule>([
  ['roles', 'pathSegment'],
  ['rolebindings', 'pathSegment'],
  ['clusterroles', 'pathSegment'],
  ['clusterrolebindings', 'pathSegment'],
  ['poddisruptionbudgets', 'pathSegment'],
  ['events', 'pathSegment'],
  ['statefulsets', 'dns1123Label'],
]);
const coreNameRules: ReadonlyMap<string, NameRule> = new Map<string, NameRule>([
  ['namespaces', 'dns1123Label'],
  ['services', 'dns1035Label'],
]);

function nameRuleOf({ name }: Endpoint): NameRule {
  const core = name.group === '' ? coreNameRules.get(name.name) : undefined;
  return core ?? nameRules.get(name.name) ?? 'dns1123Subdomain';
}

/** What is wrong with the metadata of a new object (apimachinery api/validation.ValidateObjectMeta). */
export function validateMetadata(object: KubernetesObject, endpoint: Endpoint): FieldError[] {
  const { namespaced } = endpoint.resource;
  return validateObjectMeta(metadataOf(object), { nameRule: nameRuleOf(endpoint), namespaced });
}

/**
 * What is wrong with changed metadata: what is asked of every object, and what of every change (registry/rest
 * `validateCommonFields`).
 */
export function validateMetadataChange(
  object: KubernetesObject,
  old: KubernetesObject,
  { resource: { namespaced } }: Endpoint,
): FieldError[] {
  const metadata = metadataOf(object);
  return [
    ...validateObjectMeta(metadata, { nameRule: 'pathSegment', namespaced }),
    ...validateObjectMetaUpdate(metadata, metadataOf(old)),
  ];
}
