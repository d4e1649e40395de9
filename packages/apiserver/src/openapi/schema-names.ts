/** The OpenAPI name of a Go struct of a short name: `core.v1.Pod` is `io.k8s.api.core.v1.Pod`. */
export function schemaName(struct: string): string {
  const [first = ''] = struct.split('.');
  const known = prefixes[first];
  return known === undefined ? `io.k8s.api.${struct}` : `${known}.${struct}`;
}

const prefixes: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis',
};

/** The OpenAPI name of a kind of a definition: group `example.com` and version `v1` give `com.example.v1.Thing`. */
export function customSchemaName(group: string, version: string, kind: string): string {
  return `${group.split('.').reverse().join('.')}.${version}.${kind}`;
}

/** The OpenAPI names of values that are not structs. */
export const leafNames = {
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  time: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  microTime: 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  rawExtension: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  fields: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
} as const;
