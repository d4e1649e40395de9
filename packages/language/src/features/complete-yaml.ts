import { stringType } from '@kubeadmit/cel/types';
import type { FieldInfo } from '../fields/field-info.ts';
import { completionItems, fieldProposal } from '../lookup/completion-items.ts';
import { typeAt } from '../lookup/field-at.ts';
import { fieldValueWords } from '../lookup/field-values.ts';
import { fieldsOfType } from '../lookup/fields-of-type.ts';
import { type ObjectView, objectAt } from '../policy/object-view.ts';
import type { Proposal } from '../service/proposal.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Position } from '../text/text-lines.ts';
import type { Part } from '../workspace/part.ts';
import { type CompletionItem, completionKinds } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { contentOf } from '../yaml/nodes.ts';
import { lineStartAt, type YamlPosition, yamlPositionAt } from '../yaml/position.ts';
import { siblingsOf, specialValues } from './yaml-values.ts';

/** Returns completions at a position of YAML outside of expressions. */
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

/** Whether a key without a colon is an item of a list of scalars. */
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

/** A key with the beginning of its value. */
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
