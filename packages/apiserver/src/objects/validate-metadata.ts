import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  type KubernetesObject,
} from '@kubeadmit/apimachinery';
import { pathSegmentProblems } from '@kubeadmit/apimachinery/internal';
import {
  type FieldError,
  forbidden,
  invalid,
  required,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@kubeadmit/engine';
import type { Endpoint } from '../kinds/endpoint.ts';
import { metadataOf } from './metadata.ts';

/** Resources whose names only have to fit into a path. */
const pathNames: ReadonlySet<string> = new Set([
  'roles',
  'rolebindings',
  'clusterroles',
  'clusterrolebindings',
]);

/** Resources whose names are labels. */
const labelNames: ReadonlySet<string> = new Set(['namespaces']);
const oldLabelNames: ReadonlySet<string> = new Set(['services']);

const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

function labelProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 63) problems.push('must be no more than 63 characters');
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name)) problems.push(labelText);
  return problems;
}

/** What is wrong with a name of a resource (apimachinery `ValidateNameFunc`). */
function nameProblems({ name }: Endpoint, given: string): string[] {
  if (pathNames.has(name.name)) return pathSegmentProblems(given);
  if (name.group === '' && labelNames.has(name.name)) return labelProblems(given);
  if (name.group === '' && oldLabelNames.has(name.name)) return dns1035LabelProblems(given);
  return dns1123SubdomainProblems(given);
}

/** What is wrong with the metadata of a new object (apimachinery api/validation.ValidateObjectMeta). */
export function validateMetadata(object: KubernetesObject, endpoint: Endpoint): FieldError[] {
  const metadata = metadataOf(object);
  const { name = '', namespace = '', generateName = '' } = metadata;
  const errors: FieldError[] = [];
  if (generateName !== '') {
    const masked =
      generateName.length > 1 && generateName.endsWith('-')
        ? `${generateName.slice(0, -2)}a`
        : generateName;
    for (const text of nameProblems(endpoint, masked)) {
      errors.push(invalid('metadata.generateName', generateName, text));
    }
  }
  if (name === '') {
    errors.push(required('metadata.name', 'name or generateName is required'));
  } else {
    for (const text of nameProblems(endpoint, name)) {
      errors.push(invalid('metadata.name', name, text));
    }
  }
  if (endpoint.resource.namespaced) {
    if (namespace === '') errors.push(required('metadata.namespace'));
    else {
      for (const text of labelProblems(namespace)) {
        errors.push(invalid('metadata.namespace', namespace, text));
      }
    }
  } else if (namespace !== '') {
    errors.push(forbidden('metadata.namespace', 'not allowed on this type'));
  }
  const { name: _, generateName: __, namespace: ___, ...rest } = metadata;
  const common = validateObjectMeta({ ...rest, name: 'a' }, 'dns1123Subdomain');
  return [...errors, ...common];
}

/** What is wrong with changed metadata (apimachinery api/validation.ValidateObjectMetaUpdate). */
export function validateMetadataChange(
  object: KubernetesObject,
  old: KubernetesObject,
): FieldError[] {
  return validateObjectMetaUpdate(metadataOf(object), metadataOf(old));
}
