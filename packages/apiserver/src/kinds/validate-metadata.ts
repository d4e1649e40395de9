import type { FieldError, KubernetesObject } from '@kubeadmit/apimachinery';
import { validateObjectMeta, validateObjectMetaUpdate } from '@kubeadmit/apimachinery/field-errors';
import type { NameRule } from '@kubeadmit/apimachinery/names';
import { metadataOf } from '../objects/metadata.ts';
import type { Endpoint } from './endpoint.ts';

/** How names are checked, where they need not be subdomains (the strategies of kubernetes/pkg/registry). */
const nameRules: ReadonlyMap<string, NameRule> = new Map<string, NameRule>([
  ['roles', 'pathSegment'],
  ['rolebindings', 'pathSegment'],
  ['clusterroles', 'pathSegment'],
  ['clusterrolebindings', 'pathSegment'],
  ['poddisruptionbudgets', 'pathSegment'],
  ['events', 'pathSegment'],
  ['statefulsets', 'dns1123Label'],
  ['clustertrustbundles', 'pathSegment'],
]);
const coreNameRules: ReadonlyMap<string, NameRule> = new Map<string, NameRule>([
  ['namespaces', 'dns1123Label'],
  ['services', 'dns1035Label'],
]);

function nameRuleOf({ name }: Endpoint): NameRule {
  const core = name.group === '' ? coreNameRules.get(name.name) : undefined;
  return core ?? nameRules.get(name.name) ?? 'dns1123Subdomain';
}

/**
 * Validates the metadata of an object that is created (apimachinery api/validation.ValidateObjectMeta) or, with
 * `old`, updated (registry/rest `validateCommonFields`).
 */
export function validateMetadata(
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  endpoint: Endpoint,
): FieldError[] {
  const { namespaced } = endpoint.resource;
  const metadata = metadataOf(object);
  if (old === undefined) {
    return validateObjectMeta(metadata, { nameRule: nameRuleOf(endpoint), namespaced });
  }
  return [
    ...validateObjectMeta(metadata, { nameRule: 'pathSegment', namespaced }),
    ...validateObjectMetaUpdate(metadata, metadataOf(old)),
  ];
}
