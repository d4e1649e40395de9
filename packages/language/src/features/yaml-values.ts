import { formatGroupVersion } from '@kubeadmit/apimachinery';
import { policyGroup } from '@kubeadmit/engine';
import { listResources, type Resource } from '@kubeadmit/schemas';
import { kyvernoKinds } from '../fields/kyverno-kinds.ts';
import { isSuiteName } from '../lookup/field-at.ts';
import { groupVersionOf, type ObjectView, objectsIn } from '../policy/object-view.ts';
import type { Proposal } from '../service/proposal.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { completionKinds } from '../workspace/protocol.ts';
import { itemsOf, nodeAt } from '../yaml/nodes.ts';

/** The group of policies of Kubernetes. */

/** Values that other objects and the server's kinds decide about. */
export function specialValues(
  context: ServiceContext,
  object: ObjectView,
  path: readonly (string | number)[],
): readonly Proposal[] | undefined {
  const way = path.map((step) => (typeof step === 'number' ? '[]' : step)).join('.');
  const { part, root, group, kind } = object;
  if (isSuiteName(part.source.name)) {
    const isFile =
      /^(?:policies|bindings|parameters|namespaces|rbac|definitions|resources|objects)\.\[\]$|^object$/.test(
        way,
      );
    return isFile ? fileNames(context) : undefined;
  }
  const text = (...steps: readonly (string | number)[]): string => part.textAt(root, ...steps);
  if (way === 'apiVersion') return apiVersions(context, text('kind'));
  if (way === 'kind') return kinds(context, text('apiVersion'));
  if (group === policyGroup || group === 'policies.kyverno.io') {
    switch (way) {
      case 'spec.policyName':
        return objectNames(context, isOf(policyGroup, kind.replace(/Binding$/, '')));
      case 'spec.paramKind.kind':
        return kinds(context, text('spec', 'paramKind', 'apiVersion'));
      case 'spec.paramKind.apiVersion':
        return apiVersions(context, text('spec', 'paramKind', 'kind'));
      case 'spec.paramRef.name':
        return parameterNames(context, object);
      case 'spec.paramRef.namespace':
        return objectNames(context, isOf('', 'Namespace'));
    }
    const rule =
      /^spec\.(?:match\w+|targetMatchConstraints)\.(?:excludeR|r)esourceRules\.\[\]\.(\w+)\.\[\]$/.exec(
        way,
      )?.[1];
    const values = rule === undefined ? undefined : ruleValues(context, object, path, rule);
    if (values !== undefined) return values;
  }
  return context.kyverno?.kyvernoValues(context, object, path, way);
}

/** Returns the possible values of a field of a resource rule, or `undefined` for other fields. */
function ruleValues(
  { schemas }: ServiceContext,
  object: ObjectView,
  path: readonly (string | number)[],
  field: string,
): readonly Proposal[] | undefined {
  const { part, root } = object;
  const groups = itemsOf(nodeAt(root, ...path.slice(0, -2), 'apiGroups')).flatMap(
    (item) => part.textOf(item) ?? [],
  );
  const rows = listResources(schemas);
  const inGroups = rows.filter(
    (row) => groups.length === 0 || groups.some((each) => each === '*' || each === row.group),
  );
  switch (field) {
    case 'apiGroups':
      return unique(rows.map((row) => row.group)).map((label) => ({
        label,
        kind: completionKinds.value,
        insert: label === '' ? "''" : label,
        ...(label === '' ? { detail: 'the core group' } : {}),
      }));
    case 'apiVersions':
      return unique(inGroups.map(({ version }) => version)).map((label) => ({
        label,
        kind: completionKinds.value,
      }));
    case 'resources':
      return resourceNames(inGroups, siblingsOf(object, path));
    default:
      return undefined;
  }
}

/** Returns resources and subresources that are not given yet, each name once. */
function resourceNames(rows: readonly Resource[], given: ReadonlySet<string>): readonly Proposal[] {
  return rows
    .flatMap((row) => [
      {
        label: row.resource,
        detail: `${row.kind}, ${row.group === '' ? 'core' : row.group}/${row.version}`,
        kind: completionKinds.value,
      },
      ...row.subresources.map(({ name, kind }) => ({
        label: `${row.resource}/${name}`,
        detail: kind,
        kind: completionKinds.value,
        rank: 2,
      })),
    ])
    .filter(
      ({ label }, i, all) =>
        !given.has(label) && all.findIndex((other) => other.label === label) === i,
    );
}

/** The names of all files, without their folders. */
export function fileNames({ workspace }: ServiceContext): readonly Proposal[] {
  return [...workspace.documents].map(({ name }) => ({
    label: name.split('/').at(-1) ?? name,
    kind: completionKinds.reference,
  }));
}

/** Names, each once, in their order. */
export function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** The kinds of the server, of definitions among the files, and of Kyverno. */
function knownKinds({ schemas }: ServiceContext): readonly KnownKind[] {
  return [...listResources(schemas), ...kyvernoKinds].map(({ group, version, kind }) => ({
    apiVersion: formatGroupVersion({ group, version }),
    kind,
  }));
}

interface KnownKind {
  readonly apiVersion: string;
  readonly kind: string;
}

function apiVersions(context: ServiceContext, kind: string): readonly Proposal[] {
  const rows = knownKinds(context).filter((row) => kind === '' || row.kind === kind);
  return unique(rows.map(({ apiVersion }) => apiVersion)).map((label) => ({
    label,
    kind: completionKinds.value,
  }));
}

function kinds(context: ServiceContext, apiVersion: string): readonly Proposal[] {
  const rows = knownKinds(context).filter(
    (row) => apiVersion === '' || row.apiVersion === apiVersion,
  );
  return rows
    .filter(({ kind }, i) => rows.findIndex((other) => other.kind === kind) === i)
    .map((row) => ({ label: row.kind, detail: row.apiVersion, kind: completionKinds.class }));
}

export function isOf(group: string, kind: string): (object: ObjectView) => boolean {
  return (object) => object.group === group && object.kind === kind;
}

/** The names of the objects in all files that are meant. */
export function objectNames(
  { workspace }: ServiceContext,
  isMeant: (object: ObjectView) => boolean,
): readonly Proposal[] {
  const names = objectsIn(workspace)
    .filter(({ object }) => object.name !== '' && isMeant(object))
    .map(({ object, document }) => ({
      label: object.name,
      detail: document.name,
      kind: completionKinds.reference,
    }));
  return names.filter(({ label }, i) => names.findIndex((other) => other.label === label) === i);
}

/** The objects of the kind of parameters that the policy of a binding has. */
function parameterNames(
  context: ServiceContext,
  { part, root, kind }: ObjectView,
): readonly Proposal[] {
  const policyName = part.textAt(root, 'spec', 'policyName');
  const policy = objectsIn(context.workspace)
    .map(({ object }) => object)
    .find((each) => each.kind === kind.replace(/Binding$/, '') && each.name === policyName);
  const paramKind = nodeAt(policy?.root, 'spec', 'paramKind');
  if (policy === undefined || paramKind === undefined) return [];
  const text = (name: string): string => policy.part.textAt(paramKind, name);
  return objectNames(context, isOf(groupVersionOf(text('apiVersion')).group, text('kind')));
}

/** The texts of the other elements of a list. */
export function siblingsOf(
  { part, root }: ObjectView,
  path: readonly (string | number)[],
): ReadonlySet<string> {
  const list = nodeAt(root, ...path.slice(0, -1));
  const own = path.at(-1);
  return new Set(itemsOf(list).flatMap((item, i) => (i === own ? [] : (part.textOf(item) ?? []))));
}
