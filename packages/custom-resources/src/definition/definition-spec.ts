import {
  isObject,
  type JsonObject,
  member,
  memberObject,
  memberText,
  objectOf,
} from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';

/** Fields of a version that can also be given once for all versions. */
const sharedFields = [
  'subresources',
  'schema',
  'additionalPrinterColumns',
  'selectableFields',
] as const;

/**
 * The spec of a definition as kube-apiserver keeps it: with its defaults, and with the fields that all versions have in
 * common moved out of them.
 */
export interface DefinitionSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: JsonObject;
  /** The name of the first version. */
  readonly version: string;
  readonly versions: readonly JsonObject[];
  /** Whether a list of versions is given, be it an empty one. */
  readonly hasVersions: boolean;
  /** Fields that all versions share. */
  readonly shared: JsonObject;
  readonly conversion: JsonObject;
  readonly preservesUnknownFields: boolean;
  readonly storedVersions: readonly string[];
}

/** Reads the spec of a definition of `apiextensions.k8s.io/v1`, leniently. */
export function readDefinitionSpec(definition: JsonObject): DefinitionSpec {
  const spec = memberObject(definition, 'spec');
  const listed = member(spec, 'versions');
  const given = Array.isArray(listed) ? listed.map(objectOf) : [];
  const shared: Record<string, unknown> = {};
  const [first] = given;
  for (const key of first ? sharedFields : []) {
    const isShared = given.every((version) =>
      deepEqual(compared(version, key), compared(first as JsonObject, key)),
    );
    if (isShared) shared[key] = member(first as JsonObject, key) ?? undefined;
  }
  const versions = given.map((version) =>
    Object.fromEntries(Object.entries(version).filter(([key]) => !Object.hasOwn(shared, key))),
  );
  const status = memberObject(definition, 'status');
  const stored = member(status, 'storedVersions');
  const storage = given.find((version) => member(version, 'storage') === true);
  return {
    group: memberText(spec, 'group'),
    scope: memberText(spec, 'scope'),
    names: withDefaults(memberObject(spec, 'names')),
    version: first ? memberText(first, 'name') : '',
    versions,
    hasVersions: Array.isArray(listed),
    shared,
    conversion: isObject(member(spec, 'conversion'))
      ? memberObject(spec, 'conversion')
      : { strategy: 'None' },
    preservesUnknownFields: member(spec, 'preserveUnknownFields') === true,
    storedVersions:
      Array.isArray(stored) && stored.length > 0
        ? stored.map(String)
        : storage
          ? [memberText(storage, 'name')]
          : [],
  };
}

// An empty list and an absent one are equal (apiequality.Semantic).
function compared(version: JsonObject, key: string): unknown {
  const value = member(version, key);
  return Array.isArray(value) && value.length === 0 ? undefined : (value ?? undefined);
}

function withDefaults(names: JsonObject): JsonObject {
  const kind = memberText(names, 'kind');
  return {
    ...names,
    singular: memberText(names, 'singular') || kind.toLowerCase(),
    listKind: memberText(names, 'listKind') || (kind === '' ? '' : `${kind}List`),
  };
}
