import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { objectOf } from '@kubeadmit/apimachinery/internal';
import { jsonTypeOf, quote, readYaml } from '@kubeadmit/go/internal';
import { unregisteredKind } from './decode-errors.ts';

const version = 'apiserver.config.k8s.io/v1';

/** The type of a field: a string, any object, or a list of objects with the given fields. */
type FieldType = 'string' | 'any' | Fields;

interface Fields {
  readonly [name: string]: FieldType;
}

const head = { apiVersion: 'string', kind: 'string' } as const;
const policies: Fields = { ...head, staticManifestsDir: 'string' };

interface Kind {
  /** The Go package that knows it; the others do not. */
  readonly package: string;
  readonly fields: Fields;
  /** An older version of the kind. */
  readonly olderVersion?: string;
  /** The name of its Go type, where it is not that of the kind. */
  readonly struct?: string;
}

/** The kinds of configurations of admission that are read here. */
const kinds: Readonly<Record<string, Kind>> = {
  AdmissionConfiguration: {
    package: 'apiserver',
    olderVersion: 'apiserver.k8s.io/v1alpha1',
    fields: { ...head, plugins: { name: 'string', path: 'string', configuration: 'any' } },
  },
  ValidatingAdmissionPolicyConfiguration: { package: 'policyconfig', fields: policies },
  MutatingAdmissionPolicyConfiguration: { package: 'policyconfig', fields: policies },
  WebhookAdmissionConfiguration: {
    package: 'webhookadmission',
    fields: { ...policies, kubeConfigFile: 'string' },
    struct: 'WebhookAdmission',
  },
};

/**
 * Reads a configuration of admission of a kind (`apiserver.config.k8s.io/v1`), in YAML or JSON, as kube-apiserver's
 * strict decoder does.
 *
 * @throws Error with its text
 */
export function decodeConfiguration(text: string, wanted: string): JsonObject {
  const read = readYaml(text);
  if ('error' in read) throw new Error(read.error);
  const value = read.value;
  const { apiVersion, kind } = objectOf(value);
  if (!isObject(value) || typeof kind !== 'string' || kind === '') {
    throw new Error(`Object 'Kind' is missing in '${text}'`);
  }
  if (typeof apiVersion !== 'string' || apiVersion === '') {
    throw new Error(`Object 'apiVersion' is missing in '${text}'`);
  }
  const known = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  const isKnown = known?.package === kinds[wanted]?.package;
  if (known === undefined || !isKnown || ![version, known.olderVersion].includes(apiVersion)) {
    throw new Error(unregisteredKind(kind, apiVersion));
  }
  const unknown: string[] = [];
  checkFields(value, { fields: known.fields, struct: known.struct ?? kind, path: '' }, unknown);
  if (read.findings.length > 0) {
    unknown.unshift(`yaml: unmarshal errors:\n  ${read.findings.join('\n  ')}`);
  }
  if (unknown.length > 0) throw new Error(`strict decoding error: ${unknown.join(', ')}`);
  if (kind !== wanted) throw new Error(`unexpected type: *${known.package}.${kind}`);
  return value;
}

interface Struct {
  readonly fields: Fields;
  /** The name of its Go type. */
  readonly struct: string;
  /** The path of the struct, as in the message about an unknown field. */
  readonly path: string;
}

function checkFields(value: JsonObject, { fields, struct, path }: Struct, unknown: string[]): void {
  for (const [name, member] of Object.entries(value)) {
    const type = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const place = path === '' ? name : `${path}.${name}`;
    if (type === undefined) unknown.push(`unknown field ${quote(place)}`);
    else if (member !== null && type !== 'any') checkField(member, { type, struct, name, place });
    if (typeof type !== 'object' || !Array.isArray(member)) continue;
    for (const [index, item] of member.entries()) {
      const inner = { fields: type, struct, path: `${place}[${index}]` };
      if (isObject(item)) checkFields(item, inner, unknown);
    }
  }
}

interface Field {
  readonly type: FieldType;
  readonly struct: string;
  readonly name: string;
  readonly place: string;
}

function checkField(value: unknown, { type, struct, name, place }: Field): void {
  const isFitting = type === 'string' ? typeof value === 'string' : isListOfObjects(value);
  if (isFitting) return;
  const wanted = type === 'string' ? 'string' : '[]v1.AdmissionPluginConfiguration';
  const field = place.replace(/\[\d+\]/g, '');
  const holder = field === name ? struct : 'AdmissionPluginConfiguration';
  throw new Error(
    `json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field ${holder}.${field} of type ${wanted}`,
  );
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}
