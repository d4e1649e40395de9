import { dynType } from '@kubeadmit/cel/types';
import { policyGroup } from '@kubeadmit/engine';
import { listResources } from '@kubeadmit/schemas';
import { findNode } from '../cel/find-node.ts';
import { celTokens, tokenAt } from '../cel/tokens.ts';
import type { FieldInfo } from '../fields/field-info.ts';
import { type ExpressionAt, rangeIn } from '../lookup/expression-at.ts';
import { typeAt } from '../lookup/field-at.ts';
import { fieldNamed, wordsOf } from '../lookup/fields-of-type.ts';
import { type ObjectView, objectAt } from '../policy/object-view.ts';
import type { Edit } from '../service/deprecated-field.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Position, TextEdit } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { entryOf, nodeAt } from '../yaml/nodes.ts';
import { yamlPositionAt } from '../yaml/position.ts';
import type { Change } from './more-fixes.ts';

/** Returns the replacement of a deprecated field or version at a position of YAML. */
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
  if (typeof name !== 'string' || map?.kind !== 'map') return [];
  const entry = entryOf(map, name);
  const field = typeAt(context, object, own)?.field;
  if (entry === undefined || field === undefined) return [];
  const repaired = context.kyverno?.repair(context, { object, map, entry, field });
  if (repaired !== undefined) return changes(repaired.title, repaired.edits);
  const meant = replacementOf(context, field);
  if (map.isFlow || meant === undefined || entryOf(map, meant) !== undefined) return [];
  return changes(`Write \`${meant}\``, [{ start: entry.start, end: entry.keyEnd, newText: meant }]);
}

/** The name of the field that has the same value. */
function replacementOf(context: ServiceContext, field: FieldInfo): string | undefined {
  return /^Deprecated: write `(\w+)`/.exec(wordsOf(context, field) ?? '')?.[1];
}

/** The version `v1` of a policy or binding of an older version, if the server has it. */
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

/** The name of the field that takes the place of the deprecated one at a place of an expression. */
export function deprecatedInExpression(
  context: ServiceContext,
  found: ExpressionAt,
): readonly Change[] {
  const { scalar, at, policy } = found;
  const tokens = celTokens(scalar.value);
  const token = tokenAt(tokens, at);
  const before = token && tokens[tokens.indexOf(token) - 1];
  if (token?.kind !== 'name' || !/^[.?]$/.test(before?.text ?? '')) return [];
  for (const environment of context.environments(policy)) {
    const checked = environment.check(scalar.value);
    const select =
      checked &&
      findNode(
        checked.expression,
        (node) =>
          node.kind === 'select' && node.position === before?.start && node.field === token.text,
      );
    if (select?.node.kind !== 'select') continue;
    const owner = checked?.types[select.node.operand.id] ?? dynType;
    const info = fieldNamed(owner, token.text, context);
    const meant = info && replacementOf(context, info);
    if (meant === undefined) continue;
    const edit = { range: rangeIn(found, token), newText: meant };
    return [{ title: `Write \`${meant}\``, edits: [edit] }];
  }
  return [];
}
