import { dynType } from '@kubeadmit/cel/internal';
import { listResources } from '@kubeadmit/schemas';
import { findNode } from '../cel/find-node.ts';
import { celTokens, tokenAt } from '../cel/tokens.ts';
import { typeAt } from '../fields/field-at.ts';
import type { FieldInfo } from '../fields/field-info.ts';
import { fieldsOfType, wordsOf } from '../fields/fields-of-type.ts';
import { type ObjectView, objectAt } from '../policy/object-view.ts';
import type { Position, TextEdit } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { type Entry, entryOf, itemsOf, type MapNode, nodeAt } from '../yaml/nodes.ts';
import { lineStartAt, yamlPositionAt } from '../yaml/position.ts';
import type { ExpressionAt } from './expression-at.ts';
import type { Change } from './more-fixes.ts';

/** A deprecated field of a document. */
interface DeprecatedField {
  readonly object: ObjectView;
  readonly map: MapNode;
  readonly entry: Entry;
}

type Repair = (field: DeprecatedField) => readonly Edit[];

/** An edit of a document's text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

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

/** What is written in place of the deprecated field, or version, at a place of YAML. */
export function deprecatedInYaml(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): readonly Change[] {
  const { part, offset } = document.at(position);
  const object = objectAt(part, offset);
  const place = yamlPositionAt(part.text, part.outline, offset);
  if (object === undefined || place === undefined) return [];
  const path = place.kind === 'key' ? [...place.path, place.entry?.key ?? ''] : place.path;
  const changes = (title: string, edits: readonly Edit[]): readonly Change[] =>
    edits.length === 0
      ? []
      : [
          {
            title,
            edits: edits.map(
              ({ start, end, newText }): TextEdit => ({
                range: document.range(part, start, end),
                newText,
              }),
            ),
          },
        ];
  const own = part.outline === object.root ? path : path.slice(2);
  if (own.length === 1 && own[0] === 'apiVersion') {
    const { title, edits } = newerVersion(context, object);
    return changes(title, edits);
  }
  const name = own.at(-1);
  const map = nodeAt(object.root, ...own.slice(0, -1));
  if (typeof name !== 'string' || map?.kind !== 'map' || map.isFlow) return [];
  const entry = entryOf(map, name);
  const field = typeAt(context, object, own)?.field;
  const key = `${field?.owner}.${name}`;
  if (entry === undefined || field === undefined) return [];
  if (!Object.hasOwn(repairs, key)) {
    const meant = replacementOf(field);
    if (meant === undefined || entryOf(map, meant) !== undefined) return [];
    return changes(`Write \`${meant}\``, [
      { start: entry.start, end: entry.keyEnd, newText: meant },
    ]);
  }
  const [title, repair] = repairs[key] as (typeof repairs)[string];
  return changes(title, repair({ object, map, entry }));
}

/** The name of the field that has the same value. */
function replacementOf(field: FieldInfo): string | undefined {
  return /^Deprecated: write `(\w+)`/.exec(wordsOf(field) ?? '')?.[1];
}

const policyGroup = 'admissionregistration.k8s.io';

/** The version `v1` of a policy or binding that is of an older one, where the server has it. */
function newerVersion(
  { schemas }: ServiceContext,
  { group, version, kind, part, root }: ObjectView,
): { readonly title: string; readonly edits: readonly Edit[] } {
  const node = nodeAt(root, 'apiVersion');
  const isOlder = group === policyGroup && /^v1(?:alpha|beta)\d+$/.test(version);
  const isThere = listResources(schemas).some(
    (row) => row.group === group && row.kind === kind && row.version === 'v1',
  );
  const title = `Write \`${group}/v1\``;
  if (!isOlder || !isThere || node === undefined) return { title, edits: [] };
  const at = part.text.slice(node.start, node.end).indexOf(version);
  const start = node.start + at;
  return { title, edits: [{ start, end: start + version.length, newText: 'v1' }] };
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

/** The value of an entry as it is written behind its colon, moved to another column. */
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

/** The name of the field that takes the place of the deprecated one at a place of an expression. */
export function deprecatedInExpression(
  context: ServiceContext,
  { scalar, at, policy, part, document }: ExpressionAt,
): readonly Change[] {
  const tokens = celTokens(scalar.value);
  const token = tokenAt(tokens, at);
  const before = token && tokens[tokens.indexOf(token) - 1];
  if (token?.kind !== 'name' || !/^[.?]$/.test(before?.text ?? '')) return [];
  for (const environment of context.environments(policy)) {
    const checked = environment.check(scalar.value);
    const found =
      checked &&
      findNode(
        checked.expression,
        (node) =>
          node.kind === 'select' && node.position === before?.start && node.field === token.text,
      );
    if (found?.node.kind !== 'select') continue;
    const owner = checked?.types[found.node.operand.id] ?? dynType;
    const info = fieldsOfType(owner, context.types).find(({ name }) => name === token.text);
    const meant = info && replacementOf(info);
    if (meant === undefined) continue;
    const range = document.range(
      part,
      scalar.toDocument(token.start),
      scalar.toDocument(token.end),
    );
    return [{ title: `Write \`${meant}\``, edits: [{ range, newText: meant }] }];
  }
  return [];
}
