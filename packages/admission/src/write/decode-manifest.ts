import { isObject, type KubernetesObject, member, objectOf } from '@kubeadmit/apimachinery';
import { type Decoded, type DecodeOptions, decode, type Schemas } from '@kubeadmit/schemas';
import { decodeDefinition, isDefinition } from '@kubeadmit/schemas/definitions';
import { decodeApiService } from '@kubeadmit/schemas/unstable-internal';
import { storedVersions } from './to-version.ts';

/**
 * Decodes a manifest as the server does before admission; a CustomResourceDefinition and an APIService, which separate
 * API servers serve, get their defaults too.
 */
export function decodeManifest(
  schemas: Schemas,
  manifest: KubernetesObject,
  options: DecodeOptions,
): Decoded {
  const decoded = decode(schemas, manifest, options);
  if (decoded.object === undefined) return decoded;
  if (isApiService(decoded.object)) {
    const read = decodeApiService(schemas, decoded.object);
    return 'error' in read ? { ...decoded, error: read.error } : { ...decoded, ...read };
  }
  if (!isDefinition(decoded.object)) return decoded;
  const read = decodeDefinition(schemas, decoded.object);
  if ('error' in read) return { ...decoded, error: read.error };
  const { object: _, ...rest } = decoded;
  return { ...rest, object: withDefinitionDefaults(read.object) as never };
}

/** Whether an object is an APIService in the version that servers have. */
export function isApiService({ apiVersion, kind }: KubernetesObject): boolean {
  return kind === 'APIService' && apiVersion === 'apiregistration.k8s.io/v1';
}

// apiextensions v1 SetDefaults_CustomResourceDefinitionSpec and the defaults of its names
function withDefinitionDefaults(definition: KubernetesObject): KubernetesObject {
  const spec = member(definition, 'spec');
  if (!isObject(spec)) return definition;
  const names = objectOf(spec['names']);
  const kind = String(names['kind'] ?? '');
  const conversion = withPort(spec['conversion']) ?? { strategy: 'None' };
  const defaulted = {
    ...spec,
    names: {
      ...withoutEmptyLists(names, ['shortNames', 'categories']),
      ...(names['singular'] ? {} : { singular: kind.toLowerCase() }),
      ...(names['listKind'] || kind === '' ? {} : { listKind: `${kind}List` }),
    },
    conversion,
    ...(Array.isArray(spec['versions']) ? { versions: spec['versions'].map(versionOf) } : {}),
  };
  const status = objectOf(definition['status']);
  const given = status['storedVersions'];
  const metadata = definition['metadata'];
  return {
    ...definition,
    ...(isObject(metadata) ? { metadata: withoutEmptyMembers(metadata) } : {}),
    spec: defaulted,
    status: {
      conditions: status['conditions'] ?? null,
      acceptedNames: status['acceptedNames'] ?? { plural: '', kind: '' },
      storedVersions: Array.isArray(given) && given.length > 0 ? given : storedVersions(definition),
    },
  };
}

// apiextensions v1 SetDefaults_ServiceReference
function withPort(conversion: unknown): KubernetesObject | undefined {
  if (!isObject(conversion)) return undefined;
  const webhook = objectOf(conversion['webhook']);
  const clientConfig = objectOf(webhook['clientConfig']);
  const service = clientConfig['service'];
  if (!isObject(service) || service['port'] != null) return conversion;
  const withDefault = { ...clientConfig, service: { ...service, port: 443 } };
  return { ...conversion, webhook: { ...webhook, clientConfig: withDefault } };
}

function versionOf(version: unknown): unknown {
  return isObject(version)
    ? withoutEmptyLists(version, ['additionalPrinterColumns', 'selectableFields'])
    : version;
}

// Go leaves empty lists out where it writes these fields.
function withoutEmptyLists(object: KubernetesObject, fields: readonly string[]): KubernetesObject {
  const isEmpty = ([name, value]: [string, unknown]): boolean =>
    fields.includes(name) && Array.isArray(value) && value.length === 0;
  return Object.fromEntries(Object.entries(object).filter((entry) => !isEmpty(entry)));
}

function withoutEmptyMembers(metadata: KubernetesObject): KubernetesObject {
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)));
}
