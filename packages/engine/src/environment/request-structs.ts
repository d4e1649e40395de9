import { CelError, type StructProvider, type Type } from '@kubeadmit/cel';
import {
  boolType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  structType,
  timestampType,
} from '@kubeadmit/cel/types';

// The object types of the variables `request` and `namespaceObject`, as kube-apiserver declares them
// (apiserver plugin/cel/compile.go). The values have the JSON form and not always these types.

type Fields = Readonly<Record<string, Type>>;

function strings(...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, stringType]));
}

const structs: Readonly<Record<string, Fields>> = {
  'kubernetes.GroupVersionKind': strings('group', 'version', 'kind'),
  'kubernetes.GroupVersionResource': strings('group', 'version', 'resource'),
  'kubernetes.UserInfo': {
    ...strings('username', 'uid'),
    groups: listOf(stringType),
    extra: mapOf(stringType, listOf(stringType)),
  },
  'kubernetes.AdmissionRequest': {
    ...strings('subResource', 'requestSubResource', 'name', 'namespace', 'operation'),
    kind: structType('kubernetes.GroupVersionKind'),
    resource: structType('kubernetes.GroupVersionResource'),
    requestKind: structType('kubernetes.GroupVersionKind'),
    requestResource: structType('kubernetes.GroupVersionResource'),
    userInfo: structType('kubernetes.UserInfo'),
    dryRun: boolType,
    options: dynType,
  },
  'kubernetes.NamespaceMetadata': {
    ...strings('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
    labels: mapOf(stringType, stringType),
    annotations: mapOf(stringType, stringType),
    creationTimestamp: timestampType,
    deletionTimestamp: timestampType,
    deletionGracePeriodSeconds: intType,
    generation: intType,
    finalizers: listOf(stringType),
  },
  'kubernetes.NamespaceSpec': { finalizers: listOf(stringType) },
  'kubernetes.NamespaceCondition': {
    ...strings('status', 'type', 'message', 'reason'),
    lastTransitionTime: timestampType,
  },
  'kubernetes.NamespaceStatus': {
    conditions: listOf(structType('kubernetes.NamespaceCondition')),
    phase: stringType,
  },
  'kubernetes.Namespace': {
    metadata: structType('kubernetes.NamespaceMetadata'),
    spec: structType('kubernetes.NamespaceSpec'),
    status: structType('kubernetes.NamespaceStatus'),
  },
};

/** The type of `request`. */
export const requestType: Type = structType('kubernetes.AdmissionRequest');

/** The type of `namespaceObject`. */
export const namespaceType: Type = structType('kubernetes.Namespace');

/** The object types of `request` and `namespaceObject`. */
export const requestStructs: StructProvider = {
  has: (name) => Object.hasOwn(structs, name),
  fieldType(name, field) {
    const fields = Object.hasOwn(structs, name) ? structs[name] : undefined;
    return fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
  },
};

/** Several providers as one; the first that has a type of the name answers for it. */
export function joinStructs(...providers: readonly (StructProvider | undefined)[]): StructProvider {
  const find = (name: string): StructProvider | undefined =>
    providers.find((provider) => provider?.has(name));
  return {
    has: (name) => find(name) !== undefined,
    fieldType: (name, field) => find(name)?.fieldType(name, field),
    create(name, fields) {
      const provider = find(name);
      if (provider?.create === undefined) return new CelError(`unknown type '${name}'`);
      return provider.create(name, fields);
    },
    fields: (name) => find(name)?.fields?.(name),
  };
}
