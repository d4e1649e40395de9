import {
  type GroupVersionKind,
  type JsonObject,
  member,
  memberObject,
} from '@kubeadmit/apimachinery';
import type { Value } from '@kubeadmit/cel';
import { jsonOf } from '@kubeadmit/chain/kyverno';
import type { Path } from '@kubeadmit/manifest';
import {
  eachOf,
  type Fields,
  type FindPlace,
  fieldsOf,
  listOf,
  objectOf,
  readFields,
  requireKind,
  textOf,
  textsOf,
} from './fields.ts';

/** Variables by dotted names. */
export type Variables = ReadonlyMap<string, unknown>;

/** The values of a test that replace a cluster (kind Values of `cli.kyverno.io/v1alpha1`). */
export interface Values {
  readonly globalValues: Variables;
  readonly policies: readonly PolicyValues[];
  /** Labels of namespaces by name. */
  readonly namespaceLabels: ReadonlyMap<string, JsonObject>;
  readonly namespaces: readonly JsonObject[];
  /** The paths of the namespaces with labels, by name. */
  readonly namespacePaths: ReadonlyMap<string, Path>;
  readonly subresources: readonly SubresourceValues[];
  /** Finds the place of a part of the values, by its path in them. */
  readonly placeOf: FindPlace;
}

/** The variables of a policy, for resources by name and for rules by name. */
export interface PolicyValues {
  readonly name: string;
  readonly resources: readonly { readonly name: string; readonly values: Variables }[];
  readonly rules: readonly { readonly name: string; readonly values: Variables }[];
}

/** Objects of a kind that are subresources of another, such as `pods/eviction`. */
export interface SubresourceValues {
  readonly kind: GroupVersionKind;
  readonly parent: GroupVersionKind;
  readonly subresource: string;
}

/** Values that say nothing. */
export const noValues: Values = {
  globalValues: new Map(),
  policies: [],
  namespaceLabels: new Map(),
  namespaces: [],
  namespacePaths: new Map(),
  subresources: [],
  placeOf: () => ({ file: '' }),
};

/**
 * Reads values. `path` is empty for a separate file, which needs `apiVersion` and `kind`.
 *
 * @throws ShapeProblem for invalid values.
 */
export function readValues(value: Value, placeOf: FindPlace, path = ''): Values {
  const fields = readFields(value, path, 'tests.Values');
  if (path === '') requireKind(fields, 'these values have', 'Values');
  fieldsOf(fields, 'metadata', 'meta.v1.ObjectMeta');
  const selectors = eachOf(fields, 'namespaceSelector', (item) => {
    const selector = readFields(item, 'namespaceSelector', 'tests.NamespaceSelector');
    return [textOf(selector, 'name'), labelTexts(selector)] as const;
  });
  const namespaces = listOf(fields, 'namespaces').map((item) => jsonOf(item));
  return {
    globalValues: variablesOf(objectOf(fields, 'globalValues')),
    policies: eachOf(fields, 'policies', readPolicyValues),
    namespaceLabels: new Map([...selectors, ...namespaces.map(labelsOfNamespace)]),
    namespaces,
    namespacePaths: new Map<string, Path>([
      ...selectors.map(([name], index) => [name, ['namespaceSelector', index]] as const),
      ...namespaces.map((each, index) => [nameOf(each), ['namespaces', index]] as const),
    ]),
    subresources: eachOf(fields, 'subresources', readSubresource),
    placeOf,
  };
}

/** Labels as strings: in a test, the CLI makes strings of numbers and booleans. */
function labelTexts(selector: Fields): JsonObject {
  const labels = [...objectOf(selector, 'labels')];
  return Object.fromEntries(labels.map(([key, value]) => [key, String(value)]));
}

function labelsOfNamespace(namespace: JsonObject): readonly [string, JsonObject] {
  return [nameOf(namespace), memberObject(namespace['metadata'], 'labels')];
}

function nameOf({ metadata }: JsonObject): string {
  return String(member(metadata, 'name') ?? '');
}

function readPolicyValues(item: Value): PolicyValues {
  const fields = readFields(item, 'policies', 'tests.Policy');
  return {
    name: textOf(fields, 'name'),
    resources: eachOf(fields, 'resources', (resource) => {
      const parts = readFields(resource, 'resources', 'tests.Resource');
      return { name: textOf(parts, 'name'), values: variablesOf(objectOf(parts, 'values')) };
    }),
    rules: eachOf(fields, 'rules', readRuleValues),
  };
}

/** Of the values for elements of a loop the first is taken, as the Kyverno CLI does. */
function readRuleValues(item: Value): { readonly name: string; readonly values: Variables } {
  const fields = readFields(item, 'rules', 'tests.Rule');
  const values = new Map(variablesOf(objectOf(fields, 'values')));
  for (const [name, list] of objectOf(fields, 'foreachValues')) {
    if (Array.isArray(list) && list.length > 0) values.set(name, jsonOf(list[0] as Value));
  }
  return { name: textOf(fields, 'name'), values };
}

function readSubresource(item: Value): SubresourceValues {
  const fields = readFields(item, 'subresources', 'tests.Subresource');
  const child = objectOf(fields, 'subresource');
  const parent = objectOf(fields, 'parentResource');
  const [, subresource = ''] = textOf(child, 'name').split('/');
  const kindOf = (named: Fields): GroupVersionKind => textsOf(named, 'group', 'version', 'kind');
  return { kind: kindOf(child), parent: kindOf(parent), subresource };
}

function variablesOf(fields: Fields): Variables {
  return new Map([...fields].map(([name, value]) => [name, jsonOf(value)]));
}

/** Returns the values of a rule, which are those of its generated rules too. */
export function ruleValues(policies: readonly PolicyValues[], rule: string): Variables | undefined {
  return policies
    .flatMap(({ rules }) => rules)
    .find(({ name }) => [name, `autogen-${name}`, `autogen-cronjob-${name}`].includes(rule))
    ?.values;
}
