import { isRecord, type ManifestObject, type Path } from '@kubeadmit/manifest';
import { referenceOf, type SourceReference } from './source-reference.ts';
import { type ClusterFields, clusterFieldNames } from './suite.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads the cluster of a suite, a group or a case; `undefined` if it has no such fields. */
export function readCluster(fields: Fields, path: Path): ClusterFields | undefined {
  const { plugins } = fields;
  const names = [...clusterFieldNames, 'plugins'];
  if (names.every((name) => fields[name] === undefined)) return undefined;
  const list = (name: (typeof clusterFieldNames)[number]): readonly SourceReference[] => {
    const value = fields[name];
    if (!Array.isArray(value)) return [];
    return value.map((each, index) => referenceOf(each, [...path, name, index]));
  };
  const { namespaces } = fields;
  return {
    policies: list('policies'),
    bindings: list('bindings'),
    autoBindings: fields['bindings'] === 'auto',
    parameters: list('parameters'),
    namespaces: isRecord(namespaces)
      ? labelledNamespaces(namespaces, [...path, 'namespaces'])
      : list('namespaces'),
    rbac: list('rbac'),
    definitions: list('definitions'),
    resources: list('resources'),
    ...(plugins === undefined ? {} : { plugins: plugins as ClusterFields['plugins'] }),
  };
}

/** Namespaces as the server has them, from their labels by name. */
function labelledNamespaces(labels: Fields, path: Path): readonly SourceReference[] {
  return Object.entries(labels).map(([name, own]) => {
    const all = { 'kubernetes.io/metadata.name': name, ...(isRecord(own) ? own : {}) };
    const object: ManifestObject = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: all },
    };
    return { path: [...path, name], object };
  });
}
