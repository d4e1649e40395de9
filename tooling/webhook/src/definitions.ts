import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { withApiServer } from './server/api-server.ts';
import { isObject, type JsonObject } from './server/json.ts';

// Generates the CustomResourceDefinitions of `policies.kubeadmit.dev` from the schemas of a kube-apiserver's
// policies:
// SERVER=program tsx src/definitions.ts

const group = 'policies.kubeadmit.dev';
const kinds: Readonly<Record<string, readonly [plural: string, shortName: string]>> = {
  ValidatingAdmissionPolicy: ['validatingadmissionpolicies', 'kvap'],
  ValidatingAdmissionPolicyBinding: ['validatingadmissionpolicybindings', 'kvapb'],
  MutatingAdmissionPolicy: ['mutatingadmissionpolicies', 'kmap'],
  MutatingAdmissionPolicyBinding: ['mutatingadmissionpolicybindings', 'kmapb'],
};
const kept = [
  ...['type', 'format', 'required', 'enum', 'default'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type'],
];
const target = fileURLToPath(
  new URL('../../../apps/webhook/manifests/definitions.yaml', import.meta.url),
);

await withApiServer(process.env['SERVER'] ?? '', async (server) => {
  const path = '/openapi/v3/apis/admissionregistration.k8s.io/v1';
  const { body } = await server.ask({ method: 'GET', path });
  const { schemas } = body['components'] as { readonly schemas: Record<string, JsonObject> };
  const texts = Object.entries(kinds).map(([kind, names]) => {
    const schema = schemas[`io.k8s.api.admissionregistration.v1.${kind}`] ?? {};
    return stringify(definition(kind, names, structural(schema, schemas)));
  });
  const head =
    "# Policies with the fields of kube-apiserver's own, for clusters whose API lacks them.\n# Written by tooling/webhook/src/definitions.ts.\n";
  writeFileSync(target, head + texts.join('---\n'));
});

function definition(
  kind: string,
  [plural, shortName]: readonly [string, string],
  schema: JsonObject,
): JsonObject {
  const { properties } = schema as { readonly properties: JsonObject };
  const openAPIV3Schema = {
    type: 'object',
    required: ['spec'],
    properties: { ...properties, metadata: { type: 'object' } },
  };
  const singular = kind.toLowerCase();
  const names = { kind, listKind: `${kind}List`, plural, singular, shortNames: [shortName] };
  const hasStatus = 'status' in properties;
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    ...(hasStatus ? { subresources: { status: {} } } : {}),
    schema: { openAPIV3Schema },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Cluster', names, versions: [version] },
  };
}

/** A schema as definitions have it: without references and descriptions. */
function structural(schema: JsonObject, schemas: Readonly<Record<string, JsonObject>>): JsonObject {
  const resolved = resolve(schema, schemas);
  const members = Object.entries(resolved).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'properties' && isObject(value)) {
      const properties = Object.entries(value).map(([name, each]) => [
        name,
        structural(each as JsonObject, schemas),
      ]);
      return [[key, Object.fromEntries(properties)]];
    }
    if ((key === 'items' || key === 'additionalProperties') && isObject(value)) {
      return [[key, structural(value, schemas)]];
    }
    // Empty defaults are Go's, and mean nothing.
    if (key === 'default' && (isObject(value) || value === '')) return [];
    return kept.includes(key) ? [[key, value]] : [];
  });
  return Object.fromEntries(members);
}

function resolve(schema: JsonObject, schemas: Readonly<Record<string, JsonObject>>): JsonObject {
  const { allOf, ...rest } = schema;
  const reference = Array.isArray(allOf) ? (allOf[0] as JsonObject) : schema;
  const name =
    String(reference['$ref'] ?? '')
      .split('/')
      .at(-1) ?? '';
  const found = schemas[name];
  return found === undefined ? rest : { ...found, ...rest };
}
