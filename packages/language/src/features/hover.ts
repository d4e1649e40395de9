import { typeLabel } from '../fields/type-label.ts';
import { expressionAt } from '../lookup/expression-at.ts';
import { typeAt } from '../lookup/field-at.ts';
import { fieldValueWords } from '../lookup/field-values.ts';
import { wordsOf } from '../lookup/fields-of-type.ts';
import { objectAt } from '../policy/object-view.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { codeSpan, escapeMarkdown } from '../text/markdown.ts';
import type { Position } from '../text/text-lines.ts';
import type { Hover } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { yamlPositionAt } from '../yaml/position.ts';
import { hoverExpression } from './hover-expression.ts';
import { valueAt } from './value-at.ts';

/** Describes a position of a file; for an expression with its values for examples. */
export async function hover(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): Promise<Hover | undefined> {
  const found = expressionAt(document, position);
  if (found === undefined) return hoverYaml(context, document, position);
  const known = hoverExpression(context, found);
  const value = known && (await valueAt(context, found));
  if (known === undefined || value === undefined) return known;
  const contents = { ...known.contents, value: `${known.contents.value}\n\n${value}` };
  return { ...known, contents };
}

/** Describes a key or a value of YAML. */
function hoverYaml(
  context: ServiceContext,
  document: TextDocument,
  position: Position,
): Hover | undefined {
  const { part, offset } = document.at(position);
  const template = context.kyverno?.hoverTemplate(context, document, position);
  if (template !== undefined) return template;
  const place = yamlPositionAt(part.text, part.outline, offset);
  const object = objectAt(part, offset);
  if (place === undefined || object === undefined) return undefined;
  const isItem = part.outline !== object.root && place.path[0] === 'items';
  const way = isItem ? place.path.slice(2) : place.path;
  const hover = (value: string, start: number, end: number): Hover => ({
    contents: { kind: 'markdown', value },
    range: document.range(part, start, end),
  });
  if (place.kind === 'key') {
    const { entry } = place;
    if (entry === undefined) return undefined;
    const found = typeAt(context, object, [...way, entry.key]);
    if (found === undefined) return undefined;
    const { field, type } = found;
    const about = field?.about ?? typeLabel(type);
    const words = field && wordsOf(context, field);
    const values = fieldValueWords(context, field);
    const list =
      values === undefined ? '' : `\n\nValues: ${Object.keys(values).map(codeSpan).join(', ')}.`;
    const head = `**${escapeMarkdown(entry.key)}**: ${escapeMarkdown(about)}`;
    return hover(
      `${head}${words === undefined ? '' : `\n\n${words}`}${list}`,
      entry.start,
      entry.keyEnd,
    );
  }
  const found = typeAt(context, object, way);
  const value = part.textOf(place.scalar);
  if (place.scalar === undefined || value === undefined) return undefined;
  const values = fieldValueWords(context, found?.field);
  const words = values !== undefined && Object.hasOwn(values, value) ? values[value] : undefined;
  if (words === undefined || words === '') return undefined;
  return hover(`**${escapeMarkdown(value)}**: ${words}`, place.scalar.start, place.scalar.end);
}
