import type { ObjectView } from '../policy/object-view.ts';
import type { DeprecatedField, Edit } from '../service/deprecated-field.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { type Entry, entryOf, itemsOf, type MapNode, nodeAt } from '../yaml/nodes.ts';
import { lineStartAt } from '../yaml/position.ts';
import { templateTypes } from './complete-template.ts';

type Repair = (field: DeprecatedField) => readonly Edit[];

/** How deprecated fields of Kyverno are written today, by struct and field. */
const repairs: Readonly<Record<string, readonly [title: string, repair: Repair]>> = {
  'KyvernoSpec.validationFailureAction': [
    'Write `failureAction` in each rule',
    intoRules('validate', 'failureAction'),
  ],
  'KyvernoSpec.validationFailureActionOverrides': [
    'Write `failureActionOverrides` in each rule',
    intoRules('validate', 'failureActionOverrides'),
  ],
  'KyvernoSpec.mutateExistingOnPolicyUpdate': [
    'Write `mutateExistingOnPolicyUpdate` in each rule',
    intoRules('mutate', 'mutateExistingOnPolicyUpdate'),
  ],
  'KyvernoSpec.generateExisting': [
    'Write `generateExisting` in each rule',
    intoRules('generate', 'generateExisting'),
  ],
  'KyvernoSpec.webhookTimeoutSeconds': [
    'Write `webhookConfiguration.timeoutSeconds`',
    intoWebhookConfiguration,
  ],
  'KyvernoSpec.schemaValidation': ['Remove `schemaValidation`', (field) => [removal(field)]],
  'KyvernoMatchResources.resources': ['Write it below `any`', belowAny],
  'KyvernoMatchResources.subjects': ['Write it below `any`', belowAny],
  'KyvernoResourceDescription.name': ['Write `names`', asNames],
};

/** Returns the fix of a Kyverno field in an old form; `undefined` for other fields, and in flow style. */
export function repair(
  context: ServiceContext,
  place: DeprecatedField,
): { readonly title: string; readonly edits: readonly Edit[] } | undefined {
  const { object, map, entry, field } = place;
  const key = `${field.owner}.${field.name}`;
  if (key === 'KyvernoCondition.operator') {
    const meant = newerOperator(context, object, map);
    if (meant === undefined || entry.value === undefined) return undefined;
    const { start, end } = entry.value;
    return { title: `Write \`${meant}\``, edits: [{ start, end, newText: meant }] };
  }
  const known = Object.hasOwn(repairs, key) && !map.isFlow ? repairs[key] : undefined;
  return known && { title: known[0], edits: known[1](place) };
}

/** The whole lines of an entry. */
function removal({ object: { part }, entry }: DeprecatedField): Edit {
  const start = lineStartAt(part.text, entry.start);
  return { start, end: lineEnd(part.text, valueEnd(part.text, entry)), newText: '' };
}

function valueEnd(text: string, { start, end, value }: Entry): number {
  const last = value?.end ?? end;
  return start + text.slice(start, last).trimEnd().length;
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? text.length : newline + 1;
}

/** Returns the value after the colon of an entry, moved to another column. */
function movedValue({ object: { part }, map, entry }: DeprecatedField, column: number): string {
  const text = part.text.slice(entry.end, valueEnd(part.text, entry));
  const shift = column - map.column;
  return text.replace(
    /\n( *)/g,
    (_, blanks: string) => `\n${' '.repeat(Math.max(blanks.length + shift, 0))}`,
  );
}

/** Moves a field of `spec` into a part of each rule that has the part and not yet the field. */
function intoRules(section: string, name: string): Repair {
  return (field) => {
    const { object, entry } = field;
    if (entry.value === undefined) return [];
    const homes = itemsOf(nodeAt(object.root, 'spec', 'rules')).flatMap((rule) => {
      const home = nodeAt(rule, section);
      return home?.kind === 'map' && !home.isFlow && home.column > 0 ? [home] : [];
    });
    if (homes.length === 0) return [];
    const added = homes
      .filter((home) => entryOf(home, name) === undefined)
      .map((home): Edit => {
        const value = movedValue(field, home.column);
        const newText = `${name}:${value}\n${' '.repeat(home.column)}`;
        return { start: home.start, end: home.start, newText };
      });
    return [removal(field), ...added];
  };
}

function intoWebhookConfiguration(field: DeprecatedField): readonly Edit[] {
  const { object, map, entry } = field;
  const known = nodeAt(object.root, 'spec', 'webhookConfiguration');
  if (entry.value?.kind !== 'scalar') return [];
  const value = object.part.text.slice(entry.value.start, valueEnd(object.part.text, entry));
  const line = `timeoutSeconds: ${value}`;
  if (known === undefined) {
    const newText = `webhookConfiguration:\n${' '.repeat(map.column + 2)}${line}`;
    return [{ start: entry.start, end: valueEnd(object.part.text, entry), newText }];
  }
  if (known.kind !== 'map' || known.isFlow || entryOf(known, 'timeoutSeconds') !== undefined)
    return [];
  const newText = `${line}\n${' '.repeat(known.column)}`;
  return [removal(field), { start: known.start, end: known.start, newText }];
}

/** All of `match` or `exclude` as the only filter of `any`. */
function belowAny({ object: { part }, map }: DeprecatedField): readonly Edit[] {
  if (entryOf(map, 'any') !== undefined || entryOf(map, 'all') !== undefined) return [];
  const last = map.entries.at(-1);
  if (last === undefined) return [];
  const end = valueEnd(part.text, last);
  const text = part.text.slice(map.start, end).replaceAll('\n', '\n  ');
  return [{ start: map.start, end, newText: `any:\n${' '.repeat(map.column)}- ${text}` }];
}

function asNames({ object: { part }, map, entry }: DeprecatedField): readonly Edit[] {
  if (entry.value?.kind !== 'scalar' || entryOf(map, 'names') !== undefined) return [];
  const end = valueEnd(part.text, entry);
  const value = part.text.slice(entry.value.start, end);
  return [{ start: entry.start, end, newText: `names:\n${' '.repeat(map.column)}- ${value}` }];
}

const operators: ReadonlyMap<string, string> = new Map([
  ['In', 'AnyIn'],
  ['NotIn', 'AnyNotIn'],
]);
const texts: ReadonlySet<string> = new Set(['operation', 'name', 'namespace', 'userInfo.username']);

/**
 * Returns the operator that replaces a deprecated one of a condition, or `undefined` if they may differ. `In` and
 * `AnyIn` differ for keys that are lists, and for values that are not.
 */
function newerOperator(
  context: ServiceContext,
  object: ObjectView,
  condition: MapNode,
): string | undefined {
  const { part, root } = object;
  const written = part.textAt(condition, 'operator');
  const meant = operators.get(written);
  if (meant === undefined || nodeAt(condition, 'value')?.kind !== 'list') return undefined;
  const key = part.textAt(condition, 'key');
  const way = /^\{\{\s*([\w.]+)\s*\}\}$/.exec(key)?.[1];
  if (way === undefined) return undefined;
  const [first, ...rest] = way.split('.');
  if (first === 'request' && texts.has(rest.join('.'))) return meant;
  const rule = itemsOf(nodeAt(root, 'spec', 'rules')).findLast(
    ({ start }) => start <= condition.start,
  );
  const types = templateTypes(context, object, rule, way.split('.'));
  return types.length > 0 && types.every(({ kind }) => scalars.has(kind)) ? meant : undefined;
}

const scalars: ReadonlySet<string> = new Set(['string', 'int', 'bool']);
