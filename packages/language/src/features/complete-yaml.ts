import { formatGroupVersion } from '@kubeadmit/apimachinery';
import { stringType } from '@kubeadmit/cel/internal';
import { listResources, type Resource } from '@kubeadmit/schemas';
import { isSuiteName, typeAt } from '../fields/field-at.ts';
import type { FieldInfo } from '../fields/field-info.ts';
import { fieldValueWords } from '../fields/field-values.ts';
import { fieldsOfType } from '../fields/fields-of-type.ts';
import { kyvernoKinds } from '../fields/kyverno-kinds.ts';
import { groupVersionOf, type ObjectView, objectAt, objectsIn } from '../policy/object-view.ts';
import { type CompletionItem, completionKinds } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Position } from '../text/text-lines.ts';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { contentOf, itemsOf, nodeAt } from '../yaml/nodes.ts';
import { lineStartAt, type YamlPosition, yamlPositionAt } from '../yaml/position.ts';
import { completionItems, fieldProposal } from './completion-items.ts';
import type { Proposal } from './proposal.ts';

/** What can be written at a place of YAML outside of expressions. */
export function completeYaml(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): readonly CompletionItem[] {
  const { part, offset } = document.at(position);
  const template = context.kyverno?.completeTemplate(context, document, part, offset);
  if (template !== undefined) return template;
  const place = yamlPositionAt(part.text, part.outline, offset);
  if (place === undefined) return [];
  const object = objectAt(part, offset) ?? emptyObject(part);
  const isItem = place.kind === 'key' && isScalarItem(context, object, place);
  const proposals =
    place.kind === 'key' && !isItem ? keys(context, object, place) : values(context, object, place);
  const { start, end } = place.scalar === undefined ? place : contentOf(place.scalar);
  const range = document.range(part, start, end);
  const word = part.text.slice(start, Math.max(start, offset));
  return completionItems(proposals, word, range);
}

/** Whether what looks like a key that has no colon yet is an item of a list of scalars. */
function isScalarItem(
  context: ServiceContext,
  object: ObjectView,
  { path, entry }: YamlPosition,
): boolean {
  if (typeof path.at(-1) !== 'number' || entry === undefined || entry.colon !== undefined)
    return false;
  const type = typeAt(context, object, pathIn(object, path))?.type;
  return type !== undefined && type.kind !== 'struct' && type.kind !== 'map' && type.kind !== 'dyn';
}

function emptyObject(part: Part): ObjectView {
  const root = { kind: 'map', start: 0, end: 0, column: 0, isFlow: false, entries: [] } as const;
  return {
    part,
    root,
    apiVersion: '',
    group: '',
    version: '',
    kind: '',
    name: '',
    namespace: '',
    nameNode: undefined,
  };
}

/** The path within the object: lists hold objects too. */
function pathIn(
  object: ObjectView,
  path: readonly (string | number)[],
): readonly (string | number)[] {
  const { part, root } = object;
  if (part.outline === root || path[0] !== 'items') return path;
  return path.slice(2);
}

function keys(
  context: ServiceContext,
  object: ObjectView,
  place: YamlPosition,
): readonly Proposal[] {
  const path = pathIn(object, place.path);
  const given = new Set(
    place.map?.entries.filter((entry) => entry !== place.entry).map(({ key }) => key),
  );
  const fields = fieldsAt(context, object, path);
  const hasColon = place.entry?.colon !== undefined;
  return fields
    .filter(({ name }) => !given.has(name))
    .map((info, i) => ({
      ...fieldProposal(context, info),
      kind: completionKinds.property,
      insert: hasColon ? info.name : insertOf(info, place),
      rank: i > 9 ? 2 : 1,
    }));
}

function fieldsAt(
  context: ServiceContext,
  object: ObjectView,
  path: readonly (string | number)[],
): readonly FieldInfo[] {
  const place = typeAt(context, object, path);
  if (place !== undefined)
    return fieldsOfType(place.type, context).filter(
      ({ name }) => name !== 'status' || path.length > 0,
    );
  if (path.length > 0) return [];
  const text = { escaped: undefined, about: 'text', owner: '', type: stringType };
  return ['apiVersion', 'kind', 'metadata', 'spec'].map((name) => ({ ...text, name }));
}

/** A key with what begins its value. */
function insertOf({ name, type }: FieldInfo, { column, isFlow }: YamlPosition): string {
  if (isFlow) return `${name}: `;
  const indent = ' '.repeat(column);
  const isExpression = /(?:^e|E)xpression$/.test(name);
  if (isExpression) return `${name}: |-\n${indent}  `;
  if (type.kind === 'list') return `${name}:\n${indent}- `;
  if (type.kind === 'struct' || type.kind === 'map') return `${name}:\n${indent}  `;
  return `${name}: `;
}

function values(
  context: ServiceContext,
  object: ObjectView,
  place: YamlPosition,
): readonly Proposal[] {
  const path = pathIn(object, place.path);
  const special = specialValues(context, object, path);
  if (special !== undefined) return special;
  const typed = typeAt(context, object, path);
  if (typed === undefined) return [];
  const { type, field } = typed;
  const words = fieldValueWords(context, field);
  if (words !== undefined) {
    const given = typeof path.at(-1) === 'number' ? siblingsOf(object, path) : new Set<string>();
    return Object.entries(words)
      .filter(([label]) => !given.has(label))
      .map(([label, about]) => ({
        label,
        words: about,
        kind: completionKinds.enum,
        insert: quoted(label, place),
      }));
  }
  if (type.kind === 'bool')
    return ['true', 'false'].map((label) => ({ label, kind: completionKinds.value }));
  // The first key of an element.
  if (typeof path.at(-1) === 'number' && type.kind === 'struct' && !place.isFlow) {
    const position = { ...place, column: columnOf(object.part, place) };
    return fieldsOfType(type, context).map((info, i) => ({
      ...fieldProposal(context, info),
      kind: completionKinds.property,
      insert: insertOf(info, position),
      rank: i > 9 ? 2 : 1,
    }));
  }
  return [];
}

/** `*` begins an alias in YAML. */
function quoted(label: string, { scalar }: YamlPosition): string {
  const isBare = scalar === undefined || scalar.style === 'plain';
  return isBare && /^[*&!|>%@`]|^$/.test(label) ? `"${label}"` : label;
}

function columnOf({ text }: Part, { start }: YamlPosition): number {
  return start - lineStartAt(text, start);
}

function siblingsOf(
  { part, root }: ObjectView,
  path: readonly (string | number)[],
): ReadonlySet<string> {
  const list = nodeAt(root, ...path.slice(0, -1));
  const own = path.at(-1);
  return new Set(itemsOf(list).flatMap((item, i) => (i === own ? [] : (part.textOf(item) ?? []))));
}

export const policyGroup = 'admissionregistration.k8s.io';

/** Values that other objects and the server's kinds decide about. */
function specialValues(
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

/** What a field of a resource rule may hold; undefined for fields that know no values. */
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

/** Resources and subresources besides those that are given, each name once. */
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

/** Whether objects are of a kind. */
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
